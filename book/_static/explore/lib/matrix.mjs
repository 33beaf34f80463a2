// Dense matrices: a table of m rows and n columns is a Float64Array of m·n numbers, row after row.
// Nothing here touches the page, so node runs the same code in the tests.

export function multiply(A, B, m, inner, n) {
  const C = new Float64Array(m * n);
  for (let i = 0; i < m; i++) {
    for (let k = 0; k < inner; k++) {
      const factor = A[i * inner + k];
      if (factor === 0) continue;
      for (let j = 0, to = i * n, from = k * n; j < n; j++) C[to + j] += factor * B[from + j];
    }
  }
  return C;
}

export function transpose(A, m, n) {
  const T = new Float64Array(m * n);
  for (let i = 0; i < m; i++) for (let j = 0; j < n; j++) T[j * m + i] = A[i * n + j];
  return T;
}

export function columnMeans(X, D) {
  const means = new Float64Array(D);
  const N = X.length / D;
  for (let at = 0; at < X.length; at++) means[at % D] += X[at] / N;
  return means;
}

export function centred(X, D) {
  const means = columnMeans(X, D);
  return Float64Array.from(X, (value, at) => value - means[at % D]);
}

// The covariance matrix, divided by N as dimred_ref.pca does.
export function covariance(X, D) {
  const Z = centred(X, D);
  const N = X.length / D;
  return multiply(transpose(Z, N, D), Z, D, N, D).map((entry) => entry / N);
}

// Solve A x = b by elimination with the largest pivot of each column; a singular A throws.
export function solve(A, b, n) {
  const M = Float64Array.from(A);
  const x = Float64Array.from(b);
  const largest = M.reduce((size, entry) => Math.max(size, Math.abs(entry)), 0);
  for (let k = 0; k < n; k++) {
    let pivot = k;
    for (let i = k + 1; i < n; i++) if (Math.abs(M[i * n + k]) > Math.abs(M[pivot * n + k])) pivot = i;
    if (Math.abs(M[pivot * n + k]) <= n * Number.EPSILON * largest) throw new RangeError("the matrix is singular");
    if (pivot !== k) {
      for (let j = 0; j < n; j++) [M[k * n + j], M[pivot * n + j]] = [M[pivot * n + j], M[k * n + j]];
      [x[k], x[pivot]] = [x[pivot], x[k]];
    }
    for (let i = k + 1; i < n; i++) {
      const factor = M[i * n + k] / M[k * n + k];
      for (let j = k; j < n; j++) M[i * n + j] -= factor * M[k * n + j];
      x[i] -= factor * x[k];
    }
  }
  for (let i = n - 1; i >= 0; i--) {
    for (let j = i + 1; j < n; j++) x[i] -= M[i * n + j] * x[j];
    x[i] /= M[i * n + i];
  }
  return x;
}

// Distances between the rows of X, as an N × N table.
export function distances(X, D) {
  const N = X.length / D;
  const table = new Float64Array(N * N);
  for (let i = 0; i < N; i++) {
    for (let j = 0; j < i; j++) {
      let square = 0;
      for (let a = 0; a < D; a++) square += (X[i * D + a] - X[j * D + a]) ** 2;
      table[i * N + j] = table[j * N + i] = Math.sqrt(square);
    }
  }
  return table;
}

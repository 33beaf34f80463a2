// Eigenvalues and singular values. Vectors are the columns of a row-major table; values descend.
import { multiply, transpose } from "./matrix.mjs";
import { finish } from "./slices.mjs";

const MAX_SWEEPS = 60; // Jacobi needs 6 to 10; more means that a number was not finite

// All eigenpairs of a symmetric matrix by Jacobi's rotations: for up to about 60 rows.
export function symmetricEigen(matrix, n) {
  const A = Float64Array.from(matrix);
  const V = new Float64Array(n * n);
  for (let i = 0; i < n; i++) V[i * n + i] = 1;
  for (let sweep = 0, isDone = false; !isDone && sweep < MAX_SWEEPS; sweep++) {
    isDone = true;
    for (let p = 0; p < n - 1; p++) {
      for (let q = p + 1; q < n; q++) {
        const off = A[p * n + q];
        const size = Math.abs(A[p * n + p]) + Math.abs(A[q * n + q]);
        if (size + Math.abs(off) === size) continue; // rounding would swallow it
        isDone = false;
        const [c, s] = rotation(A[p * n + p], off, A[q * n + q]);
        rotateColumns(A, n, n, p, q, c, s);
        rotateRows(A, n, p, q, c, s);
        rotateColumns(V, n, n, p, q, c, s);
      }
    }
  }
  return descending(Float64Array.from({ length: n }, (_, i) => A[i * n + i]), V, n);
}

// Cosine and sine that make [[a, b], [b, d]] diagonal, by the smaller of the two angles.
function rotation(a, b, d) {
  const slope = (d - a) / (2 * b);
  const tangent = (slope < 0 ? -1 : 1) / (Math.abs(slope) + Math.hypot(1, slope));
  const cosine = 1 / Math.hypot(1, tangent);
  return [cosine, tangent * cosine];
}

function rotateColumns(M, rows, width, p, q, c, s) {
  for (let i = 0; i < rows; i++) {
    const left = M[i * width + p];
    const right = M[i * width + q];
    M[i * width + p] = c * left - s * right;
    M[i * width + q] = s * left + c * right;
  }
}

function rotateRows(M, n, p, q, c, s) {
  for (let j = 0; j < n; j++) {
    const upper = M[p * n + j];
    const lower = M[q * n + j];
    M[p * n + j] = c * upper - s * lower;
    M[q * n + j] = s * upper + c * lower;
  }
}

function descending(values, V, n) {
  const width = values.length;
  const order = [...values.keys()].sort((a, b) => values[b] - values[a]);
  const vectors = Float64Array.from({ length: n * width }, (_, at) => V[at - (at % width) + order[at % width]]);
  return { values: Float64Array.from(order, (at) => values[at]), vectors };
}

// The thin singular value decomposition of a small matrix by one-sided Jacobi: small values keep their digits.
export function svd(matrix, m, n) {
  if (m < n) {
    const { U, values, V } = svd(transpose(matrix, m, n), n, m);
    return { U: V, values, V: U };
  }
  const W = Float64Array.from(matrix);
  const V = new Float64Array(n * n);
  for (let i = 0; i < n; i++) V[i * n + i] = 1;
  for (let sweep = 0, isDone = false; !isDone && sweep < MAX_SWEEPS; sweep++) {
    isDone = true;
    for (let p = 0; p < n - 1; p++) {
      for (let q = p + 1; q < n; q++) {
        let [a, b, d] = [0, 0, 0];
        for (let i = 0; i < m; i++) {
          a += W[i * n + p] ** 2;
          b += W[i * n + p] * W[i * n + q];
          d += W[i * n + q] ** 2;
        }
        if (Math.abs(b) <= 4 * Number.EPSILON * Math.sqrt(a * d) || b === 0) continue;
        isDone = false;
        const [c, s] = rotation(a, b, d);
        rotateColumns(W, m, n, p, q, c, s);
        rotateColumns(V, n, n, p, q, c, s);
      }
    }
  }
  const lengths = Float64Array.from({ length: n }, (_, j) => {
    let square = 0;
    for (let i = 0; i < m; i++) square += W[i * n + j] ** 2;
    return Math.sqrt(square);
  });
  const right = descending(lengths, V, n);
  const left = descending(lengths, W, m).vectors;
  completeColumns(left, right.values, m, n);
  return { U: left, values: right.values, V: right.vectors };
}

// Divide each column by its length; where that is zero to rounding, take a unit vector orthogonal to those before.
function completeColumns(U, lengths, m, n) {
  for (let j = 0; j < n; j++) {
    const isZero = lengths[j] <= m * Number.EPSILON * lengths[0];
    for (let i = 0; i < m; i++) U[i * n + j] = isZero ? 0 : U[i * n + j] / lengths[j];
    for (let axis = 0; isZero && axis < m; axis++) {
      for (let i = 0; i < m; i++) U[i * n + j] = i === axis ? 1 : 0;
      if (orthogonalise(U, m, n, j) > 0.5 / Math.sqrt(m)) break;
    }
  }
}

// Make column j orthogonal to those before it and of length 1; return the length that was left.
function orthogonalise(V, m, width, j) {
  let length = 0;
  for (let pass = 0; pass < 2; pass++) { // once is not enough in floating point
    for (let a = 0; a < j; a++) {
      let dot = 0;
      for (let i = 0; i < m; i++) dot += V[i * width + a] * V[i * width + j];
      for (let i = 0; i < m; i++) V[i * width + j] -= dot * V[i * width + a];
    }
    let square = 0;
    for (let i = 0; i < m; i++) square += V[i * width + j] ** 2;
    if (pass === 0) length = Math.sqrt(square);
    const scale = 1 / (Math.sqrt(square) || 1);
    for (let i = 0; i < m; i++) V[i * width + j] *= scale;
  }
  return length;
}

const SPARE_COLUMNS = 6; // a negative eigenvalue of large size takes a column of the block, too

export const topEigen = (A, n, d, options) => finish(topEigenSteps(A, n, d, options));

// The d largest eigenpairs of a large symmetric matrix by block iteration with Rayleigh–Ritz; pauses after each round.
export function* topEigenSteps(A, n, d, { rtol = 1e-11, maxRounds = 400 } = {}) {
  const width = Math.min(n, d + SPARE_COLUMNS);
  const random = uniform(1);
  let V = Float64Array.from({ length: n * width }, () => random() - 0.5);
  for (let round = 1; ; round++) {
    for (let j = 0; j < width; j++) orthogonalise(V, n, width, j);
    const AV = multiply(A, V, n, n, width);
    const H = multiply(transpose(V, n, width), AV, width, n, width);
    for (let a = 0; a < width; a++) for (let b = 0; b < a; b++) H[a * width + b] = H[b * width + a];
    const ritz = symmetricEigen(H, width);
    V = multiply(V, ritz.vectors, n, width, width);
    const next = multiply(AV, ritz.vectors, n, width, width);
    if (residual(V, next, ritz.values, n, d) <= rtol || round >= maxRounds) {
      const vectors = Float64Array.from({ length: n * d }, (_, at) => V[Math.floor(at / d) * width + (at % d)]);
      return { values: ritz.values.slice(0, d), vectors, round };
    }
    V = next;
    yield round;
  }
}

function residual(V, AV, values, n, d) {
  const width = V.length / n;
  let worst = 0;
  for (let j = 0; j < d; j++) {
    let square = 0;
    for (let i = 0; i < n; i++) square += (AV[i * width + j] - values[j] * V[i * width + j]) ** 2;
    worst = Math.max(worst, Math.sqrt(square) / (Math.abs(values[0]) || 1));
  }
  return worst;
}

// Numbers between 0 and 1, the same in every browser; they only start iterations, no data come from here.
export function uniform(seed) {
  let state = seed >>> 0 || 1;
  return () => {
    state ^= state << 13;
    state ^= state >>> 17;
    state ^= state << 5;
    return (state >>> 0) / 2 ** 32;
  };
}

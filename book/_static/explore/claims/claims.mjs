// Six theorems as claims that can be attacked; their words come with the figure (book/_figures/theorem_switches.py).
// A claim has
//   draw(on, random): example            an example that obeys the hypotheses that are on; others may fail
//   holds(example): [boolean, …]         which hypotheses it obeys
//   judge(example): {left, right, isEqual, words}   the two sides; the claim is left ≤ right, or left = right
// An example is plain JSON, so that a reader can paste one. Matrices are lists of rows.
import { symmetricEigen, svd } from "../lib/eigen.mjs";
import { gram } from "../lib/embed.mjs";
import { multiply } from "../lib/matrix.mjs";

export const TOLERANCE = 1e-7; // relative to the larger side
const RANK_TOLERANCE = 1e-9;

const flat = (rows) => Float64Array.from(rows.flat());
const rows = (entries, width) => Array.from({ length: entries.length / width }, (_, i) => [...entries.slice(i * width, (i + 1) * width)]);
const whole = (random, size) => Math.floor((2 * size + 1) * random()) - size; // −size … size
const table = (m, n, entry) => Array.from({ length: m }, () => Array.from({ length: n }, entry));
const sum = (values) => values.reduce((total, value) => total + value, 0);
const product = (A, B) => rows(multiply(flat(A), flat(B), A.length, B.length, B[0].length), B[0].length);
const transposed = (A) => A[0].map((_, j) => A.map((row) => row[j]));
const singular = (A) => svd(flat(A), A.length, A[0].length);
const eigen = (A) => symmetricEigen(flat(A), A.length);
const rankOf = (A) => {
  const { values } = singular(A);
  return values.filter((value) => value > RANK_TOLERANCE * Math.max(values[0], 1e-300)).length;
};
const column = (entries, width, j) => Array.from({ length: entries.length / width }, (_, i) => entries[i * width + j]);
const unitVector = (random, n) => {
  const v = Array.from({ length: n }, () => random() - 0.5);
  const length = Math.hypot(...v) || 1;
  return v.map((entry) => entry / length);
};
const isSymmetric = (A) => A.every((row, i) => row.every((entry, j) => entry === A[j][i]));

// Best rank one: no rank-one matrix is nearer to A than its first term σ₁ u₁ v₁ᵀ.
const eckartYoung = {
  draw([isLargest, isRankOne, isFrobenius], random) {
    const A = table(3, 3, () => whole(random, 4));
    const { U, values, V } = singular(A);
    const term = isLargest ? 0 : Math.floor(3 * random());
    const pushed = (vector, size) => vector.map((entry) => entry + size * (random() - 0.5));
    const size = 0.6 * random();
    const [u, v] = [pushed(column(U, 3, 0), size), pushed(column(V, 3, 0), size)];
    const B = isRankOne ? u.map((a) => v.map((b) => values[0] * a * b)) : A.map((row) => row.map((entry) => entry + whole(random, 1) * 0.25));
    return { A, term, B, norm: isFrobenius ? "sum of squares" : "largest entry" };
  },
  holds: ({ term, B, norm }) => [term === 0, rankOf(B) <= 1, norm === "sum of squares"],
  judge({ A, term, B, norm }) {
    const { U, values, V } = singular(A);
    const width = values.length;
    const kept = A.map((row, i) => row.map((_, j) => values[term] * U[i * width + term] * V[j * width + term]));
    const error = (M) => {
      const gaps = A.flatMap((row, i) => row.map((entry, j) => Math.abs(entry - M[i][j])));
      return norm === "largest entry" ? Math.max(...gaps) : Math.hypot(...gaps);
    };
    return { left: error(kept), right: error(B), words: ["error of the kept term", "error of the rival B"] };
  },
};

// Two axes: no rival pair of directions has more variance than the first two eigenvectors of the covariance matrix.
const pcaPlane = {
  draw([isUnit, isOrthogonal, isCentred], random) {
    const shift = [whole(random, 6), whole(random, 6), whole(random, 6)];
    const X = table(5, 3, () => whole(random, 3)).map((row) => row.map((entry, j) => entry + shift[j]));
    const v = unitVector(random, 3);
    const other = unitVector(random, 3);
    const lean = isOrthogonal ? sum(v.map((entry, i) => entry * other[i])) : 0;
    let w = other.map((entry, i) => entry - lean * v[i]);
    const length = Math.hypot(...w);
    w = w.map((entry) => entry / length);
    const size = isUnit ? 1 : 1 + random();
    return { X, directions: [v.map((entry) => size * entry), w], centred: isCentred };
  },
  holds: ({ directions: [v, w], centred }) => {
    const lengths = [Math.hypot(...v), Math.hypot(...w)];
    return [
      lengths.every((length) => Math.abs(length - 1) < RANK_TOLERANCE),
      Math.abs(sum(v.map((entry, i) => entry * w[i]))) < RANK_TOLERANCE * lengths[0] * lengths[1], centred === true,
    ];
  },
  judge({ X, directions, centred }) {
    const means = X[0].map((_, j) => sum(X.map((row) => row[j])) / X.length);
    const about = (centre) => X.map((row) => row.map((entry, j) => entry - centre[j]));
    const scatter = (Z) => product(transposed(Z), Z).map((row) => row.map((entry) => entry / X.length));
    const C = scatter(about(means));
    const { vectors } = eigen(centred ? C : scatter(X));
    const variance = (v) => sum(v.map((entry, i) => entry * sum(v.map((other, j) => C[i][j] * other))));
    const axes = [0, 1].map((a) => column(vectors, 3, a));
    return { left: sum(directions.map(variance)), right: sum(axes.map(variance)), words: ["variance along the rivals", "variance along the axes"] };
  },
};

// Classical scaling gives back the table.
const exactMap = {
  draw([isEuclidean, isWide, isSquared], random) {
    const X = table(4, 3, () => whole(random, 3));
    const lengths = X.map((p) => X.map((q) => (isEuclidean ? Math.hypot(...p.map((entry, a) => entry - q[a])) : p === q ? 0 : 1)));
    if (!isEuclidean) for (let i = 0; i < 4; i++) for (let j = 0; j < i; j++) lengths[i][j] = lengths[j][i] = 2 + Math.floor(3 * random());
    return { distances: lengths, dimensions: isWide ? 3 : 2, squared: isSquared };
  },
  holds({ distances, dimensions, squared }) {
    const { values } = symmetricEigen(gram(flat(distances), distances.length), distances.length);
    return [values.at(-1) > -RANK_TOLERANCE * values[0], dimensions >= 3, squared === true];
  },
  judge({ distances, dimensions, squared }) {
    const n = distances.length;
    const G = gram(flat(distances).map((length) => (squared ? length : Math.sqrt(length))), n);
    const { values, vectors } = symmetricEigen(G, n);
    const Y = distances.map((_, i) => Array.from({ length: Math.min(dimensions, n) }, (_, a) => Math.sqrt(Math.max(values[a], 0)) * vectors[i * n + a]));
    let worst = [0, 0, 0];
    for (let i = 0; i < n; i++) for (let j = 0; j < i; j++) {
      const length = Math.hypot(...Y[i].map((entry, a) => entry - Y[j][a]));
      const gap = Math.abs(length - distances[i][j]);
      if (gap >= worst[0]) worst = [gap, length, distances[i][j]];
    }
    return { left: worst[1], right: worst[2], isEqual: true, words: ["the distance on the map that is farthest off", "its entry in the table"] };
  },
};

function pieces(W) {
  const label = W.map((_, i) => i);
  for (let round = 0; round < W.length; round++) {
    W.forEach((row, i) => row.forEach((weight, j) => {
      if (weight !== 0 && i !== j) label[i] = label[j] = Math.min(label[i], label[j]);
    }));
  }
  return new Set(label).size;
}

// The eigenvalue 0 of the Laplacian counts the pieces of the graph.
const components = {
  draw([isNonnegative, isBothWays, hasDegrees], random) {
    const W = table(4, 4, () => (random() < 0.5 ? 0 : isNonnegative ? 1 + Math.floor(2 * random()) : whole(random, 2)));
    for (let i = 0; i < 4; i++) {
      W[i][i] = 0;
      for (let j = 0; j < i; j++) if (isBothWays) W[j][i] = W[i][j];
    }
    return { weights: W, diagonal: hasDegrees ? "degrees" : "largest degree" };
  },
  holds: ({ weights, diagonal }) => [weights.flat().every((weight) => weight >= 0), isSymmetric(weights), diagonal === "degrees"],
  judge({ weights, diagonal }) {
    const degrees = weights.map(sum);
    const largest = Math.max(...degrees);
    const L = weights.map((row, i) => row.map((weight, j) => (i === j ? (diagonal === "degrees" ? degrees[i] : largest) : 0) - weight));
    const zeros = weights.length - (L.flat().some((entry) => entry !== 0) ? rankOf(L) : 0);
    return { left: zeros, right: pieces(weights), isEqual: true, words: ["how often 0 is an eigenvalue", "pieces of the graph"] };
  },
};

// X⁺ y is the shortest of all solutions with the least error.
const shortest = {
  draw([hasLeastError, isEuclidean, isPseudo], random) {
    const X = table(2, 3, () => whole(random, 3));
    const y = [whole(random, 5), whole(random, 5)];
    const minimal = pseudo(X, y);
    const free = nullVector(X);
    const step = 3 * (random() - 0.5);
    const rival = hasLeastError ? minimal.map((entry, j) => entry + step * free[j]) : minimal.map((entry) => entry * random());
    return { X, y, rival, length: isEuclidean ? "root of squares" : "sum of sizes", solution: isPseudo ? "pseudo-inverse" : "zeros first" };
  },
  holds: ({ X, y, rival, length, solution }) => [
    errorOf(X, y, rival) <= errorOf(X, y, pseudo(X, y)) + 1e-9 * (1 + Math.hypot(...y)), length === "root of squares", solution === "pseudo-inverse",
  ],
  judge({ X, y, rival, length, solution }) {
    const size = length === "root of squares" ? (v) => Math.hypot(...v) : (v) => sum(v.map(Math.abs));
    const answer = solution === "pseudo-inverse" ? pseudo(X, y) : basic(X, y);
    return { left: size(answer), right: size(rival), words: ["length of the solution", "length of the rival"] };
  },
};
const errorOf = (X, y, a) => Math.hypot(...X.map((row, i) => sum(row.map((entry, j) => entry * a[j])) - y[i]));
function pseudo(X, y) {
  const { U, values, V } = singular(X);
  const width = values.length;
  const parts = [...values].map((value, a) => (value > RANK_TOLERANCE * Math.max(values[0], 1e-300) ? sum(y.map((entry, i) => entry * U[i * width + a])) / value : 0));
  return X[0].map((_, j) => sum(parts.map((part, a) => part * V[j * width + a])));
}
function nullVector(X) { // of two rows of three
  const [[a, b, c], [d, e, f]] = X;
  const v = [b * f - c * e, c * d - a * f, a * e - b * d];
  const length = Math.hypot(...v);
  return length ? v.map((entry) => entry / length) : [0, 0, 0];
}
// Among the solutions with least error, the one that uses the first columns that suffice.
function basic(X, y) {
  const rank = rankOf(X);
  const used = [];
  for (let j = 0; j < X[0].length && used.length < rank; j++) if (rankOf(X.map((row) => [...used, j].map((at) => row[at]))) === used.length + 1) used.push(j);
  const part = used.length ? pseudo(X.map((row) => used.map((at) => row[at])), y) : [];
  return X[0].map((_, j) => (used.includes(j) ? part[used.indexOf(j)] : 0));
}

// A Gaussian kernel matrix has no negative eigenvalue.
const gaussian = {
  draw([isEuclidean, isSquare, isPositive], random) {
    const { distances } = exactMap.draw([isEuclidean, true, true], random);
    const line = random() < 0.5 && isEuclidean ? distances.map((_, i) => distances.map((_, j) => Math.abs(i - j))) : distances;
    const gamma = 0.02 + 0.3 * random();
    return { distances: line, power: isSquare ? 2 : 4, gamma: isPositive || random() < 0.5 ? gamma : -gamma };
  },
  holds: ({ distances, power, gamma }) => [exactMap.holds({ distances, dimensions: 3, squared: true })[0], power === 2, gamma > 0],
  judge({ distances, power, gamma }) {
    const K = distances.map((row) => row.map((length) => Math.exp(-gamma * length ** power)));
    return { left: 0, right: eigen(K).values.at(-1), words: ["zero", "the smallest eigenvalue of the kernel matrix"] };
  },
};

export const claims = { eckartYoung, pcaPlane, exactMap, components, shortest, gaussian };

export function isBroken({ left, right, isEqual }) {
  const tolerance = TOLERANCE * Math.max(Math.abs(left), Math.abs(right), 1);
  return isEqual ? Math.abs(left - right) > tolerance : left > right + tolerance;
}

// Search as a generator that pauses; the result names the example and how many were tried.
export function* searching(claim, on, random, limit) {
  for (let tried = 1; tried <= limit; tried++) {
    const example = claim.draw(on, random);
    const obeyed = claim.holds(example);
    if (on.every((isOn, i) => !isOn || obeyed[i])) {
      const sides = claim.judge(example);
      if (isBroken(sides)) return { example, sides, tried };
    }
    if (tried % 20 === 0) yield tried;
  }
  return { example: null, sides: null, tried: limit };
}


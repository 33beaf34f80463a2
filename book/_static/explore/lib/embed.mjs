// Classical scaling and Isomap; long work is a generator that pauses, so that a page stays awake.
import { symmetricEigen, topEigenSteps } from "./eigen.mjs";
import { largestComponent, neighbourGraph, pathsFrom } from "./graph.mjs";
import { distances } from "./matrix.mjs";

// −½ J Δ² J of a table of distances.
export function gram(table, n) {
  const G = Float64Array.from(table, (length) => -0.5 * length * length);
  const means = new Float64Array(n);
  for (let at = 0; at < G.length; at++) means[Math.floor(at / n)] += G[at] / n;
  const whole = means.reduce((sum, mean) => sum + mean, 0) / n;
  for (let at = 0; at < G.length; at++) G[at] += whole - means[Math.floor(at / n)] - means[at % n];
  return G;
}

function scaled({ values, vectors }, n, d) {
  const width = values.length;
  const roots = values.map((value) => Math.sqrt(Math.max(value, 0)));
  return Float64Array.from({ length: n * d }, (_, at) => roots[at % d] * vectors[Math.floor(at / d) * width + (at % d)]);
}

// Classical scaling of a small table: the whole spectrum, and a map of d coordinates.
export function classicalScaling(table, n, d) {
  const eigen = symmetricEigen(gram(table, n), n);
  return { values: eigen.values, embedding: scaled(eigen, n, d) };
}

// Isomap of the largest component; the generator pauses after some sources and returns the result.
export function* isomapInSlices(X, D, k, d = 2, { sources = 20, graph = neighbourGraph(X, D, k) } = {}) {
  const members = largestComponent(graph);
  const n = members.length;
  const paths = new Float64Array(n * n);
  for (let row = 0; row < n; row++) {
    const lengths = pathsFrom(graph, members[row]);
    for (let column = 0; column < n; column++) paths[row * n + column] = lengths[members[column]];
    if (row % sources === sources - 1) yield row / n;
  }
  const G = gram(paths, n);
  yield 1;
  const eigen = yield* topEigenSteps(G, n, d);
  return { graph, members, paths, values: eigen.values, embedding: scaled(eigen, n, d), rounds: eigen.round };
}

// 1 − r² between the distances of a table and those of points of d columns, as dimred_ref.residual_variance.
export function residualVariance(table, Y, n, d) {
  const mapped = distances(Y, d);
  const pairs = (n * (n - 1)) / 2;
  const mean = [0, 0];
  for (let i = 0; i < n; i++) {
    for (let j = 0; j < i; j++) {
      mean[0] += table[i * n + j] / pairs;
      mean[1] += mapped[i * n + j] / pairs;
    }
  }
  let [pp, pq, qq] = [0, 0, 0];
  for (let i = 0; i < n; i++) {
    for (let j = 0; j < i; j++) {
      const p = table[i * n + j] - mean[0];
      const q = mapped[i * n + j] - mean[1];
      pp += p * p;
      pq += p * q;
      qq += q * q;
    }
  }
  return 1 - (pq * pq) / (pp * qq);
}

// Mirror the axes of a map so that each runs as in a model with the same rows: eigenvectors have no sign.
export function facingLike(model, Y, n, d) {
  const faced = Float64Array.from(Y);
  for (let a = 0; a < d; a++) {
    let dot = 0;
    for (let i = 0; i < n; i++) dot += model[i * d + a] * Y[i * d + a];
    if (dot < 0) for (let i = 0; i < n; i++) faced[i * d + a] *= -1;
  }
  return faced;
}

// Laws of the library that the explorables share: `node --test`.
import assert from "node:assert/strict";
import test from "node:test";

const folder = new URL("../../book/_static/explore/lib/", import.meta.url);
const load = (name) => import(new URL(`${name}.mjs`, folder));
const { multiply, transpose, solve, covariance, distances } = await load("matrix");
const { symmetricEigen, svd, topEigen, uniform } = await load("eigen");
const { nearest, neighbourGraph, largestComponent, pathsFrom, edges } = await load("graph");
const { finish, inSlices } = await load("slices");
const { classicalScaling, facingLike, isomapInSlices, residualVariance } = await load("embed");
const { scale, frame, viewAxes, shadeOf, dots, segments, path } = await load("draw");
const { number, count, percent } = await load("words");

const random = uniform(7);
const table = (m, n) => Float64Array.from({ length: m * n }, () => random() - 0.5);
const near = (A, B, tolerance = 1e-12) => A.forEach((entry, at) => assert.ok(Math.abs(entry - B[at]) <= tolerance, `${at}: ${entry} is not ${B[at]}`));
const identity = (n) => Float64Array.from({ length: n * n }, (_, at) => (at % (n + 1) === 0 ? 1 : 0));
const symmetric = (n) => {
  const A = table(n, n);
  return A.map((entry, at) => entry + A[(at % n) * n + Math.floor(at / n)]);
};
const diagonal = (values, n) => Float64Array.from({ length: n * n }, (_, at) => (at % (n + 1) === 0 ? values[at % n] : 0));

test("Jacobi returns orthonormal eigenvectors of a symmetric matrix, values descending", () => {
  for (const n of [1, 2, 3, 8, 24]) {
    const A = symmetric(n);
    const { values, vectors } = symmetricEigen(A, n);
    near(multiply(transpose(vectors, n, n), vectors, n, n, n), identity(n));
    near(multiply(multiply(vectors, diagonal(values, n), n, n, n), transpose(vectors, n, n), n, n, n), A);
    for (let i = 1; i < n; i++) assert.ok(values[i] <= values[i - 1]);
  }
});

test("Jacobi answers a matrix with equal eigenvalues and the zero matrix", () => {
  near(symmetricEigen(identity(4), 4).values, [1, 1, 1, 1]);
  near(symmetricEigen(new Float64Array(9), 3).values, [0, 0, 0]);
});

test("Singular vectors are orthonormal and rebuild the matrix, wide, tall and of low rank", () => {
  const rankOne = multiply(table(5, 1), table(1, 4), 5, 1, 4);
  for (const [A, m, n] of [[table(5, 3), 5, 3], [table(3, 5), 3, 5], [table(4, 4), 4, 4], [rankOne, 5, 4], [new Float64Array(6), 3, 2]]) {
    const r = Math.min(m, n);
    const { U, values, V } = svd(A, m, n);
    near(multiply(transpose(U, m, r), U, r, m, r), identity(r), 1e-10);
    near(multiply(transpose(V, n, r), V, r, n, r), identity(r), 1e-10);
    near(multiply(multiply(U, diagonal(values, r), m, r, r), transpose(V, n, r), m, r, n), A);
  }
});

test("One-sided Jacobi keeps the digits of a small singular value", () => {
  const { values } = svd([1, 1, 1e-9, 0, 0, 1e-9], 3, 2);
  assert.ok(Math.abs(values[1] / 1e-9 - 1) < 1e-9);
});

test("Block iteration finds the largest eigenvalues, also beside a more negative one", () => {
  const n = 40;
  const { vectors } = symmetricEigen(symmetric(n), n);
  const values = Float64Array.from({ length: n }, (_, i) => (i === 0 ? -9 : 6 * 0.7 ** i));
  const A = multiply(multiply(vectors, diagonal(values, n), n, n, n), transpose(vectors, n, n), n, n, n);
  const top = topEigen(A, n, 2);
  near(top.values, [values[1], values[2]], 1e-9);
  near(multiply(A, top.vectors, n, n, 2), top.vectors.map((entry, at) => entry * top.values[at % 2]), 1e-9);
});

test("A linear system is solved with pivoting, and a singular one throws", () => {
  near(solve([0, 2, 1, 1], [4, 5], 2), [3, 2]);
  assert.throws(() => solve([1, 2, 2, 4], [1, 1], 2), /singular/);
});

test("Covariance of two points is divided by their number", () => {
  near(covariance([0, 0, 2, 4], 2), [1, 2, 2, 4]);
});

test("Neighbours of equal distance come by their index, and a point is not its own", () => {
  const { indices } = nearest([0, 0, 1, 0, -1, 0, 0, 0], 2, 2);
  assert.deepEqual([...indices.slice(0, 2)], [3, 1]);
  assert.deepEqual([...indices.slice(6)], [0, 1]);
});

test("Dijkstra agrees with Floyd and Warshall, and finds no path between components", () => {
  const X = Float64Array.from({ length: 80 }, (_, at) => 3 * random() + (at < 60 ? 0 : 50));
  const n = 40;
  const graph = neighbourGraph(X, 2, 3);
  const all = new Float64Array(n * n).fill(Infinity);
  for (let i = 0; i < n; i++) {
    all[i * n + i] = 0;
    for (let at = graph.starts[i]; at < graph.starts[i + 1]; at++) all[i * n + graph.ends[at]] = graph.lengths[at];
  }
  for (let v = 0; v < n; v++) for (let i = 0; i < n; i++) for (let j = 0; j < n; j++) all[i * n + j] = Math.min(all[i * n + j], all[i * n + v] + all[v * n + j]);
  let unreached = 0;
  for (let i = 0; i < n; i++) {
    pathsFrom(graph, i).forEach((length, j) => {
      if (length === Infinity) unreached++;
      assert.ok(length === all[i * n + j] || Math.abs(length - all[i * n + j]) < 1e-12);
    });
  }
  assert.ok(unreached > 0);
  const members = largestComponent(graph);
  assert.ok(members.every((i) => all[members[0] * n + i] < Infinity));
  assert.ok(members.every((i, at) => at === 0 || members[at - 1] < i));
});

test("Classical scaling gives back the distances of points", () => {
  const X = table(6, 2);
  const { values, embedding } = classicalScaling(distances(X, 2), 6, 2);
  near(distances(embedding, 2), distances(X, 2), 1e-10);
  near(values.slice(2), [0, 0, 0, 0]);
});

test("Isomap of a line is the line, and it pauses on the way", () => {
  const X = Float64Array.from({ length: 60 }, (_, at) => (at % 2 ? 0 : at / 2));
  const steps = isomapInSlices(X, 2, 2, 1, { sources: 5 });
  assert.equal(steps.next().done, false);
  const { embedding } = finish(isomapInSlices(X, 2, 2, 1));
  near(distances(embedding, 1), distances(X, 2), 1e-9);
  assert.ok(Math.abs(residualVariance(distances(X, 2), embedding, 30, 1)) < 1e-12);
});

test("Work in slices hands over the result, and none after it was stopped", async () => {
  function* slow() {
    for (let i = 0; i < 3; i++) {
      const end = performance.now() + 9;
      while (performance.now() < end);
      yield i;
    }
    return "done";
  }
  const results = [];
  const stop = inSlices(slow(), () => results.push("stopped too late"));
  stop();
  await new Promise((resolve) => inSlices(slow(), (result) => resolve(results.push(result))));
  assert.deepEqual(results, ["done"]);
});

test("A map faces its model whatever the signs of its axes", () => {
  const model = table(9, 2);
  near(facingLike(model, model.map((entry, at) => (at % 2 ? -entry : entry)), 9, 2), model);
});

test("Edges are pairs with the smaller end first, and each stands once", () => {
  const pairs = edges(neighbourGraph([0, 1, 3, 7], 1, 1));
  assert.deepEqual(pairs, [[0, 1], [1, 2], [2, 3]]);
});

test("Scales lead back, and frames keep circles round", () => {
  const x = scale([2, 4], [100, 0]);
  assert.equal(x(3), 50);
  assert.equal(x.back(x(2.3)).toFixed(9), "2.300000000");
  const view = frame(10, 20, 400, 200, { reach: 2, centre: [1, 1] });
  assert.deepEqual([view.x(1), view.y(1), view.x(2) - view.x(1), view.y(1) - view.y(2)], [210, 120, 50, 50]);
  near(view.back(view.x(0.3), view.y(-0.7)), [0.3, -0.7]);
});

test("The axes of a view are orthonormal", () => {
  const [right, up] = viewAxes(0.7, -0.4);
  const dot = (a, b) => a.reduce((sum, entry, at) => sum + entry * b[at], 0);
  near([dot(right, right), dot(up, up), dot(right, up)], [1, 1, 0]);
});

test("Each dot is drawn once, in the shade of its value", () => {
  const shades = shadeOf([0, 1, 0.5, 1]);
  assert.deepEqual(shades, [0, 7, 4, 7]);
  const paths = dots([[1, 2], [3, 4], [5, 6], [7, 8]], shades);
  assert.equal(paths[7], "M3 4h0M7 8h0");
  assert.equal(paths.join("").match(/h0/g).length, 4);
});

test("Paths and segments say places to a tenth", () => {
  assert.equal(path([[0, 0], [1.26, 2]], true), "M0 0L1.3 2Z");
  assert.equal(segments([[0, 1]], (i) => i, (i) => 2 * i), "M0 0L1 2");
});

test("Numbers have a true minus and no negative zero", () => {
  assert.deepEqual([number(-1.005, 1), number(-0.001), percent(0.5), count(1, "edge"), count(2, "edge")], ["−1.0", "0.00", "50.0 %", "1 edge", "2 edges"]);
});

test("Strings follow a knot that is dragged, and the held knot stays", async () => {
  const { settle } = await import(new URL("../unfold.mjs", folder));
  const Y = Float64Array.from([0, 0, 1, 0, 2, 0, 5, 1]);
  const pairs = [[0, 1], [1, 2], [2, 3]];
  settle(Y, pairs, [1, 1, 1], 3, 400);
  assert.deepEqual([Y[6], Y[7]], [5, 1]);
  for (const [i, j] of pairs) assert.ok(Math.hypot(Y[2 * i] - Y[2 * j], Y[2 * i + 1] - Y[2 * j + 1]) < 1.001);
});

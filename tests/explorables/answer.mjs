// Read states from standard input, write what the pictures would show of them.
import { readFileSync } from "node:fs";

const folder = new URL("../../book/_static/explore/", import.meta.url);
const load = (name) => import(new URL(name, folder));
const [cloud, roll, table, spectrum, fit, matrix, view, recipe, modes, kernel, linked, unfold, eigen, graph, slices] = await Promise.all(
  ["cloud", "roll", "table", "spectrum", "fit", "matrix", "view", "recipe", "modes", "kernel", "linked", "unfold", "lib/eigen", "lib/graph", "lib/slices"].map((name) => load(`${name}.mjs`)),
);

const answers = {
  cloud: ({ points }) => cloud.summary(Float64Array.from(points)),
  roll: ({ points, sheet, angles, k }) => {
    const map = roll.mapOf(Float64Array.from(points), k);
    const pairs = graph.edges(map.graph);
    const short = roll.sorted(map.graph, angles).short;
    return { pairs, short, members: map.members, values: map.values, embedding: map.embedding, lost: roll.lostShare(sheet, map) };
  },
  table: ({ lengths }) => table.mapOf(lengths),
  spectrum: ({ digit, values }) => {
    const parts = eigen.svd(digit, 8, 8);
    const target = values ?? parts.values;
    const B = spectrum.rebuilt(parts, target);
    return { values: parts.values, rebuilt: B, ...spectrum.errorOf(Float64Array.from(digit), B) };
  },
  fit: ({ t, y, degree, penalty }) => fit.fit(Float64Array.from(t), Float64Array.from(y), degree, penalty),
  matrix: ({ matrix: A }) => {
    const steps = matrix.stepsOf(A);
    return { ...steps, whole: matrix.partly(steps, 3) };
  },
  view: ({ points, yaw, pitch }) => {
    const axes = view.turnedAxes([[1, 0, 0], [0, 1, 0]], yaw, pitch);
    return { ...view.shares(points, axes), axes, bestShown: view.shares(points, view.bestAxes(points)).shown };
  },
  recipe: ({ points, k, regularisation }) => recipe.recipe(Float64Array.from(points), k, regularisation),
  modes: ({ n, edges, vertex, time }) => {
    const all = modes.modes(n, edges);
    return { values: all.values, shares: modes.pluck(all, vertex), swing: modes.swing(all, vertex, time) };
  },
  kernel: ({ points, gamma, classes }) => {
    const map = kernel.kernelMap(points, gamma);
    return { ...map, cut: kernel.bestCut(map.embedding, classes) };
  },
  unfold: ({ points, tensions, pairs, squares, isPulled }) => {
    const [Y, w] = [Float64Array.from(points), Float64Array.from(tensions)];
    const rounds = isPulled ? slices.finish(unfold.pulling(Y, w, pairs, squares)) : 0;
    return { ...unfold.bounds(Y, w, pairs, squares), rounds, points: Y, tensions: w };
  },
  linked: ({ points, map, k, chosen }) => {
    const tables = [graph.nearest(points, 3, k).indices, graph.nearest(map, 2, k).indices];
    return { brushed: linked.brushed(tables[1], k, chosen[0]), share: linked.keptShare(...tables, k, chosen) };
  },
};

const states = JSON.parse(readFileSync(0, "utf8"));
const plain = (key, value) => (ArrayBuffer.isView(value) ? Array.from(value) : value);
process.stdout.write(JSON.stringify(states.map(({ picture, ...state }) => answers[picture](state)), plain));

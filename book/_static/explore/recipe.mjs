// One point and its neighbours: the weights of locally linear embedding, with k and the ridge to choose.
import { clamp, frame, path, set, svg } from "./lib/draw.mjs";
import { nearest } from "./lib/graph.mjs";
import { solve } from "./lib/matrix.mjs";
import { dataOf, handles, openStage } from "./lib/stage.mjs";
import { number } from "./lib/words.mjs";

const [SIDE, REACH, D] = [420, 2.6, 2];

// The k points nearest to the first one, nearest first.
export function neighboursOf(X, k) {
  return [...nearest(X, D, k).indices.slice(0, k)];
}

// Weights with sum 1 that mix the first point best from its neighbours: C w + μ 1 = 0 and Σ w = 1 in one system, so
// that a unique recipe is found also where C is singular. Not unique: null.
export function weightsOf(X, neighbours, regularisation) {
  const k = neighbours.length;
  const steps = neighbours.map((j) => [X[0] - X[2 * j], X[1] - X[2 * j + 1]]);
  const trace = steps.reduce((sum, [x, y]) => sum + x * x + y * y, 0);
  if (regularisation === 0 && k > D + 1) return null; // k − 1 freedoms, D equations
  const n = k + 1;
  const A = new Float64Array(n * n);
  for (let a = 0; a < k; a++) {
    for (let b = 0; b < k; b++) A[a * n + b] = (steps[a][0] * steps[b][0] + steps[a][1] * steps[b][1]) / trace;
    A[a * n + a] += regularisation;
    A[a * n + k] = A[k * n + a] = 1;
  }
  const b = new Float64Array(n);
  b[k] = 1;
  try {
    return solve(A, b, n).slice(0, k);
  } catch {
    return null;
  }
}

export function recipe(X, k, regularisation) {
  const neighbours = neighboursOf(X, k);
  const weights = weightsOf(X, neighbours, regularisation);
  if (!weights) return { neighbours, weights, mixture: null, error: null, length: null };
  const mixture = [0, 1].map((a) => neighbours.reduce((sum, j, at) => sum + weights[at] * X[2 * j + a], 0));
  return { neighbours, weights, mixture, error: Math.hypot(mixture[0] - X[0], mixture[1] - X[1]), length: Math.hypot(...weights) };
}

export const ridgeAt = (place) => (place === 0 ? 0 : 10 ** (place - 5));

const ridgeWords = (place) => (place === 0 ? "0" : String(ridgeAt(place)));

export function sentence({ weights, error, length }, k) {
  if (!weights) {
    return `k = ${k} neighbours in a space of 2 dimensions, and no ridge: infinitely many recipes are perfect, and the `
      + "equations for the weights are singular.";
  }
  const least = Math.min(...weights);
  const sign = least < -0.005 ? ` The smallest weight is ${number(least)}.` : " No weight is negative.";
  return `The weights add up to 1, and their vector has length ${number(length)}. The mixture misses the point by `
    + `${number(error, 3)}.${sign}`;
}

export function mount(figure) {
  const data = dataOf(figure);
  const X = Float64Array.from(data.points);
  const N = X.length / 2;
  const state = { k: 3, place: 2 };
  const stage = openStage(figure, {
    hint: "Drag the point in the middle or its neighbours. With the keyboard: Tab to the point, arrow keys move it, Page Down "
      + "goes to a neighbour. Orange: what the neighbours mix.",
  });
  const view = frame(0, 0, SIDE, SIDE, { reach: REACH });
  const area = stage.drawing([SIDE, SIDE], "A point, its neighbours and their weights");
  const lines = Array.from({ length: N - 1 }, () => svg("path", {}));
  const labels = Array.from({ length: N - 1 }, () => svg("text", {}));
  const mixture = svg("circle", { class: "negative", r: 10, "fill-opacity": 0.6 });
  area.append(...lines, mixture);
  const place = (i) => [view.x(X[2 * i]), view.y(X[2 * i + 1])];
  const draw = (isFirst = false) => {
    const now = recipe(X, state.k, ridgeAt(state.place));
    lines.forEach((line, at) => {
      const isUsed = at < state.k;
      const j = now.neighbours[at];
      const weight = now.weights ? now.weights[at] : 0;
      labels[at].textContent = isUsed ? (now.weights ? number(weight) : "?") : "";
      if (!isUsed) return set(line, { d: "" });
      const [x, y] = place(j);
      set(line, {
        d: path([place(0), [x, y]]), class: weight < 0 ? "short-cuts" : "column",
        style: `stroke-width: ${(1 + 7 * Math.min(Math.abs(weight), 1)).toFixed(1)}`,
      });
      return set(labels[at], { x: x + 10, y: y - 10 });
    });
    set(mixture, now.mixture ? { cx: view.x(now.mixture[0]), cy: view.y(now.mixture[1]), visibility: "visible" } : { visibility: "hidden" });
    points.draw();
    stage.say(sentence(now, state.k), isFirst);
    figure.explorable = {
      state: { points: [...X], k: state.k, regularisation: ridgeAt(state.place) },
      shown: { weights: now.weights && [...now.weights], error: now.error },
    };
  };
  const points = handles(area, {
    size: N,
    place,
    name: (i) => `${i === 0 ? "The point" : `Neighbour ${i}`}, at ${number(X[2 * i], 1)}, ${number(X[2 * i + 1], 1)}`,
    move: (i, x, y) => {
      X.set(view.back(clamp(x, 6, SIDE - 6), clamp(y, 6, SIDE - 6)), 2 * i);
      draw();
    },
  });
  area.append(...labels);
  const k = stage.slider("Neighbours k =", { min: 1, max: N - 1, step: 1, value: 3 }, (value) => {
    state.k = value;
    draw();
  });
  const ridge = stage.slider("Ridge =", { min: 0, max: 5, step: 1, value: 2 }, (value) => {
    state.place = value;
    draw();
  }, ridgeWords);
  const go = (count, step) => {
    k.put(count);
    ridge.put(step);
    Object.assign(state, { k: count, place: step });
    draw();
  };
  stage.wrong("there are more neighbours than dimensions, and no ridge", { make: () => go(N - 1, 0), undo: () => go(3, 2) });
  stage.startAgain(() => {
    X.set(data.points);
    go(3, 2);
  });
  draw(true);
  stage.ready();
}

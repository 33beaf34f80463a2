// Kernel PCA with painted classes: does the first coordinate tell the colours apart, for which γ?
import { arrowStep, draggable, frame, perFrame, set, svg } from "./lib/draw.mjs";
import { symmetricEigen } from "./lib/eigen.mjs";
import { distances } from "./lib/matrix.mjs";
import { dataOf, openStage } from "./lib/stage.mjs";
import { percent } from "./lib/words.mjs";

const SIDE = 300;

// K = exp(−γ r²), centred by its means on both sides.
export function centredKernel(X, gamma) {
  const K = distances(X, 2).map((length) => Math.exp(-gamma * length * length));
  const N = X.length / 2;
  const means = new Float64Array(N);
  K.forEach((entry, at) => (means[Math.floor(at / N)] += entry / N));
  const whole = means.reduce((sum, mean) => sum + mean, 0) / N;
  return K.map((entry, at) => entry + whole - means[Math.floor(at / N)] - means[at % N]);
}

// The two leading coordinates √λ v, and all eigenvalues.
export function kernelMap(X, gamma) {
  const N = X.length / 2;
  const { values, vectors } = symmetricEigen(centredKernel(X, gamma), N);
  const roots = [0, 1].map((a) => Math.sqrt(Math.max(values[a], 0)));
  const embedding = Float64Array.from({ length: 2 * N }, (_, at) => roots[at % 2] * vectors[Math.floor(at / 2) * N + (at % 2)]);
  const total = values.reduce((sum, value) => sum + value, 0);
  return { values, embedding, share: (values[0] + values[1]) / total };
}

// The share of points on the right side of the best threshold on the first coordinate.
export function bestCut(embedding, classes) {
  const y = classes.map((_, i) => embedding[2 * i]);
  let best = 0;
  for (const cut of y) {
    const right = classes.reduce((sum, kind, i) => sum + Number((y[i] > cut) === (kind === 1)), 0) / y.length;
    best = Math.max(best, right, 1 - right);
  }
  return best;
}

export const gammaAt = (place) => 10 ** (place / 10);

const gammaWords = (place) => String(Number(gammaAt(place).toPrecision(2)));

export function sentence({ share }, cut, gamma) {
  return `γ = ${Number(gamma.toPrecision(2))}: one cut of the first coordinate tells ${percent(cut)} of the colours right. The two `
    + `coordinates hold ${percent(share)} of the variance of the features.`;
}

export function mount(figure) {
  const data = dataOf(figure);
  const X = data.points;
  const N = X.length / 2;
  const classes = [...data.classes];
  const state = { place: data.place, chosen: 0 };
  const stage = openStage(figure, {
    hint: "Click a point to paint it in the other class. With the keyboard: Tab to the points, arrow keys choose one, Space "
      + "paints it. Kernel PCA never sees the colours.",
  });
  const left = stage.drawing([SIDE, SIDE], "Points in two classes; arrow keys choose one, Space paints it", { tabindex: 0 });
  const right = stage.drawing([SIDE, SIDE], "Map by kernel PCA", { role: "img" });
  const view = frame(0, 0, SIDE, SIDE, { reach: data.reach });
  const ring = svg("circle", { class: "pale", r: 10 });
  const marks = [left, right].map((area) => {
    const own = classes.map(() => svg("path", {}));
    area.append(...own);
    return own;
  });
  left.append(ring);
  let map = kernelMap(X, gammaAt(state.place));
  let faces = [1, 1];
  const mark = (x, y, kind) => (kind === 1 ? `M${x - 4.5} ${y}a4.5 4.5 0 1 0 9 0a4.5 4.5 0 1 0 -9 0` : `M${x - 5} ${y - 5}l10 10m0 -10l-10 10`);
  const put = (element, x, y, kind) => set(element, { d: mark(x, y, kind), class: kind === 1 ? "bar" : "axis thin" });
  const draw = (isFirst = false) => {
    const Y = map.embedding;
    const reach = 1.1 * Math.max(...Y.map(Math.abs));
    const plane = frame(0, 0, SIDE, SIDE, { reach });
    classes.forEach((kind, i) => {
      put(marks[0][i], view.x(X[2 * i]), view.y(X[2 * i + 1]), kind);
      put(marks[1][i], plane.x(faces[0] * Y[2 * i]), plane.y(faces[1] * Y[2 * i + 1]), kind);
    });
    set(ring, { cx: view.x(X[2 * state.chosen]), cy: view.y(X[2 * state.chosen + 1]) });
    const cut = bestCut(Y, classes);
    set(right, { "aria-label": `Map by kernel PCA; one cut tells ${percent(cut)} of the colours right` });
    stage.say(sentence(map, cut, gammaAt(state.place)), isFirst);
    figure.explorable = { state: { gamma: gammaAt(state.place), classes: [...classes] }, shown: { values: [...map.values], cut } };
  };
  const change = () => {
    const before = map.embedding.map((value, at) => faces[at % 2] * value);
    map = kernelMap(X, gammaAt(state.place));
    faces = [0, 1].map((a) => (before.reduce((sum, value, at) => sum + (at % 2 === a ? value * map.embedding[at] : 0), 0) < 0 ? -1 : 1));
    draw();
  };
  const changeOnce = perFrame(change);
  const paint = (i) => {
    state.chosen = i;
    classes[i] = 1 - classes[i];
    draw();
  };
  draggable(left, { places: () => classes.map((_, i) => [view.x(X[2 * i]), view.y(X[2 * i + 1])]), move: () => {}, radius: 14 });
  left.addEventListener("hold", (event) => paint(event.detail));
  left.addEventListener("keydown", (event) => {
    if (event.key === " ") {
      event.preventDefault();
      paint(state.chosen);
      return;
    }
    const step = arrowStep(event);
    if (!step) return;
    state.chosen = (state.chosen + (step[0] || step[1]) + 5 * N) % N;
    draw();
  });
  const gamma = stage.slider("γ =", { min: -20, max: 20, step: 1, value: data.place }, (place) => {
    state.place = place;
    changeOnce();
  }, gammaWords);
  const go = (place) => {
    state.place = place;
    gamma.put(place);
    change();
  };
  stage.wrong("γ is so large that every point is alone", { make: () => go(20), undo: () => go(data.place) });
  stage.startAgain(() => {
    data.classes.forEach((kind, i) => (classes[i] = kind));
    go(data.place);
  });
  draw(true);
  stage.ready();
}

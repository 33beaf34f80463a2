// A curve through points that can be moved, by least squares or ridge, with a degree and a penalty to choose.
import { clamp, path, scale, set, svg } from "./lib/draw.mjs";
import { svd } from "./lib/eigen.mjs";
import { centred, columnMeans } from "./lib/matrix.mjs";
import { dataOf, handles, openStage } from "./lib/stage.mjs";
import { number } from "./lib/words.mjs";

const [WIDTH, HEIGHT] = [600, 360];

// Coefficients of the powers t, t², …; the intercept carries no penalty, so columns and heights are centred.
export function fit(t, y, degree, penalty) {
  const N = t.length;
  const powers = Float64Array.from({ length: N * degree }, (_, at) => t[Math.floor(at / degree)] ** ((at % degree) + 1));
  const means = columnMeans(powers, degree);
  const middle = y.reduce((sum, height) => sum + height, 0) / N;
  const coefficients = ridge(centred(powers, degree), y.map((height) => height - middle), N, degree, penalty);
  const intercept = middle - coefficients.reduce((sum, a, j) => sum + a * means[j], 0);
  const curve = (at) => coefficients.reduce((sum, a, j) => sum + a * at ** (j + 1), intercept);
  const error = y.reduce((sum, height, i) => sum + (height - curve(t[i])) ** 2, 0);
  const length = Math.hypot(...coefficients);
  return { coefficients, intercept, curve, error, length };
}

// Σ σ/(σ² + ε) (uᵀy) v over singular values that are not zero to rounding; ε = 0 gives the shortest least-squares solution.
export function ridge(X, y, N, D, penalty) {
  const { U, values, V } = svd(X, N, D);
  const rank = Math.min(N, D);
  const a = new Float64Array(D);
  for (let s = 0; s < rank; s++) {
    if (values[s] <= Math.max(N, D) * Number.EPSILON * values[0]) continue;
    let dot = 0;
    for (let i = 0; i < N; i++) dot += U[i * rank + s] * y[i];
    const factor = (values[s] / (values[s] ** 2 + penalty)) * dot;
    for (let j = 0; j < D; j++) a[j] += factor * V[j * rank + s];
  }
  return a;
}

export const penaltyAt = (place) => (place === 0 ? 0 : 10 ** ((place - 11) / 2));

const penaltyWords = (place) => (place === 0 ? "0 (least squares)" : penaltyAt(place).toPrecision(1).replace("e-", " · 10^−"));

export function sentence({ error, length }, degree, penalty) {
  const how = penalty === 0 ? "Least squares" : "Ridge";
  return `${how} with ${degree} ${degree === 1 ? "coefficient" : "coefficients"} and an intercept: the squared errors `
    + `add up to ${number(error, 3)}, and the vector of coefficients has length ${number(length, 2)}.`;
}

export function mount(figure) {
  const data = dataOf(figure);
  const t = Float64Array.from(data.t);
  const y = Float64Array.from(data.y);
  const state = { degree: 1, place: 0 };
  const stage = openStage(figure, {
    hint: "Drag a point. With the keyboard: Tab to a point, arrow keys move it, Page Up and Page Down choose another one. "
      + "Dashed: the vertical errors, whose squares are added.",
  });
  const area = stage.drawing([WIDTH, HEIGHT], "Points that can be moved, and the curve fitted to them");
  const x = scale([-1.1, 1.1], [0, WIDTH]);
  const up = scale([-2, 2], [HEIGHT, 0]);
  const errors = svg("path", { class: "short-cuts thin" });
  const curve = svg("path", { class: "axis" });
  area.append(svg("path", { class: "pale", d: `M0 ${up(0)}H${WIDTH}` }), errors, curve);
  const draw = (isFirst = false) => {
    const now = fit(t, y, state.degree, penaltyAt(state.place));
    set(curve, { d: path(Array.from({ length: 121 }, (_, i) => {
      const at = -1.1 + (2.2 * i) / 120;
      return [x(at), clamp(up(now.curve(at)), -2000, 2000)];
    })) });
    set(errors, { d: Array.from(t, (at, i) => `M${x(at)} ${up(y[i])}V${clamp(up(now.curve(at)), -2000, 2000)}`).join("") });
    points.draw();
    stage.say(sentence(now, state.degree, penaltyAt(state.place)), isFirst);
    figure.explorable = {
      state: { t: [...t], y: [...y], degree: state.degree, penalty: penaltyAt(state.place) },
      shown: { error: now.error, length: now.length },
    };
  };
  const points = handles(area, {
    size: t.length,
    place: (i) => [x(t[i]), up(y[i])],
    name: (i) => `Point ${i + 1} of ${t.length}, at ${number(t[i], 2)}, height ${number(y[i], 2)}`,
    move: (i, px, py) => {
      t[i] = clamp(x.back(px), -1, 1);
      y[i] = clamp(up.back(py), -1.95, 1.95);
      draw();
    },
  });
  const degree = stage.slider("Highest power:", { min: 1, max: t.length - 1, step: 1, value: 1 }, (value) => {
    state.degree = value;
    draw();
  });
  const penalty = stage.slider("Penalty ε =", { min: 0, max: 14, step: 1, value: 0 }, (value) => {
    state.place = value;
    draw();
  }, penaltyWords);
  const go = (power, place) => {
    degree.put(power);
    penalty.put(place);
    Object.assign(state, { degree: power, place });
    draw();
  };
  stage.wrong("there are as many coefficients as points", { make: () => go(t.length - 1, 0), undo: () => go(1, 0) });
  stage.startAgain(() => {
    t.set(data.t);
    y.set(data.y);
    go(1, 0);
  });
  draw(true);
  stage.ready();
}

// Turn a cloud in space: how much of its variance does the screen show, and how much could it show?
import { clamp, dotLayer, fillDots, frame, perFrame, set, svg, turnable, viewAxes } from "./lib/draw.mjs";
import { symmetricEigen } from "./lib/eigen.mjs";
import { centred, covariance } from "./lib/matrix.mjs";
import { dataOf, openStage } from "./lib/stage.mjs";
import { percent } from "./lib/words.mjs";

const [WIDTH, HEIGHT] = [480, 380];

// The share of the variance that two orthonormal directions of the screen show, and the largest share possible.
export function shares(X, axes) {
  const C = covariance(X, 3);
  const { values } = symmetricEigen(C, 3);
  const total = values[0] + values[1] + values[2];
  const along = (v) => v.reduce((sum, a, i) => sum + v.reduce((row, b, j) => row + a * b * C[3 * i + j], 0), 0);
  return { shown: (along(axes[0]) + along(axes[1])) / total, best: (values[0] + values[1]) / total };
}

// The first two principal axes: the view that shows most.
export function bestAxes(X) {
  const { vectors } = symmetricEigen(covariance(X, 3), 3);
  return [0, 1].map((a) => [vectors[a], vectors[3 + a], vectors[6 + a]]);
}

// Turn a view: the screen's own right and up turn about each other and about the line of sight.
export function turnedAxes([right, up], yaw, pitch) {
  const [a, b, c] = right;
  const [d, e, f] = up;
  const sight = [b * f - c * e, c * d - a * f, a * e - b * d];
  const mix = (v, w, angle) => v.map((entry, i) => Math.cos(angle) * entry + Math.sin(angle) * w[i]);
  const turnedRight = mix(right, sight, -yaw);
  const newSight = mix(sight, right, yaw);
  return [turnedRight, mix(up, newSight, pitch)];
}

export const scaledBy = (points, factors) => Float64Array.from(points, (value, at) => value * factors[at % 3]);

export function sentence({ shown, best }) {
  const left = best - shown;
  const rest = left < 0.001 ? "No other view shows more." : `Another view shows ${percent(best)}.`;
  return `This view shows ${percent(shown)} of the variance of the cloud. ${rest}`;
}

export function mount(figure) {
  const data = dataOf(figure);
  const N = data.points.length / 3;
  let X = centred(data.points, 3);
  const startAxes = turnedAxes(viewAxes(0, 0), 0.9, 0.5);
  let axes = startAxes;
  const stage = openStage(figure, { hint: "Drag the cloud to turn it, or Tab to it and use the arrow keys." });
  const area = stage.drawing([WIDTH, HEIGHT], "Cloud in space; arrow keys turn it");
  const rods = data.names.map(() => svg("path", { class: "pale" }));
  const names = data.names.map((name) => svg("text", { "text-anchor": "middle" }, name));
  const dots = dotLayer();
  area.append(...rods, dots, ...names);
  let isFirst = true;
  const draw = () => {
    const reach = 1.02 * Math.sqrt(Math.max(...Array.from({ length: N }, (_, i) => X[3 * i] ** 2 + X[3 * i + 1] ** 2 + X[3 * i + 2] ** 2)));
    const view = frame(0, 0, WIDTH, HEIGHT, { reach });
    const place = (x, y, z) => axes.map((v) => v[0] * x + v[1] * y + v[2] * z);
    fillDots(dots, Array.from({ length: N }, (_, i) => {
      const [x, y] = place(X[3 * i], X[3 * i + 1], X[3 * i + 2]);
      return [view.x(x), view.y(y)];
    }), data.shades);
    data.names.forEach((_, a) => {
      const [x, y] = axes.map((v) => 0.8 * reach * v[a]);
      set(rods[a], { d: `M${view.x(0)} ${view.y(0)}L${view.x(x)} ${view.y(y)}` });
      set(names[a], { x: view.x(1.08 * x), y: view.y(1.08 * y) + 5 });
    });
    const now = shares(X, axes);
    stage.say(sentence(now), isFirst);
    isFirst = false;
    figure.explorable = { state: { points: [...X], axes }, shown: now };
  };
  const drawOnce = perFrame(draw);
  turnable(area, (yaw, pitch) => {
    axes = turnedAxes(axes, yaw, clamp(pitch, -1, 1));
    drawOnce();
  });
  stage.button("Show the best view", () => {
    axes = bestAxes(X);
    draw();
  });
  stage.wrong("one coordinate is counted in a tenth of its unit", {
    make: () => {
      X = scaledBy(X, data.units);
      axes = bestAxes(X);
      draw();
    },
    undo: () => {
      X = centred(data.points, 3);
      axes = bestAxes(X);
      draw();
    },
  });
  stage.startAgain(() => {
    X = centred(data.points, 3);
    axes = startAxes;
    draw();
  });
  draw();
  stage.ready();
}

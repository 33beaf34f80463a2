// Drag points: the ellipse of covariance, the principal axes and the explained share follow.
import { frame, path, set, svg } from "./lib/draw.mjs";
import { symmetricEigen } from "./lib/eigen.mjs";
import { columnMeans, covariance } from "./lib/matrix.mjs";
import { dataOf, handles, openStage } from "./lib/stage.mjs";
import { number, percent } from "./lib/words.mjs";

const [WIDTH, HEIGHT, REACH] = [600, 420, 5];

// Mean, variances along the principal axes, the axes as columns, and the share of the first.
export function summary(X) {
  const { values, vectors } = symmetricEigen(covariance(X, 2), 2);
  return { mean: columnMeans(X, 2), variances: values, axes: vectors, share: values[0] / (values[0] + values[1]) };
}

// The angle of the first axis in degrees, between −90 and 90.
export function angleOf({ axes }) {
  const angle = (Math.atan2(axes[2], axes[0]) * 180) / Math.PI;
  return angle > 90 ? angle - 180 : angle <= -90 ? angle + 180 : angle;
}

export function sentence(now, start) {
  const turned = Math.abs(angleOf(now) - angleOf(start));
  const away = Math.min(turned, 180 - turned);
  return `The first axis holds ${percent(now.share)} of the variance (${number(now.variances[0])} of `
    + `${number(now.variances[0] + now.variances[1])}). It has turned by ${number(away, 1)}° from where it was at the start.`;
}

// The point that turns the axes most when it leaves: far out along the second axis of the start.
export function outlierOf({ mean, axes }, length = 4.6) {
  const sign = axes[3] < 0 ? -1 : 1;
  return [mean[0] + sign * length * axes[1], mean[1] + sign * length * axes[3]];
}

export function mount(figure) {
  const X = Float64Array.from(dataOf(figure).points);
  const start = summary(X);
  const N = X.length / 2;
  const stage = openStage(figure, {
    hint: "Drag a point. With the keyboard: Tab to a point, arrow keys move it (with Shift farther), Page Up and Page "
      + "Down choose another one. Dashed: the first axis at the start.",
  });
  const view = frame(0, 0, WIDTH, HEIGHT, { reach: REACH });
  const area = stage.drawing([WIDTH, HEIGHT], "Points that can be moved, their covariance ellipse and principal axes");
  const old = svg("path", { class: "pale dashed" });
  const ellipse = svg("path", { class: "ellipse" });
  const axes = [svg("path", { class: "axis" }), svg("path", { class: "axis thin" })];
  area.append(old, ellipse, ...axes);

  const line = ({ mean, axes: vectors, variances }, a, factor) => [-factor, factor].map((t) => {
    const length = t * Math.sqrt(Math.max(variances[a], 0));
    return [view.x(mean[0] + length * vectors[a]), view.y(mean[1] + length * vectors[2 + a])];
  });
  const outline = ({ mean, axes: V, variances }) => Array.from({ length: 60 }, (_, at) => {
    const [c, s] = [Math.cos((at * Math.PI) / 30), Math.sin((at * Math.PI) / 30)];
    const [p, q] = [2 * c * Math.sqrt(variances[0]), 2 * s * Math.sqrt(Math.max(variances[1], 0))];
    return [view.x(mean[0] + p * V[0] + q * V[1]), view.y(mean[1] + p * V[2] + q * V[3])];
  });

  let isFirst = true;
  const draw = () => {
    const now = summary(X);
    set(ellipse, { d: path(outline(now), true) });
    axes.forEach((axis, a) => set(axis, { d: path(line(now, a, 2)) }));
    points.draw();
    stage.say(sentence(now, start), isFirst);
    isFirst = false;
    figure.explorable = { state: { points: [...X] }, shown: { variances: [...now.variances], share: now.share } };
  };
  const points = handles(area, {
    size: N,
    place: (i) => [view.x(X[2 * i]), view.y(X[2 * i + 1])],
    name: (i) => `Point ${i + 1} of ${N}, at ${number(X[2 * i], 1)}, ${number(X[2 * i + 1], 1)}`,
    move: (i, x, y) => {
      X.set(view.back(Math.min(Math.max(x, 5), WIDTH - 5), Math.min(Math.max(y, 5), HEIGHT - 5)), 2 * i);
      draw();
    },
  });
  let before = null;
  stage.wrong("one point lies far away", {
    make: () => {
      before = [...X];
      X.set(outlierOf(start), 0);
      draw();
    },
    undo: () => {
      X.set(before);
      draw();
    },
  });
  stage.startAgain(() => {
    X.set(dataOf(figure).points);
    draw();
  });
  set(old, { d: path(line(start, 0, 4)) });
  draw();
  stage.ready();
}

// A 2 × 2 matrix as a moving grid: turn, stretch along the axes, turn; its columns can be dragged.
import { frame, path, set, svg } from "./lib/draw.mjs";
import { svd } from "./lib/eigen.mjs";
import { multiply } from "./lib/matrix.mjs";
import { dataOf, handles, openStage } from "./lib/stage.mjs";
import { number } from "./lib/words.mjs";

const [SIDE, REACH, LINES] = [420, 3.4, 3];

// A = R(turnOut) diag(stretch) R(−turnIn) with rotations; a negative determinant makes the second stretch negative.
export function stepsOf(A) {
  const { U, values, V } = svd(A, 2, 2);
  let turnIn = Math.atan2(V[2], V[0]);
  let turnOut = Math.atan2(U[2], U[0]);
  if (Math.abs(turnIn) > Math.PI / 2) { // (u, v) and (−u, −v) are the same pair: take the smaller first turn
    turnIn -= Math.sign(turnIn) * Math.PI;
    turnOut -= Math.sign(turnOut || 1) * Math.PI;
  }
  const determinant = A[0] * A[3] - A[1] * A[2];
  return { turnIn, turnOut, stretch: [values[0], determinant < 0 ? -values[1] : values[1]], values, determinant };
}

const rotation = (angle) => [Math.cos(angle), -Math.sin(angle), Math.sin(angle), Math.cos(angle)];

// The matrix after so many of the three steps, 0 to 3, fractions included.
export function partly({ turnIn, turnOut, stretch }, steps) {
  const share = (from) => Math.min(Math.max(steps - from, 0), 1);
  const middle = [1 + share(1) * (stretch[0] - 1), 0, 0, 1 + share(1) * (stretch[1] - 1)];
  const inner = multiply(middle, rotation(-share(0) * turnIn), 2, 2, 2);
  return multiply(rotation(share(2) * turnOut), inner, 2, 2, 2);
}

export function sentence({ values, determinant }) {
  const told = `The unit circle becomes an ellipse with half axes ${number(values[0])} and ${number(values[1])}: the singular `
    + `values. Their product is the area factor ${number(Math.abs(determinant))}`;
  if (values[1] <= 1e-9 * values[0]) return `${told}: the plane is pressed onto a line, and no matrix brings it back.`;
  return determinant < 0 ? `${told}, and the plane is turned over.` : `${told}.`;
}

export function mount(figure) {
  const data = dataOf(figure);
  const A = [...data.matrix];
  const state = { steps: 3 };
  const stage = openStage(figure, {
    hint: "Drag the tip of a column. With the keyboard: Tab to it, arrow keys move it, Page Down chooses the other column. "
      + "Thick: the two orthogonal directions that stay orthogonal.",
  });
  const view = frame(0, 0, SIDE, SIDE, { reach: REACH });
  const area = stage.drawing([SIDE, SIDE], "A grid moved by a 2 × 2 matrix, and the ellipse of its unit circle");
  const grid = svg("path", { class: "edges" });
  const ellipse = svg("path", { class: "ellipse" });
  const arrows = [svg("path", { class: "axis" }), svg("path", { class: "axis dashed" })];
  const columns = svg("path", { class: "column" });
  area.append(grid, ellipse, ...arrows, columns);

  const draw = (isFirst = false) => {
    const steps = stepsOf(A);
    const M = partly(steps, state.steps);
    const at = (x, y) => [view.x(M[0] * x + M[1] * y), view.y(M[2] * x + M[3] * y)];
    const lines = Array.from({ length: 2 * LINES + 1 }, (_, i) => i - LINES);
    set(grid, { d: lines.map((c) => path([at(c, -LINES), at(c, LINES)]) + path([at(-LINES, c), at(LINES, c)])).join("") });
    set(ellipse, { d: path(Array.from({ length: 60 }, (_, i) => at(Math.cos((i * Math.PI) / 30), Math.sin((i * Math.PI) / 30))), true) });
    const [c, s] = [Math.cos(steps.turnIn), Math.sin(steps.turnIn)];
    set(arrows[0], { d: path([at(0, 0), at(c, s)]) });
    set(arrows[1], { d: path([at(0, 0), at(-s, c)]) });
    set(columns, { d: [0, 1].map((j) => path([[view.x(0), view.y(0)], [view.x(A[j]), view.y(A[2 + j])]])).join("") });
    tips.draw();
    stage.say(sentence(steps), isFirst);
    figure.explorable = { state: { matrix: [...A] }, shown: { values: [...steps.values], determinant: steps.determinant } };
  };
  const tips = handles(area, {
    size: 2,
    place: (j) => [view.x(A[j]), view.y(A[2 + j])],
    name: (j) => `Column ${j + 1}: ${number(A[j], 1)}, ${number(A[2 + j], 1)}`,
    move: (j, x, y) => {
      [A[j], A[2 + j]] = view.back(Math.min(Math.max(x, 8), SIDE - 8), Math.min(Math.max(y, 8), SIDE - 8));
      draw();
    },
  });
  const names = ["as it was", "turned", "turned and stretched", "turned, stretched and turned"];
  const slider = stage.slider("The grid is", { min: 0, max: 3, step: 0.05, value: 3 }, (steps) => {
    state.steps = steps;
    draw();
  }, (steps) => names[Math.ceil(steps)]);
  const go = (matrix) => {
    matrix.forEach((entry, at) => (A[at] = entry));
    slider.put(3);
    state.steps = 3;
    draw();
  };
  let before = data.matrix;
  stage.wrong("the columns are parallel", {
    make: () => {
      before = [...A];
      go([A[0], -A[0] / 2, A[2], -A[2] / 2]);
    },
    undo: () => go(before),
  });
  stage.startAgain(() => go(data.matrix));
  draw(true);
  stage.ready();
}

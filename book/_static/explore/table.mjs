// Six distances between four places, the map that classical scaling makes of them, and the eigenvalues behind it.
import { frame, scale, set, svg } from "./lib/draw.mjs";
import { classicalScaling, facingLike } from "./lib/embed.mjs";
import { distances } from "./lib/matrix.mjs";
import { dataOf, openStage } from "./lib/stage.mjs";
import { number } from "./lib/words.mjs";

const [SIDE, PLACES] = [300, 4];
export const PAIRS = [[0, 1], [0, 2], [0, 3], [1, 2], [1, 3], [2, 3]];
const ROUNDING = 1e-9; // an eigenvalue below this share of the largest counts as zero

export function tableOf(lengths) {
  const table = new Float64Array(PLACES * PLACES);
  PAIRS.forEach(([i, j], at) => (table[i * PLACES + j] = table[j * PLACES + i] = lengths[at]));
  return table;
}

export function mapOf(lengths) {
  const { values, embedding } = classicalScaling(tableOf(lengths), PLACES, 2);
  const mapped = distances(embedding, 2);
  return { values, embedding, mapped: PAIRS.map(([i, j]) => mapped[i * PLACES + j]) };
}

export function sentence({ values, mapped }, lengths, names) {
  const lowest = values[PLACES - 1];
  const isZero = (value) => Math.abs(value) <= ROUNDING * Math.abs(values[0]);
  const gaps = mapped.map((length, at) => Math.abs(length - lengths[at]));
  const worst = gaps.indexOf(Math.max(...gaps));
  const pair = PAIRS[worst].map((i) => names[i]).join("");
  const gap = gaps[worst] < 1e-6 ? "The map has all six distances of the table."
    : `The map is farthest from the table at ${pair}: ${number(mapped[worst])} instead of ${number(lengths[worst])}.`;
  if (lowest < 0 && !isZero(lowest)) {
    return `One eigenvalue is negative, ${number(lowest)}: no four points have these distances, in any space. ${gap}`;
  }
  const third = values[2];
  return isZero(third) ? `Two eigenvalues are positive and none is negative: four points of the plane. ${gap}`
    : `Three eigenvalues are positive and none is negative: four points in space, seen here from one side. ${gap}`;
}

export function mount(figure) {
  const { names, lengths: start, wrong, still } = dataOf(figure);
  const lengths = [...start];
  const model = Float64Array.from(still);
  const stage = openStage(figure, {
    hint: "Each slider is one entry of the table. On the map an orange dashed line is shorter or longer than its entry.",
  });
  const plane = stage.drawing([SIDE, SIDE], "Map of four places", { role: "img" });
  const bars = stage.drawing([SIDE, SIDE], "Eigenvalues of the Gram matrix", { role: "img" });
  const view = frame(0, 0, SIDE, SIDE, { reach: 4.6 });
  const lines = PAIRS.map(() => svg("path", {}));
  const marks = names.map(() => svg("circle", { class: "place", r: 6 }));
  const words = names.map((name) => svg("text", {}, name));
  plane.append(...lines, ...marks, ...words);
  const up = scale([-6, 22], [SIDE - 20, 20]);
  const columns = names.map(() => svg("rect", { width: 36 }));
  const numbers = names.map(() => svg("text", { "text-anchor": "middle" }));
  bars.append(svg("path", { class: "pale", d: `M20 ${up(0)}H${SIDE - 20}` }), ...columns, ...numbers);

  const draw = (isFirst = false) => {
    const map = mapOf(lengths);
    const Y = facingLike(model, map.embedding, PLACES, 2);
    const place = (i) => [view.x(Y[2 * i]), view.y(Y[2 * i + 1])];
    PAIRS.forEach(([i, j], at) => {
      const isTrue = Math.abs(map.mapped[at] - lengths[at]) < 0.005;
      const [[x, y], [u, v]] = [place(i), place(j)];
      set(lines[at], { d: `M${x} ${y}L${u} ${v}`, class: isTrue ? "pale" : "short-cuts" });
    });
    names.forEach((_, i) => {
      const [x, y] = place(i);
      set(marks[i], { cx: x, cy: y });
      set(words[i], { x: x + 10, y: y - 8 });
    });
    map.values.forEach((exact, a) => {
      const value = Math.abs(exact) <= ROUNDING * Math.abs(map.values[0]) ? 0 : exact;
      const top = up(Math.min(Math.max(value, -6), 22));
      const x = 34 + 66 * a;
      set(columns[a], { x, y: Math.min(top, up(0)), height: Math.max(Math.abs(top - up(0)), 1), class: value < 0 ? "negative" : "bar" });
      set(numbers[a], { x: x + 18, y: value < 0 ? top + 17 : top - 6 });
      numbers[a].textContent = number(value);
    });
    const told = sentence(map, lengths, names);
    set(bars, { "aria-label": `Eigenvalues of the Gram matrix: ${[...map.values].map((value) => number(value)).join(", ")}` });
    stage.say(told, isFirst);
    figure.explorable = { state: { lengths: [...lengths] }, shown: { values: [...map.values], mapped: map.mapped } };
  };
  const sliders = PAIRS.map(([i, j], at) => stage.slider(`${names[i]}${names[j]} =`,
    { min: 0.5, max: 8, step: 0.1, value: lengths[at] }, (length) => {
      lengths[at] = length;
      draw();
    }, (length) => number(length, 1)));
  let before = lengths;
  const go = (target) => {
    target.forEach((length, at) => {
      lengths[at] = length;
      sliders[at].put(length);
    });
    draw();
  };
  stage.wrong("a way is longer than the detour", {
    make: () => {
      before = [...lengths];
      go(wrong);
    },
    undo: () => go(before),
  });
  stage.startAgain(() => go(start));
  draw(true);
  stage.ready();
}

// Drag the singular values of a digit: the digit is put together again from what is left.
import { arrowStep, clamp, draggable, perFrame, scale, set, svg } from "./lib/draw.mjs";
import { svd } from "./lib/eigen.mjs";
import { dataOf, openStage } from "./lib/stage.mjs";
import { number, percent } from "./lib/words.mjs";

const [SIDE, BOX] = [8, 300];

// Σ sᵢ uᵢ vᵢᵀ with the singular vectors of the digit and singular values of one's choice.
export function rebuilt({ U, V }, values) {
  const A = new Float64Array(SIDE * SIDE);
  for (let i = 0; i < SIDE; i++) {
    for (let j = 0; j < SIDE; j++) {
      for (let a = 0; a < SIDE; a++) A[i * SIDE + j] += values[a] * U[i * SIDE + a] * V[j * SIDE + a];
    }
  }
  return A;
}

// The Frobenius norm of what is missing, and the share of the squared norm of the digit that it is.
export function errorOf(A, B) {
  const square = A.reduce((sum, entry, at) => sum + (entry - B[at]) ** 2, 0);
  return { error: Math.sqrt(square), share: square / A.reduce((sum, entry) => sum + entry * entry, 0) };
}

export function sentence({ error, share }, values, original) {
  const kept = values.filter((value, a) => original[a] > 1e-9 && value > 0.005 * original[0]).length;
  return `${kept} of 8 bars stand. The picture misses the digit by ${number(error, 1)} in Frobenius norm: `
    + `${percent(share)} of its squared norm.`;
}

export function mount(figure) {
  const digit = Float64Array.from(dataOf(figure).digit);
  const parts = svd(digit, SIDE, SIDE);
  const original = [...parts.values];
  const values = [...original];
  const stage = openStage(figure, {
    hint: "Drag a bar up or down. With the keyboard: Tab to a bar, arrow up and down change it, Home sets it to zero, End brings it back.",
  });
  const picture = stage.drawing([BOX, BOX], "The digit, put together from the bars", { role: "img" });
  const bars = stage.drawing([BOX, BOX], "Singular values of the digit", { style: "touch-action: pan-y" });
  const pixel = BOX / SIDE;
  const pixels = Array.from(digit, (_, at) => svg("rect", {
    class: "ink", x: (at % SIDE) * pixel, y: Math.floor(at / SIDE) * pixel, width: pixel + 0.5, height: pixel + 0.5,
  }));
  picture.append(svg("rect", { class: "paper", width: BOX, height: BOX }), ...pixels);
  const up = scale([0, 1.1 * original[0]], [BOX - 24, 16]);
  const left = (a) => 14 + a * 35;
  const columns = values.map((_, a) => svg("rect", {
    class: "bar grip", x: left(a), width: 27, tabindex: 0, role: "slider", "aria-label": `Singular value ${a + 1}`,
    "aria-orientation": "vertical", "aria-valuemin": 0, "aria-valuemax": number(1.1 * original[0], 1),
  }));
  const ghosts = original.map((value, a) => svg("path", { class: "pale", d: `M${left(a) - 2} ${up(value)}h31` }));
  const labels = values.map((_, a) => svg("text", { x: left(a) + 13, y: BOX - 6, "text-anchor": "middle" }, String(a + 1)));
  bars.append(svg("path", { class: "pale", d: `M6 ${up(0)}H${BOX - 6}` }), ...columns, ...ghosts, ...labels);

  const draw = (isFirst = false) => {
    const B = rebuilt(parts, values);
    B.forEach((grey, at) => set(pixels[at], { "fill-opacity": clamp(grey / 16, 0, 1).toFixed(3) }));
    values.forEach((value, a) => {
      const top = up(value);
      set(columns[a], { y: Math.min(top, up(0) - 2), height: Math.max(up(0) - top, 2), "aria-valuenow": number(value, 1), "aria-valuetext": number(value, 1) });
    });
    const gap = errorOf(digit, B);
    stage.say(sentence(gap, values, original), isFirst);
    set(picture, { "aria-label": `The digit, put together from the bars; ${percent(gap.share)} of its squared norm is missing` });
    figure.explorable = { state: { values: [...values] }, shown: gap };
  };
  const put = (a, value) => {
    values[a] = clamp(value, 0, 1.1 * original[0]);
    draw();
  };
  let target = null;
  const moveOnce = perFrame(() => put(...target));
  draggable(bars, {
    radius: 30,
    places: () => values.map((value, a) => [left(a) + 13, up(value)]),
    move: (a, _, y) => {
      target = [a, up.back(y)];
      moveOnce();
    },
  });
  bars.addEventListener("hold", (event) => columns[event.detail].focus({ preventScroll: true }));
  columns.forEach((column, a) => column.addEventListener("keydown", (event) => {
    const ends = { Home: 0, End: original[a] };
    if (event.key in ends) {
      event.preventDefault();
      put(a, ends[event.key]);
      return;
    }
    const step = arrowStep(event);
    if (step) put(a, values[a] + 0.02 * original[0] * (step[1] || step[0]));
  }));
  const go = (change) => {
    original.forEach((value, a) => (values[a] = change(value, a)));
    draw();
  };
  stage.button("Keep three bars", () => go((value, a) => (a < 3 ? value : 0)));
  stage.wrong("the largest bar goes instead of the smallest", {
    make: () => go((value, a) => (a === 0 ? 0 : value)),
    undo: () => go((value) => value),
  });
  stage.startAgain(() => go((value) => value));
  draw(true);
  stage.ready();
}

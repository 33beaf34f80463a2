// A graph to pluck: one vertex is pulled, and its modes swing, each with the frequency √λ of L y = λ D y.
import { arrowStep, draggable, frame, perFrame, scale, segments, set, svg } from "./lib/draw.mjs";
import { symmetricEigen } from "./lib/eigen.mjs";
import { dataOf, openStage } from "./lib/stage.mjs";
import { number, percent } from "./lib/words.mjs";

const SIDE = 300;
const BARS = 12;
const [END, PACE] = [60, 3]; // of the time, and its units in a second

// All modes of a graph with edges of weight 1: eigenvalues ascending, and columns y with yᵀ D y = 1.
export function modes(N, edges) {
  const degrees = new Float64Array(N);
  edges.forEach(([i, j]) => {
    degrees[i]++;
    degrees[j]++;
  });
  const A = new Float64Array(N * N); // D^−½ W D^−½, whose largest eigenvalues 1 − λ come first
  edges.forEach(([i, j]) => (A[i * N + j] = A[j * N + i] = 1 / Math.sqrt(degrees[i] * degrees[j])));
  const { values, vectors } = symmetricEigen(A, N);
  return {
    values: values.map((value) => 1 - value),
    vectors: vectors.map((entry, at) => entry / Math.sqrt(degrees[Math.floor(at / N)])),
    degrees,
  };
}

// How much of each mode is in the pluck of a vertex: shares of the squared length, which add up to 1.
export function pluck({ vectors, degrees }, vertex) {
  const N = degrees.length;
  return Float64Array.from({ length: N }, (_, a) => degrees[vertex] * vectors[vertex * N + a] ** 2);
}

// The graph a while after a vertex was let go: Σ cos(√λ t) y (yᵀ D e).
export function swing({ values, vectors, degrees }, vertex, time) {
  const N = degrees.length;
  const u = new Float64Array(N);
  for (let a = 0; a < N; a++) {
    const part = Math.cos(Math.sqrt(Math.max(values[a], 0)) * time) * degrees[vertex] * vectors[vertex * N + a];
    for (let i = 0; i < N; i++) u[i] += part * vectors[i * N + a];
  }
  return u;
}

export function sentence({ values }, shares, vertex, mode, height) {
  if (mode > 0) {
    if (values[mode] < 1e-9) return `Mode ${mode} has eigenvalue 0: the graph is in two pieces, and each may move by itself for free.`;
    return `Mode ${mode}, with eigenvalue ${number(values[mode], 3)}. Blue vertices go up while orange ones go down.`;
  }
  const slow = shares.slice(1, 4).reduce((sum, share) => sum + share, 0);
  return `Vertex ${vertex + 1} is plucked: ${percent(shares[0])} moves everything together, ${percent(slow)} is in the three `
    + `slowest modes. It stands at ${number(height)} of the pluck.`;
}

export function mount(figure) {
  const data = dataOf(figure);
  const N = data.points.length / 2;
  const state = { vertex: 0, mode: 1, time: 0, isCut: false };
  const edges = () => (state.isCut ? data.edges.filter(([i, j]) => i !== data.bridge[0] || j !== data.bridge[1]) : data.edges);
  let all = modes(N, edges());
  const stage = openStage(figure, {
    hint: "Click a vertex to pluck it; the time can be moved, too. With the keyboard: Tab to the graph, arrow keys choose a vertex. "
      + "The size of a disc is how far its vertex is from rest.",
  });
  const area = stage.drawing([SIDE, SIDE], "Graph to pluck; arrow keys choose a vertex", { tabindex: 0 });
  const bars = stage.drawing([SIDE, SIDE], "Shares of the first modes", { role: "img" });
  const view = frame(0, 0, SIDE, SIDE, { reach: data.reach });
  const place = (i) => [view.x(data.points[2 * i]), view.y(data.points[2 * i + 1])];
  const lines = svg("path", { class: "edges" });
  const discs = Array.from({ length: N }, (_, i) => svg("circle", { cx: place(i)[0], cy: place(i)[1] }));
  const ring = svg("circle", { class: "pale", r: 12 });
  area.append(lines, ring, ...discs);
  const up = scale([0, 1], [SIDE - 24, 20]);
  const columns = Array.from({ length: BARS }, (_, a) => svg("rect", { class: "bar", x: 10 + 24 * a, width: 18 }));
  const labels = columns.map((_, a) => svg("text", { x: 19 + 24 * a, y: SIDE - 8, "text-anchor": "middle" }, String(a)));
  bars.append(...columns, ...labels);

  const draw = (isFirst = false) => {
    const shares = state.mode === 0 ? pluck(all, state.vertex) : all.values.map((_, a) => Number(a === state.mode));
    const u = state.mode === 0 ? swing(all, state.vertex, state.time)
      : Float64Array.from({ length: N }, (_, i) => all.vectors[i * N + state.mode] * Math.cos(Math.sqrt(Math.max(all.values[state.mode], 0)) * state.time));
    const largest = state.mode === 0 ? 1 : Math.max(...Array.from({ length: N }, (_, i) => Math.abs(all.vectors[i * N + state.mode])));
    set(lines, { d: segments(edges(), (i) => place(i)[0], (i) => place(i)[1]) });
    discs.forEach((disc, i) => set(disc, {
      r: (2.5 + 9 * Math.sqrt(Math.min(Math.abs(u[i]) / largest, 1))).toFixed(1), class: u[i] < 0 ? "negative" : "bar",
    }));
    const [cx, cy] = place(state.vertex);
    set(ring, { cx, cy, visibility: state.mode === 0 ? "visible" : "hidden" });
    columns.forEach((column, a) => set(column, { y: up(shares[a]), height: Math.max(up(0) - up(shares[a]), 1) }));
    const words = sentence(all, shares, state.vertex, state.mode, u[state.vertex]);
    stage.say(words, isFirst);
    figure.explorable = { state: { ...state, edges: edges() }, shown: { values: [...all.values], shares: [...shares] } };
  };
  const drawOnce = perFrame(draw);
  const mode = stage.slider("What swings:", { min: 0, max: BARS - 1, step: 1, value: 1 }, (value) => {
    state.mode = value;
    draw();
  }, (value) => (value === 0 ? "the plucked vertex" : `mode ${value}`));
  const time = stage.slider("Time", { min: 0, max: END, step: 0.25, value: 0 }, (value) => {
    halt();
    state.time = value;
    drawOnce();
  }, (value) => number(value, 1));
  let handle = 0;
  const isCalm = matchMedia("(prefers-reduced-motion: reduce)");
  const run = (from) => {
    halt();
    let last = performance.now();
    const turn = (now) => {
      from += (PACE * Math.max(now - last, 0)) / 1000;
      last = now;
      state.time = Math.min(from, END);
      time.put(state.time);
      draw();
      if (from < END) handle = requestAnimationFrame(turn);
      else halt();
    };
    handle = requestAnimationFrame(turn);
    swinging.textContent = "Hold still";
  };
  const halt = () => {
    cancelAnimationFrame(handle);
    handle = 0;
    swinging.textContent = "Let it swing";
  };
  const swinging = stage.button("Let it swing", () => (handle ? halt() : run(state.time < END ? state.time : 0)));
  swinging.hidden = isCalm.matches; // the time is moved by hand
  const choose = (vertex) => {
    Object.assign(state, { vertex, mode: 0, time: 0 });
    mode.put(0);
    time.put(0);
    draw();
    if (!isCalm.matches) run(0);
  };
  draggable(area, { places: () => discs.map((_, i) => place(i)), move: () => {} });
  area.addEventListener("hold", (event) => choose(event.detail));
  area.addEventListener("keydown", (event) => {
    const step = arrowStep(event);
    if (step) choose((state.vertex + (step[0] || step[1]) + 5 * N) % N);
  });
  const cut = (isCut) => {
    halt();
    Object.assign(state, { isCut, mode: 1, time: 0 });
    mode.put(1);
    time.put(0);
    all = modes(N, edges());
    draw();
  };
  stage.wrong("the only edge between two groups is cut", { make: () => cut(true), undo: () => cut(false) });
  stage.startAgain(() => {
    state.vertex = 0;
    cut(false);
  });
  draw(true);
  stage.ready();
}

// A net of strings that one pulls: its spread, the tensions that hold it, and the width that they prove to be the largest.
import { clamp, frame, set, svg } from "./lib/draw.mjs";
import { symmetricEigen } from "./lib/eigen.mjs";
import { finish } from "./lib/slices.mjs";
import { dataOf, handles, openStage } from "./lib/stage.mjs";
import { number, percent } from "./lib/words.mjs";

const [WIDTH, HEIGHT, REACH] = [620, 300, 3.6];
const [STIFFNESS, MAX_ROUNDS, STEPS_A_ROUND, DONE] = [4, 1200, 40, 1e-4];

const lengthOf = (Y, [i, j]) => (Y[2 * i] - Y[2 * j]) ** 2 + (Y[2 * i + 1] - Y[2 * j + 1]) ** 2;

export function spreadOf(Y) {
  const mean = [0, 1].map((a) => Y.reduce((sum, value, at) => sum + (at % 2 === a ? value : 0), 0) / (Y.length / 2));
  return Y.reduce((sum, value, at) => sum + (value - mean[at % 2]) ** 2, 0);
}

// Two bounds on the largest spread: of the net, shrunk until no string is too long, and by the tensions w ≥ 0:
// Σ w d² / λ₂(L(w)), as dimred_ref.mvu.certify_mvu.
export function bounds(Y, w, pairs, squares) {
  const N = Y.length / 2;
  const excess = pairs.reduce((most, pair, e) => Math.max(most, lengthOf(Y, pair) / squares[e]), 1);
  const L = new Float64Array(N * N);
  pairs.forEach(([i, j], e) => {
    L[i * N + i] += w[e];
    L[j * N + j] += w[e];
    L[i * N + j] -= w[e];
    L[j * N + i] -= w[e];
  });
  const second = symmetricEigen(L, N).values[N - 2];
  const held = w.reduce((sum, tension, e) => sum + tension * squares[e], 0);
  return { lower: spreadOf(Y) / excess, upper: second > 1e-9 * (1 + held) ? held / second : Infinity };
}

// Strings that are too long pull their ends together; the held knot stays.
export function settle(Y, pairs, squares, held, rounds = 80) {
  for (let round = 0; round < rounds; round++) {
    pairs.forEach(([i, j], e) => {
      const length = lengthOf(Y, [i, j]);
      if (length <= squares[e]) return;
      const share = 1 - Math.sqrt(squares[e] / length);
      const [mi, mj] = i === held ? [0, 1] : j === held ? [1, 0] : [0.5, 0.5];
      for (let a = 0; a < 2; a++) {
        const gap = Y[2 * i + a] - Y[2 * j + a];
        Y[2 * i + a] -= mi * share * gap;
        Y[2 * j + a] += mj * share * gap;
      }
    });
  }
}

// Every knot is pushed away from the mean, strings that are too long pull back (augmented Lagrangian), round by round.
export function* pulling(Y, w, pairs, squares, { maxRounds = MAX_ROUNDS, done = DONE } = {}) {
  const N = Y.length / 2;
  const stiffness = STIFFNESS / (squares.reduce((sum, square) => sum + square, 0) / squares.length);
  for (let round = 1; round <= maxRounds; round++) {
    let pulls = [];
    for (let step = 0; step < STEPS_A_ROUND; step++) {
      pulls = pairs.map((pair, e) => Math.max(0, w[e] + stiffness * (lengthOf(Y, pair) - squares[e])));
      const mean = [0, 1].map((a) => Y.reduce((sum, value, at) => sum + (at % 2 === a ? value : 0), 0) / N);
      const force = Y.map((value, at) => value - mean[at % 2]);
      const load = new Float64Array(N);
      pairs.forEach(([i, j], e) => {
        load[i] += pulls[e] + 2 * stiffness * squares[e];
        load[j] += pulls[e] + 2 * stiffness * squares[e];
        for (let a = 0; a < 2; a++) {
          const gap = pulls[e] * (Y[2 * i + a] - Y[2 * j + a]);
          force[2 * i + a] -= gap;
          force[2 * j + a] += gap;
        }
      });
      const pace = 1 / (2 * Math.max(...load) + 1);
      force.forEach((push, at) => (Y[at] += pace * push));
    }
    pulls.forEach((pull, e) => (w[e] = pull));
    const { lower, upper } = bounds(Y, w, pairs, squares);
    if (upper / lower - 1 < done) return round;
    yield round;
  }
  return maxRounds;
}

export const sentence = ({ lower, upper, best, slack }) =>
  `The net spreads to ${number(lower)}. ${upper === Infinity ? "No tensions are known yet." : `Its tensions prove that no net spreads wider than ${number(upper)}.`} `
  + `The certified optimum is ${number(best)}: ${percent(lower / best)} of it. ${slack} of its strings are slack.`;

export function mount(figure) {
  const data = dataOf(figure);
  const N = data.points.length / 2;
  let net = data.nets[0];
  let stop = () => {};
  const Y = Float64Array.from(data.points);
  let w = new Float64Array(net.pairs.length);
  const stage = openStage(figure, {
    hint: "Drag a knot and the strings follow. With the keyboard: Tab to a knot, arrow keys move it, Page Down goes to the next. "
      + "Thick strings are tense, dashed ones slack.",
  });
  const view = { ...frame(0, 0, WIDTH, HEIGHT, { reach: REACH }) };
  const area = stage.drawing([WIDTH, HEIGHT], "A net of knots and strings");
  const strings = data.nets.at(-1).pairs.map(() => svg("path", {}));
  area.append(...strings);
  const place = (i) => [view.x(Y[2 * i]), view.y(Y[2 * i + 1])];
  const draw = (isFirst = false) => {
    const most = Math.max(...w, 1e-9);
    let slack = 0;
    strings.forEach((string, e) => {
      if (e >= net.pairs.length) return set(string, { d: "" });
      const [[x, y], [u, v]] = net.pairs[e].map(place);
      const isSlack = lengthOf(Y, net.pairs[e]) < 0.999 * net.squares[e];
      slack += isSlack;
      return set(string, {
        d: `M${x.toFixed(1)} ${y.toFixed(1)}L${u.toFixed(1)} ${v.toFixed(1)}`,
        class: isSlack ? "pale dashed" : `shade-${Math.min(7, Math.floor((8 * w[e]) / most))}`, style: `stroke-width: ${(1.4 + (4 * w[e]) / most).toFixed(1)}`,
      });
    });
    points.draw();
    const shown = { ...bounds(Y, w, net.pairs, net.squares), best: net.best, slack };
    stage.say(sentence(shown), isFirst);
    figure.explorable = { state: { points: [...Y], tensions: [...w], net: data.nets.indexOf(net) }, shown };
  };
  const points = handles(area, {
    size: N,
    place,
    name: (i) => `Knot ${i + 1}, at ${number(Y[2 * i], 1)}, ${number(Y[2 * i + 1], 1)}`,
    move: (i, x, y) => {
      halt();
      Y.set(view.back(clamp(x, 6, WIDTH - 6), clamp(y, 6, HEIGHT - 6)), 2 * i);
      settle(Y, net.pairs, net.squares, i);
      draw();
    },
  });
  const halt = () => {
    stop();
    stage.live.removeAttribute("aria-busy");
  };
  const pull = () => {
    halt();
    set(stage.live, { "aria-busy": "true" });
    const steps = pulling(Y, w, net.pairs, net.squares);
    let handle = 0;
    const turn = () => {
      let step = { value: 1 };
      for (let count = 0; count <= step.value / 20 && !step.done; count++) step = steps.next(); // slow at first, to be seen
      if (step.done) halt();
      else handle = requestAnimationFrame(turn);
      draw();
    };
    stop = () => cancelAnimationFrame(handle);
    if (matchMedia("(prefers-reduced-motion: reduce)").matches) {
      finish(steps);
      halt();
      draw();
    } else turn();
  };
  const take = (which) => {
    halt();
    net = data.nets[which];
    w = new Float64Array(net.pairs.length);
    Y.set(data.points);
    draw();
  };
  stage.button("Pull it apart", pull);
  stage.startAgain(() => take(0));
  stage.wrong("a string joins two windings", {
    make: () => {
      take(1);
      pull();
    },
    undo: () => take(0),
  });
  draw(true);
  stage.ready();
}

// One cloud under five methods: brush some points in any of the maps, and see where they are in the others.
import { arrowStep, dotLayer, fillDots, frame, perFrame, placeIn, set, shadeOf, svg } from "./lib/draw.mjs";
import { nearest } from "./lib/graph.mjs";
import { dataOf, openStage } from "./lib/stage.mjs";
import { percent } from "./lib/words.mjs";

const [WIDTH, HEIGHT, TITLE] = [200, 170, 24];

// Of the k neighbours of some points on a map, the share that are neighbours in the data, too.
export function keptShare(inData, onMap, k, points) {
  let kept = 0;
  for (const i of points) {
    const own = new Set(inData.slice(i * k, i * k + k));
    for (const j of onMap.slice(i * k, i * k + k)) kept += Number(own.has(j));
  }
  return kept / (k * points.length);
}

// The points of a brush: one of them and its neighbours in the table of neighbours of a map.
export const brushed = (table, k, point) => [point, ...table.slice(point * k, point * k + k)];

export function sentence(shares, names, source) {
  const told = names.map((name, a) => `${name} ${percent(shares[a])}`).join(", ");
  return `Brushed on ${source}. Neighbours of these points on each map that are neighbours in the data: ${told}.`;
}

export function mount(figure) {
  const { names, maps, points, along, k, wrong, start } = dataOf(figure);
  const N = points.length / 3;
  const inData = nearest(points, 3, k).indices;
  const tables = maps.map((map) => nearest(map, 2, k).indices);
  const shades = shadeOf(along);
  const order = [...along.keys()].sort((a, b) => along[a] - along[b]);
  const state = { source: start.source, point: start.point };
  const stage = openStage(figure, {
    hint: "Move over a map, or touch it, to brush the points near there. With the keyboard: Tab to a map, arrow keys move the "
      + "brush along the sheet.",
  });
  const areas = names.map((name, a) => {
    const area = stage.drawing([WIDTH, HEIGHT], `Map by ${name}; arrow keys move the brush`, { tabindex: 0, style: "touch-action: pan-y" });
    area.style.maxWidth = `${1.2 * WIDTH}px`;
    const reach = [0, 1].map((c) => Math.max(...maps[a].map((value, at) => (at % 2 === c ? Math.abs(value) : 0))));
    const view = frame(0, TITLE, WIDTH, HEIGHT - TITLE, { reach: 1.08 * Math.max(reach[1], (reach[0] * (HEIGHT - TITLE)) / WIDTH) });
    const places = Array.from({ length: N }, (_, i) => [view.x(maps[a][2 * i]), view.y(maps[a][2 * i + 1])]);
    const dots = dotLayer();
    const rings = Array.from({ length: k + 1 }, () => svg("circle", { class: "ring", r: 5 }));
    area.append(svg("text", { x: WIDTH / 2, y: 16, "text-anchor": "middle" }, name), dots, ...rings);
    fillDots(dots, places, shades);
    return { area, places, rings };
  });
  const draw = (isFirst = false) => {
    const chosen = brushed(tables[state.source], k, state.point);
    areas.forEach(({ places, rings }) => chosen.forEach((i, at) => set(rings[at], { cx: places[i][0].toFixed(1), cy: places[i][1].toFixed(1) })));
    const shares = tables.map((table) => keptShare(inData, table, k, chosen));
    stage.say(sentence(shares, names, names[state.source]), isFirst);
    figure.explorable = { state: { ...state, chosen }, shown: { shares } };
  };
  const drawOnce = perFrame(draw);
  const go = (source, point) => {
    Object.assign(state, { source, point });
    drawOnce();
  };
  areas.forEach(({ area, places }, source) => {
    const brush = (event) => {
      const [x, y] = placeIn(area, event);
      const lengths = places.map(([px, py]) => Math.hypot(px - x, py - y));
      go(source, lengths.indexOf(Math.min(...lengths)));
    };
    area.addEventListener("pointermove", brush);
    area.addEventListener("pointerdown", brush); // a finger that taps does not move
    area.addEventListener("keydown", (event) => {
      const step = arrowStep(event);
      if (!step) return;
      const at = order.indexOf(state.point) + (step[0] || step[1]);
      go(source, order[Math.min(Math.max(at, 0), N - 1)]);
    });
  });
  stage.wrong("points of two windings fall on one place", { make: () => go(wrong.source, wrong.point), undo: () => go(start.source, start.point) });
  stage.startAgain(() => go(start.source, start.point));
  draw(true);
  stage.ready();
}

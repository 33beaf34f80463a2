// A swiss roll to turn, its neighbourhood graph for chosen k and noise, and the map that Isomap computes of it.
import { clamp, dotLayer, fillDots, frame, perFrame, segments, set, shadeOf, svg, turnable, viewAxes } from "./lib/draw.mjs";
import { facingLike, isomapInSlices, residualVariance } from "./lib/embed.mjs";
import { edges, neighbourGraph } from "./lib/graph.mjs";
import { distances } from "./lib/matrix.mjs";
import { dataOf, openStage } from "./lib/stage.mjs";
import { finish, inSlices } from "./lib/slices.mjs";
import { count, number, percent } from "./lib/words.mjs";

const SIDE = 300;
const REST_MILLISECONDS = 40; // a slider that is still moving waits for the graph, not for the map

export const noisy = ({ points, pushes }, noise) => Float64Array.from(points, (value, at) => value + noise * pushes[at]);

// Edges along the sheet, and short-cuts: edges between points more than half a turn apart.
export function sorted(graph, angles) {
  const pairs = edges(graph);
  const isShort = ([i, j]) => Math.abs(angles[i] - angles[j]) > Math.PI;
  return { along: pairs.filter((pair) => !isShort(pair)), short: pairs.filter(isShort) };
}

// What the picture shows for the flat sheet and a finished map: the unexplained share of the sheet's distances.
export function lostShare(sheet, { members, embedding }) {
  const flat = Float64Array.from(members.flatMap((i) => [sheet[2 * i], sheet[2 * i + 1]]));
  return residualVariance(distances(flat, 2), embedding, members.length, 2);
}

export function mapOf(X, k) {
  return finish(isomapInSlices(X, 3, k));
}

export function sentence({ k, noise, short, lost, missing }) {
  const cuts = short ? `${count(short, "edge")} ${short === 1 ? "jumps" : "jump"} between the windings` : "no edge jumps between the windings";
  const left = missing ? ` ${count(missing, "point")} without a path to the others ${missing === 1 ? "has" : "have"} no place.` : "";
  return `k = ${k}, noise ${number(noise, 1)}: ${cuts}. The map leaves ${percent(lost)} of the variance of the sheet’s `
    + `distances unexplained.${left}`;
}

export function mount(figure) {
  const data = dataOf(figure);
  const N = data.angles.length;
  const shades = shadeOf(data.sheet.filter((_, at) => at % 2 === 0));
  const turn = { yaw: 0.4, pitch: -1 }; // as the still
  const state = { k: data.k, noise: 0, ...turn };
  const stage = openStage(figure, {
    hint: "Drag the roll to turn it, or Tab to it and use the arrow keys. Thick dashes: edges that jump from one winding to the next.",
  });
  const space = stage.drawing([SIDE, SIDE], "Swiss roll with its neighbourhood graph; arrow keys turn it");
  const plane = stage.drawing([SIDE, SIDE], "Map of the roll that Isomap computes", { role: "img" });
  const layers = [space, plane].map((area) => {
    const layer = { along: svg("path", { class: "edges" }), short: svg("path", { class: "short-cuts" }), dots: dotLayer() };
    area.append(layer.along, layer.dots, layer.short);
    return layer;
  });

  let X;
  let graph;
  let marked;
  let timer = 0;
  let stop = () => {};
  const drawEdges = (layer, pairs, x, y) => {
    set(layer.along, { d: segments(pairs.along, x, y) });
    set(layer.short, { d: segments(pairs.short, x, y) });
  };
  const drawSpace = () => {
    const [right, up] = viewAxes(state.yaw, state.pitch);
    const view = frame(0, 0, SIDE, SIDE, { reach: 19.5 });
    const along = (axis, i) => axis[0] * X[3 * i] + axis[1] * X[3 * i + 2] + axis[2] * (X[3 * i + 1] - 10.5);
    const places = Array.from({ length: N }, (_, i) => [view.x(along(right, i)), view.y(along(up, i))]);
    drawEdges(layers[0], marked, (i) => places[i][0], (i) => places[i][1]);
    fillDots(layers[0].dots, places, shades);
  };
  const drawMap = ({ members, embedding }) => {
    const Y = facingLike(Float64Array.from(members.flatMap((i) => [data.sheet[2 * i], data.sheet[2 * i + 1]])
      .map((value, at) => value - data.means[at % 2])), embedding, members.length, 2);
    const view = frame(0, 0, SIDE, SIDE, { reach: 1.06 * Math.max(...Y.map(Math.abs), 1e-9) });
    const places = new Map(members.map((i, at) => [i, [view.x(Y[2 * at]), view.y(Y[2 * at + 1])]]));
    const onMap = (pairs) => pairs.filter(([i, j]) => places.has(i) && places.has(j));
    drawEdges(layers[1], { along: onMap(marked.along), short: onMap(marked.short) }, (i) => places.get(i)[0], (i) => places.get(i)[1]);
    fillDots(layers[1].dots, [...places.values()], members.map((i) => shades[i]));
  };
  const finishMap = (map, isFirst) => {
    drawMap(map);
    const lost = lostShare(data.sheet, map);
    const told = { k: state.k, noise: state.noise, short: marked.short.length, lost, missing: N - map.members.length };
    stage.say(sentence(told), isFirst);
    set(plane, { "aria-label": `Map of the roll that Isomap computes; ${percent(lost)} of the variance is unexplained` });
    figure.explorable = { state: { ...state, points: [...X] }, shown: { ...told, values: [...map.values], edges: graph.ends.length / 2 } };
    stage.live.removeAttribute("aria-busy");
  };
  const unroll = (isFirst) => {
    set(stage.live, { "aria-busy": "true" });
    stop = inSlices(isomapInSlices(X, 3, state.k, 2, { graph }), (map) => finishMap(map, isFirst));
  };
  const change = (isFirst = false) => {
    X = noisy(data, state.noise);
    graph = neighbourGraph(X, 3, state.k);
    marked = sorted(graph, data.angles);
    drawSpace();
    stop();
    clearTimeout(timer);
    timer = setTimeout(() => unroll(isFirst), isFirst ? 0 : REST_MILLISECONDS);
  };
  const changeOnce = perFrame(() => change());
  const turnOnce = perFrame(drawSpace);
  turnable(space, (yaw, pitch) => {
    state.yaw += yaw;
    state.pitch = clamp(state.pitch - pitch, -1.5, 1.5);
    turnOnce();
  });
  const slider = stage.slider("Neighbours k =", { min: 4, max: 16, step: 1, value: state.k }, (k) => {
    state.k = k;
    changeOnce();
  });
  const noise = stage.slider("Noise", { min: 0, max: 1, step: 0.1, value: 0 }, (value) => {
    state.noise = value;
    changeOnce();
  }, (value) => number(value, 1));
  const go = (k, push) => {
    slider.put(k);
    noise.put(push);
    Object.assign(state, { k, noise: push });
    changeOnce();
  };
  stage.wrong("k is too large", { make: () => go(data.wrong_k, 0), undo: () => go(data.k, 0) });
  stage.startAgain(() => {
    Object.assign(state, turn);
    go(data.k, 0);
  });
  change(true);
  stage.ready();
}

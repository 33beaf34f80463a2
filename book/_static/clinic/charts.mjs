// Charts of the clinic as SVG: each has a name for screen readers, and the numbers stand in tables beside it.
import { path, scale, set, svg } from "../explore/lib/draw.mjs";
import { number } from "../explore/lib/words.mjs";

const SHADES = 8;
const MARKS = [
  ([x, y]) => `M${x} ${y}h0`,
  ([x, y]) => `M${x - 3} ${y}h6m-3-3v6`,
  ([x, y]) => `M${x - 3} ${y - 3}l6 6m0-6l-6 6`,
  ([x, y]) => `M${x - 3} ${y + 3}h6l-3-6z`,
];
const shorter = (value) => Math.round(value * 10) / 10;

function chart([width, height], label, ...children) {
  const area = svg("svg", { viewBox: `0 0 ${width} ${height}`, role: "img", "aria-label": label }, ...children);
  if (!label) set(area, { role: "presentation", "aria-hidden": "true" });
  area.style.maxWidth = `${width}px`;
  return area;
}

const words = (x, y, text, attributes = {}) => svg("text", { x, y, ...attributes }, text);

// Bars of shares with their sum as a line.
export function scree(shares) {
  const [width, height, left, bottom] = [380, 220, 52, 30];
  const x = scale([0, shares.length], [left, width - 8]);
  const y = scale([0, 1], [height - bottom, 12]);
  let total = 0;
  const sums = shares.map((share, i) => [x(i + 0.5), y((total += share))]);
  const bars = shares.map((share, i) =>
    svg("rect", { class: "bar", x: x(i + 0.1), width: 0.8 * x.slope, y: y(share), height: Math.max(y(0) - y(share), 0) }));
  const ticks = [0, 0.5, 1].map((share) => words(left - 6, y(share) + 5, `${100 * share} %`, { "text-anchor": "end" }));
  return chart([width, height], `Shares of the variance: ${shares.slice(0, 5).map((share) => `${number(100 * share, 1)} %`).join(", ")}`,
    ...bars, svg("path", { class: "line dashed", d: path(sums) }), ...ticks,
    words((left + width) / 2, height - 6, "axis", { "text-anchor": "middle" }));
}

// Marks of a scatter: `groups` gives each point a shade and a shape, or a shade by its value.
function marks(places, kinds) {
  const paths = new Map();
  places.forEach((place, i) => {
    const kind = kinds[i];
    const key = `${kind.shade} ${kind.shape}`;
    paths.set(key, (paths.get(key) ?? "") + MARKS[kind.shape](place.map(shorter)));
  });
  return [...paths].map(([key, d]) => {
    const [shade, shape] = key.split(" ");
    return svg("path", { class: `mark shade-${shade} shape-${shape}`, d });
  });
}

export const kindOfGroup = (i) => ({ shade: (i * 3) % SHADES, shape: i % MARKS.length });
export const kindOfShare = (share) => ({ shade: Math.min(Math.floor(share * SHADES), SHADES - 1), shape: 0 });

export function legendMark(kind) {
  return chart([16, 16], "", ...marks([[8, 8]], [kind]));
}

const reachOf = (points) => Math.max(...points.map(([x, y]) => Math.max(Math.abs(x), Math.abs(y)))) || 1;
const middled = (points) => {
  const mean = [0, 1].map((a) => points.reduce((sum, point) => sum + point[a], 0) / points.length);
  return points.map((point) => point.map((value, a) => value - mean[a]));
};

export function scatter(points, kinds, label, side = 240) {
  const centred = middled(points);
  const reach = 1.06 * reachOf(centred);
  const x = scale([-reach, reach], [2, side - 2]);
  const y = scale([-reach, reach], [side - 2, 2]);
  return chart([side, side], label, svg("rect", { class: "paper", x: 1, y: 1, width: side - 2, height: side - 2 }),
    ...marks(centred.map(([a, b]) => [x(a), y(b)]), kinds));
}

// Scores as marks, columns as arrows: the correlations of a column with the two scores, in a circle of radius 1.
export function biplot(points, kinds, correlations, names, label) {
  const side = 420;
  const reach = 1.05 * reachOf(points);
  const x = scale([-reach, reach], [2, side - 2]);
  const y = scale([-reach, reach], [side - 2, 2]);
  const unit = scale([-1.25, 1.25], [2, side - 2]);
  const order = names.map((_, j) => j).sort((i, j) => Math.hypot(...correlations[j]) - Math.hypot(...correlations[i])).slice(0, 12);
  const taken = []; // heights of the names so far: a name that would cover one moves up
  const arrows = order.flatMap((j) => {
    const end = [unit(correlations[j][0]), side - unit(correlations[j][1])];
    const isLeft = end[0] > side * 0.72;
    let height = end[1] - 4;
    while (taken.some(([other, wasLeft]) => wasLeft === isLeft && Math.abs(other - height) < 14)) height -= 7;
    taken.push([height, isLeft]);
    return [
      svg("path", { class: "arrow", d: path([[side / 2, side / 2], end]) }),
      svg("circle", { class: "tip", cx: end[0], cy: end[1], r: 3 }),
      words(end[0] + (isLeft ? -6 : 6), height, names[j].slice(0, 22), { class: "name", "text-anchor": isLeft ? "end" : "start" }),
    ];
  });
  return chart([side, side], label, svg("rect", { class: "paper", x: 1, y: 1, width: side - 2, height: side - 2 }),
    ...marks(points.map(([a, b]) => [x(a), y(b)]), kinds), svg("circle", { class: "unit", cx: side / 2, cy: side / 2, r: unit.slope }), ...arrows);
}

export function histogram(edges, counts, label) {
  const [width, height, bottom] = [380, 160, 26];
  const x = scale([edges[0], edges.at(-1)], [8, width - 8]);
  const y = scale([0, Math.max(...counts)], [height - bottom, 8]);
  const bars = counts.map((count, i) =>
    svg("rect", { class: "bar", x: x(edges[i]), width: Math.max(x(edges[i + 1]) - x(edges[i]) - 1, 1), y: y(count), height: y(0) - y(count) }));
  return chart([width, height], label, ...bars, words(8, height - 6, "0"),
    words(width - 8, height - 6, `distance ${edges.at(-1).toPrecision(3)}`, { "text-anchor": "end" }));
}

// R_NX(k) of all maps over log k; the line of a map has the dashes of its name in the legend.
export const dashes = (i) => ["", "7 3", "2 3", "9 3 2 3", "1 4", "12 4", "4 4", "6 2 1 2", "3 6"][i % 9];
export function curves(maps) {
  const [width, height, left, bottom] = [640, 300, 44, 34];
  const last = Math.max(...maps.map((map) => map.k.at(-1)));
  const x = scale([0, Math.log(last)], [left, width - 10]);
  const y = scale([0, 1], [height - bottom, 10]);
  const lines = maps.map((map, i) => svg("path", {
    class: `line shade-${(i * 3) % SHADES}`, "stroke-dasharray": dashes(i),
    d: path(map.k.map((k, at) => [x(Math.log(k)), y(Math.max(map.gained[at], 0))])),
  }));
  const ks = [1, 3, 10, 30, 100, 300].filter((k) => k <= last).map((k) => words(x(Math.log(k)), height - 12, k, { "text-anchor": "middle" }));
  const shares = [0, 0.25, 0.5, 0.75, 1].flatMap((share) => [
    words(left - 6, y(share) + 5, share, { "text-anchor": "end" }), svg("path", { class: "grid", d: path([[left, y(share)], [width - 10, y(share)]]) }),
  ]);
  return chart([width, height], `Kept neighbours R over k: ${maps.map((map) => `${map.map} ${number(map.area)}`).join(", ")}`, ...shares, ...ks, ...lines);
}
export function legendLine(i) {
  return chart([34, 12], "", svg("path", { class: `line shade-${(i * 3) % SHADES}`, "stroke-dasharray": dashes(i), d: "M1 6h32" }));
}

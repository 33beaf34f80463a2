// What the clinic found, as sections of the page.
import { html } from "../explore/lib/draw.mjs";
import { count, number, percent } from "../explore/lib/words.mjs";
import { biplot, curves, histogram, kindOfGroup, kindOfShare, legendLine, legendMark, scatter, scree } from "./charts.mjs";

const LEVELS = { bad: "A hypothesis fails", look: "Know this", good: "Holds" };

export function table(caption, head, rows) {
  const cells = (row, tag) => html("tr", {}, ...row.map((cell, i) => html(i || tag === "th" ? tag : "th", tag === "th" ? { scope: "col" } : i ? {} : { scope: "row" }, cell)));
  const body = html("table", {}, html("caption", {}, caption), html("thead", {}, cells(head, "th")), html("tbody", {}, ...rows.map((row) => cells(row, "td"))));
  return html("div", { class: "scroll", tabindex: 0, role: "region", "aria-label": caption }, body);
}

export function section(title, ...children) {
  return html("section", {}, html("h2", {}, title), ...children);
}

const listed = (notes) => html("ul", { class: "notes" }, ...notes.map((note) => html("li", {}, note)));

// A shade and a shape for every row of the table: by its group, or by its place along the first axis.
export function kindsOf(groups, column, linear) {
  if (column) {
    const names = [...new Set(groups[column])].sort();
    const kinds = new Map(names.map((name, i) => [name, kindOfGroup(i)]));
    return { legend: [...kinds], of: (row) => kinds.get(groups[column][row]) };
  }
  const first = new Map(linear.rows.map((row, i) => [row, linear.scores[i][0]]));
  const [low, high] = [Math.min(...first.values()), Math.max(...first.values())];
  return { legend: [], of: (row) => kindOfShare((first.get(row) - low) / (high - low || 1)) };
}

export function linearSection(linear, kinds) {
  const rowKinds = linear.rows.map(kinds.of);
  const points = linear.scores.map(([x, y = 0]) => [x, y]);
  const pairs = linear.correlations.map(([a, b = 0]) => [a, b]);
  const shown = linear.shares.slice(0, 10);
  const words = `The first two axes have ${percent(linear.shares[0] + (linear.shares[1] ?? 0))} of the variance. `
    + `${count(linear.brokenStick, "axis").replace("axiss", "axes")} above the broken stick.`;
  return section("Principal components", ...(linear.notes.length ? [listed(linear.notes)] : []), html("p", {}, words),
    html("div", { class: "side" },
      html("figure", {}, scree(shown), html("figcaption", {}, "Share of the variance of each axis, and their sum (dashed).")),
      html("figure", {}, biplot(points, rowKinds, pairs, linear.names, `Biplot of ${count(points.length, "row")} and ${count(linear.names.length, "column")}`),
        html("figcaption", {}, "Biplot: rows as marks, columns as arrows (correlations with the two scores; circle: 1)."))),
    table("Variances", ["axis", "variance", "share", "sum"], shown.map((share, i) => [
      String(i + 1), linear.variances[i].toPrecision(4), percent(share), percent(linear.shares.slice(0, i + 1).reduce((a, b) => a + b, 0)),
    ])),
    table("Loadings (correlations of columns with scores) and axes", ["column", "axis 1", "axis 2", "entry of axis 1", "entry of axis 2"],
      linear.names.map((name, j) => [name, ...[...pairs[j], linear.axes[j][0], linear.axes[j][1] ?? 0].map((value) => number(value))])));
}

export function distanceSection(distances) {
  const [mle, twoNn] = distances.dimensions;
  const facts = [
    `${distances.mapped} rows are mapped; k = ${distances.k} neighbours (${{ data: "chosen from the data", reader: "your choice", default: "the default" }[distances.chosenBy]}).`,
    `The farthest row is ${number(distances.contrast, 1)} times as far as the nearest (median).`,
    mle === null && twoNn === null ? "" : `Dimension near a point: ${[mle, twoNn].filter((value) => value !== null).map((value) => number(value, 1)).join(" or ")}.`,
    distances.stretch === null ? "" : `Paths along the data are ${number(distances.stretch)} times as long as straight lines (median).`,
  ].filter(Boolean);
  const label = "Histogram of the distances between rows";
  const parts = [listed(facts), html("figure", {}, histogram(distances.edges, distances.counts, label), html("figcaption", {}, label))];
  if (distances.reasons.length) {
    parts.push(html("details", {}, html("summary", {}, "Why this number of neighbours"), listed(distances.reasons)));
  }
  return section("Distances and neighbours", ...parts);
}

export function mapFigure(map, kinds, rows) {
  if (map.refused) return html("figure", { class: "map" }, html("p", { class: "refused" }, `${map.map}: ${map.refused}`));
  const label = `${map.map} of ${count(map.rows.length, "row")}`;
  return html("figure", { class: "map" }, scatter(map.embedding, map.rows.map((row) => kinds.of(rows[row])), label),
    html("figcaption", {}, html("strong", {}, map.map), ` ${map.rows.length} rows, area ${number(map.area)}`));
}

export function legend(kinds) {
  return html("p", { class: "legend" }, ...kinds.legend.flatMap(([name, kind]) => [html("span", {}, legendMark(kind), ` ${name}`)]));
}

const fact = (value) => (typeof value === "number" ? value.toPrecision(3) : value);

export function qualitySection(maps) {
  const shown = maps.filter((map) => !map.refused);
  const key = html("p", { class: "legend" }, ...shown.map((map, i) => html("span", {}, legendLine(i), ` ${map.map}`)));
  return section("Quality of the maps",
    html("figure", {}, curves(shown), key, html("figcaption", {}, "R(k): 1 if a map keeps all k neighbours, 0 if it keeps no more than chance; k on a logarithmic scale.")),
    table("Quality and what each method reports", ["map", "rows", "area of R", "trustworthiness", "continuity", "k of both", "of the method"], shown.map((map) => [
      map.map, String(map.rows.length), number(map.area, 3), number(map.trustworthiness, 3), number(map.continuity, 3), String(map.qualityNeighbours),
      Object.entries(map.facts).map(([name, value]) => `${name} ${fact(value)}`).join(", "),
    ])));
}

export function stabilitySection(axes, maps) {
  const degrees = (values) => values ? values.map((value) => `${number(value, 1)}°`) : ["–", "–", "–"];
  const rows = [["first axis turns by", ...degrees(axes.firstAxisDegrees)], ["plane turns by", ...degrees(axes.planeDegrees)],
    ["share of the plane", ...axes.shareOfPlane.map(percent)]];
  const changes = maps.filter(({ errors }) => errors).map(({ map, errors }) => [map, ...errors.map((value) => number(value))]);
  return section("Stability",
    table("PCA over 30 bootstrap samples", ["measure", "5 %", "median", "95 %"], rows),
    table("Maps without a fifth of the rows: Procrustes error, 0 for the same map", ["map", "5 %", "median", "95 %"], changes));
}

export function findingsSection(findings) {
  const items = findings.map(({ level, words, see }) => html("li", { class: level }, html("strong", {}, `${LEVELS[level]}: `), words,
    ...(see ? [" ", html("a", { href: see.replace("#", ".html#") }, "Read why")] : [])));
  return section("The contracts on your data", html("ul", { class: "findings" }, ...items));
}

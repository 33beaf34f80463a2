// The data clinic: a table is read, reduced and judged by Python in this page (dimred_ref.clinic.session), step by step.
import { html } from "../explore/lib/draw.mjs";
import { distanceSection, findingsSection, kindsOf, legend, linearSection, mapFigure, qualitySection, section, stabilitySection, table } from "./results.mjs";

const MAX_MEGABYTES = 30;
const CODE = (request) => `from dimred_ref.clinic.session import answer
answer(${JSON.stringify(JSON.stringify(request))}, open("clinic_table", "rb").read())`;
const EXAMPLE = `from importlib.resources import files
import dimred_ref.clinic.session
(files("dimred_ref") / "data" / "penguins.csv").read_text()`;

export function mount(place, compute) {
  const state = { file: null, read: null, results: {}, running: null, isStopped: false };
  const field = (label, control) => html("label", {}, `${label} `, control);
  const select = (options) => html("select", {}, ...options.map(([value, words]) => html("option", { value }, words)));
  const button = (words, press, attributes = {}) => {
    const element = html("button", { type: "button", ...attributes }, words);
    element.addEventListener("click", press);
    return element;
  };
  const input = html("input", { type: "file", accept: ".csv,.tsv,.txt,.dat,text/csv,text/plain" });
  const pasted = html("textarea", { rows: 4, spellcheck: "false", "aria-label": "A table, pasted" });
  const status = html("p", { role: "status", class: "status" });
  const progress = html("progress", { max: 1, value: 0, "aria-label": "Progress of the analysis", hidden: "" });
  const settings = html("div", { class: "settings" });
  const output = html("div", { class: "results" });
  const stop = button("Stop", () => halt(), { disabled: "" });
  const tell = (words) => (status.textContent = words);

  function halt() {
    state.isStopped = true;
    tell("Stopping…");
    state.running?.stop();
  }

  async function ask(request, words = "") {
    state.running = compute(CODE({ ...request, file: state.file.name, choices: choices() }), {
      file: { name: "clinic_table", text: state.file.bytes }, tell: (stage) => words || tell(stage),
    });
    const { value, error } = await state.running.answer;
    if (error) throw new Error(error === "Stopped." ? error : error.trim().split("\n").at(-1));
    const result = JSON.parse(value);
    if (result.error) throw new Error(result.error);
    return result;
  }

  const choices = () => {
    if (!state.controls) return {};
    const { header, scaling, missing, k, columns } = state.controls;
    const chosen = columns.filter((box) => box.checked).map((box) => box.value);
    return {
      header: header.value, scaling: scaling.value, missing: missing.value, columns: chosen,
      ...(k.value ? { n_neighbors: Number(k.value) } : {}),
    };
  };

  async function guarded(work) {
    if (state.isBusy) return tell("An analysis is running: stop it first.");
    Object.assign(state, { isBusy: true, isStopped: false });
    stop.disabled = false;
    place.setAttribute("aria-busy", "true");
    try {
      await work();
    } catch (error) {
      tell(state.isStopped ? "Stopped. What was computed before stays below." : error.message);
      status.classList.toggle("problem", !state.isStopped);
    }
    progress.hidden = stop.disabled = true;
    state.isBusy = false;
    place.setAttribute("aria-busy", "false");
  }

  const open = (name, size, read) => guarded(async () => {
    status.classList.remove("problem");
    Object.assign(state, { controls: null, read: null, results: {} });
    settings.replaceChildren();
    output.replaceChildren();
    if (size > MAX_MEGABYTES * 2 ** 20) throw new Error(`the file has more than ${MAX_MEGABYTES} MB: take fewer rows`);
    state.file = { name, bytes: await read() };
    await reread();
  });

  async function reread() {
    tell("Reading the table…");
    state.read = await ask({ step: "read" });
    showSettings();
    tell(`${state.read.rows} rows, ${state.read.columns.length} columns: ${state.read.notes.join("; ")}.`);
  }

  function showSettings() {
    const { columns, groups } = state.read;
    const old = state.controls;
    const boxes = columns.filter((column) => column.isNumber).map((column) => {
      const box = html("input", { type: "checkbox", value: column.name, ...(column.isCounter ? {} : { checked: "" }) });
      const note = column.isCounter ? "counts the rows" : "";
      return { box, row: [html("label", {}, box, ` ${column.name}`), column.first.join(", "), String(column.missing), note] };
    });
    const texts = columns.filter((column) => !column.isNumber).map((column) => [column.name, column.first.join(", "), String(column.missing), column.note || "text"]);
    const header = select([["auto", "recognised"], ["yes", "the first line"], ["no", "none"]]);
    header.value = old?.header.value ?? "auto";
    header.addEventListener("change", () => guarded(reread));
    const scaling = select([["standardise", "to variance 1"], ["centre", "none, own units"], ["log", "logarithm, then variance 1"]]);
    const missing = select([["drop", "leave the rows out"], ["mean", "fill in the mean"], ["refuse", "refuse"]]);
    const k = html("input", { type: "number", min: 1, step: 1, placeholder: "from the data", inputmode: "numeric" });
    const colour = select([["", "first axis"], ...Object.keys(groups).map((name) => [name, name])]);
    colour.value = Object.keys(groups)[0] ?? "";
    state.controls = { header, scaling, missing, k, colour, columns: boxes.map(({ box }) => box) };
    colour.addEventListener("change", () => state.results.linear && render());
    settings.replaceChildren(table("Columns of the table", ["column", "first entries", "missing", "note"], [...boxes.map(({ row }) => row), ...texts]),
      html("div", { class: "controls" }, field("Header", header), field("Scaling", scaling), field("Missing entries", missing), field("Neighbours k", k),
        field("Colour", colour)),
      html("div", { class: "controls" }, button("Analyse", () => guarded(analyse), { class: "main" }), stop));
  }

  async function analyse() {
    status.classList.remove("problem");
    if (!choices().columns.length) throw new Error("tick at least 2 columns");
    state.results = { maps: [], stability: [] };
    output.replaceChildren();
    progress.hidden = false;
    const plan = state.read.plan;
    for (const [at, step] of plan.entries()) {
      progress.value = at / plan.length;
      tell(`${at + 1} of ${plan.length}: ${step.words}…`);
      const result = await ask(step, step.words);
      if (state.isStopped) throw new Error("Stopped.");
      if (step.step === "map") state.results.maps.push(result);
      else if (step.step === "map_stability") state.results.stability.push(result);
      else state.results[step.step] = result;
      render();
    }
    tell("Done.");
  }

  function render() {
    const { linear, distances, maps, axes, stability, report } = state.results;
    if (!linear) return;
    const kinds = kindsOf(state.read.groups, state.controls.colour.value, linear);
    const parts = [];
    if (report) parts.push(findingsSection(report.findings));
    parts.push(linearSection(linear, kinds));
    if (distances) parts.push(distanceSection(distances));
    if (maps.length) parts.push(section("Maps", legend(kinds), html("div", { class: "maps" }, ...maps.map((map) => mapFigure(map, kinds, linear.rows)))));
    if (maps.some((map) => !map.refused)) parts.push(qualitySection(maps));
    if (axes) parts.push(stabilitySection(axes, stability));
    if (report) parts.push(takeAway(report, linear, maps));
    output.replaceChildren(...parts);
  }

  const download = (words, name, text) => html("a", { download: name, href: URL.createObjectURL(new Blob([text], { type: "text/plain" })), class: "download" }, words);

  function takeAway({ paragraph, script, findings }, linear, maps) {
    const quoted = (name) => `"${String(name).replaceAll('"', '""')}"`;
    const drawn = maps.filter((map) => !map.refused);
    const places = drawn.map((map) => new Map(map.rows.map((row, i) => [row, map.embedding[i]])));
    const lines = linear.rowNames.map((name, i) => [quoted(name), ...places.flatMap((rows) => rows.get(i) ?? ["", ""])].join(","));
    const head = ["row", ...drawn.flatMap((map) => [`${map.map} 1`, `${map.map} 2`])].map(quoted).join(",");
    const text = `${paragraph}\n\n${findings.map((finding) => `- ${finding.words}`).join("\n")}\n`;
    return section("Take it away", html("h3", {}, "A paragraph for the methods section"), html("blockquote", {}, paragraph),
      html("p", { class: "controls" }, download("The Python that repeats this", "clinic.py", script), download("Coordinates of all maps", "maps.csv", [head, ...lines].join("\n")),
        download("Paragraph and findings", "clinic.txt", text)),
      html("details", {}, html("summary", {}, "Show the Python"), html("pre", { tabindex: 0 }, script)));
  }

  const take = (file) => file && open(file.name, file.size, async () => new Uint8Array(await file.arrayBuffer()));
  const openText = (name, text) => take(new File([text], name));
  input.addEventListener("change", () => take(input.files[0]));
  input.addEventListener("click", () => (input.value = "")); // the same file, changed meanwhile, is read again
  const drop = html("div", { class: "drop" }, field("Your table (CSV or text)", input), html("p", {}, "or drop the file here. It stays in this browser: Python runs in the page, and nothing is sent anywhere."));
  drop.addEventListener("dragover", (event) => (event.preventDefault(), drop.classList.add("over")));
  drop.addEventListener("dragleave", () => drop.classList.remove("over"));
  drop.addEventListener("drop", (event) => {
    event.preventDefault();
    drop.classList.remove("over");
    take(event.dataTransfer.files[0]);
  });
  const example = button("Try it with the penguins", () => !state.isBusy && guarded(async () => {
    tell("Fetching Python…");
    const { value, error } = await compute(EXAMPLE, { tell }).answer;
    if (error) throw new Error(error.trim().split("\n").at(-1));
    state.isBusy = false;
    await openText("penguins.csv", value);
  }));
  const paste = html("details", {}, html("summary", {}, "Paste a table"), pasted,
    button("Read what was pasted", () => openText("pasted.csv", pasted.value)));
  place.replaceChildren(drop, html("div", { class: "controls" }, example), paste, status, progress, settings, output);
  place.classList.add("is-live");
}

// Break this theorem: hypotheses are switches; the page searches for a counterexample, or judges one that a reader pastes.
import { html, set } from "../lib/draw.mjs";
import { uniform } from "../lib/eigen.mjs";
import { inSlices } from "../lib/slices.mjs";
import { dataOf } from "../lib/stage.mjs";
import { number } from "../lib/words.mjs";
import { claims, isBroken, searching } from "./claims.mjs";

const LIMIT = 5000; // examples in a search

const shown = (value) => (typeof value === "number" ? number(value, Number.isInteger(value) ? 0 : 3) : String(value));

// A number, a word, a vector or a matrix of an example.
function entry(name, value) {
  if (!Array.isArray(value)) return html("p", {}, `${name}: ${shown(value)}`);
  const lines = Array.isArray(value[0]) ? value : [value];
  return html("table", { class: "entries" }, html("caption", {}, name), html("tbody", {},
    ...lines.map((line) => html("tr", {}, ...line.map((number_) => html("td", {}, shown(number_)))))));
}

export function mount(figure) {
  const data = dataOf(figure);
  const claim = claims[data.claim];
  let [seed, halt] = [0, null];
  const switches = data.hypotheses.map(({ words, off }, i) => {
    const box = html("input", { type: "checkbox", id: `${data.claim}-${i}`, autocomplete: "off" });
    const text = html("label", { for: box.id }, words);
    box.checked = true;
    box.addEventListener("change", () => {
      text.textContent = box.checked ? words : `Off: ${off}`;
      end();
      tell(box.checked ? "" : "Now search.");
    });
    return { box, text };
  });
  const status = html("p", { class: "words", role: "status" });
  const found = html("div", { class: "found" });
  const area = html("textarea", { rows: 4, spellcheck: "false", "aria-label": "An example, as JSON" });
  const tell = (words) => (status.textContent = words);
  const button = (words, press, attributes = {}) => {
    const element = html("button", { type: "button", ...attributes }, words);
    element.addEventListener("click", press);
    return element;
  };
  const stop = button("Stop", () => end("Stopped."), { disabled: "" });
  const isOn = () => switches.map(({ box }) => box.checked);

  function end(words) {
    halt?.();
    halt = null;
    stop.disabled = true;
    if (words) tell(words);
  }

  function show(example, sides) {
    const relation = isBroken(sides) ? (sides.isEqual ? "≠" : ">") : sides.isEqual ? "=" : "≤";
    const [left, right] = [sides.left, sides.right].map((value) => number(value, Number.isInteger(value) ? 0 : 4));
    found.replaceChildren(html("p", {}, html("strong", {}, `${left} ${relation} ${right}`), ` (left: ${sides.words[0]}; right: ${sides.words[1]})`),
      html("div", { class: "counterexample" }, ...Object.entries(example).flatMap(([name, value]) => entry(name, value))));
    area.value = JSON.stringify(example);
  }

  const report = (result) => {
    figure.explorable = { on: isOn(), ...result };
    if (!result.example) return tell(`No counterexample: ${result.tried} examples tried, and the claim held in each.`);
    show(result.example, result.sides);
    return tell(`A counterexample after ${result.tried} ${result.tried === 1 ? "example" : "examples"}.`);
  };

  function search() {
    end();
    found.replaceChildren();
    tell("Searching…");
    stop.disabled = false;
    seed += 1;
    halt = inSlices(searching(claim, isOn(), uniform(2654435761 * seed), LIMIT), (result) => {
      end();
      report(result);
    });
  }

  function judge() {
    end();
    try {
      const example = JSON.parse(area.value);
      const failing = claim.holds(example).flatMap((obeyed, i) => (obeyed ? [] : [i + 1]));
      const sides = claim.judge(example);
      if (!Number.isFinite(sides.left) || !Number.isFinite(sides.right)) throw new TypeError("not numbers");
      show(example, sides);
      const verdict = isBroken(sides) ? "The claim fails here" : "The claim holds here";
      tell(failing.length ? `${verdict}; hypothesis ${failing.join(" and ")} does not hold for this example.` : `${verdict}; all hypotheses hold.`);
      figure.explorable = { example, sides, failing };
    } catch {
      found.replaceChildren();
      tell("This is not an example of this theorem. Start from one that the page shows, and change its numbers.");
    }
  }

  area.value = JSON.stringify(data.hypotheses[0].example);
  const live = html("details", { class: "live theorem" }, html("summary", {}, "Break this theorem"),
    html("fieldset", {}, html("legend", {}, "Hypotheses"), ...switches.map(({ box, text }) => html("p", {}, box, " ", text))),
    html("div", { class: "controls" }, button("Search for a counterexample", search), stop), status, found,
    html("details", {}, html("summary", {}, "Try an example of your own"), area, html("div", { class: "controls" }, button("Judge it", judge))));
  set(live, { "data-claim": data.claim });
  figure.querySelector("figcaption").before(live);
  figure.classList.add("is-live");
  figure.explorable = { on: isOn() };
}

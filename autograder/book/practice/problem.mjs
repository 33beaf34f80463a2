// A problem to practise on: fresh numbers, fields, a verdict, a worked solution, progress on this device.
import { judge } from "./judge.mjs";
import { Unreadable, read, shown } from "./read.mjs";
import { information, separatedBy } from "./separate.mjs";

const places = JSON.parse(document.getElementById("practice-places")?.textContent ?? "{}");
const STORE = "practice:";
const DATA_FORMAT = 1; // the newest that this script reads

/** An element with properties and children; texts stay texts. */
export function make(tag, properties = {}, ...children) {
  const element = Object.assign(document.createElement(tag), properties);
  element.append(...children);
  return element;
}

/** Storage may be switched off; then nothing is kept. */
function tried(work) {
  try {
    return work();
  } catch {
    return null;
  }
}

function remembered(task) {
  const { at = 0, solved } = tried(() => JSON.parse(localStorage.getItem(STORE + task))) ?? {};
  return { at, solved: Array.isArray(solved) ? solved : [] };
}
const place = tried(() => localStorage.isBrief) ? "until you leave this page" : "on this device";

/** The text of one variant, with labels as links. */
export function unfolded(texts, number) {
  const [form, numbers] = texts.rows[number];
  const own = numbers.split(" ");
  const text = texts.forms[form].map((piece, i) => piece + (own[i] ?? "")).join("");
  return text.replace(/\[\[([a-z0-9-]+)\]\]/g, (_, label) => places[label][0] ? `<a href="${places[label][0]}">${places[label][1]}</a>` : places[label][1]);
}

/** The page came with its formulas typeset; what typesets new ones is fetched with the first of them. */
let program;
function typesetter() {
  if (document.querySelector("script[src*='mathjax/']")) return; // the page typesets all its formulas itself
  window.MathJax = { ...window.MathJax, startup: { typeset: false } };
  const src = new URL("../mathjax/tex-mml-chtml.js", import.meta.url);
  return new Promise(done => document.head.append(make("script", { src, onload: done, onerror: done })));
}

async function fill(element, html) {
  element.innerHTML = html;
  if (element.querySelector(".math")) await (program ??= typesetter());
  await window.MathJax?.startup?.promise;
  await window.MathJax?.typesetPromise?.([element]);
  dispatchEvent(new Event("resize")); // wide formulas are measured anew
}

/** More than one mistake gives these numbers. */
const doubt = ways => (ways.length > 1 ? ` Another mistake gives the same here: “New numbers” tells them apart.` : "");

/** Why a field for one number reads more than one. */
function apart(typed) {
  if (/\d,\d/.test(typed)) return " (a comma keeps two numbers apart; decimals have a point)";
  return /[\d)] +[-+]/.test(typed) ? " (a blank before a sign keeps two numbers apart; a difference is 3 - 2)" : "";
}

export class Problem {
  /** `number`: the variant to begin with, in place of the remembered one. */
  constructor(root, number = null) {
    this.root = root;
    this.task = root.dataset.task;
    this.text = root.querySelector(".practice-text");
    this.state = remembered(this.task);
    if (number !== null) this.state.at = number;
    this.isFirst = true; // no answer to these numbers was judged yet
    this.isHelped = false; // their solution was opened
    this.form = make("form", { noValidate: true, autocomplete: "off" });
    this.verdict = make("div", { className: "practice-verdict", role: "status" });
    this.worked = make("div", { className: "practice-worked", hidden: true, tabIndex: -1 });
    this.progress = make("span", { role: "status" });
    const door = root.querySelector(".practice-door");
    door.before(this.form, this.verdict, this.worked);
    door.after(this.footer());
    this.ready = this.start();
  }

  async start() {
    try {
      const address = new URL(`data/${this.task}.json?${this.root.dataset.version}`, import.meta.url);
      const answer = await fetch(address);
      if (!answer.ok) throw new Error(answer.statusText);
      this.data = await answer.json();
      if ((this.data.format ?? 0) > DATA_FORMAT) {
        this.verdict.textContent = "These numbers were made by a newer version. Reload the page without its cache.";
        return;
      }
    } catch {
      this.verdict.textContent = "The numbers could not be loaded. Reload the page to try again.";
      return;
    }
    if (!this.data.variants[this.state.at]) this.state.at = 0;
    this.build();
    if (this.state.at || !this.text.hasChildNodes()) await this.show();
    this.root.dataset.ready = "";
  }

  get variant() {
    return this.data.variants[this.state.at];
  }

  build() {
    this.fields = this.data.form.map((form, i) => this.field(form, i));
    const button = (textContent, onclick) => make("button", { type: "button", textContent, onclick });
    const buttons = [make("button", { type: "submit", textContent: "Check" }), button("New numbers", () => this.renew())];
    if (this.data.worked) buttons.push(button("Worked solution", () => this.explain()));
    this.form.append(...this.fields.map(field => field.line), make("div", { className: "practice-buttons" }, ...buttons));
    this.form.onsubmit = event => {
      event.preventDefault();
      this.check();
    };
    this.count();
  }

  field(form, i) {
    const name = this.data.parts[i] ?? "";
    const id = `practice-${this.task}-${i}`;
    const sample = this.data.variants[0].answer[i];
    const isTable = Array.isArray(sample?.[0]);
    const input = make(isTable ? "textarea" : "input", { id, maxLength: 500, spellcheck: false, autocapitalize: "off" });
    const echo = make("span", { id: `${id}-read`, className: "practice-read" });
    input.setAttribute("aria-describedby", echo.id);
    const field = { input, echo, name: name || form, isNumber: !Array.isArray(sample) };
    input.oninput = () => this.echo(field);
    // behind its name the shape of a list; a number has none, only other words for the same
    const words = [make("b", { textContent: field.name }), name && form.startsWith("[") ? ` ${form}` : ""];
    field.line = make("p", { className: "practice-field" }, make("label", { htmlFor: id }, ...words), input, echo);
    return field;
  }

  /** Say how a field is read. */
  echo({ input, echo, isNumber }) {
    input.removeAttribute("aria-invalid");
    echo.className = "practice-read";
    try {
      const answer = input.value.trim() && read(input.value, isNumber);
      echo.textContent = answer ? `read as ${shown(answer)}${isNumber && answer.shape.length ? apart(input.value) : ""}` : "";
    } catch (error) {
      if (!(error instanceof Unreadable)) throw error;
      echo.textContent = "not readable yet";
    }
  }

  check() {
    const empty = this.fields.find(({ input }) => !input.value.trim());
    if (empty) {
      this.say(false, "Not yet.", `Still empty: ${empty.name}.`);
      empty.input.focus();
      return;
    }
    const found = judge(this.data, this.variant, this.fields.map(({ input }) => input.value));
    const { passed, parts, fraction, message, see, ways } = found;
    this.fields.forEach((field, i) => this.tell(field, parts[i]));
    if (passed) {
      this.say(true, "Correct.", "Fresh numbers are one click away.");
      this.save(this.variant.seed);
    } else this.say(false, fraction ? "Partly right." : "Try again.", message + doubt(ways), parts.length ? see : "");
    if (parts.length) this.report(found);
  }

  /** Tell whoever keeps the reader's path. */
  report({ passed, misconception, ways }) {
    const separated = separatedBy(this.data, this.variant).map(way => this.data.wrongs[way][0]);
    const { task, isFirst, isHelped } = this;
    if (!passed) this.suspects = ways;
    this.isFirst = false;
    const detail = { task, passed, misconception, ways, isFirst, isHelped, separated, data: this.data, number: this.state.at };
    dispatchEvent(new CustomEvent("practice-answer", { detail }));
  }

  /** Mark a field, and of a list its entries. */
  tell(field, part) {
    this.echo(field);
    if (!part) return;
    if (!part.isRight) field.input.setAttribute("aria-invalid", "true");
    field.echo.className = `practice-read ${part.isRight ? "is-right" : "is-wrong"}`;
    const entries = part.entries?.map((yes, i) => `${i + 1} ${yes ? "✔" : "✘"}`).join(", ");
    field.echo.textContent += part.isRight ? ": right ✔" : `: not right ✘${entries ? ` (entries ${entries})` : ""}`;
  }

  /** The verdict. Whatever was typed is shown as text. */
  say(isRight, head, message, see = "") {
    this.verdict.className = `practice-verdict ${isRight ? "is-right" : "is-wrong"}`;
    const link = places[see]?.[0] ? [" Reread: ", make("a", { href: places[see][0], textContent: places[see][1] }), "."] : [];
    this.verdict.replaceChildren(make("strong", { textContent: head }), ` ${message}`, ...link);
  }

  async renew() {
    const others = this.data.variants.map((_, i) => i).filter(i => i !== this.state.at);
    const fresh = others.filter(i => !this.state.solved.includes(this.data.variants[i].seed));
    const pool = this.telling(fresh.length ? fresh : others);
    this.state.at = pool[Math.floor(Math.random() * pool.length)];
    this.save();
    await this.show();
    this.say(true, "New numbers.", "");
    this.fields[0].input.focus();
  }

  /** The numbers that tell the mistakes apart of which the last answer could be. */
  telling(numbers) {
    if (!(this.suspects?.length > 1)) return numbers;
    const possible = this.suspects.map(way => ({ data: this.data, way, weight: 1 }));
    const bits = numbers.map(number => information(possible, this.data, number));
    return numbers.filter((_, i) => bits[i] >= Math.max(...bits) - 1e-9);
  }

  async show() {
    this.clear();
    [this.isFirst, this.isHelped] = [true, false];
    await fill(this.text, unfolded(this.data.text, this.state.at));
  }

  clear() {
    this.worked.hidden = true;
    this.verdict.replaceChildren();
    this.verdict.className = "practice-verdict";
    for (const field of this.fields) {
      field.input.value = "";
      this.echo(field);
    }
  }

  async explain() {
    this.worked.hidden = false;
    this.isHelped = true;
    await fill(this.worked, `<h4>Worked solution</h4>${unfolded(this.data.worked, this.state.at)}`);
    this.worked.focus();
  }

  count() {
    this.progress.textContent = `Solved here: ${this.state.solved.length} of ${this.data.variants.length}, kept ${place}. `;
  }

  /** Keep what was solved, here and in other tabs. */
  save(...solved) {
    this.state.solved = [...new Set([...remembered(this.task).solved, ...this.state.solved, ...solved])];
    tried(() => localStorage.setItem(STORE + this.task, JSON.stringify(this.state)));
    this.count();
  }

  footer() {
    const onclick = () => {
      tried(() => localStorage.removeItem(STORE + this.task));
      this.state.solved = [];
      if (this.data) this.count();
    };
    const erase = make("button", { type: "button", textContent: "Erase", ariaLabel: "Erase the progress of this problem", onclick });
    return make("p", { className: "practice-footer" }, this.progress, erase);
  }
}

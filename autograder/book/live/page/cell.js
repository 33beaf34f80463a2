// A cell that a reader writes in and runs: an editor, a row of buttons, and below what came of it. Nothing is fetched
// before a cell is first touched; then one Python serves all cells of the page.
import { Python } from "./python.js";

// What Python needs of a browser and this one does not have, if anything.
export const LACKING = ["WebAssembly", "Worker", "DecompressionStream"].find(name => !(name in globalThis));
export const LIVE = new URL("../", import.meta.url);
export const COMMAND = /Mac|iPhone|iPad/.test(navigator.platform) ? "⌘" : "Ctrl";
const python = new Python();

// Made once; what failed is tried again when it is next wanted: the network may be back.
const once = make => {
  const made = new Map();
  return (name = "", ...others) => {
    if (!made.has(name)) made.set(name, make(name, ...others).catch(error => (made.delete(name), Promise.reject(error))));
    return made.get(name);
  };
};
const asked = async (address, options) => {
  const answer = await fetch(address, options).catch(() => Promise.reject(new Error("The page could not fetch what it needs. Is there a network?")));
  if (!answer.ok) throw new Error(`${address} is not there (${answer.status})`);
  return answer;
};
export const assets = once(async () => (await asked(new URL("live.json", LIVE), { cache: "no-cache" })).json());
const editor = once(async () => (await import(new URL((await assets()).editor, LIVE))).editor);
const warmUp = once(async () => python.start(LIVE, await assets()));

// For a page's own script: run code beside a file {name, text}; `answer` is a promise of {value, error}, `stop` ends it.
export function compute(code, { file, tell = () => {} } = {}) {
  const asking = python.request(tell);
  const answer = warmUp().then(() => asking.send({ code, before: [], again: true, value: true }, file));
  return { answer, stop: asking.stop };
}

// What a file of the site holds; `choose` finds its place in the table of assets.
export const fileOf = once(async (name, choose) => (await asked(new URL(choose(await assets()), LIVE))).json());

export function element(tag, properties = {}, ...children) {
  const made = Object.assign(document.createElement(tag), properties);
  made.append(...children);
  return made;
}

const TAGS = "DIV STRONG A DETAILS SUMMARY TABLE TBODY TR TH TD PRE IMG".split(" ");
const ATTRIBUTES = { class: /^/, style: /^/, open: /^/, alt: /^/, href: /^(https?:|[^:]*$)/, src: /^data:image\// };

// A verdict is the engine's HTML. A cell could put another engine in its place: nothing but what verdicts are made of
// gets into the page.
export function verdictFrom(html) {
  const { body } = new DOMParser().parseFromString(html, "text/html");
  for (const one of body.querySelectorAll("*")) {
    if (!TAGS.includes(one.tagName)) one.replaceWith(one.textContent);
    for (const { name, value } of [...one.attributes]) if (!ATTRIBUTES[name]?.test(value)) one.removeAttribute(name);
  }
  return [...body.childNodes];
}

// A subclass gives `request()`, what is to be run, and may offer more buttons.
export class Cell {
  constructor({ place, name, label, first, text = first }) {
    Object.assign(this, { place, name, label, first });
    this.build(text);
  }

  build(text) {
    // a browser that brings back what stood in fields would fill the wrong ones: some have become editors
    this.area = element("textarea", { value: text, ariaLabel: this.label, spellcheck: false, autocapitalize: "off", autocomplete: "off" });
    this.area.rows = text.split("\n").length;
    this.area.addEventListener("input", () => this.changed(this.area.value));
    this.area.addEventListener("keydown", event => event.key === "Escape" && this.leave());
    this.editing = element("div", { className: "live-editor" }, this.area);
    this.row = element("div", { className: "live-buttons" });
    this.buttons = {};
    for (const [name, { act, title = "" }] of Object.entries(this.offers())) {
      this.buttons[name] = element("button", { type: "button", textContent: name, onclick: act, title });
      this.buttons[name].setAttribute("aria-label", `${name} ${this.name}`);
      this.row.append(this.buttons[name]);
    }
    this.buttons.Stop.disabled = true;
    this.status = element("span", { role: "status", className: "live-status" });
    this.clock = element("span", { className: "live-clock", ariaHidden: true }); // who listens would hear every second
    this.row.append(this.status, this.clock);
    this.said = element("div", { className: "live-said" });
    this.said.setAttribute("aria-live", "polite");
  }

  offers() {
    return {
      Run: { act: () => this.run(), title: "Shift+Enter" },
      Stop: { act: () => this.stop() },
      Reset: { act: () => this.reset() },
    };
  }

  keys() {
    return [
      { key: "Shift-Enter", run: () => (this.run(), true) },
      { key: "Escape", run: () => (this.leave(), true) },
    ];
  }

  changed() {}

  get text() {
    return this.view?.state.doc.toString() ?? this.area.value;
  }

  // The first touch: Python starts meanwhile, and the plain field becomes an editor, cursor and focus kept.
  wake() {
    warmUp().catch(error => this.tell(error.message));
    this.opened = editor().then(make => {
      const hadFocus = this.area === document.activeElement;
      const cursor = Math.min(this.area.selectionStart, this.text.length);
      this.view = make({ place: this.editing, text: this.text, cursor, label: this.label, keys: this.keys(), changed: text => this.changed(text) });
      this.area.remove();
      if (hadFocus) this.view.focus();
    }).catch(error => this.tell(`The editor could not be loaded, the plain field works as well (${error.message}).`));
  }

  leave() {
    this.buttons.Run.focus();
  }

  tell(text) {
    this.status.textContent = text;
  }

  run() {
    return this.go(() => this.request());
  }

  async go(ask) {
    if (this.isBusy) return;
    this.setBusy(true);
    this.tell("Waiting for Python…");
    this.asking = python.request(text => this.tell(text));
    const since = Date.now();
    const ticking = setInterval(() => (this.clock.textContent = `${Math.round((Date.now() - since) / 1000)} s`), 1000);
    try {
      const [{ key, ...request }] = await Promise.all([ask(), warmUp()]);
      this.show(await this.asking.send({ code: this.text, ...request }, key));
    } catch (error) {
      this.show({ output: "", error: error.message, figures: [], verdicts: [] });
    }
    clearInterval(ticking);
    this.clock.textContent = "";
    this.setBusy(false);
  }

  setBusy(isBusy) {
    this.isBusy = isBusy;
    this.place.setAttribute("aria-busy", String(isBusy));
    const hadFocus = document.activeElement === document.body || this.place.contains(document.activeElement);
    for (const [name, button] of Object.entries(this.buttons)) button.disabled = isBusy === (name !== "Stop");
    if (hadFocus && !this.view?.hasFocus) this.buttons[isBusy ? "Stop" : this.main].focus(); // a disabled button loses the focus
  }

  main = "Run";

  stop() {
    this.tell("Stopping…");
    this.asking.stop();
  }

  replace(text) {
    if (this.view) this.view.dispatch({ changes: { from: 0, to: this.view.state.doc.length, insert: text } });
    else this.area.value = text;
  }

  async reset() {
    await this.opened;
    this.replace(this.first);
    this.said.replaceChildren();
    this.tell(this.view ? `Reset; ${COMMAND}+Z in the editor brings your text back.` : "Reset.");
  }

  // The words of a figure, for a screen reader.
  describe() {
    return `The figure that the code of ${this.name} drew`;
  }

  // Output and errors are text. In verdicts all that a reader wrote is escaped.
  show({ output, error, figures, verdicts }) {
    const printed = [output, error].filter(Boolean).join("\n");
    const parts = printed ? [element("pre", { textContent: printed, tabIndex: 0, className: error ? "live-error" : "" })] : [];
    parts.push(...figures.map((src, i) => element("img", { src, alt: this.describe(i) })));
    parts.push(...verdicts.map(verdict => element("div", { className: verdict.passed ? "live-passed" : "" }, ...verdictFrom(verdict.html))));
    this.said.replaceChildren(...parts);
    const last = verdicts.at(-1);
    this.tell(last?.said ? last.said : last ? (last.passed ? "Passed." : "Not yet.") : error === "Stopped." ? "Stopped." : error ? "It did not run to the end." : "Done.");
  }
}

// Live cells: every .live block of a page gets an editor, Run, Check, Stop and Reset, and says below what came of it.
// Nothing is fetched before a block is first touched. What a reader writes stays on this device, under the task's name.
import { Python } from "./python.js";
import { kept, keep, forget } from "./kept.js";

const SITE = new URL("../../../", import.meta.url);
const LIVE = new URL("../", import.meta.url);
const MAC = /Mac|iPhone|iPad/.test(navigator.platform);
const python = new Python();

const once = make => {
  let made;
  return () => (made ??= make());
};
const asked = async (address, options) => {
  const answer = await fetch(address, options);
  if (!answer.ok) throw new Error(`${address} is not there (${answer.status})`);
  return answer;
};
const assets = once(async () => (await asked(new URL("live.json", LIVE), { cache: "no-cache" })).json());
const editor = once(async () => (await import(new URL((await assets()).editor, LIVE))).editor);
const topics = new Map();
const topicOf = name => {
  if (!topics.has(name)) topics.set(name, assets().then(all => asked(new URL(all.topics[name], LIVE))).then(file => file.json()));
  return topics.get(name);
};
const warmUp = once(async () => python.start(LIVE, await assets()));

function element(tag, properties = {}, ...children) {
  const made = Object.assign(document.createElement(tag), properties);
  made.append(...children);
  return made;
}

class Block {
  constructor(place) {
    this.place = place;
    this.task = place.dataset.task;
    [this.topic, this.name] = this.task.split(".");
    const stub = place.querySelector(".highlight");
    this.first = stub.querySelector("pre").textContent.trimEnd();
    this.build(stub);
    place.addEventListener("focusin", () => this.wake(), { once: true });
  }

  build(stub) {
    this.label = `Your answer to ${this.task}`;
    this.area = element("textarea", { value: this.text, ariaLabel: this.label, spellcheck: false, autocapitalize: "off" });
    this.area.rows = this.text.split("\n").length;
    this.area.addEventListener("input", () => keep(this.task, this.area.value));
    this.area.addEventListener("keydown", event => event.key === "Escape" && this.leave());
    this.editing = element("div", { className: "live-editor" }, this.area);
    this.buttons = {};
    const row = element("div", { className: "live-buttons" });
    for (const [name, act] of [["Run", () => this.run()], ["Check", () => this.check()], ["Stop", () => this.stop()], ["Reset", () => this.reset()]]) {
      this.buttons[name] = element("button", { type: "button", textContent: name, onclick: act });
      this.buttons[name].setAttribute("aria-label", `${name} ${this.task}`);
      row.append(this.buttons[name]);
    }
    this.buttons.Run.title = "Shift+Enter";
    this.buttons.Check.title = MAC ? "⌘+Enter" : "Ctrl+Enter";
    this.buttons.Stop.disabled = true;
    this.status = element("span", { role: "status", className: "live-status" });
    row.append(this.status);
    this.said = element("div", { className: "live-said" });
    this.said.setAttribute("aria-live", "polite");
    stub.parentElement.classList.add("live-stub");
    this.place.append(this.editing, row, this.said);
    this.place.classList.add("live-ready");
  }

  get text() {
    return this.view?.state.doc.toString() ?? this.area?.value ?? kept(this.task) ?? this.first;
  }

  // The first touch: Python starts meanwhile, and the plain field becomes an editor, cursor and focus kept.
  wake() {
    warmUp().catch(error => this.tell(error.message));
    this.opened = editor().then(make => {
      const hadFocus = this.area === document.activeElement;
      const keys = [
        { key: "Mod-Enter", run: () => (this.check(), true) },
        { key: "Shift-Enter", run: () => (this.run(), true) },
        { key: "Escape", run: () => (this.leave(), true) },
      ];
      const cursor = Math.min(this.area.selectionStart, this.text.length);
      this.view = make({ place: this.editing, text: this.text, cursor, label: this.label, keys, changed: text => keep(this.task, text) });
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
    return this.go({});
  }

  check() {
    return this.go({ task: this.task, answer: this.name });
  }

  async go(what) {
    if (this.isBusy) return;
    this.setBusy(true);
    this.asking = python.request(text => this.tell(text));
    try {
      const [topic, all] = await Promise.all([topicOf(this.topic), assets(), warmUp()]);
      const moved = [`${all.book_url}/`, SITE.href];
      const request = { code: this.text, before: this.before(topic), moved, ...what };
      this.show(await this.asking.send(request, { name: `${this.topic}.key.json`, text: topic.key }));
    } catch (error) {
      this.show({ output: "", error: error.message, figures: [], verdicts: [] });
    }
    this.setBusy(false);
  }

  // The cells above this one, as the reader left them.
  before({ cells }) {
    const place = cells.findIndex(cell => cell.name === this.name);
    return cells.slice(0, place).map(cell => kept(`${this.topic}.${cell.name}`) ?? cell.source);
  }

  setBusy(isBusy) {
    this.isBusy = isBusy;
    this.place.setAttribute("aria-busy", String(isBusy));
    for (const name of ["Run", "Check", "Reset"]) this.buttons[name].disabled = isBusy;
    const hadFocus = document.activeElement === document.body || this.place.contains(document.activeElement);
    this.buttons.Stop.disabled = !isBusy;
    if (hadFocus && !this.view?.hasFocus) this.buttons[isBusy ? "Stop" : "Check"].focus(); // a disabled button loses the focus
  }

  stop() {
    this.tell("Stopping…");
    this.asking.stop();
  }

  async reset() {
    await this.opened;
    if (this.view) this.view.dispatch({ changes: { from: 0, to: this.view.state.doc.length, insert: this.first } });
    else this.area.value = this.first;
    forget(this.task);
    this.said.replaceChildren();
    this.tell(this.view ? `Reset; ${MAC ? "⌘" : "Ctrl"}+Z in the editor brings your text back.` : "Reset.");
  }

  // Output and errors are text. Verdicts are the engine's HTML, in which all that a reader wrote is escaped.
  show({ output, error, figures, verdicts }) {
    const printed = [output, error].filter(Boolean).join("\n");
    const parts = printed ? [element("pre", { textContent: printed, tabIndex: 0, className: error ? "live-error" : "" })] : [];
    parts.push(...figures.map(src => element("img", { src, alt: "The figure that this code drew" })));
    parts.push(...verdicts.map(verdict => element("div", { innerHTML: verdict.html, className: verdict.passed ? "live-passed" : "" })));
    this.said.replaceChildren(...parts);
    const last = verdicts.at(-1);
    this.tell(last ? (last.passed ? "Passed." : "Not yet.") : error === "Stopped." ? "Stopped." : error ? "It did not run to the end." : "Done.");
  }
}

function explain(first) {
  const keys = `${MAC ? "⌘" : "Ctrl"}+Enter checks, Shift+Enter runs, Escape leaves the editor.`;
  const about = "Python runs in this page, for learning, and what you write stays on this device. Marks are given to the notebook that you hand in.";
  first?.before(element("p", { className: "live-note", textContent: `${about} ${keys}` }));
}

const places = [...document.querySelectorAll(".live[data-task]")];
explain(places[0]);
places.forEach(place => new Block(place));

// The tasks of an assignment: every .live block becomes a cell that can be run and checked. What a reader writes stays
// on this device, under the task's name.
import { Carrier } from "./carry.js";
import { COMMAND, Cell, LACKING, LIVE, assets, element, fileOf } from "./cell.js";
import { forget, isBrief, keep, kept, onElsewhere } from "./kept.js";

const SITE = new URL("../../", LIVE);

class Task extends Cell {
  /** `name`: under which the text is kept. */
  constructor(place, name = place.dataset.task) {
    const { task } = place.dataset;
    const stub = place.querySelector(".highlight");
    const first = stub.querySelector("pre").textContent.trimEnd();
    super({ place, name, label: `Your answer to ${task}`, first, text: kept(name) ?? first });
    this.task = task;
    [this.topic, this.answer] = task.split(".");
    stub.parentElement.classList.add("live-stub");
    place.append(this.editing, this.row, this.said);
    place.classList.add("live-ready");
    place.addEventListener("focusin", () => this.wake(), { once: true });
    onElsewhere(name, text => this.follow(text ?? first));
  }

  main = "Check";

  offers() {
    const { Run, ...others } = super.offers();
    return { Run, Check: { act: () => this.check(), title: `${COMMAND}+Enter` }, Hint: { act: () => this.hint(), title: "One of four, each tells more" }, ...others };
  }

  keys() {
    return [{ key: "Mod-Enter", run: () => (this.check(), true) }, ...super.keys()];
  }

  changed(text) {
    keep(this.name, text);
  }

  // What is written in another tab is seen here: the last one to write would else wipe out what the other wrote.
  follow(text) {
    if (text !== this.text) this.replace(text);
  }

  // An answer from a notebook.
  take(text) {
    this.replace(text);
    keep(this.name, text);
  }

  async reset() {
    await super.reset();
    forget(this.name);
  }

  check() {
    return this.go(async () => ({ ...(await this.request()), task: this.task, answer: this.answer }));
  }

  // Nudge, theory, a failing case, a worked step: each click tells more.
  hint() {
    this.hints = Math.min((this.hints ?? 0) + 1, 4);
    return this.go(async () => ({ ...(await this.request()), task: this.name, answer: this.answer, hint: this.hints }));
  }

  show(outcome) {
    super.show(outcome);
    const last = outcome.verdicts.at(-1);
    if (last) this.report(last.passed);
  }

  // Whoever keeps the reader's path hears of it.
  report(passed) {
    if (passed) dispatchEvent(new CustomEvent("task-solved", { detail: { task: this.task } }));
  }

  async request() {
    const { cells, key } = await fileOf(this.topic, all => all.topics[this.topic]);
    return { before: this.before(cells), moved: ["./", SITE.href], key: { name: `${this.topic}.key.json`, text: key } };
  }

  // The cells above this one, as the reader left them.
  before(cells) {
    const place = cells.findIndex(cell => cell.name === this.answer);
    return cells.slice(0, place).map(cell => kept(`${this.topic}.${cell.name}`) ?? cell.source);
  }
}

// A task to write again: the same cell, kept under another name, on cases of its own.
class Kata extends Task {
  constructor(place) {
    super(place, `kata.${place.dataset.task}`);
    this.number = 0;
    this.isFirst = true;
  }

  offers() {
    return { ...super.offers(), "Fresh cases": { act: () => this.renew() } };
  }

  cases() {
    return fileOf(this.name, () => new URL(this.place.dataset.kata, SITE));
  }

  async request() {
    const keys = await this.cases();
    const text = JSON.stringify(keys[this.number % keys.length]);
    return { ...(await super.request()), key: { name: `${this.topic}.key.json`, text } };
  }

  renew() {
    this.number++;
    this.isFirst = true;
    this.said.replaceChildren();
    this.tell("Fresh cases. Check tries your function on them.");
  }

  report(passed) {
    const detail = { task: this.task, passed, isFirst: this.isFirst };
    this.isFirst = false;
    dispatchEvent(new CustomEvent("practice-answer", { detail }));
  }
}

function explain(first) {
  const about = `Python runs in this page, and what you write ${isBrief() ? "is forgotten when you leave it" : "stays on this device"}.`;
  const keys = `${COMMAND}+Enter checks, Shift+Enter runs, Escape leaves the editor.`;
  const without = `Python cannot run in this browser, which has no ${LACKING}. Your answers are written and checked in the notebook.`;
  first?.before(element("p", { className: "live-note", textContent: LACKING ? without : `${about} ${keys}` }));
}

const places = [...document.querySelectorAll(".live[data-task]")];
explain(places[0]);
if (!LACKING) {
  const tasks = places.map(place => new (place.dataset.kata ? Kata : Task)(place));
  const topics = new Set(tasks.map(({ topic }) => topic));
  // on the page of an assignment, all tasks are of one topic
  const [topic] = topics;
  const door = document.querySelector(".run-in-browser a[href*='lite/']");
  if (topics.size === 1 && door && !places[0].dataset.kata) places[0].before(new Carrier(topic, tasks, navigator.serviceWorker ? door : null).root);
}

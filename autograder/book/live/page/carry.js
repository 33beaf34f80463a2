// Buttons above the tasks of an assignment: take the answers into a notebook, and bring answers from one.
import { LIVE, element, fileOf } from "./cell.js";
import { kept } from "./kept.js";
import { answersIn, filled, keepNotebook, keptNotebook, notebookFrom } from "./take.mjs";

const SITE = new URL("../../", LIVE);
const LITE = new URL("lite/", SITE);

export class Carrier {
  /** `tasks`: the page's tasks of one topic; `door` leads to the notebook in the browser, where there is one. */
  constructor(topic, tasks, door) {
    Object.assign(this, { topic, tasks, door });
    this.status = element("p", { role: "status", className: "live-status" });
    const file = element("input", { type: "file", accept: ".ipynb,application/x-ipynb+json", hidden: true });
    file.onchange = () => this.tried(async () => {
      await this.bring(notebookFrom(await file.files[0].text()));
      file.value = "";
    });
    const button = (textContent, act) => element("button", { type: "button", textContent, onclick: () => this.tried(act) });
    const row = [button("Take my answers with me", () => this.download()), button("Bring answers from a file", () => file.click()), file];
    if (door) row.push(button("Open my answers in the notebook", () => this.openInLite()), button("Bring answers from the notebook", () => this.bringFromLite()));
    this.root = element("div", { className: "live-carry" }, element("div", { className: "live-buttons" }, ...row), this.status);
  }

  tell(text) {
    this.status.textContent = text;
  }

  async tried(act) {
    this.tell("");
    try {
      await act();
    } catch (error) {
      this.tell(`Nothing was changed: ${error.message}.`);
    }
  }

  /** What was written on the page, by the names of cells; also of tasks of this topic on other pages. */
  async answers() {
    const { cells } = await fileOf(this.topic, all => all.topics[this.topic]);
    const written = cells.map(({ name, source }) => [name, kept(`${this.topic}.${name}`), source]);
    return Object.fromEntries(written.filter(([, text, source]) => text !== null && text.trimEnd() !== source.trimEnd()).map(([name, text]) => [name, text]));
  }

  async download() {
    const answers = await this.answers();
    const notebook = filled(await fileOf(`${this.topic}.ipynb`, all => all.notebooks[this.topic]), answers);
    const href = URL.createObjectURL(new Blob([`${JSON.stringify(notebook, null, 1)}\n`], { type: "application/x-ipynb+json" }));
    element("a", { href, download: `${this.topic}.ipynb` }).click();
    setTimeout(() => URL.revokeObjectURL(href), 10_000);
    this.tell(`${counted(Object.keys(answers).length)} put into ${this.topic}.ipynb.`);
  }

  async openInLite() {
    const answers = await this.answers();
    const own = await keptNotebook(LITE, this.topic);
    const released = await fileOf(`lite ${this.topic}`, () => `../../lite/files/${this.topic}/${this.topic}.ipynb`);
    const stubs = answersIn(released);
    const there = own ? answersIn(own) : {};
    const replaced = Object.keys(answers).filter(name => name in there && there[name] !== stubs[name] && there[name] !== answers[name].trimEnd());
    if (replaced.length && !confirm(`The notebook in this browser has another answer to ${replaced.join(", ")}. Replace it?`)) return;
    await keepNotebook(LITE, this.topic, filled(own ?? released, answers));
    location.href = this.door.href;
  }

  async bringFromLite() {
    const own = await keptNotebook(LITE, this.topic);
    if (!own) throw new Error("nothing was written in the notebook of this browser");
    await this.bring(own);
  }

  /** Put a notebook's answers into the tasks of this page. */
  async bring(notebook) {
    const found = answersIn(notebook);
    const fresh = this.tasks.filter(task => task.answer in found && found[task.answer] !== task.first.trimEnd() && found[task.answer] !== task.text.trimEnd());
    if (!Object.keys(found).length) throw new Error(`this notebook has no cells of the assignment ${this.topic}`);
    const written = fresh.filter(task => task.text.trimEnd() !== task.first.trimEnd()).map(task => task.answer);
    if (written.length && !confirm(`This page has another answer to ${written.join(", ")}. Replace it?`)) return;
    for (const task of fresh) task.take(found[task.answer]);
    this.tell(`${counted(fresh.length)} brought to this page.`);
  }
}

const counted = number => `${number} answer${number === 1 ? "" : "s"}`;

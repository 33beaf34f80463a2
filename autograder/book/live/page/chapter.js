// Cells of a chapter that a reader may change: beside the code a button, behind it an editor. What the changed code
// prints and draws takes the place of what the book shows, until Reset brings that back.
import { Cell, LACKING, element, fileOf } from "./cell.js";

const open = new Map(); // cells that were turned live, by their number on the page

class ChapterCell extends Cell {
  constructor(door) {
    const input = door.parentElement;
    const code = input.querySelector(".highlight pre").textContent.trimEnd();
    const number = Number(door.dataset.cell);
    const name = `cell ${number + 1}`;
    super({ place: door, name, label: `The code of ${name}`, first: code });
    Object.assign(this, { number, page: door.dataset.page });
    this.shown = input.closest(".cell").querySelector(".cell_output");
    this.words = [...this.shown.querySelectorAll("img")].map(({ alt }) => alt).filter(Boolean); // windows on a picture have none
    input.classList.add("live-open");
    door.classList.add("live");
    door.replaceChildren(this.editing, this.row);
    this.shown.prepend(this.said);
    open.set(number, this);
  }

  async request() {
    const sources = await fileOf(this.page, all => all.chapters[this.page]);
    // the cells above, as the book has them or as the reader left them
    return { again: true, before: sources.slice(0, this.number).map((source, number) => open.get(number)?.text ?? source) };
  }

  // Code that was not changed draws what the book shows.
  describe(i) {
    return (this.text === this.first && this.words[i]) || super.describe(i);
  }

  show(outcome) {
    super.show(outcome);
    this.shown.classList.add("live-changed");
  }

  async reset() {
    await super.reset();
    this.shown.classList.remove("live-changed");
  }
}

for (const door of LACKING ? [] : document.querySelectorAll(".live-door")) {
  const turnLive = () => {
    const cell = new ChapterCell(door);
    cell.wake();
    cell.area.focus();
  };
  const button = element("button", { type: "button", textContent: "Edit and run", className: "live-turn", onclick: turnLive });
  button.setAttribute("aria-label", `Edit and run cell ${Number(door.dataset.cell) + 1}`);
  door.append(button);
  door.hidden = false;
}

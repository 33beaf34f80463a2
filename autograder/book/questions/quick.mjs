// Quick questions: boxes to tick, lines to bring into order by buttons, keys or dragging, a verdict.
import { judge } from "./judge.mjs";

const places = Object.assign({}, ...[...document.querySelectorAll(".quick-places")].map(({ textContent }) => JSON.parse(textContent)));

/** An element with properties and children; texts stay texts. */
function make(tag, properties = {}, ...children) {
  const element = Object.assign(document.createElement(tag), properties);
  element.append(...children);
  return element;
}

/** Options with a box each: one or several can be marked. */
class Options {
  constructor(list, name, several) {
    this.rows = [...list.children];
    for (const row of this.rows) {
      const box = make("input", { type: several ? "checkbox" : "radio", name, value: row.dataset.letter });
      const label = make("label", {}, box, ...row.childNodes);
      row.append(label);
    }
  }

  get letters() {
    return this.rows.filter(row => row.querySelector("input").checked).map(row => row.dataset.letter);
  }

  clear() {
    for (const row of this.rows) row.querySelector("input").checked = false;
  }
}

/** Lines that are put into an answer and moved there. */
class Lines {
  constructor(list, title, say) {
    this.say = say;
    this.pool = list;
    this.order = make("ol", { className: "quick-items quick-order", ariaLabel: `Your order: ${title}` });
    this.empty = make("p", { className: "quick-empty", textContent: "Your order is empty. Put lines into it." });
    this.start = [...list.children];
    list.before(make("p", { className: "quick-list-name", textContent: "Lines to choose from" }));
    list.after(make("p", { className: "quick-list-name", textContent: "Your order" }), this.empty, this.order);
    this.start.forEach(row => this.prepare(row));
    for (const target of [this.order, this.pool]) this.accept(target);
    this.update();
  }

  get letters() {
    return [...this.order.children].map(row => row.dataset.letter);
  }

  prepare(row) {
    const { letter } = row.dataset;
    const button = (text, words, act) => make("button", { type: "button", textContent: text, ariaLabel: `${words} ${letter}`, title: `${words} ${letter}`, onclick: act });
    row.draggable = true;
    row.tabIndex = 0;
    row.append(make("span", { className: "quick-moves" },
      button("↑", "Move up", () => this.move(row, -1)),
      button("↓", "Move down", () => this.move(row, 1)),
      button("+", "Put into your order:", () => this.put(row)),
      button("×", "Take out of your order:", () => this.take(row))));
    row.onkeydown = event => this.key(event, row);
    row.ondragstart = event => {
      event.dataTransfer.setData("text/plain", letter);
      this.dragged = row;
    };
    row.ondragend = () => { this.dragged = null; };
  }

  /** Enter puts a line into the order or takes it out, arrows move it. */
  key(event, row) {
    if (event.target !== row) return;
    const act = { Enter: () => (row.parentElement === this.order ? this.take(row) : this.put(row)), ArrowUp: () => this.move(row, -1), ArrowDown: () => this.move(row, 1) }[event.key];
    if (!act) return;
    event.preventDefault();
    act();
  }

  accept(target) {
    const zone = target === this.order ? [this.order, this.empty] : [this.pool];
    for (const element of zone) {
      element.ondragover = event => { if (this.dragged) event.preventDefault(); };
      element.ondrop = event => {
        if (!this.dragged) return;
        event.preventDefault();
        const before = target === this.order && [...this.order.children].find(row => event.clientY < row.getBoundingClientRect().top + row.offsetHeight / 2);
        if (target === this.pool) this.take(this.dragged);
        else this.put(this.dragged, before || null);
      };
    }
  }

  move(row, by) {
    if (row.parentElement !== this.order) return;
    const other = by < 0 ? row.previousElementSibling : row.nextElementSibling;
    if (!other) return;
    if (by < 0) other.before(row);
    else other.after(row);
    this.done(row, `is now number ${this.letters.indexOf(row.dataset.letter) + 1}`);
  }

  put(row, before = null) {
    if (before !== row) this.order.insertBefore(row, before);
    this.done(row, `is number ${this.letters.indexOf(row.dataset.letter) + 1} of your order`);
  }

  take(row) {
    const later = this.start.slice(this.start.indexOf(row) + 1).find(other => other.parentElement === this.pool);
    this.pool.insertBefore(row, later ?? null);
    this.done(row, "is no longer in your order");
  }

  done(row, words) {
    this.update();
    row.focus();
    this.say(null, "", `${row.dataset.letter} ${words}.`);
  }

  update() {
    this.empty.hidden = this.order.children.length > 0;
  }

  clear() {
    for (const row of this.start) this.pool.append(row);
    this.update();
  }
}

class Question {
  constructor(root) {
    this.root = root;
    this.data = JSON.parse(root.querySelector(".quick-data").textContent);
    this.at = 0;
    this.verdict = make("div", { className: "quick-verdict", role: "status" });
    this.forms = [...root.querySelectorAll(".quick-variant")];
    const title = root.querySelector("h3").textContent;
    const say = (...words) => this.say(...words);
    this.answers = this.forms.map((form, i) => {
      const list = form.querySelector(".quick-items");
      return this.data.kind === "order" ? new Lines(list, title, say) : new Options(list, `${this.data.name}-${i}`, this.data.several);
    });
    const button = (textContent, onclick) => make("button", { type: "button", textContent, onclick });
    const buttons = [button("Check", () => this.check()), button("Start again", () => this.clear())];
    if (this.forms.length > 1) buttons.push(button("Other numbers", () => this.renew()));
    buttons[0].className = "quick-check";
    root.append(make("div", { className: "quick-buttons" }, ...buttons), this.verdict);
    root.dataset.ready = "";
  }

  check() {
    const { passed, message, see } = judge(this.data, this.at, this.answers[this.at].letters);
    if (passed) this.say(true, "Correct.", this.data.explanation);
    else this.say(false, "Not yet.", message, see || this.data.see);
  }

  /** The verdict; hints and explanations are HTML of the book. */
  say(isRight, head, html, see = "") {
    this.verdict.className = `quick-verdict ${isRight === null ? "" : isRight ? "is-right" : "is-wrong"}`;
    const words = make("span", { innerHTML: html });
    const link = places[see]?.[0] ? [" Reread: ", make("a", { href: places[see][0], textContent: places[see][1] }), "."] : [];
    this.verdict.replaceChildren(...(head ? [make("strong", { textContent: head }), " "] : []), words, ...link);
  }

  clear() {
    this.answers[this.at].clear();
    this.say(null, "", "");
  }

  renew() {
    this.clear();
    this.forms[this.at].hidden = true;
    this.at = (this.at + 1) % this.forms.length;
    this.forms[this.at].hidden = false;
    this.say(null, "", "Other numbers are shown.");
    dispatchEvent(new Event("resize")); // wide formulas are measured anew
  }
}

document.querySelectorAll(".quick").forEach(root => new Question(root));

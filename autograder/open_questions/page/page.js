// One question, all students: a group of equal answers is shown, decided with the keyboard, and saved.
"use strict";

const byId = name => document.getElementById(name);
let state = null;
let place = 0;
let decision = null;
let nPending = 0;
const splits = new Set();  // numbers of students that were taken out of their group

const question = () => state.questions.find(one => one.name === state.question);
const group = () => state.groups[place];

// MathJax typesets what is on the page; it is the book's, and its guard keeps formulas from doing anything.
window.MathJax = {
  tex: { inlineMath: [["$", "$"], ["\\(", "\\)"]], processEscapes: true },
  loader: { load: ["ui/safe"], paths: { mathjax: "/mathjax" } },
  options: { enableMenu: false },
  startup: { typeset: false },
};
const mathJax = document.createElement("script");
mathJax.src = "/mathjax/tex-svg-full.js";
mathJax.onload = () => MathJax.startup.promise.then(typeset);
document.head.append(mathJax);

function typeset() {
  if (window.MathJax && MathJax.typesetPromise) {
    MathJax.typesetClear();
    MathJax.typesetPromise([byId("answer"), byId("asked"), byId("model")]);
  }
}

function withSplits(groups) {  // an answer that was taken out is a group of its own
  return groups.flatMap(one => {
    const out = one.members.filter(member => splits.has(member.number) && one.members.length > 1);
    const rest = one.members.filter(member => !out.includes(member));
    const alone = out.map(member => ({ ...one, id: one.id + member.number, answer: member.text, members: [member], differences: [] }));
    return rest.length ? [{ ...one, members: rest }, ...alone] : alone;
  });
}

async function load(name, keepPlace) {
  const reply = await fetch("state?question=" + encodeURIComponent(name || ""));
  if (!reply.ok) { say("The server does not answer (" + reply.status + "): reload the page."); return; }
  state = await reply.json();
  state.groups = withSplits(state.groups);
  place = keepPlace ? Math.min(place, state.groups.length - 1) : 0;
  const waiting = state.groups.findIndex(one => !one.read);
  if (keepPlace !== "here" && waiting >= 0) { place = waiting; }
  showQuestions();
  show();
}

function showQuestions() {
  const names = state.questions.map(one => {
    const option = new Option(one.name.replaceAll("-", " ") + " (" + one.read + " of " + one.answers + " read)", one.name);
    option.selected = one.name === state.question;
    return option;
  });
  byId("question").replaceChildren(...names);
  byId("title").textContent = state.topic + ", read by " + state.grader;
  byId("asked").lastElementChild.innerHTML = question().asked;
  byId("model").lastElementChild.innerHTML = question().model;
}

function show() {
  const now = group(), all = question();
  const left = state.groups.filter(one => !one.read);
  byId("progress").max = all.answers;
  byId("progress").value = all.read;
  byId("counts").textContent = all.read + " of " + all.answers + " answers read, " + left.length + (left.length === 1 ? " group" : " groups") + " to decide";
  decision = { items: [...now.decision.items], points: now.decision.points };
  const names = now.members.map(member => member.name);
  byId("who").textContent = "Group " + (place + 1) + " of " + state.groups.length + ": " +
    (names.length === 1 ? "1 answer" : names.length + " answers") + " (" + names.slice(0, 4).join(", ") + (names.length > 4 ? ", …" : "") + ")" +
    (now.read ? ", decided" : now.proposed ? ", the same text was decided before: Enter repeats it" : "");
  byId("answer").className = now.blank ? "blank" : "";
  byId("answer").innerHTML = now.blank ? "<p>(no answer)</p>" : now.answer;
  byId("asked").lastElementChild.innerHTML = now.asked;
  byId("differences").textContent = now.differences.length ? "They differ in: " + now.differences.join(", ") : "";
  byId("comment").value = now.decision.comment;
  byId("split").disabled = now.members.length < 2;
  showItems();
  typeset();
}

function choices(most) { return [most, most / 2, 0]; }

function showItems() {
  const items = question().items;
  byId("items").replaceChildren(...items.map((item, number) => {
    const row = document.createElement("div");
    row.className = "item";
    const key = document.createElement("kbd");
    key.textContent = number + 1;
    const buttons = document.createElement("span");
    buttons.role = "group";
    buttons.setAttribute("aria-label", item.name);
    for (const points of choices(item.points)) {
      const button = document.createElement("button");
      button.type = "button";
      button.textContent = points;
      button.setAttribute("aria-pressed", decision.items[number] === points);
      button.addEventListener("click", () => { decision.items[number] = points; showItems(); });
      buttons.append(button, " ");
    }
    const name = document.createElement("span");
    name.textContent = item.name;
    row.append(key, buttons, name);
    return row;
  }));
  const isFree = items.length === 0;
  byId("points").classList.toggle("hidden", !isFree);
  byId("points-label").classList.toggle("hidden", !isFree);
  if (isFree) { byId("points").max = question().points; byId("points").value = decision.points ?? ""; }
  showSum();
}

function total() {
  const items = question().items;
  if (!items.length) { return decision.points ?? null; }
  return decision.items.some(points => points === null) ? null : decision.items.reduce((sum, points) => sum + points, 0);
}

function showSum() {
  const sum = total();
  byId("sum").textContent = sum === null ? "Not decided yet" : sum + " of " + question().points + " points";
  byId("save").disabled = sum === null;
}

function say(text) { byId("message").textContent = text; }

// The next group is shown at once, the decision is written meanwhile; what is refused is shown again.
async function save() {
  if (total() === null) { say("Decide every item first."); return; }
  const now = group();
  const versions = Object.fromEntries(now.members.map(member => [member.number, member.version]));
  const sent = { question: state.question, items: decision.items, points: decision.points, comment: byId("comment").value, versions };
  if (!now.read) { question().read += now.members.length; }
  Object.assign(now, { read: true, proposed: false, decision: { ...decision, points: total(), comment: sent.comment } });
  byId("comment").blur();
  say("");
  const waiting = state.groups.findIndex(one => !one.read);
  if (waiting >= 0) { place = waiting; }
  showQuestions();
  show();
  setPending(1);
  try {
    const reply = await fetch("decide", { method: "POST", headers: { "Content-Type": "application/json" }, body: JSON.stringify(sent) });
    const message = reply.ok ? "" : (await reply.json()).message;
    if (!reply.ok || !state.groups.some(one => !one.read)) { await load(sent.question, true); }
    if (message) { say(message); }
  } catch (error) {
    say("The server does not answer: the last decision is not written.");
  } finally { setPending(-1); }
}

function setPending(step) {  // how many decisions are on their way
  nPending += step;
  document.body.dataset.pending = nPending;
  byId("pending").textContent = nPending ? nPending + " being written" : "";
}

function go(step) {
  place = (place + step + state.groups.length) % state.groups.length;
  say("");
  show();
}

function setAll(choose) {
  decision.items = question().items.map(choose);
  if (!question().items.length) { decision.points = choose(question()); }
  showItems();
}

function cycle(number) {
  const item = question().items[number];
  if (!item) { return; }
  const values = choices(item.points);
  decision.items[number] = values[(values.indexOf(decision.items[number]) + 1) % values.length];
  showItems();
}

function split() {
  if (group().members.length < 2) { return; }
  splits.add(group().members.at(-1).number);
  load(state.question, "here").then(() => say("The last answer of this group is now a group of its own."));
}

function nextQuestion() {
  const names = state.questions.map(one => one.name);
  load(names[(names.indexOf(state.question) + 1) % names.length]);
}

const KEYS = {
  f: () => setAll(item => item.points),
  0: () => setAll(() => 0),
  c: () => byId("comment").focus(),
  x: split,
  n: nextQuestion,
  q: () => { byId("asked").open = !byId("asked").open; },
  m: () => { byId("model").open = !byId("model").open; },
  arrowleft: () => go(-1),
  arrowright: () => go(1),
  enter: save,
};

document.addEventListener("keydown", event => {
  if (!state || event.ctrlKey || event.metaKey || event.altKey) { return; }
  const isWriting = event.target.matches("textarea, input");
  if (event.key === "Escape") { event.target.blur(); return; }
  if (isWriting) {
    if (event.key === "Enter" && !event.shiftKey) { event.preventDefault(); save(); }
    return;
  }
  if (event.target.matches("button, select, summary") && [" ", "Enter"].includes(event.key)) { return; }
  const key = event.key.toLowerCase();
  if (/^[1-9]$/.test(key)) { cycle(Number(key) - 1); event.preventDefault(); }
  else if (KEYS[key]) { event.preventDefault(); KEYS[key](); }
});

byId("points").addEventListener("input", event => {
  decision.points = event.target.value === "" ? null : Number(event.target.value);
  showSum();
});
byId("question").addEventListener("change", event => load(event.target.value));
byId("save").addEventListener("click", save);
byId("before").addEventListener("click", () => go(-1));
byId("after").addEventListener("click", () => go(1));
byId("split").addEventListener("click", split);
window.addEventListener("beforeunload", event => { if (nPending) { event.preventDefault(); } });
load("");

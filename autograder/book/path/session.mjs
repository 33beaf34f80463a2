// The problems of the day, one after another; and a search for the mistake that a reader makes in a chapter.
import { Problem } from "../practice/problem.mjs";
import { foundAmong, hypotheses, mostTelling, weighed } from "../practice/separate.mjs";
import { session as todaysTasks } from "./next.mjs";
import { dateOf, dayOf } from "./record.mjs";
import { load } from "./store.mjs";
import { counted, courseTable, inWords, link, make, nameOf } from "./table.mjs";

const MAX_SEARCH = 6; // problems of a search that finds nothing

export async function session(place) {
  const course = await courseTable();
  const stage = make("div", { className: "session-stage" });
  place.replaceChildren(stage, search(course, stage));
  today(course, stage);
}

const dataOf = async (course, task) => (await fetch(new URL(`../practice/data/${task}.json?${course.tasks[task].version}`, import.meta.url))).json();

/** A problem as a page has it, on an empty place. */
async function show(stage, course, task, number, heading, note = "") {
  const { title, version, page } = course.tasks[task];
  const root = make("div", { className: "practice" }, make("h3", { textContent: title }),
    make("p", { className: "practice-awaits" }, "From ", link(page, nameOf(course.chapters.find(chapter => chapter.page === page)))),
    make("div", { className: "practice-text" }), make("p", { className: "practice-door", hidden: true }));
  Object.assign(root.dataset, { task, version });
  const head = make("h2", { className: "session-head", tabIndex: -1, textContent: heading });
  const isFirst = !stage.querySelector(".session-head");
  stage.replaceChildren(head, ...(note ? [make("p", { textContent: note })] : []), root);
  if (!isFirst) head.focus(); // the button that was pressed is gone
  const problem = new Problem(root, number);
  await problem.ready;
  return root;
}

/** Resolves with the first judged answer to the problem that is shown. */
const firstAnswer = task => new Promise(done => {
  const hear = ({ detail }) => {
    if (detail.task !== task || !detail.isFirst) return;
    removeEventListener("practice-answer", hear);
    done(detail);
  };
  addEventListener("practice-answer", hear);
});

const pressed = (stage, textContent) => new Promise(done => {
  const button = make("button", { type: "button", textContent, className: "session-next", onclick: done });
  stage.append(make("p", {}, button));
});

/** Numbers that were not solved on this device, if there are any left. */
function freshNumber(data) {
  let solved = [];
  try {
    solved = JSON.parse(localStorage.getItem(`practice:${data.task}`))?.solved ?? [];
  } catch { /* nothing is kept here */ }
  const numbers = [...data.variants.keys()];
  const fresh = numbers.filter(number => !solved.includes(data.variants[number].seed));
  const pool = fresh.length ? fresh : numbers;
  return pool[Math.floor(Math.random() * pool.length)];
}

async function today(course, stage) {
  const run = (stage.run = {}); // another run, begun on the same stage, ends this one
  const tasks = todaysTasks(load(), course, dayOf());
  if (!tasks.length) return stage.replaceChildren(...nothing(load()));
  let right = 0;
  for (const [i, task] of tasks.entries()) {
    await show(stage, course, task, freshNumber(await dataOf(course, task)), `Problem ${i + 1} of ${tasks.length}`);
    const { passed, isHelped } = await firstAnswer(task);
    if (stage.run !== run) return;
    right += passed && !isHelped;
    await pressed(stage, i + 1 < tasks.length ? "Next problem" : "Finish");
    if (stage.run !== run) return;
  }
  stage.replaceChildren(make("p", { role: "status", textContent: `Done for today: ${right} of ${counted(tasks.length, "problem")} right at the first answer. ${nextDay(load())}` }),
    make("p", {}, link("book/path", "Your path")));
}

function nextDay(record) {
  const days = Object.values(record.cards).map(card => card.due).filter(day => day > dayOf());
  return days.length ? `The next one returns on ${dateOf(Math.min(...days))}.` : "";
}

function nothing(record) {
  const text = `Nothing returns today. ${nextDay(record)} Problems come here from chapters that you have read; below you can choose one.`;
  return [make("p", { role: "status", textContent: text })];
}

/** Choose a chapter; a few problems find which of its typical mistakes one makes. */
function search(course, stage) {
  const chapters = course.chapters.filter(({ practice }) => practice.length);
  const choice = make("select", { id: "search-chapter" }, ...chapters.map(chapter => make("option", { value: chapter.page, textContent: nameOf(chapter) })));
  const begin = make("button", { type: "button", textContent: "Find my mistake", onclick: () => find(course, chapters.find(({ page }) => page === choice.value), stage) });
  return make("div", { className: "session-search" }, make("h2", { textContent: "Find my mistake" }),
    make("p", { textContent: "The page chooses each problem so that your answer tells most about which typical mistake of a chapter you make, if any." }),
    make("p", { className: "path-buttons" }, make("label", { htmlFor: choice.id, textContent: "Chapter " }), choice, begin));
}

async function find(course, chapter, stage) {
  const run = (stage.run = {});
  const tasks = await Promise.all(chapter.practice.map(task => dataOf(course, task)));
  let possible = hypotheses(tasks);
  const asked = new Set();
  const passedTasks = new Set();
  stage.scrollIntoView({ block: "start" });
  for (let count = 1; count <= MAX_SEARCH; count++) {
    const question = mostTelling(possible, asked);
    if (!question) break;
    const { data, number } = question;
    asked.add(`${data.task} ${number}`);
    const left = possible.filter(({ weight }) => weight >= plausible(possible)).length;
    await show(stage, course, data.task, number, `Problem ${count}`, `${counted(left, "mistake")} still possible`);
    const answer = await firstAnswer(data.task);
    if (stage.run !== run) return;
    possible = weighed(possible, data, number, answer);
    if (answer.passed) passedTasks.add(data.task);
    const found = foundAmong(possible);
    if (found) return stage.append(...told(found));
    if (passedTasks.size === tasks.length) return stage.append(make("p", { className: "session-found", role: "status", textContent: "You solved every problem of this chapter: none of its typical mistakes showed." }));
    await pressed(stage, "Next problem");
    if (stage.run !== run) return;
  }
  stage.append(make("p", { className: "session-found", role: "status", textContent: "None of the typical mistakes explains your answers: the worked solutions show each step." }));
}

/** A tenth of the weight of the likeliest. */
const plausible = possible => Math.max(...possible.map(({ weight }) => weight)) / 10;

function told({ data, way }) {
  const [name, hint] = data.wrongs[way];
  return [make("p", { className: "session-found", role: "status" }, "Found: you ", make("em", { textContent: inWords(name) }), `. ${hint}`)];
}

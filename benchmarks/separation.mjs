// How many problems it takes to find a reader's one hidden misconception: `node benchmarks/separation.mjs [--pages]`.
//
// A simulated reader has one misconception of the problems on a page, answers as it would, and rightly wherever it changes
// nothing. The page does not know of which task it is, and chooses task and numbers. A careless reader is right in one
// answer of five that the misconception would spoil. Every misconception of every page is tried.
import { readdirSync, readFileSync } from "node:fs";

const book = new URL("../book/", import.meta.url);
const { foundAmong, hypotheses, mostTelling, outcome, weighed } = await import(new URL("../autograder/book/practice/separate.mjs", import.meta.url));
const MAX_PROBLEMS = 12;
const RUNS = 10; // of each reader where chance plays a part
const CARELESS = 0.2;

/** A stream of numbers between 0 and 1 that is the same at every run. */
export function uniform(seed) {
  let state = seed;
  return () => ((state = (Math.imul(state, 1664525) + 1013904223) >>> 0) / 2 ** 32);
}

/** The data of each page's problems, under its name. */
export function pages() {
  const found = new Map();
  for (const name of readdirSync(book).filter(file => file.endsWith(".md")).sort()) {
    const lists = [...readFileSync(new URL(name, book), "utf8").matchAll(/^```\{practice\}\n([^`]*?)^```/gm)];
    const tasks = lists.flatMap(([, list]) => list.trim().split(/\s+/));
    if (tasks.length) found.set(name, tasks.map(task => JSON.parse(readFileSync(new URL(`_static/practice/data/${task}.json`, book), "utf8"))));
  }
  return found;
}

/** What a reader with this misconception answers. */
function answered(hidden, { data, number }, isRight) {
  const answer = data === hidden.data && !isRight ? outcome(data, data.variants[number], hidden.way) : "right";
  if (answer === "right") return { passed: true, ways: [] };
  const ways = answer === "?" ? [] : hypotheses([data]).map(({ way }) => way).filter(way => outcome(data, data.variants[number], way) === answer);
  return { passed: false, ways };
}

/** Problems until the hidden misconception is found; Infinity if it is not, or another one is. */
export function problemsToFind(tasks, hidden, choose, isRight = () => false) {
  let possible = hypotheses(tasks);
  const asked = new Set();
  for (let count = 1; count <= MAX_PROBLEMS; count++) {
    const question = choose(possible, asked, tasks);
    if (!question) return Infinity;
    asked.add(`${question.data.task} ${question.number}`);
    possible = weighed(possible, question.data, question.number, answered(hidden, question, isRight()));
    const found = foundAmong(possible);
    if (found) return found.data === hidden.data && found.way === hidden.way ? count : Infinity;
  }
  return Infinity;
}

/** For each misconception of each page, problems until it is found; several runs where chance plays a part. */
export function allReaders(choose, runs = 1, isRight) {
  return [...pages()].flatMap(([page, tasks]) => hypotheses(tasks).flatMap(hidden =>
    Array.from({ length: runs }, () => ({ page, count: problemsToFind(tasks, hidden, choose, isRight) }))));
}

export const chosen = (possible, asked) => mostTelling(possible, asked);
export const atRandom = random => (possible, asked, tasks) => {
  const data = tasks[Math.floor(random() * tasks.length)];
  return { data, number: Math.floor(random() * data.variants.length) };
};

export const shareWithin = (readers, most) => readers.filter(({ count }) => count <= most).length / readers.length;
const line = (label, readers) =>
  `${label.padEnd(36)} ${[1, 2, 3, 4, 6].map(most => `${(100 * shareWithin(readers, most)).toFixed(1)} % in ${most}`).join(", ")} (${readers.length} readers)`;

function report() {
  const [one, two] = [uniform(7), uniform(8)];
  const readers = allReaders(chosen);
  console.log(line("chosen problems", readers));
  console.log(line("problems at random", allReaders(atRandom(one), RUNS)));
  console.log(line("chosen, careless reader", allReaders(chosen, RUNS, () => two() < CARELESS)));
  console.log(line("at random, careless reader", allReaders(atRandom(one), RUNS, () => two() < CARELESS)));
  if (!process.argv.includes("--pages")) return;
  for (const [page, tasks] of pages()) console.log(line(`${page}, ${tasks.length} problems`, readers.filter(reader => reader.page === page)));
}

if (process.argv[1]?.endsWith("separation.mjs")) report();

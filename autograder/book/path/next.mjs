// What to do next, and what a day's session holds: from the record and the table of chapters (course.json).
import { retrievability } from "./schedule.mjs";

const SESSION = 8; // problems of a day
const TASTE = 3; // problems for somebody who is here for the first time
const NEW_A_DAY = 3; // of them from chapters that were read and not practised

/** Names of misconceptions that were shown and not overcome, the last shown first. */
export function openMisconceptions(record) {
  const open = Object.entries(record.shown).filter(([, { overcome }]) => overcome === null);
  return open.sort(([, one], [, other]) => other.last - one.last).map(([name]) => {
    const [task, misconception] = name.split("/");
    return { task, misconception };
  });
}

/** Problems whose day has come, those most likely forgotten first. */
export function dueTasks(record, course, day) {
  const chance = card => retrievability(day - card.last, card.stability);
  return Object.entries(record.cards)
    .filter(([task, card]) => card.due <= day && course.tasks[task])
    .sort(([, one], [, other]) => chance(one) - chance(other))
    .map(([task]) => task);
}

export const isNew = record => !Object.keys(record.read).length && !Object.keys(record.cards).length;

const unpractised = (record, chapter) => chapter.practice.filter(task => !record.cards[task]);

/** The problems of a day: what is due, then new ones of chapters that were read; neighbours are of different chapters. */
export function session(record, course, day) {
  const practised = course.chapters.filter(({ practice }) => practice.length);
  if (isNew(record)) return practised.slice(0, TASTE).map(({ practice }) => practice[0]);
  const started = Object.values(record.cards).filter(card => card.reviews === 1 && card.last === day).length;
  const room = Math.max(0, NEW_A_DAY - started);
  const due = dueTasks(record, course, day).filter(task => !course.tasks[task].isKata).slice(0, SESSION);
  const fresh = course.chapters.filter(({ page }) => record.read[page]).flatMap(chapter => unpractised(record, chapter)).slice(0, Math.min(room, SESSION - due.length));
  return interleaved([...due, ...fresh], course);
}

/** The same problems, where possible without two of one chapter in a row. */
function interleaved(tasks, course) {
  const rest = [...tasks];
  const order = [];
  while (rest.length) {
    const last = course.tasks[order.at(-1)]?.page;
    const place = rest.findIndex(task => course.tasks[task].page !== last);
    order.push(...rest.splice(Math.max(place, 0), 1));
  }
  return order;
}

export function chapterState(record, chapter) {
  const practised = chapter.practice.filter(task => record.cards[task]).length;
  const solved = chapter.solve.filter(task => record.solved[task]).length;
  return { isRead: chapter.page in record.read, practised, solved };
}

/** Chapters that were not read and whose prerequisites all were, those of the core path first. */
export function ready(record, course) {
  const open = course.chapters.filter(({ page, needs }) => !(page in record.read) && needs.every(need => need in record.read));
  return [...open.filter(({ isCore }) => isCore), ...open.filter(({ isCore }) => !isCore)];
}

/** What to do next: a list of {kind, ...}, the most useful first. */
export function whatNext(record, course, day) {
  const steps = [];
  const all = dueTasks(record, course, day);
  const due = all.filter(task => !course.tasks[task].isKata);
  const katas = all.filter(task => course.tasks[task].isKata);
  const open = openMisconceptions(record).filter(({ task }) => course.tasks[task]);
  if (open.length) steps.push({ kind: "overcome", ...open[0], others: open.length - 1 });
  if (due.length) steps.push({ kind: "session", count: Math.min(due.length, SESSION) });
  if (katas.length) steps.push({ kind: "kata", task: katas[0], others: katas.length - 1 });
  const read = course.chapters.filter(({ page }) => page in record.read);
  const practice = read.find(chapter => unpractised(record, chapter).length);
  if (practice) steps.push({ kind: "practise", page: practice.page, count: unpractised(record, practice).length });
  const [chapter] = ready(record, course);
  if (chapter) steps.push({ kind: "read", page: chapter.page });
  const solve = read.find(({ solve }) => solve.length && !solve.some(task => record.solved[task]));
  if (solve) steps.push({ kind: "solve", page: solve.page, count: solve.solve.length });
  return steps;
}

// What a reader did, as plain data: functions from record to record, without storage and without the page.
import { AGAIN, GOOD, reviewed } from "./schedule.mjs";

export const FORMAT = 1;
const LARGEST_FILE = 2_000_000; // characters of a file that is read back

export const empty = () => ({ format: FORMAT, read: {}, cards: {}, solved: {}, shown: {}, days: {} });

/** The number of a day in the reader's zone. */
export const dayOf = (date = new Date()) => Math.floor((date.getTime() - date.getTimezoneOffset() * 60_000) / 86_400_000);
export const dateOf = day => new Date(day * 86_400_000).toISOString().slice(0, 10);

const withCount = (record, day) => ({ ...record.days, [day]: (record.days[day] ?? 0) + 1 });

/** A page was read to its end. */
export const noteRead = (record, page, day) => (record.read[page] ? record : { ...record, read: { ...record.read, [page]: day } });

export function forgetRead(record, page) {
  const { [page]: _, ...read } = record.read;
  return { ...record, read };
}

/** A task was passed in a cell of a page. */
export function noteSolved(record, task, day) {
  return record.solved[task] ? record : { ...record, solved: { ...record.solved, [task]: day }, days: withCount(record, day) };
}

/**
 * An answer to a practice problem. `isFirst`: the first to these numbers; it alone decides when the problem returns.
 * `isHelped`: the worked solution was open before. `separated`: misconceptions that would have answered otherwise.
 */
export function noteAnswer(record, answer, day) {
  const { task, passed, misconception = null, isFirst, isHelped = false, separated = [] } = answer;
  let next = record;
  if (isFirst) {
    const grade = passed && !isHelped ? GOOD : AGAIN;
    next = { ...next, cards: { ...next.cards, [task]: reviewed(next.cards[task], grade, day) }, days: withCount(next, day) };
  }
  if (misconception) next = withShown(next, `${task}/${misconception}`, day);
  if (passed && isFirst && !isHelped) next = withOvercome(next, task, separated, day);
  return next;
}

function withShown(record, name, day) {
  const before = record.shown[name] ?? { first: day, times: 0 };
  return { ...record, shown: { ...record.shown, [name]: { ...before, last: day, times: before.times + 1, overcome: null } } };
}

/** A right first answer overcomes a misconception if that would have given another number. */
function withOvercome(record, task, separated, day) {
  const shown = { ...record.shown };
  for (const misconception of separated) {
    const name = `${task}/${misconception}`;
    if (shown[name] && shown[name].overcome === null) shown[name] = { ...shown[name], overcome: day };
  }
  return { ...record, shown };
}

/** Both records in one: of each entry the one with more in it, so that no device loses what another did. */
export function merged(one, other) {
  const joined = (field, better) => {
    const all = { ...one[field] };
    for (const [name, entry] of Object.entries(other[field])) all[name] = name in all ? better(all[name], entry) : entry;
    return all;
  };
  const later = (a, b) => (b.last > a.last || (b.last === a.last && (b.reviews ?? b.times) > (a.reviews ?? a.times)) ? b : a);
  return {
    format: FORMAT,
    read: joined("read", Math.min),
    cards: joined("cards", later),
    solved: joined("solved", Math.min),
    shown: joined("shown", later),
    days: joined("days", Math.max),
  };
}

const isDay = value => Number.isInteger(value) && value >= 0 && value < 1e6;
const isCard = card => isDay(card?.last) && isDay(card.due) && card.stability > 0 && card.stability < 1e6
  && card.difficulty >= 1 && card.difficulty <= 10 && isDay(card.reviews) && isDay(card.lapses);
const isShown = shown => isDay(shown?.first) && isDay(shown.last) && isDay(shown.times) && (shown.overcome === null || isDay(shown.overcome));
const CHECKS = { read: isDay, cards: isCard, solved: isDay, shown: isShown, days: isDay };

/** The record that a text holds; entries that are none are left out. Throws an Error with a line for the reader. */
export function parsed(text) {
  if (text.length > LARGEST_FILE) throw new Error("this file is too large to hold a reader's progress");
  let data;
  try {
    data = JSON.parse(text);
  } catch {
    throw new Error("this file does not hold a reader's progress: it is not JSON");
  }
  if (data?.format !== FORMAT) throw new Error(`this file does not hold a reader's progress of format ${FORMAT}`);
  const record = empty();
  for (const [field, isRight] of Object.entries(CHECKS)) {
    const entries = typeof data[field] === "object" && data[field] ? Object.entries(data[field]) : [];
    record[field] = Object.fromEntries(entries.filter(([name, entry]) => name.length < 200 && name !== "__proto__" && isRight(entry)));
  }
  return record;
}

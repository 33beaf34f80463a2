// The record of this device: kept under the site's address, read anew before each change, so that tabs do not undo each other.
import { empty, merged, parsed } from "./record.mjs";

export const SITE = new URL("../../", import.meta.url);
const KEY = `path:${SITE.pathname}`;
const PRACTICE = "practice:"; // which numbers of a problem were solved
const LIVE = `live:${SITE.pathname}:`; // what was written in live tasks

/** Storage may be switched off; then nothing is kept. */
function tried(work) {
  try {
    return work();
  } catch {
    return null;
  }
}

export const load = () => tried(() => parsed(localStorage.getItem(KEY))) ?? empty();

/** Change the record and tell the page. */
export function update(change) {
  const next = change(load());
  tried(() => localStorage.setItem(KEY, JSON.stringify(next)));
  dispatchEvent(new CustomEvent("path-changed", { detail: next }));
  return next;
}

/** Call with the record whenever it changes, here or in another tab. */
export function watch(show) {
  addEventListener("path-changed", ({ detail }) => show(detail));
  addEventListener("storage", ({ key }) => (key === KEY || key === null) && show(load()));
}

const entriesUnder = prefix => tried(() => Object.fromEntries(
  Object.keys(localStorage).filter(key => key.startsWith(prefix)).map(key => [key.slice(prefix.length), localStorage.getItem(key)]),
)) ?? {};

/** Everything that this device keeps of the reader, as the text of a file. */
export function exported() {
  return JSON.stringify({ ...load(), practice: entriesUnder(PRACTICE), answers: entriesUnder(LIVE) }, null, 1);
}

/** Take such a file in, beside what is here: an answer that was written here stays. Returns what was taken. */
export function imported(text) {
  const record = parsed(text);
  const { practice, answers } = JSON.parse(text);
  const next = update(own => merged(own, record));
  for (const [task, state] of Object.entries(practice ?? {})) joinPractice(task, state);
  const fresh = Object.entries(answers ?? {}).filter(([task, code]) => typeof code === "string" && tried(() => localStorage.getItem(LIVE + task)) === null);
  for (const [task, code] of fresh) tried(() => localStorage.setItem(LIVE + task, code));
  return { record: next, answers: fresh.length };
}

function joinPractice(task, text) {
  const state = tried(() => JSON.parse(text));
  if (!Array.isArray(state?.solved) || !state.solved.every(Number.isInteger)) return;
  const own = tried(() => JSON.parse(localStorage.getItem(PRACTICE + task))) ?? { at: 0, solved: [] };
  const solved = [...new Set([...own.solved, ...state.solved])];
  tried(() => localStorage.setItem(PRACTICE + task, JSON.stringify({ at: own.at, solved })));
}

/** Forget the path and the practice of this device; answers in live tasks stay where they were written. */
export function erase() {
  for (const task of Object.keys(entriesUnder(PRACTICE))) tried(() => localStorage.removeItem(PRACTICE + task));
  tried(() => localStorage.removeItem(KEY));
  dispatchEvent(new CustomEvent("path-changed", { detail: empty() }));
}

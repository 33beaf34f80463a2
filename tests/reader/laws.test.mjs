// Laws of the reader's path and of the search for a misconception: `node --test`.
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import test from "node:test";

const folder = new URL("../../autograder/book/", import.meta.url);
const dataFolder = new URL("../../book/_static/practice/data/", import.meta.url);
const load = (name) => import(new URL(`${name}.mjs`, folder));
const { AGAIN, GOOD, interval, retrievability, reviewed } = await load("path/schedule");
const { empty, forgetRead, merged, noteAnswer, noteRead, noteSolved, parsed } = await load("path/record");
const { dueTasks, openMisconceptions, ready, session, whatNext } = await load("path/next");
const { note } = await load("path/anki");
const { foundAmong, hypotheses, information, mostTelling, outcome, ownWays, separatedBy, weighed } = await load("practice/separate");
const { judge } = await load("practice/judge");
const { allReaders, chosen, shareWithin } = await import(new URL("../../benchmarks/separation.mjs", import.meta.url));

const dataOf = (task) => JSON.parse(readFileSync(new URL(`${task}.json`, dataFolder), "utf8"));
const chapter = (page, needs, practice, more = {}) => ({ page, needs, practice, solve: [], isCore: false, ...more });
const course = {
  chapters: [chapter("b/one", [], ["one.a", "one.b"]), chapter("b/two", ["b/one"], ["two.a"]), chapter("b/three", [], ["three.a"], { isCore: true, solve: ["three.x"] })],
  tasks: { "one.a": { page: "b/one" }, "one.b": { page: "b/one" }, "two.a": { page: "b/two" }, "three.a": { page: "b/three" } },
};
const right = (task, more = {}) => ({ task, passed: true, isFirst: true, ...more });
const wrong = (task, misconception = null) => ({ task, passed: false, isFirst: true, misconception });

test("Nine in ten are remembered after as many days as the stability", () => {
  for (const stability of [0.4, 3, 80]) assert.ok(Math.abs(retrievability(stability, stability) - 0.9) < 1e-12);
  assert.equal(interval(3.173), 3);
  assert.equal(interval(80), 80);
});

test("Right answers lengthen the interval each time, a wrong one brings the problem back tomorrow", () => {
  let card;
  let wait = 0;
  for (let day = 100, times = 0; times < 6; times++, day = card.due) {
    card = reviewed(card, GOOD, day);
    assert.ok(card.due - day > wait);
    wait = card.due - day;
  }
  const failed = reviewed(card, AGAIN, card.due);
  assert.equal(failed.due - failed.last, 1);
  assert.ok(failed.stability < card.stability && failed.difficulty > card.difficulty);
  assert.equal(failed.lapses, 1);
});

test("A clock that was set back does no harm", () => {
  const card = reviewed(reviewed(undefined, GOOD, 100), GOOD, 90);
  assert.ok(card.stability > 0 && card.due > 90);
});

test("Only the first answer decides when a problem returns, and one with help does not count as right", () => {
  const once = noteAnswer(empty(), wrong("one.a"), 10);
  assert.deepEqual(noteAnswer(once, right("one.a", { isFirst: false }), 10), once);
  assert.equal(noteAnswer(empty(), right("one.a", { isHelped: true }), 10).cards["one.a"].due, 11);
  assert.equal(noteAnswer(empty(), right("one.a"), 10).cards["one.a"].due, 13);
});

test("A misconception is overcome by a right first answer on numbers that would show it, and comes back when shown again", () => {
  let record = noteAnswer(empty(), wrong("one.a", "forgot_it"), 10);
  assert.deepEqual(openMisconceptions(record), [{ task: "one.a", misconception: "forgot_it" }]);
  assert.equal(openMisconceptions(noteAnswer(record, right("one.a", { separated: [] }), 11)).length, 1);
  assert.equal(openMisconceptions(noteAnswer(record, right("one.a", { isHelped: true, separated: ["forgot_it"] }), 11)).length, 1);
  record = noteAnswer(record, right("one.a", { separated: ["forgot_it"] }), 11);
  assert.equal(record.shown["one.a/forgot_it"].overcome, 11);
  record = noteAnswer(record, wrong("one.a", "forgot_it"), 12);
  assert.deepEqual(record.shown["one.a/forgot_it"], { first: 10, last: 12, times: 2, overcome: null });
});

test("A record survives its own file, and two devices lose nothing of each other", () => {
  const one = noteAnswer(noteRead(empty(), "b/one", 5), wrong("one.a", "forgot_it"), 6);
  const two = noteSolved(noteAnswer(noteRead(empty(), "b/two", 4), right("one.a"), 9), "three.x", 9);
  assert.deepEqual(parsed(JSON.stringify(one)), one);
  const both = merged(one, two);
  assert.deepEqual(both, merged(two, one));
  assert.deepEqual(Object.keys(both.read).sort(), ["b/one", "b/two"]);
  assert.deepEqual(both.cards["one.a"], two.cards["one.a"]);
  assert.ok("one.a/forgot_it" in both.shown && both.solved["three.x"] === 9);
  assert.deepEqual(merged(both, both), both);
  assert.deepEqual(forgetRead(noteRead(empty(), "b/one", 5), "b/one"), empty());
});

test("Files that are none are refused with a line, and broken entries are left out", () => {
  assert.throws(() => parsed("no"), /not JSON/);
  assert.throws(() => parsed("null"), /of format 1/);
  assert.throws(() => parsed('{"format": 2}'), /of format 1/);
  assert.throws(() => parsed(" ".repeat(2_000_001)), /too large/);
  const text = '{"format": 1, "read": {"b/one": 3, "b/two": "<img>", "__proto__": 3}, "cards": {"one.a": {"due": 1}, "one.b": null}, "shown": 7}';
  assert.deepEqual(parsed(text), { ...empty(), read: { "b/one": 3 } });
});

test("What comes next follows from prerequisites and from what went wrong", () => {
  assert.deepEqual(ready(empty(), course).map(({ page }) => page), ["b/three", "b/one"]);
  assert.deepEqual(whatNext(empty(), course, 10), [{ kind: "read", page: "b/three" }]);
  const read = noteRead(empty(), "b/one", 9);
  assert.deepEqual(ready(read, course).map(({ page }) => page), ["b/three", "b/two"]);
  const kinds = (record, day) => whatNext(record, course, day).map(({ kind }) => kind);
  assert.deepEqual(kinds(read, 10), ["practise", "read"]);
  assert.deepEqual(kinds(noteAnswer(read, wrong("one.a", "forgot_it"), 10), 11), ["overcome", "session", "practise", "read"]);
  assert.deepEqual(kinds(noteRead(empty(), "b/three", 9), 10), ["practise", "read", "solve"]);
});

test("A session holds what is due, the most forgotten first, then new problems of read chapters, chapters taking turns", () => {
  let record = noteRead(noteRead(empty(), "b/one", 1), "b/three", 1);
  assert.deepEqual(session(record, course, 2), ["one.a", "three.a", "one.b"]);
  record = noteAnswer(noteAnswer(record, right("one.a"), 2), wrong("one.b"), 2);
  assert.deepEqual(dueTasks(record, course, 2), []);
  assert.deepEqual(dueTasks(record, course, 9), ["one.b", "one.a"]);
  assert.deepEqual(session(record, course, 9), ["one.b", "three.a", "one.a"]);
  const many = { chapters: [chapter("b/one", [], Array.from({ length: 30 }, (_, i) => `one.${i}`))], tasks: {} };
  for (const task of many.chapters[0].practice) many.tasks[task] = { page: "b/one" };
  let all = noteRead(empty(), "b/one", 1);
  assert.equal(session(all, many, 2).length, 3);
  for (const task of many.chapters[0].practice) all = noteAnswer(all, wrong(task), 1);
  assert.equal(session(all, many, 2).length, 8);
  assert.deepEqual(session(empty(), course, 1), ["one.a", "two.a", "three.a"]); // a first visit: one of each
});

test("In a month of daily sessions every problem of what was read returns, at growing intervals, and no day is long", () => {
  const pages = Array.from({ length: 10 }, (_, i) => chapter(`b/${i}`, [], [`${i}.a`, `${i}.b`, `${i}.c`]));
  const month = { chapters: pages, tasks: Object.fromEntries(pages.flatMap(({ page, practice }) => practice.map((task) => [task, { page }]))) };
  let record = empty();
  for (let day = 1; day <= 30; day++) {
    if (day <= 10) record = noteRead(record, `b/${day - 1}`, day);
    const today = session(record, month, day);
    assert.ok(today.length <= 8);
    for (const task of today) record = noteAnswer(record, (day + task.length) % 7 ? right(task) : wrong(task), day);
  }
  const cards = Object.values(record.cards);
  assert.equal(cards.length, 30);
  assert.ok(cards.every(({ reviews }) => reviews >= 2));
  assert.ok(cards.filter(({ due }) => due > 35).length > 20);
});

test("An Anki note is one line of three fields, its formulas in Anki's brackets", () => {
  for (const task of ["pca.first_component", "classical_mds.triangle_map", "lle.three_neighbors"]) {
    const fields = note(dataOf(task), "https://example.org/book/pca.html").split("\t");
    assert.equal(fields.length, 3);
    assert.ok(!/[\n\r]/.test(fields.join()));
    assert.match(fields[0], /\\[([][^]*\\[)\]]/);
    assert.ok(!/\[\[|<span/.test(fields.join()));
    assert.equal(fields[2], task.replace(".", "::"));
  }
});

test("A misconception's answer is told from a right one, and bits count answers", () => {
  const data = dataOf("pca.first_component");
  const ways = ownWays(data);
  assert.deepEqual(separatedBy(data, data.variants[0]), ways);
  const possible = hypotheses([data]);
  assert.ok(Math.abs(information(possible, data, 0) - Math.log2(ways.length)) < 1e-9);
  assert.equal(information(possible.slice(0, 1), data, 0), 0);
});

test("What judges a real answer and what foretells it agree: the misconception that was typed is found", () => {
  const data = dataOf("pca.first_component");
  const [[x, y], share] = data.variants[0].answer;
  const { ways, passed } = judge(data, data.variants[0], [`${-y}, ${x}`, `${1 - share}`]);
  assert.ok(!passed && ways.length === 1);
  assert.equal(foundAmong(weighed(hypotheses([data]), data, 0, { passed, ways })).way, ways[0]);
  assert.notEqual(outcome(data, data.variants[0], ways[0]), "right");
});

test("Right answers alone find nothing", () => {
  let possible = hypotheses([dataOf("pca.first_component"), dataOf("lle.three_neighbors")]);
  const asked = new Set();
  for (let i = 0; i < 6; i++) {
    const { data, number } = mostTelling(possible, asked);
    asked.add(`${data.task} ${number}`);
    possible = weighed(possible, data, number, { passed: true, ways: [] });
    assert.equal(foundAmong(possible), null);
  }
});

test("One hidden misconception is found in at most three problems by nine readers of ten, on every page of the book", () => {
  const readers = allReaders(chosen);
  assert.ok(readers.length > 300);
  assert.ok(shareWithin(readers, 3) >= 0.9, `${shareWithin(readers, 3)}`);
  assert.equal(shareWithin(readers, 12), 1);
});

// Answers in notebooks and back: `node --test`.
import assert from "node:assert/strict";
import test from "node:test";

const { answersIn, filled, notebookFrom } = await import(new URL("../../autograder/book/live/page/take.mjs", import.meta.url));

const answer = (name, source) => ({ cell_type: "code", source, outputs: [{}], execution_count: 3, metadata: { nbgrader: { solution: true, grade_id: name } } });
const notebook = {
  metadata: { dimred: { seed: "one" } },
  cells: [{ cell_type: "markdown", source: "text", metadata: {} }, answer("total", ["total = None\n", "check()"]), answer("area", "area = 1\n"),
    { cell_type: "code", source: "x = 1", metadata: { nbgrader: { solution: false, grade_id: "given" } } }],
};

test("What was written goes into its cell, and what was not leaves the cell as it is", () => {
  const made = filled(notebook, { total: "total = 2\n\ncheck()", nowhere: "no", given: "x = 2" });
  assert.deepEqual(made.cells[1], { ...notebook.cells[1], source: ["total = 2\n", "\n", "check()"], outputs: [], execution_count: null });
  assert.deepEqual([made.cells[0], made.cells[2], made.cells[3], made.metadata], [notebook.cells[0], notebook.cells[2], notebook.cells[3], notebook.metadata]);
  assert.equal(notebook.cells[1].source[0], "total = None\n");
});

test("Answers come back as they went, whichever way a notebook writes its lines", () => {
  assert.deepEqual(answersIn(notebook), { total: "total = None\ncheck()", area: "area = 1" });
  const texts = { total: "a = 1\nb = '\\n'\n\nc", area: "" };
  assert.deepEqual(answersIn(filled(notebook, texts)), texts);
});

test("Of several copies of a cell the last one counts, as when it is graded", () => {
  assert.deepEqual(answersIn({ cells: [answer("area", "first"), answer("area", "last")] }), { area: "last" });
});

test("A file that is no notebook is refused with a line", () => {
  for (const text of ["", "{}", "[]", "null", '{"cells": 3}', "<html>"]) assert.throws(() => notebookFrom(text), /not a notebook/);
  assert.deepEqual(answersIn(notebookFrom('{"cells": [null, 3, {}, {"cell_type": "code"}]}')), {});
});

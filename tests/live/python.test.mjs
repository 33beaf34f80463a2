// When a page takes its Python for lost: `node --test`, with workers and a clock of the test.
import assert from "node:assert/strict";
import test, { mock } from "node:test";

const { Python } = await import(process.env.PYTHON_SCRIPT);
const SILENCE = 5000; // milliseconds, as in the script

class FakeWorker {
  static made = [];

  constructor() {
    this.isTerminated = false;
    FakeWorker.made.push(this);
  }

  postMessage(message) {
    this.last = message;
  }

  terminate() {
    this.isTerminated = true;
  }

  say(data) {
    this.onmessage({ data });
  }
}

function started() {
  FakeWorker.made = [];
  globalThis.Worker = FakeWorker;
  const python = new Python();
  python.start("https://book.example/live/", { python: "python/", wheels: {} });
  FakeWorker.made[0].say({ type: "ready" });
  return python;
}

function ask(python) {
  python.request(() => {}).send({ code: "1" });
  return FakeWorker.made.at(-1);
}

function answer(worker) {
  worker.say({ type: "heard" });
  worker.say({ type: "begun", id: worker.last.id });
  worker.say({ type: "done", id: worker.last.id, outcome: {} });
}

test("A request just before the time of an earlier one is over gets time of its own", () => {
  mock.timers.enable({ apis: ["setTimeout"] });
  const python = started();
  answer(ask(python));
  mock.timers.tick(SILENCE - 10);
  const worker = ask(python);
  mock.timers.tick(100); // the first request's time is over, and the second is not heard yet
  assert.equal(FakeWorker.made.length, 1);
  assert.ok(!worker.isTerminated);
  answer(worker);
  mock.timers.tick(10 * SILENCE);
  assert.equal(FakeWorker.made.length, 1);
  mock.timers.reset();
});

test("A Python that is ready and says nothing to a request is replaced, and the new one is asked", () => {
  mock.timers.enable({ apis: ["setTimeout"] });
  const python = started();
  const silent = ask(python);
  mock.timers.tick(SILENCE + 10);
  assert.ok(silent.isTerminated);
  assert.equal(FakeWorker.made.length, 2);
  assert.deepEqual(FakeWorker.made[1].last, silent.last);
  mock.timers.reset();
});

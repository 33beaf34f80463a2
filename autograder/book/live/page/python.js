// One Python for a page, in a worker. It is stopped gently, and by force if it does not listen: one long call of numpy
// never looks up. Then a new one starts, and what others had asked is asked again.
const GRACE = 1500; // milliseconds
const SILENCE = 5000; // of a Python that has nothing to do and was asked something: what an earlier cell left behind holds it

export class Python {
  waiting = new Map(); // what was asked and not answered, by number
  count = 0;

  start(live, { python, wheels }) {
    const own = Object.entries(wheels).map(([name, wheel]) => [name, { ...wheel, address: new URL(wheel.address, live).href }]);
    this.places = { python: new URL(python, live).href, own: Object.fromEntries(own) };
    this.begin();
  }

  begin() {
    const worker = new Worker(new URL("worker.mjs", import.meta.url), { type: "module" });
    this.worker = worker;
    this.isReady = false;
    // what an ended worker still had to say is not heard
    worker.onmessage = ({ data }) => worker === this.worker && this.hear(data);
    worker.onerror = event => worker === this.worker && this.fail(event.message || "it could not be started");
    worker.postMessage({ type: "start", ...this.places });
  }

  hear({ type, id, text, outcome, isOver }) {
    clearTimeout(this.silence);
    if (type === "ready") this.isReady = true;
    if (type === "stage") for (const one of this.waiting.values()) one.tell(text);
    const asked = this.waiting.get(id);
    if (type === "begun" && asked) asked.hasBegun = true;
    if (type === "done" && asked) this.answer(id, outcome);
    if (isOver) this.end();
  }

  answer(id, outcome) {
    const asked = this.waiting.get(id);
    this.waiting.delete(id);
    URL.revokeObjectURL(asked.alive);
    asked.resolve(outcome);
  }

  fail(why) {
    for (const id of [...this.waiting.keys()]) this.answer(id, said(`Python stopped: ${why}`));
    this.end();
  }

  // Another Python starts when something is asked: at once, if something waits.
  end() {
    this.worker.terminate();
    this.worker = null;
    for (const { message } of this.waiting.values()) this.ask(message);
  }

  ask(message) {
    if (!this.worker) this.begin();
    this.worker.postMessage(message);
    if (this.isReady && ![...this.waiting.values()].some(one => one.hasBegun)) this.listen();
  }

  // Python has started and is not running anything: if it says nothing now, another one starts and is asked.
  listen() {
    const { worker } = this;
    clearTimeout(this.silence); // a request that comes just before an earlier one's time is over has its own
    this.silence = setTimeout(() => worker === this.worker && this.end(), SILENCE);
  }

  // A request that can be stopped before it is sent, while Python starts, and while it runs.
  request(tell) {
    const id = ++this.count;
    const asked = { tell, alive: URL.createObjectURL(new Blob(["go on"], { type: "text/plain" })), hasBegun: false };
    let isStopped = false;
    const send = (request, key) => new Promise(resolve => {
      if (isStopped) return resolve(said("Stopped."));
      asked.resolve = resolve;
      asked.message = { type: "run", id, request, key, alive: asked.alive };
      this.waiting.set(id, asked);
      this.ask(asked.message);
    });
    const stop = () => {
      isStopped = true;
      URL.revokeObjectURL(asked.alive); // the worker looks whether it can still be read
      if (!this.waiting.has(id)) return;
      if (!asked.hasBegun) return this.answer(id, said("Stopped."));
      setTimeout(() => this.waiting.has(id) && this.force(id), GRACE);
    };
    return { send, stop };
  }

  force(id) {
    this.answer(id, said("Stopped."));
    this.end();
    if (!this.worker) this.begin(); // ready for what comes next
  }
}

const said = error => ({ output: "", error, figures: [], verdicts: [] });

// Python in a worker: the page stays alive whatever a cell does. One cell at a time, in the order of the requests.
import { Wheels, locked } from "./wheels.mjs";

const LOOK = 200; // milliseconds between looks for a stop
const FIRST = ["numpy", "autograder"]; // what every cell imports
const MUCH = 2 ** 30; // bytes: what Python took once it never gives back

// A cell reaches the worker by `import js`. What would end it, or speak in its name, is ours alone.
const post = self.postMessage.bind(self);
for (const name of ["postMessage", "close"]) for (const owner of [self, DedicatedWorkerGlobalScope.prototype]) delete owner[name];
// Python has ended, or never started: whoever asks again needs another one.
class Over extends Error {
  constructor(cause) {
    super(cause.message ?? String(cause));
  }
}
let ready;
let queue = Promise.resolve();

const stage = text => post({ type: "stage", text });
const mark = name => performance.mark(name); // for those who measure

// Without special headers a page and its worker share no memory. They share addresses: the page revokes the one that a
// request came with, and reading it fails. Python looks at element 0 of this buffer every few hundred steps: 2 is Ctrl-C.
const interrupt = {
  alive: null,
  next: 0,
  get 0() {
    const now = performance.now();
    if (!this.alive || now < this.next) return 0;
    this.next = now + LOOK;
    if (isReadable(this.alive)) return 0;
    this.alive = null;
    return 2;
  },
  set 0(_) {},
};

function isReadable(address) {
  try {
    const request = new XMLHttpRequest();
    request.open("GET", address, false);
    request.send();
    return true;
  } catch {
    return false;
  }
}

async function read(address, integrity) {
  const file = address.split("/").at(-1);
  const answer = await fetch(address, { integrity }).catch(() => Promise.reject(new Error(`${file} could not be fetched. Is there a network?`)));
  if (!answer.ok) throw new Error(`${file} is not there (${answer.status})`);
  return new Uint8Array(await answer.arrayBuffer());
}

// Everything is fetched side by side. The wheels are unpacked before Python starts, while its program is compiled.
async function start({ python, own }) {
  mark("asked");
  stage("Fetching Python, once…");
  const program = import(`${python}pyodide.mjs`);
  program.catch(() => {}); // told below
  const lock = JSON.parse(new TextDecoder().decode(await read(`${python}pyodide-lock.json`)));
  const wheels = new Wheels({ ...locked(lock, python), ...own }, read);
  const first = wheels.fetched(wheels.missing(FIRST));
  first.catch(() => {}); // told below
  const fsInit = async FS => {
    mark("compiled");
    (await first)(FS);
    mark("unpacked");
    stage("Starting Python…");
  };
  const { loadPyodide } = await program;
  const started = await loadPyodide({ indexURL: python, lockFileContents: lock, packageBaseUrl: python, fsInit, env: { MPLBACKEND: "agg", HOME: "/home/pyodide" } });
  await first;
  mark("started");
  const cell = started.pyimport("autograder.live.cell");
  started.setInterruptBuffer(interrupt);
  mark("imported");
  post({ type: "ready" });
  return { python: started, cell, wheels };
}

async function run({ id, request, key, alive }) {
  const { python, cell, wheels } = await ready;
  if (!isReadable(alive)) return; // stopped before it began
  if (key) python.FS.writeFile(key.name, key.text);
  let imports = told(cell.imports, request);
  // again, if an import failed that a wheel could have met: one that cannot be read from the cell
  for (let outcome; ; imports = outcome.missing) {
    await fetchWheels(python, wheels, imports);
    post({ type: "begun", id });
    stage("Running…");
    Object.assign(interrupt, { alive, next: 0 });
    try {
      outcome = told(cell.run, { ...request, absent: wheels.absent });
    } finally {
      interrupt.alive = null;
    }
    if (!outcome.missing.length) {
      mark("answered");
      return { outcome, isOver: outcome.is_spent || python._module.HEAP8.length > MUCH };
    }
  }
}

// What a cell raises is an outcome. What comes out of these calls is Python's own end.
function told(ask, request) {
  try {
    return JSON.parse(ask(JSON.stringify(request)));
  } catch (error) {
    throw new Over(error);
  }
}

// What few cells need is fetched when a cell imports it.
async function fetchWheels(python, wheels, imports) {
  const names = wheels.missing(imports);
  if (!names.length) return;
  stage(`Fetching ${names.filter(name => imports.includes(name)).join(", ") || "libraries"}…`);
  (await wheels.fetched(names))(python.FS);
  python.pyimport("importlib").invalidate_caches();
}

async function answer(data) {
  try {
    const found = await run(data);
    if (found) post({ type: "done", id: data.id, ...found });
  } catch (error) {
    const isOver = error instanceof Over;
    const why = error.message.trim().split("\n").at(-1); // of a traceback through the engine, the reason
    const text = `Python could not go on: ${why}${isOver ? "\nAnother one starts when you run a cell again." : ""}`;
    post({ type: "done", id: data.id, outcome: { output: "", error: text, figures: [], verdicts: [] }, isOver });
  }
}

self.addEventListener("message", ({ data, isTrusted }) => {
  if (!isTrusted) return; // a cell made it
  if (data.type === "start") {
    ready = start(data).catch(error => Promise.reject(new Over(error)));
    ready.catch(() => {}); // told to whoever asks
  } else {
    post({ type: "heard" }); // though it may wait for a wheel, or for others
    queue = queue.then(() => answer(data));
  }
});

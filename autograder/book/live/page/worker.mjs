// Python in a worker: the page stays alive whatever a cell does. One cell at a time, in the order of the requests.
const LOOK = 200; // milliseconds between looks for a stop
const SITE_PACKAGES = "/lib/python3.14/site-packages";
const FIRST = ["numpy", "mpmath"];
const LATER = ["scipy", "sympy", "matplotlib"];
const quietly = { messageCallback() {} };
let ready;
let queue = Promise.resolve();

const stage = text => self.postMessage({ type: "stage", text });

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

async function start({ python, engine }) {
  stage("Fetching Python, once…");
  const wheel = fetch(engine).then(answer => answer.arrayBuffer());
  const { loadPyodide } = await import(`${python}pyodide.mjs`);
  const started = await loadPyodide({ indexURL: python, packages: FIRST, env: { MPLBACKEND: "agg", HOME: "/home/pyodide" } });
  stage("Starting Python…");
  started.unpackArchive(await wheel, "wheel", { extractDir: SITE_PACKAGES });
  const cell = started.pyimport("autograder.browser.cell");
  started.setInterruptBuffer(interrupt);
  return { python: started, cell };
}

async function run({ id, request, key, alive }) {
  const { python, cell } = await ready;
  if (!isReadable(alive)) return; // stopped before it began
  const text = JSON.stringify(request);
  if (key) python.FS.writeFile(key.name, key.text);
  await fetchLibraries(python, cell.program(text));
  self.postMessage({ type: "begun", id });
  stage("Running…");
  Object.assign(interrupt, { alive, next: 0 });
  try {
    return JSON.parse(cell.run(text));
  } finally {
    interrupt.alive = null;
  }
}

// Libraries that few cells need are fetched when a cell imports them.
async function fetchLibraries(python, program) {
  const imported = python.pyimport("pyodide.code").find_imports(program).toJs();
  const absent = imported.filter(name => LATER.includes(name) && !python.loadedPackages[name]);
  if (!absent.length) return;
  stage(`Fetching ${absent.join(", ")}…`);
  await python.loadPackage(absent, quietly);
}

const failed = error => ({ output: "", error: `Python could not go on: ${error.message ?? error}`, figures: [], verdicts: [] });

self.onmessage = ({ data }) => {
  if (data.type === "start") {
    ready = start(data);
    ready.catch(() => {}); // told to whoever asks
  } else {
    queue = queue.then(() => run(data)).catch(failed).then(outcome => outcome && self.postMessage({ type: "done", id: data.id, outcome }));
  }
};

// Answers of the live tasks in a notebook, and back: in a file, and in the notebooks that this browser keeps.

const LITE_STORE = "files"; // where JupyterLite keeps what was changed
const LARGEST_NOTEBOOK = 20_000_000; // characters

const textOf = source => (Array.isArray(source) ? source.join("") : String(source ?? ""));
const nameOf = cell => (cell?.cell_type === "code" && cell.metadata?.nbgrader?.solution ? cell.metadata.nbgrader.grade_id : "");

/** A copy of a notebook with these texts in the cells of their names. */
export function filled(notebook, texts) {
  const copy = structuredClone(notebook);
  for (const cell of copy.cells) {
    const text = texts[nameOf(cell)];
    if (text === undefined) continue;
    Object.assign(cell, { source: text.split(/(?<=\n)/), outputs: [], execution_count: null });
  }
  return copy;
}

/** The answers in a notebook, by the names of their cells; of several copies of a cell the last one counts. */
export function answersIn(notebook) {
  const cells = Array.isArray(notebook?.cells) ? notebook.cells : [];
  return Object.fromEntries(cells.filter(nameOf).map(cell => [nameOf(cell), textOf(cell.source).trimEnd()]));
}

/** The notebook that a text holds. Throws an Error with a line for the reader. */
export function notebookFrom(text) {
  let notebook = null;
  try {
    notebook = text.length > LARGEST_NOTEBOOK ? null : JSON.parse(text);
  } catch { /* said below */ }
  if (!Array.isArray(notebook?.cells)) throw new Error("this file is not a notebook");
  return notebook;
}

const done = request => new Promise((succeed, fail) => {
  request.onsuccess = () => succeed(request.result);
  request.onerror = () => fail(request.error);
  request.onblocked = () => fail(new Error("another tab holds the notebooks: close it and try again"));
});

/** JupyterLite's store for the notebooks below an address; where it is not there yet, it is made. */
async function store(folder) {
  const name = `JupyterLite Storage - ${new URL(folder).pathname}`;
  const open = version => {
    const request = indexedDB.open(name, version);
    request.onupgradeneeded = () => request.result.objectStoreNames.contains(LITE_STORE) || request.result.createObjectStore(LITE_STORE);
    return done(request);
  };
  const database = await open();
  if (database.objectStoreNames.contains(LITE_STORE)) return database;
  database.close();
  return open(database.version + 1);
}

/** The notebook of a topic as this browser keeps it; null if it was not changed. */
export async function keptNotebook(folder, topic) {
  const database = await store(folder);
  const model = await done(database.transaction(LITE_STORE).objectStore(LITE_STORE).get(`${topic}/${topic}.ipynb`));
  database.close();
  return Array.isArray(model?.content?.cells) ? model.content : null;
}

/** Keep a notebook where JupyterLite will find it. */
export async function keepNotebook(folder, topic, content) {
  const name = `${topic}.ipynb`;
  const now = new Date().toISOString();
  const model = { name, path: `${topic}/${name}`, type: "notebook", format: "json", mimetype: "application/x-ipynb+json", content,
    created: now, last_modified: now, size: JSON.stringify(content).length, writable: true };
  const database = await store(folder);
  await done(database.transaction(LITE_STORE, "readwrite").objectStore(LITE_STORE).put(model, model.path));
  database.close();
}

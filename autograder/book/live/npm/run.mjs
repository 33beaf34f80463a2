// node run.mjs PYTHON SCRIPT OPTIONS: run a Python file inside the browser's Python, under node.
// OPTIONS is JSON: {"packages": [...], "mounts": {"/in": "folder", ...}, "job": anything}; the script reads `job` as text.
import fs from "node:fs";
import path from "node:path";
import { pathToFileURL } from "node:url";
import { Wheels, locked } from "../page/wheels.mjs";

// Python's tracebacks come with the whole of Pyodide's source: their end says what happened.
process.on("uncaughtException", error => {
  console.error(String(error.message || error).slice(-2000));
  process.exit(1);
});

const [folder, script, options] = process.argv.slice(2);
const { packages = [], mounts = {}, job = null } = JSON.parse(options);
const { loadPyodide } = await import(pathToFileURL(path.join(folder, "pyodide.mjs")));
const python = await loadPyodide({ indexURL: path.resolve(folder) + "/", env: { MPLBACKEND: "agg", HOME: "/home/pyodide" } });
const lock = JSON.parse(fs.readFileSync(path.join(folder, "pyodide-lock.json"), "utf8"));
const wheels = new Wheels(locked(lock, path.resolve(folder) + "/"), async address => new Uint8Array(fs.readFileSync(address)));
(await wheels.fetched(wheels.missing(packages)))(python.FS);
python.pyimport("importlib").invalidate_caches();
for (const [inside, outside] of Object.entries(mounts)) {
  python.FS.mkdirTree(inside);
  python.mountNodeFS(inside, path.resolve(outside));
}
python.globals.set("job", JSON.stringify(job));
await python.runPythonAsync(fs.readFileSync(script, "utf8"), { filename: path.basename(script) });
process.exit(0);

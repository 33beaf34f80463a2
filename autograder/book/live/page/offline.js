// On every page: what lets the book open without a network. Where a browser has no such thing, nothing is lost but the
// notebooks, which cannot do without: a browser may also have it and refuse it, as in a private window.
const closeDoors = () => document.querySelectorAll(".run-in-browser").forEach(door => (door.hidden = true));
navigator.serviceWorker?.register(new URL("../../../sw.js", import.meta.url)).catch(closeDoors);

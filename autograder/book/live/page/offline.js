// On every page: what lets the book open without a network, and opens the doors to notebooks, which cannot do without
// it. They stay shut where this file is not there yet, where a browser has no service workers, and where it refuses
// them, as in a private window.
const setDoors = isHidden => document.querySelectorAll(".run-in-browser").forEach(door => (door.hidden = isHidden));
if (navigator.serviceWorker) {
  setDoors(false);
  const workers = navigator.serviceWorker;
  const isFirst = !workers.controller;
  workers.register(new URL("../../../sw.js", import.meta.url)).catch(() => setDoors(true));
  // What a first visit has shown came before the worker did: it is kept from the browser's own cache.
  if (isFirst) workers.ready.then(({ active }) => active.postMessage({ keep: [location.href, ...performance.getEntriesByType("resource").map(({ name }) => name)] }));
}

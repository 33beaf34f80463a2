// Stands before JupyterLite's own service worker: a notebook that was opened opens without a network, too. What is
// named by its hash is shared with the worker of the book (sw.js), which drops what an update leaves behind.
{
  const SITE = new URL("../", self.registration.scope).href;
  const KEPT = { "_static/live/": `live ${SITE}`, "lite/": `lite ${SITE}` };
  const LIVE_TABLE = `${SITE}_static/live/live.json`; // not named by its hash
  const keyOf = url => url.replace(/[?#].*$/, "");

  const keep = async (cache, url, answer) => answer.ok && answer.status === 200 && (await caches.open(cache)).put(keyOf(url), answer);

  const keptOrFetched = async (cache, request) => {
    const kept = await (await caches.open(cache)).match(keyOf(request.url));
    if (kept) return kept;
    const answer = await fetch(request);
    await keep(cache, request.url, answer.clone());
    return answer;
  };

  const fetchedOrKept = async (cache, request) => {
    try {
      const answer = await fetch(request);
      await keep(cache, request.url, answer.clone());
      return answer;
    } catch (error) {
      const kept = await (await caches.open(cache)).match(keyOf(request.url));
      if (kept) return kept;
      throw error;
    }
  };

  self.addEventListener("fetch", event => {
    const { method, url } = event.request;
    const folder = Object.keys(KEPT).find(name => url.startsWith(SITE + name));
    // what Python in the page writes and reads goes to JupyterLite's own worker
    if (method !== "GET" || !folder || url.includes("/api/drive") || url.includes("/api/stdin/") || url === LIVE_TABLE) return;
    event.stopImmediatePropagation();
    event.respondWith((folder === "lite/" ? fetchedOrKept : keptOrFetched)(KEPT[folder], event.request));
  });
}

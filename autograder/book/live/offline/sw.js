// The book without a network. Written anew at each build: a new version fetches all pages, then replaces the old one.
const VERSION = "{{ version }}";
const FILES = {{ files }}; // every page and what it shows
const RUNTIME = {{ runtime }}; // folders whose names change with what they hold: kept when they are first used
const BOOK = `book ${self.registration.scope} ${VERSION}`;
const KEPT = `live ${self.registration.scope}`;

const addressOf = path => new URL(path, self.registration.scope).href;
const isRuntime = address => RUNTIME.some(folder => address.startsWith(addressOf(folder)));

async function fill() {
  const book = await caches.open(BOOK);
  // "no-cache" asks the server whether what the browser has is still right
  await book.addAll(FILES.map(path => new Request(addressOf(path), { cache: "no-cache" })));
  await self.skipWaiting();
}

async function tidy() {
  const ours = name => name.endsWith(self.registration.scope) || name.includes(`${self.registration.scope} `);
  const old = (await caches.keys()).filter(name => ours(name) && ![BOOK, KEPT].includes(name));
  await Promise.all(old.map(name => caches.delete(name)));
  const kept = await caches.open(KEPT);
  for (const request of await kept.keys()) if (!isRuntime(request.url)) await kept.delete(request);
  await self.clients.claim();
}

// What is named by its hash never changes. Everything else comes from the network while there is one.
async function keptOrFetched(request) {
  const kept = await caches.open(KEPT);
  const found = await kept.match(request);
  if (found) return found;
  const answer = await fetch(request);
  if (answer.ok) await kept.put(request, answer.clone());
  return answer;
}

async function fetchedOrKept(request) {
  try {
    return await fetch(request, { cache: "no-cache" });
  } catch (error) {
    const path = request.url.replace(/[?#].*$/, "").replace(/\/$/, "/index.html");
    const found = await (await caches.open(BOOK)).match(path);
    if (found) return found;
    throw error;
  }
}

self.addEventListener("install", event => event.waitUntil(fill()));
self.addEventListener("activate", event => event.waitUntil(tidy()));
self.addEventListener("fetch", event => {
  const { method, url } = event.request;
  if (method !== "GET" || !url.startsWith(self.registration.scope)) return;
  event.respondWith(isRuntime(url) ? keptOrFetched(event.request) : fetchedOrKept(event.request));
});

// The book without a network: pages that were visited, or the whole book for a reader who asked for it. Written anew at
// each build: a new version fetches the whole book again, if it was asked for, then replaces the old one.
const VERSION = "{{ version }}";
const FILES = {{ files }}; // every page and what it shows
const RUNTIME = {{ runtime }}; // folders whose names change with what they hold: kept when they are first used
const RUNTIME_FILES = {{ runtime_files }}; // what is in them
const LEFT_OUT = {{ excluded }}; // folders that are for those who are online
const BOOK = `book ${self.registration.scope} ${VERSION}`;
const KEPT = `live ${self.registration.scope}`;

const addressOf = path => new URL(path, self.registration.scope).href;
const isRuntime = address => RUNTIME.some(folder => address.startsWith(addressOf(folder)));

// Names in the cache KEPT: the reader asked for it.
const WISHES = { whole: addressOf("keep-the-whole-book"), python: addressOf("keep-python") };

async function install() {
  const kept = await caches.open(KEPT);
  if (await kept.match(WISHES.python)) await fillPython();
  await ((await kept.match(WISHES.whole)) ? fill() : self.skipWaiting());
}

// Messages of pages: {wish: "whole"} asks for the whole book, {wish: "python"} for all that cells and notebooks import,
// {keep: addresses} for what a page has just shown.
async function hear({ data, ports: [port] }) {
  try {
    if (data.wish in WISHES) {
      await (data.wish === "whole" ? fill() : fillPython());
      await (await caches.open(KEPT)).put(WISHES[data.wish], new Response("yes"));
    } else {
      const book = await caches.open(BOOK);
      const ours = data.keep.filter(address => address.startsWith(self.registration.scope) && !isRuntime(address));
      await Promise.all(ours.map(async address => (await book.match(pathOf(address))) || keep(book, address, await fetch(address))));
    }
    port?.postMessage("done");
  } catch (error) {
    port?.postMessage(String(error));
  }
}

const pathOf = address => address.replace(/[?#].*$/, "").replace(/\/$/, "/index.html");
const keep = (book, address, answer) => answer.ok && answer.status === 200 ? book.put(pathOf(address), answer) : null;

async function fill() {
  const book = await caches.open(BOOK);
  // "no-cache" asks the server whether what the browser has is still right
  await book.addAll(FILES.map(path => new Request(addressOf(path), { cache: "no-cache" })));
  await self.skipWaiting();
}

async function fillPython() {
  const kept = await caches.open(KEPT);
  const there = await Promise.all(RUNTIME_FILES.map(path => kept.match(addressOf(path))));
  await kept.addAll(RUNTIME_FILES.filter((_, i) => !there[i]).map(addressOf));
}

async function tidy() {
  const ours = name => name.endsWith(self.registration.scope) || name.includes(`${self.registration.scope} `);
  const old = (await caches.keys()).filter(name => ours(name) && ![BOOK, KEPT].includes(name));
  await Promise.all(old.map(name => caches.delete(name)));
  const kept = await caches.open(KEPT);
  for (const request of await kept.keys()) if (!isRuntime(request.url) && !Object.values(WISHES).includes(request.url)) await kept.delete(request);
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
  const book = await caches.open(BOOK);
  try {
    const answer = await fetch(request, { cache: "no-cache" });
    if (!LEFT_OUT.some(folder => request.url.startsWith(addressOf(folder)))) await keep(book, request.url, answer.clone());
    return answer;
  } catch (error) {
    const found = await book.match(pathOf(request.url));
    if (found) return found;
    throw error;
  }
}

self.addEventListener("install", event => event.waitUntil(install()));
self.addEventListener("message", event => event.waitUntil(hear(event)));
self.addEventListener("activate", event => event.waitUntil(tidy()));
self.addEventListener("fetch", event => {
  const { method, url } = event.request;
  if (method !== "GET" || !url.startsWith(self.registration.scope)) return;
  event.respondWith(isRuntime(url) ? keptOrFetched(event.request) : fetchedOrKept(event.request));
});

// On every page: remember what was read, practised and solved, and show it beside the pages in the sidebar.
import { dayOf, noteAnswer, noteRead, noteSolved } from "./record.mjs";
import { SITE, load, update, watch } from "./store.mjs";

const LEAST_READING_SECONDS = 20; // a page whose end is seen earlier was looked through, not read
const PARTS = { board: "board", session: "session", steps: "board" };

/** The page of an address in this site: "book/pca". */
export function pageOf(address) {
  const { origin, pathname } = new URL(address, location);
  if (origin !== SITE.origin || !pathname.startsWith(SITE.pathname)) return "";
  return pathname.slice(SITE.pathname.length).replace(/\.html$/, "").replace(/^$|\/$/, "index");
}
const here = pageOf(location);

/** What stands behind a page's name in the sidebar, on the screen and for a screen reader. */
function mark(record, page) {
  const [, topic] = /\/assignments\/(\w+)$/.exec(page) ?? [];
  const solved = topic ? Object.keys(record.solved).filter(task => task.startsWith(`${topic}.`)).length : 0;
  if (solved) return [`${solved} ✓`, `, ${solved} solved`];
  return page in record.read ? ["✓", ", read"] : null;
}

function showTicks(record) {
  for (const link of document.querySelectorAll(".bd-links a.reference.internal")) {
    link.querySelector(".path-tick")?.remove();
    const words = mark(record, pageOf(link.href));
    if (!words) continue;
    const tick = document.createElement("span");
    tick.className = "path-tick";
    const [seen, heard] = words.map(text => Object.assign(document.createElement("span"), { textContent: text }));
    seen.ariaHidden = "true";
    heard.className = "path-heard";
    tick.append(seen, heard);
    link.append(tick);
  }
}

/** A page was read when its end has been on the screen, and the page for a while. */
function watchReading() {
  const end = document.querySelector("article.bd-article")?.lastElementChild;
  if (!end) return;
  const mark = document.createElement("div");
  mark.className = "path-end";
  end.append(mark);
  let seconds = 0;
  let isAtEnd = false;
  const clock = setInterval(() => {
    if (document.visibilityState !== "visible") return;
    seconds++;
    if (!isAtEnd || seconds < LEAST_READING_SECONDS) return;
    clearInterval(clock);
    watcher.disconnect();
    update(record => noteRead(record, here, dayOf()));
  }, 1000);
  const watcher = new IntersectionObserver(([{ isIntersecting }]) => (isAtEnd = isIntersecting));
  watcher.observe(mark);
}

addEventListener("practice-answer", ({ detail }) => update(record => noteAnswer(record, detail, dayOf())));
addEventListener("task-solved", ({ detail }) => update(record => noteSolved(record, detail.task, dayOf())));
watch(showTicks);
showTicks(load());
if (!(here in load().read)) watchReading();
for (const place of document.querySelectorAll(".reader-path")) {
  const { part } = place.dataset;
  import(`./${PARTS[part]}.mjs`).then(module => module[part](place)).catch(error => console.warn(`${part}: ${error}`));
}

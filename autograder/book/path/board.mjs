// What this device remembers, and what to do next: the page "Your path", and the steps on the first page.
import { deck } from "./anki.mjs";
import { chapterState, dueTasks, isNew, openMisconceptions, whatNext } from "./next.mjs";
import { dateOf, dayOf, forgetRead, noteRead } from "./record.mjs";
import { SITE, erase, exported, imported, load, update, watch } from "./store.mjs";
import { counted, courseTable, download, hrefOf, inWords, link, make, nameOf } from "./table.mjs";

const SESSION_PAGE = "book/session";
const chapterOf = (course, page) => course.chapters.find(chapter => chapter.page === page);

/** A step as a sentence with its link. */
function stepLine(step, course) {
  const chapter = chapterOf(course, step.page ?? course.tasks[step.task]?.page);
  const where = chapter ? nameOf(chapter) : "";
  const lines = {
    overcome: () => ["You ", make("em", { textContent: inWords(step.misconception) }), " in ", link(chapter.page, `${course.tasks[step.task].title} (${where})`, `#problem-${step.task}`), ": try fresh numbers",
      step.others ? ` (${step.others} more below).` : "."],
    session: () => [link(SESSION_PAGE, counted(step.count, "problem")), ` ${step.count === 1 ? "returns" : "return"} today, before you forget.`],
    kata: () => ["Write ", link(course.tasks[step.task].page, course.tasks[step.task].title, `#problem-${step.task}`), " again, on fresh cases", step.others ? ` (${step.others} more katas are due).` : "."],
    practise: () => [link(step.page, `Practise ${where}`), `: ${counted(step.count, "problem")} that you have not tried.`],
    read: () => [link(step.page, `Read ${where}`), ": you have read all that it needs."],
    solve: () => [link(chapter.assignment || step.page, `Solve tasks on ${where}`), ": in the browser, checked as you write."],
  };
  return make("li", {}, ...lines[step.kind]());
}

export async function steps(place) {
  const course = await courseTable();
  const show = record => {
    const list = whatNext(record, course, dayOf()).slice(0, 3);
    place.replaceChildren(...(isNew(record) || !list.length ? [] : [make("p", {}, make("strong", { textContent: "What next? " }), link("book/path", "your path")), make("ul", {}, ...list.map(step => stepLine(step, course)))]));
    markCards(record, course);
  };
  watch(show);
  show(load());
}

/** Progress on the map of the course: its cards say what was done. */
function markCards(record, course) {
  for (const card of document.querySelectorAll(".course-card")) {
    const href = card.querySelector("a[href]")?.href ?? "";
    const chapter = course.chapters.find(({ page }) => href.endsWith(`${page.split("/").at(-1)}.html`));
    if (!chapter) continue;
    card.querySelector(".path-done")?.remove();
    const words = doneWords(record, chapter);
    if (words) card.querySelector(".sd-card-body")?.append(make("p", { className: "path-done", textContent: words }));
  }
  for (const box of document.querySelectorAll(".course-map [data-page]")) {
    const { page } = course.chapters.find(({ page: name }) => name.split("/").at(-1) === box.dataset.page) ?? {};
    box.classList.toggle("is-read", Boolean(page) && page in record.read);
    box.onclick = page ? () => (location.href = hrefOf(page)) : null; // the cards below are links for everybody
  }
}

function doneWords(record, chapter) {
  const { isRead, practised, solved } = chapterState(record, chapter);
  return [isRead && "✓ read", practised && `${practised} of ${chapter.practice.length} practised`, solved && `${solved} of ${chapter.solve.length} solved`].filter(Boolean).join(" · ");
}

export async function board(place) {
  const course = await courseTable();
  const said = make("p", { role: "status", className: "path-said" });
  const body = make("div");
  place.replaceChildren(body, keeping(course, said), said);
  const show = record => body.replaceChildren(...nextSection(record, course), ...chapterSection(record, course), ...misconceptionSection(record, course));
  watch(show);
  show(load());
}

function nextSection(record, course) {
  const list = whatNext(record, course, dayOf());
  const due = Object.values(record.cards).map(card => card.due).filter(day => day > dayOf());
  const wait = due.length ? `Nothing returns today; the next problem returns on ${dateOf(Math.min(...due))}.` : "";
  const isDue = dueTasks(record, course, dayOf()).length;
  return [
    make("h2", { textContent: "What next?" }),
    make("ul", {}, ...list.map(step => stepLine(step, course))),
    ...(wait && !isDue ? [make("p", { textContent: wait })] : []),
  ];
}

function chapterSection(record, course) {
  const rows = course.chapters.map(chapter => chapterRow(record, chapter));
  const head = ["Chapter", "Read", "Practised", "Solved"].map(textContent => make("th", { textContent, scope: "col" }));
  return [
    make("h2", { textContent: "The chapters" }),
    make("p", { textContent: "A page counts as read when you have reached its end. Change it here if you read it elsewhere." }),
    make("table", { className: "path-table" }, make("thead", {}, make("tr", {}, ...head)), make("tbody", {}, ...rows)),
  ];
}

function chapterRow(record, chapter) {
  const { isRead, practised, solved } = chapterState(record, chapter);
  const box = make("input", { type: "checkbox", checked: isRead, ariaLabel: `${nameOf(chapter)}: read` });
  box.onchange = () => {
    update(own => (box.checked ? noteRead(own, chapter.page, dayOf()) : forgetRead(own, chapter.page)));
    document.querySelector(`.path-table input[aria-label="${CSS.escape(box.ariaLabel)}"]`)?.focus();
  };
  const share = (number, all) => make("td", { textContent: all.length ? `${number} of ${all.length}` : "none" });
  return make("tr", { className: isRead ? "is-read" : "" }, make("th", { scope: "row" }, link(chapter.page, nameOf(chapter))),
    make("td", {}, box), share(practised, chapter.practice), share(solved, chapter.solve));
}

function misconceptionSection(record, course) {
  const open = openMisconceptions(record).filter(({ task }) => course.tasks[task]);
  const overcome = Object.entries(record.shown).filter(([name, { overcome: day }]) => day !== null && course.tasks[name.split("/")[0]]);
  if (!open.length && !overcome.length) return [];
  const line = (task, misconception, rest) => make("li", {}, make("em", { textContent: inWords(misconception) }), " in ", link(course.tasks[task].page, course.tasks[task].title, `#problem-${task}`), rest);
  return [
    make("h2", { textContent: "Misconceptions" }),
    make("p", { textContent: "One is overcome when your first answer is right with numbers on which it would go wrong." }),
    ...(open.length ? [make("h3", { textContent: "Shown" }), make("ul", {}, ...open.map(({ task, misconception }) => line(task, misconception, "")))] : []),
    ...(overcome.length ? [make("h3", { textContent: "Overcome" }), make("ul", {}, ...overcome.map(([name, { overcome: day }]) => line(...name.split("/"), `, ${dateOf(day)} ✓`)))] : []),
  ];
}

/** Take the record away and bring it back, take problems to Anki, erase. */
function keeping(course, said) {
  const say = text => (said.textContent = text);
  const button = (textContent, onclick) => make("button", { type: "button", textContent, onclick });
  const file = make("input", { type: "file", accept: ".json,application/json", hidden: true });
  file.onchange = async () => {
    try {
      const { record, answers } = imported(await file.files[0].text());
      say(`Read: ${counted(Object.keys(record.read).length, "page")}, ${counted(Object.keys(record.cards).length, "problem")}, ${counted(answers, "answer")} in live tasks. What was here stays.`);
    } catch (error) {
      say(`Nothing was changed: ${error.message}.`);
    }
    file.value = "";
  };
  return make("div", { className: "path-keep" },
    make("h2", { textContent: "Take it with you" }),
    make("p", { textContent: "All of this is kept by this browser, on this device, and sent nowhere. The file holds what is shown here and what you wrote in live tasks." }),
    make("p", { className: "path-buttons" },
      button("Save as a file", () => (download(`path-${dateOf(dayOf())}.json`, exported(), "application/json"), say("Saved."))),
      button("Read from a file", () => file.click()), file,
      button("Cards for Anki", () => cardsForAnki(course, say)),
      ...wholeBook(button, say),
      button("Erase", () => confirm("Erase what this device remembers of your path and practice?") && (erase(), say("Erased.")))));
}

/** Where the site has a service worker, it fetches the whole book, or Python, for a reader who asks for it. */
function wholeBook(button, say) {
  const workers = navigator.serviceWorker;
  if (!workers || !document.querySelector("link[rel=manifest]")) return [];
  const ask = async (wish, done) => {
    say("Fetching…");
    const { active } = await workers.ready;
    const { port1, port2 } = new MessageChannel();
    port1.onmessage = ({ data }) => say(data === "done" ? done : `Not everything could be fetched (${data}).`);
    active.postMessage({ wish }, [port2]);
  };
  return [
    button("Keep the book offline", () => ask("whole", "All pages open without a network now. Cells need one until Python is kept, too.")),
    button("Keep Python offline", async () => {
      const { megabytes } = await (await fetch(new URL("_static/live/live.json", SITE))).json();
      if (confirm(`Python and its libraries have ${megabytes} MB. Fetch them now?`)) await ask("python", "All cells of the pages that are kept run without a network now.");
    }),
  ];
}

async function cardsForAnki(course, say) {
  const record = load();
  const tasks = Object.keys(course.tasks).filter(task => record.cards[task] || course.tasks[task].page in record.read);
  if (!tasks.length) return say("There are no cards yet: read a chapter or practise a problem first.");
  const { text, count } = await deck(tasks, course);
  download("dimensionality-reduction-anki.txt", text);
  say(`${counted(count, "card")}. In Anki: File, Import, and choose this file; formulas appear as formulas.`);
}

// The table of chapters and problems, fetched once by the pages that show it, and elements for them.
import { SITE } from "./store.mjs";

let table;
export function courseTable() {
  return (table ??= fetch(new URL("course.json", import.meta.url), { cache: "no-cache" }).then(answer => {
    if (!answer.ok) throw new Error(answer.statusText);
    return answer.json();
  }));
}

/** An element with properties and children; texts stay texts. */
export function make(tag, properties = {}, ...children) {
  const element = Object.assign(document.createElement(tag), properties);
  element.append(...children);
  return element;
}

export const hrefOf = (page, anchor = "") => new URL(`${page}.html${anchor}`, SITE).href;
export const link = (page, text, anchor = "") => make("a", { href: hrefOf(page, anchor), textContent: text });
export const nameOf = chapter => (chapter.number ? `${chapter.number}. ${chapter.title}` : chapter.title);
export const inWords = name => name.replaceAll("_", " ");
export const counted = (number, thing) => `${number} ${thing}${number === 1 ? "" : "s"}`;

/** Hand a text to the reader as a file. */
export function download(name, text, type = "text/plain") {
  const href = URL.createObjectURL(new Blob([text], { type }));
  make("a", { href, download: name }).click();
  setTimeout(() => URL.revokeObjectURL(href), 10_000);
}

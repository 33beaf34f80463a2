// Problems as a text file that Anki imports (File, Import): HTML with formulas between \( and \), which Anki typesets.
import { hrefOf } from "./table.mjs";

const HEAD = ["#separator:Tab", "#html:true", "#notetype:Basic", "#deck:Dimensionality reduction", "#columns:Front\tBack\tTags", "#tags column:3"];
const VARIANT = 0;

/** One line of the file: a tab keeps fields apart, and a line end notes. */
const field = html => html.replace(/[\t\r\n]+/g, " ").trim();

const escaped = text => text.replaceAll("&", "&amp;").replaceAll("<", "&lt;");

/** The text of a variant, its formulas as Anki wants them, and labels as plain words. */
function filled(texts) {
  const [form, numbers] = texts.rows[VARIANT];
  const own = numbers.split(" ");
  return texts.forms[form].map((piece, i) => piece + (own[i] ?? "")).join("")
    .replace(/<\/?span[^>]*>/g, "")
    .replace(/\s*(See|Reread) \[\[[a-z0-9-]+\]\]\./g, "").replace(/\[\[([a-z0-9-]+)\]\]/g, "the book");
}

/** The note of a problem: front, back, tags. */
export function note(data, address) {
  const mistakes = data.wrongs.filter(([name]) => !name.includes(":")).map(([, hint]) => `<li>${escaped(hint)}</li>`);
  const worked = data.worked ? filled(data.worked) : "";
  const back = `${worked}<p>Often wrong:</p><ul>${mistakes.join("")}</ul><p><a href="${address}">${escaped(data.title)}</a></p>`;
  return [`<h3>${escaped(data.title)}</h3>${filled(data.text)}`, back, data.task.replace(".", "::")].map(field).join("\t");
}

/** The file for these problems. */
export async function deck(tasks, course) {
  const notes = await Promise.all(tasks.filter(task => course.tasks[task]).map(async task => {
    const { page, version } = course.tasks[task];
    const answer = await fetch(new URL(`../practice/data/${task}.json?${version}`, import.meta.url));
    return answer.ok ? note(await answer.json(), hrefOf(page)) : "";
  }));
  const lines = notes.filter(Boolean);
  return { text: [...HEAD, ...lines, ""].join("\n"), count: lines.length };
}

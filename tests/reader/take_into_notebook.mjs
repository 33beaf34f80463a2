// Put answers into a released notebook, as *Take my answers with me* does: {notebook, texts} from standard input.
import { readFileSync } from "node:fs";

const { filled } = await import(new URL("../../autograder/book/live/page/take.mjs", import.meta.url));
const { notebook, texts } = JSON.parse(readFileSync(0, "utf8"));
process.stdout.write(JSON.stringify(filled(notebook, texts), null, 1));

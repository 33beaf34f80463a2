// The verdict on an answer to a practice problem: the same as Python's, autograder/judging/judge.py, in the same words.
import { Unreadable, read } from "./read.mjs";

const BESIDE_TIES = 1e-6;
const ROUGH = 1e-4;
const ALTERNATIVES = 2;
const NONE = "....";
const MOST_ENTRIES = 12;

const product = shape => shape.reduce((a, b) => a * b, 1);
const same = (one, other) => one.length === other.length && one.every((value, i) => value === other[i]);
const capital = text => text.slice(0, 1).toUpperCase() + text.slice(1);
const counted = (number, thing) => `${number} ${thing}${number === 1 ? "" : "s"}`;
const listed = words => (words.length === 1 ? words[0] : `${words.slice(0, -1).join(", ")} and ${words.at(-1)}`);
const sentence = (text, it) => capital(text.replaceAll("{it}", it));

export function array(tree) {
  const shape = [];
  for (let inner = tree; Array.isArray(inner); [inner] = inner) shape.push(inner.length);
  return { shape, numbers: [tree].flat(Infinity) };
}

const outer = numbers => numbers.flatMap(a => numbers.map(b => a * b));
const at = ({ shape, numbers }, row, column) => numbers[row * shape[1] + column];
const range = length => Array.from({ length }, (_, i) => i);

function centredGram(points) {
  const [rows, columns] = points.shape;
  const means = range(columns).map(j => range(rows).reduce((sum, i) => sum + at(points, i, j), 0) / rows);
  const moved = range(rows).map(i => range(columns).map(j => at(points, i, j) - means[j]));
  return moved.flatMap(one => moved.map(other => one.reduce((sum, value, j) => sum + value * other[j], 0)));
}

// what no freedom of the answer can change
const QUANTITIES = {
  exactly: ({ numbers }) => numbers,
  up_to_sign: ({ numbers }) => outer(numbers),
  up_to_order: ({ numbers }) => [...numbers].sort((a, b) => a - b),
  up_to_rigid_motion: centredGram,
  up_to_direction({ numbers }) {
    const length = Math.hypot(...numbers);
    return length ? outer(numbers.map(value => value / length)) : null;
  },
};

function rounded(value) {
  const low = Math.floor(value);
  const rest = value - low;
  return rest < 0.5 || (rest === 0.5 && low % 2 === 0) ? low : low + 1;
}

/** An answer in steps of its grid, as text. */
function steps(numbers, grid) {
  const found = numbers?.map(value => rounded(value / grid + BESIDE_TIES) + 0);
  return found?.every(Number.isFinite) ? found.map(value => (Math.abs(value) < 2 ** 53 ? String(value || 0) : BigInt(value).toString())).join() : null;
}

/** Its mark, as release/practice.py makes it. */
export function mark(text) {
  let number = 0x811c9dc5;
  for (let i = 0; i < text.length; i++) number = Math.imul(number ^ text.charCodeAt(i), 0x01000193);
  for (const [shift, factor] of [[16, 0x85ebca6b], [13, 0xc2b2ae35], [16, 1]]) number = Math.imul(number ^ (number >>> shift), factor);
  const letters = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_";
  return [26, 20, 14, 8].map(shift => letters[(number >>> shift) & 63]).join("");
}

/** The numbers in the wanted shape, if only their form differs. */
function fitted(given, shape) {
  const size = product(shape);
  if (same(given.shape, shape) || product(given.shape) !== size) return given;
  const withoutOnes = lengths => lengths.filter(length => length !== 1);
  const isForm = size <= 1
    || (shape.length === 1 ? same(withoutOnes(given.shape), shape) : given.shape.length === 1 && same(withoutOnes(given.shape), withoutOnes(shape)));
  return isForm ? { shape, numbers: given.numbers } : given;
}

function said(shape) {
  if (!shape.length) return "one number";
  if (shape.length === 1) return `a list of ${counted(shape[0], "number")}`;
  if (shape.length === 2) return `a table with ${counted(shape[0], "row")} and ${counted(shape[1], "column")}`;
  return `an array of shape (${shape.join(", ")})`;
}

const largest = numbers => numbers.reduce((most, value) => Math.max(most, Math.abs(value)), 0);
const isSquare = ({ shape }) => shape.length === 2 && shape[0] === shape[1] && shape[0] > 1;
const pairs = ({ shape: [n] }) => range(n).flatMap(i => range(n).map(j => [i, j]));

/** No eigenvalue below a rough margin? By elimination. */
function isNeverNegative(part) {
  const rows = range(part.shape[0]);
  const margin = ROUGH * largest(part.numbers);
  const rest = rows.map(i => rows.map(j => (at(part, i, j) + at(part, j, i)) / 2 + (i === j ? margin : 0)));
  return !margin || rows.every(k => {
    for (const i of rows.slice(k + 1)) for (const j of rows.slice(k + 1)) rest[i][j] -= (rest[i][k] / rest[k][k]) * rest[k][j];
    return rest[k][k] > 0;
  });
}

const roughly = (one, other, numbers) => Math.abs(one - other) <= ROUGH * largest(numbers);
const times = (part, i, j) => range(part.shape[0]).reduce((sum, k) => sum + at(part, i, k) * at(part, k, j), 0);
const isList = ({ shape }) => shape.length === 1 && shape[0] > 1;

export const PROPERTIES = {
  symmetric: ["should be symmetric", part => isSquare(part) && pairs(part).every(([i, j]) => roughly(at(part, i, j), at(part, j, i), part.numbers))],
  "not negative": ["has no negative entry on such data", ({ numbers }) => Math.min(...numbers) >= -ROUGH * largest(numbers)],
  "at most one": ["has no entry above one on such data", ({ numbers }) => Math.max(...numbers) <= 1 + ROUGH],
  whole: ["should be a whole number", ({ numbers }) => numbers.every(value => Math.abs(value - rounded(value)) <= ROUGH + 1e-5 * Math.abs(rounded(value)))],
  "adds up to one": ["should add up to one", part => isList(part) && Math.abs(part.numbers.reduce((a, b) => a + b) - 1) <= ROUGH],
  descending: ["should fall from its first entry to its last", part => isList(part)
    && part.numbers.every((value, i, all) => !i || value - all[i - 1] <= ROUGH * largest(all))],
  "its own square": ["multiplied by itself should give itself", part => isSquare(part)
    && pairs(part).every(([i, j]) => roughly(times(part, i, j), at(part, i, j), part.numbers))],
  "never a negative square": ["should give no vector a negative square: vᵀ(it)v is never below zero", part => isSquare(part) && isNeverNegative(part)],
};

const isSlip = name => name.includes(":");

class Judgement {
  constructor(data, variant, parts) {
    this.data = data;
    this.variant = variant;
    this.right = variant.answer.map(array);
    this.given = parts.map((part, i) => fitted(part, this.right[i].shape));
    this.steps = this.given.map((part, i) => this.stepsOf(part, i));
    this.isRight = this.steps.map((found, i) => found !== null && found === this.stepsOf(this.right[i], i));
    this.wrong = range(parts.length).filter(i => !this.isRight[i]);
    this.matches = range(parts.length).map(i => this.matching(i));
  }

  stepsOf(part, i, freedoms = this.data.same) {
    return same(part.shape, this.right[i].shape) ? steps(QUANTITIES[freedoms[i]](part), this.variant.grids[i]) : null;
  }

  /** The wrong ways that give this part, each up to its own freedoms. */
  matching(i) {
    return range(this.data.wrongs.length).filter(way => {
      const freedoms = this.data.wrongs[way][4];
      const found = freedoms ? this.stepsOf(this.given[i], i, freedoms) : this.steps[i];
      const own = found === null ? NONE : mark(found);
      return own !== NONE && this.variant.wrong[i].slice(4 * way, 4 * way + 4) === own;
    });
  }

  /** Which entries of a part are right, where that means something. */
  entries(i) {
    const [given, right, grid] = [this.given[i], this.right[i], this.variant.grids[i]];
    const count = right.numbers.length;
    if (this.data.same[i] !== "exactly" || !right.shape.length || count < 2 || count > MOST_ENTRIES) return null;
    if (given.numbers.length !== count || !given.numbers.every(Number.isFinite)) return null;
    return given.numbers.map((value, k) => steps([value], grid) === steps([right.numbers[k]], grid));
  }

  name(i) {
    if (this.right.length === 1) return "your answer";
    return this.data.parts.length ? `part ${i + 1} (${this.data.parts[i]})` : `part ${i + 1}`;
  }

  names(parts) {
    return capital(listed(parts.map(i => this.name(i))));
  }

  withRightParts(text) {
    const right = range(this.right.length).filter(i => this.isRight[i]);
    if (!right.length || this.right.length === 1) return text;
    return `${this.names(right)} ${right.length === 1 ? "is" : "are"} right. ${text}`;
  }

  /** What the recognised wrong ways say: one, or two that cannot be told apart. */
  named(ways, it) {
    const known = ways.map(way => this.data.wrongs[way]);
    const own = known.find(([name]) => !isSlip(name));
    if (own) return { message: own[1], misconception: own[0], see: own[2], credit: own[3] };
    const told = new Map();
    for (const [name, text, see] of known) if (text && !told.has(text)) told.set(text, { name, see });
    if (told.size > ALTERNATIVES) for (const [text, { name }] of told) if (!name.startsWith("answer:")) told.delete(text);
    if (!told.size || told.size > ALTERNATIVES) return null;
    const texts = [...told.keys()].map(text => sentence(text, it));
    const message = texts.length === 1 ? texts[0] : `Two things would give this. Either: ${texts[0]} Or: ${texts[1]}`;
    const [first] = told.values();
    return { message, slip: first.name, see: first.see || this.data.see };
  }

  whole() {
    const [first, ...others] = this.matches;
    return this.named(first.filter(way => others.every(ways => ways.includes(way))), "your answer");
  }

  /** Slips speak of a part; the hint of a misconception speaks of the whole, so only its name is told. */
  namedPart(i) {
    const isNumber = !this.right[i].shape.length; // agrees with too much by luck
    const names = this.matches[i].filter(way => {
      const family = this.data.wrongs[way][0].split(":");
      return isNumber && family[1] !== undefined ? family[0] === "answer" : family[0] !== "parts";
    });
    const found = this.named(names.filter(way => isSlip(this.data.wrongs[way][0])), this.name(i));
    const own = names.map(way => this.data.wrongs[way]).find(([name]) => !isSlip(name));
    if (found || !own) return found;
    const text = `{it} is what comes out for someone who ${own[0].replaceAll("_", " ")}.`;
    return { message: sentence(text, this.name(i)), slip: `part:${own[0]}`, see: own[2] };
  }

  byParts() {
    if (this.right.length === 1) return null;
    const [told, open] = [[], []];
    let [slip, see] = [null, null];
    for (const i of this.wrong) {
      const found = this.namedPart(i);
      if (!found) {
        open.push(i);
        continue;
      }
      told.push(found.message);
      slip ??= found.slip;
      see ??= found.see;
    }
    if (!told.length) return null;
    if (open.length) told.push(`${this.names(open)} ${open.length === 1 ? "is" : "are"} not right yet.`);
    return { message: this.withRightParts(told.join(" ")), slip, see };
  }

  byProperties() {
    for (const [property, i] of this.data.always[this.variant.always]) {
      const part = this.given[i];
      if (this.isRight[i] || !same(part.shape, this.right[i].shape) || !part.numbers.every(Number.isFinite)) continue;
      const [words, holds] = PROPERTIES[property];
      if (holds(part)) continue;
      const text = sentence(`{it} ${words}, if it is right; on “the numbers of the text” it is not so.`, this.name(i));
      return { message: this.withRightParts(text) };
    }
    return null;
  }

  byFacts() {
    const text = this.wrong.map(i => this.fact(i)).join(" ");
    return { message: this.withRightParts(text) };
  }

  fact(i) {
    const [own, shape, it] = [this.given[i].shape, this.right[i].shape, this.name(i)];
    if (!same(own, shape)) {
      const turned = own.length === 2 && same([...own].reverse(), shape) ? " (transposed?)" : "";
      return sentence(`{it} should be ${said(shape)}; it is ${said(own)}${turned}.`, it);
    }
    if (!this.given[i].numbers.every(Number.isFinite)) return sentence("{it} holds entries that are not numbers (NaN or infinite).", it);
    const right = (this.entries(i) ?? []).flatMap((yes, k) => (yes ? [String(k + 1)] : []));
    if (!right.length) return sentence("{it} is not the right value: check each step.", it);
    const one = right.length === 1;
    return `${one ? "Entry" : "Entries"} ${listed(right)} of ${it} ${one ? "is" : "are"} right, the others not yet.`;
  }

  verdict() {
    const share = 1 - this.wrong.length / this.right.length;
    const parts = this.isRight.map((isRight, i) => ({ isRight, entries: isRight ? null : this.entries(i) }));
    if (!this.wrong.length) return verdict(this.data, { passed: true, fraction: 1, message: "Correct.", parts });
    const found = this.whole() ?? this.byParts() ?? this.byProperties() ?? this.byFacts();
    return verdict(this.data, { ...found, fraction: Math.max(share, found.credit ?? 0), see: found.see || this.data.see, parts });
  }
}

const verdict = (data, found) => ({ passed: false, fraction: 0, misconception: null, slip: null, see: data.see, parts: [], ...found });

/** The verdict on what was typed, part by part. */
export function judge(data, variant, typed) {
  try {
    return new Judgement(data, variant, typed.map(read)).verdict();
  } catch (error) {
    if (!(error instanceof Unreadable)) throw error;
    return verdict(data, { message: capital(error.message) + (error.message.endsWith(".") ? "" : ".") });
  }
}

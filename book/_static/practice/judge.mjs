// The verdict on an answer to a practice problem: the same as Python's, autograder/judging/judge.py, in the same words.
import { Unreadable, array, read } from "./read.mjs";

const BESIDE_TIES = 1e-6;
const ROUGH = 1e-4;
const ALTERNATIVES = 2;
const MOST_ENTRIES = 12;
const SMALL = 20; // whole numbers up to it are met by luck
const FEW = 6; // entries: 2⁶ signs can be tried
const NOTHING = "...."; // in place of a mark

const product = shape => shape.reduce((a, b) => a * b, 1);
const same = (one, other) => one.length === other.length && one.every((value, i) => value === other[i]);
const capital = text => text.slice(0, 1).toUpperCase() + text.slice(1);
const counted = (number, thing) => `${number} ${thing}${number === 1 ? "" : "s"}`;
const listed = words => (words.length === 1 ? words[0] : `${words.slice(0, -1).join(", ")} and ${words.at(-1)}`);
const areOf = things => (things.length === 1 ? "is" : "are");
const sentence = (text, it) => capital(text.replaceAll("{it}", it));

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
  up_to_direction: ({ numbers }, length = Math.hypot(...numbers)) => (length ? outer(numbers.map(value => value / length)) : null),
};

function rounded(value) {
  const low = Math.floor(value);
  const rest = value - low;
  return rest < 0.5 || (rest === 0.5 && low % 2 === 0) ? low : low + 1;
}

/** An answer in steps of its grid, as text. */
function steps(numbers, grid) {
  const found = numbers?.map(value => rounded(value / grid + BESIDE_TIES));
  return found?.every(Number.isFinite) ? found.map(BigInt).join() : null;
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

/** Is a square table, roughly, the one made from it? */
function equals(part, made) {
  const rows = range(part.shape[0]);
  const margin = ROUGH * largest(part.numbers);
  return isSquare(part) && rows.every(i => rows.every(j => Math.abs(at(part, i, j) - made(part, i, j)) <= margin));
}
const turned = (part, i, j) => at(part, j, i);
const times = (part, i, j) => range(part.shape[0]).reduce((sum, k) => sum + at(part, i, k) * at(part, k, j), 0);
const isList = ({ shape }) => shape.length === 1 && shape[0] > 1;

export const PROPERTIES = {
  symmetric: ["should be symmetric", part => equals(part, turned)],
  "not negative": ["has no negative entry on such data", ({ numbers }) => Math.min(...numbers) >= -ROUGH * largest(numbers)],
  "at most one": ["has no entry above one on such data", ({ numbers }) => Math.max(...numbers) <= 1 + ROUGH],
  whole: ["should be whole", ({ numbers }) => numbers.every(value => Math.abs(value - rounded(value)) <= ROUGH + 1e-5 * Math.abs(rounded(value)))],
  "adds up to one": ["should add up to one", part => isList(part) && Math.abs(part.numbers.reduce((a, b) => a + b) - 1) <= ROUGH],
  descending: ["should fall from its first entry to its last", part => isList(part)
    && part.numbers.every((value, i, all) => !i || value - all[i - 1] <= ROUGH * largest(all))],
  "its own square": ["multiplied by itself should give itself", part => equals(part, times)],
  "never a negative square": ["should give no vector a negative square: vᵀ(it)v is never below zero", part => isSquare(part) && isNeverNegative(part)],
};

const isSlip = name => name.includes(":");
const isChange = name => name.startsWith("answer:");
const isExchange = name => name.startsWith("parts:");
const isFact = name => isChange(name) || isExchange(name);
const changes = names => names.split(",").map(name => `answer:${name}`);
const BOTH = "a quarter,a third,negated and doubled,fourth power,root of the reciprocal,one,logarithm,exponential,";
const RATIOS = changes(`${BOTH}doubled,halved,squared,root,reciprocal,complement`);
const isRatio = name => RATIOS.includes(name) || /^answer:(times |over |root, )/.test(name);
const WEAK = changes(`${BOTH}times 4,times 3,times root 2,over root 2,times pi,over pi,one too many,one too few,rounded,rounded down,rounded up,no negative`);
/** A plain change that many other slips imitate. */
const isWeak = name => WEAK.includes(name) || /^answer:.* (rows|columns|length)/.test(name);

/** All choices of so many of these, in order. */
function* combinations(all, number, start = 0) {
  if (!number) yield [];
  else for (let i = start; i <= all.length - number; i++) for (const rest of combinations(all, number - 1, i + 1)) yield [all[i], ...rest];
}

function entryName(place, { shape }) {
  return shape.length === 1 ? String(place + 1) : `(${Math.floor(place / shape[1]) + 1}, ${(place % shape[1]) + 1})`;
}

/** Changes that a slip of the pen calls for, the smallest first, each with its words. */
function* repairs(part) {
  const say = (how, places) => `${how} ${places.length === 1 ? "entry" : "entries"} ${listed(places.map(place => entryName(place, part)))}, {it} would be right.`;
  const { shape, numbers } = part;
  const places = range(numbers.length).filter(place => numbers[place]);
  for (let number = 1; number <= places.length; number++) for (const chosen of combinations(places, number)) {
    yield [say("with the other sign at", chosen), { shape, numbers: numbers.map((value, k) => (chosen.includes(k) ? -value : value)) }];
  }
  for (const [one, other] of combinations(range(numbers.length), 2)) {
    const order = range(numbers.length).map(k => (k === one ? other : k === other ? one : k));
    yield [say("with an exchange of", [one, other]), { shape, numbers: order.map(k => numbers[k]) }];
  }
}

class Judgement {
  constructor(data, variant, parts) {
    this.data = data;
    this.variant = variant;
    this.right = variant.answer.map(array);
    this.given = parts.map((part, i) => fitted(part, this.right[i].shape));
    this.steps = this.given.map((part, i) => this.stepsOf(part, i));
    this.isRight = this.steps.map((found, i) => found !== null && found === this.stepsOf(this.right[i], i));
    this.wrong = range(parts.length).filter(i => !this.isRight[i]);
    this.fine = range(parts.length).filter(i => this.isRight[i]);
    this.matches = parts.map((_, i) => this.matching(i));
  }

  stepsOf(part, i, freedoms = this.data.same) {
    return same(part.shape, this.right[i].shape) ? steps(QUANTITIES[freedoms[i]](part), this.variant.grids[i]) : null;
  }

  /** The wrong ways that give this part, each up to its own freedoms. */
  matching(i) {
    return range(this.data.wrongs.length).filter(way => {
      const freedoms = this.data.wrongs[way][4];
      const found = freedoms ? this.stepsOf(this.given[i], i, freedoms) : this.steps[i];
      return found !== null && this.markOf(way, i) === mark(found);
    });
  }

  /** Of what a wrong way gives for this part. */
  markOf(way, i) {
    return this.variant.wrong[i].slice(4 * way, 4 * way + 4);
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
    return this.fine.length ? `${this.names(this.fine)} ${areOf(this.fine)} right. ${text}` : text;
  }

  /** What the recognised wrong ways say: one, or two that cannot be told apart. */
  named(ways, it, alternatives = ALTERNATIVES) {
    const known = ways.map(way => this.data.wrongs[way]);
    const own = known.find(([name]) => !isSlip(name));
    if (own) return { message: own[1], misconception: own[0], see: own[2], credit: own[3] };
    const told = new Map();
    for (const [name, text, see] of known) if (text && !told.has(text)) told.set(text, { name, see });
    if (told.size > alternatives) for (const [text, { name }] of told) if (!isChange(name)) told.delete(text);
    if (!told.size || told.size > alternatives) return null;
    const texts = [...told.keys()].map(text => sentence(text, it));
    const message = texts.length === 1 ? texts[0] : `Two things would give this. Either: ${texts[0]} Or: ${texts[1]}`;
    const [first] = told.values();
    return { message, slip: first.name, see: first.see || this.data.see };
  }

  nameOf(way) {
    return this.data.wrongs[way][0];
  }

  /** The wrong ways that give all parts, and something other than what is right for one of them. */
  everywhere() {
    const [first, ...others] = this.matches;
    return first.filter(way => others.every(ways => ways.includes(way)));
  }

  own() {
    return this.named(this.everywhere().filter(way => !isSlip(this.nameOf(way))), "your answer");
  }

  /** A slip of the course, exchanged parts, or a plain change of an answer none of whose parts is right. */
  known() {
    const ways = this.everywhere();
    const hinted = ways.filter(way => this.data.hinted.includes(way));
    const changes = this.wrong.length === this.right.length ? this.facts(ways, this.wrong) : [];
    const exchanged = ways.filter(way => isExchange(this.nameOf(way)));
    return this.named(hinted.length ? hinted : [...exchanged, ...changes].slice(0, 1), "your answer");
  }

  /** The plain changes among recognised ways, the most telling first; all of them are true. */
  facts(ways, parts) {
    const counts = parts.every(i => this.isCount(i));
    const found = ways.filter(way => isChange(this.nameOf(way)) && !(counts && isRatio(this.nameOf(way))));
    return found.sort((one, other) => isWeak(this.nameOf(one)) - isWeak(this.nameOf(other)));
  }

  /** Telling changes of the right answer, if they explain every wrong part. */
  partsChanged() {
    const found = this.wrong.map(i => this.changed(i));
    if (found.some(one => one === null || isWeak(one.slip))) return null;
    return { message: this.withRightParts(found.map(({ message }) => message).join(" ")), slip: found[0].slip, see: found[0].see };
  }

  /** The plain change that makes a part out of the right one, or the repair that makes it right. */
  changed(i) {
    return this.named(this.facts(this.matches[i], [i]).slice(0, 1), this.name(i)) ?? this.anotherPart(i) ?? this.undone(i);
  }

  /** A part that stands where another one belongs; of a small number it is believed if the other stands here. */
  anotherPart(i) {
    for (const way of this.matches[i].filter(one => isExchange(this.nameOf(one)))) {
      const [one, other] = this.nameOf(way).slice("parts:".length).split(" and ").map(number => number - 1);
      const there = other === i ? one : other;
      if (this.isMetByLuck(i) && (this.isRight[there] || !this.matches[there].includes(way))) continue;
      return { message: sentence(`{it} is what ${this.name(there)} should be.`, this.name(i)), slip: this.nameOf(way) };
    }
    return null;
  }

  undone(i) {
    const [given, right] = [this.given[i], this.right[i]];
    if (!same(given.shape, right.shape) || given.numbers.length < 2 || given.numbers.length > FEW) return null;
    const wanted = this.stepsOf(right, i);
    for (const [text, repaired] of repairs(given)) {
      if (this.stepsOf(repaired, i) === wanted) return { message: sentence(text, this.name(i)), slip: "answer:repair", see: this.data.see };
    }
    return null;
  }

  whole() {
    if (this.wrong.length === 1 && this.isMetByLuck(this.wrong[0]) && this.isSingle(this.wrong[0])) return null;
    const alternatives = this.wrong.every(i => this.isCount(i)) ? 1 : ALTERNATIVES;
    return this.named(this.everywhere().filter(way => !isFact(this.nameOf(way))), "your answer", alternatives);
  }

  /** One or two small whole numbers, which many wrong ways give. */
  isMetByLuck(i) {
    const { numbers } = this.given[i];
    return numbers.length <= 2 && numbers.every(value => Number.isInteger(value) && Math.abs(value) <= SMALL);
  }

  isSingle(i) {
    return !this.right[i].shape.length;
  }

  /** A small whole number where a whole one is right: ratios say nothing of it. */
  isCount(i) {
    return this.isWhole(i) && this.isSingle(i) && this.isMetByLuck(i);
  }

  isWhole(i) {
    return this.data.always[this.variant.always].some(([property, part]) => property === "whole" && part === i);
  }

  /** Of a misconception only its name is told, since its hint speaks of the whole answer; then what the slips say. */
  namedPart(i) {
    const able = this.believed(i).filter(way => !(isFact(this.nameOf(way)) || (this.isSingle(i) && isSlip(this.nameOf(way)))));
    const own = able.map(way => this.data.wrongs[way]).find(([name]) => !isSlip(name));
    if (!own) return this.named(able, this.name(i));
    const text = `{it} is what comes out for someone who ${own[0].replaceAll("_", " ")}.`;
    return { message: sentence(text, this.name(i)), slip: `part:${own[0]}`, see: own[2] };
  }

  /** The ways that give this part, those that explain most parts first. None exchanges arguments, or gives a count, that would spoil a right part. */
  believed(i) {
    const shared = way => this.wrong.filter(k => this.matches[k].includes(way)).length;
    const isDoubtful = way => this.isRefuted(way) && (this.nameOf(way).startsWith("exchanged:") || this.isSmallCount(i))
      && !(shared(way) > 1 && shared(way) === this.wrong.length);
    return this.matches[i].filter(way => !isDoubtful(way)).sort((one, other) => shared(other) - shared(one));
  }

  /** Would a part that is right have come out wrong by this way? */
  isRefuted(way) {
    return this.fine.some(i => ![NOTHING, mark(this.steps[i])].includes(this.markOf(way, i)));
  }

  isSmallCount(i) {
    const { numbers } = this.given[i];
    return this.isWhole(i) && numbers.length === 1 && Math.abs(numbers[0]) <= SMALL;
  }

  byParts() {
    if (this.right.length === 1) return null;
    let found = this.wrong.map(i => this.changed(i) ?? this.namedPart(i));
    // what agrees by luck is believed only where everything is explained, and more than a number
    const isOpen = found.includes(null);
    const isLucky = i => this.isMetByLuck(i) && (isOpen || (this.wrong.length === 1 && this.isSingle(i)));
    // so is a factor or a rounding that fits one number
    const isFit = (one, i) => isOpen && this.isSingle(i) && isWeak(one?.slip);
    found = this.wrong.map((i, k) => (isLucky(i) ? this.changed(i) : found[k])).map((one, k) => (isFit(one, this.wrong[k]) ? null : one));
    const told = found.filter(one => one !== null);
    if (!told.length) return null;
    const open = this.wrong.filter((_, k) => found[k] === null);
    const texts = told.map(({ message }) => message);
    if (open.length) texts.push(`${this.names(open)} ${areOf(open)} not right yet.`);
    return { message: this.withRightParts(texts.join(" ")), slip: told[0].slip, see: told.map(one => one.see).find(Boolean) };
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
    return { message: this.withRightParts(this.wrong.map(i => this.fact(i)).join(" ")) };
  }

  fact(i) {
    const [own, shape, it] = [this.given[i].shape, this.right[i].shape, this.name(i)];
    if (!same(own, shape)) {
      const hint = own.length === 2 && same([...own].reverse(), shape) ? " (transposed?)" : "";
      return sentence(`{it} should be ${said(shape)}; it is ${said(own)}${hint}.`, it);
    }
    if (!this.given[i].numbers.every(Number.isFinite)) return sentence("{it} holds entries that are not numbers (NaN or infinite).", it);
    const right = (this.entries(i) ?? []).flatMap((yes, k) => (yes ? [String(k + 1)] : []));
    if (!right.length) return sentence("{it} is not the right value: check each step.", it);
    return `${right.length === 1 ? "Entry" : "Entries"} ${listed(right)} of ${it} ${areOf(right)} right, the others not yet.`;
  }

  verdict() {
    const parts = this.isRight.map((isRight, i) => ({ isRight, entries: isRight ? null : this.entries(i) }));
    if (!this.wrong.length) return verdict(this.data, { passed: true, fraction: 1, message: "Correct.", parts });
    const found = this.own() ?? this.known() ?? this.partsChanged() ?? this.whole() ?? this.byParts() ?? this.byProperties() ?? this.byFacts();
    const fraction = Math.max(1 - this.wrong.length / this.right.length, found.credit ?? 0);
    return verdict(this.data, { ...found, fraction, see: found.see || this.data.see, parts });
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

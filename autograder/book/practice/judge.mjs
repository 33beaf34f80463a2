// The verdict on an answer to a practice problem: the same as Python's, autograder/judging/judge.py, in the same words.
import { Unreadable, array, read } from "./read.mjs";

const BESIDE_TIES = 1e-6;
const ROUGH = 1e-4;
const [COURSE_SLIP_BITS, MARGIN_BITS, REAL_BITS] = [10, 10, 13]; // as judging/evidence.py
const MOST_DENOMINATOR = 64;
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
  if (shape.includes(0)) return shape.length === 1 ? "an empty list" : `an empty array of shape (${shape.join(", ")})`;
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

const sumOf = ({ numbers }) => numbers.reduce((a, b) => a + b);

/** A number with four digits, as Python writes it. */
function fourDigits(value) {
  const kept = Number(value.toPrecision(4));
  const power = kept ? Math.floor(Math.log10(Math.abs(kept)) + 1e-12) : 0;
  if (power >= -4 && power < 4) return String(kept);
  const [digits, exponent] = kept.toExponential().split("e");
  return `${digits}e${exponent[0]}${exponent.slice(1).padStart(2, "0")}`;
}

// what the right answer has: words for an answer that lacks it, the test, words for one number, what is measured
export const PROPERTIES = {
  symmetric: ["{it} is not symmetric; the right matrix is.", part => equals(part, turned)],
  "not negative": ["{it} has negative entries; the right one has none.", ({ numbers }) => Math.min(...numbers) >= -ROUGH * largest(numbers),
    "{it} is negative; the right number is not."],
  "at most one": ["{it} has entries above 1; the right one has none.", ({ numbers }) => Math.max(...numbers) <= 1 + ROUGH,
    "{it} is larger than 1; the right number is not."],
  whole: ["{it} has entries that are not whole numbers; the right ones are whole.",
    ({ numbers }) => numbers.every(value => Math.abs(value - rounded(value)) <= ROUGH + 1e-5 * Math.abs(rounded(value))),
    "{it} is not a whole number; the right one is."],
  "adds up to one": ["The entries of {it} add up to {value}; the right ones add up to 1.", part => isList(part) && Math.abs(sumOf(part) - 1) <= ROUGH, "", sumOf],
  "columns of mean zero": ["The columns of {it} do not have mean zero; the right ones do.", ({ shape, numbers }) => shape.length === 2 && shape[0] > 1
    && range(shape[1]).every(column => Math.abs(sumOf({ numbers: numbers.filter((_, i) => i % shape[1] === column) })) / shape[0] <= ROUGH * largest(numbers))],
  descending: ["The entries of {it} do not fall from the first to the last; the right ones do.", part => isList(part)
    && part.numbers.every((value, i, all) => !i || value - all[i - 1] <= ROUGH * largest(all))],
  "its own square": ["{it}, multiplied by itself, does not give itself; the right matrix does.", part => equals(part, times)],
  "never a negative square": ["{it} is not positive semidefinite; the right matrix is.", part => isSquare(part) && isNeverNegative(part)],
};

/** How many bits a number carries: nothing for zero, few for a small whole number or fraction. */
function numberBits(value) {
  if (!value || !Number.isFinite(value)) return 0;
  for (let q = 1; q <= MOST_DENOMINATOR; q++) {
    const p = Math.round(value * q);
    if (p && Math.abs(p / q - value) <= 1e-9 * Math.abs(value)) return Math.min(REAL_BITS, Math.log2((2 * Math.abs(p) + 1) * q));
  }
  return REAL_BITS;
}

/** Equal entries count once. */
const bitsOf = numbers => [...new Map(numbers.map(value => [Number(Math.abs(value).toPrecision(6)), value])).values()].reduce((sum, value) => sum + numberBits(value), 0);

/** The plain factor of a slip by a count: that it is the number of rows is proven by no single set of numbers. */
function countSentence(name, sizes) {
  const [, times, over, less] = /^answer:(?:times (\w+)|over (\w+)|(\w+) - 1 for \w+)$/.exec(name) ?? [];
  const n = sizes?.[times ?? over ?? less];
  if (!n) return "";
  const [p, q] = times ? [n, 1] : over ? [1, n] : [n, n - 1];
  return q === 1 ? `{it} is ${p} times what it should be.` : `{it} is ${p}/${q} of what it should be.`;
}

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
const POWERS = changes("squared,root,reciprocal,fourth power,root of the reciprocal");
const SIMPLE_FACTORS = changes("doubled,halved,times 4,a quarter,times 3,a third,in percent,negated,negated and doubled");
const isGuess = name => /^(edit|input|exchanged):/.test(name ?? "");

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

  words(way) {
    const [name, text] = this.data.wrongs[way];
    return (this.data.hinted.includes(way) ? "" : countSentence(name, this.variant.sizes)) || text;
  }

  /** What the recognised wrong way says, if there is only one that agreement of so many bits proves. */
  named(ways, it, bits = Infinity) {
    const known = ways.map(way => this.data.wrongs[way]);
    const own = known.find(([name]) => !isSlip(name));
    if (own) return { message: own[1], misconception: own[0], see: own[2], credit: own[3] };
    const told = new Map();
    for (const way of ways) if (this.words(way) && !told.has(this.words(way))) told.set(this.words(way), way);
    if (told.size > 1) for (const [text, way] of told) if (!isChange(this.nameOf(way))) told.delete(text);
    if (told.size !== 1) return null;
    const [[text, way]] = told;
    const needed = this.data.hinted.includes(way) ? COURSE_SLIP_BITS : Math.log2(Math.max(this.data.wrongs.length, 1)) + MARGIN_BITS;
    if (!isFact(this.nameOf(way)) && bits < needed) return null;
    return { message: sentence(text, it), slip: this.nameOf(way), see: this.data.wrongs[way][2] || this.data.see };
  }

  /** The entries of a right list or table, each in steps, where they are sealed one by one. */
  rightEntries(i) {
    const { shape, numbers } = this.right[i];
    const isSealed = this.data.same[i] === "exactly" && shape.length && numbers.length >= 2 && numbers.length <= MOST_ENTRIES;
    return isSealed ? numbers.map(value => steps([value], this.variant.grids[i])) : [];
  }

  /** The bits of wrong parts; entries that the right one has, in whatever place, do not count. */
  bits(parts) {
    return parts.filter(i => !this.isRight[i]).reduce((sum, i) => {
      const { numbers } = this.given[i];
      const known = numbers.every(Number.isFinite) ? this.rightEntries(i) : [];
      return sum + bitsOf(numbers.filter(value => !known.includes(steps([value], this.variant.grids[i]))));
    }, 0);
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
    const said = hinted.length ? this.named(hinted, "your answer", this.bits(this.wrong)) : null;
    return said ?? this.named([...exchanged, ...changes].slice(0, 1), "your answer");
  }

  /** The plain changes among recognised ways, the most telling first; all of them are true. */
  facts(ways, parts) {
    const counts = parts.every(i => this.isCount(i));
    let found = ways.filter(way => isChange(this.nameOf(way)) && !(counts && isRatio(this.nameOf(way))));
    if (parts.every(i => this.isSingle(i))) {
      found = found.filter(way => !["answer:zero", "answer:one"].includes(this.nameOf(way)));
      // −1/2 for −2 is a quarter and upside down: a power of one number is then no evidence
      const isFactor = found.some(way => SIMPLE_FACTORS.includes(this.nameOf(way)));
      if (isFactor) found = found.filter(way => !POWERS.includes(this.nameOf(way)));
    }
    if (parts.every(i => this.given[i].numbers.every(value => value === 0))) found = found.filter(way => this.nameOf(way) === "answer:zero");
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
    return this.named(this.everywhere().filter(way => !isFact(this.nameOf(way))), "your answer", this.bits(this.wrong));
  }

  /** What is said of wrong parts, after what is right, and before what is not right yet. */
  told(texts) {
    const found = texts.filter(Boolean);
    if (!found.length) return null;
    const open = this.wrong.filter((_, k) => !texts[k]);
    if (open.length) found.push(`${this.names(open)} ${areOf(open)} not right yet.`);
    return { message: this.withRightParts(found.join(" ")) };
  }

  /** A wrong shape, in the words of a plain change of the right answer where it is one. */
  form() {
    const trouble = this.told(this.wrong.map(i => this.shapeTrouble(i)));
    if (!trouble) return null;
    const copies = this.everywhere().filter(way => /^given:.*:itself$/.test(this.nameOf(way)));
    return this.known() ?? this.partsChanged() ?? this.named(copies, "your answer") ?? trouble;
  }

  shapeTrouble(i) {
    const [own, shape] = [this.given[i].shape, this.right[i].shape];
    if (same(own, shape)) return "";
    const hint = own.length === 2 && same([...own].reverse(), shape) ? " (transposed?)" : "";
    return sentence(`{it} should be ${said(shape)}; it is ${said(own)}${hint}.`, this.name(i));
  }

  notFinite() {
    return this.told(this.wrong.map(i => this.infinityTrouble(i)));
  }

  infinityTrouble(i) {
    return this.given[i].numbers.every(Number.isFinite) ? "" : sentence("{it} holds entries that are not numbers (NaN or infinite).", this.name(i));
  }

  /** The right numbers in other places. */
  arrangement() {
    const isExchanged = this.wrong.length > 1 && new Set(this.data.same).size === 1 && this.arePartsExchanged();
    if (isExchanged) {
      return { message: this.withRightParts(`${this.names(this.wrong)} are the right numbers in another order.`), slip: "parts:in another order", see: this.data.see };
    }
    if (!this.wrong.every(i => this.hasRightEntries(i))) return null;
    const texts = this.wrong.map(i => sentence("{it} holds the right numbers in another order.", this.name(i)));
    return { message: this.withRightParts(texts.join(" ")), slip: "answer:arranged otherwise", see: this.data.see };
  }

  arePartsExchanged() {
    const free = [...this.wrong];
    return this.wrong.every(i => {
      const place = free.findIndex(k => this.stepsOf(this.given[i], k) === this.stepsOf(this.right[k], k));
      return place >= 0 && free.splice(place, 1);
    });
  }

  hasRightEntries(i) {
    const { numbers } = this.given[i];
    const known = this.rightEntries(i);
    if (known.length < 2 || numbers.length !== known.length || !numbers.every(Number.isFinite)) return false;
    return same(numbers.map(value => steps([value], this.variant.grids[i])).sort(), [...known].sort());
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
    const able = this.withoutRivals(
      this.believed(i).filter(way => !(isFact(this.nameOf(way)) || (this.isSingle(i) && isSlip(this.nameOf(way))))),
    );
    const own = able.map(way => this.data.wrongs[way]).find(([name]) => !isSlip(name));
    const together = this.wrong.filter(k => able.length && this.matches[k].includes(able[0]));
    if (!own) return this.named(able, this.name(i), this.bits(together));
    const text = `{it} is what comes out for someone who ${own[0].replaceAll("_", " ")}.`;
    return { message: sentence(text, this.name(i)), slip: `part:${own[0]}`, see: own[2] };
  }

  /** The ways, or none: a misconception that leaves a wrong part open proves nothing beside another that explains as much. */
  withoutRivals(ways) {
    const first = ways.find(way => !isSlip(this.nameOf(way)));
    if (first === undefined || this.shared(first) === this.wrong.length) return ways;
    return ways.filter(way => this.shared(way) >= this.shared(first)).length > 1 ? [] : ways;
  }

  /** How many of the wrong parts a way explains. */
  shared(way) {
    return this.wrong.filter(k => this.matches[k].includes(way)).length;
  }

  /** The ways that give this part, those that explain most parts first. None exchanges arguments, or gives a count, that would spoil a right part. */
  believed(i) {
    const shared = way => this.shared(way);
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
    // two different causes at once are unlikely
    const causes = new Set(found.filter(one => isGuess(one?.slip)).map(one => one.slip));
    if (causes.size > 1) found = found.map(one => (isGuess(one?.slip) ? null : one));
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
      const [words, holds, ofNumber, measure] = PROPERTIES[property];
      if (holds(part)) continue;
      const text = (!part.shape.length && ofNumber) || words;
      return { message: this.withRightParts(sentence(text.replace("{value}", measure ? fourDigits(measure(part)) : ""), this.name(i))) };
    }
    return null;
  }

  byFacts() {
    return { message: this.withRightParts(this.wrong.map(i => this.fact(i)).join(" ")) };
  }

  fact(i) {
    const it = this.name(i);
    const trouble = this.shapeTrouble(i) || this.infinityTrouble(i);
    if (trouble) return trouble;
    const right = (this.entries(i) ?? []).flatMap((yes, k) => (yes ? [String(k + 1)] : []));
    if (!right.length) return sentence("{it} is not the right value: check each step.", it);
    return `${right.length === 1 ? "Entry" : "Entries"} ${listed(right)} of ${it} ${areOf(right)} right, the others not yet.`;
  }

  verdict() {
    const parts = this.isRight.map((isRight, i) => ({ isRight, entries: isRight ? null : this.entries(i) }));
    if (!this.wrong.length) return verdict(this.data, { passed: true, fraction: 1, message: "Correct.", parts });
    const found = this.own() ?? this.form() ?? this.notFinite() ?? this.known() ?? this.partsChanged() ?? this.arrangement() ?? this.whole() ?? this.byParts() ?? this.byProperties() ?? this.byFacts();
    const fraction = Math.max(1 - this.wrong.length / this.right.length, found.credit ?? 0);
    const ways = this.everywhere().filter(way => !isSlip(this.nameOf(way)));
    return verdict(this.data, { ...found, fraction, see: found.see || this.data.see, parts, ways });
  }
}

/** The marks of the right answer, up to the freedoms by which a wrong way is recognised. */
export function rightMarks(data, variant, way) {
  const freedoms = data.wrongs[way][4] ?? data.same;
  return variant.answer.map((part, i) => {
    const found = steps(QUANTITIES[freedoms[i]](array(part)), variant.grids[i]);
    return found === null ? NOTHING : mark(found);
  });
}

const verdict = (data, found) => ({ passed: false, fraction: 0, misconception: null, slip: null, see: data.see, parts: [], ways: [], ...found });

/** The verdict on what was typed, part by part. */
export function judge(data, variant, typed) {
  try {
    return new Judgement(data, variant, typed.map((text, i) => read(text, !Array.isArray(variant.answer[i])))).verdict();
  } catch (error) {
    if (!(error instanceof Unreadable)) throw error;
    return verdict(data, { message: capital(error.message) + (error.message.endsWith(".") ? "" : ".") });
  }
}

// Numbers, lists and tables as people type them. The rules are those of autograder/judging/typed.py and expressions.py.

export class Unreadable extends Error {}

function refuse(why) {
  throw new Unreadable(why);
}

const SIGNS = {
  "−": "-", "–": "-", "·": "*", "×": "*", "⋅": "*", "÷": "/", "⁄": "/", "‐": "-", "‑": "-", "∗": "*", "∙": "*", "•": "*", "∕": "/", π: "pi", "^": "**",
  "½": "(1/2)", "⅓": "(1/3)", "⅔": "(2/3)", "¼": "(1/4)", "¾": "(3/4)",
};
const SIGN = new RegExp(`[${Object.keys(SIGNS).join("")}]`, "g");
const UNSEEN = /[\u200b-\u200f\u2060-\u2064\ufeff]/g;
const BLANK = /[\v\f\r\x1c-\x1f\x85\xa0\u1680\u2000-\u200a\u2028\u2029\u202f\u205f\u3000]/g;
const RAISED = "⁰¹²³⁴⁵⁶⁷⁸⁹";
const MODULE = /(?<![\w.])(?:np|numpy|sp|sympy|math)[ \t]*\.[ \t]*(?=[A-Za-z])/g;
const SIDE_BY_SIDE = /(?<![\w.])(?!(?:and|or|not|if|else|in|is|lambda|for)\b)([A-Za-z]\w*)[ \t]+(?!(?:and|or|not|if|else|in|is|for|sqrt|pi)\b)(?=[A-Za-z])/g;
const GAP = /[0-9.)\]][ \t]+(?:[0-9.([]|sqrt\b|pi\b)/;
const GAPS = /(?<=[0-9.)\]])[ \t]+(?=[-+]?(?:[0-9.([]|sqrt\b|pi\b))/g;

const SIGNED_GAP = /[0-9.)\]][ \t]+[-+](?:[0-9.([]|sqrt\b|pi\b)/;
const NUMBER_GAP = /[0-9.)\]][ \t]+[-+]?[0-9.([]/;
const NUMBER_WORDS = /sqrt|pi|array|Matrix|(?<=[0-9.])[eE](?=[-+]?[0-9])/g;
const THOUSANDS = /^[-+−–‐‑]?[1-9][0-9]{0,2}(?: [0-9]{3})+(?:\.[0-9]*)?$/;
const MIXED_NUMBER = /^([-+−–‐‑]?)([0-9]+) +([0-9]+) ?[/⁄∕÷] ?([0-9]+)$/;
const UNFINISHED = /(?:^|(?<=[\s,;([]))[-+]?(?:[0-9]+\.?[0-9]*|\.[0-9]+)[eE][-+]?(?=\s*(?:$|[,;)\]]))/;

/** Usual signs and blanks in place of wide and invisible ones. */
function plain(typed) {
  const text = typed.replace(/[！-～]/g, sign => String.fromCharCode(sign.charCodeAt() - 0xfee0));
  return text.replace(UNSEEN, "").replace(BLANK, " ").trim();
}

/** The text of a single number: `1 000` and `3 1/2` are one, which in a list are two each. */
function oneNumber(typed) {
  const text = plain(typed);
  if (THOUSANDS.test(text)) return text.replaceAll(" ", "");
  return MIXED_NUMBER.test(text) ? text.replace(MIXED_NUMBER, "$1($2+$3/$4)") : typed;
}

/** Do blanks before signs keep numbers apart, as in [1 -2]? */
function hasSignedGaps(text) {
  const isFormula = text.includes(",") || /[ \t][-+*/]+[ \t]/.test(text) || /\p{L}/u.test(text.replace(NUMBER_WORDS, ""));
  return !isFormula && SIGNED_GAP.test(text);
}

/** The same formula as Python would write it. */
export function spelled(typed) {
  let text = plain(typed).replace(/(?<![\w.])([0-9]+)([½⅓⅔¼¾])/g, "($1+$2)").replace(/(?<=[)\]])(?:ᵀ|⊤|\.T\b)/g, "**T");
  text = text.replace(SIGN, sign => SIGNS[sign]).replace(MODULE, "").replace(/⁻?[⁰¹²³⁴-⁹]+/g, raised);
  text = text.replace(/(?:√[ \t]*|(?<!\w)sqrt[ \t]*(?=[0-9]))([0-9]+(?:\.[0-9]+)?|[A-Za-z]\w*|[α-ω])/g, "sqrt($1)").replaceAll("√", "sqrt");
  text = rows(text.replace(/([0-9]+(?:\.[0-9]+)?)[ \t]*%(?=[ \t]*(?:[,;\])]|$))/g, "($1/100)"));
  text = text.replace(/(?<![\w.])([0-9]+\.?[0-9]*(?:[eE][-+]?[0-9]+)?)([A-Za-zα-ω(])?/g, (_, number, next) => number + (next ? `*${next}` : ""));
  text = text.replace(/\)(?=[A-Za-zα-ω0-9(])/g, ")*").replace(SIDE_BY_SIDE, "$1*");
  if (!NUMBER_GAP.test(text) && (!text.includes("[") || text.includes(","))) text = text.replace(/(?<=[0-9])[ \t]+(?=(?:sqrt|pi)\b)/g, "*");
  return GAP.test(text) || hasSignedGaps(text) ? text.replace(GAPS, ", ") : text;
}

function raised(signs) {
  const digits = [...signs].map(sign => (sign === "⁻" ? "-" : RAISED.indexOf(sign))).join("");
  return digits.startsWith("-") ? `**(${digits})` : `**${digits}`;
}

function rows(text) {
  if (!text.includes(";") && (!text.includes("\n") || text.includes("["))) return text.replace(/[ \t]*\n[ \t]*/g, " ");
  const isClosed = { "[": "]", "(": ")" }[text[0]] === text.at(-1);
  const lines = (isClosed ? text.slice(1, -1) : text).split(/[;\n]/).map(row => row.trim());
  return lines.filter(row => row).map(row => `[${row}]`).join(", ");
}

const LARGEST = 2 ** 1000;
const MOST_POWER = 10_000;
const DEEPEST = 199; // brackets inside brackets
const CONSTANTS = { pi: Math.PI, E: Math.E, e: Math.E, I: NaN, oo: Infinity, EulerGamma: 0.5772156649015329, GoldenRatio: 1.618033988749895 };
const factorial = n => (n < 2 ? 1 : n * factorial(n - 1));
const quotient = [1, 2, (p, q = 1) => p / q];
const FUNCTIONS = {
  ...Object.fromEntries("sqrt exp sin cos tan asin acos atan sinh cosh tanh floor ceil abs sign log10 log2".split(" ").map(name => [name, Math[name]])),
  cbrt: x => (x < 0 ? NaN : Math.cbrt(x)), ceiling: Math.ceil, Abs: Math.abs, ln: Math.log,
  factorial: n => (Number.isInteger(n) && n >= 0 && n < 171 ? factorial(n) : NaN),
  log: [1, 2, (x, base) => (base === undefined ? Math.log(x) : Math.log(x) / Math.log(base))],
  Rational: quotient, Fraction: quotient, Pow: [2, 2, power], root: [2, 2, (x, n) => (x < 0 ? NaN : x ** (1 / n))],
  max: [1, 50, Math.max], Max: [1, 50, Math.max], min: [1, 50, Math.min], Min: [1, 50, Math.min],
};
// for notebooks only
const OTHERS = `Eq Float Heaviside Integer KroneckerDelta Mod Ne acosh acot acsc arg asec asinh atan2 atanh beta binomial conjugate cot coth csc
  csch digamma erf erfc exp_polar expm1 gamma im log1p loggamma polygamma re sec sech`.split(/\s+/);
const BARE_ARGUMENT = /(?<![\p{L}\p{N}_.])(sin|cos|tan|exp|log|ln)[ \t]+[\p{L}\p{N}_]/u; // sin 2t
const ADVICE = [
  [/\\/, "LaTeX is not read: write 1/2, sqrt(2), x**2"],
  [/°/, "angles are in radians: write 60*pi/180"],
  [/(?<![<>=!])=(?!=)/, "write only what stands to the right of ="],
];
const TOKEN = /\s*(?:(\*\*|[-+*/()[\],])|((?:[0-9][0-9_]*\.?[0-9]*|\.[0-9]+)(?:[eE][-+]?[0-9]+)?)|([\p{L}_][\p{L}\p{N}_]*))/uy;

function power(base, exponent) {
  if (Math.abs(exponent) > MOST_POWER) refuse("a power in the formula is too large");
  return base ** exponent;
}

/** A sign that is not seen, as Python shows it. */
function escaped(sign) {
  const code = sign.codePointAt().toString(16);
  return code.length < 3 ? `\\x${code.padStart(2, 0)}` : code.length < 5 ? `\\u${code.padStart(4, 0)}` : `\\U${code.padStart(8, 0)}`;
}

function quoted(text) {
  const inner = text.replace(/\\/g, "\\\\").replace(/\n/g, "\\n").replace(/\t/g, "\\t").replace(/\r/g, "\\r").replace(/(?! )[\p{C}\p{Z}]/gu, escaped);
  return inner.includes("'") && !inner.includes('"') ? `"${inner}"` : `'${inner.replaceAll("'", "\\'")}'`;
}

/** A tree: an array for a list, a function without arguments for a number, called when it is wanted. */
function parse(typed) {
  const [unfinished] = UNFINISHED.exec(typed) ?? [];
  if (unfinished) refuse(`${quoted(unfinished.slice(0, 80))} has no exponent; write it as in 1e-3, and Euler's number as in 2*e`);
  const text = spelled(typed).replace(/\|([^|]+)\|/g, "abs($1)");
  const tokens = [];
  const [, bare] = BARE_ARGUMENT.exec(typed) ?? [];
  const advice = bare ? `write ${bare}(...)` : ADVICE.find(([sign]) => sign.test(typed))?.[1] ?? "write it as in 2*(a - b)**2";
  const fail = () => refuse(`${quoted([...typed].slice(0, 80).join(""))} cannot be read as a formula; ${advice}`);
  TOKEN.lastIndex = 0;
  while (TOKEN.lastIndex < text.length) {
    const start = TOKEN.lastIndex;
    const found = TOKEN.exec(text);
    if (!found) fail();
    const [whole, sign, number, name] = found;
    tokens.push({ sign, number, name: name?.normalize("NFKC"), start: start + whole.length - whole.trimStart().length, end: TOKEN.lastIndex });
  }
  let at = 0;
  let open = 0;
  const next = () => tokens[at]?.sign;
  const take = sign => (next() === sign ? tokens[at++] : fail());

  function items(close) {
    const found = [];
    let isList = false;
    while (at < tokens.length && !(close && next() === close)) {
      found.push(sum());
      if (next() !== ",") break;
      at++;
      isList = true;
    }
    return { found, isList };
  }
  function number(digits) {
    if (/^0[0-9_]*[1-9][0-9_]*$|__|_$|_\.|\._/.test(digits)) fail();
    const value = Number(digits.replaceAll("_", ""));
    return () => value;
  }
  function name({ name: word, start }) {
    if (next() !== "(") return () => symbol(word);
    take("(");
    const { found } = items(")");
    const source = text.slice(start, take(")").end);
    if ((word === "array" || word === "Matrix") && found.length === 1 && Array.isArray(found[0])) return found[0];
    return () => applied(word, found, source);
  }
  function atom() {
    const token = tokens[at++] ?? fail();
    if (token.number) return number(token.number);
    if (token.name) return name(token);
    const close = { "(": ")", "[": "]" }[token.sign] ?? fail();
    if (++open > DEEPEST) fail();
    const { found, isList } = items(close);
    const { end } = take(close);
    open--;
    if (close === ")" && !isList && found.length === 1) return found[0];
    found.text = text.slice(token.start, end);
    return found;
  }
  function powered() {
    const base = atom();
    if (next() !== "**") return base;
    at++;
    if (Array.isArray(base) && tokens[at]?.name === "T" && at++) return transposed(base);
    const exponent = unary();
    return () => power(one(base), one(exponent));
  }
  function unary() {
    if (next() !== "-" && next() !== "+") return powered();
    const { sign } = tokens[at++];
    const value = unary();
    return each(value, entry => () => (sign === "-" ? -one(entry) : one(entry)));
  }
  const chain = (signs, operand) => () => {
    let left = operand();
    while (signs.includes(next())) left = joined(tokens[at++].sign, left, operand());
    return left;
  };
  const sum = chain(["+", "-"], chain(["*", "/"], unary));
  const { found, isList } = items(undefined);
  if (at < tokens.length || (!found.length && !isList)) fail();
  return found.length === 1 && !isList ? found[0] : found;
}

function symbol(word) {
  if (Object.hasOwn(CONSTANTS, word)) return CONSTANTS[word];
  if (Object.hasOwn(FUNCTIONS, word) || OTHERS.includes(word)) refuse(`the function ${quoted(word)} needs brackets: write ${word}(...)`);
  refuse(`a number was expected, not ${quoted(word.slice(0, 60))}`);
}

function applied(word, found, text) {
  if (OTHERS.includes(word) || word === "Piecewise") refuse(`the function ${quoted(word)} is read in a notebook only`);
  if (!Object.hasOwn(FUNCTIONS, word)) {
    refuse(`the function ${quoted(word.slice(0, 60))} is not known; write a product with *, as in a*(b + c), and functions as in sqrt(2)`);
  }
  const known = FUNCTIONS[word];
  const [least, most, work] = Array.isArray(known) ? known : [1, 1, known];
  if (found.length < least || found.length > most) refuse(`${quoted(text.slice(0, 60))} has the wrong number of arguments`);
  return work(...found.map(one));
}

/** The columns of a table; a flat list stays as it is. */
function transposed(rows) {
  if (!rows.some(Array.isArray)) return rows;
  shapeOf(rows);
  return rows[0].map((_, j) => rows.map(row => row[j]));
}

/** Done to a number, or to each entry of a list. */
const each = (tree, work) => (Array.isArray(tree) ? Object.assign(tree.map(entry => each(entry, work)), { text: tree.text }) : work(tree));

function joined(sign, left, right) {
  const lists = [left, right].map(Array.isArray);
  if (lists[0] !== lists[1] && (sign === "*" || (sign === "/" && lists[0]))) {
    return lists[0] ? each(left, entry => joined(sign, entry, right)) : each(right, entry => joined(sign, left, entry));
  }
  return () => {
    const [a, b] = [one(left), one(right)];
    return { "+": a + b, "-": a - b, "*": a * b, "/": a / b }[sign];
  };
}

class NoValue extends Error {}

/** The value of a formula, checked to be a number of bearable size. */
function one(tree) {
  if (Array.isArray(tree)) refuse(`${quoted((tree.text ?? "").slice(0, 60))} cannot stand in a formula`);
  const value = tree();
  if (!(Math.abs(value) < LARGEST)) throw new NoValue();
  return value;
}

function valueOf(tree) {
  if (Array.isArray(tree)) return tree.map(valueOf);
  try {
    return one(tree);
  } catch (error) {
    if (error instanceof NoValue) return NaN;
    throw error;
  }
}

/** Numbers in one list, with their shape. */
export const array = tree => ({ shape: shapeOf(tree), numbers: [tree].flat(Infinity) });

function shapeOf(tree) {
  if (!Array.isArray(tree)) return [];
  const shapes = tree.map(shapeOf);
  const isRegular = shapes.every(shape => String(shape) === String(shapes[0]) && shape.length === shapes[0].length);
  if (!isRegular) refuse("the answer is not a regular table: its rows have different lengths");
  return [tree.length, ...(shapes[0] ?? [])];
}

/** What was typed, as such an array; `isNumber` says that one number is expected. */
export function read(typed, isNumber = false) {
  if (typed.length > 4000) refuse("the formula is too long to be read");
  const tree = parse(isNumber ? oneNumber(typed) : typed);
  shapeOf(tree); // a table that is none is told before its entries
  return array(valueOf(tree));
}

export function shown({ shape, numbers }) {
  const texts = numbers.map(number => (Number.isFinite(number) ? String(Number(number.toPrecision(6))).replace("-", "−") : "not a number"));
  if (!shape.length) return texts[0];
  const [rows, width] = shape.length > 1 ? [shape[0], texts.length / shape[0]] : [1, texts.length];
  return Array.from({ length: rows }, (_, row) => `(${texts.slice(row * width, (row + 1) * width).join(", ")})`).join(" ");
}

// Which problem to ask next, so that the answer tells the misconceptions apart that are still possible.
//
// A hypothesis is {data, way, weight}: the reader has this misconception of this task. The weights follow Bayes' rule.
import { rightMarks } from "./judge.mjs";

const NOTHING = "....";
const SHOWN = 0.85; // a reader with a misconception answers as it does
const BY_CHANCE = 0.003; // somebody else gives just that answer
const LUCKY = 0.1; // a reader with a misconception is right all the same
const CAREFUL = 0.9; // and anybody else is right
const SURE = 0.9; // share of the weight at which a misconception counts as found

/** The places of the task's own misconceptions; slips, which any task can have, have a colon in their names. */
export const ownWays = data => data.wrongs.flatMap(([name], way) => (name.includes(":") ? [] : [way]));

const outcomes = new WeakMap(); // variant → way → answer

/** What a misconception answers with these numbers: "right", "?" for an answer that cannot be foretold, or its marks. */
export function outcome(data, variant, way) {
  if (!outcomes.has(variant)) outcomes.set(variant, new Map());
  const known = outcomes.get(variant);
  if (!known.has(way)) known.set(way, computed(data, variant, way));
  return known.get(way);
}

function computed(data, variant, way) {
  const marks = variant.wrong.map(part => part.slice(4 * way, 4 * way + 4));
  if (marks.includes(NOTHING)) return "?";
  return marks.join() === rightMarks(data, variant, way).join() ? "right" : marks.join();
}

/** The misconceptions that would not answer these numbers rightly. */
export const separatedBy = (data, variant) => ownWays(data).filter(way => !["right", "?"].includes(outcome(data, variant, way)));

/** All misconceptions of these tasks, as likely as each other. */
export const hypotheses = tasks => tasks.flatMap(data => ownWays(data).map(way => ({ data, way, weight: 1 })));

const total = weights => weights.reduce((sum, weight) => sum + weight, 0);
const answerTo = ({ data, way }, asked, number) => (data === asked ? outcome(data, data.variants[number], way) : "right");

/** Bits that the answer to a problem is expected to tell about which hypothesis is true. */
export function information(possible, data, number) {
  const weights = new Map();
  for (const one of possible) {
    const answer = answerTo(one, data, number);
    weights.set(answer, (weights.get(answer) ?? 0) + one.weight);
  }
  const whole = total([...weights.values()]);
  return [...weights.values()].reduce((bits, weight) => bits + (weight ? (weight / whole) * Math.log2(whole / weight) : 0), 0);
}

/** The problem that tells most: {data, number, bits}; null if none tells anything. `asked` holds "task number". */
export function mostTelling(possible, asked = new Set()) {
  let best = null;
  for (const data of new Set(possible.map(one => one.data))) {
    for (const number of data.variants.keys()) {
      if (asked.has(`${data.task} ${number}`)) continue;
      const bits = information(possible, data, number);
      if (bits > (best?.bits ?? 0) + 1e-9) best = { data, number, bits };
    }
  }
  return best;
}

function likelihood(one, data, number, { passed, ways }) {
  const isHere = one.data === data;
  const isRight = answerTo(one, data, number) === "right";
  if (passed) return isRight ? CAREFUL : LUCKY;
  if (ways.length) return isHere && ways.includes(one.way) ? SHOWN : BY_CHANCE;
  return isRight ? 1 - CAREFUL : LUCKY; // a mistake that none of them makes tells nothing
}

/** The hypotheses after an answer: whether it passed, and the ways of the task that give it. */
export const weighed = (possible, data, number, answer) =>
  possible.map(one => ({ ...one, weight: one.weight * likelihood(one, data, number, answer), isSeen: one.isSeen || (one.data === data && answer.ways.includes(one.way)) }));

/** The misconception that is found: seen at least once and far more likely than all others together; else null. */
export function foundAmong(possible) {
  const best = possible.reduce((most, one) => (one.weight > most.weight ? one : most));
  return best.isSeen && best.weight >= SURE * total(possible.map(({ weight }) => weight)) ? best : null;
}

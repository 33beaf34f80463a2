// The verdict on a quick question: the same as Python's, autograder/judging/judge_question.py, in the same words.

const failed = (message, more = {}) => ({ passed: false, message, see: "", ...more });
const rightOf = items => Object.keys(items).filter(letter => items[letter].right);

/** A wrong letter and its hint. */
function wrongItem(items, letter, more = "") {
  return failed(`${letter} is wrong: ${items[letter].hint}${more}`, { letter, see: items[letter].see });
}

function judgeChoice(question, items, letters) {
  if (letters.length > 1 && !question.several) return failed("Exactly one is right: give one letter.");
  const wrong = letters.filter(letter => !items[letter].right);
  if (wrong.length) return wrongItem(items, wrong[0], wrong.length > 1 ? " Another of your letters is wrong, too." : "");
  if (letters.length < rightOf(items).length) return failed("What you chose is right. But it is not all that is right.");
  return { passed: true, message: "Correct.", see: "" };
}

function needed(letter, late, letters) {
  const behind = late.find(other => letters.includes(other));
  return behind
    ? `${letter} cannot come before ${behind}: it needs what ${behind} gives.`
    : `${letter} needs something that comes before it in every right order, and that your answer lacks.`;
}

function judgeOrder(items, letters) {
  const wrong = letters.find(letter => !items[letter].right);
  if (wrong) return wrongItem(items, wrong);
  for (const [position, letter] of letters.entries()) {
    const late = (items[letter].after ?? []).filter(other => !letters.slice(0, position).includes(other));
    if (late.length) return failed(needed(letter, late, letters));
  }
  const number = rightOf(items).length;
  if (letters.length < number) return failed(`So far nothing is wrong. The answer has ${number} letters, not ${letters.length}.`);
  return { passed: true, message: "Correct.", see: "" };
}

/** The verdict on letters, in the order in which they were given. */
export function judge(question, variant, letters) {
  if (!letters.length) return failed("Not written yet.");
  const items = question.variants[variant];
  return question.kind === "order" ? judgeOrder(items, letters) : judgeChoice(question, items, letters);
}

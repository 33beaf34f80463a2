"""Judge an answer to a quick question: letters, an input, or a line.

The score is all or nothing, so that blind guessing earns at most `QuickQuestion.guessing`.
"""

import re
from collections import Counter
from collections.abc import Sequence
from typing import Any, Literal

from autograder.answers.values import UnsupportedAnswerError
from autograder.judging import fault_programs
from autograder.judging.question import QuickQuestion
from autograder.judging.verdict import Verdict

LETTERS = re.compile(r"[\s,;.()>\-→]*")
LETTERS_ONLY = re.compile(r"(?:[A-Za-z]|[\s,;.()>\-→])+")
Runs = Literal["nothing", "programs", "lines"]
MAX_MEND_CHARACTERS = 300


def judge_question(question: QuickQuestion, answer: object, *, runs: Runs = "nothing") -> Verdict:
    """Return the verdict on an answer.

    `runs` says which code may be run to judge a fault: "programs" are those of the question, whose key must then be
    trusted; "lines" are also a student's own, so only in the student's own process.
    """
    if answer is None or answer is Ellipsis or (isinstance(answer, str) and not answer.strip()):
        return _verdict(question, "Not written yet.", problem="not written")
    try:
        if question.kind == "fault" and not _is_letters(answer):
            return _judge_fault(question, answer, runs)
        letters = read_letters(question, answer)
        return (
            _judge_order(question, letters) if question.kind == "order" else _judge_choice(question, letters)
        )
    except UnsupportedAnswerError as error:
        text = str(error)
        return _verdict(question, text[:1].upper() + text[1:] + ".", problem="wrong form")


def _is_letters(answer: object) -> bool:
    """Return whether an answer to a fault is letters of its items."""
    if isinstance(answer, list | tuple):
        return bool(answer) and all(isinstance(letter, str) for letter in answer)
    return isinstance(answer, str) and len(answer) <= 12 and LETTERS_ONLY.fullmatch(answer) is not None


def read_letters(question: QuickQuestion, answer: object) -> list[str]:
    """Return the letters of an answer such as "b d", "B, D" or ["b", "d"].

    Raise UnsupportedAnswerError, with a sentence for the student, for anything else.
    """
    known = f"from {min(question.items)} to {max(question.items)}"
    text = _joined_texts(answer)
    if text is None:
        raise UnsupportedAnswerError(f"answer with letters {known}, as text")
    letters = [letter.upper() for letter in LETTERS.sub("", text)]
    unknown = [letter for letter in letters if letter not in question.items]
    if not letters:
        raise UnsupportedAnswerError(f"{answer!r} is none of the letters {known}")
    if unknown:
        raise UnsupportedAnswerError(f"{unknown[0]} is none of the letters {known}")
    repeated = next((letter for letter, number in Counter(letters).items() if number > 1), "")
    if repeated:
        raise UnsupportedAnswerError(f"{repeated} stands twice in the answer: use each letter once")
    return letters


def _joined_texts(answer: object) -> str | None:
    """Join a text or a container of texts; None for anything else."""
    pieces = list(answer) if isinstance(answer, str | list | tuple | set | frozenset) else []
    return "".join(pieces) if pieces and all(isinstance(piece, str) for piece in pieces) else None


def _judge_choice(question: QuickQuestion, letters: Sequence[str]) -> Verdict:
    several = question.several or question.kind == "fault"
    if len(letters) > 1 and not several:
        raise UnsupportedAnswerError("exactly one is right: give one letter")
    wrong = [letter for letter in letters if not question.items[letter].is_right]
    if wrong:
        more = " Another of your letters is wrong, too." if len(wrong) > 1 else ""
        return _wrong_item(question, wrong[0], more)
    missing = len(question.right) - len(letters)
    if missing:
        text = "What you chose is right. But it is not all that is right."
        return _verdict(question, text, problem="")
    return _passed(question)


def _judge_order(question: QuickQuestion, letters: Sequence[str]) -> Verdict:
    wrong = [letter for letter in letters if not question.items[letter].is_right]
    if wrong:
        return _wrong_item(question, wrong[0])
    for position, letter in enumerate(letters):
        late = [other for other in question.items[letter].after if other not in letters[:position]]
        if late:
            return _verdict(question, _what_is_needed(letter, late, letters))
    number = len(question.right)
    if len(letters) < number:
        return _verdict(
            question, f"So far nothing is wrong. The answer has {number} letters, not {len(letters)}."
        )
    return _passed(question)


def _what_is_needed(letter: str, late: Sequence[str], letters: Sequence[str]) -> str:
    """Return why an item cannot stand where it does; an item that the answer lacks is not named."""
    behind = [other for other in late if other in letters]
    if behind:
        return f"{letter} cannot come before {behind[0]}: it needs what {behind[0]} gives."
    return f"{letter} needs something that comes before it in every right order, and that your answer lacks."


def _judge_fault(question: QuickQuestion, answer: object, runs: Runs) -> Verdict:
    programs = question.programs
    if programs is None:
        raise UnsupportedAnswerError("answer with letters")
    if isinstance(answer, str):
        return _judge_mend(question, answer, runs)
    if runs == "nothing":
        return _verdict(question, "An input is judged in the notebook, where programs can run.")
    inputs = fault_programs.read_input(programs, answer)
    if fault_programs.differs(programs, programs.shown, inputs):
        return _passed(question)
    text = f"On this input the shown function is right, as on its tests. {programs.hint}"
    return _verdict(question, text.strip())


def _judge_mend(question: QuickQuestion, line: str, runs: Runs) -> Verdict:
    programs = question.programs
    assert programs is not None
    if len(line) > MAX_MEND_CHARACTERS or "\n" in line.strip():
        raise UnsupportedAnswerError("give one line of code")
    if fault_programs.is_known_mend(programs, line):
        return _passed(question)
    if runs != "lines":
        text = "This line is not the expected one. Only the notebook can run it; give an input instead."
        return _verdict(question, text)
    source = fault_programs.with_line(programs, line)
    if source is None:
        raise UnsupportedAnswerError("this line is no Python in the place of the faulty line")
    if any(fault_programs.differs(programs, source, inputs) for inputs in programs.tests + programs.inputs):
        text = f"With this line as line {programs.line} the function is still wrong on some inputs."
        return _verdict(question, text)
    return _passed(question)


def _wrong_item(question: QuickQuestion, letter: str, more: str = "") -> Verdict:
    item = question.items[letter]
    text = f"{letter} is wrong: {item.hint}{more}"
    return _verdict(question, text, misconception=item.name or None, see=item.see or question.see)


def _passed(question: QuickQuestion) -> Verdict:
    text = f"Correct. {question.explanation}".strip()
    return Verdict(question.name, True, 1.0, 0.0, text, see=question.see)


def _verdict(question: QuickQuestion, message: str, **more: Any) -> Verdict:
    return Verdict(question.name, False, 0.0, 0.0, message, **{"see": question.see, **more})

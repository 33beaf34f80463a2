"""Extract the exercises of a graded notebook, as students see them."""

import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from html import unescape
from typing import Any, NamedTuple

from autograder.authoring.cells import answer_cell_name, check_of, is_answer_cell, name_of, role, source_of
from autograder.authoring.rubric import DECISION

SECTION_HEADING = re.compile(r"^#{2,6} +(?P<title>.+?)\s*$", re.MULTILINE)
EFFORT = re.compile(r"\s*\((?:\d+(?:\.\d+)? points?)(?:,[^()]*)?\)$")  # "(2 points, about 10 minutes)"
SOLUTION_MARK = re.compile(r"^[ \t]*### (?:BEGIN|END) SOLUTION[ \t]*\n?", re.MULTILINE)
# What `autograder.judging.render` wrote into the test cell; every value in it is escaped.
HEADLINE = re.compile(r'<strong style="[^"]*">[✔✘] [^<]*</strong>')
FRAME = re.compile(r'^<div class="dimred-verdict" style="[^"]*">')
MESSAGE = re.compile(r"<div>(?!Reread: )(?P<message>.*?)</div>", re.DOTALL)
REREAD = re.compile(r'<div>Reread: (?P<link><a href="[^"]*">[^<]*</a>)</div>')
SENTENCE_PATTERN = re.compile(r".+?[.:?!](?=\s|$)\s*|.+$", re.DOTALL)
MAX_REASON_CHARACTERS = 200  # of a message in the summary
ANSWER_ALONE = re.compile(
    r"<details open><summary>The failing case</summary><table[^>]*><tr><th[^>]*>your answer</th>"
    r"<td[^>]*><pre[^>]*>(?P<answer>[^<]*)</pre></td></tr></table></details>"
)
VALUE = re.compile(r"[\w.*/^+-]+")
NO_RESPONSE = "No response."  # nbgrader's own comment on an unchanged cell, of which the verdict says more


@dataclass(frozen=True)
class Exercise:
    """A graded cell; `reason` and `reread` are HTML with escaped values."""

    name: str
    title: str
    question: str
    answer: str
    is_code: bool
    points: float
    score: float | None
    verdict: str
    verdict_text: str
    comment: str
    model_answer: str

    @property
    def lost(self) -> float:
        """The lost points; zero while the answer needs manual grading."""
        return 0.0 if self.score is None else max(0.0, self.points - self.score)

    @property
    def mark(self) -> str:
        """The mark: good, part, bad, or open while it needs manual grading."""
        if self.score is None:
            return "open"
        return "good" if self.score >= self.points else "part" if self.score > 0 else "bad"

    @property
    def reason(self) -> str:
        """The first sentences of the verdict's message, as HTML; may be empty."""
        match = MESSAGE.search(self.verdict)
        if match is None or "<" in match["message"]:
            return ""
        reason = ""
        for sentence in SENTENCE_PATTERN.findall(match["message"]):
            if reason and len(reason) + len(sentence) > MAX_REASON_CHARACTERS:
                break
            reason += sentence
        return reason.strip()

    @property
    def reread(self) -> str:
        """The HTML link to the passage of the book to reread.

        It may be empty.
        """
        match = REREAD.search(self.verdict)
        return match["link"] if match else ""

    @property
    def decided_items(self) -> list[tuple[str, float, float]]:
        """The decided rubric items: name, points, maximum points."""
        matches = DECISION.finditer(self.comment)
        return [(match["name"].strip(), float(match["points"]), float(match["most"])) for match in matches]

    @property
    def free_comment(self) -> str:
        """The comment without the lines of the rubric."""
        words = DECISION.sub("", self.comment).strip()
        return "" if words == NO_RESPONSE and self.verdict else words


def exercises_of(
    cells: list[Any], score: Mapping[str, Any], model_answers: Mapping[str, str]
) -> Iterator[Exercise]:
    """Yield the exercises of a graded notebook.

    A test cell comes with its answer.
    """
    answers = {str(name_of(cell)): cell for cell in cells if is_answer_cell(cell)}
    for question, cell in _graded_cells(cells):
        name, match = str(name_of(cell)), check_of(source_of(cell))
        tested = answer_cell_name(match, answers) if match else name
        words = match["task"].replace("_", " ") if match else name.replace("-", " ")
        answer = source_of(answers[tested]) if tested in answers else ""
        yield Exercise(
            name=name,
            title=question.title_with(words),
            question="\n\n".join(question.texts),
            answer=answer,
            is_code=cell["cell_type"] == "code",
            points=float(role(cell)["points"]),
            score=score.get("scores", {}).get(name),
            verdict=without_echo(_verdict(cell), answer),
            verdict_text=_output(cell, "text/plain").partition("\n")[2],  # without its headline
            comment=_comment(name, tested, score),
            model_answer=model_answers.get(tested, ""),
        )


class _Question(NamedTuple):
    """The texts above a graded cell, from their last heading on."""

    title: str
    texts: list[str]
    is_repeated: bool  # another graded cell has the same heading

    def title_with(self, words: str) -> str:
        """Return the title, with words of the cell where it is not enough."""
        if not self.title:
            return words.capitalize()
        return f"{self.title}, {words}" if self.is_repeated else self.title


def _graded_cells(cells: Iterable[Any]) -> Iterator[tuple[_Question, Any]]:
    title, texts, used = "", list[str](), set[str]()
    for cell in cells:
        if role(cell).get("points") is not None:
            yield _Question(title, texts, title in used), cell
            used.add(title)
            texts = []
        elif cell["cell_type"] == "markdown" and not is_answer_cell(cell):
            heading = _last_heading(source_of(cell))
            title, texts = (heading, []) if heading else (title, texts)
            texts.append(source_of(cell))


def model_answers_of(cells: list[Any], *, with_numbers: bool) -> dict[str, str]:
    """Map cells to the author's answers.

    Without `with_numbers` return texts and function definitions only: other code may hold numbers of another variant.
    """
    answers = {
        str(name_of(cell)): SOLUTION_MARK.sub("", source_of(cell)).strip()
        for cell in cells
        if is_answer_cell(cell)
    }
    kinds = {str(name_of(cell)): cell["cell_type"] for cell in cells}
    return {
        name: text
        for name, text in answers.items()
        if with_numbers or kinds[name] == "markdown" or text.startswith("def ")
    }


def _last_heading(text: str) -> str:
    """Return the last heading of a text, without points and minutes."""
    titles = [match["title"] for match in SECTION_HEADING.finditer(text)]
    return EFFORT.sub("", titles[-1]) if titles else ""


def _verdict(cell: object) -> str:
    """Return the HTML verdict of a test cell, without its headline.

    The page shows the points itself. The grader wrote the outputs of test cells, so their HTML is trusted.
    """
    bare = HEADLINE.sub("", _output(cell, "text/html"), count=1)
    bare = bare.replace("<div>Not written yet.", "<div>Not written.", 1)  # the work is finished
    bare = bare.replace(
        "<table>", '<table tabindex="0">'
    )  # a wide matrix scrolls on a phone, by keyboard too
    return FRAME.sub('<div class="verdict">', bare, count=1)


def _comment(name: str, tested: str, score: Mapping[str, Any]) -> str:
    """Return the instructor's comment; empty while the answer waits to be read.

    Such a comment would be about an earlier text.
    """
    comments, scores = score.get("comments", {}), score.get("scores", {})
    if scores.get(name, 0.0) is None:
        return ""
    return comments.get(tested) or comments.get(name) or ""


def without_echo(verdict: str, source: str) -> str:
    """Remove a failing case that only repeats the answer shown above it."""
    match = ANSWER_ALONE.search(verdict)
    if not match:
        return verdict
    typed = VALUE.findall(source.partition("=")[2])
    return verdict if VALUE.findall(unescape(match["answer"])) != typed else ANSWER_ALONE.sub("", verdict)


def _output(cell: Any, kind: str) -> str:
    """Return the displayed output of a test cell in a MIME type."""
    for output in cell.get("outputs", []):
        if output["output_type"] == "display_data" and "text/html" in output["data"]:
            text = output["data"].get(kind, "")
            return "".join(text) if isinstance(text, list) else str(text)
    return ""

"""Regenerate exercises: draw, certify, write. Nothing is written before everything is certified.

A variant of a topic is one student notebook with its public key, the nbgrader source with the secret key, and
the certificate. `exercises/` holds the variant of the public seed; a class gets the variant of its own seed
through nbgrader's `generate_assignment`.
"""

import contextlib
import copy
import json
from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from functools import cached_property
from pathlib import Path
from typing import Any

from autograder.authoring.adopted import stopped_programs_told
from autograder.authoring.first_lines import with_first_lines
from autograder.authoring.lucky import Found
from autograder.authoring.points import with_points
from autograder.authoring.source_notebook import BEGIN, END, dump, released, source_notebook
from autograder.authoring.task import Task
from autograder.authoring.topic import load_slips, load_tasks, mutation_trials, notebook_text
from autograder.book.labels import labels
from autograder.book.references import with_published_places
from autograder.course.course import Course
from autograder.course.files import put_back_on_error, write_changed_texts, write_text, write_texts
from autograder.course.package import install_command
from autograder.errors import BadKeyError, CourseError, PlaceholderError, SourceError, UncertifiedError
from autograder.grading.examine import Examined, Material, examine
from autograder.judging import seal
from autograder.judging.key import Key, Page, SealedCase, dump_key, load_key
from autograder.release.constants import earned_by_a_constant
from autograder.release.draw import DrawnTask, draw_secret, draw_task, one_line
from autograder.release.mistake_names import relevant_mistakes
from autograder.release.mistakes import Mistake, right_parts
from autograder.release.origin import FROM_SEED, Origin, default_derivation, derive
from autograder.sandbox.limits import Limits
from autograder.sandbox.nursery import Nursery
from autograder.sandbox.process import StudentProcess

MANY_GUESSES = 10**12  # more than anyone makes


@dataclass(frozen=True)
class Variant:
    """A certified variant of one topic. Only the instructor's side knows its seed, unless it is the public one."""

    topic: str
    seed: str
    source: Any
    release: Any
    public: Key
    secret: Key
    certificate: Mapping[str, Any]

    def files(self) -> "Files":
        """Everything that is written of this variant."""
        source, secret = dump(self.source), dump_key(self.secret)
        return Files(self.topic, self.seed, self.student_files(), source, secret, self.certificate)

    def student_files(self) -> dict[str, str]:
        """What a student gets, by file name."""
        return {f"{self.topic}.ipynb": dump(self.release), f"{self.topic}.key.json": self.public_text}

    @cached_property
    def public_text(self) -> str:
        """The public key as a file."""
        return dump_key(self.public)

    def certificate_text(self) -> str:
        """The certificate as a file."""
        return certificate_text(self.certificate)


@dataclass(frozen=True)
class Files:
    """A certified variant as texts: what the student gets, nbgrader's source, the secret key, the solved notebook."""

    topic: str
    seed: str
    student: Mapping[str, str]
    source: str
    secret: str
    certificate: Mapping[str, Any]
    solved: str = ""


def certificate_text(certificate: Mapping[str, Any]) -> str:
    """A certificate as a file."""
    return json.dumps(certificate, indent=1, ensure_ascii=False) + "\n"


@dataclass(frozen=True)
class Public:
    """The public files of a variant that was certified before: what everyone may see."""

    files: Mapping[str, str]
    key: Key
    certificate: Mapping[str, Any]

    def is_part_of(self, variant: Variant) -> bool:
        """Return whether a variant has these very files."""
        certificate = {f"{variant.topic}.certificate.json": variant.certificate_text()}
        return {**variant.student_files(), **certificate} == dict(self.files)


def read_public(course: Course, topic: str) -> Public | None:
    """Read the exercises of the public seed; None if they are not complete."""
    folder = course.exercises / topic
    try:
        files = {path.name: path.read_text("utf-8") for path in folder.iterdir()}
        certificate = json.loads(files[f"{topic}.certificate.json"])
        return Public(files, load_key(files[f"{topic}.key.json"]), certificate)
    except (OSError, ValueError, LookupError, BadKeyError):
        return None


def make_variant(
    course: Course, topic: str, seed: str | Origin, secret: str, nursery: Nursery | None = None
) -> Variant:
    """Draw and certify a variant; CourseError says in one line what is wrong where.

    Many variants are made quicker in one nursery; without one, a nursery is started and ended here. A seed without an
    origin is derived as for a new release.
    """
    origin = derive(secret, topic, seed, default_derivation(course, seed)) if isinstance(seed, str) else seed
    if origin.seed == course.settings["public_seed"]:
        course = course.published  # private tasks are never made for the seed that everybody has

    def draw(name: str, task: Task) -> DrawnTask:
        return draw_task(f"{topic}.{name}", task, origin.root, secret, _extra(course, topic, name, task))

    return _certified(course, topic, origin, draw, nursery)


def make_known_variant(course: Course, known: Public, secret: str, nursery: Nursery | None = None) -> Variant:
    """Make a variant whose public part was certified before: what depends on the secret is drawn and certified.

    If something else comes out than the known files, all of it is drawn.
    """
    topic, course = known.key.topic, course.published
    origin = derive(secret, topic, known.key.seed, FROM_SEED)

    def draw(name: str, task: Task) -> DrawnTask:
        public = known.key.tasks[name]
        refused = tuple(known.certificate["tasks"][name].get("drawn again because", ()))
        if task.kind != "code":
            return DrawnTask(public, public, refused)
        return DrawnTask(public, draw_secret(f"{topic}.{name}", task, origin.root, secret)[0], refused)

    variant = None
    with contextlib.suppress(LookupError, CourseError):  # a task that these files do not have
        variant = _certified(course, topic, origin, draw, nursery)
    is_same = variant is not None and known.is_part_of(variant)
    return variant if variant and is_same else make_variant(course, topic, origin, secret, nursery)


@stopped_programs_told()
def _certified(
    course: Course,
    topic: str,
    origin: Origin,
    draw: Callable[[str, Task], DrawnTask],
    nursery: Nursery | None,
) -> Variant:
    """Put a variant together from drawn tasks, and certify it."""
    try:
        tasks = load_tasks(course, topic)
        drawn = {name: draw(name, task) for name, task in tasks.items()}
        source = source_notebook(notebook_text(course, topic), topic, tasks, _numbers(tasks, drawn))
    except (UncertifiedError, SourceError, PlaceholderError) as error:
        raise CourseError(str(error)) from error
    source = with_points(with_first_lines(_with_places(course, source), install_command(course)))
    source.metadata["dimred"]["seed"] = origin.name
    pages = _pages(course, tasks)
    public = Key(topic, origin.name, {name: task.public for name, task in drawn.items()}, pages)
    hidden = Key(topic, origin.name, {name: task.secret for name, task in drawn.items()}, pages)
    release = released(copy.deepcopy(source))
    certificate = _certificate(topic, origin, tasks, drawn)
    _count_mutants(certificate, mutation_trials(course, topic))
    variant = Variant(topic, origin.seed, source, release, public, hidden, certificate)
    # the code that runs here is the course's own, so a machine without walls will do
    with contextlib.nullcontext(nursery) if nursery else Nursery(trusted=True) as warm:
        _certify_notebooks(variant, warm)
    return variant


def _with_places(course: Course, notebook: Any) -> Any:
    """A student's text names places of the book by the book's numbers, with links."""
    places, address = labels(course.book), str(course.settings["book_url"])
    for cell in notebook.cells:
        if cell.cell_type == "markdown":
            cell.source = with_published_places(cell.source, places, address)
    return notebook


def _extra(course: Course, topic: str, name: str, task: Task) -> tuple[Mistake, ...]:
    """The slips and edits that this task's wrong answers are compared with."""
    with one_line(f"{topic}.{name}: its draw or its reference"):
        return relevant_mistakes(course, topic, name, task)


def _numbers(tasks: Mapping[str, Task], drawn: Mapping[str, DrawnTask]) -> dict[str, dict[str, Any]]:
    """What placeholders may name: the printed inputs of each task, and its reference answer."""
    numbers = {}
    for name, task in drawn.items():
        inputs = dict(task.public.cases[0].inputs)
        numbers[name] = {**inputs, "answer": tasks[name].answer(*inputs.values())}
    return numbers


def _pages(course: Course, tasks: Mapping[str, Task]) -> dict[str, Page]:
    """The address in the book of every label that a verdict may name."""
    places = labels(course.book)
    named = {task.see for task in tasks.values()}
    named |= {wrong.see for task in tasks.values() for wrong in task.misconceptions}
    named |= {slip.see for slip in load_slips(course) if slip.see}
    unknown = sorted(named - set(places))
    if unknown:
        raise CourseError(f"{unknown[0]} is not a label of the book: mend the `see` of the task or the page")
    base = str(course.settings.get("book_url", "")).rstrip("/")
    return {name: Page(f"{base}/book/{places[name].href}", places[name].number) for name in sorted(named)}


def _certify_notebooks(variant: Variant, nursery: Nursery) -> None:
    """The solution earns full marks and the untouched notebook none, by the grader itself."""
    for name, verdict in examined(variant, variant.source, nursery).verdicts.items():
        if not verdict.passed:
            why = f"the solution in notebook.md does not earn full marks: {verdict.message}"
            raise CourseError(f"{variant.topic}.{name}: {why}")
    _require_nothing(variant.topic, examined(variant, variant.release, nursery))


def examined(variant: Variant, notebook: Any, nursery: Nursery, *, figures: bool = False) -> Examined:
    """Examine a notebook of this variant on its public and its secret cases, all of them where test cells stand.

    A submission is asked the secret ones last, so that it cannot print them; this notebook is the course's own.
    """
    both = _on_all_cases(variant.public, variant.secret)

    def start() -> StudentProcess:
        process = nursery.start({}, Limits())
        if not figures:
            process.draw_no_figures()
        return process

    return examine(copy.deepcopy(notebook), Material(both, both), start)


def _on_all_cases(public: Key, secret: Key) -> Key:
    """A key that asks for everything: sealed cases are the same in both."""
    tasks = {
        name: task
        if task is secret.tasks[name]
        else replace(task, cases=task.cases + secret.tasks[name].cases)
        for name, task in public.tasks.items()
    }
    return replace(public, tasks=tasks)


def _require_nothing(topic: str, untouched: Examined) -> None:
    for name, verdict in untouched.verdicts.items():
        if verdict.fraction > 0:
            raise CourseError(f"{topic}.{name}: the untouched notebook earns {verdict.earned:g} points")


def _certificate(
    topic: str, origin: Origin, tasks: Mapping[str, Task], drawn: Mapping[str, DrawnTask]
) -> dict[str, Any]:
    return {
        "topic": topic,
        **origin.record(),
        "rules": [
            "the solution earns full marks",
            "the untouched notebook earns none",
            "every alternative correct solution passes",
            "every misconception is rejected and recognised as itself",
            "every misconception earns the share of the points that it earns on other draws",
            "no wrong program passes that mutation found to pass some draws",
            "no case is ill-posed",
            "what an answer earns that looks at no input is named",
        ],
        "tasks": {
            name: {
                "kind": task.kind,
                "points": float(task.points),
                "cases": len(drawn[name].public.cases),
                "alternatives accepted": len(task.alternatives),
                "misconceptions recognised": [wrong.name for wrong in task.misconceptions],
                "draws": drawn[name].tries,
                **_guesses(task, drawn[name]),
                **_by_a_constant(drawn[name]),
                **({"drawn again because": list(drawn[name].refused)} if drawn[name].refused else {}),
            }
            for name, task in tasks.items()
        },
    }


def _by_a_constant(drawn: DrawnTask) -> dict[str, float]:
    """Name the share that an answer earns which looks at no input, if it earns any."""
    share = max(earned_by_a_constant(key)[0] for key in (drawn.public, drawn.secret))
    return {"earned by a constant": share} if share else {}


def _count_mutants(certificate: dict[str, Any], found: Mapping[str, Found]) -> None:
    """What mutation found about each task, when it was last tried."""
    for name, task in certificate["tasks"].items():
        if name in found:
            task["wrong programs made by mutation"] = found[name].counts


def _guesses(task: Task, drawn: DrawnTask) -> dict[str, Any]:
    """Of an answer by hand: how many guesses would find it in the published key. It is no secret, and we say so."""
    case = drawn.public.cases[0]
    if task.kind != "hand" or not isinstance(case, SealedCase):
        return {}
    parts = zip(right_parts(task, case.inputs), task.samenesses, case.entries, strict=True)
    found = [seal.guesses(same.quantity(part), one_by_one=bool(entries)) for part, same, entries in parts]
    return {"found in the key by at most so many guesses": min(sum(found), MANY_GUESSES)}


def solved_notebook(variant: Variant, nursery: Nursery) -> str:
    """The solution, run, with its figures and verdicts: for whoever teaches, or for everyone after the deadline."""
    solved = examined(variant, variant.source, nursery, figures=True).notebook
    for cell in solved.cells:
        lines = [line for line in cell.source.splitlines() if line.strip() not in (BEGIN, END)]
        cell.source = "\n".join(lines)
    return dump(solved)


def write_exercises(course: Course, variant: Files) -> Path:
    """Write the public variant into exercises/."""
    folder = course.exercises / variant.topic
    certificate = {f"{variant.topic}.certificate.json": certificate_text(variant.certificate)}
    write_changed_texts(folder, {**variant.student, **certificate})
    return folder


def write_classroom(course: Course, variant: Variant | Files) -> Path:
    """Write nbgrader's source and the secret key; nbgrader makes the release and fills its gradebook."""
    from autograder.grading.gradebook import release_assignment

    files = variant.files() if isinstance(variant, Variant) else variant
    topic = files.topic
    with put_back_on_error(course.places.source(topic)) as source:
        write_texts(source, {**files.student, f"{topic}.ipynb": files.source})
        release_assignment(course, topic)
    write_text(course.places.secret_key(topic), files.secret)
    write_text(course.places.certificate(topic), certificate_text(files.certificate))
    return course.places.release(topic)

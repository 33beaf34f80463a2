"""Make a variant of a topic: draw, certify, write.

A variant consists of the student notebook with its public key, the nbgrader source with the secret key, and the
certificate. Nothing is written before everything is certified. `exercises/` holds the variant of the public seed. A
class gets the variant of its own seed through nbgrader's `generate_assignment`.
"""

import contextlib
import copy
import json
from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from functools import cached_property
from pathlib import Path
from typing import Any

from autograder.answers.arguments import arguments
from autograder.authoring.adopted import stopped_programs_told
from autograder.authoring.assignment import assignment_tasks, assignment_text, assignment_trials
from autograder.authoring.first_lines import with_first_lines
from autograder.authoring.mutation_record import MutationRecord
from autograder.authoring.points import with_points
from autograder.authoring.question_cells import printed_question_markdown, with_questions
from autograder.authoring.question_tasks import QuestionTask
from autograder.authoring.source_notebook import BEGIN_SOLUTION, END_SOLUTION, dump, released, source_notebook
from autograder.authoring.task import Task
from autograder.authoring.topic import load_slips
from autograder.book.labels import labels
from autograder.book.references import with_source_places
from autograder.course.address import key_at, notebook_at
from autograder.course.course import Course
from autograder.course.files import restore_on_error, write_changed_texts, write_text, write_texts
from autograder.course.package import install_command, published_site
from autograder.errors import BadKeyError, CourseError, PlaceholderError, SourceError, UncertifiedError
from autograder.formats import CERTIFICATE
from autograder.grading.examine import GradedNotebook, GradingInputs, grade_notebook
from autograder.judging import fingerprints
from autograder.judging.key import Key, Page, SealedCase, TaskKey, dump_key, load_key
from autograder.judging.question import QuickQuestion
from autograder.release.constants import earned_by_a_constant
from autograder.release.draw import DrawnTask, draw_secret, draw_task, one_line
from autograder.release.hint_costs import hint_costs_of
from autograder.release.mistake_names import relevant_mistakes
from autograder.release.mistakes import Mistake, right_parts
from autograder.release.origin import FROM_SEED, Origin, default_derivation, derive
from autograder.release.questions import draw_question_task, drawn_questions, labels_of, question_certificate
from autograder.sandbox.fork_server_client import ForkServerClient
from autograder.sandbox.limits import Limits
from autograder.sandbox.process import StudentProcess

MAX_COUNTED_GUESSES = 10**12  # the certificate counts no further


@dataclass(frozen=True)
class Variant:
    """A certified variant of one topic.

    Its seed stays with the instructor, unless it is the public seed.
    """

    topic: str
    seed: str
    source: Any
    release: Any
    public: Key
    secret: Key
    certificate: Mapping[str, Any]

    def files(self) -> "Files":
        """Return all files of the variant as texts."""
        source, secret = dump(self.source), dump_key(self.secret)
        return Files(self.topic, self.seed, self.student_files(), source, secret, self.certificate)

    def student_files(self) -> dict[str, str]:
        """Return the student's files by name."""
        return {f"{self.topic}.ipynb": dump(self.release), f"{self.topic}.key.json": self.public_text}

    @cached_property
    def public_text(self) -> str:
        """The public key as text."""
        return dump_key(self.public)

    def certificate_text(self) -> str:
        """Return the certificate as text."""
        return certificate_text(self.certificate)


@dataclass(frozen=True)
class Files:
    """A certified variant as texts.

    `student` holds the student's files, `source` is nbgrader's source notebook, `secret` the secret key, `solved` the
    solved notebook.
    """

    topic: str
    seed: str
    student: Mapping[str, str]
    source: str
    secret: str
    certificate: Mapping[str, Any]
    solved: str = ""


def certificate_text(certificate: Mapping[str, object]) -> str:
    """Return a certificate as text."""
    return json.dumps(certificate, indent=1, ensure_ascii=False) + "\n"


def load_certificate(text: str, file: str) -> dict[str, object]:
    """Parse the text of a certificate.

    Raise ValueError if it is damaged, and FormatError if its version cannot be read.
    """
    tree = json.loads(text)
    CERTIFICATE.require_readable(tree, file)
    return dict(tree)


@dataclass(frozen=True)
class Public:
    """The public files of a variant that was certified before."""

    files: Mapping[str, str]
    key: Key
    certificate: Mapping[str, Any]

    def is_part_of(self, variant: Variant) -> bool:
        """Return whether a variant has exactly these public files."""
        certificate = {f"{variant.topic}.certificate.json": variant.certificate_text()}
        return {**variant.student_files(), **certificate} == dict(self.files)


def read_public(course: Course, topic: str) -> Public | None:
    """Read the exercises of the public seed, or None if incomplete."""
    folder = course.exercises / topic
    try:
        files = {path.name: path.read_text("utf-8") for path in folder.iterdir()}
        name = f"{topic}.certificate.json"
        certificate = load_certificate(files[name], name)
        return Public(files, load_key(files[f"{topic}.key.json"]), certificate)
    except (OSError, ValueError, LookupError, BadKeyError):
        return None


def make_variant(
    course: Course, topic: str, seed: str | Origin, secret: str, server: ForkServerClient | None = None
) -> Variant:
    """Draw and certify a variant.

    CourseError says in one line what is wrong where. A shared fork server makes many variants faster; without one, a
    server is started and closed here. A seed without an origin is derived as for a new release.
    """
    origin = derive(secret, topic, seed, default_derivation(course, seed)) if isinstance(seed, str) else seed
    if origin.seed == course.settings["public_seed"]:
        course = course.published  # private tasks are never made for the public seed

    def draw(name: str, task: Task) -> DrawnTask:
        if isinstance(task, QuestionTask):
            return draw_question_task(f"{topic}.{name}", task, origin.root)
        return draw_task(
            f"{topic}.{name}", task, origin.root, secret, _relevant_mistakes(course, topic, name, task)
        )

    return _assemble_certified(course, topic, origin, draw, server)


def make_known_variant(
    course: Course, known: Public, secret: str, server: ForkServerClient | None = None
) -> Variant:
    """Make a variant whose public part was certified before.

    Only the part that depends on the secret is drawn. If the result differs from the known files, all of it is drawn.
    """
    topic, course = known.key.topic, course.published
    origin = derive(secret, topic, known.key.seed, FROM_SEED)

    def draw(name: str, task: Task) -> DrawnTask:
        public = known.key.tasks[name]
        refused = tuple(known.certificate["tasks"][name].get("drawn again because", ()))
        if task.kind != "code":
            return DrawnTask(public, public, refused)
        hidden, _ = draw_secret(f"{topic}.{name}", task, origin.root, secret, public)
        return DrawnTask(public, hidden, refused)

    variant = None
    with contextlib.suppress(LookupError, CourseError):  # these files may lack a task
        variant = _assemble_certified(course, topic, origin, draw, server)
    is_same = variant is not None and known.is_part_of(variant)
    return variant if variant and is_same else make_variant(course, topic, origin, secret, server)


def _secret_keys(drawn: Mapping[str, DrawnTask]) -> dict[str, TaskKey]:
    return {name: task.secret for name, task in drawn.items()}


@stopped_programs_told()
def _assemble_certified(
    course: Course,
    topic: str,
    origin: Origin,
    draw: Callable[[str, Task], DrawnTask],
    server: ForkServerClient | None,
) -> Variant:
    """Assemble a variant from drawn tasks and certify its notebooks."""
    try:
        tasks = assignment_tasks(course, topic)
        drawn = {name: draw(name, task) for name, task in tasks.items()}
        public_keys = {name: task.public for name, task in drawn.items()}
        asked = {name: key.question for name, key in public_keys.items() if key.question}
        numbers = printed_numbers(tasks, {name: key.cases[0].inputs for name, key in public_keys.items()})
        numbers |= {name: _printed_question(question) for name, question in asked.items()}
        source = source_notebook(assignment_text(course, topic), topic, tasks, numbers)
        questions = drawn_questions(course, topic, origin.root)
    except (UncertifiedError, SourceError, PlaceholderError) as error:
        raise CourseError(str(error)) from error
    source = with_points(with_questions(source, questions))
    source = with_first_lines(_with_places(course, source), install_command())
    source.metadata["dimred"]["seed"] = origin.name
    pages = _pages(course, tasks, {**questions, **asked})
    costs = hint_costs_of(course, topic, tasks)
    public = Key(topic, origin.name, public_keys, pages, questions, costs)
    hidden = replace(public, tasks=_secret_keys(drawn))
    release = released(copy.deepcopy(source))
    certificate = {**_certificate(topic, origin, tasks, drawn), **_composed_of(course, topic)}
    if questions:
        certificate["questions"] = question_certificate(questions)
    _count_mutants(certificate, assignment_trials(course, topic))
    variant = Variant(topic, origin.seed, source, release, public, hidden, certificate)
    # the course's own code runs here, so a machine without a sandbox is good enough
    with contextlib.nullcontext(server) if server else ForkServerClient(trusted=True) as running_server:
        _certify_notebooks(variant, running_server)
    return variant


def _with_places(course: Course, notebook: Any) -> Any:
    """Replace labels in the text by the book's numbers and links."""
    places = labels(course.book)
    for cell in notebook.cells:
        if cell.cell_type == "markdown":
            cell.source = with_source_places(cell.source, places)
    return notebook


def _relevant_mistakes(course: Course, topic: str, name: str, task: Task) -> tuple[Mistake, ...]:
    """Return the slips and edits to compare wrong answers with.

    A failure is reported as one of this task.
    """
    with one_line(f"{topic}.{name}: its draw or its reference"):
        return relevant_mistakes(course, topic, name, task)


def printed_numbers(
    tasks: Mapping[str, Task], inputs: Mapping[str, Mapping[str, object]]
) -> dict[str, dict[str, Any]]:
    """Return the values that placeholders may name.

    These are the printed inputs of each task, and its reference answer.
    """
    return {
        name: {**inputs[name], "answer": task.answer(*arguments(inputs[name]))}
        for name, task in tasks.items()
    }


def _printed_question(question: QuickQuestion) -> dict[str, str]:
    """Return what the placeholders of a quick question in a printed exam stand for."""
    return {"text": printed_question_markdown(question), "letters": "".join(question.right)}


def _pages(
    course: Course, tasks: Mapping[str, Task], questions: Mapping[str, QuickQuestion]
) -> dict[str, Page]:
    """Return page and number of each label that verdicts may name."""
    places = labels(course.book)
    named = {task.see for task in tasks.values()}
    named |= {wrong.see for task in tasks.values() for wrong in task.misconceptions}
    named |= labels_of(questions.values())
    named |= {slip.see for slip in load_slips(course) if slip.see}
    unknown = sorted(named - set(places))
    if unknown:
        raise CourseError(
            f"{unknown[0]} is not a label of the book: correct `see` in the task, or add the label to the page"
        )
    return {
        name: Page(f"book/{places[name].href}", places[name].number)
        for name in sorted(named)
        if places[name].is_listed
    }


def _certify_notebooks(variant: Variant, server: ForkServerClient) -> None:
    """Raise CourseError unless the solution earns everything and the untouched notebook nothing."""
    for name, verdict in grade_variant(variant, variant.source, server).verdicts.items():
        if not verdict.passed:
            why = f"the solution in notebook.md does not earn full marks: {verdict.message}"
            raise CourseError(f"{variant.topic}.{name}: {why}")
    _require_nothing(variant.topic, grade_variant(variant, variant.release, server))


def grade_variant(
    variant: Variant, notebook: object, server: ForkServerClient, *, figures: bool = False
) -> GradedNotebook:
    """Grade a notebook of this variant on public and secret cases together.

    A submission gets the secret cases last, so that it cannot print them. This notebook is the course's own.
    """
    both = _on_all_cases(variant.public, variant.secret)

    def start() -> StudentProcess:
        process = server.start({}, Limits())
        if not figures:
            process.draw_no_figures()
        return process

    return grade_notebook(copy.deepcopy(notebook), GradingInputs(both, both), start)


def _on_all_cases(public: Key, secret: Key) -> Key:
    """Merge the cases of both keys.

    Tasks that both keys share keep their cases.
    """
    tasks = {
        name: task
        if task is secret.tasks[name]
        else replace(task, cases=task.cases + secret.tasks[name].cases)
        for name, task in public.tasks.items()
    }
    return replace(public, tasks=tasks)


def _require_nothing(topic: str, untouched: GradedNotebook) -> None:
    for name, verdict in untouched.verdicts.items():
        if verdict.fraction > 0:
            raise CourseError(f"{topic}.{name}: the untouched notebook earns {verdict.earned:g} points")


def _certificate(
    topic: str, origin: Origin, tasks: Mapping[str, Task], drawn: Mapping[str, DrawnTask]
) -> dict[str, Any]:
    return {
        "format": CERTIFICATE.version,
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
            "no two numbers of a hand task agree by luck",
            "what an answer earns that looks at no input is named",
        ],
        "tasks": {
            name: {
                "kind": task.kind,
                "points": float(task.points),
                "cases": len(drawn[name].public.cases),
                "alternatives accepted": len(task.alternatives),
                "misconceptions recognised": _recognised(task, drawn[name]),
                "draws": drawn[name].tries,
                **_count_guesses(task, drawn[name]),
                **_by_a_constant(drawn[name]),
                **({"drawn again because": list(drawn[name].refused)} if drawn[name].refused else {}),
            }
            for name, task in tasks.items()
        },
    }


def _recognised(task: Task, drawn: DrawnTask) -> list[str]:
    """Return the names of the foreseen mistakes."""
    return (
        list(drawn.public.wrongs) if drawn.public.question else [wrong.name for wrong in task.misconceptions]
    )


def _composed_of(course: Course, topic: str) -> dict[str, Any]:
    """Return the bank's tasks in a composed assignment, by slot."""
    composition = course.composition(topic)
    return {"composed of": composition.tasks(course.form)} if composition else {}


def _by_a_constant(drawn: DrawnTask) -> dict[str, float]:
    """Return the share that a constant answer earns, if it earns any; of a quick question that of a blind guess."""
    if drawn.public.question:
        return {"earned by a blind guess at most": round(drawn.public.question.guessing, 6)}
    share = max(earned_by_a_constant(key)[0] for key in (drawn.public, drawn.secret))
    return {"earned by a constant": share} if share else {}


def _count_mutants(certificate: dict[str, Any], records: Mapping[str, MutationRecord]) -> None:
    """Add the results of the last mutation test of each task."""
    for name, task in certificate["tasks"].items():
        if name in records:
            task["wrong programs made by mutation"] = records[name].counts


def _count_guesses(task: Task, drawn: DrawnTask) -> dict[str, object]:
    """Count the guesses that would find a hand answer in the key.

    The public key does not keep it secret, and the certificate says so.
    """
    case = drawn.public.cases[0]
    if drawn.public.kinds:
        return {}
    if task.kind != "hand" or not isinstance(case, SealedCase):
        return {}
    parts = zip(right_parts(task, case.inputs), task.samenesses, case.entries, strict=True)
    guesses = [
        fingerprints.guesses_needed(same.quantity(part), one_by_one=bool(entries))
        for part, same, entries in parts
    ]
    return {"found in the key by at most so many guesses": min(sum(guesses), MAX_COUNTED_GUESSES)}


def solved_notebook(variant: Variant, server: ForkServerClient) -> str:
    """Run the solution and return it with its figures and verdicts."""
    solved = grade_variant(variant, variant.source, server, figures=True).notebook
    for cell in solved.cells:
        lines = [
            line for line in cell.source.splitlines() if line.strip() not in (BEGIN_SOLUTION, END_SOLUTION)
        ]
        cell.source = "\n".join(lines)
    return dump(solved)


def addressed(course: Course, files: Files) -> Files:
    """Return a variant whose links lead to the published book."""
    return replace(
        files,
        student=addressed_texts(course, files.student),
        source=_notebook_text(course, files.source),
        secret=key_at(files.secret, published_site(course).address),
        solved=_notebook_text(course, files.solved) if files.solved else "",
    )


def addressed_texts(course: Course, texts: Mapping[str, str]) -> dict[str, str]:
    """Return a student's files with the address of the published book."""
    address = published_site(course).address
    return {
        name: _notebook_text(course, text) if name.endswith(".ipynb") else key_at(text, address)
        for name, text in texts.items()
    }


def _notebook_text(course: Course, text: str) -> str:
    notebook = notebook_at(json.loads(text), published_site(course))
    return json.dumps(notebook, indent=1, ensure_ascii=False, sort_keys=True) + "\n"


def write_exercises(course: Course, variant: Files) -> Path:
    """Write the public variant into `exercises/`."""
    folder = course.exercises / variant.topic
    certificate = {f"{variant.topic}.certificate.json": certificate_text(variant.certificate)}
    write_changed_texts(folder, {**variant.student, **certificate})
    return folder


def write_classroom(course: Course, variant: Variant | Files) -> Path:
    """Write nbgrader's source, the release, the secret key and the certificate.

    nbgrader makes the release and fills its gradebook.
    """
    from autograder.grading.nbgrader_release import release_assignment

    files = addressed(course, variant.files() if isinstance(variant, Variant) else variant)
    topic = files.topic
    with restore_on_error(course.paths.source(topic)) as source:
        write_texts(source, {**files.student, f"{topic}.ipynb": files.source})
        release_assignment(course, topic)
    write_text(course.paths.secret_key(topic), files.secret)
    write_text(course.paths.certificate(topic), certificate_text(files.certificate))
    return course.paths.release(topic)

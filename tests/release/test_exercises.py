"""What is committed is what the sources give, byte for byte, and a fresh machine may check it."""

import numpy as np
import pytest

from autograder.authoring.topic import load_tasks
from autograder.cpu_features import supports_pinned_kernels
from autograder.release import variant as generate
from autograder.sandbox.fork_server_client import ForkServerClient
from tests.conftest import ROOT


def topics():
    return sorted(path.parent.name for path in (ROOT / "solutions").glob("*/notebook.md"))


@pytest.fixture(scope="module")
def nursery():
    with ForkServerClient(trusted=True) as warm:
        yield warm


@pytest.fixture(scope="module", params=topics())
def variant(request, course, nursery):
    return generate.make_variant(course, request.param, course.public_seed, "any secret word", nursery)


@pytest.mark.skipif(
    not supports_pinned_kernels(), reason="the last digits of a key may differ on this kind of processor"
)
def test_the_committed_exercises_are_fresh(variant, course):
    committed = course.exercises / variant.topic
    files = {**variant.student_files(), f"{variant.topic}.certificate.json": variant.certificate_text()}
    assert sorted(path.name for path in committed.iterdir()) == sorted(files)
    for name, text in files.items():
        assert (committed / name).read_text("utf-8") == text, f"{name} is stale: run `make exercises`"


def test_the_public_files_hold_no_solution_and_no_secret_case(variant):
    text = "".join(variant.student_files().values())
    assert "BEGIN SOLUTION" not in text
    for name, task in variant.secret.tasks.items():
        if task.kind != "code":
            continue
        public = [all_digits(case.inputs) for case in variant.public.tasks[name].cases]
        assert not any(all_digits(case.inputs) in public for case in task.cases), name


def all_digits(inputs):
    """Spell inputs with every digit: numpy prints eight of them."""
    return str([value.tolist() if isinstance(value, np.ndarray) else value for value in inputs.values()])


def test_every_task_teaches(variant, course):
    """At least three classic mistakes, a sameness, points and time; hints do not repeat one another."""
    for name, task in load_tasks(course, variant.topic).items():
        assert len(task.misconceptions) >= 3, name
        hints = [wrong.hint for wrong in task.misconceptions]
        assert len(set(hints)) == len(hints), name
        assert task.points > 0
        assert task.minutes > 0


def test_a_chapter_has_every_kind_of_task(variant, course):
    """A small topic of a task or two may do with one."""
    kinds = [task.kind for task in load_tasks(course, variant.topic).values()]
    assert len(kinds) < 3 or set(kinds) == {"code", "hand", "sym"}

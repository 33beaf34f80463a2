"""A class's or student's numbers cannot be drawn again from what is handed out and a public clone."""

import json
import shutil
import zipfile

import pytest

from autograder.authoring.topic import load_tasks
from autograder.course.course import Course
from autograder.course.handout import read_handout
from autograder.errors import CourseError
from autograder.grading.grade import grade
from autograder.grading.workers import local_grading_pool
from autograder.release.distribute import distribute
from autograder.release.draw import draw_task
from autograder.release.origin import FROM_SECRET, FROM_SEED, derive
from autograder.release.regenerate import ReleaseRequest, check_release_allowed, regenerate
from autograder.release.workers import VariantJob
from tests import command
from tests.grading.own_variants import give, hand_in_own, hands, solved, students
from tests.grading.small_class import TOPIC

SEED = "spring"  # an ordinary word, which students can guess


@pytest.fixture(scope="module")
def released(tmp_path_factory):
    """A class with a seed of its own and two students' variants, handed out as archives; read only."""
    from tests.conftest import ROOT

    root = tmp_path_factory.mktemp("origin") / "course"
    shutil.copytree(ROOT / "tests" / "sample_course", root)
    course = Course(root)
    give(course, "ada", "bob", seed=SEED)
    distribute(course, TOPIC, "zips")
    return course


def public_clone(course, root):
    """The course as everybody can have it: without the classroom, hence with another secret."""
    shutil.copytree(course.root, root, ignore=shutil.ignore_patterns("classroom"))
    return Course(root)


def handed_out(course):
    """Every file that students get, by archive and name."""
    found = {}
    for path in sorted((course.paths.handed_out / TOPIC / "zips").glob("*.zip")):
        with zipfile.ZipFile(path) as packed:
            found |= {(path.stem, name): packed.read(name).decode() for name in packed.namelist()}
    return found


def inputs(key_text):
    """The inputs of every case of every task."""
    return {
        name: [case["inputs"] for case in task["cases"]]
        for name, task in json.loads(key_text)["tasks"].items()
    }


def keys(course):
    """The inputs in each public key that was handed out."""
    return [inputs(text) for (_, name), text in handed_out(course).items() if name.endswith(".key.json")]


def strings_in(tree):
    """Every string of a JSON tree: names, values, and each word of the texts."""
    if isinstance(tree, dict):
        for name, value in tree.items():
            yield name
            yield from strings_in(value)
    elif isinstance(tree, list):
        for value in tree:
            yield from strings_in(value)
    elif isinstance(tree, str):
        yield tree
        yield from tree.split()


def clues(course):
    """All strings that somebody with the files could try as a seed, the likely class seed among them."""
    texts = handed_out(course).values()
    return sorted(
        {SEED, *(clue for text in texts for clue in strings_in(json.loads(text)) if len(clue) <= 100)}
    )


def drawn(course, seed, secret, derivation):
    """The inputs of `total` as the draw gives them for a seed: real numbers, equal by no accident."""
    root = derive(secret, TOPIC, seed, derivation).root
    cases = draw_task(f"{TOPIC}.total", load_tasks(course, TOPIC)["total"], root, "").public.cases
    return tuple(tuple(case.inputs["x"].tolist()) for case in cases)


def totals(course):
    """The inputs of `total` in every key that was handed out."""
    from autograder.judging.key import load_key

    loaded = [load_key(text) for (_, name), text in handed_out(course).items() if name.endswith(".key.json")]
    return {tuple(tuple(case.inputs["x"].tolist()) for case in key.tasks["total"].cases) for key in loaded}


def test_no_string_in_the_files_draws_the_numbers_again(released, tmp_path):
    clone = public_clone(released, tmp_path / "clone")
    secret, targets = clone.secret(), totals(released)
    assert len(targets) == 3
    tried = clues(released)
    assert len(tried) > 100
    for clue in tried:
        for derivation in (FROM_SEED, FROM_SECRET):
            assert drawn(clone, clue, secret, derivation) not in targets, clue


def test_the_attack_succeeds_on_numbers_of_an_earlier_version(sample_course, tmp_path):
    give_as_before(sample_course, "ada")
    distribute(sample_course, TOPIC, "zips")
    clone = public_clone(sample_course, tmp_path / "clone")
    targets = totals(sample_course)
    assert {drawn(clone, clue, "", FROM_SEED) for clue in clues(sample_course)} >= targets


def test_regenerate_in_a_clone_gives_other_numbers(released, tmp_path):
    clone = public_clone(released, tmp_path / "clone")
    names = {
        json.loads(text)["metadata"]["dimred"]["seed"]
        for (_, name), text in handed_out(released).items()
        if name.endswith(".ipynb")
    }
    assert len(names) == 3
    for seed in (SEED, *sorted(names)):
        code, _, error = command.dimred(
            clone.root, "regenerate", "--seed", seed, "--answers", "--replace", TOPIC
        )
        assert code == 0, error
        made = inputs((clone.paths.release(TOPIC) / f"{TOPIC}.key.json").read_text("utf-8"))
        assert all(made["total"] != key["total"] for key in keys(released))


def test_own_variants_of_the_public_seed_need_the_secret(sample_course, tmp_path):
    """The class's numbers are then public; those of its students are not."""
    seed = sample_course.settings["public_seed"]
    clone = public_clone(sample_course, tmp_path / "clone")
    clone.paths.enter()
    clone.paths.secret_word.write_text("of somebody else\n", "ascii")
    for course in (sample_course, clone):
        give(course, "ada", "bob", seed=seed)
        distribute(course, TOPIC, "zips")
    assert len(totals(sample_course)) == 3
    assert len(totals(sample_course) & totals(clone)) == 1  # the class's
    secret = clone.secret()
    guesses = {drawn(clone, clue, secret, FROM_SEED) for clue in {*clues(sample_course), seed}}
    assert len(totals(sample_course) & guesses) == 1


def test_no_seed_and_no_secret_is_handed_out(released):
    record = read_handout(released, TOPIC).students
    hidden = {SEED, released.secret(), *(one["seed"] for one in record.values())}
    hidden |= {derive(released.secret(), TOPIC, seed, FROM_SECRET).root for seed in hidden}
    for place, text in handed_out(released).items():
        assert not [word for word in hidden if word in text], place


def test_same_secret_and_seed_give_the_same_bytes(released, tmp_path):
    other = public_clone(released, tmp_path / "other")
    other.paths.enter()
    shutil.copy(released.paths.secret_word, other.paths.secret_word)
    give(other, "ada", "bob", seed=SEED)
    distribute(other, TOPIC, "zips")
    assert handed_out(other) == handed_out(released)


def test_two_students_have_different_numbers(released):
    assert len(totals(released)) == 3


def test_public_numbers_need_no_secret(sample_course, tmp_path):
    clone = public_clone(sample_course, tmp_path / "clone")
    for course in (sample_course, clone):
        code, _, error = command.dimred(course.root, "regenerate", TOPIC)
        assert code == 0, error
    assert sample_course.secret() != clone.secret()
    files = [path.relative_to(clone.root) for path in clone.exercises.rglob("*") if path.is_file()]
    assert len(files) == 4  # notebook, key, certificate, and what they were made from
    for path in files:
        assert (clone.root / path).read_bytes() == (sample_course.root / path).read_bytes()


def give_as_before(course, *ids, seed="autumn"):
    """Release with the derivation of an earlier version, whose records do not name it."""
    from tests.grading.own_variants import with_known_secret

    with_known_secret(course)
    workers = AsBefore(hands(course))
    regenerate(course, TOPIC, ReleaseRequest(seed, students(*ids), True), workers, lambda: None)
    path = course.paths.keys(TOPIC) / "roster.json"
    if path.is_file():
        tree = json.loads(path.read_text("utf-8"))
        for record in tree["students"].values():
            del record["derivation"], record["variant"]
        path.write_text(json.dumps(tree), "utf-8")


class AsBefore:
    """Workers of an earlier version: every seed is its own root."""

    def __init__(self, workers):
        self.workers = workers

    def make(self, orders):
        old = [
            VariantJob(order.topic, order.seed, order.folder, order.answers, FROM_SEED) for order in orders
        ]
        yield from self.workers.make(old)


def test_a_running_term_keeps_numbers_of_an_earlier_version(sample_course):
    give_as_before(sample_course, "ada")
    distribute(sample_course, TOPIC, "zips")
    before = handed_out(sample_course)
    record = sample_course.paths.certificate(TOPIC).read_bytes()
    give(sample_course, "ada", "late", seed="autumn")
    distribute(sample_course, TOPIC, "zips")
    after = handed_out(sample_course)
    assert {place: text for place, text in after.items() if place[0] != "late"} == before
    assert sample_course.paths.certificate(TOPIC).read_bytes() == record
    assert read_handout(sample_course, TOPIC).students["late"]["derivation"] == FROM_SECRET
    for folder in ("ada", "late"):
        hand_in_own(sample_course, folder)
    with local_grading_pool(1) as examiners:
        assert {one.student: one.score for one in grade(sample_course, TOPIC, examiners)} == {
            "ada": 5.0,
            "late": 5.0,
        }


def test_replace_protects_numbers_of_an_earlier_version(sample_course):
    give_as_before(sample_course)
    assert "derivation" not in json.loads(sample_course.paths.certificate(TOPIC).read_text("utf-8"))
    code, out, _ = command.dimred(sample_course.root, "regenerate", "--seed", "autumn", TOPIC)
    assert code == 0
    assert "follow from the seed in the notebook alone; --replace draws" in out
    code, out, _ = command.dimred(sample_course.root, "regenerate", "--seed", "autumn", "--replace", TOPIC)
    assert code == 0
    assert "follow from the seed" not in out
    assert json.loads(sample_course.paths.certificate(TOPIC).read_text("utf-8"))["derivation"] == FROM_SECRET


def test_another_secret_is_refused_in_one_line(sample_course):
    give(sample_course, seed="autumn")
    distribute(sample_course, TOPIC, "zips")
    sample_course.paths.secret_word.write_text("another\n", "ascii")
    code, out, error = command.dimred(sample_course.root, "regenerate", "--seed", "autumn", TOPIC)
    assert (code, out) == (1, "")
    assert "released under another secret" in error
    assert len(error.splitlines()) == 1


def test_a_later_derivation_is_refused(sample_course):
    give(sample_course, seed="autumn")
    path = sample_course.paths.certificate(TOPIC)
    path.write_text(json.dumps({**json.loads(path.read_text("utf-8")), "derivation": 9}), "utf-8")
    with pytest.raises(CourseError, match="made by a later version"):
        check_release_allowed(sample_course, TOPIC, ReleaseRequest("autumn"))


def test_a_classmates_notebook_is_known_by_its_name(released, tmp_path):
    root = tmp_path / "course"
    shutil.copytree(released.root, root)
    course = Course(root)
    notebook = solved(course, "ada")
    notebook.metadata["dimred"]["seed"] = read_handout(course, TOPIC).students["bob"]["variant"]
    hand_in_own(course, "ada", notebook)
    with local_grading_pool(1) as examiners:
        (ada,) = grade(course, TOPIC, examiners)
    name = "carries the variant's name of the notebook of bob: judged by this student's own numbers"
    assert (ada.score, ada.remarks) == (5.0, [name])

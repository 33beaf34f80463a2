"""The same class on a real Dask scheduler with two workers, each in a process of its own."""

import json
import shutil
import signal
import subprocess
import sys
import time
from collections import Counter

import pytest

from autograder.cli import main
from autograder.course.course import Course
from autograder.errors import CourseError
from autograder.grading import cluster
from autograder.grading import gradebook as gradebooks
from autograder.grading.cluster import cluster_examiners
from autograder.grading.grade import grade
from autograder.grading.workers import local_examiners
from tests.grading.own_variants import give, hand_in_own, solved
from tests.grading.small_class import SLOW, TOPIC, WRONG, gradebook, hand_in, written_files

pytest.importorskip("distributed")


def start(folder, *arguments):
    """A Dask process that knows nothing of the course: another folder, nothing but this package."""
    return subprocess.Popen(
        [sys.executable, "-m", *arguments],
        cwd=folder,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
    )


class Cluster:
    """A scheduler and two workers; `kill` ends one of the workers as a power cut would."""

    def __init__(self, folder):
        self.folder, place = folder, folder / "scheduler.json"
        listen = ("--host", "127.0.0.1", "--port", "0", "--no-dashboard")
        self.scheduler = start(
            folder, "distributed.cli.dask_scheduler", *listen, "--scheduler-file", str(place)
        )
        deadline = time.monotonic() + 60
        while not place.is_file() and time.monotonic() < deadline:
            time.sleep(0.05)
        self.address = json.loads(place.read_text("utf-8"))["address"]
        self.workers = [self.add_worker() for _ in range(2)]

    def add_worker(self):
        options = ("--no-nanny", "--nworkers", "1", "--nthreads", "1", "--no-dashboard")
        return start(self.folder, "distributed.cli.dask_worker", self.address, *options)

    def kill(self):
        self.workers.pop().send_signal(signal.SIGKILL)

    def close(self):
        for process in (*self.workers, self.scheduler):
            process.kill()
            process.wait()


@pytest.fixture(scope="module")
def dask(tmp_path_factory):
    made = Cluster(tmp_path_factory.mktemp("dask"))
    try:
        wait_for_workers(made.address, 2)
        yield made
    finally:
        made.close()


def wait_for_workers(address, number):
    from distributed import Client

    with Client(address, timeout=60, set_as_default=False) as client:
        client.wait_for_workers(number, timeout=90)


def test_a_cluster_gives_the_same_gradebook_and_bytes_even_when_a_worker_dies(
    classroom, dask, tmp_path, monkeypatch
):
    hand_in(classroom, "ada")
    hand_in(classroom, "bob", total=WRONG)
    for number in range(5):
        hand_in(classroom, f"slow{number}", total=SLOW.format(seconds=1))
    here = Course(tmp_path / "here")
    shutil.copytree(classroom.root, here.root)
    with local_examiners(2) as examiners:
        grade(here, TOPIC, examiners)

    recorded = Counter()
    record = gradebooks.Recorder.record

    def counted(self, student, *others):
        recorded[student] += 1
        return record(self, student, *others)

    monkeypatch.setattr(gradebooks.Recorder, "record", counted)
    killed = []

    def after_each(outcome):
        if sum(recorded.values()) == 2 and not killed:
            killed.append(dask.kill())  # five are left and both workers are busy

    with cluster_examiners(dask.address) as examiners:
        assert "2 workers" in examiners.protections
        outcomes = grade(classroom, TOPIC, examiners, progress=after_each)
    assert killed
    assert all(one.graded for one in outcomes)
    assert recorded == dict.fromkeys([one.student for one in outcomes], 1), "each is written once"
    assert len(outcomes) == 7
    assert gradebook(classroom) == gradebook(here)
    assert written_files(classroom) == written_files(here)


def test_workers_judge_each_student_by_their_own_key(sample_course, dask):
    give(sample_course, "ada", "bob")
    hand_in_own(sample_course, "ada", solved(sample_course, "bob"))
    hand_in_own(sample_course, "bob")
    with cluster_examiners(dask.address) as examiners:
        ada, bob = grade(sample_course, TOPIC, examiners)
    assert (ada.score, bob.score) == (4.0, 5.0)
    assert "notebook of bob" in ada.remarks[0]


def test_the_command_line_takes_a_scheduler(classroom, dask, monkeypatch, capsys):
    hand_in(classroom, "ada")
    monkeypatch.chdir(classroom.root)
    assert main(["grade", "--scheduler", dask.address]) == 0
    said = capsys.readouterr()
    assert "workers; separate process" in said.err
    assert "1 submissions: 1 graded" in said.out


def test_a_scheduler_that_is_not_there_is_named(classroom, monkeypatch, capsys):
    monkeypatch.setattr(cluster, "CONNECT", 0.5)
    hand_in(classroom, "ada")
    monkeypatch.chdir(classroom.root)
    assert main(["grade", "--scheduler", "tcp://127.0.0.1:9"]) == 1
    assert "no scheduler answers at tcp://127.0.0.1:9" in capsys.readouterr().err


OURS = cluster.engine_digest()


@pytest.mark.parametrize(
    ("introductions", "complaint"),
    [
        ({}, "no workers"),
        ({"tcp://a": (OURS, "walls", ""), "tcp://b": ("older", "walls", "")}, "tcp://b has another version"),
        ({"tcp://a": (OURS, "", "this machine cannot enforce: no network")}, "tcp://a: this machine cannot"),
    ],
)
def test_workers_that_must_not_examine_are_refused_by_name(introductions, complaint):
    with pytest.raises(CourseError, match=complaint):
        cluster._agreed(introductions)


def test_a_worker_without_walls_says_so_and_examines_nothing(monkeypatch):
    class Bare:
        def __init__(self, *, allow_unsafe):
            raise cluster.UnsafeError("this machine cannot enforce: no network")

    monkeypatch.setattr(cluster, "Nursery", Bare)
    monkeypatch.setattr(cluster, "_nurseries", {})
    assert cluster.introduction(False) == (OURS, "", "this machine cannot enforce: no network")
    with pytest.raises(cluster.UnsafeError):
        cluster.examined(None, False)

"""The same class on a real Dask scheduler with two workers, each in a process of its own."""

import os
import shutil
import signal
import socket
import ssl
import subprocess
import sys
from collections import Counter

import pytest

from autograder.cli import main
from autograder.course.course import Course
from autograder.errors import CourseError
from autograder.grading import cluster
from autograder.grading import recorder as gradebooks
from autograder.grading.certificates import make_certificates
from autograder.grading.cluster import cluster_grading_pool
from autograder.grading.grade import grade
from autograder.grading.workers import local_grading_pool
from autograder.sandbox.fork_server_client import ForkServerClient
from autograder.sandbox.limits import Limits
from tests.grading.own_variants import give, hand_in_own, solved
from tests.grading.small_class import SLOW, TOPIC, WRONG, gradebook, hand_in, written_files
from tests.sandbox.machines import PYTHON, run_without_walls

pytest.importorskip("distributed")


def start(folder, *arguments):
    """A process of the cluster that knows nothing of the course: another folder, nothing but this package."""
    return subprocess.Popen(
        [sys.executable, "-m", "autograder", "cluster", *arguments],
        cwd=folder,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
    )


def free_port():
    with socket.socket() as listener:
        listener.bind(("127.0.0.1", 0))
        return listener.getsockname()[1]


class Cluster:
    """A scheduler and two workers; `kill` ends one of the workers as a power cut would."""

    def __init__(self, folder):
        self.folder, self.certificates, self.port = folder, folder / "certificates", free_port()
        make_certificates(self.certificates)
        self.address = f"tls://127.0.0.1:{self.port}"
        own = ("--certificates", str(self.certificates))
        place = ("--host", "127.0.0.1", "--port", str(self.port))
        self.scheduler = start(folder, "scheduler", *place, *own)
        self.workers = [start(folder, "worker", self.address, "--workers", "1", *own) for _ in range(2)]

    @property
    def security(self):
        return security(self.certificates, "client")

    def kill(self):
        self.workers.pop().send_signal(signal.SIGKILL)  # its nanny; the worker notices and ends

    def close(self):
        for process in (*self.workers, self.scheduler):
            process.kill()
            process.wait()


def security(folder, role):
    from distributed.security import Security

    return Security(
        tls_ca_file=str(folder / "ca.pem"),
        tls_client_cert=str(folder / f"{role}.pem"),
        tls_client_key=str(folder / f"{role}.key"),
        require_encryption=True,
    )


@pytest.fixture(scope="module")
def dask(tmp_path_factory):
    from distributed import Client

    cluster = Cluster(tmp_path_factory.mktemp("dask"))
    try:
        with Client(cluster.address, timeout=60, set_as_default=False, security=cluster.security) as client:
            client.wait_for_workers(2, timeout=120)
        yield cluster
    finally:
        cluster.close()


def test_a_cluster_gives_the_same_gradebook_and_bytes_even_when_a_worker_dies(
    classroom, dask, tmp_path, monkeypatch
):
    hand_in(classroom, "ada")
    hand_in(classroom, "bob", total=WRONG)
    for number in range(5):
        hand_in(classroom, f"slow{number}", total=SLOW.format(seconds=1))
    here = Course(tmp_path / "here")
    shutil.copytree(classroom.root, here.root)
    with local_grading_pool(2) as examiners:
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

    with cluster_grading_pool(dask.address, dask.certificates) as examiners:
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
    with cluster_grading_pool(dask.address, dask.certificates) as examiners:
        ada, bob = grade(sample_course, TOPIC, examiners)
    assert (ada.score, bob.score) == (4.0, 5.0)
    assert "notebook of bob" in ada.remarks[0]


def test_the_command_line_takes_a_scheduler(classroom, dask, monkeypatch, capsys):
    hand_in(classroom, "ada")
    monkeypatch.chdir(classroom.root)
    shutil.copytree(dask.certificates, classroom.paths.cluster)
    assert main(["grade", "--scheduler", dask.address]) == 0
    said = capsys.readouterr()
    assert "workers; separate process" in said.err
    assert "1 submissions: 1 graded" in said.out


def test_a_scheduler_that_is_not_there_is_named(classroom, monkeypatch, capsys):
    monkeypatch.setattr(cluster, "CONNECT_TIMEOUT_SECONDS", 0.5)
    hand_in(classroom, "ada")
    monkeypatch.chdir(classroom.root)
    make_certificates(classroom.paths.cluster)
    assert main(["grade", "--scheduler", "tls://127.0.0.1:9"]) == 1
    assert "no scheduler answers at tls://127.0.0.1:9" in capsys.readouterr().err


def test_an_address_without_certificates_is_refused(classroom, monkeypatch, capsys):
    hand_in(classroom, "ada")
    monkeypatch.chdir(classroom.root)
    assert main(["grade", "--scheduler", "tcp://127.0.0.1:8786"]) == 1
    assert "`dimred cluster certificates`" in capsys.readouterr().err
    assert main(["grade", "--scheduler", "tls://127.0.0.1:8786"]) == 1
    assert "cluster/ca.pem is missing: run `dimred cluster certificates" in capsys.readouterr().err


def test_private_keys_are_readable_by_their_owner_alone(tmp_path):
    folder = tmp_path / "certificates"
    assert main(["cluster", "certificates", str(folder)]) == 0
    assert folder.stat().st_mode & 0o777 == 0o700
    assert {path.name: path.stat().st_mode & 0o077 for path in folder.iterdir()} == dict.fromkeys(
        [
            "ca.pem",
            *(f"{role}.{end}" for role in ("scheduler", "worker", "client") for end in ("pem", "key")),
        ],
        0,
    )
    assert main(["cluster", "certificates", str(folder)]) == 1, "a running cluster keeps its certificates"


def connected(address, *, seconds=3, **options):
    """Does the scheduler speak to such a client?"""
    from distributed import Client

    try:
        with Client(address, timeout=seconds, set_as_default=False, **options) as client:
            client.run_on_scheduler(os.getuid)
    except (OSError, RuntimeError, TimeoutError, TypeError):
        return False
    return True


def test_only_certificates_of_the_cluster_open_it(dask, tmp_path):
    from distributed.security import Security

    make_certificates(tmp_path / "other")
    plain = dask.address.replace("tls://", "tcp://")
    mixed = Security(
        require_encryption=True,
        tls_ca_file=str(dask.certificates / "ca.pem"),
        tls_client_cert=str(tmp_path / "other" / "client.pem"),
        tls_client_key=str(tmp_path / "other" / "client.key"),
    )
    assert connected(dask.address, seconds=60, security=dask.security)
    assert not connected(plain)
    assert not connected(dask.address, security=Security(require_encryption=False))
    assert not connected(dask.address, security=security(tmp_path / "other", "client"))
    assert not connected(dask.address, security=mixed)
    assert connected(dask.address, seconds=60, security=dask.security), "still there afterwards"


def test_the_cluster_gives_no_bytes_to_strangers(dask):
    """Tried on every port that its processes listen on, in plain TCP and by TLS without a certificate."""
    ports = listening(dask.scheduler.pid) | {port for one in dask.workers for port in listening(one.pid)}
    assert dask.port in ports
    assert len(ports) >= 3
    context = ssl.create_default_context(cafile=str(dask.certificates / "ca.pem"))
    context.check_hostname = False
    for port in ports:
        assert answer(port, lambda stranger: stranger) in (b"", NO_PAGE), port
        assert answer(port, context.wrap_socket) == b"", port


NO_PAGE = b"HTTP/1.1 404 Not Found"


def answer(port, wrap):
    """The first line that a stranger gets."""
    try:
        with wrap(socket.create_connection(("127.0.0.1", port), timeout=3)) as stranger:
            stranger.sendall(b"GET /info/main/workers.html HTTP/1.1\r\nHost: localhost\r\n\r\n")
            return stranger.recv(4096).partition(b"\r\n")[0]
    except OSError:
        return b""


def listening(process):
    """The TCP ports on which a process and its children listen."""
    import psutil

    family = [psutil.Process(process), *psutil.Process(process).children(recursive=True)]
    return {
        one.laddr.port for member in family for one in member.net_connections("tcp") if one.status == "LISTEN"
    }


def test_a_students_program_cannot_reach_the_cluster(dask):
    code = f"""
import socket
try:
    socket.create_connection(("127.0.0.1", {dask.port}), timeout=3)
    print("connected")
except OSError as error:
    print(type(error).__name__)
"""
    with ForkServerClient() as nursery, nursery.start({}, Limits()) as process:
        assert "connected" not in process.run(code)[0].get("text", "")
        seen = process.run(f"import os; print(os.path.exists({str(dask.certificates)!r}))")
        assert seen[0]["text"] == "False\n"


@pytest.mark.skipif(os.getuid() != 0, reason="only root can give up the right to mount")
def test_a_worker_of_root_without_walls_does_not_start(dask):
    own = ("--certificates", str(dask.certificates))
    run = run_without_walls([PYTHON, "-m", "autograder", "cluster", "worker", dask.address, *own])
    assert run.returncode == 1
    assert "cannot enforce: private file system" in run.stderr


OURS = cluster.scoring_digest()


@pytest.mark.parametrize(
    ("introductions", "complaint"),
    [
        ({}, "no workers"),
        ({"tcp://a": (OURS, "walls", "")}, "tcp://a accepts every connection"),
        ({"tls://a": (OURS, "walls", ""), "tls://b": ("older", "walls", "")}, "tls://b has another version"),
        ({"tls://a": (OURS, "", "this machine cannot enforce: no network")}, "tls://a: this machine cannot"),
    ],
)
def test_workers_that_must_not_examine_are_refused_by_name(introductions, complaint):
    with pytest.raises(CourseError, match=complaint):
        cluster._check_workers(introductions)


def test_a_worker_without_walls_says_so_and_examines_nothing(monkeypatch):
    class Bare:
        def __init__(self, *, allow_unsafe):
            raise cluster.UnsafeError("this machine cannot enforce: no network")

    monkeypatch.setattr(cluster, "ForkServerClient", Bare)
    monkeypatch.setattr(cluster, "_fork_servers", {})
    assert cluster.introduction(False) == (OURS, "", "this machine cannot enforce: no network")
    with pytest.raises(cluster.UnsafeError):
        cluster.grade_on_worker(None, False)

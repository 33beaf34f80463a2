"""A term's week under a real JupyterHub with the settings of hub/: a teacher and two students, each their own account.

Everything that a person does goes through the hub: the form to log in, the lists of assignments, cells in a kernel,
formgrader's buttons. Nothing is read from disk that the person could not read.
"""

import contextlib
import json
import os
import pwd
import re
import secrets
import shutil
import subprocess
import tempfile
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import httpx
import nbformat
import pytest

from autograder.book.live.cache import build_once, digest_of
from autograder.book.serve import free_port
from autograder.course.course import Course
from autograder.demo import filled_in
from tests.conftest import ROOT
from tests.exchange.people import group, needs_accounts, people, python_for_everyone
from tests.grading.small_class import WRONG
from tests.hub.visitor import Visitor

COURSE_ID = f"squares{secrets.token_hex(3)}"
HUB = ROOT / "hub"


@pytest.fixture(scope="module")
def place():
    """A folder that every account can reach."""
    folder = Path(tempfile.mkdtemp(prefix="hub"))
    folder.chmod(0o755)
    yield folder
    shutil.rmtree(folder)


def put_proxy_into(folder):
    """The proxy that the lock names, fetched once for all runs."""
    if not (shutil.which("node") and shutil.which("npm")):
        pytest.skip("the hub's proxy needs node and npm: apt-get install nodejs npm")

    def fetch(made):
        for name in ("package.json", "package-lock.json"):
            shutil.copy(HUB / name, made)
        done = subprocess.run(
            ["npm", "ci", "--no-audit", "--no-fund", "--fetch-retries=1"],
            cwd=made,
            capture_output=True,
            text=True,
            check=False,
        )
        if done.returncode:
            pytest.skip(f"npm could not fetch the hub's proxy: {done.stderr.strip()[-200:]}")

    kept = build_once(f"hub-{digest_of([(HUB / 'package-lock.json').read_bytes()])}", fetch)
    shutil.copytree(kept / "node_modules", folder / "node_modules", symlinks=True)


def make_course(place, teacher):
    """The tiny course in the teacher's hands, set up as book/instructor_hub.md says."""
    root, exchange = place / "course", place / "exchange"
    shutil.copytree(ROOT / "tests" / "sample_course", root)
    shutil.copy(ROOT / "nbgrader_config.py", root)
    exchange.mkdir()
    exchange.chmod(0o1777)
    settings = root / "course.toml"
    lines = {"public_seed": "one", "book_url": "https://example.org"}
    lines |= {"course_id": COURSE_ID, "exchange": exchange}
    settings.write_text("".join(f'{name} = "{value}"\n' for name, value in lines.items()))
    teacher.owns(root)
    return Course(root)


@contextlib.contextmanager
def running_hub(place, python, course):
    """The hub with the settings of this repository as they are, on free ports; yields its address."""
    folder = place / "hub"
    shutil.copytree(HUB, folder, ignore=shutil.ignore_patterns("node_modules", "state"))
    put_proxy_into(folder)
    ports = [free_port(start) for start in (8700, 8750, 8800)]
    address = f"http://127.0.0.1:{ports[0]}"
    command = [
        *(python, "-m", "jupyterhub", "--config", folder / "jupyterhub_config.py"),
        f"--JupyterHub.bind_url={address}",
        f"--JupyterHub.hub_bind_url=http://127.0.0.1:{ports[1]}",
        f"--ConfigurableHTTPProxy.api_url=http://127.0.0.1:{ports[2]}",
    ]
    with (place / "log").open("w+") as log:
        with subprocess.Popen(
            command,
            cwd=folder,
            env={"PATH": os.environ["PATH"], "LC_ALL": "C.UTF-8", "DIMRED_COURSE": str(course.root)},
            stdout=log,
            stderr=log,
        ) as hub:
            try:
                wait_for(f"{address}/hub/health", hub, place / "log")
                yield address
            finally:
                hub.terminate()  # it ends the proxy and everyone's servers


def wait_for(address, hub, log, seconds=60):
    for _ in range(seconds * 4):
        with contextlib.suppress(httpx.TransportError):
            if httpx.get(address).status_code == 200:
                return
        assert hub.poll() is None, log.read_text()
        with contextlib.suppress(subprocess.TimeoutExpired):
            hub.wait(0.25)
    raise AssertionError(f"the hub did not start\n{log.read_text()}")


@pytest.fixture(scope="module")
def class_at_hub(place):
    """The course, its teacher and two students, all logged in, each with a server of their own."""
    python = python_for_everyone(place / "python")
    with people(python, "teacher", "ada", "bob") as made, group(COURSE_ID, made[1:]):
        course = make_course(place, made[0])
        with running_hub(place, python, course) as address:
            visitors = [Visitor(address, one, one.password()) for one in made]
            with ThreadPoolExecutor() as side_by_side:
                list(side_by_side.map(Visitor.start, visitors))
            yield course, *visitors
            for one in visitors:
                one.leave()


def listed(student):
    """The assignments that the student's list in JupyterLab shows."""
    answer = student.ask("GET", "assignments", params={"course_id": COURSE_ID})
    assert answer["success"], answer["value"]
    return answer["value"]


def act(student, action):
    """A click in the student's list of assignments."""
    form = {"course_id": COURSE_ID, "assignment_id": "squares"}
    answer = student.ask("POST", f"assignments/{action}", data=form)
    assert answer["success"], answer["value"]
    return answer["value"]


def click(teacher, action):
    """A click on a button of formgrader's list of assignments."""
    answer = teacher.ask("POST", f"formgrader/api/assignment/squares/{action}")
    assert answer["success"], answer


def work(student, solved):
    """Write answers into the fetched notebook and run it, cell by cell; returns what the checks say."""
    path = "api/contents/squares/squares.ipynb"
    fetched = nbformat.from_dict(student.ask("GET", path)["content"])
    written = filled_in(fetched, *solved)
    student.ask("PUT", path, json={"type": "notebook", "content": json.loads(nbformat.writes(written))})
    student.types("%cd squares")
    return "".join(student.types(cell.source) for cell in written.cells if cell.cell_type == "code")


def refused(visitor, path):
    """Does this person's own code get no look at a file?"""
    return "PermissionError" in visitor.types(
        f"try:\n    print(open({str(path)!r}).read())\nexcept OSError as error:\n    print(repr(error))"
    )


@needs_accounts
def test_fetch_check_submit_collect_grade_and_feedback_under_jupyterhub(class_at_hub):
    course, teacher, ada, bob = class_at_hub
    # A terminal starts in the course's folder and knows the commands; a student's knows them, too.
    said = teacher.types_in_terminal("pwd; dimred regenerate --seed spring")
    assert str(course.root) in said.splitlines()
    assert "certified" in said
    assert "not found" not in said + ada.types_in_terminal("dimred --version")
    click(teacher, "release")
    source = nbformat.read(course.paths.source_notebook("squares"), as_version=4)
    wrong = {ada: {}, bob: {"total": WRONG}}
    for student, answers in wrong.items():
        assert [one["status"] for one in listed(student)] == ["released"]
        act(student, "fetch")
        said = work(student, (source, answers))
        assert ("Nothing was squared." in said) == bool(answers)
        assert "PASSED" in said
        act(student, "submit")
    click(teacher, "collect")
    said = teacher.types("!dimred grade squares; dimred feedback squares")
    assert "2 submissions: 2 graded" in said
    submissions = teacher.ask("GET", "formgrader/api/submissions/squares")
    scores = {one["student"]: one["autograded"] and one["score"] for one in submissions}
    assert scores == {ada.name: 5, bob.name: 3.5}
    click(teacher, "release_feedback")
    for student, answers in wrong.items():
        act(student, "fetch_feedback")
        (folder,) = student.ask("GET", "api/contents/squares/feedback")["content"]
        page = student.ask("GET", f"files/{folder['path']}/squares.html")
        assert student.name in page
        assert ("Nothing was squared." in page) == bool(answers)
    # What the teacher and a classmate have stays theirs; a student's server has no formgrader.
    assert refused(ada, course.paths.secret_key("squares"))
    assert refused(ada, f"/home/{bob.name}/squares/squares.ipynb")
    assert ada.server.get("formgrader/api/assignments").status_code == 404
    # Nobody's page may be put into a frame, so JupyterLab's menu does not offer formgrader, which would be one.
    page = teacher.server.get("formgrader/", follow_redirects=True)
    assert "frame-ancestors 'none'" in page.headers["content-security-policy"]
    lab = teacher.server.get("lab").text
    settings = json.loads(re.search(r'id="jupyter-config-data"[^>]*>(.*?)</script>', lab, re.DOTALL)[1])
    assert "@jupyter/nbgrader:formgrader" in settings["disabledExtensions"]


# Run in a kernel of the hostile student: ports of the hub, the teacher and a classmate are asked for what is theirs.
ASK_EVERY_PORT = """
import json, urllib.error, urllib.request
ports, answers = set(), {{}}
for table in ("/proc/net/tcp", "/proc/net/tcp6"):
    for line in open(table).read().splitlines()[1:]:
        fields = line.split()
        port = int(fields[1].rpartition(":")[2], 16)
        if fields[3] == "0A" and (int(fields[7]) in {uids!r} or 8700 <= port < 8900):
            ports.add(port)
for port in sorted(ports):
    for path in {paths!r}:
        try:
            answer = urllib.request.urlopen(f"http://127.0.0.1:{{port}}{{path}}", timeout=2)
            answers[f"{{port}}{{path}}"] = [answer.status, answer.url, answer.read().decode("utf-8", "replace")[:2000]]
        except urllib.error.HTTPError as error:
            answers[f"{{port}}{{path}}"] = [error.code, "", ""]
        except (OSError, ValueError, __import__("http").client.HTTPException):
            break  # a port that does not speak HTTP, such as a kernel's
print(json.dumps(answers))
"""
READ_WHAT_RUNS = """
import os
shown = ""
for pid in filter(str.isdigit, os.listdir("/proc")):
    for name in ("environ", "cmdline"):
        try:
            if os.stat(f"/proc/{pid}").st_uid != os.getuid():
                shown += open(f"/proc/{pid}/{name}", errors="replace").read()
        except OSError:
            pass
print("TOKEN" in shown, "token=" in shown.lower())
"""


@needs_accounts
def test_a_hostile_student_reaches_nobody_elses_server(class_at_hub):
    _, teacher, ada, bob = class_at_hub
    for other in (bob, teacher):
        for path in ("api/contents", "api/kernels", "formgrader/api/assignments", "assignments"):
            assert ada.server.get(f"{ada.hub}/user/{other.name}/{path}").status_code in (403, 404)
        for path in (f"users/{other.name}", f"users/{other.name}/server", f"users/{other.name}/tokens"):
            assert ada.server.post(f"{ada.hub}/hub/api/{path}").status_code in (403, 404, 405)
    for path in ("users", "proxy", "groups", "services"):
        assert ada.server.get(f"{ada.hub}/hub/api/{path}").status_code == 403


@needs_accounts
def test_no_open_port_lets_a_student_in(class_at_hub):
    """Neither the servers of others, which listen on this machine, nor the proxy's own door."""
    _, teacher, ada, bob = class_at_hub
    paths = ["/api/routes", *(f"/user/{name}/api/contents" for name in (bob.name, teacher.name))]
    uids = [pwd.getpwnam(other.name).pw_uid for other in (bob, teacher)]
    answers = json.loads(ada.types(ASK_EVERY_PORT.format(paths=paths, uids=uids)).strip())
    refused = [code for code, *_ in answers.values() if code in (403, 404)]
    assert len(refused) >= 3, answers  # the proxy, its door and the servers were met
    for address, (code, url, text) in answers.items():
        assert code in (403, 404, 405, 502, 503) or "/hub/login" in url or '"content"' not in text, address
        assert f"/user/{bob.name}" not in text or "/hub/login" in url, address
    assert ada.types(READ_WHAT_RUNS).split() == ["False", "False"]


@needs_accounts
def test_a_student_can_neither_list_nor_change_the_exchange(class_at_hub):
    course, _, ada, _ = class_at_hub
    shared = course.exchange / COURSE_ID
    tries = f"""
import os
for action in (
    lambda: os.listdir({str(shared / "inbound")!r}),
    lambda: open({str(shared / "outbound" / "squares" / "squares.ipynb")!r}, "a"),
    lambda: os.rename({str(shared / "outbound")!r}, {str(shared / "gone")!r}),
    lambda: os.rename({str(shared)!r}, {str(shared) + "x"!r}),
    lambda: os.listdir({str(course.root)!r}),
):
    try:
        print("DONE", action())
    except OSError as error:
        print(type(error).__name__)
"""
    assert ada.types(tries).split() == ["PermissionError"] * 5

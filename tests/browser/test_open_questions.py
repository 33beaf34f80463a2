"""The page of open questions in a real browser: 180 answers by keyboard alone, two graders at once, attacks."""

import contextlib
import http.client
import json
import re
import shutil
import subprocess
import sys
from urllib.parse import urlsplit

import pytest
from playwright.sync_api import expect

from autograder.course.course import Course
from autograder.grading import audit
from autograder.grading.gradebook import scores
from tests.browser.accessibility import AXE, VIOLATIONS
from tests.grading.small_class import TOPIC
from tests.open_questions.large_class import N_STUDENTS, add_class, answers_of_class

VIEW = {"width": 1280, "height": 800}
HOSTILE = "<img src=x onerror='document.title=1'><script>document.title=1</script> [x](javascript:alert(1))"


@pytest.fixture(scope="module")
def large_class(tmp_path_factory, released_course):
    root = tmp_path_factory.mktemp("large") / "class"
    shutil.copytree(released_course.root, root)
    course = Course(root)
    add_class(course, answers_of_class())
    return course


@contextlib.contextmanager
def served(course, *options):
    """Start the verb as a person does; yield the graders' addresses by name."""
    command = [sys.executable, "-m", "autograder", "open-questions", TOPIC, "--port", "8650", *options]
    process = subprocess.Popen(command, cwd=course.root, stdout=subprocess.PIPE, text=True)
    addresses = {}
    try:
        for line in process.stdout:
            if line.startswith("Ctrl-C"):
                break
            name, _, address = line.strip().partition(": ")
            addresses[name] = address
        yield addresses
    finally:
        process.terminate()
        process.wait()


def violations(page):
    """What axe finds; its program comes by the debugger, because the page allows no script but its own."""
    page.evaluate(AXE.read_text("utf-8"))
    return page.evaluate(VIOLATIONS, True)


def waiting(page):
    """How many groups are still to be decided, when the page has settled."""
    expect(page.locator("#counts")).to_contain_text("to decide")
    return int(page.locator("#counts").inner_text().split(" read, ")[1].split()[0])


def saved(page, before):
    expect(page.locator("#counts")).not_to_have_text(re.compile(f" {before} groups? to decide$"))


def test_180_answers_need_30_decisions_by_keyboard_and_no_scrolling(large_class, chromium, capsys):
    with served(large_class, "--anonymous", "--grader", "Tina") as addresses:
        context = chromium.new_context(viewport=VIEW)
        page = context.new_page()
        errors = []
        page.on("pageerror", lambda error: errors.append(str(error)))
        page.on("console", lambda said: errors.append(said.text) if said.type == "error" else None)
        page.goto(addresses["Tina"])
        presses = n_decisions = 0
        while before := waiting(page):
            assert page.evaluate("document.documentElement.scrollHeight <= innerHeight")
            for part in ("left", "right"):
                assert page.evaluate(
                    f"(e => e.scrollHeight <= e.clientHeight)(document.getElementById('{part}'))"
                )
            keys = (
                "0"
                if "blank" in page.locator("#answer").get_attribute("class")
                else "f22"
                if n_decisions % 3
                else "f"
            )
            for key in [*keys, "Enter"]:
                page.keyboard.press(key)
                presses += 1
            n_decisions += 1
            saved(page, before)
            assert n_decisions <= 40
        expect(page.locator("body")).to_have_attribute("data-pending", "0", timeout=400_000)
        assert "student0" not in page.content()
        assert violations(page) == []
        assert errors == []
        context.close()
    everybody = scores(large_class, TOPIC)
    assert len(everybody) == N_STUDENTS
    assert not any(score["needs_manual_grade"] for score in everybody.values())
    assert n_decisions <= 30
    assert presses <= 4 * n_decisions
    lines = [entry for entry in audit.log_entries(large_class, TOPIC) if "Tina" in entry["cause"]]
    assert len(lines) == N_STUDENTS
    with capsys.disabled():
        print(f"\n{N_STUDENTS} answers: {n_decisions} decisions, {presses} key presses")


def test_second_grader_is_told_and_loses_nothing(classroom, chromium):
    add_class(classroom, {"ada": "It is so.", "bob": "it is so", "cyd": HOSTILE})
    with served(classroom, "--grader", "Tina", "--grader", "Tom") as addresses:
        pages = {name: chromium.new_context(viewport=VIEW).new_page() for name in ("Tina", "Tom")}
        for name, page in pages.items():
            page.goto(addresses[name])
            assert waiting(page) == 2
        pages["Tina"].keyboard.press("f")
        pages["Tina"].keyboard.press("Enter")
        expect(pages["Tina"].locator("body")).to_have_attribute("data-pending", "0", timeout=120_000)
        pages["Tom"].keyboard.press("0")
        pages["Tom"].keyboard.press("Enter")
        expect(pages["Tom"].locator("#message")).to_contain_text("nothing was written", timeout=120_000)
        assert waiting(pages["Tom"]) == 1
        pages["Tom"].keyboard.press("c")  # the other group, with a comment of one's own
        pages["Tom"].keyboard.type("A page is no answer.")
        pages["Tom"].keyboard.press("Escape")
        pages["Tom"].keyboard.press("0")
        pages["Tom"].keyboard.press("Enter")
        saved(pages["Tom"], 1)
        expect(pages["Tom"].locator("body")).to_have_attribute("data-pending", "0", timeout=120_000)
        assert [page.title() for page in pages.values()] == ["Open questions"] * 2  # HOSTILE did not run
        for page in pages.values():
            page.context.close()
    points = {student: score["scores"]["why"] for student, score in scores(classroom, TOPIC).items()}
    assert points == {"ada": 3.0, "bob": 3.0, "cyd": 0.0}
    causes = {
        entry["student"]: entry["cause"]
        for entry in audit.log_entries(classroom, TOPIC)
        if entry["cell"] == "why"
    }
    assert causes["ada"].endswith("Tina")
    assert causes["cyd"].endswith("Tom")


def test_requests_without_word_name_or_origin_are_refused(classroom):
    add_class(classroom, {"ada": "It is so."})
    with served(classroom, "--grader", "Tina") as addresses:
        url = urlsplit(addresses["Tina"])
        body = json.dumps({"question": "why", "items": [2, 1], "versions": {}})
        good = {"Host": url.netloc, "Origin": f"http://{url.netloc}", "Content-Type": "application/json"}

        def ask(method, path, **headers):
            connection = http.client.HTTPConnection(url.hostname, url.port)
            connection.request(method, path, body if method == "POST" else None, {**good, **headers})
            reply = connection.getresponse()
            reply.read()
            return reply

        assert ask("GET", url.path).status == 200
        assert "script-src 'self'" in ask("GET", url.path).headers["Content-Security-Policy"]
        assert ask("GET", f"{url.path}state").status == 200
        assert ask("GET", "/another-word/state").status == 404
        assert ask("GET", f"{url.path}state", Host="evil.example:80").status == 421
        assert ask("POST", f"{url.path}decide", Origin="http://evil.example").status == 403
        assert ask("POST", f"{url.path}decide", **{"Content-Type": "text/plain"}).status == 403
        assert ask("GET", "/mathjax/../../../../../../etc/passwd").status in (403, 404)

"""The local server gives away the book, reports and feedback, and nothing else: asked by raw requests."""

import asyncio
import re
import socket
import threading

import pytest
from tornado.httpserver import HTTPServer

from autograder.book.serve import BOOK_POLICY, FOR_INSTRUCTORS, HOST, site
from autograder.course.course import Course

SECRET = b"the secret of the course"
WORD = "drawn-at-the-start"


@pytest.fixture(scope="module")
def course(tmp_path_factory):
    """A course whose classroom holds secrets beside the two folders that may be shown."""
    root = tmp_path_factory.mktemp("served")
    room = root / "classroom"
    for path, text in {
        root / "pyproject.toml": b"# " + SECRET,
        root / "_build/html/index.html": b"the book",
        root / "_build/html/book/areas.html": b"areas",
        root / "_build/html/_static/a b.css": b"style",
        root / "_build/page_digests.json": SECRET,
        room / "course.secret": SECRET,
        room / "gradebook.db": SECRET,
        room / "keys/areas.secret.json": SECRET,
        room / "report/areas.html": b"the report",
        room / "feedback/ada/areas/areas.html": b"the feedback",
        room / "report-of-last-year/areas.html": SECRET,
    }.items():
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(text)
    (room / "report/link.html").symlink_to(room / "course.secret")
    (room / "report/folder").symlink_to(room / "keys")
    (room / "feedback/ada/inside.html").symlink_to(room / "feedback/ada/areas/areas.html")
    (root / "_build/html/up").symlink_to(root)
    return Course(root)


@pytest.fixture(scope="module")
def port(course):
    """The server, in a thread of its own."""
    loop, started = asyncio.new_event_loop(), threading.Event()
    found = []

    async def start():
        server = HTTPServer(site(course, WORD))
        probe = socket.create_server((HOST, 0))
        found.append(probe.getsockname()[1])
        probe.setblocking(False)
        server.add_sockets([probe])
        started.set()

    def run():
        asyncio.set_event_loop(loop)
        loop.create_task(start())
        loop.run_forever()

    thread = threading.Thread(target=run, daemon=True)
    thread.start()
    assert started.wait(10)
    yield found[0]
    loop.call_soon_threadsafe(loop.stop)
    thread.join(10)


def test_a_refused_path_does_not_reach_the_terminal(port, capfd, caplog):
    """Any site can make a browser ask for any name, with codes that a terminal obeys."""
    assert ask(port, "/..%2f%1b]0;obey%07")[0] == 403
    assert (capfd.readouterr().err, caplog.text) == ("", "")


def ask(port, target, *, method="GET", host=None, version="HTTP/1.1"):
    """Send a request as it is written here, but for the word, and return (status, everything that came back)."""
    target = re.sub(r"^/(report|feedback)\b", rf"/{WORD}/\1", target)
    name = f"Host: {host or f'127.0.0.1:{port}'}\r\n" if host != "" else ""
    with socket.create_connection((HOST, port), timeout=60) as connection:
        connection.sendall(
            f"{method} {target} {version}\r\n{name}Connection: close\r\n\r\n".encode("latin-1")
        )
        answer = b""
        while part := connection.recv(65536):
            answer += part
    return int(answer.split()[1]) if answer else 0, answer


@pytest.mark.parametrize(
    ("target", "text"),
    [
        ("/", b"the book"),
        ("/index.html", b"the book"),
        ("/book/areas.html?q=1", b"areas"),
        ("/_static/a%20b.css", b"style"),
        ("/report/areas.html", b"the report"),
        ("/feedback/ada/areas/areas.html", b"the feedback"),
        ("/feedback/ada/inside.html", b"the feedback"),
    ],
)
def test_what_is_meant_to_be_read_is_served(port, target, text):
    status, answer = ask(port, target)
    assert status == 200
    assert answer.endswith(text)


def headers(answer):
    """The headers of an answer, by name in small letters."""
    lines = answer.partition(b"\r\n\r\n")[0].decode("latin-1").split("\r\n")[1:]
    return {name.lower(): value.strip() for name, _, value in (line.partition(":") for line in lines)}


@pytest.mark.parametrize(
    "page", ["/report/areas.html", "/feedback/ada/areas/areas.html", "/report/areas.html?v=1"]
)
def test_no_cache_keeps_a_report_or_feedback(port, page):
    told = headers(ask(port, page)[1])
    assert told["cache-control"] == "no-store"
    assert "expires" not in told


def test_a_report_may_ask_for_nothing(port):
    policy = headers(ask(port, "/report/areas.html")[1])["content-security-policy"]
    assert "default-src 'none'" in policy
    assert "connect-src" not in policy


def test_pages_of_the_book_ask_this_server_only(port):
    for target in ("/", "/book/areas.html", "/no-such-page.html"):
        policy = headers(ask(port, target)[1])["content-security-policy"]
        assert policy == BOOK_POLICY
    words = {word.rstrip(";") for word in BOOK_POLICY.split()}
    assert not [word for word in words if "*" in word or "//" in word]
    assert "no-store" not in headers(ask(port, "/")[1]).get("cache-control", "")


UP = ["..", "%2e%2e", "%2E%2E", ".%2e", "..%00", "..%5c", "..\\", "%252e%252e", "..;", "%c0%ae%c0%ae"]
GOALS = ["course.secret", "gradebook.db", "keys/areas.secret.json", "report-of-last-year/areas.html"]
ESCAPES = [
    *(
        f"/{room}/{up}{slash}{goal}"
        for room in FOR_INSTRUCTORS
        for up in UP
        for slash in ("/", "%2f")
        for goal in GOALS
    ),
    *(f"/report/{up}/feedback/{up}/{goal}" for up in UP for goal in GOALS),
    *(f"/{up}/{up}/classroom/{goal}" for up in UP for goal in GOALS),
    *(f"/{up}%2f{up}%2fclassroom%2f{goal}" for up in UP for goal in GOALS),
    *(
        "/../page_digests.json",
        "/..%2fpage_digests.json",
        "/book/../../page_digests.json",
        "/../../pyproject.toml",
    ),
    *(
        "/report/link.html",
        "/report/folder/areas.secret.json",
        "/up/pyproject.toml",
        "/up/classroom/course.secret",
    ),
    *("//classroom/course.secret", "/classroom/course.secret", "/report-of-last-year/areas.html"),
    *(
        "/report//etc/passwd",
        "/report/%2fetc%2fpasswd",
        "//etc/passwd",
        "/%2fetc%2fpasswd",
        "/file:///etc/passwd",
    ),
    *("/report/areas.html%00", "/report/%00", "/%00", "/report/\0areas.html"),
]


@pytest.mark.parametrize("target", ESCAPES)
def test_nothing_else_is_reached_however_it_is_written(port, target):
    status, answer = ask(port, target)
    assert status in (0, 400, 403, 404), answer
    assert SECRET not in answer
    assert b"root:" not in answer
    assert b"Traceback" not in answer


@pytest.mark.parametrize(
    "target", ["/report/", "/report", "/feedback/", "/feedback/ada/", "/book/", "/_static/"]
)
def test_folders_are_not_listed(port, target):
    status, answer = ask(port, target)
    assert status in (301, 403, 404)
    assert not any(name in answer for name in (b"ada", b"areas", b"a b.css"))


@pytest.mark.parametrize(
    "host", ["evil.example", "evil.example:8000", "127.0.0.1.evil.example:80", "", "[::1]", "127.0.0.1:x"]
)
def test_who_calls_the_machine_by_another_name_gets_nothing(port, host):
    for target in ("/", "/report/areas.html", "/nothing"):
        status, answer = ask(port, target, host=host)
        assert status in (400, 421)
        assert b"the " not in answer.partition(b"\r\n\r\n")[2]


@pytest.mark.parametrize(
    "way", ["/./report", "//report", "/x/../report", "/wrong/report", "/%2e/report", f"/{WORD}"]
)
def test_who_does_not_know_the_word_reads_no_report(port, way):
    status, answer = ask(port, f"{way}/areas.html")
    assert status in (400, 403, 404)
    assert b"the report" not in answer


def test_localhost_is_a_name_of_this_machine(port):
    assert ask(port, "/", host=f"localhost:{port}")[0] == 200


@pytest.mark.parametrize(
    "target", ["http://evil.example/index.html", "http://127.0.0.1/report/areas.html", "*", "index.html"]
)
def test_a_target_that_is_no_path_is_refused(port, target):
    status, answer = ask(port, target)
    assert status in (400, 404)
    assert b"the " not in answer.partition(b"\r\n\r\n")[2]


@pytest.mark.parametrize("method", ["POST", "PUT", "DELETE", "PATCH", "OPTIONS", "TRACE"])
def test_files_are_only_read(port, course, method):
    assert ask(port, "/report/areas.html", method=method)[0] in (400, 405)
    assert (course.classroom / "report" / "areas.html").read_bytes() == b"the report"


def test_other_sites_may_not_embed_a_page(port):
    headers = ask(port, "/report/areas.html")[1].partition(b"\r\n\r\n")[0]
    assert b"Cross-Origin-Resource-Policy: same-origin" in headers
    assert b"X-Content-Type-Options: nosniff" in headers

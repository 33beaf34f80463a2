"""The attacks of tests/attacks against plain nbgrader and against `dimred grade`, side by side.

`python -m benchmarks.attacks` prints the table, `--write` puts it into tests/attacks/README.md, names of attacks
choose some of them. What nbgrader did is kept in tests/attacks/nbgrader.json; `--anew` runs it again. It has no
protection of its own, so each of its runs gets a copy of the course in a bubblewrap container: private temporary
folders, everything else read-only, no network, a process space, limits.
"""

import argparse
import contextlib
import dataclasses
import json
import os
import re
import secrets
import shutil
import signal
import subprocess
import sys
import tempfile
import time
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

from autograder.course.course import Course
from autograder.grading import gradebook
from autograder.release import variant as generate
from tests.attacks import cheating, exhausting, forging, pressing, reaching
from tests.attacks.attack import Attack
from tests.attacks.battle import (
    ATTACKS,
    HONEST,
    Battle,
    doors,
    fight,
    hand_in_all,
    prepare,
    strays,
    survivors,
)
from tests.attacks.pages import Scripts

ROOT = Path(__file__).resolve().parents[1]
README = ROOT / "tests" / "attacks" / "README.md"
KEPT = ROOT / "tests" / "attacks" / "nbgrader.json"  # what nbgrader did: it takes half an hour
CLASSMATE = "honest-full"
CELL_SECONDS, RUN_SECONDS = 5, 100
FIRST_USER = 66_000  # when root runs this: limits on processes do not bind root, and count per user
NOT_RUN = "not run"
GROUPS = (
    ("Reaching for what is not theirs", reaching.ATTACKS),
    ("Taking too much, never ending, ending too early", exhausting.ATTACKS),
    ("Load, and memory that nobody counts", pressing.LOAD),
    ("Burdens for the trusted side", pressing.BURDENS),
    ("What the walls are built of", pressing.WALLS),
    ("Patched libraries and faked verdicts", cheating.PATCHES),
    ("Forged messages", cheating.FORGERIES),
    ("Answers that lie", cheating.LIES),
    ("Carrying secret cases out", cheating.SMUGGLING),
    ("Rebuilt and broken notebooks", forging.NOTEBOOKS),
    ("Files beside the notebook, and links", forging.FILES),
    ("Markup for the pages", forging.PAGES),
    ("Ids of students", forging.ODD_IDS),
)


@dataclasses.dataclass
class Seen:
    """What one grader made of one attack."""

    score: float | None
    classmate: float | None
    events: list[str]

    def cell(self, attack: Attack) -> str:
        """The score for the table, marked when it is not what the work deserves."""
        low, high = attack.range
        if self.events == [NOT_RUN]:
            return ""
        text = "none" if self.score is None else f"{self.score:g}"
        return text if low <= (self.score or 0.0) <= high else f"**{text}**"


def released(folder: Path) -> Course:
    """The tiny course of the tests, released to a class."""
    shutil.copytree(ROOT / "tests" / "sample_course", folder)
    shutil.copy(ROOT / "nbgrader_config.py", folder)
    course = Course(folder)
    generate.write_classroom(course, generate.make_variant(course, "squares", "one", "a secret word"))
    return course


def ours(folder: Path, attacks: tuple[Attack, ...]) -> tuple[dict[str, Seen], list[str], float]:
    """Every attack in one batch; what cannot be laid at one attacker's door is returned apart."""
    token = f"mark{secrets.token_hex(5)}"
    outside = folder / "outside"
    outside.mkdir()
    with doors(outside, token) as door:
        begun = time.monotonic()
        battle = fight(prepare(released(folder / "course"), door, token, outside), attacks)
        seconds = time.monotonic() - begun
        battle.heard = list(door.heard)
    found = {attack.name: _ours(battle, attack) for attack in attacks}
    shared = [
        *battle.heard,
        *battle.strays,
        *(f"process {one}" for one in battle.survivors),
        *battle.page_errors,
    ]
    return found, shared, seconds


def _ours(battle: Battle, attack: Attack) -> Seen:
    student = attack.handed_in_by
    outcome = battle.outcomes.get(student)
    events = [f"LEAK: {', '.join(found)}" for found in [_leaks(battle, attack)] if found]
    if student in battle.crashes:
        events.append("ENDS THE BATCH")
    if outcome:
        problems = sorted({verdict["problem"] for verdict in outcome.verdicts.values() if verdict["problem"]})
        events += [_short(note) for note in outcome.notes[:1]] or [f"verdict: {', '.join(problems)}"] * bool(
            problems
        )
    return Seen(battle.scores.get(student), battle.scores.get(CLASSMATE), events)


def _leaks(battle: Battle, attack: Attack) -> list[str]:
    texts = [path.read_text("utf-8", "replace") for path in battle.files_of(attack.handed_in_by)]
    found = {leak for text in texts for leak in battle.leaks(text)}
    words = [word for word in attack.forbidden(battle.setting) if any(word in text for text in texts)]
    return sorted(found | ({"a secret number"} if words else set()))


def _short(note: str) -> str:
    note = re.sub(r"\s+", " ", note)
    return note if len(note) <= 90 else note[:87] + "…"


def plain_nbgrader(folder: Path, name: str) -> Seen:
    """One attack in a container of its own."""
    command = [
        sys.executable,
        "-m",
        "benchmarks.attacks",
        "--alone",
        name,
        "--released",
        str(folder / "released"),
    ]
    try:
        run = subprocess.run(
            [*container(folder, FIRST_USER + _number_of(name)), *command],
            capture_output=True,
            text=True,
            timeout=RUN_SECONDS + 60,
            check=False,
        )
        return Seen(**json.loads(run.stdout.splitlines()[-1]))
    except subprocess.TimeoutExpired:
        return Seen(None, None, ["the run had to be killed"])
    except (IndexError, ValueError):
        killed = run.returncode == 128 + signal.SIGKILL
        return Seen(None, None, ["everything was killed, the grader too"] if killed else [run.stderr[-300:]])


def _number_of(name: str) -> int:
    return [attack.name for attack in ATTACKS].index(name)


def container(folder: Path, user: int) -> list[str]:
    """The beginning of a command that runs confined, as bubblewrap and prlimit want it."""
    home, interpreter = str(Path.home()), sys.base_prefix
    shown = [path for path in (interpreter, str(ROOT), str(folder)) if path.startswith((home + "/", "/tmp/"))]
    mounts = ["--ro-bind", "/", "/", "--dev", "/dev", "--proc", "/proc"]
    for place in ("/tmp", "/var/tmp", "/dev/shm"):
        mounts += ["--perms", "1777", "--tmpfs", place]
    mounts += ["--tmpfs", home]
    for path in shown:
        for parent in reversed(Path(path).parents):
            if str(parent).startswith((home + "/", "/tmp/")):
                mounts += ["--perms", "0755", "--dir", str(parent)]
        mounts += ["--ro-bind", path, path]
    apart = [
        "--unshare-pid",
        "--unshare-net",
        "--unshare-ipc",
        "--unshare-uts",
        "--die-with-parent",
        "--new-session",
    ]
    words = {"PATH": f"{ROOT}/.venv/bin:/usr/bin:/bin", "HOME": "/tmp/home", "LANG": "C.UTF-8"}
    words |= {"OMP_NUM_THREADS": "1", "OPENBLAS_NUM_THREADS": "1", "PYTHONDONTWRITEBYTECODE": "1"}
    environment = [part for word, value in words.items() for part in ("--setenv", word, value)]
    command = ["bwrap", *mounts, *apart, "--chdir", str(ROOT), "--clearenv", *environment]
    if os.geteuid() == 0:
        become = ["setpriv", f"--reuid={user}", f"--regid={user}", "--clear-groups"]
        command += ["--cap-add", "CAP_SETUID", "--cap-add", "CAP_SETGID", *become]
    else:
        command += ["--unshare-user"]
    return [*command, "prlimit", "--nproc=300", f"--as={12 * 2**30}", "--fsize=700000000", "--cpu=150"]


def alone(name: str, source: Path) -> None:
    """Inside the container: grade one attacker and one classmate with plain nbgrader, and look around."""
    attack = next(one for one in ATTACKS if one.name == name)
    root, outside, token = Path("/tmp/battle/course"), Path("/tmp/outside"), f"mark{secrets.token_hex(5)}"
    outside.mkdir()
    Path("/tmp/home").mkdir()
    shutil.copytree(source, root)
    with doors(outside, token) as door:
        battle = prepare(Course(root), door, token, outside)
        battle.setting = dataclasses.replace(battle.setting, namespace="elsewhere")
        hand_in_all(battle, (attack,))
        shutil.rmtree(root / "classroom" / "submitted" / "honest-partial")
        events = _autograde(battle, root)
        heard = list(door.heard)
    if heard:
        events.append("reached the network")
    if survivors(token):
        events.append("left processes behind")
    if strays(battle):
        events.append("wrote outside")
    print(json.dumps(dataclasses.asdict(_nbgraders_view(battle, attack, events))))


def _autograde(battle: Battle, root: Path) -> list[str]:
    command = [sys.executable, "-m", "nbgrader", "autograde", "squares", f"--Execute.timeout={CELL_SECONDS}"]
    words = {**os.environ, "COURSE_TOKEN": battle.canaries["environment"]}
    log = Path("/tmp/log").open("w")
    process = subprocess.Popen(command, cwd=root, env=words, stdout=log, stderr=log, start_new_session=True)
    try:
        process.wait(RUN_SECONDS)
    except subprocess.TimeoutExpired:
        process.kill()
        return ["the batch hangs"]
    return ["the batch was killed"] if process.returncode < 0 else []


def _nbgraders_view(battle: Battle, attack: Attack, events: list[str]) -> Seen:
    classroom = battle.course.classroom
    try:
        found = gradebook.scores(battle.course, "squares")
    except Exception as error:
        return Seen(None, None, [*events, f"the gradebook is broken ({type(error).__name__})"])
    graded = {
        student: found.get(student, {}).get("score")
        if (classroom / "autograded" / student / "squares" / "squares.ipynb").is_file()
        else None
        for student in (attack.handed_in_by, CLASSMATE)
    }
    events = [f"LEAK: {', '.join(leaks)}" for leaks in [_leaks(battle, attack)] if leaks] + events
    if graded[CLASSMATE] != HONEST[CLASSMATE]:
        events.append(f"a classmate gets {_number(graded[CLASSMATE])} instead of {HONEST[CLASSMATE]:g}")
    if "markup" in attack.name:
        events += _feedback(battle, attack)
    return Seen(graded[attack.handed_in_by], graded[CLASSMATE], events)


def _feedback(battle: Battle, attack: Attack) -> list[str]:
    student = attack.handed_in_by
    command = [sys.executable, "-m", "nbgrader", "generate_feedback", "squares"]
    subprocess.run(command, cwd=battle.course.root, capture_output=True, timeout=60, check=False)
    page = battle.course.classroom / "feedback" / student / "squares" / "squares.html"
    ran = page.is_file() and Scripts(page.read_text("utf-8", "replace")).found
    return ["its scripts run in the feedback page"] if ran else []


def _number(score: float | None) -> str:
    return "no score" if score is None else f"{score:g}"


def nbgraders(folder: Path, attacks: tuple[Attack, ...]) -> dict[str, Seen]:
    """What plain nbgrader made of the attacks; what is on file is not done again."""
    known = json.loads(KEPT.read_text("utf-8")) if KEPT.is_file() else {}
    theirs = {name: Seen(**seen) for name, seen in known.items()}
    missing = [attack.name for attack in attacks if attack.name not in theirs]
    if shutil.which("bwrap") is None:  # without a container, plain nbgrader would let them out
        return theirs | {name: Seen(None, None, [NOT_RUN]) for name in missing}
    with ThreadPoolExecutor(2) as pool:
        results = pool.map(lambda name: plain_nbgrader(folder, name), missing)
        for name, seen in zip(missing, results, strict=True):
            theirs[name] = seen
            tree = {one: dataclasses.asdict(found) for one, found in sorted(theirs.items())}
            KEPT.write_text(json.dumps(tree, indent=1) + "\n", "utf-8")
    return theirs


INTRODUCTION = """# Attacks as tests

`test_attacks.py` grades one class: {count} hostile or broken submissions (the modules beside it, as data) and
{honest} honest students. Each attack must get the score that its honest part deserves, no classmate may lose a point,
nothing secret may reach a page or a graded notebook, no process or file may stay behind, nobody may call home, and
the instructor must be told. `test_fuzz.py` damages honest notebooks at random, seeded: 300 are repaired or
refused, 60 are graded.

An attack that wants points knows the right answers only if it worked, so its score shows whether it did. To add
one, add an `Attack` to the module it belongs to.

The table was written by `python -m benchmarks.attacks --write`: the same submissions graded by plain nbgrader
0.9.6 (each in a container and a copy of the course of its own, {cell} s per cell, with a classmate beside it) and
by `dimred grade` (all in one batch, {seconds:.0f} s). **Bold**: not what the work deserves; "none": not graded,
counted as nothing. Plain nbgrader has no secret cases, so attacks that carry them out find nothing there.

{summary}
"""


def table(attacks: tuple[Attack, ...], theirs: dict[str, Seen], own: dict[str, Seen]) -> str:
    """The comparison, one table per kind of attack."""
    parts = []
    for title, group in GROUPS:
        rows = [_row(attack, theirs[attack.name], own[attack.name]) for attack in group if attack in attacks]
        if rows:
            head = (
                "| attack | what it tries | deserves | nbgrader | what else | here | what else |\n"
                + "|---" * 7
                + "|"
            )
            parts.append(f"## {title}\n\n" + "\n".join([head, *rows]))
    return "\n\n".join(parts) + "\n"


def _row(attack: Attack, theirs: Seen, own: Seen) -> str:
    low, high = attack.range
    deserves = f"{low:g}" if low == high else f"{low:g} to {high:g}"
    words = [attack.name, attack.tries, deserves, theirs.cell(attack), "; ".join(theirs.events)]
    words += [own.cell(attack), "; ".join(own.events)]
    return "| " + " | ".join(_safe(word) for word in words) + " |"


def _safe(word: str) -> str:
    """Text that no table or page can take for markup."""
    word = word.replace("&", "&amp;").replace("<", "&lt;").replace("|", "&#124;").replace("`", "&#96;")
    return re.sub(r"[\x00-\x1f\x7f\ud800-\udfff]", "?", word)


def summary(
    attacks: tuple[Attack, ...], theirs: dict[str, Seen], own: dict[str, Seen], shared: list[str]
) -> str:
    """The counts, and whatever happened to the machine."""
    lines = ["| | nbgrader | here |", "|---|---|---|"]
    for label, count in (
        ("scores that are not deserved", lambda seen, one: "**" in seen[one.name].cell(one)),
        ("of these, too high", lambda seen, one: (seen[one.name].score or 0) > one.range[1]),
        (
            "something secret leaked",
            lambda seen, one: any("LEAK" in event for event in seen[one.name].events),
        ),
        (
            "a classmate's score changed, the batch hung, was killed or ended",
            lambda seen, one: any(
                re.search("a classmate gets|batch|BATCH|everything was killed", event)
                for event in seen[one.name].events
            ),
        ),
        (
            "files or processes left, network reached, scripts run",
            lambda seen, one: any(
                re.search("left processes|wrote outside|network|its scripts", event)
                for event in seen[one.name].events
            ),
        ),
    ):
        counts = [sum(count(seen, one) for one in attacks) for seen in (theirs, own)]
        run = sum(seen.events != [NOT_RUN] for seen in (theirs[one.name] for one in attacks))
        lines.append(f"| {label} | {counts[0]} of {run} | {counts[1]} of {len(attacks)} |")
    if shared:
        lines += ["", f"Left by our batch: {_safe('; '.join(shared))}."]
    return "\n".join(lines)


def main() -> None:
    """Compare, print, and write if asked to."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("names", nargs="*", help="attacks; all of them if none is named")
    parser.add_argument("--write", action="store_true", help="write tests/attacks/README.md")
    parser.add_argument("--anew", action="store_true", help="forget what nbgrader did and run it again")
    parser.add_argument("--alone", help=argparse.SUPPRESS)
    parser.add_argument("--released", type=Path, help=argparse.SUPPRESS)
    options = parser.parse_args()
    if options.alone:
        alone(options.alone, options.released)
        return
    if options.anew:
        KEPT.unlink(missing_ok=True)
    attacks = tuple(one for one in ATTACKS if not options.names or one.name in options.names)
    with tempfile.TemporaryDirectory() as name, contextlib.chdir(ROOT):
        folder = Path(name)
        folder.chmod(0o755)
        released(folder / "released")
        own, shared, seconds = ours(folder, attacks)
        theirs = nbgraders(folder, attacks)
    counts = summary(attacks, theirs, own, shared)
    head = INTRODUCTION.format(
        count=len(attacks), honest=len(HONEST), cell=CELL_SECONDS, seconds=seconds, summary=counts
    )
    text = head + "\n" + table(attacks, theirs, own)
    if options.write:
        README.write_text(text, "utf-8")
    print(text)


if __name__ == "__main__":
    main()

"""Bulk downloads as learning platforms lay them out, made from a class list: for tests, the guide and benchmarks."""

import io
import json
import zipfile
from dataclasses import dataclass

from autograder.demo import filled_in

MOMENT = "2026-11-18-10-00-00"


@dataclass(frozen=True)
class Person:
    """A made-up student with the ids that platforms know."""

    number: int

    @property
    def first(self):
        return f"Ada{self.number}" if self.number % 3 else f"Zoë{self.number}"

    @property
    def last(self):
        return f"O'Love-{self.number}"

    @property
    def login(self):
        return f"user{self.number}"

    @property
    def canvas_id(self):
        return 91000 + 7 * self.number

    @property
    def participant(self):
        return 500000 + self.number

    @property
    def email(self):
        return f"{self.login}@x.org"

    @property
    def canvas_name(self):
        """sortable_name in small letters, without anything but letters and digits."""
        return "".join(sign for sign in f"{self.last}, {self.first}".lower() if sign.isalnum())


def canvas_list(people):
    rows = [f'"{one.last}, {one.first}",{one.canvas_id},S{one.number},{one.login},Monday,' for one in people]
    head = "Student,ID,SIS User ID,SIS Login ID,Section,Squares (311)\n    Points Possible,,,,,3\n"
    return head + "\n".join(rows) + "\n"


def moodle_list(people):
    rows = [f"{one.first},{one.last},410{one.number:03d},{one.email}" for one in people]
    return "First name,Last name,ID number,Email address\n" + "\n".join(rows) + "\n"


def canvas_path(one, file, *, late=False):
    return f"{one.canvas_name}_{'LATE_' if late else ''}{one.canvas_id}_{70000 + one.number}_{file}"


def moodle_path(one, file, joint="_/"):
    """`joint` is how the plugin's name and the file meet: `_/`, `/`, or `_` for one folder for all."""
    return f"{one.first} {one.last}_{one.participant}_assignsubmission_file{joint}{file}"


def blackboard_path(one, file, moment=MOMENT):
    return f"gradebook_CS1_Squares_{one.login}_attempt_{moment}_{file}"


def brightspace_path(one, file, moment="Nov 18, 2026 1000 AM"):
    return f"{one.participant}-67890 - {one.first} {one.last} - {moment}/{file}"


def google_path(one, file):
    return f"{one.first} {one.last} - {file}"


def archive(files, **attributes):
    """A zip archive of paths and contents; `attributes` are set on every entry."""
    packed = io.BytesIO()
    with zipfile.ZipFile(packed, "w", zipfile.ZIP_DEFLATED) as made:
        for path, data in files:
            entry = zipfile.ZipInfo(path)
            for name, value in attributes.items():
                setattr(entry, name, value)
            made.writestr(entry, data, zipfile.ZIP_DEFLATED)
    return packed.getvalue()


def solved(course, topic="squares", **answers):
    """The class's notebook, solved but for the answers given, as bytes."""
    release = json.loads((course.paths.release(topic) / f"{topic}.ipynb").read_text("utf-8"))
    source = json.loads(course.paths.source_notebook(topic).read_text("utf-8"))
    import nbformat

    notebook = filled_in(nbformat.from_dict(_joined(release)), nbformat.from_dict(_joined(source)), answers)
    return json.dumps(notebook).encode()


def _joined(tree):
    for cell in tree["cells"]:
        cell["source"] = "".join(cell["source"])
    return tree


def with_mark(notebook, text):
    """The same notebook with a cell of the student's own, so that its bytes are the student's."""
    tree = json.loads(notebook)
    tree["cells"].append({"cell_type": "markdown", "id": "mine", "metadata": {}, "source": text})
    return json.dumps(tree).encode()


NAMES = ("{}.ipynb", "{} (1).ipynb", "{}-1.ipynb", "{}-2.ipynb", "{}_{}.ipynb", "homework.ipynb")


def canvas_download(notebook, people, topic):
    """A download of Canvas: every sixth is LATE, names are as browsers and Canvas make them, each has its own bytes."""
    files = []
    for one in people:
        name = NAMES[one.number % len(NAMES)].format(topic, topic)
        files.append((canvas_path(one, name, late=one.number % 6 == 0), with_mark(notebook, one.login)))
    return archive(files)


def moodle_download(notebook, people, topic):
    """A download of Moodle, in folders."""
    return archive([(moodle_path(one, f"{topic}.ipynb"), with_mark(notebook, one.login)) for one in people])


def blackboard_download(notebook, people, topic):
    """A download of Blackboard, with its note beside each attempt."""
    files = []
    for one in people:
        files.append((blackboard_path(one, f"{topic}.ipynb"), with_mark(notebook, one.login)))
        files.append((blackboard_path(one, "x").removesuffix("_x") + ".txt", b"Name: " + one.login.encode()))
    return archive(files)


def brightspace_download(notebook, people, topic):
    """A download of Brightspace: a folder for each hand-in, and a page of its own."""
    files = [(brightspace_path(one, f"{topic}.ipynb"), with_mark(notebook, one.login)) for one in people]
    return archive([("index.html", b"<html></html>"), *files])


def google_download(notebook, people, topic):
    """A folder of Drive: names before files."""
    return archive([(google_path(one, f"{topic}.ipynb"), with_mark(notebook, one.login)) for one in people])

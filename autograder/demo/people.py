"""The made-up class list: names, sections, addresses and one extension.

First and last name begin with the same letter, so that nobody takes them for real. Every address is under example.org,
a domain reserved for examples.
"""

from datetime import UTC, timedelta

from autograder.course.course import DEMO, demo_due
from autograder.course.roster import Student, parse_extension

STUDENT_NAMES = (
    "Aisha Adebayo|Bruno Bertrand|Clara Castellano|Dmitri Danilov|Elif Esen|Felix Fischbach|Grace Gallagher|"
    "Hiro Hayashida|Ines Iglesias|Jonas Janssen|Kavya Krishnan|Lucas Lindholm|Mei Mah|Nadia Nasser|Oscar Olofsson|"
    "Priya Padman|Quirin Quast|Rosa Ribeiro|Samir Saleh|Tomasz Tokarz|Uma Upadhyay|Viktor Vasquez|Wanjiru Waweru|"
    "Xavier Ximenes|Yara Younis|Zoltan Zeman|Anneke Aalders|Babak Bagheri|Chidi Chukwu|Daria Dudek"
).split("|")
SECTIONS = ("A", "B")
EXTENDED = 10  # the place of the student with more time, who uses it
EXTENSION_TEXT = "2 days"
LATE_HOURS = 29  # two begun days


def class_list(size: int) -> list[Student]:
    """Return the students of a class of this size.

    If there are more students than names, names are repeated with a number.
    """
    return [_student(place) for place in range(size)]


def _student(place: int) -> Student:
    folder = f"{DEMO}{place + 1:02d}"
    name = STUDENT_NAMES[place % len(STUDENT_NAMES)]
    first, _, last = name.rpartition(" ")
    number = "" if place < len(STUDENT_NAMES) else str(1 + place // len(STUDENT_NAMES))
    address = f"{name.lower().replace(' ', '.')}{number}@example.org"
    return Student(
        folder,
        folder,
        first_name=first,
        last_name=f"{last} {number}".strip(),
        email=address,
        section=SECTIONS[place % len(SECTIONS)],
        extension=EXTENSION_TEXT if place == EXTENDED else "",
    )


def submission_time(place: int, *, topic_place: int, is_late: bool) -> str:
    """Return the time of a submission in the format of nbgrader's exchange."""
    due = demo_due(topic_place)
    if place == EXTENDED:
        when = due + parse_extension(EXTENSION_TEXT) - timedelta(hours=3)
    elif is_late:
        when = due + timedelta(hours=LATE_HOURS)
    else:
        when = due - timedelta(hours=1 + 7 * place % 90, minutes=13 * place % 60)
    return f"{when.astimezone(UTC).replace(tzinfo=None):%Y-%m-%d %H:%M:%S.%f} UTC\n"

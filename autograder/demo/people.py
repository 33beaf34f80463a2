"""The made-up class list: names that nobody takes for real, sections, addresses, and one extension.

First and last name begin with the same letter, and every address is under example.org, a domain reserved for examples.
"""

from datetime import UTC, timedelta

from autograder.course.course import DEMO, demo_due
from autograder.course.roster import Student, more_time

NAMES = (
    "Aisha Adebayo|Bruno Bertrand|Clara Castellano|Dmitri Danilov|Elif Esen|Felix Fischbach|Grace Gallagher|"
    "Hiro Hayashida|Ines Iglesias|Jonas Janssen|Kavya Krishnan|Lucas Lindholm|Mei Mah|Nadia Nasser|Oscar Olofsson|"
    "Priya Padman|Quirin Quast|Rosa Ribeiro|Samir Saleh|Tomasz Tokarz|Uma Upadhyay|Viktor Vasquez|Wanjiru Waweru|"
    "Xavier Ximenes|Yara Younis|Zoltan Zeman|Anneke Aalders|Babak Bagheri|Chidi Chukwu|Daria Dudek"
).split("|")
SECTIONS = ("A", "B")
EXTENDED = 17  # the place of the student with more time, who uses it
EXTENSION = "2 days"
LATE_HOURS = 29  # two begun days


def class_list(size: int) -> list[Student]:
    """Return so many students; of more than the names, some share one and differ in the number."""
    return [_student(place) for place in range(size)]


def _student(place: int) -> Student:
    folder = f"{DEMO}{place + 1:02d}"
    name = NAMES[place % len(NAMES)]
    first, _, last = name.rpartition(" ")
    number = "" if place < len(NAMES) else str(1 + place // len(NAMES))
    address = f"{name.lower().replace(' ', '.')}{number}@example.org"
    return Student(
        folder,
        folder,
        first_name=first,
        last_name=f"{last} {number}".strip(),
        email=address,
        section=SECTIONS[place % len(SECTIONS)],
        extension=EXTENSION if place == EXTENDED else "",
    )


def handed_in(place: int, *, topic_place: int, is_late: bool) -> str:
    """Return when a student handed a topic in, as nbgrader's exchange writes it."""
    due = demo_due(topic_place)
    if place == EXTENDED:
        when = due + more_time(EXTENSION) - timedelta(hours=3)
    elif is_late:
        when = due + timedelta(hours=LATE_HOURS)
    else:
        when = due - timedelta(hours=1 + 7 * place % 90, minutes=13 * place % 60)
    return f"{when.astimezone(UTC).replace(tzinfo=None):%Y-%m-%d %H:%M:%S.%f} UTC\n"

"""Differences to a text: sections replace those of the same heading or tasks, new ones have a place."""

import pytest

from autograder.course.changes import apply_changes, merge_tables, split_sections
from autograder.errors import CourseError

TEXT = """---
title: x
---

Above.

# First

one

```{code-cell} python
# no heading
## nor this
```

## Task A (1 point)

```{code-cell} python
check("t.a", a)
```

## Last

end
"""


def headings(text):
    return [section.heading for section in split_sections(text)[1]]


def test_comments_inside_code_are_no_headings():
    assert headings(TEXT) == ["First", "Task A (1 point)", "Last"]


def test_a_longer_fence_holds_a_shorter_one():
    assert headings("# A\n\n````{note}\n```python\n# x\n```\n# y\n````\n\n# B\n") == ["A", "B"]


def test_without_differences_a_text_stays_as_it_is():
    assert apply_changes(TEXT, "", "x").text == TEXT


def test_a_section_replaces_the_one_of_its_heading():
    changed = apply_changes(TEXT, "## Last\n\nother words\n", "x")
    assert changed.text == TEXT.replace("end\n", "other words\n")
    assert [section.text for section in changed.replaced] == ["## Last\n\nend\n"]


def test_a_section_replaces_the_one_that_asks_its_tasks():
    new = '## In my words (3 points)\n\ncheck me\n\n```\ncheck("t.a", a)\n```\n'
    changed = apply_changes(TEXT, new, "x")
    assert headings(changed.text) == ["First", "In my words (3 points)", "Last"]


def test_new_sections_come_last_or_behind_the_heading_that_is_named_before():
    assert headings(apply_changes(TEXT, "## New\n\nx\n", "x").text)[-1] == "New"
    changed = apply_changes(TEXT, "# First\n\n## New\n\nx\n\n## Newer\n\ny\n", "x")
    assert headings(changed.text) == ["First", "New", "Newer", "Task A (1 point)", "Last"]
    assert changed.added == ("New", "Newer")
    assert changed.replaced == ()


@pytest.mark.parametrize(
    ("changes", "words"),
    [
        ("words\n", "must begin with a heading"),
        ("## Nowhere\n", "the text has no section 'Nowhere'"),
        ('## B\n\ncheck("t.a", a)\ncheck("t.b", b)\n', "must ask a, as the one that it replaces"),
    ],
)
def test_what_fits_nowhere_is_one_line(changes, words):
    with pytest.raises(CourseError, match=words):
        apply_changes(TEXT, changes, "mine.changes.md")


def test_a_heading_that_occurs_twice_is_not_guessed():
    with pytest.raises(CourseError, match="the text has 2 sections 'A'"):
        apply_changes("# A\n\n1\n\n# A\n\n2\n", "# A\n\n3\n", "x")


def test_tables_are_merged_entry_by_entry():
    table = {"a": 1, "t": {"x": 1, "y": 2}, "list": [1, 2]}
    assert merge_tables(table, {"t": {"y": 3}, "list": [4]}) == {"a": 1, "t": {"x": 1, "y": 3}, "list": [4]}
    assert table["t"] == {"x": 1, "y": 2}

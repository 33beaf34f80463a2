"""From a student's folder only that account's own ordinary files are copied, hard links to others' left out."""

import os

import pytest

from autograder.grading.foreign_folder import open_folder

STUDENT, CLASSMATE = 61_234, 61_235


@pytest.mark.skipif(os.getuid() != 0, reason="only root can give files to other accounts")
def test_a_hard_link_to_a_file_of_another_account_is_left_out(tmp_path):
    """Where the system lets a student make one, its owner is still the classmate."""
    theirs, mine = tmp_path / "theirs", tmp_path / "mine"
    theirs.mkdir()
    mine.mkdir()
    (theirs / "squares.ipynb").write_text("the classmate's work")
    (mine / "own.txt").write_text("own")
    os.link(theirs / "squares.ipynb", mine / "squares.ipynb")
    for path, account in (
        (theirs / "squares.ipynb", CLASSMATE),
        (mine / "own.txt", STUDENT),
        (mine, STUDENT),
    ):
        os.chown(path, account, account)
    folder = open_folder(mine, 1000, lambda owner: owner == STUDENT)
    folder.copy_to(tmp_path / "copy")
    folder.close()
    assert [path.name for path in (tmp_path / "copy").iterdir()] == ["own.txt"]
    assert folder.left_out == ["'squares.ipynb' belongs to another account"]

"""The buttons that lead to the repository, by one setting: `repository` in `course.toml`."""

from pathlib import Path

from sphinx.application import Sphinx
from sphinx.config import Config

from autograder.course.course import Course

BUTTONS = ("use_repository_button", "use_edit_page_button", "use_issues_button")


def show_buttons(app: Sphinx, config: Config) -> None:
    """Tell the theme where the repository is; without the setting there are no buttons."""
    root = Path(app.srcdir)
    settings = Course(root).settings
    address = settings["repository"]
    if address:
        # The pages lie in the repository under the names that Sphinx has for them.
        options = {
            "repository_url": str(address).rstrip("/"),
            "repository_branch": settings["branch"],
            "path_to_docs": "",
        }
        config.html_theme_options = {**config.html_theme_options, **options, **dict.fromkeys(BUTTONS, True)}


def setup(app: Sphinx) -> None:
    """Connect to Sphinx."""
    app.connect("config-inited", show_buttons)

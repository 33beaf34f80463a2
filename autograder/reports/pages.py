"""HTML pages for students and instructors: templates with every value escaped, styles and pictures inside."""

import functools
from pathlib import Path
from typing import Any

TEMPLATES = Path(__file__).parent / "templates"


def render_page(template: str, **values: Any) -> str:
    """Fill a template of `autograder/templates`; values are escaped unless a template says otherwise."""
    return str(_environment().get_template(template).render(**values))


@functools.cache
def _environment() -> Any:
    """Make the environment once: it keeps the templates that it has compiled."""
    from jinja2 import Environment, FileSystemLoader, StrictUndefined

    return Environment(
        loader=FileSystemLoader(TEMPLATES), autoescape=True, undefined=StrictUndefined, trim_blocks=True
    )

"""HTML pages for students and instructors: templates with every value escaped, styles and pictures inside."""

from pathlib import Path
from typing import Any

TEMPLATES = Path(__file__).parent / "templates"


def render_page(template: str, **values: Any) -> str:
    """Fill a template of `autograder/templates`; values are escaped unless a template says otherwise."""
    from jinja2 import Environment, FileSystemLoader, StrictUndefined

    environment = Environment(
        loader=FileSystemLoader(TEMPLATES), autoescape=True, undefined=StrictUndefined, trim_blocks=True
    )
    return environment.get_template(template).render(**values)

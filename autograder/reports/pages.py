"""Render self-contained HTML pages from templates, with escaped values.

The content security policy of a page allows only its own script, by digest, also if the page is opened as a file.
"""

import base64
import functools
import hashlib
from pathlib import Path
from typing import Any

from autograder.program import program_name

TEMPLATES = Path(__file__).parent / "templates"


def render_page(template: str, **values: object) -> str:
    """Render a template of `autograder/templates`, with autoescaping."""
    return str(_environment().get_template(template).render(**values))


@functools.cache
def _environment() -> Any:
    """Return the cached Jinja environment, which caches compiled templates."""
    from jinja2 import Environment, FileSystemLoader, StrictUndefined

    environment = Environment(
        loader=FileSystemLoader(TEMPLATES), autoescape=True, undefined=StrictUndefined, trim_blocks=True
    )
    environment.globals["script_digest"] = script_digest
    environment.globals["command"] = program_name
    return environment


@functools.cache
def script_digest() -> str:
    """Return the script's digest for the content security policy."""
    text = (TEMPLATES / "tables.js.html").read_text("utf-8")
    script = text.partition("<script>")[2].partition("</script>")[0]
    return base64.b64encode(hashlib.sha256(script.encode()).digest()).decode()

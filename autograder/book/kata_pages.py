"""Locate code katas: their names in pages and their keys."""

import re
from pathlib import Path

KATA_FOLDER = Path("_static", "practice", "katas")  # in the folder of the pages
KATA_LINE = re.compile(r"^```\{kata\} *([a-z]\w*\.\w+) *$", re.MULTILINE)

"""Where pages name code katas, and where the keys of katas lie."""

import re
from pathlib import Path

KATA_FOLDER = Path("_static", "practice", "katas")  # in the folder of the pages
KATA_LINE = re.compile(r"^```\{kata\} *([a-z]\w*\.\w+) *$", re.MULTILINE)

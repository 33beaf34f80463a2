"""The assignment of a topic, and the digest of the scoring code."""

import hashlib
import json
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path

from autograder.answers.example import inputs_file, inputs_of


@dataclass(frozen=True)
class Assignment:
    """Release, keys and source of one topic, as picklable texts.

    `common` is the public key of the class if this is a student's personal variant, else empty.
    `earlier` holds the locked cells of replaced releases, as JSON.
    """

    topic: str
    release: str
    public: str
    secret: str
    source: str
    files: tuple[tuple[str, bytes], ...]
    common: str = ""
    earlier: tuple[str, ...] = ()

    def data_files(self) -> dict[str, bytes]:
        """Return the files that lie beside the notebook during grading.

        The public key is replaced by a file with its inputs.
        """
        inputs = json.dumps(inputs_of(json.loads(self.public))).encode()
        files = {name: data for name, data in self.files if not name.endswith(".key.json")}
        return {**files, inputs_file(self.topic): inputs}

    @property
    def digest(self) -> str:
        """SHA-256 of the release, the keys, the source and the scoring code."""
        texts = (self.release, self.public, self.secret, self.source, scoring_digest())
        return hashlib.sha256("\x1f".join(texts).encode()).hexdigest()


# Code that can change a score: it reads and compares answers and runs students' code. Code that formats verdicts,
# builds reports or the book, or draws exercises cannot.
SCORE_AFFECTING_FILES = (
    "answers",
    "judging",
    "sandbox",
    "authoring/cells.py",
    "grading/repair.py",
    "grading/run.py",
    "grading/examine.py",
)
SCORE_NEUTRAL_FILES = ("judging/render.py", "judging/picture.py", "judging/check.py")


@lru_cache(maxsize=1)
def scoring_digest() -> str:
    """Return the SHA-256 of the engine's code that can change a score.

    `dimred grade` grades a submission again when this digest has changed.
    """
    root, digest = Path(__file__).parents[1], hashlib.sha256()
    for name in SCORE_AFFECTING_FILES:
        for path in sorted((root / name).glob("*.py")) if (root / name).is_dir() else [root / name]:
            if path.relative_to(root).as_posix() not in SCORE_NEUTRAL_FILES:
                digest.update(path.read_bytes())
    return digest.hexdigest()

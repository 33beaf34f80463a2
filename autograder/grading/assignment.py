"""An assignment: what the submissions of one topic share, as texts, and what their scores depend on."""

import hashlib
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path


@dataclass(frozen=True)
class Assignment:
    """What the submissions of one topic share, as texts that travel well.

    `common` is the public key of the class, if this is a student's own variant.
    """

    topic: str
    release: str
    public: str
    secret: str
    source: str
    files: tuple[tuple[str, bytes], ...]
    common: str = ""

    def files_at_hand(self) -> dict[str, bytes]:
        """What lies beside the notebook while it is graded: all that was given but the key."""
        return {name: data for name, data in self.files if not name.endswith(".key.json")}

    @property
    def digest(self) -> str:
        """Changes whenever the numbers, the key, the text or the engine change."""
        texts = (self.release, self.public, self.secret, self.source, engine_digest())
        return hashlib.sha256("\x1f".join(texts).encode()).hexdigest()


# What can change a score: reading and comparing answers, and running students' code. How a verdict looks, how reports
# and the book are made, how exercises are drawn: none of that does.
SCORING = (
    "answers",
    "judging",
    "sandbox",
    "authoring/cells.py",
    "grading/repair.py",
    "grading/run.py",
    "grading/examine.py",
)
NOT_SCORING = ("judging/render.py", "judging/picture.py", "judging/check.py")


@lru_cache(maxsize=1)
def engine_digest() -> str:
    """A digest of exactly the engine's code that can change a score: a mended grader grades anew."""
    root, digest = Path(__file__).parents[1], hashlib.sha256()
    for name in SCORING:
        for path in sorted((root / name).glob("*.py")) if (root / name).is_dir() else [root / name]:
            if path.relative_to(root).as_posix() not in NOT_SCORING:
                digest.update(path.read_bytes())
    return digest.hexdigest()

"""Derive the numbers of a variant from a seed and the course's secret (HMAC-SHA256).

The variant of the public seed follows from the seed alone, so that anybody can make it again. Every other variant
follows from the course's secret, too: its notebook and key carry a name that is an HMAC itself, from which neither the
seed nor the numbers can be computed. Releases of earlier versions followed from the seed alone, whatever it was; what
is recorded with a release (`derivation`) keeps their numbers as they are.
"""

import hashlib
import hmac
import json
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from autograder.course.course import Course
from autograder.errors import CourseError

FROM_SEED = 1
FROM_SECRET = 2
NAME_DIGITS = 12  # hexadecimal: two variants of a course do not share a name by chance


@dataclass(frozen=True)
class Origin:
    """The source of a variant's numbers.

    `seed` is the instructor's word, `root` the word that random streams start from, `name` what is handed out.
    """

    seed: str
    root: str
    name: str
    derivation: int

    def record(self) -> dict[str, Any]:
        """Return what a certificate or a roster must remember; nothing more than the seed for public numbers."""
        if self.derivation == FROM_SEED:
            return {"seed": self.seed}
        return {"seed": self.seed, "derivation": self.derivation, "variant": self.name}


def derivation_of(record: Mapping[str, object]) -> int:
    """Read how the numbers of a recorded release were derived; CourseError if by a later version."""
    derivation = record.get("derivation", FROM_SEED)
    if derivation not in (FROM_SEED, FROM_SECRET):
        raise CourseError(
            f"the release of seed {record.get('seed')!r} was made by a later version "
            f"(derivation {derivation!r}): install that version"
        )
    return int(derivation)


def default_derivation(course: Course, seed: str) -> int:
    """Choose the derivation of a new release: only public numbers follow from the seed alone."""
    return FROM_SEED if seed == course.settings["public_seed"] else FROM_SECRET


def derive(secret: str, topic: str, seed: str, derivation: int) -> Origin:
    """Derive root and name of a variant."""
    if derivation == FROM_SEED:
        return Origin(seed, seed, seed, derivation)
    root = _tag(secret, "numbers", topic, seed)
    return Origin(seed, root, f"variant-{_tag(secret, 'name', topic, seed)[:NAME_DIGITS]}", derivation)


def _tag(secret: str, *words: str) -> str:
    return hmac.new(secret.encode(), json.dumps(words).encode(), hashlib.sha256).hexdigest()

"""CPU affinity: pin each student's processes to one core.

A student who starts many processes slows down only that core.
"""

import os
import random
from collections import Counter
from dataclasses import dataclass


@dataclass(frozen=True)
class Core:
    """One core of this machine; `number` is None without CPU affinity support."""

    number: int | None

    def pin_this_process(self) -> None:
        """Pin this process and its future children to the core."""
        if self.number is not None:
            os.sched_setaffinity(0, {self.number})


class Cores:
    """Assign cores to borrowers, the least used core first."""

    def __init__(self) -> None:
        """Read the cores that this process may use."""
        self._allowed = sorted(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else []
        self._core_by_borrower: dict[int, int] = {}

    def acquire(self, borrower: int) -> Core:
        """Return one of the least used cores, chosen at random.

        Other fork servers assign the same cores, so a fixed order would overload the first one.
        """
        used = Counter(self._core_by_borrower.values())
        if not self._allowed:
            return Core(None)
        fewest = min(used[core] for core in self._allowed)
        self._core_by_borrower[borrower] = random.choice(
            [core for core in self._allowed if used[core] == fewest]
        )
        return Core(self._core_by_borrower[borrower])

    def release(self, borrower: int) -> None:
        """Forget the core of this borrower."""
        self._core_by_borrower.pop(borrower, None)

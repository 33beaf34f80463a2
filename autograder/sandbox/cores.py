"""A core for each student: whoever starts many processes slows down only themselves."""

import os
import random
from collections import Counter
from dataclasses import dataclass


@dataclass(frozen=True)
class Core:
    """One core of this machine; None where a process cannot be kept on one."""

    number: int | None

    def stay(self) -> None:
        """Keep this process, and all that it will start, on the core."""
        if self.number is not None:
            os.sched_setaffinity(0, {self.number})


class Cores:
    """Who has which core: the least used one is lent next."""

    def __init__(self) -> None:
        """Those that this process may use."""
        self._all = sorted(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else []
        self._lent: dict[int, int] = {}  # by borrower

    def lend(self, borrower: int) -> Core:
        """A core for this borrower; one of several that are free at random: other nurseries may lend them too."""
        used = Counter(self._lent.values())
        if not self._all:
            return Core(None)
        least = min(used[core] for core in self._all)
        self._lent[borrower] = random.choice([core for core in self._all if used[core] == least])
        return Core(self._lent[borrower])

    def give_back(self, borrower: int) -> None:
        """The borrower needs it no longer."""
        self._lent.pop(borrower, None)

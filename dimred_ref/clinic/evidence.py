"""A finding on the reader's data, and all reports that findings are made from."""

from collections.abc import Mapping
from dataclasses import dataclass, field

import numpy as np

from dimred_ref._arrays import Array
from dimred_ref.clinic.distances import DistanceReport
from dimred_ref.clinic.linear import LinearReport
from dimred_ref.clinic.maps import Map, Setting
from dimred_ref.clinic.preparation import Prepared
from dimred_ref.clinic.stability import AxesStability


@dataclass(frozen=True)
class Finding:
    """A sentence on these data.

    `level` is "good", "look" (know this before you show the map) or "bad" (a hypothesis of a method fails). `see` is a
    page of the book and a place in it.
    """

    level: str
    words: str
    see: str = ""


@dataclass(frozen=True)
class Evidence:
    """All reports on a table; what a method refused is in `refused`."""

    prepared: Prepared
    linear: LinearReport
    setting: Setting
    distances: DistanceReport
    maps: Mapping[str, Map] = field(default_factory=dict)
    refused: Mapping[str, str] = field(default_factory=dict)
    axes: AxesStability | None = None
    map_errors: Mapping[str, Array] = field(default_factory=dict)


def format_percent(share: float | np.floating) -> str:
    """Return a share in per cent."""
    return f"{100 * share:.1f} %"


def format_count(number: int, singular: str, plural: str) -> str:
    """Return a number with the right form of a noun."""
    return f"{number} {singular if number == 1 else plural}"

"""The contracts of the methods, checked on the reader's data.

To add a contract, write a function that yields findings and name it in CONTRACTS.
"""

from collections.abc import Callable, Iterator

from dimred_ref.clinic.evidence import Evidence, Finding
from dimred_ref.clinic.linear_contracts import (
    copies_contract,
    dimension_contract,
    gap_contract,
    outliers_contract,
    size_contract,
    units_contract,
)
from dimred_ref.clinic.map_contracts import (
    bent_contract,
    collapse_contract,
    laplacian_gap_contract,
    mvu_gap_contract,
    pieces_contract,
    quality_contract,
    refusals_contract,
    stability_contract,
)

LEVELS = ("bad", "look", "good")
CONTRACTS: tuple[Callable[[Evidence], Iterator[Finding]], ...] = (
    units_contract,
    size_contract,
    outliers_contract,
    gap_contract,
    dimension_contract,
    copies_contract,
    pieces_contract,
    collapse_contract,
    bent_contract,
    laplacian_gap_contract,
    mvu_gap_contract,
    stability_contract,
    quality_contract,
    refusals_contract,
)


def findings(evidence: Evidence) -> list[Finding]:
    """Return all findings, the bad ones first."""
    everything = [finding for contract in CONTRACTS for finding in contract(evidence)]
    return sorted(everything, key=lambda finding: LEVELS.index(finding.level))

"""The steps of an analysis, one call each, from plain data to plain data: progress and stop lie between two calls.

    answer('{"step": "read"}', content)             → columns, notes, the plan
    answer('{"step": "map", "map": "Isomap", …}', content)

A call names the step and the reader's choices, and brings the file: what earlier steps computed is kept for the last
file and choices, and computed again where it is gone. So a caller that was restarted in between gets the same answers.
"""

import hashlib
import json
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from dimred_ref._arrays import Array
from dimred_ref.clinic.contracts import findings
from dimred_ref.clinic.distances import DistanceReport, distance_report
from dimred_ref.clinic.evidence import Evidence
from dimred_ref.clinic.linear import LinearReport, linear_report
from dimred_ref.clinic.maps import METHODS, Map, Setting, embed, find_setting
from dimred_ref.clinic.paragraph import methods_paragraph
from dimred_ref.clinic.preparation import Choices, Prepared, prepare
from dimred_ref.clinic.script import reproduction_script
from dimred_ref.clinic.stability import STABLE_MAPS, AxesStability, axes_stability, map_stability
from dimred_ref.clinic.table import Table, read_table
from dimred_ref.clinic.text import UnreadableTableError

DIGITS = 6  # significant digits of the coordinates that the page draws


@dataclass
class Analysis:
    """Analysis of one file under some choices; parts are computed at first use."""

    table: Table
    choices: Choices
    maps: dict[str, Map] = field(default_factory=dict)
    refused: dict[str, str] = field(default_factory=dict)
    map_errors: dict[str, Array] = field(default_factory=dict)
    parts: dict[str, Any] = field(default_factory=dict)

    def _once(self, name: str, compute: Any) -> Any:
        if name not in self.parts:
            self.parts[name] = compute()
        return self.parts[name]

    @property
    def prepared(self) -> Prepared:
        """Return the matrix."""
        prepared: Prepared = self._once("prepared", lambda: prepare(self.table, self.choices))
        return prepared

    @property
    def linear(self) -> LinearReport:
        """Return PCA."""
        report: LinearReport = self._once("linear", lambda: linear_report(self.prepared))
        return report

    @property
    def setting(self) -> Setting:
        """Return the rows and parameters of all maps."""
        setting: Setting = self._once("setting", lambda: find_setting(self.prepared))
        return setting

    @property
    def distances(self) -> DistanceReport:
        """Return the report on distances."""
        report: DistanceReport = self._once("distances", lambda: distance_report(self.setting))
        return report

    @property
    def axes(self) -> AxesStability:
        """Return the stability of PCA."""
        stability: AxesStability = self._once("axes", lambda: axes_stability(self.prepared))
        return stability

    def add_map(self, name: str) -> Map | None:
        """Compute a map, or note why its method refuses these data."""
        if name not in self.maps and name not in self.refused:
            try:
                self.maps[name] = embed(name, self.setting)
            except ValueError as error:
                self.refused[name] = str(error)
        return self.maps.get(name)

    def add_map_stability(self, name: str) -> Array | None:
        """Compute the stability of a map; None where a resample refuses."""
        if name not in self.map_errors and name not in self.refused:
            try:
                self.map_errors[name] = map_stability(name, self.setting)
            except ValueError:
                return None
        return self.map_errors.get(name)

    def evidence(self, maps: Sequence[str], stable_maps: Sequence[str]) -> Evidence:
        """Return everything with some of the maps."""
        for name in maps:
            self.add_map(name)
        for name in stable_maps:
            self.add_map_stability(name)
        return Evidence(
            self.prepared,
            self.linear,
            self.setting,
            self.distances,
            {name: self.maps[name] for name in METHODS if name in self.maps},
            dict(self.refused),
            self.axes,
            {name: self.map_errors[name] for name in STABLE_MAPS if name in self.map_errors},
        )


class Session:
    """The last file and the last choices, kept between calls."""

    def __init__(self) -> None:
        """Start without a file."""
        self.key: tuple[str, Choices] | None = None
        self.analysis: Analysis | None = None

    def analysis_of(self, content: bytes, choices: Choices) -> Analysis:
        """Return the analysis of a file under some choices: the kept one, or a new one."""
        key = (hashlib.sha256(content).hexdigest(), choices)
        if self.analysis is None or key != self.key:
            self.analysis = Analysis(read_table(content, header=choices.header), choices)
            self.key = key
        return self.analysis


SESSION = Session()


def answer(request_text: str, content: bytes, session: Session = SESSION) -> str:
    """Run one step; return its result as JSON, or {"error": one line} if the file or the choices cannot be used."""
    request = json.loads(request_text)
    try:
        analysis = session.analysis_of(content, _choices(request.get("choices", {})))
        result = _STEPS[request["step"]](analysis, request)
    except UnreadableTableError as error:
        result = {"error": str(error)}
    except ValueError as error:  # a method's own refusal names the argument and the bound
        result = {"error": f"these data cannot be analysed: {error}"}
    return json.dumps(_plain(result), ensure_ascii=False, allow_nan=False)


def steps(name_of_file: str) -> list[dict[str, str]]:
    """Return the requests of a whole analysis after `read`, each with words for the progress line."""
    return [
        {"step": "linear", "words": "PCA"},
        {"step": "distances", "words": "distances and neighbours"},
        *({"step": "map", "map": name, "words": f"map: {name}"} for name in METHODS),
        {"step": "axes", "words": "stability of PCA"},
        *({"step": "map_stability", "map": name, "words": f"stability: {name}"} for name in STABLE_MAPS),
        {"step": "report", "file": name_of_file, "words": "contracts, text and script"},
    ]


def _choices(wanted: dict[str, Any]) -> Choices:
    known = {name: value for name, value in wanted.items() if name in Choices.__dataclass_fields__}
    return Choices(**{**known, "columns": tuple(known.get("columns", ()))})


def _read(analysis: Analysis, request: dict[str, Any]) -> dict[str, Any]:
    table = analysis.table
    columns = [
        {
            "name": column.name,
            "isNumber": column.numbers is not None,
            "isCounter": column.is_counter,
            "isGrouping": column.is_grouping,
            "missing": column.n_missing,
            "note": column.note,
            "first": list(column.fields[:4]),
        }
        for column in table.columns
    ]
    groups = {column.name: list(column.fields) for column in table.columns if column.is_grouping}
    return {
        "rows": len(table.row_names),
        "rowNames": list(table.row_names[:4]),
        "columns": columns,
        "notes": list(table.notes),
        "groups": groups,
        "plan": steps(request.get("file", "table.csv")),
    }


def _linear(analysis: Analysis, request: dict[str, Any]) -> dict[str, object]:
    prepared, report = analysis.prepared, analysis.linear
    return {
        "rows": prepared.rows,
        "rowNames": list(prepared.row_names),
        "names": list(prepared.names),
        "notes": list(prepared.notes),
        "shares": report.shares,
        "variances": report.variances,
        "totalVariance": report.total_variance,
        "axes": report.axes,
        "correlations": report.correlations[:, :2],
        "scores": _rounded(report.scores[:, :2]),
        "brokenStick": report.n_by_broken_stick,
        "byShare": report.n_by_share,
    }


def _distances(analysis: Analysis, request: dict[str, Any]) -> dict[str, object]:
    setting, report = analysis.setting, analysis.distances
    return {
        "edges": report.edges,
        "counts": report.counts,
        "copies": report.n_copies,
        "contrast": report.contrast,
        "dimensions": [report.dimension_mle, report.dimension_two_nn],
        "stretch": report.geodesic_stretch,
        "negative": report.geodesic_negative_share,
        "k": setting.n_neighbors,
        "chosenBy": setting.chosen_by,
        "pieces": list(setting.pieces),
        "mapped": len(setting.X),
        "reasons": [
            f"k = {k}: {words}" for k, words in zip(setting.candidates, setting.reasons, strict=True)
        ],
    }


def _map(analysis: Analysis, request: dict[str, Any]) -> dict[str, object]:
    name = request["map"]
    fit = analysis.add_map(name)
    if fit is None:
        return {"map": name, "refused": analysis.refused[name]}
    return {
        "map": name,
        "embedding": _rounded(fit.embedding),
        "rows": fit.rows,
        "k": fit.k,
        "gained": fit.gained,
        "kept": fit.kept,
        "area": fit.area,
        "trustworthiness": fit.trustworthiness,
        "continuity": fit.continuity,
        "qualityNeighbours": fit.n_neighbors_of_quality,
        "facts": fit.facts,
    }


def _axes(analysis: Analysis, request: dict[str, Any]) -> dict[str, object]:
    axes = analysis.axes
    return {
        "firstAxisDegrees": axes.first_axis_degrees,
        "planeDegrees": axes.plane_degrees,
        "shareOfPlane": axes.share_of_plane,
    }


def _map_stability(analysis: Analysis, request: dict[str, Any]) -> dict[str, object]:
    return {"map": request["map"], "errors": analysis.add_map_stability(request["map"])}


def _report(analysis: Analysis, request: dict[str, Any]) -> dict[str, object]:
    # after a stop the page names what was computed before it
    evidence = analysis.evidence(request.get("maps", list(METHODS)), request.get("stableMaps", STABLE_MAPS))
    return {
        "findings": [vars(finding) for finding in findings(evidence)],
        "paragraph": methods_paragraph(evidence),
        "script": reproduction_script(evidence, request.get("file", "table.csv")),
    }


_STEPS = {
    "read": _read,
    "linear": _linear,
    "distances": _distances,
    "map": _map,
    "axes": _axes,
    "map_stability": _map_stability,
    "report": _report,
}


def _rounded(points: Array) -> Array:
    """Return coordinates with the digits that a drawing needs."""
    largest = float(np.abs(points).max()) or 1.0
    decimals = DIGITS - int(np.floor(np.log10(largest))) - 1
    return points.round(decimals)


def _plain(value: object) -> Any:
    """Return arrays as lists, and numbers that JSON does not know as None."""
    if isinstance(value, dict):
        return {key: _plain(entry) for key, entry in value.items()}
    if isinstance(value, list | tuple):
        return [_plain(entry) for entry in value]
    if isinstance(value, np.ndarray):
        return _plain(value.tolist())
    if isinstance(value, float | np.floating):
        return float(value) if np.isfinite(value) else None
    return int(value) if isinstance(value, np.integer) else value

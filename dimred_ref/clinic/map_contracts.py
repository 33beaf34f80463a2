"""Contracts of neighbourhood graphs and of the maps made from them, checked on the reader's data."""

from collections.abc import Iterator

from scipy.sparse.csgraph import connected_components

from dimred_ref.clinic.evidence import Evidence, Finding, format_count, format_percent
from dimred_ref.clinic.maps import MAX_SLOW_ROWS, Setting
from dimred_ref.graph import knn_graph

WIDE_ANGLE_DEGREES = 30.0
UNSTABLE_MAP = 0.5  # Procrustes error
MVU_GAP = 1e-6
POOR_AREA = 0.25
NEAR_ZERO_EIGENVALUE = 1e-3


def pieces_contract(evidence: Evidence) -> Iterator[Finding]:
    """Check that the neighbourhood graph is connected."""
    setting = evidence.setting
    k = setting.n_neighbors
    if len(setting.pieces) > 1:
        sizes = ", ".join(map(str, setting.pieces[:6])) + (", …" if len(setting.pieces) > 6 else "")
        yield Finding(
            "bad",
            f"k = {k} gives {format_count(len(setting.pieces), 'piece', 'pieces')} (of {sizes} points): "
            "Isomap, LLE, Laplacian eigenmaps and MVU "
            f"show the largest only.{_joining(setting)}",
            "isomap_limits#sec-isomap-failures",
        )
        return
    source = {"data": "chosen from the data", "reader": "your choice", "default": "the default"}[
        setting.chosen_by
    ]
    yield Finding(
        "good", f"k = {k} ({source}) joins all {len(setting.X)} points.", "choosing#sec-choosing-dimension"
    )
    if k > setting.X.shape[1]:
        yield Finding(
            "look",
            f"k = {k} neighbours in {setting.X.shape[1]} dimensions: the weights of LLE are not unique, "
            "the ridge decides.",
            "lle#sec-lle-ridge",
        )


def _joining(setting: Setting) -> str:
    size = len(setting.X)
    for k in range(setting.n_neighbors + 1, min(size, 61)):
        if connected_components(knn_graph(setting.X, k), directed=False)[0] == 1:
            return f" The graph is connected from k = {k} on."
    return " No k up to 60 joins them: analyse the pieces one by one."


def collapse_contract(evidence: Evidence) -> Iterator[Finding]:
    """Name the number of neighbours at which paths collapse."""
    setting = evidence.setting
    collapsed = [
        k for k, words in zip(setting.candidates, setting.reasons, strict=True) if "short-circuit" in words
    ]
    if collapsed:
        yield Finding(
            "look",
            f"From k = {collapsed[0]} on path lengths collapse: a short-circuit edge. k = "
            f"{setting.n_neighbors} is below.",
            "choosing#sec-choosing-dimension",
        )


def bent_contract(evidence: Evidence) -> Iterator[Finding]:
    """Compare paths along the data with straight lines."""
    stretch, negative = evidence.distances.geodesic_stretch, evidence.distances.geodesic_negative_share
    if stretch is None or negative is None:
        return
    bent = "bent: a nonlinear map may pay" if stretch > 1.5 else "hardly bent: expect little beyond PCA"
    yield Finding(
        "look" if stretch > 1.5 else "good",
        f"Paths along the data are {stretch:.2f} times as long as straight lines (median): the data are "
        f"{bent}.",
        "isomap#sec-isomap-manifold",
    )
    if negative > 0.1:
        yield Finding(
            "look",
            f"Path lengths are not Euclidean: {format_percent(negative)} of the spectrum is negative, and "
            "Isomap drops it.",
            "classical_mds#sec-classical-mds-which",
        )


def laplacian_gap_contract(evidence: Evidence) -> Iterator[Finding]:
    """Check that no two groups hang together by few edges."""
    fit = evidence.maps.get("Laplacian eigenmaps")
    if fit is None or "second eigenvalue" not in fit.facts:
        return
    first, second = float(fit.facts["first eigenvalue"]), float(fit.facts["second eigenvalue"])
    if first < NEAR_ZERO_EIGENVALUE < 10 * first < second:
        yield Finding(
            "look",
            f"The first eigenvalue of the Laplacian is {first:.1e}, the second {second:.1e}: two groups "
            "hang together by few edges, and "
            "the first coordinate only tells them apart.",
            "laplacian_eigenmaps#sec-laplacian-eigenmaps-zero",
        )


def mvu_gap_contract(evidence: Evidence) -> Iterator[Finding]:
    """Report what the certificate of MVU proves."""
    unfolding = evidence.maps.get("MVU")
    if unfolding is None:
        return
    gap, share = float(unfolding.facts["gap"]), float(unfolding.facts["share of variance in the plane"])
    proved = f"MVU gap {gap:.0e}: no unfolding of these edges is wider by more than that factor"
    if gap > MVU_GAP:
        yield Finding(
            "look", f"MVU gap {gap:.0e}: the unfolding may not be the widest.", "mvu_dual#sec-mvu-certificate"
        )
    else:
        sampled = f" ({len(unfolding.rows)} points)" if len(unfolding.rows) == MAX_SLOW_ROWS["MVU"] else ""
        yield Finding(
            "good",
            f"{proved}{sampled}; the plane shows {format_percent(share)} of it.",
            "mvu_dual#sec-mvu-certificate",
        )


def stability_contract(evidence: Evidence) -> Iterator[Finding]:
    """Report how resamples turn the plane and change the maps."""
    axes = evidence.axes
    if axes is not None and axes.plane_degrees is not None:
        median, high = axes.plane_degrees[1:]
        level = "good" if high < WIDE_ANGLE_DEGREES else "bad" if median > WIDE_ANGLE_DEGREES else "look"
        yield Finding(
            level,
            f"Over bootstrap samples the plane of PCA turns by {median:.0f}° (median; 95 %: {high:.0f}°).",
            "svd_stability#thm-svd-davis-kahan",
        )
    shaky = [name for name, errors in evidence.map_errors.items() if errors[1] > UNSTABLE_MAP]
    if shaky:
        yield Finding(
            "look",
            f"Without a fifth of the points {', '.join(shaky)} {'gives' if len(shaky) == 1 else 'give'} "
            "another map (Procrustes error above "
            f"{UNSTABLE_MAP}): do not interpret single positions.",
            "isomap_limits#sec-isomap-points",
        )


def quality_contract(evidence: Evidence) -> Iterator[Finding]:
    """Compare the maps by kept neighbours."""
    whole = {name: fit for name, fit in evidence.maps.items() if len(fit.rows) == len(evidence.setting.X)}
    if "PCA" not in whole:
        return
    best = max(whole.values(), key=lambda fit: fit.area)
    linear = whole["PCA"]
    rest = "no other map keeps more" if best is linear else f"PCA has {linear.area:.2f}"
    words = f"Neighbours are kept best by {best.name} (area {best.area:.2f}); {rest}."
    if best.area < POOR_AREA:
        yield Finding(
            "bad", f"{words} All maps lose most neighbourhoods.", "choosing#sec-choosing-rank-curves"
        )
    else:
        yield Finding("good", words, "choosing#sec-choosing-rank-curves")


def refusals_contract(evidence: Evidence) -> Iterator[Finding]:
    """Pass on why a method refused these data."""
    for name, words in evidence.refused.items():
        yield Finding("look", f"{name} was refused: {words}.")

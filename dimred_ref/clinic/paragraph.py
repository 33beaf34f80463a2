"""The paragraph for a methods section: what was done, with every number and choice a reader of a paper "
"needs."""

from collections.abc import Iterator

from dimred_ref.clinic.evidence import Evidence
from dimred_ref.clinic.maps import MAX_MVU_NEIGHBORS, MAX_SLOW_ROWS, perplexity_for
from dimred_ref.clinic.preparation import MISSING_RULES, SEED
from dimred_ref.clinic.stability import N_BOOTSTRAPS, N_SUBSAMPLES, SUBSAMPLE_SHARE

SCALING_WORDS = {
    "standardise": "standardised to mean 0 and variance 1",
    "centre": "centred and kept in their units",
    "log": "log-transformed, then standardised to mean 0 and variance 1",
}
CHOICE_WORDS = {
    "data": "the largest number before shortest paths collapse",
    "reader": "chosen beforehand",
    "default": "a default, as no number joined all points",
}


def methods_paragraph(evidence: Evidence) -> str:
    """Return plain sentences on data, scaling, PCA, the maps, their quality and stability."""
    return " ".join([_data(evidence), _linear(evidence), _maps(evidence), _stability(evidence), _software()])


def _data(evidence: Evidence) -> str:
    prepared = evidence.prepared
    n_rows, n_columns = prepared.X.shape
    columns = ", ".join(prepared.names) if n_columns <= 12 else f"{prepared.names[0]} to {prepared.names[-1]}"
    missing = [note for note in prepared.notes if "missing" in note]
    treated = (
        f" Missing entries: {MISSING_RULES[prepared.choices.missing]} ({missing[0]})." if missing else ""
    )
    drawn = [note for note in prepared.notes if "at random" in note]
    return (
        f"We analysed {n_rows} observations of {n_columns} variables ({columns}), "
        f"{SCALING_WORDS[prepared.choices.scaling]}.{treated}"
        + (f" {drawn[0].capitalize()}." if drawn else "")
    )


def _linear(evidence: Evidence) -> str:
    report = evidence.linear
    shares = " and ".join(f"{100 * share:.1f} %" for share in report.shares[:2])
    enough = f"; {report.n_by_share} components reach 90 %" if report.n_by_share else ""
    return f"The first two principal components explain {shares} of the variance{enough}."


def _maps(evidence: Evidence) -> str:
    setting, fits = evidence.setting, evidence.maps
    if not fits:
        return ""
    size = len(setting.X)
    drawn = (
        f" of {size} observations drawn at random (seed {SEED})" if size < len(evidence.prepared.X) else ""
    )
    names = list(fits)
    listed = f"{', '.join(names[:-1])} and {names[-1]}" if len(names) > 1 else names[0]
    settings = [
        f"neighbourhood methods with k = {setting.n_neighbors} neighbours ({CHOICE_WORDS[setting.chosen_by]})",
        f"kernel PCA with a Gaussian kernel of γ = {setting.gamma:.4g} (one over the median squared distance)",
    ]
    if "diffusion maps" in fits:
        settings.append(f"diffusion maps with γ = {4 * setting.gamma:.4g}, α = 1, t = 1")
    if "t-SNE" in fits:
        settings.append(f"t-SNE with perplexity {perplexity_for(len(fits['t-SNE'].rows)):g}, started at PCA")
    sentence = f"Two-dimensional maps{drawn} were computed by {listed}, {', '.join(settings)}."
    areas = ", ".join(f"{name} {fit.area:.2f}" for name, fit in fits.items())
    quality = f"Areas under R_NX(k), averaged over log k, were: {areas}."
    return " ".join([sentence, *_limits(evidence), quality])


def _limits(evidence: Evidence) -> Iterator[str]:
    """Yield sentences on the points and neighbours that methods did not use."""
    setting, fits = evidence.setting, evidence.maps
    if len(setting.pieces) > 1:
        yield (
            f"The neighbourhood graph has {len(setting.pieces)} components; graph methods show the "
            f"largest, of {setting.pieces[0]} points."
        )
    for name, fit in fits.items():
        if len(fit.rows) == MAX_SLOW_ROWS.get(name):
            yield f"{name} was computed for {MAX_SLOW_ROWS[name]} points."
    if "MVU" in fits and setting.n_neighbors > MAX_MVU_NEIGHBORS:
        yield f"MVU had k = {MAX_MVU_NEIGHBORS}."


def _stability(evidence: Evidence) -> str:
    if evidence.axes is None or evidence.axes.plane_degrees is None:
        return ""
    median, high = evidence.axes.plane_degrees[1:]
    sentence = (
        f"Over {N_BOOTSTRAPS} bootstrap samples the plane of PCA turned by {median:.1f}° (median; 95 %: "
        f"{high:.1f}°)."
    )
    if evidence.map_errors:
        errors = ", ".join(f"{name} {values[1]:.2f}" for name, values in evidence.map_errors.items())
        draws = f"maps of {100 * SUBSAMPLE_SHARE:.0f} % of the points ({N_SUBSAMPLES} draws)"
        sentence += f" Median Procrustes errors of {draws} were: {errors}."
    return sentence


def _software() -> str:
    return "Computations: dimred_ref (NumPy, SciPy); the script that repeats them is supplied."

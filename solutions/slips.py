"""What goes wrong in every chapter of this subject, written once: centring, standardising, rows for samples.

The engine tries each of these on every table that a task is given; a wrong answer that one of them gives is told so.
"""

import numpy as np

from autograder.judging.slips import InputSlip
from solutions.numbers import Array


def _table(X: Array) -> Array:
    if X.ndim != 2 or len(X) < 2:
        raise ValueError("only tables have samples and features")
    return X


def _mirrored(X: Array) -> Array:
    """X above −X has mean zero and the second moments of X: whoever centres it sees the moments about the origin."""
    return np.vstack([X, -X])


def _moved(X: Array) -> Array:
    """All samples and their means, moved by the same vector."""
    return X + 7.0 * np.arange(1, X.shape[-1] + 1)


not_centred = InputSlip(
    "not centred",
    "{it} is what comes out about the origin: {what} was not centred.",
    lambda X: _mirrored(_table(X)),
    see="eq-covariance-centred",
    rows_added=True,
)
centred = InputSlip(
    "centred",
    "{it} is what comes out when {what} is centred first; here it should be taken as it is.",
    lambda X: X - _table(X).mean(axis=0),
    moot_under=_moved,
)
centred_by_rows = InputSlip(
    "rows centred",
    "{it} is what comes out when each row of {what} loses its own mean: rows are samples, means belong to features.",
    lambda X: X - _table(X).mean(axis=1, keepdims=True),
)
rows_for_columns = InputSlip(
    "rows centred, not columns",
    "{it} is what comes out when the mean of each row of {what} is subtracted instead of the mean of each column.",
    lambda X: _mirrored(X - _table(X).mean(axis=1, keepdims=True)),
    rows_added=True,
)
one_mean_for_all = InputSlip(
    "grand mean removed",
    "{it} is what comes out when one single number, the mean of all entries, is subtracted from {what}.",
    lambda X: _mirrored(X - _table(X).mean()),
    rows_added=True,
)
about_the_first = InputSlip(
    "about the first sample",
    "{it} is what comes out when the first row of {what} is subtracted instead of the mean.",
    lambda X: _mirrored(X - _table(X)[0]),
    rows_added=True,
)
about_the_median = InputSlip(
    "about the median",
    "{it} is what comes out when the median of each column of {what} is subtracted instead of its mean.",
    lambda X: _mirrored(X - np.median(_table(X), axis=0)),
    rows_added=True,
)
standardised = InputSlip(
    "standardised",
    "{it} is what comes out when every feature of {what} is scaled to variance one first; here units are kept.",
    lambda X: (X - _table(X).mean(axis=0)) / X.std(axis=0),
)
standardised_by_n_minus_one = InputSlip(
    "standardised by N − 1",
    "{it} is what comes out when every feature of {what} is scaled to sample variance one first (with N − 1).",
    lambda X: (X - _table(X).mean(axis=0)) / X.std(axis=0, ddof=1),
)
scaled_only = InputSlip(
    "scaled to variance one, not centred",
    "{it} is what comes out when every feature of {what} is divided by its standard deviation first.",
    lambda X: X / _table(X).std(axis=0),
)
samples_for_features = InputSlip(
    "Gram for covariance",
    "{it} is what comes out when samples and features of {what} are exchanged: products between samples, not features.",
    lambda X: _table(X - X.mean(axis=0)).T,
)

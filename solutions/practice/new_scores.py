"""Task `new_scores`: scores of new samples, with mean, deviations and directions of the training samples."""

import numpy as np

from autograder.authoring import task
from autograder.judging.sameness import up_to_column_signs
from dimred_ref.pca import pca
from dimred_ref.practice import standardisation
from solutions.numbers import Array, one_of, small_gap

UNITS = (0.01, 0.1, 1.0, 10.0, 100.0)


@task.code(points=3, minutes=15, see="sec-practice-model", same=up_to_column_signs)
def new_scores(train: Array, new: Array, n_components: int) -> Array:
    """z = V_dᵀS⁻¹(x − μ), with μ, S and V of the training samples (contract-practice)."""
    fit = standardisation(train)
    return fit.transform(new) @ _directions(fit.embedding, n_components)


@new_scores.draw
def draw(rng: np.random.Generator) -> task.Cases:
    """Several new samples, a single one, and few from far away; features in different units."""
    return {
        "several new samples": _split(rng, 12, 5, 3) | {"n_components": 2},
        "a single new sample": _split(rng, 10, 1, 4) | {"n_components": 2},
        "samples of another kind": _split(rng, 9, 3, 3, far=2.0) | {"n_components": 1},
    }


def _split(
    rng: np.random.Generator, n_train: int, n_new: int, n_features: int, far: float = 0.5
) -> dict[str, Array]:
    """Training samples whose correlation matrix has open gaps, and new ones that lie elsewhere on the whole."""
    strengths = np.array([1.0, 0.55, 0.3, 0.2])[:n_features]
    units = np.array([one_of(rng, UNITS) for _ in range(n_features)])
    while True:
        directions = np.linalg.qr(rng.normal(size=(n_features, n_features)))[0]
        table = rng.normal(size=(n_train + n_new, n_features)) * strengths @ directions
        table[n_train:] += far * rng.choice([-1.0, 1.0], size=n_features)
        table[1] = table[0]  # measured twice, and so it counts twice
        offsets = rng.uniform(-4.0, 4.0, size=n_features)
        rounded = np.round(np.round(table + offsets, 2) * units, 4)
        if small_gap(standardisation(rounded[:n_train]).embedding, min(2, n_features)) is None:
            return {"train": rounded[:n_train], "new": rounded[n_train:]}


@new_scores.hard
def hard(rng: np.random.Generator) -> task.Cases:
    """One feature, whole numbers, huge units, the training samples themselves."""
    one = {"train": np.round(rng.normal(size=(6, 1)), 1), "new": np.array([[2.5], [-1.0]])}
    whole = {name: np.round(1000 * part).astype(int) for name, part in _split(rng, 10, 4, 3).items()}
    again = _split(rng, 9, 2, 3)["train"]
    return {
        "one feature": one | {"n_components": 1},
        "whole numbers": whole | {"n_components": 2},
        "huge units": {k: 1e6 * part for k, part in _split(rng, 8, 3, 3).items()} | {"n_components": 1},
        "the training samples": {"train": again, "new": again, "n_components": 2},
    }


@new_scores.ill_posed
def _is_ill_posed(train: Array, new: Array, n_components: int) -> str | None:
    return small_gap(standardisation(train).embedding, n_components)


def _directions(deviations: Array, n_components: int) -> Array:
    return pca(deviations, n_components).axes


def _alone(train: Array, new: Array, n_components: int) -> str | None:
    return "a single sample has no deviation of its own" if len(new) < 2 else None


@new_scores.wrong(
    "The new samples were measured by their own mean and deviations, so that equal measurements get different scores "
    "in different company. Mean and deviations belong to the model.",
    indefinite=_alone,
)
def standardised_new_by_themselves(train: Array, new: Array, n_components: int) -> Array:
    """Mean and deviations of the new samples for the new samples."""
    own = (new - new.mean(axis=0)) / np.where(new.std(axis=0) > 0, new.std(axis=0), 1.0)
    return own @ _directions(standardisation(train).embedding, n_components)


@new_scores.wrong(
    "The new samples lost their own mean, and with it where they lie among the training samples."
)
def centred_new_by_themselves(train: Array, new: Array, n_components: int) -> Array:
    """The mean of the new samples, the deviations of the old."""
    fit = standardisation(train)
    return (new - new.mean(axis=0)) / fit.scale @ _directions(fit.embedding, n_components)


@new_scores.wrong("The new samples took part in the fit: the score of one of them depends on the others.")
def fitted_on_all_samples(train: Array, new: Array, n_components: int) -> Array:
    """Training and new samples in one table."""
    fit = standardisation(np.vstack([train, new]))
    return fit.transform(new) @ _directions(fit.embedding, n_components)


@new_scores.wrong(
    "The features kept their units here, and the one with the largest numbers decides.",
    see="eq-practice-standardised",
)
def kept_the_units(train: Array, new: Array, n_components: int) -> Array:
    """Centre, and do not scale."""
    return (new - train.mean(axis=0)) @ _directions(train, n_components)


@new_scores.wrong(
    "All features were divided by one number, the deviation of the whole table. Each feature has a deviation of its "
    "own (`axis=0`).",
    see="eq-practice-standardised",
)
def divided_by_one_deviation_for_all(train: Array, new: Array, n_components: int) -> Array:
    """The deviation of all entries of the table, the same for every feature."""
    return kept_the_units(train, new, n_components) / train.std()


@new_scores.wrong(
    "These are scores in a model of the new samples. The model belongs to the training samples; the new ones are only "
    "placed in it.",
    indefinite=_alone,
)
def fitted_on_the_new(train: Array, new: Array, n_components: int) -> Array:
    """The model of the new samples."""
    return new_scores(new, new, n_components)


@new_scores.wrong(
    "The new samples are standardised, but the directions are those of a table that is not.",
    see="thm-practice-standardised",
)
def took_directions_of_raw_data(train: Array, new: Array, n_components: int) -> Array:
    """Standardise the new samples, but take the directions of the raw table."""
    return standardisation(train).transform(new) @ _directions(train, n_components)


@new_scores.wrong(
    "The new samples were not centred: the mean of the training samples should have score zero, and here it does not.",
    see="eq-practice-scores",
)
def did_not_centre_the_new(train: Array, new: Array, n_components: int) -> Array:
    """Scale the new samples, and leave them where they are."""
    fit = standardisation(train)
    return new / fit.scale @ _directions(fit.embedding, n_components)


@new_scores.wrong(
    "The directions are those of standardised features, but the new samples are still in the units of the table.",
    see="eq-practice-standardised",
)
def did_not_scale_the_new(train: Array, new: Array, n_components: int) -> Array:
    """Centre the new samples, and leave them in their units."""
    fit = standardisation(train)
    return (new - fit.mean) @ _directions(fit.embedding, n_components)


@new_scores.wrong(
    "Divided by its variance, a feature has a unit again. Standardised numbers have none.",
    see="eq-practice-standardised",
)
def divided_by_variances(train: Array, new: Array, n_components: int) -> Array:
    """s² for s."""
    fit = standardisation(train)
    return (new - fit.mean) / fit.scale**2 @ _directions(train / fit.scale**2, n_components)


@new_scores.wrong(
    "Right up to a factor near one: deviations have the divisor N in this course.",
    see="eq-practice-standardised",
    credit=0.5,
)
def divided_by_n_minus_one(train: Array, new: Array, n_components: int) -> Array:
    """Deviations with N − 1."""
    return new_scores(train, new, n_components) * np.sqrt((len(train) - 1) / len(train))


@new_scores.wrong(
    "Along these directions the training samples vary least. In which order does the eigensolver return its pairs?",
    see="eq-practice-scores",
)
def took_the_weakest_components(train: Array, new: Array, n_components: int) -> Array:
    """The first columns of an eigensolver that sorts upwards."""
    fit = standardisation(train)
    return fit.transform(new) @ _directions(fit.embedding, train.shape[1])[:, ::-1][:, :n_components]


@new_scores.also
def by_svd(train: Array, new: Array, n_components: int) -> Array:
    """Mean and deviations by hand, directions by the singular value decomposition."""
    mean, deviations = train.mean(axis=0), train.std(axis=0)
    _, _, Vt = np.linalg.svd((train - mean) / deviations, full_matrices=False)
    return (new - mean) / deviations @ Vt[:n_components].T


@new_scores.also
def by_correlations(train: Array, new: Array, n_components: int) -> Array:
    """Directions from the correlation matrix."""
    values, V = np.linalg.eigh(np.atleast_2d(np.corrcoef(train, rowvar=False)))
    V = V[:, np.argsort(-values)[:n_components]]
    return (new - np.mean(train, axis=0)) / np.std(train, axis=0) @ V


new_scores.announces(
    "perhaps a single one", "a single new sample", lambda train, new, n_components: len(new) == 1
)

"""Where numpy cannot notice a singular matrix, its result is looked at: the same exceptions as elsewhere."""

import numpy as np
import pytest

from autograder.judging.wasm import RAISES, raising

BROKEN = {
    "inv": "Singular",
    "solve": "Singular",
    "cholesky": "not positive",
    "svd": "converge",
    "pinv": "converge",
}


@pytest.mark.parametrize("name", RAISES)
def test_a_result_that_is_not_a_number_is_refused_with_numpys_own_words(name):
    broken = raising(name, lambda matrix: np.full_like(matrix, np.nan))
    with pytest.raises(np.linalg.LinAlgError, match=BROKEN[name]):
        broken(np.eye(2))


def test_nan_given_to_inv_is_nan_returned_as_numpy_does():
    given = np.full((2, 2), np.nan)
    assert np.isnan(raising("inv", np.linalg.inv)(given)).all()


def test_a_good_matrix_passes_through_and_so_do_options():
    checked = raising("svd", np.linalg.svd)
    assert checked(np.eye(3), full_matrices=False).S.tolist() == [1, 1, 1]
    assert checked(np.eye(3), compute_uv=False).tolist() == [1, 1, 1]

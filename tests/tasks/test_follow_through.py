"""A later function that leans on an earlier one is judged on its own logic: one mistake costs once."""

import itertools

import numpy as np
import pytest

from autograder.answers import attempt
from autograder.answers.stubs import TableStub, is_right_result, table_stubs
from autograder.authoring.mutants import mutants
from autograder.authoring.topic import load_tasks, read_notebook_text, solutions
from autograder.course.course import Course
from autograder.judging.check import verdict_on
from autograder.judging.follow_through import calls_of, is_replaceable
from autograder.judging.judge import judge
from autograder.release.draw import draw_task, rng_from_words, task_key
from tests.conftest import ROOT

# By topic: an earlier function done wrong, and a later one that is right if the earlier one were.
LEANING = {
    ("toolkit", "projector"): """
def gram_schmidt(A):
    return A / np.linalg.norm(A, axis=0)

def projector(A):
    Q = gram_schmidt(A)
    return Q @ Q.T
""",
    ("covariance", "squared_distances"): """
def covariance_matrix(X, ddof):
    return np.cov(X)

def squared_distances(X):
    C, away = covariance_matrix(X, ddof=0), X - X.mean(axis=0)
    return np.einsum("ij,jk,ik->i", away, np.linalg.inv(C), away)
""",
    ("pca", "reconstruct"): """
def scores(X, n_components):
    return (X @ np.linalg.eigh(X.T @ X)[1])[:, :n_components]

def principal_axes(X, n_components):
    values, vectors = np.linalg.eigh(X.T @ X)
    return vectors[:, :n_components], values[:n_components]

def reconstruct(X, n_components):
    V, _ = principal_axes(X, n_components)
    return X.mean(axis=0) + scores(X, n_components) @ V.T
""",
    ("svd", "best_approximation"): """
def rank_one_terms(A):
    U, s, Vt = np.linalg.svd(A, full_matrices=False)
    return U.T[:, :, None] * Vt[:, None, :]

def best_approximation(A, k):
    terms = rank_one_terms(A)
    sizes = np.linalg.norm(terms, axis=(1, 2))
    return terms[:k].sum(axis=0), sizes[k], np.sqrt(np.sum(sizes[k:] ** 2))
""",
    ("least_squares", "shortest_solution"): """
def pseudo_inverse(A, rtol):
    return A.T

def shortest_solution(X, y):
    return pseudo_inverse(X, 1e-10) @ y
""",
    ("classical_mds", "classical_map"): """
def double_centre(distances):
    return -distances / 2

def classical_map(distances, n_components):
    values, vectors = np.linalg.eigh(double_centre(distances))
    values, vectors = values[::-1][:n_components], vectors[:, ::-1][:, :n_components]
    return vectors * np.sqrt(np.maximum(values, 0))
""",
    ("kernel_pca", "kernel_scores"): """
def centred_kernel(K):
    return K - K.mean(axis=0)

def kernel_scores(K, n_components):
    values, vectors = np.linalg.eigh(centred_kernel(K))
    return (vectors * np.sqrt(np.abs(values)))[:, ::-1][:, :n_components]
""",
    ("isomap", "unrolled"): """
def neighbor_graph(X, n_neighbors):
    return np.linalg.norm(X[:, None] - X, axis=2)

def path_lengths(lengths):
    return np.where(np.isfinite(lengths), lengths, 0) + 1

def unrolled(X, n_neighbors, n_components):
    squares = path_lengths(neighbor_graph(X, n_neighbors)) ** 2
    J = np.eye(len(X)) - 1 / len(X)
    values, vectors = np.linalg.eigh(-J @ squares @ J / 2)
    return (vectors * np.sqrt(np.abs(values)))[:, ::-1][:, :n_components]
""",
    ("least_squares", "all_solutions"): """
def shortest_solution(X, y):
    return 0 * X[0]

def all_solutions(X, y):
    _, sizes, Vt = np.linalg.svd(X)
    return shortest_solution(X, y), Vt[np.sum(sizes > 1e-10 * sizes[0]) :].T
""",
}


# A key writes ten digits. Where singular values lie near the tolerance, a pseudo-inverse needs more of them, so the
# table of the notebook does not suffice there; when grading, stand-ins compute.
DIGITS_SUFFICE = {("least_squares", "shortest_solution"): 0.75}


def written(source):
    import numpy as np

    names = {"np": np}
    exec(source, names)
    return names


def keys(course, topic, name):
    drawn = draw_task(f"{topic}.{name}", load_tasks(course, topic)[name], "5", "secret")
    return drawn.public, drawn.secret


def test_what_is_leant_on_here_follows_another(course):
    following = {
        (topic, name)
        for topic in course.topics()
        for name, task in load_tasks(course, topic).items()
        if task.follows
    }
    assert set(LEANING) <= following


@pytest.mark.parametrize(("topic", "name"), LEANING)
def test_a_mistake_in_an_earlier_function_costs_nothing_here(course, topic, name):
    names = written(LEANING[topic, name])
    for key in keys(course, topic, name):
        verdict = verdict_on(name, key, names[name])
        assert verdict.fraction == DIGITS_SUFFICE.get((topic, name), 1), verdict.message
        assert "counted there only" in verdict.message


@pytest.mark.parametrize(("topic", "name"), LEANING)
def test_its_own_mistakes_count(course, topic, name):
    names = written(LEANING[topic, name])
    function = names[name]

    def spoilt(*inputs):
        answer = function(*inputs)
        return tuple(2 * part for part in answer) if isinstance(answer, tuple) else 2 * answer

    spoilt = type(function)(spoilt.__code__, names, name, None, spoilt.__closure__)
    left = 0.5 if name == "all_solutions" else 0  # a basis of doubled vectors is a basis
    for key in keys(course, topic, name):
        assert verdict_on(name, key, spoilt).fraction == left


# Put in place of an earlier function, these are no attempt at it: nothing stands in for them.
NOT_WRITTEN = {
    "blank": lambda *_: None,
    "raises": lambda *_: 1 / 0,
    "NaN": lambda *inputs: np.nan * np.asarray(inputs[0]),
    "text": lambda *_: "scores",
    "its argument": lambda *inputs: inputs[0],
    "a copy of its argument": lambda *inputs: np.array(inputs[0]),
}


@pytest.mark.parametrize("kind", NOT_WRITTEN)
@pytest.mark.parametrize(("topic", "name"), [("pca", "reconstruct"), ("kernel_pca", "kernel_scores")])
def test_a_function_that_is_not_written_has_no_stand_in(course, topic, name, kind):
    names = written(LEANING[topic, name])
    earlier = [one.name for one in load_tasks(course, topic)[name].follows]
    for key in keys(course, topic, name):
        assert verdict_on(name, key, names[name]).passed
        names.update(dict.fromkeys(earlier, NOT_WRITTEN[kind]))
        assert verdict_on(name, key, names[name]).fraction == 0
        names = written(LEANING[topic, name])


def attempts_at(task, function):
    return task_key(task, task.draw(rng_from_words("kind", task.see))), [
        attempt.call_answer(function, case.inputs)
        for case in task_key(task, task.draw(rng_from_words("kind", task.see))).cases
    ]


@pytest.mark.parametrize(
    ("function", "expected"),
    [
        (lambda X, k: X[:, :k] + 1.0, True),  # wrong, of the right form
        (lambda X, k: (X @ np.linalg.svd(X)[2].T)[:, :k], True),  # not centred: a known mistake
        (lambda X, k: X, False),
        (lambda X, k: 5.0, False),
        (lambda X, k: np.zeros((3, 1)), False),
        (lambda X, k: X.sum() * np.ones((2, 2)), False),  # another on every case, of another shape
        (lambda X, k: np.full((len(X), k), np.nan), False),
        (lambda X, k: None, False),
        (lambda X, k: X[:, 100], False),
    ],
)
def test_only_answers_of_the_right_kind_make_a_function_replaceable(course, function, expected):
    key, attempts = attempts_at(load_tasks(course, "pca")["scores"], function)
    assert is_replaceable(key, attempts, judge("scores", key, attempts)) is expected


def test_infinite_numbers_are_an_answer_where_the_right_one_has_some():
    lengths = np.array([[0.0, 1.0], [1.0, 0.0]])
    assert not is_right_result(np.where(lengths, np.nan, 1), [lengths], np.array([np.inf]))
    assert is_right_result(np.where(lengths, 2, np.inf), [lengths], (1.0, np.array([np.inf])))
    assert not is_right_result(np.where(lengths, 2, np.inf), [lengths], np.array([1.0]))


@pytest.mark.parametrize(
    ("topic", "name"), [("toolkit", "rayleigh_quotient"), ("svd", "smallest_value"), ("isomap", "joining_k")]
)
def test_a_constant_is_not_replaceable(course, topic, name):
    """Its answers have the right shape on every case: that alone must not do."""
    task = load_tasks(course, topic)[name]
    key, right = attempts_at(task, task.answer)
    same = [right[0]] * len(right)
    assert len({np.shape(attempt.value) for attempt in right}) == 1
    assert not is_replaceable(key, same, judge("x", key, same))


@pytest.mark.parametrize(
    ("topic", "name"),
    [("kernel_pca", "centred_kernel"), ("isomap", "path_lengths"), ("toolkit", "gram_schmidt")],
)
def test_a_copy_of_an_argument_is_not_replaceable(course, topic, name):
    """It is finite, of the right shape and differs from case to case: that alone must not do."""
    key, copies = attempts_at(load_tasks(course, topic)[name], lambda *inputs: np.array(inputs[0]))
    assert not is_replaceable(key, copies, judge("x", key, copies))


def leaning_solutions():
    """The notebooks' own functions that call an earlier one by which a key can stand in."""
    course = Course(ROOT)
    for topic in course.topics():
        for name, task in load_tasks(course, topic).items():
            own = solutions(course, topic).get(name)
            called = getattr(own, "__code__", None) and set(own.__code__.co_names)
            for earlier in task.follows:
                if called and earlier.name in called:
                    yield pytest.param(topic, name, earlier, id=f"{topic}.{name} by {earlier.name}")


def answers(function, given):
    """Does a wrong function return an answer on the inputs for which the key has one?"""
    try:
        calls = [(call["inputs"].values(), call["answer"]) for call in given.get("calls", [given])]
        return all(is_right_result(function(*inputs), inputs, right) for inputs, right in calls)
    except Exception:
        return False


@pytest.mark.parametrize(("topic", "name", "earlier"), list(leaning_solutions()))
def test_with_any_wrong_earlier_function_the_solution_that_calls_it_earns_full_marks(
    course, topic, name, earlier
):
    own = solutions(course, topic)[name]
    key = task_key(
        load_tasks(course, topic)[name], load_tasks(course, topic)[name].draw(rng_from_words("lean", name))
    )
    right = own.__globals__[earlier.name]
    try:
        for wrong in itertools.islice(mutants(right), 0, 40, 8):
            own.__globals__[earlier.name] = wrong.function
            tried = all(answers(wrong.function, case.given[earlier.name]) for case in key.cases)
            assert verdict_on(name, key, own).passed or not tried, wrong.word
    finally:
        own.__globals__[earlier.name] = right


@pytest.mark.parametrize("topic", ["toolkit", "covariance", "pca", "svd", "least_squares", "isomap"])
def test_followed_functions_are_earlier_ones_of_the_notebook(course, topic):
    text = read_notebook_text(course, topic)
    for name, task in load_tasks(course, topic).items():
        for earlier in task.follows:
            assert 0 <= text.index(f"def {earlier.name}(") < text.index(f"def {name}(")


def test_a_stand_in_answers_what_it_knows_and_hands_on_the_rest():
    stand_in = TableStub({"inputs": {"X": [1.0, 2.0], "k": 3}, "answer": "right"}, lambda *_, **__: 7)
    assert stand_in([1.0, 2.0], 3) == "right"
    assert stand_in([1.0, 2.0], k=3) == "right"
    assert stand_in(k=3, X=[1.0, 2.0 + 1e-12]) == "right"
    assert stand_in([1.0, 2.0], 3, 1e-9) == "right"  # an argument that the task did not name
    assert stand_in([1.0, 2.5], 3) == 7
    assert stand_in([1.0, 2.0]) == 7
    assert stand_in("text", 3) == 7
    assert stand_in([1.0], 3) == 7


def test_everything_is_put_back_whatever_happens():
    names = written(
        "def f(x):\n    return earlier(x)\ndef earlier(x):\n    return 1\ndef new():\n    return 1"
    )
    given = {"earlier": {"inputs": {"x": 2.0}, "answer": 5.0}, "new": {"inputs": {}, "answer": 0}}
    with table_stubs(names["f"], given):
        assert names["f"](2.0) == 5.0
        assert names["new"]() == 0
    names["f"] = written("def f(x):\n    return 1 / 0")["f"]
    with pytest.raises(ZeroDivisionError), table_stubs(names["f"], given):
        names["f"](2.0)
    assert "earlier" not in names["f"].__globals__
    assert names["earlier"](2.0) == names["new"]() == 1


def test_what_needs_no_stand_in_is_called_once(course):
    public, _ = keys(course, "pca", "scores")
    assert len(calls_of(public)) == len(public.cases)
    public, _ = keys(course, "pca", "reconstruct")
    assert len(calls_of(public)) == 2 * len(public.cases)

"""Pairs to look at: what hides a copy changes nothing; what the course gave counts for nothing."""

import time

from autograder.reports.similarity import fingerprints, similar_pairs

OWN = """
def scores(X, k):
    moved = X - X.mean(axis=0)
    table = moved.T @ moved / len(X)
    values, axes = np.linalg.eigh(table)
    order = np.argsort(values)[::-1]
    return moved @ axes[:, order[:k]]
"""
DISGUISED = '''
def scores(data: np.ndarray, number):
    """All my own work."""
    d = (data
         - data.mean(axis=0))   # centre

    big_matrix = d.T @ d / len(data)
    lam, vec = np.linalg.eigh(big_matrix)
    idx = np.argsort(lam)[::-1]
    return d @ vec[:, idx[:number]]
'''
OTHER = """
def scores(X, k):
    U, s, Vt = np.linalg.svd(X - np.mean(X, 0), full_matrices=False)
    out = np.zeros((len(X), k))
    for j in range(k):
        out[:, j] = U[:, j] * s[j]
    return out
"""
NOTHING = frozenset()


def code(source):
    return {"scores": fingerprints(source, is_code=True)}


def test_names_comments_docstrings_annotations_and_layout_count_for_nothing():
    assert code(OWN) == code(DISGUISED)
    assert len(code(OWN)["scores"] & code(OTHER)["scores"]) < len(code(OWN)["scores"]) / 4


def test_a_copy_is_found_and_an_own_way_is_not():
    pairs = similar_pairs({"ada": code(OWN), "bob": code(DISGUISED), "cyd": code(OTHER)}, {})
    assert [(pair.one, pair.other, pair.share, pair.answers) for pair in pairs] == [
        ("ada", "bob", 1.0, ("scores",))
    ]


def test_what_the_course_gave_is_no_resemblance():
    assert similar_pairs({"ada": code(OWN), "bob": code(DISGUISED)}, code(OWN)) == []


def test_what_many_wrote_is_no_resemblance():
    crowd = {f"s{place}": code(OWN) for place in range(8)}
    assert similar_pairs(crowd, {}) == []


def test_words_are_compared_too():
    said = "The deviation splits into a part inside the flat and a residual at a right angle, so the squares add up."
    marks = {"why": fingerprints(said, is_code=False)}
    again = {"why": fingerprints("Well: " + said.upper().replace(",", ""), is_code=False)}
    assert similar_pairs({"ada": marks, "bob": again}, {})[0].share > 0.8


def test_a_program_that_is_none_is_compared_with_nothing():
    assert fingerprints("def (:", is_code=True) == NOTHING
    assert similar_pairs({"ada": {"a": NOTHING}, "bob": {"a": NOTHING}}, {}) == []


def test_a_program_of_megabytes_is_looked_at_in_part():
    begun = time.process_time()
    assert fingerprints("a = b + c * d\n" * 500_000, is_code=True)
    assert time.process_time() - begun < 5

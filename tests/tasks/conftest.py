"""What every test of a topic shares."""

import pytest


@pytest.fixture(autouse=True)
def _fast_seals(monkeypatch):
    """How slow a fingerprint is to compute is not the subject here."""
    monkeypatch.setattr("autograder.judging.seal.ROUNDS", 3)

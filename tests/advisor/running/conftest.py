"""Clusters of tests have no TLS; that this is said is tested in test_embedded.py."""

from __future__ import annotations

import pytest


@pytest.fixture(autouse=True)
def trusted(monkeypatch: pytest.MonkeyPatch) -> None:
    """Say nothing of it."""
    monkeypatch.setattr("advisor.running.run_cluster.unprotected", lambda _address: "")

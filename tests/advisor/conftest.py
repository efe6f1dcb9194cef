"""A folder with the published example, for whoever asks for it, and where kernels are compiled."""

from __future__ import annotations

from pathlib import Path

import pytest

from advisor.commands import inputs
from tests.advisor.commands.asking import PLATFORM, WORKLOAD

_PLAIN = ("kernels", "messages", "models", "scaling")  # these tests show what plain kernels do


@pytest.fixture(autouse=True, scope="module")
def quick(request: pytest.FixtureRequest) -> None:
    """Compiled kernels, as for a user, whatever test ran before.

    A test that wants plain kernels takes them away for itself.
    """
    place = request.path.relative_to(Path(__file__).parent)
    if not any(place.is_relative_to(one) for one in _PLAIN):
        request.getfixturevalue("compiled")


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The present folder, with a platform and a workload; nothing is compiled."""
    monkeypatch.setattr(inputs, "_COMPILED_TASKS", 1_000_000)
    (tmp_path / "p.toml").write_text(PLATFORM, encoding="utf-8")
    (tmp_path / "w.toml").write_text(WORKLOAD, encoding="utf-8")
    monkeypatch.chdir(tmp_path)
    return tmp_path

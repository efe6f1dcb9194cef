"""A folder with the published example, for whoever asks for it."""

from __future__ import annotations

from pathlib import Path

import pytest

from advisor.commands import inputs
from tests.advisor.commands.asking import PLATFORM, WORKLOAD


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The present folder, with a platform and a workload; nothing is compiled."""
    monkeypatch.setattr(inputs, "_COMPILED_TASKS", 1_000_000)
    (tmp_path / "p.toml").write_text(PLATFORM, encoding="utf-8")
    (tmp_path / "w.toml").write_text(WORKLOAD, encoding="utf-8")
    monkeypatch.chdir(tmp_path)
    return tmp_path

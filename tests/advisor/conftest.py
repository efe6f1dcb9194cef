"""Compiled kernels, and a folder with the published example, for whoever asks for them."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from advisor import kernels
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


@pytest.fixture(scope="module")
def compiled() -> Iterator[None]:
    """Compiled kernels here, and afterwards as before."""
    before = kernels.loaded()
    kernels.load()
    yield
    if not before:
        kernels.unload()

"""A disk that is full: every command says so in a sentence, and what was there stays as it was."""

from __future__ import annotations

import errno
import os
from pathlib import Path

import pytest

from advisor.project.project_file import write_project
from advisor.runs.run_record import Run, TaskRun, render
from tests.advisor.commands.asking import ADVISE, PLATFORM, WORKLOAD, Capture, answer
from tests.conftest import two_machines

COMMANDS = [
    (*ADVISE, "--out", "out"),
    ("open", "w.toml", "p.toml", "--out", "old.placewise"),
    ("export", "case.placewise", "--to", "csv", "--output", "old.csv"),
    ("export", "case.placewise", "--to", "all", "--output", "out"),
    ("report", "case.placewise", "--output", "old.html"),
    ("learn", "w.toml", "--platform", "p.toml", "--plan", "plan.json", "run.csv", "--out", "out"),
]


def files(folder: Path) -> dict[str, bytes]:
    return {str(path): path.read_bytes() for path in folder.rglob("*") if path.is_file()}


@pytest.mark.parametrize("command", COMMANDS, ids=" ".join)
def test_a_full_disk_is_said_and_nothing_is_lost(
    command: tuple[str, ...], capsys: Capture, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    Path("w.toml").write_text(WORKLOAD, encoding="utf-8")
    Path("p.toml").write_text(PLATFORM, encoding="utf-8")
    write_project(two_machines(2), "case.placewise")
    for name in ("old.csv", "old.html", "old.placewise"):
        Path(name).write_text("what was there", encoding="utf-8")
    Path("plan.json").write_text('{"A": "M1", "B": "M2"}', encoding="utf-8")
    runs = [Run("a", (TaskRun("A", "M1", 0.0, 50.0), TaskRun("B", "M2", 57.0, 90.0)))]
    Path("run.csv").write_text(render(runs), encoding="utf-8")
    before = files(tmp_path)

    def full(_handle: int) -> None:
        raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))

    monkeypatch.setattr(os, "fsync", full)
    status, _, err = answer(capsys, *command)
    assert status != 0
    assert "The disk is full" in err
    assert "Traceback" not in err
    assert files(tmp_path) == before

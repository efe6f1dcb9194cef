"""Runs for tests of the window: logs of Figueira & Berman's two tasks, as our runners write them.

A is predicted to take 12 s on M1 and B 4 s after it; the run says what the test states.
"""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path

from advisor.runs.run_record import OK, Run, TaskRun, render
from gui.board.board_view import BoardView
from gui.panels.actual_panel import ActualPanel
from gui.shell.main_window import MainWindow


def run(
    name: str = "monday", a_s: float = 15.0, b_s: float = 5.0, *, on: str = "M1", b: str = OK
) -> Run:
    """A on a machine, B there one second after it."""
    return Run(
        name,
        (TaskRun("A", on, 0.0, a_s), TaskRun("B", on, a_s + 1.0, a_s + 1.0 + b_s, status=b)),
    )


def log(folder: Path, *runs: Run, name: str = "run.csv") -> Path:
    """A run record in a file."""
    path = folder / name
    path.write_text(render(runs or (run(),)), encoding="utf-8")
    return path


def many(count: int) -> Iterable[Run]:
    """Runs that take longer, one after the other."""
    return (run(f"run {number + 1}", 12.0 + number) for number in range(count))


def board_of(window: MainWindow) -> BoardView:
    """Where runs are drawn."""
    found = window.panel("allocation")
    assert isinstance(found, BoardView)
    return found


def panel_of(window: MainWindow) -> ActualPanel:
    """Where runs are set beside their prediction."""
    found = window.panel("actual")
    assert isinstance(found, ActualPanel)
    return found

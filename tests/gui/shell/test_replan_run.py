"""The rest of a run replanned in the window: by its button, its key, and after a lost worker."""

from __future__ import annotations

import os
import re
import signal
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import pytest
from PySide6.QtCore import Qt
from pytestqt.qtbot import QtBot

from advisor.allocation.plan import Plan
from advisor.allocation.workload import Task, Workload
from advisor.project.project import Project
from gui.board.run_view import RunView
from gui.shell.main_window import MainWindow
from tests.conftest import two_machines
from tests.gui.keyboard import take_keys
from tests.gui.runs import board_of, panel_of
from tests.gui.shell.test_run_controller import begin, opened, over, refusal


def gated(folder: Path, engine_die: str = "") -> Project:
    """On M1 six tasks, of which the first waits for one of the others and these for a gate; M2 has
    one that ends, or that kills its worker the first time.
    """
    waits = "while [ ! -e {} ]; do sleep 0.02; done"
    first = f"touch begun; {waits.format('open')}; {waits.format('gate')}"
    others = f"touch open; {waits.format('gate')}"
    commands = [first, *[others] * 5, engine_die or ":"]
    tasks = tuple(Task(f"t{k}", 20.0, command=command) for k, command in enumerate(commands))
    platform = two_machines().platform
    return Project(platform, Workload("gated", tasks), Plan((0,) * 6 + (1,), tuple(range(7))))


@pytest.mark.parametrize("how", ["button", "key"])
def test_one_click_moves_what_waits_and_the_board_draws_it(
    qtbot: QtBot, window: MainWindow, tmp_path: Path, how: str
) -> None:
    assert not window.commands["replan_run"].isEnabled()
    begin(qtbot, opened(qtbot, window, gated(tmp_path), tmp_path))
    live = panel_of(window).live
    qtbot.waitUntil(lambda: "1 of 7 tasks ended" in live.sentence.text())
    assert window.commands["replan_run"].isEnabled()
    if how == "button":
        qtbot.mouseClick(live.replan_button, Qt.MouseButton.LeftButton)
    else:
        take_keys(qtbot, window)
        qtbot.keyClick(window, Qt.Key.Key_F5, Qt.KeyboardModifier.ControlModifier)
    assert not live.replan_button.isEnabled()  # until it has been
    assert not window.commands["replan_run"].isEnabled()
    qtbot.waitUntil(lambda: live.news.text().startswith("Replanned at "))
    assert " tasks moved, ends at " in live.news.text()
    assert " instead of " in live.news.text()
    assert live.news.isVisible()
    qtbot.waitUntil(lambda: " by the new plan of " in live.notes.text())
    assert "Replanned" not in live.notes.text()  # that has a line of its own
    assert re.match(r"About .* left \(.* to .*\), ", live.notes.text())
    assert live.replan_button.isEnabled()
    view = board_of(window).schedule
    assert isinstance(view, RunView)
    qtbot.waitUntil(lambda: view.run is not None and view.run.coming is not None)
    assert view.run is not None
    assert view.run.coming is not None
    moved = view.run.coming.members[view.run.coming.lane == 1].tolist()
    assert moved
    assert any("replanned: on M2, from " in view.describe(view.item_of(task)) for task in moved)
    (tmp_path / "gate").touch()
    over(qtbot, window)
    assert not window.commands["replan_run"].isEnabled()
    (run,) = window.document.project.runs
    assert len(run.tasks) == 7
    assert {one.machine for one in run.tasks[1:]} == {"M1", "M2"}
    assert any(note.startswith("Replanned at ") for note in run.notes)
    assert window.document.project.plan.allocation == (0,) * 6 + (1,)


def test_what_was_replanned_is_kept_where_the_process_is_killed(
    qtbot: QtBot, window: MainWindow, tmp_path: Path
) -> None:
    begin(qtbot, opened(qtbot, window, gated(tmp_path), tmp_path))
    live = panel_of(window).live
    qtbot.waitUntil(lambda: "1 of 7 tasks ended" in live.sentence.text())
    qtbot.mouseClick(live.replan_button, Qt.MouseButton.LeftButton)
    qtbot.waitUntil(lambda: live.news.text().startswith("Replanned at "))
    process = window.runner.process_id
    assert process is not None
    os.kill(process, signal.SIGKILL)
    over(qtbot, window)
    refusal(window)
    (run,) = window.document.project.runs
    assert any(note.startswith("Replanned at ") for note in run.notes)


def test_where_all_tasks_have_begun_there_is_nothing_to_replan(
    qtbot: QtBot, window: MainWindow, tmp_path: Path
) -> None:
    waits = f"while [ ! -e {tmp_path}/gate ]; do sleep 0.02; done"
    project = two_machines()
    tasks = tuple(replace(task, command=waits) for task in project.workload.tasks)
    project = replace(project, workload=Workload("w", tasks), plan=Plan((0, 1)))
    begin(qtbot, opened(qtbot, window, project, tmp_path))
    live = panel_of(window).live
    qtbot.waitUntil(lambda: "0 of 2 tasks ended" in live.sentence.text())
    state = window.runner.state
    assert state is not None
    qtbot.waitUntil(lambda: window.runner.state.progress.running == 2)  # type: ignore[union-attr]
    assert not live.replan_button.isEnabled()
    window.runner.replan()  # nothing happens
    assert not window.runner.state.replanning  # type: ignore[union-attr]
    (tmp_path / "gate").touch()
    over(qtbot, window)


@pytest.mark.engines
def test_a_worker_that_is_killed_is_seen_and_its_tasks_move_on_one_click(
    qtbot: QtBot, window: MainWindow, tmp_path: Path
) -> None:
    die = "[ -e killed ] || { touch killed; echo $PPID > worker; sleep 60; }"
    dialog = opened(qtbot, window, gated(tmp_path, die), tmp_path)
    dialog.way.setCurrentIndex(0)
    begin(qtbot, dialog)
    worker = tmp_path / "worker"
    qtbot.waitUntil(is_written(worker), timeout=60_000)
    os.kill(int(worker.read_text()), signal.SIGKILL)
    live, view = panel_of(window).live, board_of(window).schedule
    assert isinstance(view, RunView)
    qtbot.waitUntil(lambda: live.news.text().startswith("M2 is gone, 1 task must run again; "))
    qtbot.waitUntil(lambda: view.run is not None and len(view.run.happened.gone) == 1)
    assert view.run is not None
    assert view.run.happened.gone[0][0] == 1
    assert view.run.lanes.bar_of[6] == -1  # it waits again
    view.viewport().grab()
    qtbot.mouseClick(live.replan_button, Qt.MouseButton.LeftButton)
    qtbot.waitUntil(lambda: "Replanned at " in live.news.text())
    (tmp_path / "open").touch()
    (tmp_path / "gate").touch()
    over(qtbot, window)
    (run,) = window.document.project.runs
    assert {one.task: one.machine for one in run.tasks} == {f"t{k}": "M1" for k in range(7)}


def is_written(path: Path) -> Callable[[], bool]:
    return lambda: path.exists() and path.read_text().endswith("\n")

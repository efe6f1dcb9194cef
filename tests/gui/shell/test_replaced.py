"""Other tasks or machines: at once nothing is left of the answer to the old ones, anywhere."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest
from PySide6.QtWidgets import QToolTip
from pytestqt.qtbot import QtBot

from advisor.project.project import Pin
from gui.basics.settings import SEARCH_S, Settings
from gui.document.document import Selection
from gui.shell.main_window import MainWindow
from tests.conftest import two_machines

pytestmark = pytest.mark.usefixtures("unasked")

PANELS = ("what_if", "breakdown", "schedule", "compare")


def tasks(tmp_path: Path) -> Path:
    path = tmp_path / "other.toml"
    path.write_text(
        'format = "placewise-workload"\nversion = 1\nname = "other"\n'
        '[[task]]\nname = "only"\nwork = 5.0\n'
    )
    return path


@pytest.fixture
def full(qtbot: QtBot, window: MainWindow) -> MainWindow:
    """The window with everything in sight once, answered and zoomed."""
    window.resize(1280, 900)
    for name in PANELS[:-1]:
        window.show_dock(name)
        window.panel(name)
    window.show_page("compare")
    window.panel("compare")
    pinned = replace(window.document.project, pins=(Pin("mine", window.document.project.plan),))
    window.document.apply(pinned, "Pin")
    qtbot.waitUntil(lambda: window.panel("compare").comparison is not None)
    window.show_page("allocation")
    window.show_dock("what_if")
    qtbot.waitUntil(lambda: bool(window.panel("what_if").chart.bars))
    window.panel("what_if").show_map()
    board, chart = window.handlers.board, window.panel("what_if").map_panel.map
    qtbot.waitUntil(
        lambda: (
            window.advisor.advice is not None
            and board.schedule.lanes is not None
            and chart.picture is not None
            and not chart.dimmed
        )
    )
    window.panel("reasons")
    window.document.select(Selection(tasks=frozenset({1})))
    for _ in range(3):
        board.zoom_in()
        chart.zoom(2.0)
    return window


def assert_nothing_is_left(window: MainWindow) -> None:
    assert window.advisor.advice is None
    assert window.advisor.moves == ()
    answer = window.panel("answer")
    assert not answer.apply.isEnabled()
    reasons = window.panel("reasons")
    assert reasons.headline.text() == "Searching; the reasons follow …"
    for label in (reasons.timeline, reasons.sentences):
        assert label.text() == ""
    assert reasons.bars.groups == ()
    assert not reasons.note.isVisible()
    map_ = window.panel("what_if").map_panel
    assert map_.map.picture is None
    assert map_.map.legend.entries == ()
    assert map_.readout.text() == ""
    assert map_.notes.text() == ""
    assert window.panel("breakdown").bars.groups == ()
    assert window.panel("breakdown").makespan.text() == ""
    for table in window.panel("schedule").tables:
        assert table.columns_model.rowCount() == 0
    assert window.panel("what_if").chart.bars == ()
    assert window.panel("compare").comparison is None
    assert window.panel("compare").table.columns_model.rowCount() == 0
    assert window.handlers.board.schedule.lanes is None
    assert window.line.figures.text() == ""
    assert window.document.selection == Selection()


def test_opening_another_project_clears_what_was_said_of_the_old_one(
    qtbot: QtBot, full: MainWindow
) -> None:
    full.document.load(two_machines())
    assert_nothing_is_left(full)
    full.panel("what_if").show_map()
    board, chart = full.handlers.board, full.panel("what_if").map_panel.map
    qtbot.waitUntil(lambda: board.schedule.lanes is not None and chart.picture is not None)
    assert board.schedule.frame().ground_width > board.schedule.lanes.makespan_s * (
        board.schedule.px_per_s
    )
    assert chart.is_fitted


def test_an_import_of_tasks_and_its_undo_clear_it_too(
    qtbot: QtBot, full: MainWindow, tmp_path: Path
) -> None:
    replaced: list[object] = []
    full.document.replaced.connect(lambda _project: assert_nothing_is_left(full))
    full.document.replaced.connect(replaced.append)
    full.files.import_workload(tasks(tmp_path))
    qtbot.waitUntil(lambda: full.document.project.workload.name == "other")
    qtbot.waitUntil(lambda: full.advisor.advice is not None)
    full.document.undo_stack.undo()
    assert len(replaced) == 2
    qtbot.waitUntil(lambda: full.advisor.advice is not None)
    assert full.panel("reasons").headline.text() == "Move A to M2: saves 10.0 s (21 %)."


def test_an_edit_of_a_task_leaves_the_old_answer_muted_until_there_is_a_new_one(
    full: MainWindow,
) -> None:
    project = full.document.project
    task = replace(project.workload.tasks[0], seconds=(("M1", 11.0), ("M2", 18.0)))
    workload = project.workload.with_task(0, task)
    full.document.apply(replace(project, workload=workload), "A takes 11 s")
    assert full.advisor.advice is not None
    assert not full.panel("reasons").headline.isEnabled()
    assert not full.panel("answer").apply.isEnabled()


def test_the_seconds_of_a_search_are_asked_for_beside_advise_and_kept(
    qtbot: QtBot, window: MainWindow, monkeypatch: pytest.MonkeyPatch
) -> None:
    asked: list[float] = []
    qtbot.waitUntil(lambda: not window.advisor.is_busy)
    monkeypatch.setattr(
        window.search, "start", lambda _call, **given: asked.append(given["seconds"])
    )
    field = window.toolbar.seconds
    assert field.value() == SEARCH_S
    field.selectAll()
    qtbot.keyClicks(field, "3")
    qtbot.keyClick(field, "\r")
    window.commands["advise"].trigger()
    assert asked == [3.0]
    assert Settings().advise_seconds == 3
    field.selectAll()
    qtbot.keyClicks(field, "1e400")
    qtbot.keyClick(field, "\r")
    assert field.value() == 3
    assert "“1e400” is not taken" in window.line.currentMessage()
    QToolTip.hideText()


@pytest.mark.parametrize("kept", ["", "x", "0", "-4", "3601", "९", "1e3"])
def test_a_damaged_number_of_seconds_counts_as_absent(kept: str) -> None:
    settings = Settings()
    settings.clear()
    settings._store.setValue("advise_seconds", kept)
    assert settings.advise_seconds == SEARCH_S
    settings.clear()

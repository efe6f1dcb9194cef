"""Runs in the window: imported by menu, keys and drop; bad logs, cancel, undo, closing."""

from __future__ import annotations

import threading
from pathlib import Path

import pytest
from PySide6.QtCore import QMimeData, QPoint, QPointF, Qt, QUrl
from PySide6.QtGui import QDragEnterEvent, QDropEvent
from PySide6.QtWidgets import QApplication, QFileDialog
from pytestqt.qtbot import QtBot

from advisor.project.project_file import read_project, write_project
from advisor.runs.run_record import Run, TaskRun
from gui.basics.error_messages import ErrorDialog
from gui.shell.main_window import MainWindow
from tests.conftest import cluster
from tests.gui.runs import board_of, log, many, panel_of, run


def imported(qtbot: QtBot, window: MainWindow, *paths: Path) -> None:
    """Import and wait until the run is set beside the prediction."""
    window.runs.read(paths)
    qtbot.waitUntil(window.actuals.answers)


def refusal(window: MainWindow) -> str:
    (dialog,) = window.findChildren(ErrorDialog)
    text = dialog.text()
    dialog.reject()
    return text


def drop(window: MainWindow, *paths: Path) -> None:
    mime = QMimeData()
    mime.setUrls([QUrl.fromLocalFile(str(path)) for path in paths])
    how = Qt.DropAction.CopyAction, mime, Qt.MouseButton.LeftButton, Qt.KeyboardModifier.NoModifier
    enter = QDragEnterEvent(QPoint(9, 9), *how)
    QApplication.sendEvent(window, enter)
    assert enter.isAccepted()
    QApplication.sendEvent(window, QDropEvent(QPointF(9, 9), *how))


def test_a_run_is_imported_by_key_and_dialog_as_one_undo_step_and_shown(
    qtbot: QtBot, window: MainWindow, tmp_path: Path
) -> None:
    before = window.document.project
    path = log(tmp_path)
    qtbot.keyClick(window, Qt.Key.Key_L, Qt.KeyboardModifier.ControlModifier)
    dialog = window.findChild(QFileDialog, "run_dialog")
    assert dialog is not None
    dialog.filesSelected.emit([str(path)])
    dialog.close()
    qtbot.waitUntil(window.actuals.answers)
    (found,) = window.document.project.runs
    assert found.name == "monday"
    assert window.docks["actual"].isVisible()
    board = board_of(window)
    qtbot.waitUntil(lambda: board.schedule.run is not None)
    assert board.run_switch.isVisible()
    assert "Took 21.0 s" in panel_of(window).sentence.text()
    assert window.document.undo_stack.undoText() == "Import run"
    window.document.undo_stack.undo()
    assert window.document.project == before
    assert board.schedule.run is None
    assert not board.run_switch.isVisible()
    window.document.undo_stack.redo()
    qtbot.waitUntil(lambda: board.schedule.run is not None)


def test_several_files_come_together_and_the_middle_run_is_drawn(
    qtbot: QtBot, window: MainWindow, tmp_path: Path
) -> None:
    paths = [log(tmp_path, one, name=f"{one.name}.csv") for one in many(3)]
    imported(qtbot, window, *paths)
    assert [one.name for one in window.document.project.runs] == ["run 1", "run 2", "run 3"]
    review = window.actuals.review
    assert review is not None
    assert review.actual is review.actuals[1]
    assert window.document.undo_stack.count() == 1


def test_a_folder_is_read_file_by_file(qtbot: QtBot, window: MainWindow, tmp_path: Path) -> None:
    for one in many(2):
        log(tmp_path, one, name=f"{one.name}.csv")
    window.commands["import_run_folder"].trigger()
    dialog = window.findChild(QFileDialog, "run_dialog")
    assert dialog is not None
    assert dialog.fileMode() is QFileDialog.FileMode.Directory
    dialog.filesSelected.emit([str(tmp_path)])
    dialog.close()
    qtbot.waitUntil(lambda: len(window.document.project.runs) == 2)


def test_a_log_that_is_dropped_is_imported_and_asks_nothing_about_unsaved_changes(
    qtbot: QtBot, window: MainWindow, tmp_path: Path
) -> None:
    window.document.move_tasks(frozenset({0}), 1)
    drop(window, log(tmp_path))
    qtbot.waitUntil(lambda: len(window.document.project.runs) == 1)
    assert window.document.project.plan.allocation == (1, 0)


def test_several_logs_can_be_dropped_together(
    qtbot: QtBot, window: MainWindow, tmp_path: Path
) -> None:
    drop(window, *(log(tmp_path, one, name=f"{one.name}.csv") for one in many(2)))
    qtbot.waitUntil(lambda: len(window.document.project.runs) == 2)


def test_a_project_that_is_dropped_is_opened_as_before(
    qtbot: QtBot, window: MainWindow, tmp_path: Path
) -> None:
    path = tmp_path / "other.placewise"
    write_project(cluster(), path)
    drop(window, path)
    qtbot.waitUntil(lambda: window.document.project.name == "staged workflow")


@pytest.mark.parametrize(
    ("content", "says"),
    [
        ("", "run.csv"),
        ("task,start_s,end_s\nA,1,x\n", "line 2"),
        ("task,start_s,end_s\nA,2,1\n", "ends before it starts"),
        ("nothing of the kind\n", "known"),
    ],
)
def test_a_bad_log_is_told_with_its_name_and_changes_nothing(
    qtbot: QtBot, window: MainWindow, tmp_path: Path, content: str, says: str
) -> None:
    path, before = tmp_path / "run.csv", window.document.project
    path.write_text(content, encoding="utf-8")
    with qtbot.waitSignal(window.runs.failed):
        window.runs.read([path])
    text = refusal(window)
    assert "run.csv" in text
    assert says in text
    assert window.document.project is before
    assert window.document.undo_stack.count() == 0


def test_a_log_of_another_workload_is_refused_and_one_beside_a_good_one_is_left_out(
    qtbot: QtBot, window: MainWindow, tmp_path: Path
) -> None:
    other = Run("other", (TaskRun("ocean", "M1", 0.0, 1.0), TaskRun("ice", "M1", 1.0, 2.0)))
    bad = log(tmp_path, other, name="bad.csv")
    with qtbot.waitSignal(window.runs.failed):
        window.runs.read([bad])
    assert "another workload" in refusal(window)
    imported(qtbot, window, bad, log(tmp_path))
    assert [one.name for one in window.document.project.runs] == ["monday"]
    assert window.notice.isVisible()
    assert "another workload" in window.notice.label.text()


def test_reading_can_be_cancelled_and_the_next_import_works(
    qtbot: QtBot, window: MainWindow, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    began, release = threading.Event(), threading.Event()

    def slow(*_: object) -> object:
        began.set()
        release.wait()
        return (run(),), ()

    monkeypatch.setattr("advisor.project.opening_runs.runs_of", slow)
    window.runs.read([log(tmp_path)])
    qtbot.waitUntil(began.is_set)
    assert window.runs.reader.is_busy
    window.runs.stop()
    release.set()
    monkeypatch.undo()
    assert window.document.project.runs == ()
    imported(qtbot, window, log(tmp_path))
    assert len(window.document.project.runs) == 1


def test_closing_in_the_middle_of_reading_leaves_nothing_behind(
    qtbot: QtBot, window: MainWindow, tmp_path: Path
) -> None:
    window.runs.read([log(tmp_path)])
    window.close()
    assert not window.runs.reader.is_busy
    assert window.document.project.runs == ()


def test_an_import_survives_an_edit_that_is_made_meanwhile(
    qtbot: QtBot, window: MainWindow, tmp_path: Path
) -> None:
    window.runs.read([log(tmp_path)])
    window.document.move_tasks(frozenset({0}), 1)
    qtbot.waitUntil(lambda: len(window.document.project.runs) == 1)
    assert window.document.project.plan.allocation == (1, 0)


def test_runs_are_saved_with_the_project(qtbot: QtBot, window: MainWindow, tmp_path: Path) -> None:
    imported(qtbot, window, log(tmp_path))
    with qtbot.waitSignal(window.files.told):
        window.files.save_to(tmp_path / "p.placewise")
    assert read_project(tmp_path / "p.placewise").runs == window.document.project.runs


def test_the_run_on_the_board_is_switched_in_the_view_menu_and_above_the_board(
    qtbot: QtBot, window: MainWindow, tmp_path: Path
) -> None:
    action, board = window.commands["actual_bars"], board_of(window)
    assert not action.isEnabled()
    imported(qtbot, window, log(tmp_path))
    qtbot.waitUntil(lambda: board.schedule.run is not None)
    assert action.isEnabled()
    assert action.isChecked()
    action.trigger()
    assert board.schedule.run is None
    assert not board.run_switch.isChecked()
    qtbot.mouseClick(board.run_switch, Qt.MouseButton.LeftButton, pos=QPoint(8, 8))
    qtbot.waitUntil(lambda: board.schedule.run is not None)
    assert action.isChecked()


def test_the_commands_are_found_by_their_words(window: MainWindow) -> None:
    found = window.toolbar.search._find("import run")
    assert any("Import run" in str(entry) for entry in found)


def test_advise_again_asks_for_advice(qtbot: QtBot, window: MainWindow, tmp_path: Path) -> None:
    imported(qtbot, window, log(tmp_path))
    panel = panel_of(window)
    panel.tabs.setCurrentWidget(panel.learn)
    qtbot.waitUntil(lambda: panel.learner.calibrations is not None)
    qtbot.waitUntil(lambda: not window.advisor.is_busy)
    qtbot.mouseClick(panel.learn.advise_button, Qt.MouseButton.LeftButton)
    assert window.advisor.is_busy
    qtbot.waitUntil(lambda: not window.advisor.is_busy)


def test_another_project_has_no_run(qtbot: QtBot, window: MainWindow, tmp_path: Path) -> None:
    imported(qtbot, window, log(tmp_path))
    window.document.load(cluster())
    assert window.actuals.review is None
    assert panel_of(window).first.isVisibleTo(panel_of(window))


def test_where_there_is_room_the_panel_takes_its_share(
    qtbot: QtBot, window: MainWindow, tmp_path: Path
) -> None:
    window.resize(1400, 1300)
    imported(qtbot, window, log(tmp_path))
    qtbot.waitUntil(lambda: window.docks["actual"].height() > 0.35 * window.height())

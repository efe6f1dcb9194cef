"""File › Import table…: a file of a spreadsheet, after a look at its columns."""

from __future__ import annotations

from pathlib import Path

from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QFileDialog
from pytestqt.qtbot import QtBot

from advisor.project.opening import first_project
from gui.basics.error_messages import ErrorDialog
from gui.shell.main_window import MainWindow
from tests.gui.model.conftest import LEFT, Hand, found
from tests.gui.model.test_model_tables import NINE


def test_a_file_is_imported_as_one_undo_step(hand: Hand, tmp_path: Path) -> None:
    path = tmp_path / "jobs.csv"
    path.write_text("job;Laufzeit;time (h);depends on\nx;?;soon;\ny;?;2;x\n", encoding="utf-8")
    hand.window.commands["import_table"].trigger()
    asked = found(hand.window, QFileDialog, "table_file_dialog")
    asked.fileSelected.emit(str(path))
    asked.close()
    dialog = hand.window.table_import.dialog
    assert dialog is not None
    assert dialog.notes.text() == "Left out: Laufzeit."
    assert "soon" in dialog.errors.text()
    assert not dialog.add.isEnabled()
    wrong = dialog.table.item(1, 2)
    assert wrong is not None
    wrong.setText("1,5")
    QTest.mouseClick(dialog.add, LEFT)
    assert [task.work for task in hand.document.project.workload.tasks] == [5400.0, 7200.0]
    hand.document.undo_stack.undo()
    assert hand.document.project == first_project()


def test_a_file_without_a_table_is_refused(hand: Hand, tmp_path: Path) -> None:
    path = tmp_path / "empty.csv"
    path.write_text("name,time\n", encoding="utf-8")
    hand.window.table_import.open(path)
    dialog = found(hand.window, ErrorDialog, "error_dialog")
    assert "row of titles" in dialog.text()
    dialog.close()
    assert hand.document.project == first_project()


def test_a_table_pasted_on_the_board_is_asked_about(qtbot: QtBot, window: MainWindow) -> None:
    board = window.panel("allocation")
    QApplication.clipboard().setText(NINE)
    window.commands["paste"].trigger()
    dialog = window.table_import.dialog
    assert dialog is not None
    assert board.isVisible()
    qtbot.mouseClick(dialog.add, LEFT)
    assert len(window.document.project.workload.tasks) >= 9

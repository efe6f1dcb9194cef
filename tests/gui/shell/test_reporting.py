"""File › Report…: asks where, writes what is open, and leaves project and window as they are."""

from __future__ import annotations

from pathlib import Path

import pytest
from PySide6.QtCore import Qt
from PySide6.QtWidgets import QDialog, QFileDialog, QMenu
from pytestqt.qtbot import QtBot

from gui.basics.error_messages import ErrorDialog
from gui.shell import reporting
from gui.shell.main_window import MainWindow
from tests.gui.endless_report import endless_report


def asked(qtbot: QtBot, window: MainWindow) -> QFileDialog:
    """The dialog, opened from the menu."""
    action = window.commands["report"]
    qtbot.waitUntil(action.isEnabled)
    menu = window.findChild(QMenu, "menu_file")
    assert isinstance(menu, QMenu)
    assert action in menu.actions()
    menu.popup(window.pos())
    qtbot.mouseClick(menu, Qt.MouseButton.LeftButton, pos=menu.actionGeometry(action).center())
    dialog = window.findChild(QFileDialog)
    assert isinstance(dialog, QFileDialog)
    return dialog


def test_a_page_is_written_and_the_project_stays(
    qtbot: QtBot, window: MainWindow, tmp_path: Path
) -> None:
    before = window.document.project
    dialog = asked(qtbot, window)
    assert dialog.nameFilters() == ["Report as web page (*.html)", "Report as PDF (*.pdf)"]
    with qtbot.waitSignal(window.reporting.told) as told:
        dialog.fileSelected.emit(str(tmp_path / "answer"))
        assert window.reporting.is_busy
    dialog.close()
    assert told.args == [f"The report is in {tmp_path / 'answer.html'}"]
    text = (tmp_path / "answer.html").read_text(encoding="utf-8")
    assert text.startswith("<!DOCTYPE html>")
    assert "<h1>A then B</h1>" in text
    assert "placewise export &#x27;A then B.placewise&#x27;" in text
    assert window.document.project is before
    assert window.document.undo_stack.count() == 0
    assert not window.reporting.is_busy


def test_the_ending_asks_for_a_pdf(qtbot: QtBot, window: MainWindow, tmp_path: Path) -> None:
    dialog = asked(qtbot, window)
    with qtbot.waitSignal(window.reporting.told):
        dialog.fileSelected.emit(str(tmp_path / "answer.pdf"))
    dialog.close()
    assert (tmp_path / "answer.pdf").read_bytes().startswith(b"%PDF")


def test_without_a_file_nothing_is_written(
    qtbot: QtBot, window: MainWindow, tmp_path: Path
) -> None:
    dialog = asked(qtbot, window)
    dialog.reject()
    assert dialog.result() == QDialog.DialogCode.Rejected
    assert not window.reporting.is_busy
    assert not list(tmp_path.iterdir())


def test_where_nothing_can_be_written_it_says_so(
    qtbot: QtBot, window: MainWindow, tmp_path: Path
) -> None:
    dialog = asked(qtbot, window)
    with qtbot.waitSignal(window.reporting.failed) as failed:
        dialog.fileSelected.emit(str(tmp_path / "no" / "answer.html"))
    dialog.close()
    assert failed.args[0] == "The report can't be written"
    assert str(tmp_path / "no" / "answer.html") in str(failed.args[1])
    box = window.findChild(ErrorDialog)
    assert isinstance(box, ErrorDialog)
    box.close()
    assert not window.reporting.is_busy


def test_cancel_in_the_status_line_leaves_no_file(
    qtbot: QtBot, window: MainWindow, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(reporting, "write_report", endless_report)
    dialog = asked(qtbot, window)
    qtbot.waitUntil(lambda: not window.advisor.is_busy)
    with qtbot.waitSignal(window.reporting.progress):
        dialog.fileSelected.emit(str(tmp_path / "answer.html"))
    dialog.close()
    qtbot.waitUntil(window.line.cancel_button.isVisible)
    assert window.line.job.text() == "Writing answer.html …"
    assert window.line.bar.value() == 500
    with qtbot.waitSignal(window.reporting.told) as told:
        qtbot.mouseClick(window.line.cancel_button, Qt.MouseButton.LeftButton)
    assert told.args == ["No report was written"]
    assert not window.reporting.is_busy
    assert not window.line.cancel_button.isVisible()
    assert not (tmp_path / "answer.html").exists()


def test_a_window_that_closes_ends_its_report(
    qtbot: QtBot, window: MainWindow, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(reporting, "write_report", endless_report)
    dialog = asked(qtbot, window)
    dialog.fileSelected.emit(str(tmp_path / "answer.html"))
    dialog.close()
    window.close()
    assert not window.isVisible()

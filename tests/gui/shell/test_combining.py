"""Tasks and machines from two files become one project, by the start page, a drop or a question."""

from __future__ import annotations

from pathlib import Path

import pytest
from PySide6.QtCore import QMimeData, Qt, QUrl
from PySide6.QtWidgets import QFileDialog, QMessageBox, QPushButton
from pytestqt.qtbot import QtBot

from advisor.project import graph_edits
from gui.shell.main_window import MainWindow
from tests.gui.shell.test_main_window import drop

pytestmark = pytest.mark.usefixtures("unasked")

TASKS = """
format = "placewise-workload"
version = 1
name = "night"
[[task]]
name = "read"
work = 10.0
[[task]]
name = "plot"
work = 20.0
"""
MACHINES = """
format = "placewise-platform"
version = 1
name = "lab"
[[machine]]
name = "desk"
[[machine]]
name = "server"
cores = 4
"""


@pytest.fixture
def files(tmp_path: Path) -> tuple[Path, Path]:
    workload, platform = tmp_path / "night.toml", tmp_path / "lab.toml"
    workload.write_text(TASKS, encoding="utf-8")
    platform.write_text(MACHINES, encoding="utf-8")
    return workload, platform


@pytest.fixture
def new(qtbot: QtBot, window: MainWindow) -> MainWindow:
    before = window.document.project
    window.commands["new"].trigger()
    qtbot.waitUntil(lambda: window.document.project is not before)
    return window


def dropped(window: MainWindow, *paths: Path) -> None:
    mime = QMimeData()
    mime.setUrls([QUrl.fromLocalFile(str(path)) for path in paths])
    assert drop(window, mime)


def answer(qtbot: QtBot, window: MainWindow, button: str, asked: str) -> None:
    """Answer the question, which says what will happen."""
    qtbot.waitUntil(lambda: window.findChild(QMessageBox, "combine_question") is not None)
    box = window.findChild(QMessageBox, "combine_question")
    assert box is not None
    assert asked in box.text()
    found = box.findChild(QPushButton, button)
    assert found is not None
    qtbot.mouseClick(found, Qt.MouseButton.LeftButton)


def names(window: MainWindow) -> tuple[str, str]:
    project = window.document.project
    return project.workload.name, project.platform.name


@pytest.mark.parametrize("order", [1, -1])
def test_the_start_page_opens_tasks_and_machines_together(
    qtbot: QtBot, new: MainWindow, files: tuple[Path, Path], order: int
) -> None:
    new.commands["start_page"].trigger()
    assert list(new.welcome.cards)[:2] == ["open", "empty"]
    qtbot.mouseClick(new.welcome.cards["open"], Qt.MouseButton.LeftButton)
    dialog = new.findChild(QFileDialog, "file_dialog")
    assert dialog is not None
    with qtbot.waitSignal(new.document.loaded):
        dialog.filesSelected.emit([str(path) for path in files[::order]])
        dialog.close()
    assert names(new) == ("night", "lab")
    assert not new.on_start_page


def test_two_files_of_one_kind_are_refused_by_name(
    qtbot: QtBot, new: MainWindow, files: tuple[Path, Path]
) -> None:
    with qtbot.waitSignal(new.files.failed) as failed:
        dropped(new, files[0], files[0])
    assert "two files give the tasks" in str(failed.args[1])
    for box in new.findChildren(QMessageBox):
        box.close()


def test_an_empty_project_is_a_card(qtbot: QtBot, window: MainWindow) -> None:
    window.commands["start_page"].trigger()
    with qtbot.waitSignal(window.document.loaded):
        qtbot.mouseClick(window.welcome.cards["empty"], Qt.MouseButton.LeftButton)
    assert names(window) == ("untitled", "untitled")


def test_a_platform_dropped_on_an_open_workload_takes_its_tasks(
    qtbot: QtBot, new: MainWindow, files: tuple[Path, Path]
) -> None:
    dropped(new, files[0])  # on nothing of one's own: it is opened
    qtbot.waitUntil(lambda: names(new)[0] == "night")
    dropped(new, files[1])
    answer(qtbot, new, "combine_put", "Run the tasks of “night” on the machines of “lab.toml”?")
    qtbot.waitUntil(lambda: names(new) == ("night", "lab"))
    new.document.undo_stack.undo()
    assert names(new)[1] != "lab"


def test_a_workload_dropped_on_an_open_platform_runs_there(
    qtbot: QtBot, new: MainWindow, files: tuple[Path, Path]
) -> None:
    dropped(new, files[1])
    qtbot.waitUntil(lambda: names(new)[1] == "lab")
    qtbot.waitUntil(lambda: "machines only" in new.notice.label.text())
    dropped(new, files[0])
    answer(qtbot, new, "combine_put", "Run the tasks of “night.toml” on the machines of “lab”?")
    qtbot.waitUntil(lambda: names(new) == ("night", "lab"))
    assert not new.notice.isVisible()


def test_a_notice_goes_when_its_cause_has_gone(
    qtbot: QtBot, new: MainWindow, files: tuple[Path, Path]
) -> None:
    dropped(new, files[1])
    qtbot.waitUntil(new.notice.isVisible)
    new.document.apply(graph_edits.add_new_task(new.document.project), "Add task")
    assert not new.notice.isVisible()


def test_all_notes_are_in_one_list(qtbot: QtBot, new: MainWindow) -> None:
    new._note(("First.", "Second.", "Third."))
    assert new.notice.label.text() == "First."
    assert [one.text() for one in new.notice._buttons] == ["All 3 notes", "Close"]
    new.notice._buttons[0].click()
    box = new.findChild(QMessageBox, "notes")
    assert box is not None and box.text() == "First.\n\nSecond.\n\nThird."
    assert not new.notice.isVisible()
    box.close()

"""Tasks and machines from two files become one project, by the start page, a drop or a question."""

from __future__ import annotations

import base64
import json
from pathlib import Path

import pytest
from PySide6.QtCore import QDir, QMimeData, Qt, QUrl
from PySide6.QtWidgets import QFileDialog, QInputDialog, QLineEdit, QMessageBox, QPushButton
from pytestqt.qtbot import QtBot

from advisor.project import graph_edits
from gui.shell.main_window import MainWindow
from tests.dask_cluster import scheduler
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


def test_a_hidden_folder_is_chosen_and_opened(
    qtbot: QtBot, new: MainWindow, tmp_path: Path
) -> None:
    folder = tmp_path / ".snakemake"
    (folder / "metadata").mkdir(parents=True)
    job = {"rule": "pack", "input": [], "starttime": 10.0, "endtime": 14.0, "shellcmd": "true"}
    name = base64.b64encode(b"out/pack.txt").decode()
    (folder / "metadata" / name).write_text(json.dumps(job))
    new.commands["open_folder"].trigger()
    dialog = new.findChild(QFileDialog, "file_dialog")
    assert dialog is not None
    assert dialog.fileMode() is QFileDialog.FileMode.Directory
    assert dialog.filter() & QDir.Filter.Hidden
    dialog.filesSelected.emit([str(folder)])
    dialog.close()
    qtbot.waitUntil(lambda: "pack" in tasks(new)[0])


def tasks(window: MainWindow) -> list[str]:
    return [one.name for one in window.document.project.workload.tasks]


def machines(window: MainWindow) -> list[str]:
    return sorted(one.name for one in window.document.project.platform.machines)


def type_address(qtbot: QtBot, window: MainWindow, text: str) -> None:
    window.commands["open_scheduler"].trigger()
    dialog = window.findChild(QInputDialog, "scheduler_dialog")
    assert dialog is not None
    field = dialog.findChild(QLineEdit)
    assert field is not None
    qtbot.keyClicks(field, text)
    qtbot.keyClick(field, Qt.Key.Key_Return)


def test_the_workers_of_a_dask_scheduler_become_the_machines(
    qtbot: QtBot, new: MainWindow, files: tuple[Path, Path]
) -> None:
    with scheduler() as address:
        type_address(qtbot, new, address.removeprefix("tcp://"))
        qtbot.waitUntil(lambda: machines(new) == ["left", "right"])
        assert "Which network" in new.notice.label.text()
        dropped(new, files[0])
        answer(qtbot, new, "combine_put", "Run the tasks of “night.toml” on the machines of")
        qtbot.waitUntil(lambda: names(new)[0] == "night")
        new.document.undo_stack.undo()
        new.files.open(files[0])
        qtbot.waitUntil(lambda: machines(new) != ["left", "right"])
        type_address(qtbot, new, address)
        answer(qtbot, new, "combine_put", "Run the tasks of “night” on the machines of")
        qtbot.waitUntil(lambda: machines(new) == ["left", "right"])
    assert [one.name for one in new.document.project.workload.tasks] == ["read", "plot"]


@pytest.mark.parametrize("text", ["here", "tcp://127.0.0.1:9"])
def test_an_address_where_no_scheduler_answers_is_refused(
    qtbot: QtBot, new: MainWindow, monkeypatch: pytest.MonkeyPatch, text: str
) -> None:
    monkeypatch.setattr("advisor.project.live_dask._PATIENCE_S", 0.1)
    before = new.document.project
    with qtbot.waitSignal(new.files.failed) as failed:
        type_address(qtbot, new, text)
    assert "tcp://host:8786" in str(failed.args[1])
    assert new.document.project is before
    for box in new.findChildren(QMessageBox):
        box.close()

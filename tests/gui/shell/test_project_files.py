"""Files: opened, imported, saved and exported off the thread; failures change nothing."""

from __future__ import annotations

import csv
import errno
import io
import json
import os
import threading
from pathlib import Path

import pytest
from PySide6.QtCore import Qt
from PySide6.QtWidgets import QFileDialog, QMessageBox
from pytestqt.qtbot import QtBot

from advisor.export.export_record import PLAN
from advisor.export.registry import exports_of
from advisor.project.project_file import dump_project, read_project, write_project
from advisor.project.workload_file import write_workload
from gui.basics.error_messages import ErrorDialog
from gui.basics.literal_menu import plain
from gui.shell.main_window import MainWindow
from machines.errors import InputError
from machines.formats.platform_toml import write_platform
from tests.conftest import cluster, two_machines


def dialog_of(window: MainWindow) -> ErrorDialog:
    dialogs = window.findChildren(ErrorDialog)
    assert len(dialogs) == 1
    return dialogs[0]


def choose(window: MainWindow, name: str, name_filter: str = "") -> None:
    """Answer the open file dialog."""
    dialog = window.findChild(QFileDialog)
    assert dialog is not None
    if name_filter:
        dialog.selectNameFilter(name_filter)
    dialog.fileSelected.emit(name)
    dialog.close()


def test_a_project_is_saved_and_opened_again(
    qtbot: QtBot, window: MainWindow, tmp_path: Path
) -> None:
    document, path = window.document, tmp_path / "mine.placewise"
    document.move_tasks(frozenset({0}), 1)
    window.commands["save"].trigger()
    choose(window, str(path))
    qtbot.waitUntil(lambda: not document.modified)
    assert read_project(path) == document.project
    assert document.path == path
    assert window.settings.recent[0] == path
    document.load(cluster())
    window.files.open(path)
    qtbot.waitUntil(lambda: document.project.name == "A then B")
    assert document.project.plan.allocation == (1, 0)
    assert document.path == path
    assert not document.modified


def test_a_project_on_standard_input_is_opened_without_a_file(
    qtbot: QtBot, window: MainWindow, monkeypatch: pytest.MonkeyPatch
) -> None:
    content = io.BytesIO(dump_project(cluster()).encode())
    monkeypatch.setattr("sys.stdin", io.TextIOWrapper(content))
    window.files.open(Path("-"))
    qtbot.waitUntil(lambda: window.document.project == cluster())
    assert window.document.path is None
    assert window.settings.recent == ()


def test_saving_again_asks_nothing(qtbot: QtBot, window: MainWindow, tmp_path: Path) -> None:
    path = tmp_path / "mine.placewise"
    window.document.set_path(path)
    window.document.move_tasks(frozenset({0}), 1)
    qtbot.keyClick(window, Qt.Key.Key_S, Qt.KeyboardModifier.ControlModifier)
    qtbot.waitUntil(path.exists)
    qtbot.waitUntil(lambda: not window.document.modified)


def test_a_full_disk_keeps_the_old_file_and_the_edit(
    qtbot: QtBot, window: MainWindow, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / "mine.placewise"
    path.write_text("what was there", encoding="utf-8")
    window.document.move_tasks(frozenset({0}), 1)
    edited = window.document.project

    def full(_handle: int) -> None:
        raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))

    monkeypatch.setattr(os, "fsync", full)
    with qtbot.waitSignal(window.files.failed) as failed:
        window.files.save_to(path)
    assert "no space left" in str(failed.args)
    assert path.read_text(encoding="utf-8") == "what was there"
    assert list(tmp_path.iterdir()) == [path]
    assert window.document.modified
    assert window.document.project is edited


def test_an_edit_while_saving_stays_unsaved(
    qtbot: QtBot, window: MainWindow, tmp_path: Path
) -> None:
    window.document.move_tasks(frozenset({0}), 1)
    with qtbot.waitSignal(window.files.told):
        window.files.save_to(tmp_path / "mine.placewise")
        window.document.move_tasks(frozenset({1}), 1)
    assert window.document.modified
    assert read_project(tmp_path / "mine.placewise").plan.allocation == (1, 0)


def test_a_folder_that_is_not_there_is_told_and_the_project_stays_open(
    qtbot: QtBot, window: MainWindow, tmp_path: Path
) -> None:
    window.document.move_tasks(frozenset({0}), 1)
    before = window.document.project
    with qtbot.waitSignal(window.files.failed):
        window.files.save_to(tmp_path / "no" / "mine.placewise")
    assert "mine.placewise" in dialog_of(window).text()
    assert window.document.project is before
    assert window.document.modified
    dialog_of(window).reject()


@pytest.mark.skipif(os.geteuid() == 0, reason="root may write anywhere")
def test_a_read_only_file_is_told(qtbot: QtBot, window: MainWindow, tmp_path: Path) -> None:
    path = tmp_path / "mine.placewise"
    path.write_text("old", encoding="utf-8")
    path.chmod(0o400)
    with qtbot.waitSignal(window.files.failed):
        window.files.save_to(path)
    assert path.read_text(encoding="utf-8") == "old"


def test_a_full_disk_while_saving_is_told_and_the_old_file_stays(
    qtbot: QtBot, window: MainWindow, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / "mine.placewise"
    write_project(two_machines(), path)
    old = path.read_bytes()

    def full(*_: object) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr("os.fsync", full)
    window.document.move_tasks(frozenset({0}), 1)
    with qtbot.waitSignal(window.files.failed):
        window.files.save_to(path)
    assert "full" in dialog_of(window).text()
    assert path.read_bytes() == old
    assert list(tmp_path.iterdir()) == [path]


@pytest.mark.parametrize(
    ("content", "says"),
    [
        (b"", "empty"),
        (b"\x00\xff\xfe" * 100, "text"),
        (b'{"format": "placewise-project", "version": 99}', "version"),
        (b'{"schemaVersion": "1.4", "name": "x", "workflow": {"tasks": []}}', "task"),
        (b'{"workflow": {"tasks": [{"name"', ""),
        (b"[[task]]\nname = 3\n", ""),
        (b'format = "placewise-platform"\nversion = 1\nname = "x"\nmachine = 3\n', "machine"),
    ],
)
def test_a_bad_file_is_told_with_its_name_and_changes_nothing(
    qtbot: QtBot, window: MainWindow, tmp_path: Path, content: bytes, says: str
) -> None:
    path, before = tmp_path / "bad.json", window.document.project
    path.write_bytes(content)
    with qtbot.waitSignal(window.files.failed):
        window.files.open(path)
    text = dialog_of(window).text()
    assert "bad.json" in text
    assert says in text
    assert window.document.project is before


def test_a_recent_file_that_is_gone_is_told_and_forgotten(
    qtbot: QtBot, window: MainWindow, tmp_path: Path
) -> None:
    path = tmp_path / "gone.placewise"
    window.settings.add_recent(path)
    with qtbot.waitSignal(window.files.failed):
        window.files.open(path)
    assert path not in window.settings.recent


def test_the_error_dialog_can_be_copied(qtbot: QtBot, window: MainWindow) -> None:
    from PySide6.QtWidgets import QApplication, QPushButton

    error = InputError("it is wrong", where="here", value=3, remedy="Do this")
    window.files.failed.emit("It failed", error)
    dialog = dialog_of(window)
    button = dialog.findChild(QPushButton, "error_copy")
    assert button is not None
    qtbot.mouseClick(button, Qt.MouseButton.LeftButton)
    assert QApplication.clipboard().text() == (
        "It failed\nIt is wrong\nWhere: here\nValue: 3\nWhat to do: Do this"
    )
    dialog.reject()


def test_a_workload_is_imported_as_one_undo_step(
    qtbot: QtBot, window: MainWindow, tmp_path: Path
) -> None:
    document, before = window.document, window.document.project
    write_workload(cluster().workload, tmp_path / "w.json")
    window.commands["import_workload"].trigger()
    choose(window, str(tmp_path / "w.json"))
    qtbot.waitUntil(lambda: document.project is not before)
    assert document.project.workload == cluster().workload
    assert document.project.platform is before.platform
    document.undo_stack.undo()
    assert document.project is before


def test_a_platform_is_imported_and_tasks_stay_where_names_agree(
    qtbot: QtBot, window: MainWindow, tmp_path: Path
) -> None:
    document = window.document
    document.move_tasks(frozenset({0}), 1)
    write_platform(two_machines(0).platform, tmp_path / "p.toml")
    window.commands["import_platform"].trigger()
    choose(window, str(tmp_path / "p.toml"))
    qtbot.waitUntil(lambda: not document.project.platform.machines[0].contenders)
    assert document.project.plan.allocation == (1, 0)


def test_an_import_that_was_overtaken_by_an_edit_is_dropped(
    qtbot: QtBot, window: MainWindow, tmp_path: Path
) -> None:
    write_platform(two_machines(0).platform, tmp_path / "p.toml")
    with qtbot.waitSignal(window.files.told) as told:
        window.files.import_platform(tmp_path / "p.toml")
        window.document.move_tasks(frozenset({0}), 1)
    assert "changed meanwhile" in told.args[0]
    assert window.document.undo_stack.count() == 1


def test_a_workload_without_machines_opens_on_a_preset_and_says_so(
    qtbot: QtBot, window: MainWindow, tmp_path: Path
) -> None:
    write_workload(cluster().workload, tmp_path / "w.toml")
    window.files.open(tmp_path / "w.toml")
    qtbot.waitUntil(lambda: window.document.project.name == "staged workflow")
    assert window.document.path is None
    assert window.notice.isVisible()
    assert "Which machines run it" in window.notice.label.text()
    qtbot.mouseClick(window.notice._buttons[-1], Qt.MouseButton.LeftButton)
    assert "preset" in window.notice.label.text()
    qtbot.mouseClick(window.notice._buttons[0], Qt.MouseButton.LeftButton)
    assert not window.notice.isVisible()


def test_opening_asks_about_unsaved_changes_first(
    qtbot: QtBot, window: MainWindow, tmp_path: Path
) -> None:
    path = tmp_path / "other.placewise"
    write_project(cluster(), path)
    window.document.move_tasks(frozenset({0}), 1)
    window.files.open(path)
    box = window.findChild(QMessageBox, "unsaved_question")
    assert box is not None
    qtbot.mouseClick(box.button(QMessageBox.StandardButton.Discard), Qt.MouseButton.LeftButton)
    qtbot.waitUntil(lambda: window.document.project.name == "staged workflow")


def test_examples_and_new_projects_open_from_the_menu(qtbot: QtBot, window: MainWindow) -> None:
    import resources

    for dock in window.docks.values():
        dock.close()
    for example in resources.examples():
        with qtbot.waitSignal(window.document.loaded):
            window.files.example(example.name)
    with qtbot.waitSignal(window.document.loaded):
        window.commands["new"].trigger()
    assert len(window.document.project.workload.tasks) == 1
    with qtbot.waitSignal(window.document.loaded):
        window.files.this_machine()
    assert window.document.project.platform.machines[0].cores >= 1


def test_reading_is_shown_and_can_be_given_up(
    qtbot: QtBot, window: MainWindow, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    go_on = threading.Event()

    def slow(path: Path) -> None:
        go_on.wait()
        raise InputError("too late")

    monkeypatch.setattr("advisor.project.opening.open_file", slow)
    before = window.document.project
    failures: list[object] = []
    window.files.failed.connect(lambda title, error: failures.append(error))
    window.files.open(tmp_path / "big.json")
    # the first search of the window may be shown before it, or after it
    qtbot.waitUntil(lambda: window.line.job.text() == "Reading big.json …")
    qtbot.mouseClick(window.line.cancel_button, Qt.MouseButton.LeftButton)
    assert "Reading" not in window.line.job.text() or not window.line.job.isVisible()
    go_on.set()
    qtbot.waitUntil(lambda: not window.files.reader.is_busy)
    qtbot.settle()
    assert failures == []
    assert window.document.project is before


@pytest.mark.parametrize("name", exports_of(PLAN))
def test_the_plan_is_exported_in_every_format(
    qtbot: QtBot, window: MainWindow, tmp_path: Path, name: str
) -> None:
    path = tmp_path / "plan"
    window.commands[f"export_as_{name}"].trigger()
    with qtbot.waitSignal(window.files.told):
        choose(window, str(path))
    written = path.with_suffix(exports_of(PLAN)[name].suffix)
    text = written.read_text(encoding="utf-8")
    if written.suffix == ".json":
        assert json.loads(text)
    elif written.suffix == ".csv":
        assert len(list(csv.reader(text.splitlines()))) >= 1
    assert "A" in text or name == "transfers-csv"  # there is no transfer between machines


@pytest.mark.parametrize(
    ("command", "typed", "file", "first"),
    [
        ("export_plan", "plan.csv", "plan.csv", '"task"'),
        ("export_plan", "plan.dot", "plan.dot", "digraph"),
        ("export_as_json", "plan.csv", "plan.csv.json", "{"),
    ],
)
def test_a_plan_never_lies_in_a_file_of_another_format(
    qtbot: QtBot,
    window: MainWindow,
    tmp_path: Path,
    command: str,
    typed: str,
    file: str,
    first: str,
) -> None:
    window.commands[command].trigger()
    with qtbot.waitSignal(window.files.told):
        choose(window, str(tmp_path / typed))
    assert [path.name for path in tmp_path.iterdir()] == [file]
    assert (tmp_path / file).read_text(encoding="utf-8").lstrip().startswith(first)


def test_exporting_before_there_is_a_prediction_is_told(
    qtbot: QtBot, window: MainWindow, tmp_path: Path
) -> None:
    window.document.move_tasks(frozenset({0}), 1)
    window.files.export("json", tmp_path / "x.json")
    assert "no prediction" in dialog_of(window).text()
    assert not (tmp_path / "x.json").exists()


def test_recent_files_are_offered_and_forgotten(
    qtbot: QtBot, window: MainWindow, tmp_path: Path
) -> None:
    from PySide6.QtWidgets import QMenu

    menu = window.findChild(QMenu, "menu_recent")
    assert menu is not None
    menu.aboutToShow.emit()
    assert [plain(action.text()) for action in menu.actions()] == ["No file yet"]
    path = tmp_path / "mine.placewise"
    write_project(cluster(), path)
    window.settings.add_recent(path)
    menu.aboutToShow.emit()
    with qtbot.waitSignal(window.document.loaded):
        menu.actions()[0].trigger()
    menu.aboutToShow.emit()
    menu.actions()[-1].trigger()
    assert window.settings.recent == ()


def test_recent_files_are_ten_at_most_newest_first(window: MainWindow, tmp_path: Path) -> None:
    for number in range(12):
        window.settings.add_recent(tmp_path / str(number))
    window.settings.add_recent(tmp_path / "5")
    names = [path.name for path in window.settings.recent]
    assert names == ["5", "11", "10", "9", "8", "7", "6", "4", "3", "2"]

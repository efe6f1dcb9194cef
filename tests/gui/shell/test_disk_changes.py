"""A project file that others change, delete or have open: told, asked about, never lost."""

from __future__ import annotations

import threading
from pathlib import Path

import pytest
from PySide6.QtCore import Qt
from PySide6.QtWidgets import QFileDialog, QMessageBox, QPushButton
from pytestqt.qtbot import QtBot

from advisor.commands import cli
from advisor.project.project_file import read_project, write_project
from gui.basics.settings import open_files_folder
from gui.document.document import Document
from gui.document.file_watch import FileWatch, OtherWindow
from gui.shell import project_files as files_module
from gui.shell.main_window import MainWindow
from machines.files import digest
from tests.conftest import cluster, two_machines
from tests.gui.crashes import crashed_with


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "mine.placewise"


@pytest.fixture
def opened(qtbot: QtBot, window: MainWindow, path: Path) -> MainWindow:
    """The window with a project of its own file."""
    write_project(two_machines(), path)
    window.files.open(path)
    qtbot.waitUntil(lambda: window.document.path == path)
    return window


def has_it(watch: FileWatch) -> bool:
    return watch.claim is not None and watch.claim.held


def save_by_key(qtbot: QtBot, window: MainWindow) -> QMessageBox:
    """Save, and the question that follows."""
    qtbot.keyClick(window, Qt.Key.Key_S, Qt.KeyboardModifier.ControlModifier)
    qtbot.waitUntil(lambda: window.findChild(QMessageBox, "conflict_question") is not None)
    box = window.findChild(QMessageBox, "conflict_question")
    assert box is not None
    return box


def press(qtbot: QtBot, box: QMessageBox, name: str) -> None:
    button = box.findChild(QPushButton, f"conflict_{name}")
    assert button is not None
    qtbot.mouseClick(button, Qt.MouseButton.LeftButton)


def offered(window: MainWindow) -> list[str]:
    """The buttons of the notice."""
    return [button.text() for button in window.notice._buttons]


def test_saving_over_what_others_wrote_is_asked_and_done(
    qtbot: QtBot, opened: MainWindow, path: Path
) -> None:
    write_project(cluster(), path)
    opened.document.move_tasks(frozenset({0}), 1)
    box = save_by_key(qtbot, opened)
    assert "changed on disk" in box.text()
    assert read_project(path) == cluster()
    press(qtbot, box, "overwrite")
    qtbot.waitUntil(lambda: not opened.document.modified)
    assert read_project(path) == opened.document.project
    assert opened.document.digest == digest(path)
    assert list(path.parent.iterdir()) == [path]  # nothing is left beside it


def test_saving_elsewhere_leaves_what_others_wrote(
    qtbot: QtBot, opened: MainWindow, path: Path
) -> None:
    write_project(cluster(), path)
    opened.document.move_tasks(frozenset({0}), 1)
    press(qtbot, save_by_key(qtbot, opened), "save_as")
    dialog = opened.findChild(QFileDialog)
    assert dialog is not None
    dialog.fileSelected.emit(str(path.with_name("other.placewise")))
    dialog.close()
    qtbot.waitUntil(lambda: not opened.document.modified)
    assert opened.document.path == path.with_name("other.placewise")
    assert read_project(path) == cluster()


def test_what_others_wrote_can_take_the_place_of_ones_own(
    qtbot: QtBot, opened: MainWindow, path: Path
) -> None:
    write_project(cluster(), path)
    opened.document.move_tasks(frozenset({0}), 1)
    press(qtbot, save_by_key(qtbot, opened), "reload")
    qtbot.waitUntil(lambda: opened.document.project == cluster())
    assert not opened.document.modified
    assert opened.document.path == path


def test_doing_nothing_changes_nothing(qtbot: QtBot, opened: MainWindow, path: Path) -> None:
    write_project(cluster(), path)
    opened.document.move_tasks(frozenset({0}), 1)
    before = opened.document.project
    box = save_by_key(qtbot, opened)
    qtbot.keyClick(box, Qt.Key.Key_Escape)
    assert opened.document.project is before
    assert opened.document.modified
    assert read_project(path) == cluster()


def test_a_file_that_is_gone_can_be_written_again(
    qtbot: QtBot, opened: MainWindow, path: Path
) -> None:
    path.unlink()
    opened.document.move_tasks(frozenset({0}), 1)
    box = save_by_key(qtbot, opened)
    assert "deleted or moved" in box.text()
    assert box.findChild(QPushButton, "conflict_reload") is None
    press(qtbot, box, "overwrite")
    qtbot.waitUntil(lambda: not opened.document.modified)
    assert read_project(path) == opened.document.project


def test_a_file_that_was_only_touched_is_no_question(
    qtbot: QtBot, opened: MainWindow, path: Path
) -> None:
    path.write_bytes(path.read_bytes())
    opened.document.move_tasks(frozenset({0}), 1)
    with qtbot.waitSignal(opened.files.told):
        qtbot.keyClick(opened, Qt.Key.Key_S, Qt.KeyboardModifier.ControlModifier)
    for _ in range(2):  # and none after what was written here
        opened.document.move_tasks(frozenset({1}), 1 - opened.document.project.plan.allocation[1])
        with qtbot.waitSignal(opened.files.told):
            opened.files.save()
    assert opened.findChild(QMessageBox, "conflict_question") is None
    assert not opened.notice.isVisible()


def test_what_another_window_saves_is_told_and_reloaded(
    qtbot: QtBot, opened: MainWindow, path: Path
) -> None:
    write_project(cluster(), path)
    qtbot.waitUntil(opened.notice.isVisible)
    assert "changed on disk" in opened.notice.label.text()
    assert offered(opened) == ["Reload", "Keep mine"]
    qtbot.mouseClick(opened.notice._buttons[0], Qt.MouseButton.LeftButton)
    qtbot.waitUntil(lambda: opened.document.project == cluster())
    assert not opened.notice.isVisible()
    # the next change is told, too: the file is another one to the system by now
    write_project(two_machines(1), path)
    qtbot.waitUntil(opened.notice.isVisible)


def test_what_the_command_line_writes_is_told(
    qtbot: QtBot, opened: MainWindow, path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    source = path.with_name("source.placewise")
    write_project(cluster(), source)
    assert cli.main(["export", str(source), "--to", "json", "--output", str(path)]) == 0
    qtbot.waitUntil(opened.notice.isVisible)
    assert "mine.placewise was changed on disk" in opened.notice.label.text()


def test_a_file_that_is_deleted_is_told(qtbot: QtBot, opened: MainWindow, path: Path) -> None:
    path.unlink()
    qtbot.waitUntil(opened.notice.isVisible)
    assert "deleted or moved" in opened.notice.label.text()
    assert offered(opened) == ["Save as…", "Close"]


def test_a_file_that_is_back_as_it_was_is_no_news_any_more(
    qtbot: QtBot, opened: MainWindow, path: Path
) -> None:
    away = path.with_name("away")
    path.rename(away)
    qtbot.waitUntil(opened.notice.isVisible)
    away.rename(path)
    qtbot.waitUntil(lambda: not opened.notice.isVisible())


def test_saving_takes_the_notice_back(qtbot: QtBot, opened: MainWindow, path: Path) -> None:
    path.unlink()
    qtbot.waitUntil(opened.notice.isVisible)
    opened.files.save_to(path, over=True)
    qtbot.waitUntil(path.exists)
    qtbot.waitUntil(lambda: not opened.notice.isVisible())


def test_a_second_window_is_told_and_may_work_on_a_copy(
    qtbot: QtBot, window: MainWindow, path: Path
) -> None:
    write_project(two_machines(), path)
    other = Document(two_machines())
    first = FileWatch(other, open_files_folder(), other)
    other.set_path(path, digest(path))
    qtbot.waitUntil(lambda: has_it(first))
    window.files.open(path)
    qtbot.waitUntil(window.notice.isVisible)
    assert "open in another window" in window.notice.label.text()
    assert offered(window) == ["Work on a copy", "Resume"]
    assert window.document.path == path  # it may be read meanwhile
    qtbot.mouseClick(window.notice._buttons[0], Qt.MouseButton.LeftButton)
    assert window.document.path is None
    assert window.document.modified
    first.close()
    assert list(open_files_folder().iterdir()) == []


def test_a_window_is_no_other_window_to_itself(
    qtbot: QtBot, opened: MainWindow, path: Path
) -> None:
    watch = opened.files.watch
    for _ in range(5):  # before the first look is over, and after it
        opened.document.set_path(None)
        opened.document.set_path(path, digest(path))
        watch.look()
        watch.look()
    qtbot.waitUntil(lambda: has_it(watch) and not watch._jobs.is_busy)
    assert not opened.notice.isVisible()


def test_the_file_is_free_again_when_it_is_left(
    qtbot: QtBot, opened: MainWindow, path: Path
) -> None:
    qtbot.waitUntil(lambda: has_it(opened.files.watch))
    other = Document(two_machines())
    second = FileWatch(other, open_files_folder(), other)
    told: list[OtherWindow] = []
    second.open_elsewhere.connect(told.append)
    other.set_path(path)
    qtbot.waitUntil(lambda: bool(told))
    opened.document.load(cluster())
    second.look()
    qtbot.waitUntil(lambda: has_it(second))
    second.look()
    assert len(told) == 1
    second.close()


def test_the_lock_of_a_process_that_was_killed_counts_for_nothing(
    qtbot: QtBot, qapp: object, path: Path
) -> None:
    write_project(two_machines(), path)
    crashed_with(path, open_files_folder())
    assert list(open_files_folder().iterdir()) != []
    document = Document(two_machines())
    watch = FileWatch(document, open_files_folder(), document)
    document.set_path(path)
    qtbot.waitUntil(lambda: has_it(watch))
    watch.close()
    assert list(open_files_folder().iterdir()) == []


def test_a_window_that_is_closed_while_it_saves_finishes_that_and_asks_nothing(
    qtbot: QtBot, opened: MainWindow, path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    reached, go_on = threading.Event(), threading.Event()
    write = files_module.write_text

    def slow(path: Path, text: str) -> None:
        reached.set()
        assert go_on.wait(60)
        write(path, text)

    monkeypatch.setattr(files_module, "write_text", slow)
    opened.document.move_tasks(frozenset({0}), 1)
    opened.files.save()
    qtbot.waitUntil(reached.is_set)
    opened.close()
    assert opened.isVisible()
    assert opened.findChild(QMessageBox, "unsaved_question") is None
    go_on.set()
    qtbot.waitUntil(lambda: not opened.isVisible())
    assert read_project(path).plan.allocation == (1, 0)


def test_a_second_save_waits_for_the_first(
    qtbot: QtBot, opened: MainWindow, path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    reached, go_on, writing = threading.Event(), threading.Event(), []
    write = files_module.write_text

    def slow(path: Path, text: str) -> None:
        writing.append(1)
        assert len(writing) == 1
        reached.set()
        assert go_on.wait(60)
        write(path, text)
        writing.pop()

    monkeypatch.setattr(files_module, "write_text", slow)
    opened.document.move_tasks(frozenset({0}), 1)
    opened.files.save()
    qtbot.waitUntil(reached.is_set)
    opened.document.move_tasks(frozenset({1}), 1)
    opened.files.save()
    go_on.set()
    qtbot.waitUntil(lambda: not opened.document.modified)
    assert read_project(path).plan.allocation == (1, 1)
    assert opened.findChild(QMessageBox, "conflict_question") is None

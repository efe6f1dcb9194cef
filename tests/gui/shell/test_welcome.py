"""The start page: three cards, examples, recent files, by mouse and by keyboard."""

from __future__ import annotations

from pathlib import Path

import pytest
from PySide6.QtCore import QPoint, Qt
from PySide6.QtWidgets import QFileDialog, QLabel, QPushButton, QWidget
from pytestqt.qtbot import QtBot

from gui.basics.settings import recovery_folder
from gui.document.autosave import Autosave
from gui.shell.main_window import MainWindow
from gui.shell.startup import offer_recovery
from tests.gui.crashes import crashed


@pytest.fixture
def start(window: MainWindow) -> MainWindow:
    window.commands["start_page"].trigger()
    return window


def link(window: MainWindow, text: str) -> QPushButton:
    return next(b for b in window.welcome.findChildren(QPushButton) if b.text() == text)


@pytest.mark.parametrize("key", [True, False])
def test_the_way_back_to_what_is_open_is_a_click_or_escape(
    qtbot: QtBot, window: MainWindow, key: bool
) -> None:
    qtbot.waitUntil(lambda: window.document.outcome is not None)
    before = window.document.project
    window.commands["start_page"].trigger()
    back = window.welcome.back
    assert back.text() == f"Back to “{before.name}”"
    if key:
        qtbot.keyClick(window.welcome, Qt.Key.Key_Escape)
    else:
        qtbot.mouseClick(back, Qt.MouseButton.LeftButton)
    assert not window.on_start_page
    assert window.document.project is before


def test_before_anything_is_open_no_way_leads_back(window: MainWindow) -> None:
    window.welcome.refresh()
    assert not window.welcome.back.isVisibleTo(window.welcome)


def test_the_first_card_opens_the_example(qtbot: QtBot, start: MainWindow) -> None:
    with qtbot.waitSignal(start.document.loaded):
        qtbot.mouseClick(start.welcome.cards["example"], Qt.MouseButton.LeftButton)
    assert start.document.project.name == "A then B"
    assert not start.welcome.isVisible()


def test_a_card_is_chosen_with_the_keyboard(qtbot: QtBot, start: MainWindow) -> None:
    card = start.welcome.cards["machine"]
    card.setFocus()
    with qtbot.waitSignal(start.document.loaded):
        qtbot.keyClick(card, Qt.Key.Key_Return)
    assert len(start.document.project.platform.machines) == 1


def test_other_keys_and_buttons_do_not_choose(qtbot: QtBot, start: MainWindow) -> None:
    card = start.welcome.cards["example"]
    qtbot.keyClick(card, Qt.Key.Key_X)
    qtbot.mouseClick(card, Qt.MouseButton.RightButton)
    assert start.welcome.isVisible()
    assert not start.files.reader.is_busy


def test_the_second_card_asks_for_a_file(qtbot: QtBot, start: MainWindow) -> None:
    qtbot.mouseClick(start.welcome.cards["open"], Qt.MouseButton.LeftButton)
    dialog = start.findChild(QFileDialog)
    assert dialog is not None
    dialog.reject()
    assert start.welcome.isVisible()


def test_no_hint_of_the_start_page_lies_over_the_figures(qtbot: QtBot, start: MainWindow) -> None:
    start.show()
    start.line.showMessage("Which task goes to which machine")
    qtbot.mouseClick(start.welcome.cards["empty"], Qt.MouseButton.LeftButton)
    qtbot.waitUntil(start.line.figures.isVisible)
    assert not start.line.currentMessage()


def test_examples_are_links(qtbot: QtBot, start: MainWindow) -> None:
    with qtbot.waitSignal(start.document.loaded):
        qtbot.mouseClick(link(start, "Two machines, idle"), Qt.MouseButton.LeftButton)
    assert not start.document.project.platform.machines[0].contenders


def test_recent_files_are_links(qtbot: QtBot, window: MainWindow, tmp_path: Path) -> None:
    path = tmp_path / "mine.placewise"
    with qtbot.waitSignal(window.files.told):
        window.files.save_to(path)
    window.commands["start_page"].trigger()
    with qtbot.waitSignal(window.document.loaded):
        qtbot.mouseClick(link(window, "mine.placewise"), Qt.MouseButton.LeftButton)
    assert window.document.path == path


def test_recent_files_of_one_name_are_told_apart_by_their_folders(
    start: MainWindow, tmp_path: Path
) -> None:
    for folder in ("monday", "tuesday"):
        start.settings.add_recent(tmp_path / folder / "mine.placewise")
    start.settings.add_recent(tmp_path / "other.placewise")
    start.welcome.refresh()
    for text in ("mine.placewise, in monday", "mine.placewise, in tuesday", "other.placewise"):
        assert link(start, text).toolTip().startswith(str(tmp_path))


def test_old_links_are_out_of_sight_before_they_are_deleted(
    start: MainWindow, tmp_path: Path
) -> None:
    start.settings.add_recent(tmp_path / "mine.placewise")
    start.welcome.refresh()
    old = link(start, "mine.placewise")
    old.show()
    start.welcome.refresh()
    assert not old.isVisible()


def test_nothing_is_cut_off_in_a_small_window(qtbot: QtBot, start: MainWindow) -> None:
    start.resize(start.minimumSize())
    qtbot.settle()
    for card in start.welcome.cards.values():
        for label in card.findChildren(type(card._image)):
            needed = label.heightForWidth(label.width()) if label.wordWrap() else 0
            assert label.height() >= needed


def test_examples_and_recent_files_begin_where_cards_do(
    qtbot: QtBot, start: MainWindow, tmp_path: Path
) -> None:
    start.settings.add_recent(tmp_path / f"{'a long name ' * 9}.placewise")
    start.settings.add_recent(tmp_path / "b.placewise")
    start.welcome.refresh()
    start.resize(1280, 800)
    qtbot.settle()

    def left(widget: QWidget) -> int:
        return widget.mapTo(start.welcome, QPoint(0, 0)).x()

    first, *_, last = start.welcome.cards.values()
    assert left(link(start, "Two machines, idle")) == left(first)
    assert left(link(start, "b.placewise")) == left(last)
    long = next(one for one in start.welcome.findChildren(QPushButton) if "…" in one.text())
    assert long.width() <= last.width()
    headings = [one for one in start.welcome.findChildren(QLabel) if one.text() == "Recent files"]
    assert headings[-1].height() < 2 * headings[-1].fontMetrics().lineSpacing()


def test_an_unsaved_project_of_a_crash_is_offered_and_restored(
    qtbot: QtBot, start: MainWindow
) -> None:
    crashed(recovery_folder())
    offer_recovery(start)
    assert "mine.placewise was not saved" in start.notice.label.text()
    with qtbot.waitSignal(start.document.loaded):
        qtbot.mouseClick(start.notice._buttons[0], Qt.MouseButton.LeftButton)
    assert start.document.project.plan.allocation[0] == 1  # the other one moved to and fro
    assert start.document.modified
    assert start.autosave.file is not None


def test_an_unsaved_project_can_be_declined_or_left_for_later(
    qtbot: QtBot, start: MainWindow
) -> None:
    crashed(recovery_folder(), origin="")
    offer_recovery(start)
    qtbot.mouseClick(start.notice._buttons[2], Qt.MouseButton.LeftButton)
    assert len(start.autosave.leftovers()) == 1
    offer_recovery(start)
    qtbot.mouseClick(start.notice._buttons[1], Qt.MouseButton.LeftButton)
    assert start.autosave.leftovers() == []


def test_a_damaged_recovery_file_is_told(qtbot: QtBot, start: MainWindow) -> None:
    from gui.basics.error_messages import ErrorDialog

    folder = recovery_folder() / "abc"
    folder.mkdir(parents=True)
    (folder / "project.placewise").write_text("{", encoding="utf-8")
    (folder / "origin").write_text("", encoding="utf-8")
    offer_recovery(start)
    qtbot.mouseClick(start.notice._buttons[0], Qt.MouseButton.LeftButton)
    qtbot.waitUntil(lambda: start.findChild(ErrorDialog) is not None)
    start.findChild(ErrorDialog).reject()  # type: ignore[union-attr]


def test_another_window_may_have_restored_it_meanwhile(qtbot: QtBot, start: MainWindow) -> None:
    from gui.document.document import Document
    from tests.conftest import two_machines

    crashed(recovery_folder())
    offer_recovery(start)
    other = Autosave(Document(two_machines()), recovery_folder())
    (leftover,) = other.leftovers()
    assert other.take(leftover, leftover.read())
    qtbot.mouseClick(start.notice._buttons[0], Qt.MouseButton.LeftButton)
    qtbot.waitUntil(lambda: "Another window" in start.line.currentMessage())
    assert not start.document.modified
    other.discard()
    other.close()

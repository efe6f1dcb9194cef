"""The tour: on its own example, with whatever was open kept as it was."""

from __future__ import annotations

from pathlib import Path

import pytest
from PySide6.QtCore import Qt
from PySide6.QtWidgets import QLabel, QMessageBox, QPushButton
from pytestqt.qtbot import QtBot

from gui.document.document import Document
from gui.inspector import Inspector
from gui.panels.compare_panel import ComparePanel
from gui.shell.main_window import MainWindow
from gui.shell.tour import Tour
from gui.shell.tour_steps import STEPS, example
from tests.conftest import two_machines


def tour_of(window: MainWindow) -> Tour:
    tour = window.findChild(Tour)
    assert tour is not None
    return tour


def test_the_tour_walks_over_six_real_widgets(qtbot: QtBot, window: MainWindow) -> None:
    window.commands["tour"].trigger()
    tour = window.findChild(Tour)
    assert tour is not None
    titles = []
    for step in range(6):
        assert tour.step == step
        titles.append(tour.title.text())
        assert tour.rect().contains(tour.card.geometry())
        assert tour.text.height() >= tour.text.heightForWidth(tour.text.width())  # all of it
        assert tour._target().isValid()
        tour.grab()
        qtbot.keyClick(tour, Qt.Key.Key_Right)
    assert len(set(titles)) == 6
    assert window.handlers.tour_shown is None
    assert window.pages.currentWidget() is window.lazy["allocation"]


def test_every_step_shows_what_it_speaks_of(qtbot: QtBot, window: MainWindow) -> None:
    window.resize(1280, 800)
    window.commands["tour"].trigger()
    tour, document = tour_of(window), window.document
    inspector = window.panel("inspector")
    assert isinstance(inspector, Inspector)
    choices = inspector.choices

    def titles_of_choices() -> set[str]:
        qtbot.waitUntil(lambda: bool(choices.shown) and not choices.is_busy)
        return {one.kind.title for one in choices.shown}

    tour.go(2)
    assert document.selection.tasks == {document.project.workload.index["fft"]}
    assert titles_of_choices() == {"Message style", "Mapping"}
    assert choices.isVisible()
    tour.go(3)
    assert document.selection.overlay == 0
    qtbot.waitUntil(lambda: titles_of_choices() == {"Tree"})
    tour.go(4)
    panel = window.panel("compare")
    assert isinstance(panel, ComparePanel)
    qtbot.waitUntil(lambda: panel.comparison is not None)
    headings = [column.heading for column in panel.table.columns_model.columns]
    assert {"message style", "tree"} <= set(headings)
    card, page = tour.card.geometry(), tour._target()
    assert page.contains(card)
    assert card.left() > page.center().x()  # what a page begins with lies at its upper left
    assert card.top() > page.center().y()
    tour.go(3)  # back
    assert window.pages.currentWidget() is window.lazy["allocation"]
    assert tour.hasFocus() or not window.isActiveWindow()
    tour.end()


@pytest.mark.parametrize(
    "name",
    ["Advise", "By decision", "Apply", "Plan's choices", "Pin", "Adopt", "Undo", "Run the example"],
)
def test_names_of_controls_stand_in_quotes(name: str) -> None:
    texts = " ".join(step.text for step in STEPS)
    assert f"“{name}”" in texts
    assert name not in texts.replace(f"“{name}”", "")


def test_the_tour_goes_back_follows_the_window_and_ends(qtbot: QtBot, window: MainWindow) -> None:
    window.commands["tour"].trigger()
    tour = window.findChild(Tour)
    assert tour is not None
    qtbot.mouseClick(tour.next, Qt.MouseButton.LeftButton)
    qtbot.mouseClick(tour.back, Qt.MouseButton.LeftButton)
    assert tour.step == 0
    assert not tour.back.isEnabled()
    qtbot.keyClick(tour, Qt.Key.Key_Left)
    window.resize(1100, 700)
    assert tour.size() == window.size()
    assert tour.findChild(QLabel) is not None
    qtbot.keyClick(tour, Qt.Key.Key_Escape)
    assert not tour.isVisible()


def test_the_tour_from_the_start_page_opens_the_example(qtbot: QtBot, window: MainWindow) -> None:
    window.commands["start_page"].trigger()
    window.welcome.tour_asked.emit()
    qtbot.waitUntil(lambda: window.findChild(Tour) is not None)
    assert window.document.project.name == "monitored campaign"
    assert window.settings.welcomed
    window.findChild(Tour).end()  # type: ignore[union-attr]


@pytest.mark.usefixtures("unasked")
def test_with_a_project_open_the_tour_has_its_own_example_and_an_answer(
    qtbot: QtBot, window: MainWindow
) -> None:
    mine = window.document.project
    window.commands["tour"].trigger()
    assert window.document.project is not mine
    assert window.document.project == example()
    qtbot.waitUntil(lambda: window.advisor.is_busy)  # the answer that the tour speaks of
    tour_of(window).end()


def offers(qtbot: QtBot, window: MainWindow) -> list[QPushButton]:
    """The buttons of the notice, once they are shown."""
    qtbot.waitUntil(lambda: all(one.isVisible() for one in window.notice._buttons))
    return window.notice._buttons


def test_after_the_tour_the_project_comes_back_with_its_history_and_file(
    qtbot: QtBot, window: MainWindow, tmp_path: Path
) -> None:
    document = window.document
    document.set_path(tmp_path / "mine.placewise")
    start = document.project
    document.move_tasks(frozenset({0}), 1)
    moved = document.project
    document.undo_stack.setClean()
    document.undo_stack.undo()
    document.undo_stack.redo()
    window.commands["tour"].trigger()
    assert document.path is None
    qtbot.keyClick(tour_of(window), Qt.Key.Key_Escape)
    back, stay = offers(qtbot, window)
    assert stay.text() == "Stay here"
    qtbot.mouseClick(back, Qt.MouseButton.LeftButton)
    assert document.project is moved
    assert document.path == tmp_path / "mine.placewise"
    assert not document.modified
    assert window.commands["undo"].text().startswith("Undo “Move")
    window.commands["undo"].trigger()
    assert document.project is start
    assert document.modified
    window.commands["redo"].trigger()
    assert not document.modified


def test_who_stays_keeps_the_example(qtbot: QtBot, window: MainWindow) -> None:
    window.commands["tour"].trigger()
    tour_of(window).end()
    _back, stay = offers(qtbot, window)
    qtbot.mouseClick(stay, Qt.MouseButton.LeftButton)
    assert window.document.project == example()
    assert not window.notice.isVisible()


@pytest.mark.parametrize("answer", ["Cancel", "Discard"])
def test_unsaved_changes_are_asked_about_first_and_lost_by_no_answer(
    qtbot: QtBot, window: MainWindow, answer: str
) -> None:
    document = window.document
    document.move_tasks(frozenset({0}), 1)
    moved = document.project
    window.commands["tour"].trigger()
    box = window.findChild(QMessageBox, "unsaved_question")
    assert box is not None
    assert window.findChild(Tour) is None
    box.button(getattr(QMessageBox.StandardButton, answer)).click()
    if answer == "Discard":
        tour_of(window).end()
        qtbot.mouseClick(offers(qtbot, window)[0], Qt.MouseButton.LeftButton)
    assert document.project is moved
    assert document.modified


def test_a_project_that_is_put_aside_comes_back_wherever_its_history_stood() -> None:
    document = Document(two_machines())
    for machine in (1, 0, 1):
        document.move_tasks(frozenset({0}), machine)
    document.undo_stack.undo()
    aside, project = document.aside(), document.project
    document.load(two_machines(contenders=1))
    document.bring_back(aside)
    assert document.project is project
    assert (document.undo_stack.count(), document.undo_stack.index()) == (3, 2)
    document.undo_stack.redo()
    assert document.project.plan.allocation[0] == 1
    for _ in range(3):
        document.undo_stack.undo()
    assert document.project.plan.allocation[0] == 0
    assert not document.modified


def test_tab_stays_in_the_tour(qtbot: QtBot, window: MainWindow) -> None:
    window.activateWindow()
    window.commands["tour"].trigger()
    tour = tour_of(window)
    qtbot.waitUntil(tour.hasFocus)
    qtbot.keyClick(tour, Qt.Key.Key_Tab)
    assert tour.hasFocus()
    tour.end()

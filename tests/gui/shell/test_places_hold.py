"""Nothing moves under the pointer: messages, undo and results leave everything where it is."""

from __future__ import annotations

from dataclasses import replace
from itertools import pairwise

import pytest
from PySide6.QtCore import QEvent, QObject, QPoint, QSize, Qt
from PySide6.QtWidgets import QLabel, QToolButton, QWidget
from pytestqt.qtbot import QtBot

from advisor.allocation.plan import Plan
from advisor.allocation.recommendation import Progress
from gui.basics.steady import SteadyParts
from gui.panels.answer_strip import AnswerStrip
from gui.shell.main_window import MainWindow


def places(window: MainWindow, *widgets: QWidget) -> list[tuple[QPoint, int]]:
    """Where widgets begin in the window, and how wide they are."""
    return [(widget.mapTo(window, QPoint(0, 0)), widget.width()) for widget in widgets]


def laid_out(qtbot: QtBot, window: MainWindow) -> None:
    """Wait until no layout changes any more."""
    seen: list[object] = [None]

    def settled() -> bool:
        window.grab()
        seen.append([widget.geometry() for widget in window.findChildren(QWidget)])
        return bool(seen[-1] == seen[-2])

    qtbot.waitUntil(settled)


def test_a_notice_lies_over_the_page_and_moves_nothing(qtbot: QtBot, window: MainWindow) -> None:
    window.resize(1280, 800)
    board = window.panel("allocation")
    laid_out(qtbot, window)
    before = places(window, window.stack, board, window.rail)
    size = board.size()
    window.notice.tell("A long text. " * 30, (("Do it", lambda: None),))
    laid_out(qtbot, window)
    assert window.notice.isVisible()
    assert places(window, window.stack, board, window.rail) == before
    assert board.size() == size
    foot = window.stack.geometry().bottom()
    assert window.notice.geometry().bottom() == foot
    hints = window.findChild(QLabel, "board-status")
    assert hints is not None
    top = hints.mapTo(window, QPoint(0, 0)).y()
    assert window.notice.geometry().top() >= top - 1  # the makespan above it is seen
    assert window.notice.label.toolTip().count("A long text.") == 30
    window.resize(1600, 900)
    laid_out(qtbot, window)
    assert window.notice.geometry().bottom() == window.stack.geometry().bottom()
    assert window.notice.width() == window.stack.width()
    window.notice.clear()
    assert not window.notice.isVisible()


def test_the_buttons_of_the_toolbar_stay_where_they_are_while_the_undo_text_changes(
    qtbot: QtBot, window: MainWindow
) -> None:
    window.resize(1280, 800)
    laid_out(qtbot, window)
    tools = [
        window.toolbar.widgetForAction(window.commands["undo"]),
        window.toolbar.objective,
        window.toolbar.reading,
        window.toolbar.search,
    ]
    before = places(window, *tools)
    project = window.document.project
    for text in ("Move A to M2", "Do something that takes very many words to tell"):
        plan = Plan((1, 0)) if window.document.project.plan == project.plan else project.plan
        window.document.adopt(plan, text)
        laid_out(qtbot, window)
        assert places(window, *tools) == before
        assert window.commands["undo"].text() == f"Undo “{text}”"
        assert text in window.commands["undo"].toolTip()
        assert "Ctrl+Z" in window.commands["undo"].toolTip()
    window.document.undo_stack.undo()
    window.document.undo_stack.undo()
    assert "“" not in window.commands["undo"].toolTip()


def test_figures_of_the_status_line_keep_their_places(qtbot: QtBot) -> None:
    line = SteadyParts("line")
    qtbot.addWidget(line)
    line.resize(600, 24)
    line.setText("makespan 11 min 58 s  ·  at most 12 % above the best  ·  exact sharing")
    before = [place.left() for place, _ in line.places]
    line.setText("makespan 48.0 s  ·  proved best  ·  published formula")
    assert [place.left() for place, _ in line.places] == before
    assert [part for _, part in line.places] == [
        "makespan 48.0 s",
        "proved best",
        "published formula",
    ]
    line.grab()
    line.setText("No prediction: it is too long to be shown in the room that there is " * 3)
    assert line.places[0][0].right() <= line.width()
    line.clear()
    line.grab()


def test_progress_and_cancel_have_their_places_whatever_the_job_says(
    qtbot: QtBot, window: MainWindow
) -> None:
    line = window.line
    line.start_job("one", "One", lambda: None)
    qtbot.waitUntil(line.job.isVisible)
    laid_out(qtbot, window)
    before = places(window, line.job, line.cancel_button)
    line.show_share("one", 0.3)
    line.show_progress("one", Progress(Plan((0, 0)), 48.0, 38.0, "heft", 1_000_000, 0.5))
    laid_out(qtbot, window)
    assert line.bar.isVisible()
    assert places(window, line.job, line.cancel_button) == before
    in_row = [one.geometry() for one in (line.figures, line.job, line.bar, line.cancel_button)]
    assert all(one.right() < other.left() for one, other in pairwise(in_row))
    line.start_job("two", "A job that can't be stopped and has a long name " * 3, None)
    laid_out(qtbot, window)
    assert not line.cancel_button.isVisible()
    assert places(window, line.job) == before[:1]
    line.end_job("two")
    line.end_job("one")


def test_a_cause_that_a_move_brings_leaves_the_board_where_it_is(
    qtbot: QtBot, window: MainWindow
) -> None:
    window.resize(1024, 700)
    board = window.handlers.board
    board.legend.set_causes(())
    project = window.document.project
    slow = replace(project.platform.links[0], slowdown=2.0)
    platform = replace(project.platform, links=(slow,))
    window.document.apply(replace(project, platform=platform), "Slow link")

    def shown() -> bool:
        outcome = board.schedule.outcome
        return outcome is not None and outcome.project is window.document.project

    qtbot.waitUntil(shown)
    laid_out(qtbot, window)
    names, at = board.legend.names, places(window, board.schedule)
    window.document.adopt(Plan((1, 0)), "Move A to M2")
    qtbot.waitUntil(shown)
    laid_out(qtbot, window)
    assert len(board.legend.names) > len(names)
    assert places(window, board.schedule) == at


@pytest.mark.parametrize("name", ["compare_line_message", "two_plans_headline"])
def test_lines_of_messages_have_one_height_whatever_they_say(
    qtbot: QtBot, window: MainWindow, name: str
) -> None:
    window.show_page("compare")
    panel = window.panel("compare")
    panel.pictures.show_picture(1)  # type: ignore[attr-defined]
    line = panel.findChild(QLabel, name)
    assert line is not None
    line.setText("short")
    laid_out(qtbot, window)
    before = line.height()
    line.setText("very long " * 100)
    laid_out(qtbot, window)
    assert line.height() == before
    assert Qt.TextFormat.PlainText == line.textFormat()


def test_the_buttons_of_the_answer_stay_where_they_are_whatever_it_says(
    qtbot: QtBot, window: MainWindow
) -> None:
    panel = window.panel("answer")
    assert isinstance(panel, AnswerStrip)
    laid_out(qtbot, window)
    before = places(window, panel.apply, panel.why)
    panel.result.setText("<b>11 min 58.3 s</b> so far, now 11 min 59.4 s")
    panel.certainty.setText("searching … · at most 3.1 % above the best")
    laid_out(qtbot, window)
    assert places(window, panel.apply, panel.why) == before


def test_another_theme_moves_no_button_of_the_toolbar(
    qtbot: QtBot, request: pytest.FixtureRequest
) -> None:
    window: MainWindow = request.getfixturevalue("window")
    buttons = window.toolbar.findChildren(QToolButton)
    laid_out(qtbot, window)
    before = places(window, *buttons)
    for mode in ("dark", "light"):
        window.commands[f"theme_{mode}"].trigger()
        laid_out(qtbot, window)
        assert places(window, *buttons) == before


class Paints(QObject):
    """What the sizes of a widget were when it was painted."""

    def __init__(self, widget: QWidget) -> None:
        super().__init__(widget)
        self.sizes: list[QSize] = []
        widget.installEventFilter(self)

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        if event.type() == QEvent.Type.Paint and isinstance(watched, QWidget):
            self.sizes.append(watched.size())
        return False


def test_the_docks_are_back_before_the_board_is_painted(qtbot: QtBot, window: MainWindow) -> None:
    board = window.panel("allocation")
    laid_out(qtbot, window)
    before = board.size()
    window.show_page("styles")
    qtbot.waitUntil(lambda: board.size() != before or not board.isVisible())
    paints = Paints(board)
    window.show_page("allocation")
    qtbot.waitUntil(lambda: bool(paints.sizes))
    assert not window.docks["inspector"].isHidden()
    assert paints.sizes[0] == before

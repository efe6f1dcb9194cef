"""The rail shows all questions, or scrolls to those that are asked for."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from PySide6.QtCore import QPoint, QPointF, Qt
from PySide6.QtGui import QAction, QActionGroup, QWheelEvent
from PySide6.QtWidgets import QApplication, QToolButton, QWidget
from pytestqt.qtbot import QtBot

from gui.basics.icons import icon
from gui.basics.theme import theme
from gui.shell.main_window import MainWindow
from gui.shell.rail import Rail


@pytest.fixture
def rail(qtbot: QtBot) -> Iterator[Rail]:
    """Twenty pages where there is room for a few."""
    owner = QWidget()
    qtbot.addWidget(owner)
    group = QActionGroup(owner)
    actions = []
    for number in range(20):
        action = QAction(icon("study"), f"Question {number}", group)
        action.setObjectName(f"page_{number}")
        action.setCheckable(True)
        actions.append(action)
    rail = Rail(actions, owner)
    owner.resize(200, 300)
    rail.resize(rail.width(), 300)
    owner.show()
    qtbot.waitExposed(owner)
    yield rail


def button(rail: Rail, number: int) -> QToolButton:
    found = rail.findChild(QToolButton, f"rail_page_{number}")
    assert found is not None
    return found


def in_sight(rail: Rail, number: int) -> bool:
    return whole(button(rail, number))


def test_the_wheel_scrolls(rail: Rail) -> None:
    assert in_sight(rail, 0)
    assert not in_sight(rail, 19)
    view = rail.viewport()
    place = QPointF(view.rect().center())
    for _ in range(40):
        event = QWheelEvent(
            place, view.mapToGlobal(place), QPoint(), QPoint(0, -120), Qt.MouseButton.NoButton,
            Qt.KeyboardModifier.NoModifier, Qt.ScrollPhase.NoScrollPhase, False,
        )  # fmt: skip
        QApplication.sendEvent(view, event)
    assert in_sight(rail, 19)
    assert not in_sight(rail, 0)


def test_the_focus_is_followed(rail: Rail, qtbot: QtBot) -> None:
    button(rail, 0).setFocus(Qt.FocusReason.TabFocusReason)
    for number in range(20):
        focus = QApplication.focusWidget()
        assert focus is button(rail, number)
        assert in_sight(rail, number)
        qtbot.keyClick(focus, Qt.Key.Key_Tab)


def test_a_page_that_opens_by_its_key_comes_into_sight(rail: Rail, qtbot: QtBot) -> None:
    button(rail, 15).defaultAction().setChecked(True)
    qtbot.waitUntil(lambda: in_sight(rail, 15))
    button(rail, 1).defaultAction().setChecked(True)
    qtbot.waitUntil(lambda: in_sight(rail, 1))


def test_no_word_is_cut_beside_the_scroll_bar(rail: Rail) -> None:
    assert rail.verticalScrollBar().isVisible()
    for number in range(20):
        assert button(rail, number).width() >= button(rail, number).sizeHint().width()
    assert rail.viewport().width() >= rail.widget().sizeHint().width()


def test_all_questions_of_the_window_are_in_sight_at_once(qtbot: QtBot, window: MainWindow) -> None:
    window.resize(1280, 800)
    buttons = window.rail.findChildren(QToolButton)
    assert len(buttons) == 12
    qtbot.waitUntil(lambda: all(whole(one) for one in buttons))
    assert not window.rail.verticalScrollBar().isVisible()


def whole(one: QToolButton) -> bool:
    """Whether all of a button and its word can be seen."""
    seen = one.visibleRegion().boundingRect() == one.rect()
    return seen and one.width() >= one.sizeHint().width()


def test_the_rail_is_as_wide_in_each_theme_and_on_each_page(
    qtbot: QtBot, window: MainWindow
) -> None:
    widths = set()
    for mode in ("light", "dark", "light"):
        theme().set_mode(mode)
        for page in ("allocation", "shared_memory"):
            window.show_page(page)
            qtbot.waitUntil(lambda: window.rail_bar.width() == window.rail.width())
            widths.add(window.rail_bar.width())
    assert len(widths) == 1


def test_the_rail_has_the_whole_height_beside_the_docks(qtbot: QtBot, window: MainWindow) -> None:
    window.resize(1280, 800)
    dock = window.docks["what_if"]
    qtbot.waitUntil(lambda: window.rail.height() > window.stack.height())
    assert (
        window.rail.mapTo(window, window.rail.rect().bottomLeft()).y()
        > dock.geometry().center().y()
    )
    assert dock.geometry().left() >= window.rail_bar.geometry().right()


def test_a_layout_of_before_the_bar_was_there_does_not_hide_it(
    qtbot: QtBot, window: MainWindow
) -> None:
    window.removeToolBar(window.rail_bar)
    window.keep_layout()
    after = MainWindow(window.settings)
    qtbot.addWidget(after)
    after.document.load(window.document.project)
    after.show()
    assert after.rail_bar.isVisible()
    assert after.toolBarArea(after.rail_bar) == Qt.ToolBarArea.LeftToolBarArea
    after.end_jobs()

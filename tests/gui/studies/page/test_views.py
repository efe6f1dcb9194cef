"""Choosing views of a study: by mouse and keys, in the row and its menu; side by side with room."""

from __future__ import annotations

import pytest
from PySide6.QtCore import Qt, QTimer
from PySide6.QtWidgets import QApplication, QWidget
from pytestqt.qtbot import QtBot

from advisor.studies.study import Series, StudyResult, Table
from gui.basics.literal_menu import plain
from gui.plots.curve_panel import CurvePanel
from gui.studies.page.result_views import ResultViews


def plot(label: str, beside: str = "", scale: float = 1.0) -> Series:
    x = (1.0, 2.0, 3.0)
    return Series(label, x, tuple(scale * at for at in x), "size", "B", label, "s", beside=beside)


def result(scale: float = 1.0) -> StudyResult:
    tables = tuple(Table(f"Table {n}", (("n", ""),), ((n,),)) for n in range(6))
    plots = (plot("time", "both", scale), plot("cost"), plot("waiting", "both"))
    return StudyResult("Use x.", series=plots, tables=tables)


@pytest.fixture
def views(qtbot: QtBot) -> ResultViews:
    views = ResultViews()
    qtbot.addWidget(views)
    views.resize(600, 400)
    views.show_result(result())
    views.show()
    qtbot.waitExposed(views)
    return views


def in_row(views: ResultViews) -> list[str]:
    return [one.text() for one in views.chooser.buttons if one.isVisible()]


def test_views_without_room_are_in_the_menu_and_none_is_lost(views: ResultViews) -> None:
    views.chooser.menu.aboutToShow.emit()
    rest = [plain(action.text()) for action in views.chooser.menu.actions()]
    assert in_row(views)[:2] == ["Time by size", "Cost by size"]
    assert [*in_row(views), *rest] == list(views.chooser.titles)
    assert len(rest) >= 2
    assert views.chooser.more.text() == "More"
    views.resize(1600, 400)
    assert in_row(views) == list(views.chooser.titles)
    assert not views.chooser.more.isVisible()


def test_the_menu_is_called_after_its_view_as_far_as_there_is_room(views: ResultViews) -> None:
    chooser = views.chooser
    titles = ("Short", *(f"{name} of a message between two processes" for name in ("Time", "Cost")))
    chooser.set_titles(titles)
    chooser.show_current(2)
    used = chooser.buttons[0].sizeHint().width()
    needed = chooser.more.fontMetrics().horizontalAdvance(titles[2])
    for room, text in ((60, titles[2]), (28, "Cost of a message between two proce")):
        chooser.resize(used + needed + room, chooser.height())
        assert chooser.more.text().startswith(text)
    chooser.show_current(0)
    assert chooser.more.text() == "More"


def test_a_view_is_opened_by_mouse_and_by_arrow_keys(qtbot: QtBot, views: ResultViews) -> None:
    qtbot.mouseClick(views.chooser.buttons[1], Qt.MouseButton.LeftButton)
    assert views.current() == 1
    assert views.in_sight() == [1]
    views.chooser.buttons[1].setFocus()
    qtbot.keyClick(views.chooser.buttons[1], Qt.Key.Key_Right)
    assert views.current() == 2
    focused = QApplication.focusWidget()
    assert focused is views.chooser.buttons[2]
    qtbot.keyClick(views.chooser.buttons[2], Qt.Key.Key_Left)
    assert views.current() == 1


def test_a_view_of_the_menu_is_opened_by_keys_and_named_in_the_row(
    qtbot: QtBot, views: ResultViews
) -> None:
    more, menu = views.chooser.more, views.chooser.menu
    menu.aboutToShow.emit()
    last = plain(menu.actions()[-1].text())
    menu.popup(more.mapToGlobal(more.rect().bottomLeft()))
    qtbot.waitUntil(menu.isVisible)
    qtbot.keyClick(menu, Qt.Key.Key_Up)  # from nothing to the last
    qtbot.keyClick(menu, Qt.Key.Key_Return)
    assert views.titles()[views.current()] == last
    assert more.text() == last
    assert more.accessibleName() == f"More: {last}"


def test_what_belongs_together_stands_side_by_side_where_there_is_room(
    qtbot: QtBot, views: ResultViews
) -> None:
    assert views.in_sight() == [0]
    views.resize(2000, 900)
    assert views.in_sight() == [0, 2]
    one, other = views.page(0), views.page(2)
    qtbot.waitUntil(lambda: min(one.width(), other.width()) > 0.45 * 2000)
    assert abs(one.width() - other.width()) <= 2
    assert (
        one.mapTo(views, one.rect().topLeft()).y() == other.mapTo(views, other.rect().topLeft()).y()
    )
    assert views.chooser.buttons[2].property("beside")
    qtbot.mouseClick(views.chooser.buttons[2], Qt.MouseButton.LeftButton)
    assert (views.current(), views.in_sight()) == (2, [0, 2])
    views.resize(700, 900)
    assert views.in_sight() == [2]
    qtbot.mouseClick(views.chooser.buttons[1], Qt.MouseButton.LeftButton)
    views.resize(2000, 900)
    assert views.in_sight() == [1]


def test_other_events_come_before_a_view_that_is_looked_at_is_made_and_told(
    qtbot: QtBot, views: ResultViews
) -> None:
    log: list[object] = []
    views.opened.connect(log.append)
    other = QTimer(views, interval=0)
    other.timeout.connect(lambda: log.append("other"))
    other.start()
    views.open(1)
    assert not log
    qtbot.waitUntil(lambda: any(isinstance(one, QWidget) for one in log))
    assert log[0] == "other"
    told = [one for one in log if isinstance(one, QWidget)]
    assert told == [views.page(1)]
    views.open(0)
    views.open(1)
    assert log[-1] is views.page(1)


def test_a_view_that_is_not_in_sight_takes_the_new_answer_when_it_is_looked_at(
    qtbot: QtBot, views: ResultViews
) -> None:
    hidden, shown = views.page(1), views.page(0)
    assert isinstance(hidden, CurvePanel)
    assert isinstance(shown, CurvePanel)
    before = hidden.curves.series, shown.curves.series
    views.show_result(result(scale=2.0))
    assert hidden.curves.series is before[0]
    assert shown.curves.series is not before[1]
    views.open(1)
    qtbot.waitUntil(lambda: hidden.curves.series is not before[0])


def test_the_open_view_and_its_zoom_stay_when_the_answer_changes(
    qtbot: QtBot, views: ResultViews
) -> None:
    qtbot.mouseClick(views.chooser.buttons[0], Qt.MouseButton.LeftButton)
    panel = views.page(0)
    assert isinstance(panel, CurvePanel)
    panel.curves.view_box.setRange(xRange=(1.0, 1.5), padding=0)
    zoomed = panel.curves.view_box.viewRange()[0]
    views.show_result(result(scale=1.01))
    assert views.page(0) is panel
    assert panel.curves.view_box.viewRange()[0] == zoomed
    qtbot.mouseClick(views.chooser.buttons[1], Qt.MouseButton.LeftButton)
    views.show_result(StudyResult("Use y.", series=(plot("cost"), plot("time"))))
    assert views.titles()[views.current()] == "cost by size"
    views.show_result(StudyResult("Use z.", series=(plot("time"),)))
    assert (views.titles(), views.current(), views.in_sight()) == (["time by size"], 0, [0])

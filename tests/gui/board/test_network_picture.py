"""The network's picture: shown where there is something to see, coloured by load, selects parts."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from PySide6.QtCore import QPoint, QRectF, Qt
from PySide6.QtGui import QColor, QFont, QPainter
from PySide6.QtTest import QTest

from advisor.allocation.plan import Plan
from advisor.allocation.workload import Task, Workload
from advisor.project.examples import load_example
from advisor.project.project import Project
from gui.basics.ink import Ink
from gui.basics.theme import theme
from gui.board.network_painter import busy_colour
from gui.document.document import Document, Selection
from machines.catalogue import switched
from tests.gui.board.conftest import Hand
from tests.gui.board.networks import four_readers, lab

Show = Callable[[Document], Hand]


@pytest.fixture
def hand(qapp: object, show: Show) -> Hand:
    return show(Document(lab()))


def node(hand: Hand, name: str) -> QPoint:
    places = hand.board.network.places
    assert places is not None
    index = next(i for i, one in enumerate(places.layout.nodes) if name in one.names)
    return places.points[index].toPoint()


def line(hand: Hand, link: int) -> QPoint:
    places = hand.board.network.places
    assert places is not None
    index = next(i for i, edge in enumerate(places.layout.edges) if link in edge.links)
    return places.paths[index].pointAtPercent(0.35).toPoint()


def click(hand: Hand, at: QPoint) -> None:
    QTest.mouseClick(hand.board.network, Qt.MouseButton.LeftButton, pos=at)


def test_it_is_there_where_there_are_switches_and_put_away_by_its_box(hand: Hand) -> None:
    assert hand.board.network.isVisible()
    assert hand.board.network_box.isChecked()
    hand.board.network_box.click()
    assert not hand.board.network.isVisible()
    assert hand.board.document.undo_stack.count() == 0
    hand.board.network_box.click()
    assert hand.board.network.isVisible()


def test_machines_linked_pair_by_pair_are_not_shown_unless_asked_for(
    qapp: object, show: Show
) -> None:
    hand = show(Document(four_readers(file=False)))
    assert not hand.board.network.isVisible()
    hand.board.network_box.click()
    assert hand.board.network.isVisible()
    assert hand.board.network.busy() == pytest.approx({("link", 0): 400.0 / (100.0 * 9.1)})


def test_a_click_selects_a_machine_a_store_a_switch_or_a_link(hand: Hand) -> None:
    document = hand.board.document
    for at, expected in (
        (node(hand, "Q"), Selection(machine=1)),
        (node(hand, "disk"), Selection(store=0)),
        (node(hand, "hub"), Selection(switch=0)),
        (line(hand, 2), Selection(link=2)),
    ):
        click(hand, at)
        assert document.selection == expected
        hand.board.network.grab()
    assert hand.board._status.text().startswith("link disk–hub; disk→hub (store)")


def test_it_shows_the_load_over_all_and_at_the_time_under_the_pointer(hand: Hand) -> None:
    picture, view = hand.board.network, hand.board.schedule
    # 100 B in 5 s over 100 B/s, and over the hub's 400 B/s; all of them in the first second
    assert picture.busy()["link", 2] == pytest.approx(0.2)
    assert picture.busy()["switch", 0] == pytest.approx(0.05)
    y = round(view.card_rect(1).center().y())
    hand.move(QPoint(round(view.frame().x(0.5)), y))
    assert picture.time_s == pytest.approx(0.5, abs=1 / view.px_per_s)
    assert picture.busy()["link", 2] == pytest.approx(1.0)
    assert picture.busy()["switch", 0] == pytest.approx(0.25)
    hand.move(QPoint(round(view.frame().x(3.0)), y))
    assert picture.busy()["link", 2] == 0.0
    hand.move(QPoint(20, y))
    assert picture.time_s is None


def test_a_busy_line_has_the_colour_of_its_load(hand: Hand) -> None:
    picture = hand.board.network
    picture.set_time(0.5)
    at = line(hand, 2)
    image = picture.grab().toImage()
    colours = {image.pixelColor(at + QPoint(0, dy)).name() for dy in range(-3, 4)}
    assert busy_colour(hand.board.schedule.ink, 1.0).name() in colours


def test_arrows_go_through_the_parts_and_enter_selects(hand: Hand) -> None:
    picture = hand.board.network
    picture.setFocus()
    QTest.keyClick(picture, Qt.Key.Key_Down)
    assert "machine: P" in hand.board._status.text()
    QTest.keyClick(picture, Qt.Key.Key_Return)
    assert hand.board.document.selection == Selection(machine=0)
    QTest.keyClick(picture, Qt.Key.Key_Up)
    assert "link" in hand.board._status.text()
    QTest.keyClick(picture, Qt.Key.Key_Space)
    assert hand.board.document.selection == Selection(link=2)
    picture.grab()


def test_it_stays_beside_the_schedule_alone(hand: Hand) -> None:
    hand.board.show_view("graph")
    assert not hand.board.network.isVisible()
    hand.board.show_view("schedule")
    assert hand.board.network.isVisible()


@pytest.mark.parametrize("name", ["bus", "star", "two_level_tree", "fat_tree", "lab_file_server"])
def test_catalogue_networks_are_drawn_in_both_themes_with_another_plan(
    qapp: object, show: Show, name: str
) -> None:
    platform = getattr(switched, name)()
    workload = Workload("two", (Task("A", work=1.0), Task("B", work=1.0)))
    hand = show(Document(Project(platform, workload, Plan((0, 1)))))
    places = hand.board.network.places
    assert places is not None
    inside = places.area.adjusted(-1, -1, 1, 1)
    assert all(inside.contains(point) for point in places.points)
    for mode in ("dark", "light"):
        theme().set_mode(mode)
        assert not hand.board.network.grab().isNull()


def test_names_are_whole_where_the_picture_is_narrow(
    qapp: object, show: Show, monkeypatch: pytest.MonkeyPatch
) -> None:
    hand = show(Document(load_example("monitored")))
    hand.board.resize(824, 440)
    shown: set[str] = set()

    def write(
        ink: Ink, _to: QPainter, rect: QRectF, text: str, _in: QColor, font: QFont, *_: object
    ) -> None:
        shown.add(ink.metrics(font).elidedText(text, Qt.TextElideMode.ElideRight, rect.width()))

    monkeypatch.setattr(Ink, "write", write)
    hand.board.network.grab()
    assert {one.name for one in hand.board.document.project.platform.machines} <= shown

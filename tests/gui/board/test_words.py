"""Words on the board: whole where there is room, readable on what lies beneath, and explained."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from itertools import combinations, product

import pytest
from PySide6.QtCore import QRectF, Qt
from PySide6.QtGui import QColor, QFont, QPainter, QPixmap
from PySide6.QtWidgets import QApplication

from advisor.allocation.plan import Plan
from advisor.allocation.workload import Flow, Task, Workload
from advisor.project.examples import load_example
from advisor.project.project import Project
from gui.basics.ink import LEFT, RIGHT, Ink
from gui.basics.verdicts import BETTER
from gui.board import cards, describe, graph_painter
from gui.board.board_legend import SLACK
from gui.board.labels import NARROW_PAD, PAD, room_for, write_over
from gui.board.offers import Offer
from gui.board.strips_painter import lane_disclosure
from gui.document.document import Document, Selection
from machines import Contender, Machine, Platform
from tests.conftest import two_machines
from tests.gui.board.conftest import Hand

Show = Callable[[Document], Hand]
Written = list[tuple[str, QRectF, QColor]]


@pytest.fixture
def written(monkeypatch: pytest.MonkeyPatch) -> Written:
    """Every text that is written from now on, as it is seen."""
    found: Written = []

    def write(
        ink: Ink,
        _painter: QPainter,
        rect: QRectF,
        text: str,
        colour: QColor,
        font: QFont,
        _align: object = None,
        elide: Qt.TextElideMode = Qt.TextElideMode.ElideRight,
    ) -> None:
        shown = ink.metrics(font).elidedText(text, elide, rect.width())
        found.append((shown, QRectF(rect), QColor(colour)))

    monkeypatch.setattr(Ink, "write", write)
    return found


def texts(written: Written) -> set[str]:
    return {text for text, _, _ in written}


def narrow_graph(show: Show) -> Hand:
    """The tour's example as a graph, as wide as beside the docks of a small window."""
    hand = show(Document(load_example("monitored")))
    hand.board.show_view("graph")
    hand.wait_until_current()
    hand.board.resize(803, 440)
    return hand


def on_screen(hand: Hand, written: Written) -> set[str]:
    """What the board has in words."""
    hand.board.surface.redraw()
    written.clear()
    hand.viewport.grab()
    return texts(written)


def luminance(colour: QColor) -> float:
    """WCAG 2."""

    def linear(value: float) -> float:
        return value / 12.92 if value <= 0.03928 else ((value + 0.055) / 1.055) ** 2.4

    parts = map(linear, (colour.redF(), colour.greenF(), colour.blueF()))
    return sum(w * c for w, c in zip((0.2126, 0.7152, 0.0722), parts, strict=True))


def contrast(one: QColor, other: QColor) -> float:
    low, high = sorted((luminance(one), luminance(other)))
    return (high + 0.05) / (low + 0.05)


@pytest.fixture
def crowded(qapp: object) -> Document:
    """Two tasks at once on one of nine machines, so that its lane is low."""
    machines = (Machine("busy", cores=2), *(Machine(f"m{one}", speed=1 + one) for one in range(8)))
    tasks = (Task("first", work=90.0), Task("second", work=100.0))
    workload = Workload("pair", tasks)
    return Document(Project(Platform("nine", machines), workload, Plan((0, 0))))


def test_cards_of_a_column_say_their_names_in_one_way(
    qapp: object, show: Show, written: Written
) -> None:
    tasks = [Task(name, work=60.0) for name in ("read", "one", "two", "three", "four", "merge")]
    flows = [Flow("read", name, ((1, 1e6),)) for name in ("one", "two", "three", "four")]
    flows += [Flow(name, "merge", ((1, 1e6),)) for name in ("one", "two", "three", "four")]
    workload = Workload("fan", tuple(tasks), tuple(flows))
    platform = Platform("p", (Machine("server", cores=4),))
    hand = show(Document(Project(platform, workload, Plan((0,) * 6))))
    hand.board.show_view("graph")
    hand.wait_until_current()
    for height in range(264, 440, 4):  # in lower ones a card has but one line
        hand.board.resize(803, height)
        on_screen(hand, written)
        picture = hand.board.graph.picture
        assert picture is not None
        inside = {
            picture.rect(card).contains(rect.center())
            for card in range(len(tasks))
            for text, rect, _ in written
            if text == picture.name(card)
        }
        assert inside == {True}, height


def test_transfers_that_state_their_times_are_not_called_unused(
    qapp: object, show: Show, written: Written
) -> None:
    split = replace(two_machines(2), plan=Plan((1, 0)))
    assert "transfers take the times that they state" in on_screen(show(Document(split)), written)
    together = replace(split, plan=Plan((0, 0)))
    assert "none is used" in on_screen(show(Document(together)), written)


def test_tasks_at_once_in_a_low_lane_share_its_height(
    crowded: Document, show: Show, written: Written
) -> None:
    hand = show(crowded)
    hand.board.resize(1000, 440)
    view = hand.board.schedule
    assert view.frame().lane_box(0)[1] < 3 * view.ink.small_line
    rects = [view.item_rect(view.item_of(task)) for task in range(2)]
    assert all(not one.intersects(other) for one, other in combinations(rects, 2))
    assert {"first", "second"} <= {text.split()[0] for text in on_screen(hand, written)}


@pytest.mark.parametrize("align", [LEFT, RIGHT])
@pytest.mark.parametrize("colours", [("#0072B2", "#CC79A7"), ("#0072B2", "#F0E442")])
def test_a_text_over_two_colours_is_one_and_readable(
    qapp: object, written: Written, align: Qt.AlignmentFlag, colours: tuple[str, str]
) -> None:
    pixmap = QPixmap(120, 24)
    ink = Ink(QApplication.font())
    parts = [
        (60.0 * place, 60.0 * (place + 1), QColor(colour)) for place, colour in enumerate(colours)
    ]
    with QPainter(pixmap) as painter:
        for begin, end, colour in parts:
            painter.fillRect(QRectF(begin, 0, end - begin, 24), colour)
        write_over(painter, ink, QRectF(8, 0, 104, 24), "a text over both", parts, align)
    ((_, _, colour),) = written
    image = pixmap.toImage()
    beneath = [image.pixelColor(x, 12) for x in range(30, 91, 5)]
    assert min(contrast(colour, ground) for ground in beneath) >= 4.5


def test_a_text_on_one_colour_needs_no_plate(qapp: object, written: Written) -> None:
    pixmap = QPixmap(120, 24)
    parts = [(0.0, 80.0, QColor("#0072B2")), (80.0, 120.0, QColor("#CC79A7"))]
    with QPainter(pixmap) as painter:
        painter.fillRect(QRectF(0, 0, 120, 24), parts[0][2])
        write_over(painter, Ink(QApplication.font()), QRectF(8, 0, 104, 24), "fft", parts)
    assert written[0][2] == QColor("#FFFFFF")
    assert pixmap.toImage().pixelColor(12, 12) == parts[0][2]


def test_edges_are_narrow_where_words_would_be_cut() -> None:
    rect = QRectF(0, 0, 60, 20)
    assert room_for(rect, 60 - 2 * PAD).left() == PAD
    assert room_for(rect, 60 - 2 * NARROW_PAD).left() == NARROW_PAD


def test_a_name_that_fits_its_bar_is_whole(qapp: object, show: Show, written: Written) -> None:
    tasks = (Task("ab", work=5.0), Task("rest", work=95.0))
    platform = Platform("one", (Machine("m"),))
    hand = show(Document(Project(platform, Workload("w", tasks), Plan((0, 0)))))
    rect = hand.board.schedule.item_rect(hand.board.schedule.item_of(0))
    assert rect.width() < 52.0  # once the least for any text
    assert "ab" in on_screen(hand, written)


def test_cards_of_the_graph_keep_their_seconds_beside_a_long_machine(
    qapp: object, show: Show, written: Written
) -> None:
    hand = narrow_graph(show)
    graph = hand.board.graph
    picture = graph.picture
    assert picture is not None
    assert picture.zoom < 0.9
    found = on_screen(hand, written)
    index = hand.board.document.project.workload.index
    for name in ("fft", "align", "water", "prepare"):
        seconds = graph_painter._seconds(picture, graph.item_of(index[name]))
        assert any(text.endswith(seconds) for text in found), name
    assert "on multicomputer" in found


def test_both_lines_of_a_card_of_the_graph_begin_at_one_place(
    qapp: object, show: Show, written: Written
) -> None:
    hand = narrow_graph(show)
    on_screen(hand, written)
    graph, index = hand.board.graph, hand.board.document.project.workload.index
    narrow = 0
    for name in ("fft", "water", "prepare"):
        card = graph.item_rect(graph.item_of(index[name]))
        begins = {rect.left() for _, rect, _ in written if card.contains(rect)}
        assert len(begins) == 1, name
        narrow += begins == {card.left() + NARROW_PAD}
    assert 0 < narrow < 3  # either way


def test_groups_in_a_row_too_long_for_names_inside_have_them_below(
    qapp: object, show: Show, written: Written
) -> None:
    hand = show(Document(load_example("mosaic-large")))
    hand.board.show_view("graph")
    hand.wait_until_current()
    hand.board.resize(803, 440)  # as beside the docks of a small window
    graph = hand.board.graph
    assert graph.picture is not None
    cards = [graph.picture.rect(card) for card in range(len(graph.layers.unit))]  # type: ignore[union-attr]
    assert max(card.width() for card in cards) < 60.0
    found = on_screen(hand, written)
    assert {"project", "× 649", "correct", "on server"} <= found
    outcome = hand.board.document.outcome
    assert outcome is not None
    assert not any("99999" in describe.task(outcome, task) for task in range(1018))
    names = [rect for text, rect, _ in written if text == "project"]
    assert all(rect.top() > card.bottom() for rect in names for card in cards)


def test_machines_are_the_legend_of_the_graph_that_is_coloured_by_them(
    qapp: object, show: Show
) -> None:
    hand = show(Document(load_example("monitored")))
    hand.board.show_view("graph")
    hand.wait_until_current()
    graph = hand.board.graph

    def swatch(machine: int) -> QColor:
        hand.viewport.repaint()
        card = graph.card_rect(machine)
        image = hand.viewport.grab().toImage()
        x, y = card.left() + cards.PAD + cards.SWATCH / 2, card.top() + 4 + graph.ink.line / 2
        return image.pixelColor(round(x), round(y))

    assert not graph.by_kind
    count = len(graph.facts)
    for machine in (0, count - 1):
        assert swatch(machine).name() == graph.ink.tint(machine, count).name()
    hand.board.colour_box.click()
    assert swatch(count - 1).name() != graph.ink.tint(count - 1, count).name()


def test_slack_is_explained_while_it_is_shown(crowded: Document, show: Show) -> None:
    board = show(crowded).board
    plain = board.legend.grab().toImage()
    assert SLACK not in board.legend.names
    board.folds.set_extras(slack=True, utilisation=False)
    assert board.legend.names[-1] == SLACK
    assert SLACK in board.legend.accessibleName()
    assert board.legend.grab().toImage() != plain
    board.show_view("graph")
    assert SLACK not in board.legend.names
    board.show_view("schedule")
    board.folds.set_extras(slack=False, utilisation=False)
    assert SLACK not in board.legend.names


def test_a_card_keeps_its_name_where_utilisation_and_a_badge_leave_no_room(
    qapp: object, show: Show, written: Written
) -> None:
    hand = show(Document(load_example("monitored")))
    hand.board.resize(803, 440)
    hand.board.folds.set_extras(slack=True, utilisation=True)
    found = on_screen(hand, written)
    machines = hand.board.document.project.platform.machines
    assert {machine.name for machine in machines} <= found
    assert any(text.endswith("%") for text in found)


def test_a_name_alone_on_its_card_is_as_high_as_what_is_beside_it(
    qapp: object, show: Show, written: Written
) -> None:
    hand = show(Document(load_example("monitored")))
    hand.board.resize(803, 440)
    on_screen(hand, written)
    middle = {text: rect.center().y() for text, rect, _ in written}
    card = hand.board.schedule.card_rect(0)
    mark = lane_disclosure(hand.board.schedule.ink, card)
    assert middle["login"] == pytest.approx(card.center().y())
    assert middle["login"] == pytest.approx(mark.center().y())
    assert middle["login"] == pytest.approx(middle["monitor: 7.0 %"], abs=1.0)
    hand.board.resize(1600, 1200)
    on_screen(hand, written)
    high = hand.board.schedule.card_rect(0)
    (name,) = (rect for text, rect, _ in written if text == "login" and high.contains(rect))
    assert name.bottom() < high.center().y()


def test_data_that_wait_do_not_strike_out_the_words_of_a_bar(qapp: object, show: Show) -> None:
    hand = show(Document(load_example("monitored")))
    hand.board.resize(803, 440)
    view, index = hand.board.schedule, hand.board.document.project.workload.index
    crossed = view.item_rect(view.item_of(index["structure"]))
    water = view.item_rect(view.item_of(index["water"]))
    middle = round(crossed.center().y())

    def line(first: float, last: float) -> list[str]:
        view.redraw()
        image = hand.viewport.grab().toImage()
        places = product(range(round(first), round(last)), range(middle - 2, middle + 3))
        return [image.pixelColor(x, y).name() for x, y in places]

    inside = water.right() + 5, crossed.right() - 5
    behind = crossed.right() + 5, crossed.right() + 60
    plain, beyond = line(*inside), line(*behind)
    hand.board.document.select(Selection(tasks=frozenset({index["water"]})))
    assert line(*inside) == plain
    assert line(*behind) != beyond


@pytest.mark.parametrize("name", ["M1", "workstation", "a-node-with-a-long-name.cluster"])
def test_an_offer_in_a_low_lane_never_cuts_the_name(name: str, written: Written) -> None:
    ink, card = Ink(QApplication.font()), QRectF(4, 10, 180, 24)
    offer = Offer(BETTER, "38.0 s", "−10.0 s")
    chip = cards.offer_rect(ink, card, offer, name)
    assert chip.isEmpty() == (name != "M1")
    picture = QPixmap(200, 60)
    painter = QPainter(picture)
    facts = cards.Facts(name, "1 core", "no contenders", 1.0, 0.0)
    cards.paint_card(painter, ink, card, facts, offer, selected=False, aimed=False)
    painter.end()
    rect = next(rect for text, rect, _ in written if name.startswith(text.rstrip("…")))
    assert not rect.intersects(chip)
    assert rect.width() >= min(ink.width(name, ink.bold), card.width() - 2 * cards.PAD) - 1


def test_a_load_is_whole_beside_the_slowdown_that_it_causes(show: Show, written: Written) -> None:
    others = (Contender("a", 1.0), Contender("b", 0.55))
    platform = Platform("one", (Machine("M", contenders=others),))
    workload = Workload("one", (Task("t", work=1.0),))
    hand = show(Document(Project(platform, workload, Plan((0,)))))
    said = on_screen(hand, written)
    (load,) = (text for text in said if text.endswith("contenders"))
    (slowdown,) = (text for text in said if text.startswith(("slow ×", "×")))
    assert load[0].isdigit()
    assert slowdown[-1].isdigit()

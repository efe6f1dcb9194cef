"""Colours tell kinds of task where there are any, in both views, as long as the user wants it."""

from __future__ import annotations

from collections.abc import Callable

from PySide6.QtGui import QColor

from gui.basics.settings import Settings
from gui.basics.theme import theme
from gui.board.board_legend import CRITICAL, EXPECTED, SLOWED
from gui.board.graph_painter import card_colour
from gui.board.lanes import Kinds
from gui.document.document import Document
from tests.conftest import two_machines
from tests.gui.board.conftest import Hand

Show = Callable[[Document], Hand]


def colours(hand: Hand) -> set[str]:
    """What the middles of a few bars are coloured with."""
    view, image = hand.board.schedule, hand.viewport.grab().toImage()
    found = set()
    for task in range(1, 57, 5):
        rect = view.item_rect(view.item_of(task))
        found.add(image.pixelColor(round(rect.left()) + 3, round(rect.bottom()) - 4).name())
    return found


def test_there_are_kinds_where_several_tasks_share_each_of_several() -> None:
    assert Kinds.of(["a", "a", "b", "b"]).telling
    assert not Kinds.of(["a", "b"]).telling
    assert not Kinds.of(["a", "a", "a"]).telling
    assert not Kinds.of(["a", "b", "c", "c"]).telling


def test_kinds_are_told_from_the_first_picture_on_with_their_legend(
    cluster_document: Document, show: Show
) -> None:
    hand = show(cluster_document)
    assert hand.board.colour_box.isChecked()
    kinds = Kinds.of([task.group for task in cluster_document.project.workload.tasks])
    assert hand.board.legend.names == kinds.names
    assert hand.board.legend.isVisible()
    found = colours(hand)
    assert len(found) >= 4
    assert theme().cause("computing").name() not in found
    hand.board.colour_box.click()
    assert colours(hand) == {theme().cause("computing").name()}
    assert "computing" in hand.board.legend.names
    assert cluster_document.undo_stack.count() == 0


def test_the_graph_has_the_same_colours_and_those_of_machines_without(
    cluster_document: Document, show: Show
) -> None:
    hand = show(cluster_document)
    hand.board.show_view("graph")
    hand.wait_until_current()
    graph = hand.board.graph

    def of_cards() -> list[QColor]:
        assert graph.picture is not None
        return [card_colour(graph.ink, graph.picture, card) for card in range(57)]

    kinds = graph.kinds
    assert kinds is not None
    assert of_cards() == [graph.ink.kind(kind) for kind in kinds.of_task.tolist()]
    assert hand.board.legend.isVisible()
    assert hand.board.colour_box.isVisible()
    hand.board.colour_box.click()
    assert len(set(map(QColor.name, of_cards()))) == 5  # machines
    assert not hand.board.legend.isVisible()
    hand.board.show_view("schedule")
    assert hand.board.legend.isVisible()


def test_where_no_tasks_share_a_kind_causes_are_told(document: Document, show: Show) -> None:
    hand = show(document)
    assert not hand.board.colour_box.isChecked()
    assert "computing" in hand.board.legend.names


def test_another_project_has_the_colours_that_suit_it(
    cluster_document: Document, show: Show, predicted: Callable[[Document], object]
) -> None:
    hand = show(cluster_document)
    assert hand.board.colouring.by_kind
    cluster_document.load(two_machines())
    predicted(cluster_document)
    hand.wait_until_current()
    assert not hand.board.colouring.by_kind
    assert "computing" in hand.board.legend.names


def groups_of(names: str) -> Kinds:
    return Kinds.of(list(names))


def test_what_is_drawn_changes_no_colours(document: Document, show: Show) -> None:
    colouring = show(document).board.colouring
    seen = []
    for groups in ("ab", "aab", "aabb", "aabbc", "aabbcde", "ab"):
        colouring.take(groups_of(groups))
        seen.append(colouring.by_kind)
    assert seen == [False] * 6
    colouring.take(None)  # another project
    for groups in ("aabb", "ab"):
        colouring.take(groups_of(groups))
        assert colouring.by_kind
    colouring.choose(False)
    colouring.take(groups_of("aabb"))
    assert not colouring.by_kind
    colouring.take(None)  # another project
    colouring.choose(True)
    colouring.take(groups_of("ab"))
    assert colouring.by_kind
    colouring.take(None)
    colouring.take(groups_of("ab"))
    assert not colouring.by_kind


def test_the_legend_of_the_graph_lists_what_the_graph_draws(
    cluster_document: Document, show: Show
) -> None:
    board = show(cluster_document).board
    high = board.legend.height()
    assert {SLOWED, EXPECTED} < set(board.legend.marks)
    board.show_view("graph")
    assert board.legend.isVisible()
    assert board.legend.marks == (CRITICAL,)
    assert board.legend.height() == high  # the ground stays where it is
    board.show_view("schedule")
    assert {SLOWED, EXPECTED} < set(board.legend.marks)


def test_the_choice_is_kept_for_the_next_start(cluster_document: Document, show: Show) -> None:
    settings = Settings()
    first = show(cluster_document)
    first.board.colouring.remember(settings)
    assert first.board.colouring.by_kind
    first.board.colour_box.click()
    assert not settings.kind_colours
    second = show(cluster_document)
    second.board.colouring.remember(settings)
    assert not second.board.colouring.by_kind
    assert not second.board.colour_box.isChecked()
    settings.clear()

"""The view of a tree: what it shows, and how users make a tree of their own on it."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from PySide6.QtCore import QPoint, QPointF, Qt
from pytestqt.qtbot import QtBot

from advisor.models.process_tree import Tree, balanced, flat
from advisor.trees.topgen_spec import parse_spec
from advisor.trees.tree_edits import move_subtree
from advisor.trees.tree_picture import OWN, TreePicture
from gui.basics.figures import picture
from gui.studies.picture.hand import BETTER, REFUSED, WORSE
from gui.studies.picture.picture_legend import LegendRow
from gui.studies.picture.pictures import make_view, picture_title
from gui.studies.tree.tree_canvas import TreeCanvas
from gui.studies.tree.tree_view import TreeView
from gui.studies.tree.tree_words import name_of, pack_lines, pack_short
from tests.gui.exporting import export
from tests.gui.pointer import double_click, move
from tests.gui.stills import assert_drawn_alike, other_theme
from tests.gui.studies import hands
from tests.gui.studies.hands import LEFT, Edits, choose, settled
from tests.gui.studies.tree_pictures import BEST, COSTS, tree_picture
from tests.gui.svg_reading import assert_shown_alike, check

Shown = Callable[[TreePicture], TreeView]


def at(canvas: TreeCanvas, process: int) -> QPoint:
    place = canvas.place_of(process)
    assert place is not None
    return place.center().toPoint()


def drag(qtbot: QtBot, view: TreeView, process: int, parent: int, drop: bool = True) -> None:
    """Carry a process to a parent."""
    hands.drag(qtbot, view, at(view.canvas, process), at(view.canvas, parent), drop)


def tree(view: TreeView) -> Tree:
    assert view.shown is not None
    assert view.drawing is not None
    assert view.drawing.tree.is_like(view.shown.tree)
    return view.shown.tree


def press(qtbot: QtBot, view: TreeView, *keys: Qt.Key) -> None:
    for key in keys:
        qtbot.keyClick(view.canvas, key)
    settled(qtbot, view)


@pytest.fixture
def edits(tree_view: TreeView) -> Edits:
    return hands.told_by(tree_view)


@pytest.fixture
def in_fours(qtbot: QtBot, tree_view: TreeView) -> TreeView:
    """The balanced tree: 0, then 1 … 4, then back-ends 5 … 20, four each."""
    choose(qtbot, tree_view, "balanced 4-way")
    assert tree(tree_view).is_like(balanced(16, 4))
    return tree_view


# What is shown ----------------------------------------------------------------------------


def test_the_best_tree_is_shown_and_the_others_are_signed_against_it(
    qtbot: QtBot, tree_view: TreeView
) -> None:
    assert tree_view.bar.choice.currentText() == f"{BEST} (best)"
    assert "36.0 µs" in tree_view.measures.labels["broadcast"].text()
    assert "▲" not in tree_view.measures.labels["broadcast"].text()
    choose(qtbot, tree_view, "flat")
    assert tree(tree_view).is_like(flat(16))
    text = tree_view.measures.labels["broadcast"].text()
    assert "70.0 µs" in text
    assert "▲ +94 %" in text
    assert "▼ −100 %" in tree_view.measures.labels["internal"].text()
    assert BEST in tree_view.measures.against.text()


def test_a_picture_of_trees_has_a_view() -> None:
    assert picture_title(tree_picture()) == "Tree"
    making = make_view(tree_picture())
    with pytest.raises(StopIteration) as end:
        while True:
            next(making)
    view = end.value.value
    assert isinstance(view, TreeView)
    view.close()
    view.deleteLater()


def test_tooltips_tell_processes_and_bundles(
    qtbot: QtBot, tree_shown: Shown, in_fours: TreeView
) -> None:
    canvas = in_fours.canvas
    internal = canvas.hint_at(QPointF(at(canvas, 4)))
    assert "Process 4 (internal process, number 4), depth 1" in internal
    assert "Fan-out 4; below: 4 back-ends, 0 internal processes" in internal
    assert "Turn 4 of 4 at front-end" in internal
    assert "Informed after 22.0 µs; on the critical path" in internal
    assert "Takes 20 % of a processor" in internal
    assert "Back-end 0 (number 5), depth 2" in canvas.hint_at(QPointF(at(canvas, 5)))
    assert "Front-end" in canvas.hint_at(QPointF(at(canvas, 0)))
    assert canvas.hint_at(QPointF(3, 3)) == ""
    many = tree_shown(tree_picture(512, fanout=8))
    choose(qtbot, many, "balanced 8-way")
    bundle = many.canvas.hint_at(QPointF(at(many.canvas, 30)))
    assert "64 back-ends (number 128 … 191) and 8 internal processes" in bundle


def test_a_bundle_says_all_that_it_holds_however_short(qtbot: QtBot, tree_shown: Shown) -> None:
    many = tree_shown(tree_picture(512, fanout=8))
    choose(qtbot, many, "balanced 8-way")
    drawing = many.drawing
    assert drawing is not None
    second = 2  # of the children of the front-end
    below = drawing.tree.first_child[second]
    assert pack_short(drawing, second, second + 1, 64) == "×64 + 9"
    assert pack_lines(drawing, second, second + 1, 64) == ("64 back-ends", "9 internal")
    leaves = int(drawing.tree.first_child[below])
    assert pack_short(drawing, leaves, leaves + 8, 8) == "×8"


def test_the_whole_legend_is_in_sight_in_the_page_of_a_small_window(
    qtbot: QtBot, tree_shown: Shown, monkeypatch: pytest.MonkeyPatch
) -> None:
    many = tree_shown(tree_picture(512, fanout=8))
    choose(qtbot, many, "balanced 8-way")
    many.resize(740, 500)
    lacking: list[float] = []
    write = LegendRow.write

    def heard(row: LegendRow, text: str, *how: object) -> None:
        before = row.room
        write(row, text, *how)  # type: ignore[arg-type]
        lacking.append(many.canvas.ink.width(text, many.canvas.ink.small) - before)

    monkeypatch.setattr(LegendRow, "write", heard)
    many.canvas.grab()
    assert len(lacking) > 3
    assert max(lacking) <= 0


def test_the_bar_fits_into_the_page_of_a_small_window(tree_view: TreeView) -> None:
    tree_view.resize(740, 500)
    scope = tree_view.reshaping.scope
    assert tree_view.bar.minimumSizeHint().width() <= 740
    assert scope.width() >= scope.sizeHint().width()


def test_processes_that_can_not_keep_up_are_marked_in_words(
    qtbot: QtBot, tree_shown: Shown
) -> None:
    view = tree_shown(tree_picture(costs=replace(COSTS, rate=1.2e5)))
    choose(qtbot, view, "balanced 4-way")
    tip = view.canvas.hint_at(QPointF(at(view.canvas, 1)))
    assert "Takes 120 % of a processor at the wanted rate ▲ it can't keep up" in tip
    assert "can't keep up" not in view.canvas.hint_at(QPointF(at(view.canvas, 0)))


def test_the_wheel_opens_bundles_and_f_fits(qtbot: QtBot, tree_shown: Shown) -> None:
    view = tree_shown(tree_picture(512, fanout=8))
    choose(qtbot, view, "balanced 8-way")
    canvas = view.canvas
    fitted, place = canvas.sight, QPointF(at(canvas, 9))
    assert canvas.node_at(place) is None
    hands.wheel(canvas, place, 9)
    assert canvas.sight.scale == pytest.approx(fitted.scale * 1.25**9)
    assert canvas.scene is not None
    assert canvas.scene.place_of(12) is not None
    before = canvas.sight
    hands.pull(qtbot, canvas, QPoint(400, 100), QPoint(430, 90))
    assert (canvas.sight.left - before.left, canvas.sight.top - before.top) == (30, -10)
    qtbot.keyClick(canvas, "f")
    assert canvas.sight == fitted


def test_the_tree_is_not_moved_out_of_sight(tree_view: TreeView) -> None:
    canvas = tree_view.canvas
    for way in ((1e5, 0.0), (-1e5, 0.0), (0.0, 1e5), (0.0, -1e5)):
        canvas.pan(*way)
        canvas.pan(*way)
        sight, middle = canvas.sight, canvas.area.center()
        assert sight.left <= middle.x() <= sight.left + 16 * sight.scale
        assert sight.top <= middle.y() <= sight.top + tree(tree_view).depth * sight.row


def test_a_double_click_opens_a_bundle(qtbot: QtBot, tree_shown: Shown) -> None:
    view = tree_shown(tree_picture(100_000, fanout=16))
    canvas = view.canvas
    scene = canvas.scene
    assert scene is not None
    widest = int(np.argmax(scene.packs[:, 2] - scene.packs[:, 0]))
    inside = QPointF(*((scene.packs[widest, :2] + scene.packs[widest, 2:]) / 2)).toPoint()
    first = int(scene.first[widest])
    double_click(canvas, inside)
    assert canvas.scene is not None
    assert canvas.scene.place_of(first) is not None or canvas.scene.first.size > 0
    assert canvas.sight.scale > scene.sight.scale


# Edits ------------------------------------------------------------------------------------


def test_a_subtree_dragged_to_another_parent_hangs_there_and_tells_the_form(
    qtbot: QtBot, in_fours: TreeView, edits: Edits
) -> None:
    drag(qtbot, in_fours, 2, 1)
    wanted = move_subtree(balanced(16, 4), 2, 1).tree
    assert tree(in_fours).is_like(wanted)
    assert parse_spec(edits[0]["own"]).is_like(wanted)
    assert in_fours.bar.choice.currentData() == OWN
    assert in_fours.undo_stack.undoText() == "moving process 2 to process 1"
    moved = in_fours.canvas.cursor_node
    assert tree(in_fours).fanouts[moved] == 4
    assert tree(in_fours).parent[moved] == 1
    qtbot.mouseClick(in_fours.bar.undo, LEFT)
    settled(qtbot, in_fours)
    assert tree(in_fours).is_like(balanced(16, 4))
    assert edits[1:] == [{"own": ""}]
    qtbot.mouseClick(in_fours.bar.redo, LEFT)
    settled(qtbot, in_fours)
    assert tree(in_fours).is_like(wanted)
    assert edits[2] == edits[0]


def test_while_dragging_the_change_of_latency_and_period_is_shown(
    qtbot: QtBot, in_fours: TreeView
) -> None:
    drag(qtbot, in_fours, 2, 1, drop=False)
    hand = in_fours.canvas.hand
    assert hand is not None
    assert hand.offer is not None
    assert hand.offer.verdict == BETTER
    assert hand.offer.lines[0] == "▼ broadcast 44.0 µs → 42.0 µs, −2.00 µs (−4.5 %)"
    assert "▲ period 16.0 µs → 20.0 µs" in hand.offer.lines
    assert hand.offer.lines[0] in in_fours.readout.text()
    move(in_fours.canvas, at(in_fours.canvas, 0))
    hand = in_fours.canvas.hand
    assert hand is not None
    assert hand.offer is not None
    assert hand.offer.verdict == REFUSED
    assert "hangs there already" in hand.offer.lines[0]
    qtbot.keyClick(in_fours.canvas, Qt.Key.Key_Escape)
    qtbot.mouseRelease(in_fours.canvas, LEFT, pos=at(in_fours.canvas, 0))


def test_the_optimum_can_only_become_worse(qtbot: QtBot, tree_view: TreeView) -> None:
    drag(qtbot, tree_view, 2, 1, drop=False)
    hand = tree_view.canvas.hand
    assert hand is not None
    assert hand.offer is not None
    assert hand.offer.verdict == WORSE
    assert hand.offer.lines[0].startswith("▲ broadcast 36.0 µs → ")
    qtbot.keyClick(tree_view.canvas, Qt.Key.Key_Escape)
    qtbot.mouseRelease(tree_view.canvas, LEFT, pos=at(tree_view.canvas, 1))


@pytest.mark.parametrize(
    ("process", "parent", "reason"),
    [(1, 5, "can't hang on itself"), (1, 12, "back-end has no children"), (5, 1, "already")],
)
def test_a_refused_drop_says_why_and_changes_nothing(
    qtbot: QtBot, in_fours: TreeView, edits: Edits, process: int, parent: int, reason: str
) -> None:
    drag(qtbot, in_fours, process, parent)
    assert reason in in_fours.readout.text()
    assert tree(in_fours).is_like(balanced(16, 4))
    assert edits == []
    assert in_fours.undo_stack.count() == 0


def test_escape_a_drop_beside_and_the_front_end_change_nothing(
    qtbot: QtBot, in_fours: TreeView, edits: Edits
) -> None:
    canvas = in_fours.canvas
    drag(qtbot, in_fours, 2, 1, drop=False)
    qtbot.keyClick(canvas, Qt.Key.Key_Escape)
    qtbot.mouseRelease(canvas, LEFT, pos=at(canvas, 1))
    assert canvas.hand is None
    drag(qtbot, in_fours, 2, 1, drop=False)
    qtbot.mouseRelease(canvas, LEFT, pos=QPoint(3, 3))
    assert canvas.hand is None
    drag(qtbot, in_fours, 0, 3)
    assert canvas.hand is None
    assert "front-end is the top" in in_fours.readout.text()
    assert edits == []


def test_a_parent_without_children_left_is_dropped_and_said(
    qtbot: QtBot, tree_shown: Shown
) -> None:
    chain = Tree(np.array([3, 0, 1, 0, 0]))
    view = tree_shown(tree_picture(3, own=chain))
    choose(qtbot, view, OWN)
    drag(qtbot, view, 4, 0)
    assert tree(view).is_like(flat(3))
    assert "1 internal process dropped" in view.readout.text()


def test_the_keyboard_carries_too(qtbot: QtBot, in_fours: TreeView, edits: Edits) -> None:
    canvas = in_fours.canvas
    canvas.setFocus()
    press(qtbot, in_fours, Qt.Key.Key_Down, Qt.Key.Key_Right)
    assert canvas.cursor_node == 2
    assert in_fours.readout.text() == "Process 2: fan-out 4, 4 back-ends below"
    press(qtbot, in_fours, Qt.Key.Key_Return, Qt.Key.Key_Left)
    assert canvas.hand is not None
    assert canvas.hand.aim == 1
    press(qtbot, in_fours, Qt.Key.Key_Return)
    assert tree(in_fours).is_like(move_subtree(balanced(16, 4), 2, 1).tree)
    qtbot.keyClick(canvas, "z", Qt.KeyboardModifier.ControlModifier)
    settled(qtbot, in_fours)
    assert tree(in_fours).is_like(balanced(16, 4))
    both = Qt.KeyboardModifier.ControlModifier | Qt.KeyboardModifier.ShiftModifier
    qtbot.keyClick(canvas, "z", both)
    settled(qtbot, in_fours)
    assert len(edits) == 3


def test_escape_goes_back_to_the_subtree_in_hand(
    qtbot: QtBot, in_fours: TreeView, edits: Edits
) -> None:
    in_fours.canvas.setFocus()
    press(qtbot, in_fours, Qt.Key.Key_Down, Qt.Key.Key_Return, Qt.Key.Key_Right)
    press(qtbot, in_fours, Qt.Key.Key_Escape)
    assert in_fours.canvas.hand is None
    assert in_fours.canvas.cursor_node == 1
    assert edits == []


def test_arrows_open_what_they_reach(qtbot: QtBot, tree_shown: Shown) -> None:
    view = tree_shown(tree_picture(100_000, fanout=16))
    canvas = view.canvas
    canvas.setFocus()
    for _ in range(30):
        press(qtbot, view, Qt.Key.Key_Down)
        assert canvas.scene is not None
        box = canvas.scene.rect_of(canvas.cursor_node)
        assert box is not None
        assert canvas.area.intersects(box)
    assert tree(view).fanouts[canvas.cursor_node] == 0
    while canvas.cursor_node:
        press(qtbot, view, Qt.Key.Key_Up)


def test_back_to_best_gives_the_own_tree_up_in_one_step(
    qtbot: QtBot, in_fours: TreeView, edits: Edits
) -> None:
    drag(qtbot, in_fours, 2, 1)
    own = tree(in_fours)
    qtbot.mouseClick(in_fours.bar.best, LEFT)
    settled(qtbot, in_fours)
    assert in_fours.own is None
    assert tree(in_fours).is_like(tree_picture().chosen.tree)
    assert edits[-1] == {"own": ""}
    assert not in_fours.bar.best.isEnabled()
    qtbot.mouseClick(in_fours.bar.undo, LEFT)
    settled(qtbot, in_fours)
    assert tree(in_fours).is_like(own)


def test_the_studys_answer_to_our_own_tree_keeps_the_steps(
    qtbot: QtBot, in_fours: TreeView, edits: Edits
) -> None:
    drag(qtbot, in_fours, 2, 1)
    own = parse_spec(edits[0]["own"])
    in_fours.set_picture(tree_picture(own=own))
    settled(qtbot, in_fours)
    assert tree(in_fours).is_like(own)
    assert in_fours.undo_stack.count() == 1
    assert in_fours.canvas.cursor_node > 0
    other = flat(16)
    in_fours.set_picture(tree_picture(own=other))
    settled(qtbot, in_fours)
    assert tree(in_fours).is_like(other)
    assert in_fours.undo_stack.count() == 0
    assert len(edits) == 1


def test_an_own_tree_from_the_form_is_told_again_by_undo(
    qtbot: QtBot, tree_view: TreeView, edits: Edits
) -> None:
    tree_view.set_picture(tree_picture(own=balanced(16, 4)))
    settled(qtbot, tree_view)
    drag(qtbot, tree_view, 2, 1)
    qtbot.keyClick(tree_view.canvas, "z", Qt.KeyboardModifier.ControlModifier)
    settled(qtbot, tree_view)
    assert parse_spec(edits[-1]["own"]).is_like(balanced(16, 4))


def test_an_older_answer_does_not_take_the_own_tree_back(
    qtbot: QtBot, in_fours: TreeView, edits: Edits
) -> None:
    drag(qtbot, in_fours, 2, 1)
    own = tree(in_fours)
    in_fours.set_picture(tree_picture(costs=replace(COSTS, rate=1.0)))
    settled(qtbot, in_fours)
    assert tree(in_fours).is_like(own)
    assert in_fours.shown is not None
    assert in_fours.shown.measures.inner_share < 1e-3
    assert len(edits) == 1


def test_other_back_ends_forget_the_own_tree(qtbot: QtBot, in_fours: TreeView) -> None:
    drag(qtbot, in_fours, 2, 1)
    in_fours.set_picture(tree_picture(9, own=flat(9)))
    in_fours.set_picture(tree_picture(9))
    settled(qtbot, in_fours)
    assert in_fours.own is None
    assert in_fours.undo_stack.count() == 0
    assert tree(in_fours).back_ends == 9


def test_a_step_that_was_undone_is_not_done_again_on_other_back_ends(
    qtbot: QtBot, in_fours: TreeView
) -> None:
    drag(qtbot, in_fours, 2, 1)
    in_fours.undo_stack.undo()
    settled(qtbot, in_fours)
    assert in_fours.undo_stack.canRedo()
    in_fours.set_picture(tree_picture(9))
    settled(qtbot, in_fours)
    assert not in_fours.undo_stack.canRedo()


@pytest.mark.parametrize("suffix", ["svg", "pdf", "png", "csv"])
def test_picture_and_processes_are_exported(
    qtbot: QtBot, tree_view: TreeView, tmp_path: Path, suffix: str
) -> None:
    path = tmp_path / f"tree.{suffix}"
    export(qtbot, tree_view.exports, path)
    written = path.read_bytes()
    assert len(written) > 300
    if suffix == "csv":
        assert written.count(b"\r\n") == 1 + tree(tree_view).size


def test_the_table_of_a_large_tree_is_that_of_its_levels(tree_shown: Shown) -> None:
    view = tree_shown(tree_picture(100_000, fanout=16))
    table = view.canvas.table()
    assert len(table.rows) == tree(view).depth + 1
    assert sum(row[3] for row in table.rows) == 100_000  # type: ignore[misc]


def test_closing_in_the_middle_of_an_edit_leaves_nothing_running(
    qtbot: QtBot, tree_shown: Shown
) -> None:
    view = tree_shown(tree_picture(100_000, fanout=16))
    view.clock.toggle()
    qtbot.mouseClick(view.reshaping.split_button, LEFT)
    view.close()
    assert not view.is_preparing
    assert not view.clock.is_playing


def test_a_large_tree_is_edited_in_the_background(qtbot: QtBot, tree_shown: Shown) -> None:
    view = tree_shown(tree_picture(100_000, fanout=16))
    choose(qtbot, view, "balanced 16-way")
    before = tree(view)
    drag(qtbot, view, 3, 2, drop=False)
    settled(qtbot, view)
    hand = view.canvas.hand
    assert hand is not None
    assert hand.offer is not None
    assert "broadcast" in hand.offer.lines[0]
    qtbot.mouseRelease(view.canvas, LEFT, pos=at(view.canvas, 2))
    assert tree(view) is before
    assert view.canvas.dimmed
    assert "…" in view.readout.text()
    settled(qtbot, view)
    assert not view.canvas.dimmed
    assert tree(view).is_like(move_subtree(before, 3, 2).tree)


def test_one_edit_is_made_after_the_other(qtbot: QtBot, tree_shown: Shown) -> None:
    view = tree_shown(tree_picture(100_000, fanout=16))
    qtbot.mouseClick(view.reshaping.split_button, LEFT)
    qtbot.mouseClick(view.reshaping.split_button, LEFT)
    assert "still being made" in view.readout.text()
    settled(qtbot, view)
    assert view.undo_stack.count() == 1


def test_a_new_number_of_back_ends_takes_an_edit_back_that_is_being_made(
    qtbot: QtBot, tree_shown: Shown
) -> None:
    view = tree_shown(tree_picture(100_000, fanout=16))
    told = hands.told_by(view)
    qtbot.mouseClick(view.reshaping.split_button, LEFT)
    view.set_picture(tree_picture(16))
    settled(qtbot, view)
    assert tree(view).back_ends == 16
    assert told == []


def test_all_processes_keep_their_numbers_after_a_move_and_after_the_study_ran_again(
    qtbot: QtBot, in_fours: TreeView
) -> None:
    drag(qtbot, in_fours, 2, 1)
    drawing = in_fours.drawing
    assert drawing is not None
    moved = in_fours.canvas.cursor_node
    assert name_of(drawing, moved) == "Process 2"
    expected = move_subtree(balanced(16, 4), 2, 1).before.tolist()
    assert drawing.identities.numbers.tolist() == expected
    in_fours.set_picture(tree_picture(own=drawing.tree))
    settled(qtbot, in_fours)
    assert in_fours.drawing is not None
    assert in_fours.drawing.identities.numbers.tolist() == expected
    drag(qtbot, in_fours, moved, 0)
    again = in_fours.drawing
    assert again is not None
    assert name_of(again, in_fours.canvas.cursor_node) == "Process 2"
    assert sorted(again.identities.numbers.tolist()) == list(range(21))


def test_a_picture_in_a_file_is_shown_by_every_reader(tree_view: TreeView) -> None:
    canvas = tree_view.canvas
    check(picture(canvas, ".svg"))
    assert canvas.figure_size().toTuple() == (1200, 700)
    assert_shown_alike(canvas)


def test_a_thread_draws_the_tree_as_it_was_when_it_was_asked_for(
    qtbot: QtBot, tree_view: TreeView
) -> None:
    settled(qtbot, tree_view)
    with other_theme() as change:
        assert_drawn_alike(tree_view.canvas, change)
    tree_view.canvas.show_moment(tree_view.canvas.operation, 1e9)
    assert_drawn_alike(
        tree_view.canvas, lambda: tree_view.canvas.show_moment(tree_view.canvas.operation, 0.0)
    )

"""The board as a whole: views, zoom, finding, grouping, many tasks, themes, pictures."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

import numpy as np
import pytest
from PySide6.QtCore import QPoint, QPointF, QRectF, Qt
from PySide6.QtGui import QColor, QImage, QPainter, QWheelEvent
from PySide6.QtWidgets import QApplication, QLabel

from advisor.allocation.predict import predict
from advisor.allocation.timeline_modes import NONE
from advisor.project.project_edits import add_machine, remove_machine
from gui.basics.theme import theme
from gui.basics.verdicts import PENDING
from gui.board.arcs import arcs_of
from gui.document.document import Document, Selection
from machines import Machine
from tests.conftest import cluster, two_machines
from tests.gui.board.conftest import Hand

Show = Callable[[Document], Hand]


def turn(
    hand: Hand,
    steps: int,
    modifiers: Qt.KeyboardModifier = Qt.KeyboardModifier.NoModifier,
    at: QPointF | None = None,
) -> None:
    at = at or QPointF(600, 200)
    event = QWheelEvent(
        at,
        hand.viewport.mapToGlobal(at),
        QPoint(),
        QPoint(0, 120 * steps),
        Qt.MouseButton.NoButton,
        modifiers,
        Qt.ScrollPhase.NoScrollPhase,
        False,
    )
    QApplication.sendEvent(hand.viewport, event)


def test_the_whole_schedule_fits_at_first(document: Document, show: Show) -> None:
    hand = show(document)
    view = hand.board.schedule
    right = view.item_rect(view.item_of(1)).right()
    assert 0.8 * view.viewport().width() < right < view.viewport().width()
    assert view.horizontalScrollBar().maximum() == 0


def test_added_machines_have_their_lanes_in_view(document: Document, show: Show) -> None:
    hand = show(document)
    view = hand.board.schedule
    project = document.project
    for number in range(8):
        project = add_machine(project, Machine(f"more {number}"))
    lanes = len(project.platform.machines)
    document.apply(project, "Add machines")
    hand.qtbot.waitUntil(lambda: view.lanes is not None and view.lanes.rows.size == lanes)
    assert view.verticalScrollBar().maximum() == 0
    assert view.card_rect(lanes - 1).bottom() <= view.viewport().height()


def test_the_wheel_zooms_at_the_pointer(document: Document, show: Show) -> None:
    hand = show(document)
    view = hand.board.schedule
    turn(hand, 3)
    before = view.frame().time(600)
    turn(hand, 2)
    assert view.frame().time(600) == pytest.approx(before, abs=1.0 / view.px_per_s)
    hand.board.fit()
    assert view.horizontalScrollBar().maximum() == 0


def test_ctrl_and_the_wheel_change_the_height_of_lanes_and_shift_scrolls(
    cluster_document: Document, show: Show
) -> None:
    hand = show(cluster_document)
    view = hand.board.schedule
    low = view.card_rect(0).height()
    turn(hand, 4, Qt.KeyboardModifier.ControlModifier)
    assert view.card_rect(0).height() > low
    assert view.verticalScrollBar().maximum() > 0
    before = view.verticalScrollBar().value()
    turn(hand, -1, at=QPointF(40, 200))
    assert view.verticalScrollBar().value() > before
    hand.board.zoom_in()
    view.horizontalScrollBar().setValue(0)
    turn(hand, -1, Qt.KeyboardModifier.ShiftModifier)
    assert view.horizontalScrollBar().value() > 0


def test_finding_a_task_puts_exact_and_leading_matches_first(
    cluster_document: Document, show: Show
) -> None:
    hand = show(cluster_document)
    names = [task.name for task in cluster_document.project.workload.tasks]
    assert [names[task] for task in hand.board.find_task("JOIN")] == ["join"]
    assert len(hand.board.find_task("fit_")) == 11
    assert hand.board.find_task("  ") == []
    assert hand.board.find_task("nowhere") == []


def test_a_found_task_is_selected_and_readable_in_the_middle(
    cluster_document: Document, show: Show
) -> None:
    hand = show(cluster_document)
    hand.board.focus_task(30)
    assert cluster_document.selection.tasks == {30}
    view = hand.board.schedule
    rect = view.item_rect(view.item_of(30))
    assert rect.width() >= 28
    assert view.viewport().rect().contains(rect.center().toPoint())
    assert cluster_document.undo_stack.count() == 0


def test_grouping_joins_consecutive_tasks_of_a_kind(cluster_document: Document, show: Show) -> None:
    hand = show(cluster_document)
    view = hand.board.schedule
    assert view.lanes is not None
    single = len(view.lanes.lane)
    assert single == len(cluster_document.project.workload.tasks)
    hand.board.group_box.click()
    hand.qtbot.waitUntil(lambda: len(view.lanes.lane) < single)
    blocks = [bar for bar in range(len(view.lanes.lane)) if view.lanes.tasks(bar).size > 1]
    assert blocks
    picture = view.picture
    assert picture is not None
    assert " × " in picture.label(blocks[0])
    assert "of work in all" in view.describe(blocks[0])
    hand.viewport.grab()
    hand.click(view.item_rect(blocks[0]).center().toPoint())
    assert cluster_document.selection.tasks == frozenset(view.lanes.tasks(blocks[0]).tolist())
    hand.board.group_box.click()
    hand.qtbot.waitUntil(lambda: len(view.lanes.lane) == single)


def test_colours_go_by_cause_unless_asked_for_kinds(document: Document, show: Show) -> None:
    hand = show(document)
    spot = hand.board.schedule.item_rect(0).topLeft().toPoint() + QPoint(30, 8)

    def colour() -> QColor:
        return hand.viewport.grab().toImage().pixelColor(spot)

    assert colour() == theme().cause("computing")
    assert "computing" in hand.board.legend.accessibleName()
    hand.board.colour_box.click()
    assert colour() != theme().cause("computing")
    assert hand.board.legend.names == ("A", "B")
    hand.board.legend.grab()
    hand.board.colour_box.click()
    assert colour() == theme().cause("computing")


def test_a_slowed_bar_shows_computing_and_waiting(loaded_document: Document, show: Show) -> None:
    hand = show(loaded_document)
    rect = hand.board.schedule.item_rect(0)
    image = hand.viewport.grab().toImage()
    y = round(rect.top()) + 6
    assert image.pixelColor(round(rect.left() + rect.width() * 0.25), y) == theme().cause(
        "computing"
    )
    waiting = image.pixelColor(round(rect.left() + rect.width() * 0.6), y)
    assert waiting == theme().cause("waiting for the processor")
    tip = hand.board.schedule.describe(0)
    assert "waiting for the processor 24.0 s, slowdown s ×3.00" in tip
    assert "on the critical path: 75 % of it" in tip


def test_both_themes_repaint(document: Document, show: Show) -> None:
    hand = show(document)
    corner = QPoint(hand.viewport.width() - 3, hand.viewport.height() - 3)
    for mode in ("dark", "light"):
        theme().set_mode(mode)
        image = hand.viewport.grab().toImage()
        assert image.pixelColor(corner) == QColor(theme().colours.board)
        hand.board.legend.grab()


def test_old_results_stay_dimmed_until_new_ones_come(document: Document, show: Show) -> None:
    hand = show(document)
    view = hand.board.schedule
    document.outcome_changed.disconnect(hand.board._show)
    document.move_tasks(frozenset((0,)), 1)
    hand.qtbot.waitUntil(lambda: view.dimmed, timeout=3000)
    hand.viewport.grab()
    document.outcome_changed.connect(hand.board._show)
    document.undo_stack.undo()
    hand.qtbot.waitUntil(lambda: not view.dimmed, timeout=5000)


def test_a_change_settles_within_an_eighth_of_a_second_if_wanted(
    cluster_document: Document, show: Show
) -> None:
    hand = show(cluster_document)
    hand.board.set_animated(True)
    view = hand.board.schedule
    before = view.item_rect(view.item_of(20))
    cluster_document.move_tasks(frozenset((20,)), 4)
    hand.qtbot.waitUntil(lambda: view.picture is not None and view.picture.moving)
    assert view._settler.duration() <= 120
    hand.viewport.grab()
    hand.qtbot.waitUntil(lambda: view.picture is not None and not view.picture.moving)
    after = view.item_rect(view.item_of(20))
    assert after.center().y() != before.center().y()


def test_thousands_of_narrow_bars_are_merged_and_still_found(
    qapp: QApplication, show: Show
) -> None:
    document = Document(cluster(machines=8, width=100, stages=50))
    hand = show(document)
    view = hand.board.schedule
    assert view.lanes is not None
    assert len(view.lanes.lane) == 5002
    picture = view.picture
    assert picture is not None
    assert np.median(picture.boxes.x1 - picture.boxes.x0) < 4.0
    image = hand.viewport.grab().toImage()
    lane = view.card_rect(0)
    colours = {
        image.pixelColor(x, round(lane.center().y())).name()
        for x in range(round(lane.right()) + 20, image.width() - 200, 7)
    }
    assert any(QColor(name).hslHue() >= 0 for name in colours)
    bar = len(view.lanes.lane) // 2
    found = view.item_at(view.item_rect(bar).center())
    assert found is not None
    assert view.lanes.lane[found] == view.lanes.lane[bar]
    document.select(Selection(tasks=frozenset(range(5002))))
    hand.viewport.grab()
    hand.board.focus_task(int(view.lanes.tasks(bar)[0]))
    assert view.item_rect(bar).width() >= 28
    hand.board.show_view("graph")
    hand.qtbot.waitUntil(lambda: hand.board.graph.layers is not None)
    assert hand.board.graph.layers is not None
    assert len(hand.board.graph.layers.column) < 200
    hand.viewport.grab()


def test_the_graph_has_the_same_selection_and_is_dropped_on_the_legend(
    loaded_document: Document, show: Show
) -> None:
    document, hand = loaded_document, show(loaded_document)
    document.select(Selection(tasks=frozenset((0,))))
    with hand.qtbot.waitSignal(hand.board.view_changed):
        hand.board.findChild(object, "board-graph-switch").click()
    hand.wait_until_current()
    graph = hand.board.graph
    assert hand.board.view == "graph"
    assert graph.item_rect(0).right() < graph.item_rect(1).left()
    hand.viewport.grab()
    hand.lift(0, hand.card(1))
    hand.wait_for_offers()
    assert graph.machine_offer(1).long == "▼ 38.0 s  −10.0 s"
    hand.viewport.grab()
    hand.release(hand.card(1))
    assert document.project.plan.allocation == (1, 0)
    hand.wait_until_current()
    assert "A on M2" in graph.describe(0)
    document.undo_stack.undo()
    hand.board.show_view("schedule")
    hand.wait_until_current()
    assert document.project.plan.allocation == (0, 0)


def test_keys_zoom_and_search_work_on_the_graph(cluster_document: Document, show: Show) -> None:
    hand = show(cluster_document)
    hand.board.show_view("graph")
    hand.wait_until_current()
    graph = hand.board.graph
    hand.board.surface.setFocus()
    hand.key(Qt.Key.Key_Right)
    assert graph.current == 0
    hand.key(Qt.Key.Key_Right)
    first = graph.current
    assert first in range(1, 12)
    hand.key(Qt.Key.Key_Down)
    assert graph.current in range(1, 12)
    hand.key(Qt.Key.Key_Home, Qt.Key.Key_Up)
    top = graph.current
    hand.key(Qt.Key.Key_End)
    assert graph.item_rect(graph.current or 0).top() > graph.item_rect(top or 0).top()
    hand.viewport.grab()
    hand.board.focus_task(56)
    assert graph.scale >= 0.7
    assert graph.viewport().rect().contains(graph.item_rect(56).center().toPoint())
    hand.board.zoom_in()
    hand.board.zoom_out()
    turn(hand, 2)
    turn(hand, -1, at=QPointF(20, 100))
    hand.key(Qt.Key.Key_Return, Qt.Key.Key_Down, Qt.Key.Key_Escape)
    hand.board.fit()
    hand.click(QPoint(hand.viewport.width() - 5, 5))
    assert cluster_document.selection == Selection()


def test_tooltips_name_machines_tasks_and_blocks(cluster_document: Document, show: Show) -> None:
    hand = show(cluster_document)
    view = hand.board.schedule
    assert view.tip_at(hand.card(1).toPointF()).startswith("node1: 2 cores · speed 1.5")
    assert view.tip_at(hand.task(0).toPointF()).startswith("split on node0: 2.00 s")
    assert view.tip_at(QPointF(600, 2)) == ""


@pytest.mark.parametrize("view", ["schedule", "graph"])
def test_the_whole_board_is_drawn_into_a_picture(
    cluster_document: Document, show: Show, view: str
) -> None:
    hand = show(cluster_document)
    hand.board.zoom_in()
    hand.board.show_view(view)
    hand.wait_until_current()
    image = QImage(900, 500, QImage.Format.Format_ARGB32)
    image.fill(Qt.GlobalColor.transparent)
    with QPainter(image) as painter:
        hand.board.render_to(painter, QRectF(50, 40, 800, 420))
    assert image.pixelColor(10, 10).alpha() == 0
    assert image.pixelColor(890, 490).alpha() == 0
    inside = {image.pixelColor(x, y).name() for x in range(60, 840, 9) for y in range(60, 440, 9)}
    assert len(inside) > 5


def test_another_project_starts_over(document: Document, show: Show) -> None:
    hand = show(document)
    hand.key(Qt.Key.Key_Right)
    document.load(cluster())
    assert hand.board.surface.outcome is None
    assert not hand.board.surface.ready
    hand.viewport.grab()
    hand.key(Qt.Key.Key_Right, Qt.Key.Key_Return, Qt.Key.Key_Space)
    hand.click(QPoint(400, 100))
    assert hand.board.surface.machine_offer(0).verdict == PENDING
    hand.wait_until_current()
    assert len(hand.board.schedule.facts) == 5
    document.load(two_machines())
    hand.wait_until_current()
    assert len(hand.board.schedule.facts) == 2


def test_everything_has_a_name_for_screen_readers(document: Document, show: Show) -> None:
    board = show(document).board
    for widget in (board, board.schedule, board.graph, board.legend):
        assert widget.objectName()
        assert widget.accessibleName()


def test_what_is_said_below_the_board_is_of_what_is_selected(
    document: Document, show: Show
) -> None:
    hand = show(document)
    status = hand.board.findChild(QLabel, "board-status")
    before = status.text()
    document.select(Selection(tasks=frozenset({0})))
    assert status.text().startswith("A selected")
    document.select(Selection(machine=0))
    assert status.text() == before


def test_a_plan_without_a_prediction_says_why_and_can_be_mended_on_the_dimmed_board(
    document: Document, show: Show
) -> None:
    hand = show(document)
    project = document.project
    tasks = (replace(project.workload.tasks[0], allowed=("M2",)), project.workload.tasks[1])
    document.apply(replace(project, workload=replace(project.workload, tasks=tasks)), "Forbid")
    status = hand.board.findChild(object, "board-status")
    hand.qtbot.waitUntil(lambda: "A" in status.text() and "M1" in status.text(), timeout=5000)
    hand.qtbot.waitUntil(lambda: hand.board.schedule.dimmed, timeout=3000)
    hand.click(hand.card(1))
    assert document.selection == Selection(machine=1)
    hand.click(hand.task(0))
    assert document.selection == Selection(tasks=frozenset({0}))
    hand.click(hand.lane(1))
    assert document.project.plan.allocation[0] == 1
    hand.wait_until_current()
    assert not hand.board.schedule.dimmed


def test_all_lanes_are_seen_at_first_when_they_can_be(qapp: QApplication, show: Show) -> None:
    hand = show(Document(cluster(machines=12)))
    view = hand.board.schedule
    assert view.verticalScrollBar().maximum() == 0
    hand.board.resize(600, 300)
    hand.qtbot.waitUntil(lambda: view.verticalScrollBar().maximum() > 0)
    hand.board.focus_task(11)
    assert view.viewport().rect().contains(view.item_rect(view.item_of(11)).center().toPoint())
    hand.viewport.grab()


def test_flows_and_machines_are_told_in_words(loaded_document: Document, show: Show) -> None:
    from gui.board import describe

    document, hand = loaded_document, show(loaded_document)
    link = replace(document.project.platform.links[0], slowdown=3.0)
    platform = replace(document.project.platform, links=(link,))
    plan = document.project.plan.moved((0,), 1)
    document.apply(replace(document.project, platform=platform, plan=plan), "Slow the link")
    hand.wait_until_current()
    outcome = hand.board.schedule.outcome
    assert outcome is not None
    text = describe.flow(outcome, 0)
    assert text.startswith("A → B: 24.0 s (24 s)")
    assert "8.00 s on an idle network, slowdown ×3.00" in text
    assert text.endswith("on the critical path")
    moved = describe.arc(outcome, arcs_of(outcome.problem, outcome.prediction), 0)
    assert "departs at 18.0 s, arrives at 42.0 s" in moved
    assert moved.endswith("transferring 8.00 s + waiting for the link 16.00 s")
    alone = predict(replace(outcome.problem, sharing=NONE), outcome.prediction.plan)
    text = describe.flow(replace(outcome, prediction=alone), 0)
    assert "transferring 8.00 s + waiting for the link 16.00 s, slowdown ×3.00" in text
    assert "slowdown s ×3.00" in hand.board.schedule.facts[0].sentence


def test_what_was_said_of_a_machine_gives_way_to_the_edit_that_makes_it_wrong(
    document: Document, show: Show
) -> None:
    hand = show(document)
    hand.click(hand.card(1))
    status = hand.board.findChild(QLabel, "board-status")
    assert "speed 1" in status.text()
    machines = document.project.platform.machines
    faster = replace(
        document.project.platform, machines=(machines[0], replace(machines[1], speed=2.0))
    )
    document.apply(replace(document.project, platform=faster), "Change Speed of M2")
    assert status.text() == "Change Speed of M2. Ctrl+Z takes it back."
    document.undo_stack.undo()
    assert status.text() == "Undone: Change Speed of M2."


def test_what_is_selected_and_removed_can_be_taken_back(document: Document, show: Show) -> None:
    hand = show(document)
    hand.click(hand.card(1))
    document.apply(remove_machine(document.project, 1), "Remove machine")
    document.select(Selection())
    assert hand.board.findChild(QLabel, "board-status").text() == (
        "Remove machine. Ctrl+Z takes it back."
    )

"""Graphs of many tasks: collapsed by kind with counts and volumes, opened in place on demand."""

from __future__ import annotations

from itertools import pairwise

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from PySide6.QtCore import QPoint, QPointF, Qt

from advisor.allocation.workload import Flow, Task, Workload
from gui.board import layers
from gui.board.graph_curves import curve_at, describe, path_of, volume
from gui.board.graph_view import GraphView
from gui.board.lanes import Kinds
from gui.document.document import Document, Selection
from tests.conftest import cluster
from tests.gui.board.conftest import Hand
from tests.gui.board.test_board_view import Show

LEFT = Qt.MouseButton.LeftButton


def repeated(rounds: int, width: int = 1) -> Workload:
    """`rounds` times: a solve after an exchange, `width` of each."""
    names = [
        [f"{kind}_{i:04d}_{lane}" for lane in range(width)]
        for i in range(rounds)
        for kind in ("exchange", "solve")
    ]
    tasks = tuple(Task(name, work=1.0, kind=name.split("_")[0]) for row in names for name in row)
    flows = tuple(
        Flow(above, below, ((1, 1e6),))
        for upper, lower in pairwise(names)
        for above, below in zip(upper, lower, strict=True)
    )
    return Workload("rounds", tasks, flows)


def units_of(workload: Workload) -> layers.Units:
    return layers.units_of(workload, Kinds.of([task.group for task in workload.tasks]))


@pytest.fixture
def hand(qapp: object, show: Show) -> Hand:
    """402 tasks in 5 stages of 80, with a split and a join, on the graph."""
    shown = show(Document(cluster(width=80)))
    shown.board.show_view("graph")
    shown.wait_until_current()
    shown.board.surface.setFocus()
    return shown


@pytest.fixture
def graph(hand: Hand) -> GraphView:
    return hand.board.graph


def opened(hand: Hand, groups: int) -> None:
    graph = hand.board.graph
    hand.qtbot.waitUntil(lambda: graph.layers is not None and len(graph.layers.opened) == groups)


def biggest(graph: GraphView) -> int:
    assert graph.layers is not None
    sizes = [graph.item_tasks(card).size for card in range(len(graph.layers.unit))]
    return int(np.argmax(sizes))


def double_click(hand: Hand, at: QPointF) -> None:
    hand.double_click(at.toPoint())


def test_a_large_graph_is_one_card_for_each_kind_in_a_layer_and_can_be_read(
    graph: GraphView,
) -> None:
    picture, workload = graph.picture, graph.document.project.workload
    assert picture is not None
    found = {picture.label(card) for card in range(len(picture.layers.unit))}
    counted = Kinds.of([task.group for task in workload.tasks])
    sizes = np.bincount(counted.of_task).tolist()
    wanted = zip(counted.names, sizes, strict=True)
    assert found == {name if size == 1 else f"{name} × {size}" for name, size in wanted}
    assert graph.scale >= 0.45  # from where cards and curves have their words
    ground = graph.viewport().rect()
    assert all(ground.contains(graph.item_rect(card).toRect()) for card in range(len(found)))


def test_curves_tell_how_many_flows_they_stand_for_and_their_bytes(graph: GraphView) -> None:
    picture, workload = graph.picture, graph.document.project.workload
    assert picture is not None
    group = {task.name: task.group for task in workload.tasks}
    for curve in range(len(picture.layers.sources)):
        ends = (
            picture.name(int(picture.layers.sources[curve])),
            picture.name(int(picture.layers.targets[curve])),
        )
        mine = [flow for flow in workload.flows if (group[flow.source], group[flow.target]) == ends]
        assert int(picture.forecast.curve_flows[curve]) == len(mine)
        carried = sum(flow.size_bytes for flow in mine)
        assert picture.forecast.curve_bytes[curve] == pytest.approx(carried)
        assert volume(picture, curve)[0] == f"{len(mine):,} ×"
        middle = path_of(picture, curve).pointAtPercent(0.5)
        visible = picture.touching(graph.viewport().rect().toRectF())
        if curve_at(picture, visible, middle) == curve:
            assert f"{len(mine)} flows" in graph.tip_at(middle)
    assert "on the critical path" in describe(picture, int(np.argmax(picture.forecast.critical)))


def test_a_double_click_opens_a_group_in_place_and_one_beside_its_tasks_closes_it(
    hand: Hand, graph: GraphView
) -> None:
    card, document = biggest(graph), graph.document
    tasks = graph.item_tasks(card).tolist()
    before = len(graph.layers.unit) if graph.layers is not None else 0
    told: list[object] = []
    graph.activated.connect(told.append)
    double_click(hand, graph.item_rect(card).center())
    opened(hand, 1)
    assert not told  # the inspector is for single tasks
    assert graph.layers is not None
    assert len(graph.layers.unit) == before - 1 + len(tasks)
    rects = [graph.item_rect(graph.item_of(task)) for task in tasks]
    frame = graph.picture.frame(graph.layers.opened[0]) if graph.picture is not None else None
    assert frame is not None
    assert all(frame.contains(rect) for rect in rects)
    assert graph.viewport().rect().contains(rects[0].center().toPoint())
    assert rects[0].height() >= 20  # its name can be read
    hand.viewport.grab()
    double_click(hand, rects[0].center())
    assert told == [tasks[0]]
    double_click(hand, frame.topLeft() + QPointF(frame.width() / 2, 8))
    opened(hand, 0)
    assert document.undo_stack.count() == 0
    assert len(graph.layers.unit) == before


def test_enter_opens_the_group_in_focus_and_escape_closes_it(hand: Hand, graph: GraphView) -> None:
    card = biggest(graph)
    first = int(graph.item_tasks(card)[0])
    graph.set_current(first)
    hand.key(Qt.Key.Key_Return)
    opened(hand, 1)
    assert graph.current == first
    assert not graph.carrying.active
    hand.key(Qt.Key.Key_Down)
    assert graph.current != first
    hand.key(Qt.Key.Key_Return)  # a task alone is picked up, as before
    assert graph.carrying.active
    hand.key(Qt.Key.Key_Escape)
    assert not graph.carrying.active
    hand.key(Qt.Key.Key_Escape)
    opened(hand, 0)
    assert graph.item_tasks(graph.item_of(first)).size > 1


def test_a_group_is_dropped_on_a_machine_as_a_whole_in_one_step(
    hand: Hand, graph: GraphView
) -> None:
    document, card = graph.document, biggest(graph)
    tasks = graph.item_tasks(card).tolist()
    before = document.project.plan
    hand.lift(tasks[0], hand.card(3))
    hand.release(hand.card(3))
    assert {document.project.plan.allocation[task] for task in tasks} == {3}
    assert document.undo_stack.count() == 1
    hand.wait_until_current()
    picture = graph.picture
    assert picture is not None
    assert picture.place(graph.item_of(tasks[0])) == "on node3"
    document.undo_stack.undo()
    assert document.project.plan == before


def test_what_is_open_stays_open_while_tasks_move_and_goes_with_the_project(
    hand: Hand, graph: GraphView
) -> None:
    graph.open_item(biggest(graph))
    opened(hand, 1)
    graph.document.move_tasks(frozenset({5}), 0)
    hand.wait_until_current()
    assert graph.layers is not None
    assert len(graph.layers.opened) == 1
    graph.document.load(cluster(width=90))
    assert graph.opened == frozenset()


def test_a_selected_task_inside_a_closed_group_marks_its_card(hand: Hand, graph: GraphView) -> None:
    tasks = graph.item_tasks(biggest(graph))
    plain = hand.viewport.grab().toImage()
    graph.document.select(Selection(tasks=frozenset({int(tasks[3])})))
    assert hand.viewport.grab().toImage() != plain
    hand.click(graph.item_rect(biggest(graph)).center().toPoint() + QPoint(2, 2))
    assert graph.document.selection.tasks == frozenset(tasks.tolist())


def test_kinds_that_come_again_and_again_are_one_group_each() -> None:
    units = units_of(repeated(200, 2))
    assert sorted(units.size.tolist()) == [400, 400]
    laid_out = layers.lay_out(repeated(200, 2), units)
    both = set(zip(laid_out.sources.tolist(), laid_out.targets.tolist(), strict=True))
    assert both == {(0, 1), (1, 0)}
    assert np.bincount(laid_out.flow_of).tolist() == [400, 398]


def test_a_graph_that_can_be_read_is_not_collapsed() -> None:
    workload = cluster().workload
    assert units_of(workload).size.tolist() == [1] * len(workload.tasks)


@given(st.sets(st.integers(0, 6)), st.integers(30, 90))
def test_no_two_cards_lie_on_each_other_whatever_is_open(chosen: set[int], width: int) -> None:
    workload = cluster(width=width).workload
    units = units_of(workload)
    laid_out = layers.lay_out(workload, units, frozenset(chosen))
    assert sorted(laid_out.members.tolist()) == list(range(len(workload.tasks)))
    by_column: dict[float, list[float]] = {}
    for column, place in zip(laid_out.column.tolist(), laid_out.place.tolist(), strict=True):
        by_column.setdefault(column, []).append(place)
    assert all(np.all(np.diff(sorted(places)) >= 1 - 1e-9) for places in by_column.values())
    columns = np.array(sorted(by_column))
    assert np.all(np.diff(columns) >= 1 - 1e-9)
    wanted = {unit for unit in chosen if units.size[unit] > 1}
    assert {group.unit for group in laid_out.opened} == wanted
    for group in laid_out.opened:
        inside = laid_out.unit == group.unit
        assert np.all(laid_out.place[inside] - 0.5 >= group.top)
        assert np.all(laid_out.place[inside] + 0.5 <= group.top + group.rows + 1e-9)

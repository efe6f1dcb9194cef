"""Lanes of many cores: names and the critical path can be read, and every row reached."""

from __future__ import annotations

from collections.abc import Callable
from itertools import pairwise

import numpy as np
import pytest
from PySide6.QtCore import QPoint, QPointF, Qt
from PySide6.QtGui import QWheelEvent
from PySide6.QtWidgets import QApplication

from advisor.allocation.plan import Plan
from advisor.allocation.workload import Flow, Task, Workload
from advisor.project.project import Project
from gui.board.label_blocks import blocks
from gui.document.document import Document
from machines import Machine, Platform
from tests.gui.board.conftest import Hand

Show = Callable[[Document], Hand]
CORES = 128


def machine_full() -> Project:
    """128 short tasks, then 127 fits beside a long chain, on one machine; another one idle."""
    first = [Task(f"project_{i:03d}", work=10.0 + i % 3) for i in range(CORES)]
    chain = [Task(f"merge_{i}", work=40.0) for i in range(2)]
    fits = [Task(f"fit_{i:03d}", work=30.0) for i in range(CORES - 1)]
    flows = [Flow(first[2].name, chain[0].name), Flow("merge_0", "merge_1")]
    flows += [Flow(one.name, fit.name) for one, fit in zip(first, fits, strict=False)]
    tasks = (*first, *chain, *fits)
    platform = Platform("site", (Machine("big", cores=CORES), Machine("small")))
    return Project(platform, Workload("wide", tasks, tuple(flows)), Plan((0,) * len(tasks)))


@pytest.fixture
def hand(qapp: object, show: Show) -> Hand:
    return show(Document(machine_full()))


def critical(hand: Hand) -> list[int]:
    outcome = hand.board.document.outcome
    assert outcome is not None
    return np.flatnonzero(outcome.prediction.critical).tolist()


def test_bars_of_the_critical_path_are_high_enough_for_their_names(hand: Hand) -> None:
    view = hand.board.schedule
    assert view.lanes is not None
    pitch = view.frame().lane_box(0)[1] / view.lanes.rows[0]
    assert pitch < 4  # pixels of a row
    top, height = view.frame().lane_box(0)
    found = [view.item_rect(view.item_of(task)) for task in critical(hand)]
    assert len(found) == 3
    for rect in found:
        assert rect.height() >= view.ink.small_line
        assert top <= rect.top()
        assert rect.bottom() <= top + height
    apart = sorted(found, key=lambda rect: rect.left())
    assert all(a.right() <= b.left() + 1 for a, b in pairwise(apart))


def test_a_click_on_the_critical_path_takes_its_task_and_not_what_lies_below(hand: Hand) -> None:
    view = hand.board.schedule
    for task in critical(hand):
        rect = view.item_rect(view.item_of(task))
        for y in (rect.top() + 1, rect.bottom() - 1):
            assert view.item_at(QPointF(rect.center().x(), y)) == view.item_of(task)
    hand.click(hand.task(critical(hand)[1]))
    assert hand.board.document.selection.tasks == {critical(hand)[1]}


def test_blocks_of_a_kind_have_their_name_and_number(hand: Hand) -> None:
    view = hand.board.schedule
    picture = view.picture
    assert picture is not None
    found = {}
    for block in blocks(picture, view.ink.small_line):
        name = picture.kinds.names[block.kind]
        found[name] = found.get(name, 0) + block.tasks
        assert block.rect.height() >= view.ink.small_line
        top, height = view.frame().lane_box(0)
        assert top <= block.rect.top()
        assert block.rect.bottom() <= top + height
    # bars in the rest of a band go without: its rows are too few for a line of text
    assert 110 <= found["project"] <= 128
    assert 110 <= found["fit"] <= 127
    hand.viewport.grab()


def test_lanes_grow_with_the_wheel_until_every_row_can_be_read(hand: Hand) -> None:
    view = hand.board.schedule
    viewport, at = view.viewport(), QPointF(500, 200)
    for _ in range(40):
        event = QWheelEvent(
            at, viewport.mapToGlobal(at), QPoint(), QPoint(0, 120), Qt.MouseButton.NoButton,
            Qt.KeyboardModifier.ControlModifier, Qt.ScrollPhase.NoScrollPhase, False,
        )  # fmt: skip
        QApplication.sendEvent(viewport, event)
    picture = view.picture
    assert picture is not None
    assert float(picture.boxes.height.min()) >= view.ink.small_line - 3
    assert blocks(picture, view.ink.small_line - 3) == []
    assert view.verticalScrollBar().maximum() > 1000
    hand.key(Qt.Key.Key_F)
    assert view.verticalScrollBar().maximum() == 0


def test_lanes_with_few_cores_have_no_blocks_and_bars_of_one_height(
    cluster_document: Document, show: Show
) -> None:
    view = show(cluster_document).board.schedule
    picture = view.picture
    assert picture is not None
    assert blocks(picture, view.ink.small_line) == []
    lanes = picture.lanes
    for lane in range(len(lanes.rows)):
        assert np.ptp(picture.boxes.height[lanes.lane == lane]) < 1e-9

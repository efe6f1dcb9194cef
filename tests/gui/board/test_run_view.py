"""Two bars a task: where they lie, what is under the pointer, runs that go on, runs that failed."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import replace

import numpy as np
import pytest
from PySide6.QtCore import QPointF
from PySide6.QtGui import QColor, QImage
from pytestqt.qtbot import QtBot

from advisor.runs.actual import Actual
from advisor.runs.growing import Coming
from advisor.runs.matching import matched
from advisor.runs.run_record import FAILED, Run, TaskRun
from gui.board.run_bars import Happened
from gui.board.run_view import RunView
from gui.document.document import Document, Selection
from tests.gui.board.conftest import Hand
from tests.gui.runs import run

Show = Callable[[Document], Hand]


@pytest.fixture
def hand(show: Show, document: Document) -> Iterator[Hand]:
    made = show(document)
    yield made
    made.board.close_jobs()


def view_of(hand: Hand) -> RunView:
    found = hand.board.schedule
    assert isinstance(found, RunView)
    return found


def actual(hand: Hand, of: Run) -> Actual:
    outcome = hand.board.document.outcome
    assert outcome is not None
    return matched(of, outcome.problem)


def show_run(hand: Hand, of: Run, now_s: float | None = None) -> RunView:
    view = view_of(hand)
    happened = Happened(actual(hand, of), now_s)
    view.show_happened(happened)
    hand.qtbot.waitUntil(lambda: view.run is not None and view.run.happened is happened)
    return view


def painted(view: RunView) -> QImage:
    return view.viewport().grab().toImage()


def colours(image: QImage, around: QPointF) -> set[str]:
    x, y = round(around.x()), round(around.y())
    return {image.pixelColor(x + dx, y + dy).name() for dx in range(-3, 4) for dy in range(-3, 4)}


def test_predicted_and_actual_bars_lie_in_one_row_one_above_the_other(hand: Hand) -> None:
    view = show_run(hand, run())
    frame = view.frame()
    upper, lower = view.picture, view._run_picture(frame)
    assert upper is not None
    assert lower is not None
    for task in (0, 1):
        above, below = upper.rect(view.item_of(task)), lower.rect(int(lower.lanes.bar_of[task]))
        assert above.bottom() <= below.top()
        assert below.bottom() <= sum(frame.lane_box(0))
        assert above.top() >= frame.lane_box(0)[0]
    assert lower.rect(0).right() == pytest.approx(frame.x(15.0), abs=1.0)


def test_the_axis_reaches_to_the_later_makespan(hand: Hand) -> None:
    view = show_run(hand, run(a_s=40.0))
    assert view.span_s == 46.0
    assert view.frame().x(46.0) <= view.viewport().width()
    view.show_happened(None)
    assert view.run is None
    assert view.span_s == 16.0


def test_a_task_that_ran_elsewhere_lies_in_the_lane_where_it_ran(hand: Hand) -> None:
    view = show_run(hand, run(on="M2"))
    lower = view._run_picture(view.frame())
    assert lower is not None
    top, height = view.frame().lane_box(1)
    assert top < lower.rect(0).center().y() < top + height
    at = QPointF(view.frame().x(5.0), lower.rect(0).center().y())
    assert view.item_at(at) == view.item_of(0)
    assert "actual on M2: 15.0 s, predicted 18.0 s there, ×0.833" in view.describe(view.item_of(0))


def test_where_the_log_tells_no_machine_a_task_lies_where_the_plan_put_it(hand: Hand) -> None:
    view = show_run(hand, run(on=""))
    assert view.run is not None
    assert view.run.lanes.lane.tolist() == [0, 0]


def test_a_failed_task_is_vermilion_with_a_cross_and_says_so(hand: Hand) -> None:
    view = show_run(hand, run(b=FAILED, b_s=10.0))
    assert view.run is not None
    assert view.run.failed.tolist() == [1]
    lower = view._run_picture(view.frame())
    assert lower is not None
    rect = lower.rect(1)
    found = colours(painted(view), QPointF(rect.center().x() + 9, rect.center().y()))
    assert view.ink.worse.name() in found
    sign = colours(painted(view), QPointF(rect.left() + 6, rect.center().y()))
    assert len(sign) > 1
    assert "failed on M1 after 10.00 s" in view.describe(view.item_of(1))


def test_a_task_that_the_run_does_not_tell_of_has_no_bar_and_says_so(hand: Hand) -> None:
    view = show_run(hand, Run("cut", (TaskRun("A", "M1", 0.0, 15.0),)))
    assert view.run is not None
    assert view.run.lanes.bar_of.tolist() == [0, -1]
    assert "not in the run" in view.describe(view.item_of(1))


def test_a_run_that_goes_on_grows(hand: Hand) -> None:
    done = actual(hand, run())
    nothing = np.full(2, np.nan)
    begun = replace(
        done, ran=np.array([False, False]), start_s=np.array([0.0, np.nan]),
        taken_s=np.array([0.0, np.nan]), end_s=nothing, failed=(), missing=(),
    )  # fmt: skip
    view = view_of(hand)
    for now_s in (3.0, 6.0):
        happened = Happened(begun, now_s)
        view.show_happened(happened)
        hand.qtbot.waitUntil(
            lambda happened=happened: view.run is not None and view.run.happened is happened
        )
        assert view.run is not None
        assert view.run.lanes.end_s.tolist() == [now_s]
        assert view.run.running.tolist() == [0]
    assert "running on M1" in view.describe(view.item_of(0))
    assert "not begun yet" in view.describe(view.item_of(1))
    painted(view)
    view.show_happened(Happened(done))
    hand.qtbot.waitUntil(lambda: view.run is not None and view.run.running.size == 0)
    assert view.run is not None
    assert view.run.lanes.end_s.tolist() == [15.0, 21.0]


def test_of_runs_that_come_quickly_the_latest_is_shown(hand: Hand) -> None:
    view = view_of(hand)
    last = [Happened(actual(hand, run(a_s=10.0 + step))) for step in range(20)]
    for one in last:
        view.show_happened(one)
    hand.qtbot.waitUntil(lambda: view.run is not None and view.run.happened is last[-1])


def test_a_moved_task_keeps_its_run_and_both_can_be_selected(hand: Hand) -> None:
    view = show_run(hand, run())
    document = hand.board.document
    document.move_tasks(frozenset({1}), 1)
    hand.wait_until_current()
    assert view.run is not None
    assert view.lanes is not None
    assert view.lanes.lane[view.item_of(1)] == 1
    assert view.run.lanes.lane.tolist() == [0, 0]
    plain = painted(view)
    document.select(Selection(tasks=frozenset({1})))
    assert painted(view) != plain
    document.undo_stack.undo()
    hand.wait_until_current()
    assert view.lanes.lane[view.item_of(1)] == 0


def test_a_run_of_other_tasks_is_not_drawn_beside_these(hand: Hand) -> None:
    view = view_of(hand)
    happened = Happened(actual(hand, run()))
    short = replace(happened.actual, ran=np.array([True]))
    view.show_happened(Happened(short))
    assert view.run is None
    painted(view)


def test_tasks_that_ran_at_once_have_rows_of_their_own(
    show: Show, cluster_document: Document
) -> None:
    """Five machines of one core each: what ran at once on one of them needs more rows."""
    hand = show(cluster_document)
    names = [task.name for task in cluster_document.project.workload.tasks]
    machine = cluster_document.project.platform.machines[0].name
    view = show_run(hand, Run("all", tuple(TaskRun(name, machine, 0.0, 5.0) for name in names)))
    assert view.run is not None
    assert view.run.lanes.rows[0] == len(names)
    assert sorted(view.run.lanes.row.tolist()) == list(range(len(names)))
    assert view.frame().rows[0] == len(names)
    painted(view)
    hand.board.close_jobs()


def test_both_makespans_are_written_without_lying_on_one_another(
    hand: Hand, monkeypatch: pytest.MonkeyPatch
) -> None:
    view = show_run(hand, run(a_s=10.0))
    written: list[tuple[str, float, float]] = []
    write = view.ink.write

    def watched(painter: object, rect: object, text: str, *rest: object) -> None:
        written.append((text, rect.left(), rect.right()))  # type: ignore[attr-defined]
        write(painter, rect, text, *rest)  # type: ignore[arg-type]

    monkeypatch.setattr(view.ink, "write", watched)
    view.redraw()
    painted(view)
    chips = {text: (left, right) for text, left, right in written if text.endswith("16.0 s")}
    assert set(chips) == {"predicted 16.0 s", "actual 16.0 s"}
    (first, second) = sorted(chips.values())
    assert first[1] <= second[0]
    assert second[1] <= view.viewport().width()


def test_a_picture_of_the_board_has_both_bars(hand: Hand, qtbot: QtBot) -> None:
    from PySide6.QtCore import QRectF
    from PySide6.QtGui import QPainter

    view = show_run(hand, run(b=FAILED))
    image = QImage(900, 500, QImage.Format.Format_ARGB32)
    image.fill(QColor("white"))
    painter = QPainter(image)
    view.render_to(painter, QRectF(0, 0, 900, 500))
    painter.end()
    names = {image.pixelColor(x, y).name() for x in range(0, 900, 3) for y in range(0, 500, 3)}
    assert {view.ink.computing.name(), view.ink.worse.name()} <= names


def test_a_task_that_is_late_has_an_edge_and_a_sign(hand: Hand) -> None:
    done = actual(hand, run())
    begun = replace(
        done, ran=np.array([False, False]), start_s=np.array([0.0, np.nan]),
        taken_s=np.array([0.0, np.nan]), end_s=np.full(2, np.nan), failed=(), missing=(),
    )  # fmt: skip
    view = view_of(hand)
    for now_s, late in ((17.0, []), (19.0, [0])):  # A is predicted to take 12 s
        happened = Happened(begun, now_s)
        view.show_happened(happened)
        hand.qtbot.waitUntil(
            lambda happened=happened: view.run is not None and view.run.happened is happened
        )
        assert view.run is not None
        assert view.run.late.tolist() == late
        picture = view._run_picture(view.frame())
        assert picture is not None
        rect = picture.rect(0)
        edge = colours(painted(view), QPointF(rect.center().x(), rect.top() + 1))
        assert (view.ink.worse.name() in edge) == bool(late)


def replanned(hand: Hand, now_s: float = 6.0) -> RunView:
    """A runs on M1 since 0 s, until 15 s as is expected; B is to run on M2 from 20 s to 50 s."""
    nothing = np.full(2, np.nan)
    begun = replace(
        actual(hand, run()), ran=np.array([False, False]), start_s=np.array([0.0, np.nan]),
        taken_s=np.array([0.0, np.nan]), end_s=nothing, failed=(), missing=(),
    )  # fmt: skip
    places = np.array([0, 1]), np.array([0, 1])
    coming = Coming(*places, np.array([0.0, 20.0]), np.array([15.0, 50.0]))
    view = view_of(hand)
    happened = Happened(begun, now_s, coming, ((0, 4.0),))
    view.show_happened(happened)
    hand.qtbot.waitUntil(lambda: view.run is not None and view.run.happened is happened)
    return view


def test_what_is_to_come_is_dashed_where_it_was_replanned(
    hand: Hand, monkeypatch: pytest.MonkeyPatch
) -> None:
    view = replanned(hand)
    assert view.run is not None
    coming = view.run.coming
    assert coming is not None
    assert coming.lane.tolist() == [0, 1]
    assert coming.start_s.tolist() == [6.0, 20.0]  # what is left of A, and B
    assert coming.end_s.tolist() == [15.0, 50.0]
    assert coming.row[0] == view.run.lanes.row[0]
    assert view.span_s == 50.0
    assert "replanned: on M2, from 20.0 s to 50.0 s" in view.describe(view.item_of(1))
    picture = view._picture_of(coming, view.frame())
    assert picture is not None
    assert view.item_at(picture.rect(1).center()) == view.item_of(1)
    written: list[str] = []
    write = view.ink.write

    def watched(painter: object, rect: object, text: str, *rest: object) -> None:
        written.append(text)
        write(painter, rect, text, *rest)  # type: ignore[arg-type]

    monkeypatch.setattr(view.ink, "write", watched)
    view.redraw()
    painted(view)
    assert {"replanned 50.00 s", "so far 6.00 s", "replanned", "gone"} <= set(written)


def test_what_takes_longer_than_was_expected_leaves_its_lane_as_high_as_it_was(hand: Hand) -> None:
    before = replanned(hand).run
    assert before is not None
    rows = before.lanes.rows.tolist()
    after = replanned(hand, 40.0).run
    assert after is not None
    assert after.coming is not None
    assert after.lanes.rows.tolist() == rows
    assert after.coming.members.tolist() == [1]  # A should have ended by now


def test_the_lane_of_a_lost_machine_is_veiled_from_then_on(hand: Hand) -> None:
    view = replanned(hand)
    frame = view.frame()
    top, height = frame.lane_box(0)
    image, y = painted(view), round(top + height - 2)
    before, after = (image.pixelColor(round(frame.x(at)), y) for at in (2.0, 30.0))
    assert before != after
    below = round(sum(frame.lane_box(1)) - 2)
    same = {image.pixelColor(round(frame.x(at)), below).name() for at in (2.0, 18.0)}
    assert len(same) == 1

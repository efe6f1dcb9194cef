"""Moving tasks by mouse: drag, rubber band, click then click, and what must not move."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

import pytest
from PySide6.QtCore import QPoint, QRectF, Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QLabel

from advisor.allocation.plan import Plan
from advisor.allocation.workload import Task, Workload
from advisor.kernels import execution_kernel as execution
from advisor.project.project import Project
from gui.basics.verdicts import BETTER, ILLEGAL, SAME, WORSE
from gui.board.cards import offer_rect
from gui.board.gestures import Drag
from gui.document.document import Document, Selection
from machines import Machine, Platform
from tests.gui.board.conftest import Hand
from tests.gui.board.networks import four_readers

Show = Callable[[Document], Hand]
CTRL = Qt.KeyboardModifier.ControlModifier
SHIFT = Qt.KeyboardModifier.ShiftModifier


def test_a_drag_shows_every_machines_value_and_the_drop_is_one_undo_step(
    loaded_document: Document, show: Show
) -> None:
    # Figueira & Berman 1996, Table 2: M1 slowed × 3, 48 s as it is, 38 s with A on M2
    document, hand = loaded_document, show(loaded_document)
    hand.lift(0, hand.lane(1))
    hand.wait_for_offers()
    here, there = (hand.board.surface.machine_offer(machine) for machine in (0, 1))
    assert (here.verdict, here.long) == (SAME, "= 48.0 s  as now")
    assert (there.verdict, there.best) == (BETTER, True)
    assert there.long == "▼ 38.0 s  −10.0 s"
    assert hand.board.carrying.target == 1
    assert document.project.plan.allocation == (0, 0)
    hand.release(hand.lane(1))
    assert document.project.plan.allocation == (1, 0)
    assert document.undo_stack.count() == 1
    hand.wait_until_current()
    schedule = hand.board.schedule
    assert schedule.lanes is not None
    assert schedule.lanes.makespan_s == pytest.approx(38.0)
    assert schedule.lane_at(schedule.item_rect(schedule.item_of(0)).center()) == 1
    status = hand.board.findChild(QLabel, "board-status")
    assert status.text() == "Move A to M2. Ctrl+Z takes it back."
    document.undo_stack.undo()
    assert document.project.plan.allocation == (0, 0)
    assert status.text() == "Undone: Move A to M2."
    document.undo_stack.redo()
    assert status.text() == "Move A to M2. Ctrl+Z takes it back."


def test_a_worse_machine_says_so(document: Document, show: Show) -> None:
    hand = show(document)
    hand.lift(1, hand.lane(1))
    hand.wait_for_offers()
    offer = hand.board.surface.machine_offer(1)
    assert offer.verdict == WORSE
    assert offer.long.startswith("▲ ")
    assert offer.difference.startswith("+")
    hand.key(Qt.Key.Key_Escape)
    hand.release(hand.lane(1))


def test_what_machines_offer_is_in_one_unit(qapp: object, show: Show) -> None:
    names = ("M1", "M2", "M3")
    task = Task("A", seconds=tuple(zip(names, (36.0, 26.0, 300.0), strict=True)))
    platform = Platform("three", tuple(map(Machine, names)))
    hand = show(Document(Project(platform, Workload("w", (task,)), Plan((0,)))))
    hand.click(hand.task(0))
    hand.wait_for_offers()
    offers = [hand.board.surface.machine_offer(machine).short for machine in range(3)]
    assert offers == ["= as now", "▼ −10.0 s", "▲ +4 min 24 s"]


def test_escape_cancels_a_drag_and_nothing_moves(document: Document, show: Show) -> None:
    hand = show(document)
    hand.lift(0, hand.lane(1))
    assert isinstance(hand.board.surface.gesture, Drag)
    hand.key(Qt.Key.Key_Escape)
    assert not hand.board.carrying.active
    hand.release(hand.lane(1))
    assert document.project.plan.allocation == (0, 0)
    assert document.undo_stack.count() == 0


def test_a_drop_on_its_own_lane_changes_nothing(document: Document, show: Show) -> None:
    hand = show(document)
    hand.lift(0, hand.lane(0))
    hand.release(hand.lane(0))
    assert document.undo_stack.count() == 0
    assert not hand.board.carrying.active


def test_a_drop_outside_all_lanes_changes_nothing(document: Document, show: Show) -> None:
    hand = show(document)
    below = QPoint(400, hand.viewport.height() - 4)
    hand.lift(0, below)
    hand.release(below)
    assert document.undo_stack.count() == 0


@pytest.fixture
def guarded(document: Document) -> Document:
    """A may not run on M2."""
    project = document.project
    tasks = (replace(project.workload.tasks[0], allowed=("M1",)), project.workload.tasks[1])
    document.load(replace(project, workload=replace(project.workload, tasks=tasks)))
    return document


def test_a_lane_that_may_not_run_the_task_gives_the_reason_and_refuses(
    guarded: Document, show: Show
) -> None:
    hand = show(guarded)
    hand.lift(0, hand.lane(1))
    hand.wait_for_offers()
    offer = hand.board.surface.machine_offer(1)
    assert offer.verdict == ILLEGAL
    assert offer.long == "A is not allowed on M2"
    hand.viewport.grab()
    hand.release(hand.lane(1))
    assert guarded.project.plan.allocation == (0, 0)
    assert hand.board.findChild(object, "board-status").text().startswith("Not moved: A is")


def test_an_illegal_drop_is_refused_even_before_the_values_arrive(
    guarded: Document, show: Show
) -> None:
    hand = show(guarded)
    hand.lift(0, hand.lane(1))
    hand.board.offers.preview = None
    hand.release(hand.lane(1))
    assert guarded.undo_stack.count() == 0


def test_a_rubber_band_selects_and_all_of_it_is_dragged_in_one_step(
    cluster_document: Document, show: Show
) -> None:
    document, hand = cluster_document, show(cluster_document)
    view = hand.board.schedule
    lane = view.card_rect(2)
    begin = QPoint(round(lane.right()) + 6, round(lane.top()) + 1)
    end = QPoint(hand.viewport.width() - 6, round(lane.bottom()) - 1)
    hand.press(begin)
    hand.move(begin + QPoint(20, 5), end)
    hand.viewport.grab()
    hand.release(end)
    allocation = document.project.plan.allocation
    mine = frozenset(task for task, machine in enumerate(allocation) if machine == 2)
    assert document.selection.tasks == mine
    lead = min(mine)
    hand.lift(lead, hand.lane(4))
    hand.wait_for_offers()
    assert hand.board.carrying.tasks == mine
    hand.release(hand.lane(4))
    assert all(document.project.plan.allocation[task] == 4 for task in mine)
    assert document.undo_stack.count() == 1
    document.undo_stack.undo()
    assert document.project.plan.allocation == allocation


def test_ctrl_toggles_and_shift_adds(document: Document, show: Show) -> None:
    hand = show(document)
    hand.click(hand.task(0))
    hand.click(hand.task(1), SHIFT)
    assert document.selection.tasks == {0, 1}
    hand.click(hand.task(0), CTRL)
    assert document.selection.tasks == {1}
    hand.click(QPoint(hand.viewport.width() // 2, hand.lane(1).y()))
    assert document.selection == Selection()


def test_a_band_with_shift_adds_and_with_ctrl_toggles(document: Document, show: Show) -> None:
    hand = show(document)
    hand.click(hand.task(0))
    around = hand.board.surface.item_rect(hand.board.surface.item_of(1)).toRect()
    begin, end = hand.lane(1), around.center()
    for modifiers, expected in ((SHIFT, {0, 1}), (CTRL, {0})):
        hand.press(begin, modifiers)
        hand.move(begin - QPoint(20, 0), end)
        hand.release(end, modifiers)
        assert document.selection.tasks == expected


def test_a_click_on_one_of_several_selected_keeps_only_it(document: Document, show: Show) -> None:
    hand = show(document)
    document.select(Selection(tasks=frozenset((0, 1))))
    hand.click(hand.task(1))
    assert document.selection.tasks == {1}
    assert not hand.board.carrying.active


def test_a_second_click_picks_up_and_a_click_on_a_machines_card_drops(
    document: Document, show: Show
) -> None:
    hand = show(document)
    hand.click(hand.task(0))
    assert not hand.board.carrying.active
    hand.click(hand.task(0))
    assert hand.board.carrying.tasks == {0}
    hand.move(hand.card(1))
    assert hand.board.carrying.target == 1
    hand.click(hand.card(1))
    assert document.project.plan.allocation == (1, 0)
    assert document.undo_stack.count() == 1


def test_a_click_on_an_offer_moves_the_selection(loaded_document: Document, show: Show) -> None:
    hand = show(loaded_document)
    hand.click(hand.task(0))
    hand.wait_for_offers()
    view = hand.board.surface
    chip = offer_rect(view.ink, view.card_rect(1), view.machine_offer(1), "M")
    assert view.machine_offer(1).short == "▼ −10.0 s"
    hand.click(chip.center().toPoint())
    assert loaded_document.project.plan.allocation == (1, 0)


def test_a_click_on_a_machines_card_selects_the_machine(document: Document, show: Show) -> None:
    hand = show(document)
    hand.click(hand.card(1))
    assert document.selection == Selection(machine=1)
    status = hand.board.findChild(object, "board-status")
    assert "M2: 1 core" in status.text()


def test_a_click_on_a_flow_selects_it(loaded_document: Document, show: Show) -> None:
    document, hand = loaded_document, show(loaded_document)
    document.move_tasks(frozenset((0,)), 1)
    hand.wait_until_current()
    view = hand.board.schedule
    first = view.item_rect(view.item_of(0))
    last = view.item_rect(view.item_of(1))
    middle = QRectF(first.topRight(), last.bottomLeft()).center().toPoint()
    hand.click(middle)
    assert document.selection == Selection(flow=0)
    assert view.tip_at(middle.toPointF()).startswith("A → B: ")
    hand.viewport.grab()


def test_an_undo_while_dragging_lets_go(document: Document, show: Show) -> None:
    hand = show(document)
    document.move_tasks(frozenset((1,)), 1)
    hand.wait_until_current()
    hand.lift(0, hand.lane(1))
    document.undo_stack.undo()
    assert not hand.board.carrying.active
    assert hand.board.surface.gesture is None
    hand.release(hand.lane(1))
    assert document.project.plan.allocation == (0, 0)


def test_closing_in_the_middle_of_a_drag_leaves_the_plan(document: Document, show: Show) -> None:
    hand = show(document)
    hand.lift(0, hand.lane(1))
    hand.board.close()
    assert not hand.board.carrying.active
    hand.release(hand.lane(1))
    assert document.undo_stack.count() == 0


def test_the_middle_button_and_space_pan(document: Document, show: Show) -> None:

    hand = show(document)
    hand.board.zoom_in()
    hand.board.zoom_in()
    bar = hand.board.schedule.horizontalScrollBar()
    bar.setValue(100)
    at = QPoint(500, 300)
    QTest.mousePress(hand.viewport, Qt.MouseButton.MiddleButton, pos=at)
    hand.move(at - QPoint(40, 0))
    QTest.mouseRelease(hand.viewport, Qt.MouseButton.MiddleButton, pos=at - QPoint(40, 0))
    assert bar.value() == 140
    QTest.keyPress(hand.board.surface, Qt.Key.Key_Space)
    hand.press(at)
    hand.move(at + QPoint(30, 0))
    hand.release(at + QPoint(30, 0))
    QTest.keyRelease(hand.board.surface, Qt.Key.Key_Space)
    assert bar.value() == 110
    assert document.selection == Selection()


def test_a_drag_near_the_edge_scrolls(document: Document, show: Show) -> None:
    hand = show(document)
    for _ in range(6):
        hand.board.zoom_in()
    view = hand.board.schedule
    view.horizontalScrollBar().setValue(0)
    hand.lift(0, QPoint(hand.viewport.width() - 5, hand.lane(0).y()))
    hand.qtbot.waitUntil(lambda: view.horizontalScrollBar().value() > 20, timeout=3000)
    hand.key(Qt.Key.Key_Escape)
    hand.release(hand.lane(0))
    rested = view.horizontalScrollBar().value()
    assert not view._scroller.isActive()
    hand.qtbot.settle()
    assert view.horizontalScrollBar().value() == rested


def test_an_estimate_is_marked_until_the_pointer_rests(qapp: object, show: Show) -> None:
    document = Document(four_readers(file=False))
    hand = show(document)
    rest = hand.board.offers._rest
    assert rest.interval() == 150
    rest.setInterval(3_600_000)
    hand.lift(1, hand.lane(0))
    hand.qtbot.waitUntil(lambda: hand.board.offers.preview is not None)
    offer = hand.board.surface.machine_offer(0)
    assert not offer.exact
    assert offer.long.startswith(("▼ ≈ ", "▲ ≈ ", "= ≈ "))
    assert "≈" in offer.short
    assert "≈" in hand.board.findChild(object, "board-status").text()
    view = hand.board.surface
    chip = offer_rect(view.ink, view.card_rect(0), offer, "M").center()
    assert view.tip_at(chip).endswith("an estimate until the pointer rests")
    ghost = view._ghost(document.outcome)
    assert ghost is not None
    assert (ghost.start_s[0], ghost.end_s[0]) == pytest.approx((1.0, 2.0))
    hand.viewport.grab()
    rest.setInterval(150)
    hand.move(hand.lane(0) - QPoint(5, 0))  # the pointer moves, and then rests
    hand.wait_for_offers()
    offer = hand.board.surface.machine_offer(0)
    # A at 1 s, B beside it on P at 2 s; three flows of 100 B: 1 + 0.1 + 3 = 4.1 s, then 3 s
    assert offer.exact
    assert offer.long == "▼ 7.10 s  −2.00 s"
    assert view.tip_at(chip).endswith("Moved here: 7.10 s (−2.00 s), the best machine")
    hand.release(hand.lane(0))
    assert document.project.plan.allocation == (0, 0, 1, 1, 1)
    document.undo_stack.undo()
    assert document.project.plan.allocation == (0, 1, 1, 1, 1)


def test_a_moving_pointer_does_not_ask_for_exact_values(qapp: object, show: Show) -> None:
    hand = show(Document(four_readers(file=False)))
    offers = hand.board.offers
    offers._rest.setInterval(3_600_000)
    hand.lift(1, hand.lane(0))
    hand.qtbot.waitUntil(lambda: offers.preview is not None)
    asked = offers._jobs.is_busy
    hand.move(hand.lane(1), hand.lane(0))
    assert (asked, offers._jobs.is_busy) == (False, False)
    assert offers._rest.isActive()
    hand.key(Qt.Key.Key_Escape)
    hand.release(hand.lane(0))


def test_estimates_take_the_makespan_that_is_shown_and_carry_nothing_out(
    qapp: object, show: Show, monkeypatch: pytest.MonkeyPatch
) -> None:
    hand = show(Document(four_readers(file=False)))
    offers = hand.board.offers
    offers._rest.setInterval(3_600_000)
    executions: list[object] = []
    for kernel in ("execute", "makespan"):
        monkeypatch.setattr(execution, kernel, lambda *given: executions.append(given))
    hand.lift(1, hand.lane(0))
    hand.qtbot.waitUntil(lambda: offers.preview is not None)
    assert executions == []
    home = hand.board.surface.machine_offer(1)
    assert (home.verdict, home.exact) == (SAME, False)
    hand.key(Qt.Key.Key_Escape)
    hand.release(hand.lane(0))


def test_a_click_on_a_task_and_one_on_a_lane_move_it_in_one_undo_step(
    loaded_document: Document, show: Show
) -> None:
    # Figueira & Berman 1996, Table 2: 48 s as it is, 38 s with A on M2
    document, hand = loaded_document, show(loaded_document)
    carrying = hand.board.carrying
    hand.click(hand.task(0))
    assert (document.selection.tasks, carrying.tasks) == ({0}, {0})
    assert not carrying.offering
    assert "Click a lane" in hand.board.findChild(object, "board-status").text()
    hand.move(hand.lane(1))
    assert (carrying.offering, carrying.target) == (True, 1)
    hand.wait_for_offers()
    assert hand.board.surface.machine_offer(1).long == "▼ 38.0 s  −10.0 s"
    hand.viewport.grab()
    hand.click(hand.lane(1))
    assert document.project.plan.allocation == (1, 0)
    assert document.undo_stack.count() == 1
    assert not carrying.tasks
    hand.wait_until_current()
    schedule = hand.board.schedule
    assert schedule.lane_at(schedule.item_rect(schedule.item_of(0)).center()) == 1
    document.undo_stack.undo()
    assert document.project.plan.allocation == (0, 0)


def test_after_a_move_the_next_click_on_a_lane_moves_nothing(
    document: Document, show: Show
) -> None:
    hand = show(document)
    hand.click(hand.task(0))
    hand.click(hand.lane(1))
    hand.wait_until_current()
    hand.click(hand.lane(0))
    assert document.undo_stack.count() == 1
    assert document.selection == Selection()


def test_escape_puts_down_what_a_click_picked(document: Document, show: Show) -> None:
    hand = show(document)
    hand.click(hand.task(0))
    hand.move(hand.lane(1))
    hand.key(Qt.Key.Key_Escape)
    assert not hand.board.carrying.tasks
    hand.click(hand.lane(1))
    assert document.undo_stack.count() == 0


def test_a_click_on_its_own_lane_or_outside_all_puts_a_picked_task_down(
    document: Document, show: Show
) -> None:
    hand = show(document)
    for elsewhere in (hand.lane(0), QPoint(400, hand.viewport.height() - 4)):
        hand.click(hand.task(0))
        hand.move(elsewhere)
        assert not hand.board.carrying.offering
        hand.click(elsewhere)
        assert document.selection == Selection()
        assert not hand.board.carrying.tasks
    assert document.undo_stack.count() == 0


def test_a_click_on_another_task_picks_that_one(document: Document, show: Show) -> None:
    hand = show(document)
    document.move_tasks(frozenset((1,)), 1)
    hand.wait_until_current()
    hand.click(hand.task(0))
    hand.move(hand.task(1))
    assert hand.board.carrying.target is None
    hand.click(hand.task(1))
    assert (document.selection.tasks, hand.board.carrying.tasks) == ({1}, {1})
    assert document.undo_stack.count() == 1


def test_a_band_a_double_click_and_a_machines_card_move_nothing_that_was_picked(
    document: Document, show: Show
) -> None:
    hand = show(document)
    hand.click(hand.task(0))
    end = hand.lane(1)
    hand.press(end - QPoint(60, 12))
    hand.move(end - QPoint(20, 6), end)
    hand.release(end)
    assert not hand.board.carrying.tasks
    hand.click(hand.task(0))
    hand.click(hand.card(1))
    assert document.selection == Selection(machine=1)
    hand.click(hand.task(0))
    hand.double_click(hand.task(0))
    hand.click(hand.lane(1))
    assert document.undo_stack.count() == 0


def test_what_was_picked_is_put_down_when_the_board_loses_the_focus(
    document: Document, show: Show
) -> None:
    hand = show(document)
    hand.click(hand.task(0))
    assert hand.board.carrying.tasks == {0}
    hand.board.group_box.setFocus()
    assert not hand.board.carrying.tasks
    assert document.selection.tasks == {0}
    hand.click(hand.lane(1))
    assert document.undo_stack.count() == 0


def test_keys_move_the_focus_while_a_click_has_picked_a_task(
    document: Document, show: Show
) -> None:
    hand = show(document)
    hand.click(hand.task(0))
    hand.key(Qt.Key.Key_Right)
    assert hand.board.surface.current == 1
    assert hand.board.carrying.target is None


def test_a_picked_task_is_not_moved_to_a_lane_that_may_not_run_it(
    guarded: Document, show: Show
) -> None:
    hand = show(guarded)
    hand.click(hand.task(0))
    hand.wait_for_offers()
    hand.click(hand.lane(1))
    assert guarded.undo_stack.count() == 0
    assert hand.board.findChild(object, "board-status").text().startswith("Not moved: A is")


def test_a_click_on_a_transfer_of_a_picked_task_selects_the_transfer(
    loaded_document: Document, show: Show
) -> None:
    document, hand = loaded_document, show(loaded_document)
    document.move_tasks(frozenset((0,)), 1)
    hand.wait_until_current()
    view = hand.board.schedule
    first = view.item_rect(view.item_of(0))
    last = view.item_rect(view.item_of(1))
    hand.click(hand.task(0))
    hand.click(QRectF(first.topRight(), last.bottomLeft()).center().toPoint())
    assert document.selection == Selection(flow=0)
    assert document.undo_stack.count() == 1

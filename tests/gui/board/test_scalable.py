"""Scalable tasks on the board: what is drawn and offered follows the plan's processors."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

import numpy as np
import pytest
from PySide6.QtCore import Qt
from pytestqt.qtbot import QtBot

from advisor.advice.explain import explain
from advisor.allocation.measures import MEASURES
from advisor.allocation.predict import predict
from advisor.allocation.problem import Problem
from advisor.allocation.timeline_modes import NONE
from advisor.project import project_edits as edits
from advisor.project.examples import load_example
from advisor.project.project import Pin, Project
from advisor.scaling.law import Scaling
from advisor.search import advise
from gui.basics.background_jobs import SearchProcess
from gui.basics.verdicts import BETTER, ILLEGAL, WORSE
from gui.board.cards import facts_of
from gui.document.advise import Advice, Advisor
from gui.document.document import Document, Outcome
from gui.panels.answer_strip import AnswerStrip
from gui.panels.compare_columns import CURRENT, columns_of, compared
from gui.panels.schedule_table import TaskTable
from machines import Contender
from tests.gui.board.conftest import Hand

MESH, FLOW, STRUCTURE = 0, 1, 2
CLOUD = 3  # 16 cores, speed 0.9
Show = Callable[[Document], Hand]


def on_32() -> Project:
    """The example with flow on 32 of the 128 processors of cpu-1, structure on 64."""
    project = load_example("solvers")
    task = replace(project.workload.tasks[FLOW], memory_bytes=None)
    project = edits.with_task(project, FLOW, task)
    return edits.with_processors(edits.with_processors(project, FLOW, 32), STRUCTURE, 64)


@pytest.fixture
def solvers(qapp: object) -> Document:
    return Document(on_32())


def bar_s(hand: Hand, task: int) -> float:
    lanes = hand.board.schedule.lanes
    assert lanes is not None
    item = int(lanes.bar_of[task])
    return float(lanes.end_s[item] - lanes.start_s[item])


def speedup(p: int) -> float:
    """Of flow. Amdahl with coherency, arXiv:0808.1431."""
    return p / (1 + 0.004 * (p - 1) + 0.0004 * p * (p - 1))


def test_the_ghost_shows_the_time_on_the_plans_processors_before_offers_arrive(
    solvers: Document, show: Show
) -> None:
    hand = show(solvers)
    hand.lift(FLOW, hand.lane(1))
    hand.board.offers.preview = None
    outcome = solvers.outcome
    assert outcome is not None
    ghost = hand.board.schedule._ghost(outcome)
    assert ghost.end_s[1] - ghost.start_s[1] == pytest.approx(20000.0 / speedup(32))
    hand.key(Qt.Key.Key_Escape)
    hand.release(hand.lane(1))


def test_a_drop_on_a_smaller_machine_takes_all_its_cores_as_offered(
    solvers: Document, show: Show
) -> None:
    hand = show(solvers)
    before = solvers.project
    hand.lift(FLOW, hand.lane(CLOUD))
    hand.wait_for_offers()
    offer = hand.board.surface.machine_offer(CLOUD)
    assert (offer.verdict, offer.note) == (WORSE, "on 16 processors")
    assert offer.long.endswith("on 16 processors")
    preview = hand.board.offers.preview
    assert preview is not None
    assert preview.processors == (32, 32, 32, 16)
    assert "cloud-1 on 16 processors: " in hand.board.findChild(object, "board-status").text()
    promised = preview.values_s[CLOUD]
    hand.release(hand.lane(CLOUD))
    assert solvers.project.plan.allocation[FLOW] == CLOUD
    assert solvers.project.plan.counts(solvers.project.workload)["flow"] == 16
    assert solvers.undo_stack.count() == 1
    assert solvers.undo_stack.undoText() == "Move flow to cloud-1, flow on 16 processors"
    hand.wait_until_current()
    outcome = solvers.outcome
    assert outcome is not None
    assert outcome.prediction.makespan_s == pytest.approx(promised)
    assert bar_s(hand, FLOW) == pytest.approx(20000.0 / 0.9 / speedup(16))
    solvers.undo_stack.undo()
    assert solvers.project == before


def test_the_same_by_keys(solvers: Document, show: Show) -> None:
    hand = show(solvers)
    hand.click(hand.task(FLOW))
    hand.key(Qt.Key.Key_Return)
    hand.wait_for_offers()
    while hand.board.carrying.target != CLOUD:
        before = hand.board.carrying.target
        hand.key(Qt.Key.Key_Down)
        assert hand.board.carrying.target != before
    hand.key(Qt.Key.Key_Return)
    assert solvers.project.plan.allocation[FLOW] == CLOUD
    assert solvers.project.plan.counts(solvers.project.workload)["flow"] == 16


def test_a_machine_with_less_than_the_fewest_is_refused_with_the_reason(
    qapp: object, show: Show
) -> None:
    project = on_32()
    scaling = Scaling(sigma=0.004, kappa=0.0004, least=20)
    task = replace(project.workload.tasks[FLOW], scaling=scaling, cores=20)
    document = Document(edits.with_task(project, FLOW, task))
    hand = show(document)
    hand.lift(FLOW, hand.lane(CLOUD))
    hand.wait_for_offers()
    offer = hand.board.surface.machine_offer(CLOUD)
    assert offer.verdict == ILLEGAL
    assert "needs 20 cores, cloud-1 has 16" in offer.long
    hand.release(hand.lane(CLOUD))
    assert document.undo_stack.count() == 0


def test_another_number_of_processors_changes_the_bar_and_undo_brings_it_back(
    solvers: Document, show: Show
) -> None:
    hand = show(solvers)
    assert bar_s(hand, FLOW) == pytest.approx(20000.0 / speedup(32))
    solvers.apply(edits.with_processors(solvers.project, FLOW, 100), "Change Processors")
    hand.wait_until_current()
    assert bar_s(hand, FLOW) == pytest.approx(20000.0 / speedup(100))
    solvers.undo_stack.undo()
    hand.wait_until_current()
    assert bar_s(hand, FLOW) == pytest.approx(20000.0 / speedup(32))


def test_the_tooltip_says_on_how_many_of_how_many_processors(solvers: Document, show: Show) -> None:
    view = show(solvers).board.schedule
    assert "on 32 of 128 processors" in view.describe(view.item_of(FLOW))
    assert "processors" not in view.describe(view.item_of(MESH))
    assert view.picture is not None
    assert view.picture.label(view.item_of(FLOW)) == "flow on 32 processors"
    assert view.picture.label(view.item_of(MESH)) == "mesh"


def test_a_cards_slowdown_is_that_of_tasks_on_the_plans_processors(
    solvers: Document, predicted: Callable[[Document], Outcome]
) -> None:
    project = solvers.project
    busy = replace(project.platform.machines[0], contenders=(Contender("other", 1.0),) * 120)
    machines = (busy, *project.platform.machines[1:])
    solvers.load(replace(project, platform=replace(project.platform, machines=machines)))
    outcome = predicted(solvers)
    # flow alone is slowed: 120 others leave room for its own single core, not for 32
    alone = predict(replace(outcome.problem, sharing=NONE), outcome.prediction.plan)
    ratio = alone.task_s / alone.task_dedicated_s
    assert facts_of(outcome)[0].slowdown == pytest.approx(float(np.max(ratio)))
    assert facts_of(outcome)[0].slowdown > 1.1


def test_tables_and_comparison_say_the_processors(
    qtbot: QtBot, solvers: Document, predicted: Callable[[Document], Outcome]
) -> None:
    outcome = predicted(solvers)
    table = TaskTable(solvers)
    qtbot.addWidget(table)
    qtbot.waitUntil(lambda: bool(table.columns_model.columns))
    cores = next(one for one in table.columns_model.columns if one.heading == "cores")
    assert list(cores.values) == [4, 32, 64, 8]
    table.close()
    plan = outcome.project.plan
    fewer = replace(plan, processors=tuple(min(p, 40) for p in plan.processors or ()))
    pinned = replace(outcome, project=replace(outcome.project, pins=(Pin("fewer", fewer),)))
    columns = columns_of(compared(pinned, lambda: False), MEASURES["total"])
    found = {one.heading: one for one in columns}
    assert found["plan"].values[0] == CURRENT
    assert [found["processors"].values[row] for row in range(2)] == [
        "structure: 64 processors",  # flow takes 32 in both
        "structure: 40 processors",
    ]


def test_offers_without_a_change_of_processors_have_no_note(solvers: Document, show: Show) -> None:
    hand = show(solvers)
    hand.lift(FLOW, hand.lane(1))
    hand.wait_for_offers()
    offer = hand.board.surface.machine_offer(1)
    assert offer.note == ""
    assert offer.verdict in (BETTER, WORSE)
    hand.key(Qt.Key.Key_Escape)
    hand.release(hand.lane(1))


def test_advice_on_processors_alone_is_applied_named_and_undone(qtbot: QtBot, qapp: object) -> None:
    document = Document(load_example("solvers"))
    problem = Problem.of(document.project.platform, document.project.workload)
    found = advise(problem, seconds=30.0)
    assert found.plan.allocation == document.project.plan.allocation
    outcome = Outcome(document.project, problem, predict(problem, document.project.plan))
    search = SearchProcess()
    advisor = Advisor(document, search)
    panel = AnswerStrip(document, advisor)
    qtbot.addWidget(panel)
    document.receive(outcome)
    advisor.cancel()
    advisor.advice = Advice(outcome, found, explain(problem, found, document.project.plan))
    advisor.advised.emit(advisor.advice)
    assert advisor.advice.explanation.headline.startswith(
        "Run flow on 50 processors, structure on 11"
    )
    assert panel.apply.isEnabled()
    panel.show()
    qtbot.mouseClick(panel.apply, Qt.MouseButton.LeftButton)
    assert document.project.plan.counts(document.project.workload) == {"flow": 50, "structure": 11}
    assert document.undo_stack.undoText() == "Apply the recommendation"
    assert not panel.apply.isEnabled()
    document.undo_stack.undo()
    assert document.project.plan.processors is None
    assert panel.apply.isEnabled()
    panel.close_jobs()
    advisor.close()
    search.close()

"""The document: one undo step an edit, stale predictions dropped, selections that stay valid."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import pytest
from pytestqt.qtbot import QtBot

from advisor.allocation.objectives import TOTAL
from advisor.allocation.plan import Plan
from advisor.project import project_edits as edits
from advisor.project.project import Project
from gui.document.document import Document, Outcome, Selection
from machines.errors import InfeasibleError
from tests.conftest import cluster, two_machines

Predicted = Callable[[Document], Outcome]


def named(project: Project, name: str) -> Project:
    return replace(project, platform=replace(project.platform, name=name))


def test_an_edit_is_one_undo_step_that_returns_the_same_project(document: Document) -> None:
    before = document.project
    seen: list[Project] = []
    document.changed.connect(seen.append)
    document.apply(named(before, "other"), "Rename")
    assert document.project.platform.name == "other"
    assert document.undo_stack.undoText() == "Rename"
    assert document.modified
    document.undo_stack.undo()
    assert document.project is before
    assert not document.modified
    document.undo_stack.redo()
    assert document.project.platform.name == "other"
    assert len(seen) == 3


def test_an_edit_that_changes_nothing_is_no_step(document: Document) -> None:
    document.apply(replace(document.project), "Nothing")
    assert document.undo_stack.count() == 0


def test_steps_of_one_slider_become_one_until_it_is_released(document: Document) -> None:
    start = document.project
    for name in ("a", "b", "c"):
        document.apply(named(start, name), "Slide", merge="slider")
    assert document.undo_stack.count() == 1
    document.seal()
    document.apply(named(start, "d"), "Slide", merge="slider")
    assert document.undo_stack.count() == 2
    document.undo_stack.undo()
    assert document.project.platform.name == "c"
    document.undo_stack.undo()
    assert document.project is start


def test_different_sliders_do_not_merge(document: Document) -> None:
    document.apply(named(document.project, "a"), "One", merge="one")
    document.apply(named(document.project, "b"), "Two", merge="two")
    assert document.undo_stack.count() == 2


def test_moving_tasks_names_what_moved_and_ignores_what_is_there(document: Document) -> None:
    document.move_tasks(frozenset({0, 1}), 0)
    assert document.undo_stack.count() == 0
    document.move_tasks(frozenset({0}), 1)
    assert document.project.plan.allocation == (1, 0)
    assert document.undo_stack.undoText() == "Move A to M2"
    document.move_tasks(frozenset({0, 1}), 0)
    assert document.undo_stack.undoText() == "Move A to M1"


def test_moving_several_tasks_counts_them(cluster_document: Document) -> None:
    away = [task for task, place in enumerate(cluster_document.project.plan.allocation) if place]
    cluster_document.move_tasks(frozenset(away[:3]), 0)
    assert cluster_document.undo_stack.undoText() == "Move 3 tasks to node0"


def test_loading_clears_history_selection_and_outcome(document: Document) -> None:
    document.move_tasks(frozenset({0}), 1)
    document.select(Selection(tasks=frozenset({0})))
    other = cluster()
    document.load(other, Path("x.placewise"))
    assert document.project is other
    assert document.undo_stack.count() == 0
    assert document.selection == Selection()
    assert document.path == Path("x.placewise")
    assert not document.modified


def test_a_recovered_project_counts_as_modified(document: Document) -> None:
    document.load(cluster(), None, saved=False)
    assert document.modified
    document.undo_stack.setClean()
    assert not document.modified


def test_what_is_opened_after_a_recovered_project_is_not_modified(document: Document) -> None:
    document.load(cluster(), None, saved=False)
    document.load(two_machines())
    assert not document.modified


def test_selection_is_told_once_and_trimmed_when_things_go_away(document: Document) -> None:
    told: list[Selection] = []
    document.selection_changed.connect(told.append)
    chosen = Selection(tasks=frozenset({0, 1}), machine=1, link=0, flow=0)
    document.select(chosen)
    document.select(chosen)
    assert told == [chosen]
    project = document.project
    one = replace(
        project,
        platform=replace(project.platform, machines=project.platform.machines[:1], links=()),
        workload=replace(project.workload, tasks=project.workload.tasks[:1], flows=()),
        plan=Plan((0,)),
    )
    document.apply(one, "Shrink")
    assert document.selection == Selection(tasks=frozenset({0}))


def test_what_is_selected_stays_selected_wherever_it_is(document: Document) -> None:
    project = document.project
    document.select(Selection(tasks=frozenset({1})))
    document.apply(edits.remove_tasks(project, {0}), "Remove")
    assert document.selection == Selection(tasks=frozenset({0}))
    document.undo_stack.undo()
    assert document.selection == Selection(tasks=frozenset({1}))
    task = replace(document.project.workload.tasks[1], name="another")
    document.apply(edits.with_task(document.project, 1, task), "Rename")
    assert document.selection == Selection(tasks=frozenset({1}))


def test_an_outcome_follows_every_edit(predicted: Predicted, loaded_document: Document) -> None:
    outcome = predicted(loaded_document)
    assert outcome.prediction.makespan_s == pytest.approx(48.0)
    loaded_document.move_tasks(frozenset({0}), 1)
    assert predicted(loaded_document).prediction.makespan_s == pytest.approx(38.0)
    loaded_document.undo_stack.undo()
    again = predicted(loaded_document)
    assert again.prediction.makespan_s == pytest.approx(48.0)
    assert again.problem is outcome.problem  # only the plan changed


def test_an_outcome_of_an_older_project_is_dropped(
    predicted: Predicted, document: Document
) -> None:
    old = predicted(document)
    document.apply(replace(document.project, objective=TOTAL), "Objective")
    told: list[Outcome] = []
    document.outcome_changed.connect(told.append)
    document.receive(old)
    assert told == []


def test_an_impossible_project_fails_and_recovers_with_undo(
    qtbot: QtBot, predicted: Predicted, document: Document
) -> None:
    predicted(document)
    tasks = tuple(replace(task, cores=9) for task in document.project.workload.tasks)
    impossible = replace(document.project, workload=replace(document.project.workload, tasks=tasks))
    with qtbot.waitSignal(document.outcome_failed) as told:
        document.apply(impossible, "Ask too much")
    assert isinstance(told.args[0], InfeasibleError)
    document.undo_stack.undo()
    assert predicted(document).prediction.makespan_s == pytest.approx(16.0)


def test_a_failure_of_an_older_project_is_dropped(document: Document) -> None:
    told: list[Exception] = []
    document.outcome_failed.connect(told.append)
    document.fail(two_machines(), InfeasibleError("old"))
    assert told == []

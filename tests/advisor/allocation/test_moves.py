"""The best single moves."""

from __future__ import annotations

import pytest

from advisor.allocation.moves import best_moves, tasks_to_examine
from advisor.allocation.plan import Plan
from advisor.allocation.predict import predict
from advisor.allocation.problem import Problem
from advisor.project.project import Project
from tests.conftest import cluster, two_machines


def question(project: Project) -> Problem:
    return Problem.of(project.platform, project.workload)


def test_the_published_move_is_found_with_its_gain() -> None:
    project = two_machines(contenders=2)
    (move,) = best_moves(question(project), project.plan)
    assert (move.task, move.machine) == (0, 1)
    assert move.value_s == pytest.approx(38.0)
    assert move.gain_s == pytest.approx(10.0)
    assert move.sentence == "Move A to M2: saves 10.0 s (21 %)."


def test_nothing_is_advised_where_nothing_gains() -> None:
    project = two_machines()
    assert best_moves(question(project), project.plan) == ()


@pytest.mark.parametrize("objective", ["makespan", "total"])
def test_every_move_gains_what_it_says(objective: str) -> None:
    project = cluster(width=4, stages=3)
    problem = question(project)
    now_s = predict(problem, project.plan).value_s(objective)
    moves = best_moves(problem, project.plan, objective, limit=4)
    assert len(moves) == 4
    assert list(moves) == sorted(moves, key=lambda move: -move.gain_s)
    assert len({move.task for move in moves}) == 4
    for move in moves:
        moved = predict(problem, project.plan.moved((move.task,), move.machine))
        assert moved.value_s(objective) == pytest.approx(move.value_s)
        assert now_s - move.value_s == pytest.approx(move.gain_s)


def test_no_other_single_move_gains_more() -> None:
    project = cluster(machines=3, width=2, stages=2)
    problem = question(project)
    best = best_moves(problem, project.plan, limit=1)[0]
    values = [
        predict(problem, project.plan.moved((task,), machine)).makespan_s
        for task in range(len(project.workload.tasks))
        for machine in range(3)
    ]
    assert best.value_s == pytest.approx(min(values))


def test_moves_ranked_by_previews_gain_what_they_say_when_carried_out(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr("advisor.allocation.moves._EXECUTED", 1_000_000)
    project = cluster(width=4, stages=3)
    problem = question(project)
    now_s = predict(problem, project.plan).makespan_s
    moves = best_moves(problem, project.plan, limit=4)
    assert list(moves) == sorted(moves, key=lambda move: -move.gain_s)
    for move in moves:
        moved = predict(problem, project.plan.moved((move.task,), move.machine))
        assert moved.makespan_s == pytest.approx(move.value_s)
        assert now_s - move.value_s == pytest.approx(move.gain_s)


def test_critical_tasks_are_examined_first() -> None:
    project = cluster()
    problem = question(project)
    critical = predict(problem, project.plan).critical
    examined = tasks_to_examine(problem, project.plan)
    assert sorted(examined) == list(range(len(project.workload.tasks)))
    assert all(critical[task] for task in examined[: critical.sum()])


def test_a_large_workload_is_examined_in_part(monkeypatch: pytest.MonkeyPatch) -> None:
    project = cluster()
    size = 57 + len(project.workload.edges)
    monkeypatch.setattr("advisor.allocation.moves._PLACEMENTS", size * 5 * 7)
    assert len(tasks_to_examine(question(project), project.plan)) == 7


def test_stopping_keeps_the_moves_found_so_far() -> None:
    project = two_machines(contenders=2)
    problem = question(project)
    asked: list[float] = []
    moves = best_moves(
        problem, project.plan, should_stop=lambda: len(asked) >= 1, on_progress=asked.append
    )
    examined = tasks_to_examine(problem, project.plan)[:1]
    assert asked == [0.0]
    assert {move.task for move in moves} <= set(examined)


def test_a_plan_with_its_own_order_is_moved_within_it() -> None:
    project = two_machines(contenders=2)
    plan = Plan((0, 0), order=(0, 1))
    assert best_moves(question(project), plan)[0].value_s == pytest.approx(38.0)

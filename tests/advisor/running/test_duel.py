"""A plan against the engine's own scheduling: who may run what, and who won beside the noise."""

from __future__ import annotations

import math
from dataclasses import replace
from pathlib import Path

import pytest

from advisor.allocation.plan import Plan
from advisor.allocation.problem import Problem
from advisor.running import RunSettings, run_plan
from advisor.running.duel import OWN, PLANNED, Duel, duel
from advisor.runs.run_record import Run, TaskRun, parse
from tests.advisor.running.test_run_plan import scheduler, settings
from tests.advisor.running.working import problem_of

__all__ = ["scheduler", "settings"]

# each waits for the other: they end only if they run at the same time
MEET = "touch $0; while [ ! -e $1 ]; do sleep 0.01; done; echo $PLACEWISE_MACHINE > $0.where"


def met() -> Problem:
    first, second = (MEET.replace("$0", one).replace("$1", other) for one, other in ("ab", "ba"))
    return problem_of({"a": first, "b": second})


def lasting(*makespans_s: float) -> tuple[Run, ...]:
    return tuple(Run("r", (TaskRun("a", "M1", 0.0, one),)) for one in makespans_s)


def test_the_engine_takes_every_machine_where_the_plan_takes_one(settings: RunSettings) -> None:
    run = run_plan(met(), Plan((0, 0)), replace(settings, own=True))
    assert {one.machine for one in run.tasks} == {"M1", "M2"}
    assert settings.folder is not None
    for one in run.tasks:
        assert (settings.folder / f"{one.task}.where").read_text() == f"{one.machine}\n"


def test_tasks_stay_among_the_machines_that_they_may_run_on(settings: RunSettings) -> None:
    problem = problem_of(dict.fromkeys("abc", ":"))
    tasks = tuple(replace(task, allowed=("M2",)) for task in problem.workload.tasks)
    problem = problem.about(replace(problem.workload, tasks=tasks))
    run = run_plan(problem, Plan((1, 1, 1)), replace(settings, own=True))
    assert {one.machine for one in run.tasks} == {"M2"}


def test_rounds_alternate_and_the_plans_runs_are_recorded(tmp_path: Path) -> None:
    problem, heard = problem_of({"a": ":", "b": ":"}), []
    settings = RunSettings("bash", record=tmp_path / "run.csv", folder=tmp_path)
    found = duel(problem, Plan((0, 1)), settings, 2, lambda way, _run: heard.append(way))
    assert found is not None
    assert heard == [PLANNED, OWN, OWN, PLANNED]
    assert len(parse((tmp_path / "run.csv").read_text(), "r")) == 2


def test_a_task_that_fails_ends_it(tmp_path: Path) -> None:
    problem, heard = problem_of({"a": "exit 3", "b": ":"}), []
    settings = RunSettings("bash", folder=tmp_path)
    found = duel(problem, Plan((0, 1)), settings, 3, lambda _way, run: heard.append(run))
    assert found is None
    assert len(heard) == 1


@pytest.mark.parametrize(
    ("planned", "own", "winner", "said"),
    [
        ((10.0, 10.2, 9.8), (12.0, 12.2, 11.8), PLANNED, "The plan won by 17 %"),
        ((12.0, 12.2, 11.8), (10.0, 10.2, 9.8), OWN, "the plan is 20 % later"),
        ((10.0, 14.0, 9.0), (11.0, 10.0, 13.0), "", "Leaving places and order to the engine is"),
        ((10.0,), (20.0,), "", "one round each tells no winner"),
        ((10.0, 10.0), (10.0, 10.0), "", "No winner"),
    ],
)
def test_who_wins_beside_the_noise(
    planned: tuple[float, ...], own: tuple[float, ...], winner: str, said: str
) -> None:
    found = Duel(lasting(*planned), lasting(*own))
    assert found.winner == winner
    assert said in found.sentence


def test_the_margin_is_that_of_students_t() -> None:
    found = Duel(lasting(9.0, 10.0, 11.0), lasting(11.0, 12.0, 13.0))
    assert found.noise_s == pytest.approx(1.0)
    assert found.margin_s == pytest.approx(2.776 * math.sqrt(2.0 / 3.0))
    assert found.winner == ""  # 2.0 s apart, 2.27 s needed

"""The clock of a search: other programs' work does not end it, its own far too long one does."""

from __future__ import annotations

import time
from dataclasses import dataclass, replace

import pytest

from advisor.allocation.predict import predict
from advisor.allocation.problem import Problem
from advisor.search import advise, incumbent
from advisor.search.incumbent import TimeLimit
from tests.conftest import cluster


@pytest.fixture
def by_steps() -> None:
    """Here the clocks count."""


@dataclass
class Clocks:
    """Both clocks, set by hand: a busy machine lets the wall's run ahead."""

    wall_s: float = 0.0
    worked_s: float = 0.0


@pytest.fixture
def clocks(monkeypatch: pytest.MonkeyPatch) -> Clocks:
    made = Clocks()
    monkeypatch.setattr(time, "monotonic", lambda: made.wall_s)
    monkeypatch.setattr(time, "thread_time", lambda: made.worked_s)
    return made


def test_waiting_for_others_does_not_end_a_search(clocks: Clocks) -> None:
    watch = TimeLimit(guard_s=4.0, should_stop=None)
    clocks.wall_s, clocks.worked_s = 1e4, 2.0
    assert not watch.stopped()
    assert watch.notes == []


def test_its_own_work_ends_it_and_is_said(clocks: Clocks) -> None:
    watch = TimeLimit(guard_s=4.0, should_stop=None)
    clocks.worked_s = 4.1
    assert watch.stopped()
    assert "4 s of processor time; another run may find another plan" in watch.notes[0]


def test_somebody_who_stops_it_is_no_clock() -> None:
    watch = TimeLimit(guard_s=4.0, should_stop=lambda: True)
    assert watch.stopped()
    assert watch.notes == []


def test_the_same_command_gives_the_same_plan_on_a_crowded_machine(
    clocks: Clocks, monkeypatch: pytest.MonkeyPatch
) -> None:
    project = cluster(machines=4, width=5, stages=4)
    problem = Problem.of(project.platform, project.workload)
    alone = advise(problem, seconds=0.3)
    began = iter([0.0])
    monkeypatch.setattr(time, "monotonic", lambda: next(began, 90.0))  # all at once it is late
    crowded = advise(problem, seconds=0.3)
    assert crowded.seconds_spent == pytest.approx(90.0)
    assert replace(alone, seconds_spent=0.0) == replace(crowded, seconds_spent=0.0)
    assert not any("clock" in warning for warning in crowded.warnings)


def test_the_clock_ends_a_search_and_says_so(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(incumbent, "PLACEMENTS_PER_SECOND", 10**13)
    project = cluster()
    problem = Problem.of(project.platform, project.workload)
    best = advise(problem, seconds=0.02)
    assert any("The clock ended the search" in warning for warning in best.warnings)
    assert best.value_s == predict(problem, best.plan).makespan_s

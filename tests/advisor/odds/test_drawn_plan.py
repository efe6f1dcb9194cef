"""Makespans in draws are those of a platform and a workload in which the draw is stated."""

from __future__ import annotations

import pickle
from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from typing import TypeVar

import numpy as np
import pytest

from advisor.allocation.execution import executed_makespan
from advisor.allocation.placement import placement
from advisor.allocation.problem import Problem
from advisor.allocation.timeline import makespan
from advisor.allocation.timeline_modes import FAIR, SHARINGS
from advisor.allocation.workload import Task
from advisor.basics.shards import computing_on
from advisor.odds import drawn_makespans, draws_of
from advisor.odds.draws import BATCH
from machines import Direction
from machines.default_spreads import EXACT, Spreads
from machines.uncertain import Spread, Uncertain
from tests.advisor.random_executed import random_executed
from tests.advisor.random_problems import random_plan

DEFAULTS = Spreads(task_cv=0.3, machine_cv=0.2, link_cv=0.4)
RANGE = (0.7, 1.6)


def with_spreads(problem: Problem, seed: int, sharing: str) -> Problem:
    """The same question, half of whose numbers state a range."""
    rng = np.random.default_rng((seed, 9))

    def maybe(value: float) -> float:
        if value <= 0.0 or rng.random() < 0.5:
            return value
        return Uncertain(value, Spread(RANGE[0] * value, RANGE[1] * value))

    def way(one: Direction) -> Direction:
        return replace(one, startup_s=maybe(one.startup_s), bandwidth=maybe(one.bandwidth))

    platform = replace(
        problem.platform,
        machines=tuple(replace(one, speed=maybe(one.speed)) for one in problem.platform.machines),
        links=tuple(
            replace(one, to_second=way(one.to_second), to_first=way(one.to_first))
            for one in problem.platform.links
        ),
        runtime=replace(problem.platform.runtime, fairness="equal"),
        spread=DEFAULTS,
    )
    tasks = tuple(
        replace(
            one,
            work=None if one.work is None else maybe(one.work),
            seconds=tuple((name, maybe(value)) for name, value in one.seconds),
        )
        for one in problem.workload.tasks
    )
    return Problem.of(platform, replace(problem.workload, tasks=tasks), sharing=sharing)


def drawn(value: float, cv: float, normal: float) -> float:
    """A number in one draw."""
    if isinstance(value, Uncertain):
        return float(value.spread.at(float(value), np.array([normal]))[0])
    return value * float(Spread(cv=cv).at(1.0, np.array([normal]))[0])


def stated(problem: Problem, draw: int, normals: dict[str, np.ndarray]) -> Problem:
    """The question in which all numbers are those of a draw."""
    platform = problem.platform
    speeds = [
        drawn(one.speed, DEFAULTS.machine_cv or 0.0, normals["machine"][draw, place])
        for place, one in enumerate(platform.machines)
    ]

    def way(one: Direction, place: int) -> Direction:
        normal = normals["link"][draw, place]
        startup_s = drawn(one.startup_s, 0.0, -normal) if one.startup_s else 0.0
        pieces = [one.bandwidth, *([] if one.above is None else [one.above.bandwidth])]
        widths = [drawn(piece, DEFAULTS.link_cv or 0.0, normal) for piece in pieces]
        above = None if one.above is None else replace(one.above, bandwidth=widths[1])
        return Direction(startup_s, widths[0], above)

    def task(one: Task, place: int) -> Task:
        normal = normals["task"][draw, place]
        cv = DEFAULTS.task_cv or 0.0
        work = None if one.work is None else drawn(one.work, cv, normal)
        seconds = []
        for name, value in one.seconds:
            q = platform.index[name]
            machine = platform.machines[q]
            own = isinstance(value, Uncertain) or isinstance(machine.speed, Uncertain)
            faster = 1.0 if own else speeds[q] / machine.speed
            seconds.append((name, drawn(value, cv, normal) / faster))
        return replace(one, work=work, seconds=tuple(seconds))

    there = replace(
        platform,
        machines=tuple(
            replace(one, speed=speed) for one, speed in zip(platform.machines, speeds, strict=True)
        ),
        links=tuple(
            replace(one, to_second=way(one.to_second, at), to_first=way(one.to_first, at))
            for at, one in enumerate(platform.links)
        ),
    )
    tasks = tuple(task(one, place) for place, one in enumerate(problem.workload.tasks))
    workload = replace(problem.workload, tasks=tasks)
    return Problem.of(there, workload, sharing=problem.sharing)


@pytest.mark.parametrize("sharing", SHARINGS)
def test_a_draw_is_what_a_plan_takes_where_it_is_stated(sharing: str) -> None:
    for seed in range(60):
        problem = with_spreads(random_executed(seed, 5, 3), seed, sharing)
        if problem.workload.files and sharing != FAIR:
            continue  # files from outside take their stated times there
        plan = random_plan(problem, seed)
        allocation, order = placement(problem, plan)
        plan = replace(plan, order=tuple(order.tolist()))
        draws = draws_of(problem, 1, seed)
        normals = {"task": draws.task, "machine": draws.machine, "link": draws.link}
        found = drawn_makespans(problem, plan, draws)
        for draw in range(4):
            there = stated(problem, draw, normals)
            if sharing == FAIR:
                moved = problem.executed.draws  # times vary, not what tasks move a second
                instance = there.executed._replace(draws=moved)
                expected = executed_makespan(instance, allocation, order)
            else:
                expected = makespan(there.instance, allocation, order)
            assert found[draw] == pytest.approx(expected, rel=1e-9), (seed, draw)


def test_without_spreads_every_draw_is_the_prediction() -> None:
    for seed in range(20):
        problem = random_executed(seed, 6, 3)
        exact = replace(problem, platform=replace(problem.platform, spread=EXACT))
        plan = random_plan(problem, seed)
        allocation, order = placement(problem, plan)
        expected = executed_makespan(problem.executed, allocation, order)
        found = drawn_makespans(exact, plan, draws_of(exact, 1))
        assert found == pytest.approx(np.full(64, expected), rel=1e-12)


Item, Answer = TypeVar("Item"), TypeVar("Answer")


class Others:
    """Workers elsewhere: what they get and answer is sent, and the last piece ends first."""

    def __init__(self) -> None:
        self.pieces = 0

    def each(
        self, function: Callable[[Item], Answer], items: Sequence[Item]
    ) -> Iterator[tuple[int, Answer]]:
        self.pieces += len(items)
        for place in reversed(range(len(items))):
            there, item = pickle.loads(pickle.dumps((function, items[place])))
            yield place, there(item)


@pytest.mark.parametrize("sharing", SHARINGS)
def test_workers_that_share_the_draws_find_the_same(
    sharing: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    problem = with_spreads(random_executed(5), 5, sharing)
    plan = random_plan(problem, np.random.default_rng(5))
    events = len(problem.workload.tasks) + len(problem.workload.edges)
    draws = draws_of(problem, 640)
    monkeypatch.setattr("advisor.odds.drawn_plan._WORTH_SHARING", 640 * events)
    alone_s = drawn_makespans(problem, plan, draws)
    others = Others()
    with computing_on(others):
        shared_s = drawn_makespans(problem, plan, draws)
        assert others.pieces > 1
        others.pieces = 0
        drawn_makespans(problem, plan, draws_of(problem, 64))
    assert not others.pieces  # not worth it
    assert shared_s.tolist() == alone_s.tolist()


def test_whether_to_stop_is_asked_after_a_draw_of_a_large_plan_and_after_many_of_a_small_one(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    problem = random_executed(2, 6, 3)
    plan, draws = random_plan(problem, 2), draws_of(problem, 2 * BATCH)
    every = drawn_makespans(problem, plan, draws)
    assert drawn_makespans(problem, plan, draws, lambda: True).tolist() == every[:BATCH].tolist()
    monkeypatch.setattr("advisor.odds.drawn_plan._AT_ONCE", 1)
    assert drawn_makespans(problem, plan, draws, lambda: True).tolist() == every[:1].tolist()
    assert drawn_makespans(problem, plan, draws).tolist() == every.tolist()

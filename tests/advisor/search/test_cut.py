"""Minimum cuts against every allocation of two machines."""

from __future__ import annotations

import itertools

import numpy as np
import pytest

from advisor.allocation.problem import Problem
from advisor.allocation.workload import Flow, Task, Workload
from advisor.kernels import schedule_kernel as schedule
from advisor.search import cut
from machines import Direction, Link, Machine, Platform
from tests.conftest import two_machines


def two_sided(seed: int) -> Problem:
    """Up to 7 tasks on two machines, linked or not, small whole seconds, some barred."""
    rng = np.random.default_rng(seed)
    way = Direction(1.0, 1.0), Direction(2.0, 0.5)
    links = (Link("M0", "M1", *way),) if rng.random() < 0.8 else ()
    both = (("M0", "M1"), ("M1", "M0"))
    tasks = []
    for number in range(rng.integers(1, 8)):
        seconds = [("M0", float(rng.integers(0, 9))), ("M1", float(rng.integers(0, 9)))]
        if rng.random() < 0.2:
            del seconds[rng.integers(0, 2)]
        tasks.append(Task(f"t{number}", seconds=tuple(seconds)))
    flows = []
    for one, other in itertools.combinations(range(len(tasks)), 2):
        if rng.random() < 0.4:
            stated = tuple((pair, float(rng.integers(0, 4))) for pair in both)
            sets = ((1, float(rng.integers(1, 4))),)
            plain = rng.random() < 0.5
            name = f"t{one}", f"t{other}"
            flows.append(Flow(*name, sets) if plain else Flow(*name, seconds=stated))
    platform = Platform("p", (Machine("M0"), Machine("M1")), links)
    return Problem.of(platform, Workload("w", tuple(tasks), tuple(flows)))


@pytest.mark.parametrize("seed", range(30))
def test_both_extreme_cuts_are_the_best_of_all_allocations(seed: int) -> None:
    problem = two_sided(seed)
    assert cut.applies(problem)
    values = {
        allocation: float(schedule.total(problem.instance, np.array(allocation, np.int32)))
        for allocation in itertools.product(range(2), repeat=len(problem.workload.tasks))
    }
    least = min(values.values())
    result = cut.solve(problem)
    if least == np.inf:
        assert result is None
        return
    assert result is not None
    best = [allocation for allocation, value in values.items() if value <= least + 1e-9]
    # minimum cuts are closed under meet and join, so the extremes are unique
    assert result.least == min(best, key=sum)
    assert result.most == max(best, key=sum)


def test_tasks_that_cost_nothing_anywhere_go_either_way() -> None:
    platform = Platform("p", (Machine("M0"), Machine("M1")))
    problem = Problem.of(platform, Workload("w", tuple(Task(f"t{i}", work=0.0) for i in range(3))))
    assert cut.solve(problem) == cut.CutResult((0, 0, 0), (1, 1, 1))


def test_cuts_need_two_machines_and_a_small_graph(monkeypatch: pytest.MonkeyPatch) -> None:
    task = (Task("t", work=1.0),)
    for count in (1, 3):
        machines = tuple(Machine(f"M{q}") for q in range(count))
        assert not cut.applies(Problem.of(Platform("p", machines), Workload("w", task)))
    project = two_machines()
    problem = Problem.of(project.platform, project.workload)
    assert cut.applies(problem)
    monkeypatch.setattr(cut, "MOST_TASKS", 1)
    assert not cut.applies(problem)

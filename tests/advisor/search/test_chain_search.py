"""Chains: the shortest path against every allocation; ties, runner-up, missing routes."""

from __future__ import annotations

import itertools
from dataclasses import replace

import numpy as np
import pytest

from advisor.allocation.data_files import DataFile
from advisor.allocation.predict import predict
from advisor.allocation.problem import Problem
from advisor.allocation.workload import Flow, Task, Workload
from advisor.kernels import schedule_kernel as schedule
from advisor.search import advise
from advisor.search import chain_search as chain
from machines import Direction, Link, Machine, Platform
from machines.runtime import Runtime
from tests.advisor.random_problems import random_problem
from tests.conftest import two_machines


def chain_problem(seed: int) -> Problem:
    """Up to 5 tasks in a row on 2 or 3 machines; small whole seconds, so that values tie."""
    rng = np.random.default_rng(seed)
    machines = [f"M{q}" for q in range(rng.integers(2, 4))]
    pairs = list(itertools.permutations(machines, 2))
    links = tuple(
        Link(a, b, Direction(1.0, 1.0), Direction(2.0, 1.0))
        for a, b in itertools.combinations(machines, 2)
        if rng.random() < 0.8
    )
    names = [f"t{i}" for i in rng.permutation(rng.integers(1, 6))]
    tasks = {}
    for name in names:
        some = rng.permutation(machines)[: rng.integers(1, len(machines) + 1)]
        tasks[name] = Task(name, seconds=tuple((m, float(rng.integers(0, 4))) for m in some))
    flows = []
    for one, other in itertools.pairwise(names):
        if rng.random() < 0.5:
            seconds = tuple((pair, float(rng.integers(0, 3))) for pair in pairs)
            flows.append(Flow(one, other, seconds=seconds))
        else:
            flows.append(Flow(one, other, ((1, float(rng.integers(1, 4))),)))
    workload = Workload("chain", tuple(tasks[name] for name in sorted(names)), tuple(flows))
    platform = Platform("p", tuple(Machine(name) for name in machines), links)
    return Problem.of(platform, workload)


def every_total(problem: Problem) -> dict[tuple[int, ...], float]:
    """The total of every allocation that can run."""
    tasks, machines = problem.costs.task_s.shape
    values = {
        allocation: float(schedule.total(problem.instance, np.array(allocation, np.int32)))
        for allocation in itertools.product(range(machines), repeat=tasks)
    }
    return {allocation: value for allocation, value in values.items() if value < np.inf}


@pytest.mark.parametrize("seed", range(24))
def test_the_shortest_path_is_the_best_of_all_allocations_with_its_ties(seed: int) -> None:
    problem = chain_problem(seed)
    assert chain.is_chain(problem)
    assert chain.fits(problem)
    values = every_total(problem)
    result = chain.solve(problem, most=1000)
    if not values:
        assert result is None
        return
    assert result is not None
    least = min(values.values())
    assert result.value_s == pytest.approx(least, abs=1e-12)
    assert result.complete
    assert len(set(result.best)) == len(result.best)
    assert set(result.best) == {a for a, v in values.items() if v <= least + 1e-9}
    beyond = [value for value in values.values() if value > least + 1e-9]
    if beyond:
        assert result.runner_up is not None
        assert values[result.runner_up] == pytest.approx(min(beyond))
    else:
        assert result.runner_up is None


def test_the_makespan_of_a_chain_is_its_total() -> None:
    problem = chain_problem(3)
    order = problem.costs.topological_order.copy()  # as plans give it
    for allocation, total_s in every_total(problem).items():
        there = np.array(allocation, np.int32)
        assert schedule.makespan(problem.instance, there, order) == pytest.approx(total_s)


def test_no_more_ties_are_listed_than_asked_for() -> None:
    machines = tuple(Machine(f"M{q}") for q in range(3))
    tasks = tuple(Task(f"t{i}", work=1.0) for i in range(4))
    flows = tuple(
        Flow(
            f"t{i}",
            f"t{i + 1}",
            seconds=tuple(((a.name, b.name), 0.0) for a, b in itertools.permutations(machines, 2)),
        )
        for i in range(3)
    )
    problem = Problem.of(Platform("p", machines), Workload("w", tasks, flows))
    result = chain.solve(problem, most=10)
    assert result is not None
    assert len(result.best) == 10
    assert not result.complete
    assert result.best[0] == (0, 0, 0, 0)
    assert result.runner_up is None
    whole = chain.solve(problem, most=81)
    assert whole is not None
    assert whole.complete
    assert len(whole.best) == 81


def test_a_chain_that_can_not_exchange_its_data_has_no_path() -> None:
    platform = Platform("p", (Machine("M1"), Machine("M2")))
    tasks = (Task("a", seconds=(("M1", 1.0),)), Task("b", seconds=(("M2", 1.0),)))
    apart = Workload("w", tasks, (Flow("a", "b", ((1, 8.0),)),))
    assert chain.solve(Problem.of(platform, apart)) is None


def test_a_graph_that_joins_or_splits_or_falls_apart_is_no_chain() -> None:
    project = two_machines()
    a, b = project.workload.tasks
    third = replace(a, name="C")
    for ends in ((("A", "B"), ("A", "C")), (("A", "C"), ("B", "C")), (("A", "B"),)):
        flows = tuple(Flow(one, other) for one, other in ends)
        workload = Workload("w", (a, b, third), flows)
        assert not chain.is_chain(Problem.of(project.platform, workload))


def test_a_single_task_is_a_chain() -> None:
    problem = random_problem(0, most_tasks=1)
    result = chain.solve(problem)
    assert chain.is_chain(problem)
    assert result is not None
    assert result.value_s == problem.instance.task_s.min()


def test_a_layered_graph_of_too_many_edges_is_not_built(monkeypatch: pytest.MonkeyPatch) -> None:
    project = two_machines()
    problem = Problem.of(project.platform, project.workload)
    monkeypatch.setattr(chain, "MOST_EDGES", 7)
    assert not chain.fits(problem)


def relay(runtime: Runtime, *, files: int = 1) -> Problem:
    """Two tasks of 4 s and 8 s; the second is quick on the other machine, 1 s + 1 s a file away."""
    way = Direction(1.0, 10.0)
    machines = (Machine("M"), Machine("N", speed=4.0))
    platform = Platform("p", machines, (Link("M", "N", way, way),), runtime=runtime)
    names = tuple(f"f{i}" for i in range(files))
    tasks = (
        Task("a", work=4.0, writes=names, allowed=("M",)),
        Task("b", work=16.0, reads=names),
    )
    data = tuple(DataFile(name, 10.0) for name in names)
    return Problem.of(platform, Workload("w", tasks, (), data))


def test_a_path_that_takes_no_longer_when_carried_out_is_proved() -> None:
    best = advise(relay(Runtime()), seconds=0.05)
    assert best.strategy == "chain"
    assert best.value_s == pytest.approx(4.0 + 2.0 + 4.0)
    assert best.proved_optimal
    assert best.ties_complete


def test_a_path_that_takes_longer_when_carried_out_is_a_bound_only() -> None:
    problem = relay(Runtime(task_overhead_s=2.0))
    asked = advise(problem, strategy="chain", seconds=0.05)
    assert asked.value_s == pytest.approx(14.0)
    assert asked.lower_bound_s <= 14.0
    assert any("shortest path is a bound" in warning for warning in asked.warnings)
    best = advise(problem, seconds=0.05)
    assert best.value_s == pytest.approx(14.0)
    assert best.proved_optimal  # by branch and bound, of plans carried out


def test_several_files_from_one_task_to_the_next_come_together_and_prove_nothing_of_the_path() -> (
    None
):
    problem = relay(Runtime(), files=3)
    best = advise(problem, seconds=0.05)
    # their startups pass together: 4 + (1 + 3) + 4, where one after the other takes 4 + 6 + 4
    assert best.value_s == pytest.approx(12.0)
    assert best.lower_bound_s <= 12.0
    assert best.value_s == predict(problem, best.plan).makespan_s

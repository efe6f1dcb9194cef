"""Bounds of executed plans: below every plan, and each the greatest somewhere."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from itertools import permutations, product

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from advisor.allocation.bounds import bounds_of, reach_of
from advisor.allocation.data_files import DataFile
from advisor.allocation.executed_bounds import fetched_in_slot, network_bound
from advisor.allocation.execution import executed_makespan
from advisor.allocation.plan import Plan
from advisor.allocation.predict import predict
from advisor.allocation.problem import Problem
from advisor.allocation.workload import Flow, Task, Workload
from machines import Contender, Direction, Link, Machine, Platform, Store, Switch
from machines.arrays import Indices
from machines.runtime import Runtime
from tests.advisor.random_executed import random_executed
from tests.advisor.scalable_problems import random_scalable


def orders(problem: Problem) -> Iterator[Indices]:
    """Every order in which each task comes after those that it needs."""
    edges = list(zip(problem.costs.sources.tolist(), problem.costs.targets.tolist(), strict=True))
    for order in permutations(range(len(problem.workload.tasks))):
        if all(order.index(a) < order.index(b) for a, b in edges):
            yield np.array(order, np.int32)


def best_s(problem: Problem) -> float:
    """The least makespan of all plans in all orders."""
    machines = range(len(problem.platform.machines))
    allocations = [
        np.array(one, np.int32) for one in product(machines, repeat=len(problem.workload.tasks))
    ]
    return min(
        executed_makespan(problem.executed, allocation, order)
        for order in orders(problem)
        for allocation in allocations
    )


def bound_s(problem: Problem) -> float:
    return problem.lower_bounds_s["makespan"]


@given(st.integers(0, 2**32 - 1))
def test_no_plan_in_any_order_is_below_the_bound(seed: int) -> None:
    problem = random_executed(seed, most_tasks=4)
    assert bound_s(problem) <= best_s(problem) * (1 + 1e-9)


def lab(machines: int, link: float, runtime: Runtime | None = None, **more: object) -> Platform:
    """Machines and a store at a switch; 0.5 s to start on every link."""
    names = [f"n{i}" for i in range(machines)]
    way = Direction(0.5, link)
    return Platform(
        "lab",
        tuple(Machine(name, **more) for name in names),  # type: ignore[arg-type]
        tuple(Link(end, "switch", way, way) for end in (*names, "S")),
        switches=(Switch("switch"),),
        stores=(Store("S"),),
        runtime=runtime or Runtime(),
    )


def readers(count: int, sizes: list[float], work: float = 1.0) -> Workload:
    """Tasks that each read all the files, which lie on the store."""
    files = tuple(DataFile(f"f{i}", size, "S") for i, size in enumerate(sizes))
    names = tuple(file.name for file in files)
    tasks = tuple(Task(f"t{i}", work=work, reads=names) for i in range(count))
    return Workload("readers", tasks, files=files)


def test_what_lies_on_a_store_leaves_through_its_link_once() -> None:
    problem = Problem.of(lab(3, 100.0), readers(3, [400.0, 600.0]))
    assert bounds_of(problem.instance)["makespan"] == pytest.approx(1.0 + 6.0 + 1.0)
    assert bound_s(problem) == pytest.approx(1.0 + 10.0 + 1.0)  # all three beside one another
    assert best_s(problem) == pytest.approx(14.0)  # of one core, or of three at a third each


def test_every_reader_off_the_store_pays_where_each_fetches_its_own_copy() -> None:
    problem = Problem.of(lab(3, 100.0, Runtime(copies="each")), readers(3, [400.0]))
    assert bound_s(problem) == pytest.approx(1.0 + 12.0 + 1.0)
    assert best_s(problem) == pytest.approx(14.0)


def test_what_must_follow_counts_and_files_read_late_only_with_it() -> None:
    workload = Workload(
        "w",
        (Task("a", work=1.0, reads=("f",)), Task("b", work=30.0, reads=("g",))),
        files=(DataFile("f", 5000.0, "S"), DataFile("g", 1000.0, "S")),
    )
    problem = Problem.of(lab(2, 100.0), workload)
    reach = reach_of(problem.instance)
    # g alone: 1 + 10 + 30; both, after either of which a must run: 1 + 60 + 1
    found = network_bound(problem.executed, reach, problem.instance.task_s)
    assert found == pytest.approx(62.0)
    wider = Problem.of(lab(2, 500.0), workload)
    found = network_bound(wider.executed, reach_of(wider.instance), wider.instance.task_s)
    assert found == pytest.approx(1.0 + 2.0 + 30.0)


def test_a_cut_that_tasks_must_be_on_both_sides_of_carries_all_between_them() -> None:
    sources = tuple(Task(f"a{i}", work=1.0, allowed=("n0", "n1")) for i in range(3))
    targets = tuple(Task(f"b{i}", work=1.0, allowed=("n2",)) for i in range(3))
    flows = tuple(Flow(f"a{i}", f"b{i}", ((1, 1000.0),)) for i in range(3))
    problem = Problem.of(lab(3, 100.0), Workload("w", (*sources, *targets), flows))
    assert bounds_of(problem.instance)["makespan"] < 15.0  # 13 s, and some of what shares n2
    assert bound_s(problem) == pytest.approx(1.0 + 1.0 + 30.0 + 1.0)
    assert bound_s(problem) <= best_s(problem)


def test_what_may_stay_on_one_machine_is_no_load() -> None:
    flow = Flow("a", "b", ((1, 1e6),))
    problem = Problem.of(
        lab(2, 100.0), Workload("w", (Task("a", work=1.0), Task("b", work=1.0)), (flow,))
    )
    assert bound_s(problem) == best_s(problem) == pytest.approx(2.0)


def test_a_machine_whose_cores_all_compute_is_slower_beside_contenders() -> None:
    busy = Machine("M", cores=8, contenders=(Contender("c", 1.0),) * 4)
    tasks = tuple(Task(f"t{i}", work=10.0) for i in range(8))
    problem = Problem.of(Platform("p", (busy,)), Workload("w", tasks))
    assert bounds_of(problem.instance)["makespan"] == pytest.approx(10.0)
    assert bound_s(problem) == pytest.approx(15.0)
    assert predict(problem, Plan((0,) * 8)).makespan_s == pytest.approx(15.0)


def test_the_overhead_of_every_task_is_part_of_paths_and_of_shared_work() -> None:
    runtime = Runtime(task_overhead_s=2.0)
    chain = Workload("w", (Task("a", work=1.0), Task("b", work=1.0)), (Flow("a", "b"),))
    assert bound_s(Problem.of(lab(1, 1.0, runtime), chain)) == pytest.approx(6.0)
    apart = Workload("w", tuple(Task(f"t{i}", work=1.0) for i in range(4)))
    assert bound_s(Problem.of(lab(1, 1.0, runtime), apart)) == pytest.approx(12.0)


def test_a_core_is_held_while_its_task_fetches_in_its_slot() -> None:
    runtime = Runtime(fetch="slot", copies="each")
    problem = Problem.of(lab(1, 100.0, runtime), readers(3, [400.0]))
    assert fetched_in_slot(problem.executed).tolist() == [[5.0], [5.0], [5.0]]
    assert best_s(problem) == pytest.approx(3 * (1.0 + 4.0 + 1.0))
    assert bound_s(problem) == pytest.approx(best_s(problem))
    once = Problem.of(lab(1, 100.0, replace(runtime, copies="once")), readers(3, [400.0]))
    assert not fetched_in_slot(once.executed).any()
    assert bound_s(once) <= best_s(once) == pytest.approx(1.0 + 4.0 + 3.0)


def test_files_of_one_task_for_the_next_come_together() -> None:
    """Where links are free at the pace of the longer, else at that of all bytes; one startup."""
    tasks = (
        Task("a", work=1.0, writes=("f", "g"), allowed=("n0",)),
        Task("b", work=1.0, reads=("f", "g"), allowed=("n1",)),
    )
    workload = Workload("w", tasks, files=(DataFile("f", 300.0), DataFile("g", 200.0)))
    platform = lab(2, 100.0)
    shared = Problem.of(platform, workload)
    assert bounds_of(shared.instance)["makespan"] == pytest.approx(2.0 + 2 * 1.0 + 5.0)
    assert bound_s(shared) == best_s(shared) == pytest.approx(2.0 + 1.0 + 5.0)
    links = tuple(replace(link, sharing="free") for link in platform.links)
    free = Problem.of(replace(platform, links=links), workload)
    assert bound_s(free) == best_s(free) == pytest.approx(2.0 + 1.0 + 3.0)


def fork(bandwidth: float) -> Problem:
    """A task that sends 100 B to each of six of 10 s, on six machines of one core at a bus."""
    way = Direction(0.0, 1e6)
    names = [f"n{i}" for i in range(6)]
    platform = Platform(
        "bus",
        tuple(Machine(name) for name in names),
        tuple(Link(name, "bus", way, way) for name in names),
        switches=(Switch("bus", bandwidth),),
    )
    tasks = (Task("s", work=1.0), *(Task(f"t{i}", work=10.0) for i in range(6)))
    flows = tuple(Flow("s", f"t{i}", ((1, 100.0),)) for i in range(6))
    return Problem.of(platform, Workload("fork", tasks, flows))


def test_who_stays_shares_the_machine_and_who_leaves_the_bus() -> None:
    problem = fork(10.0)  # each of the six computes for 10 s, or moves for 10 s
    assert bounds_of(problem.instance)["makespan"] < 22.0
    # 1 s, then three of them on each side; what stays may be the last
    assert bound_s(problem) == pytest.approx(1.0 + 30.0)
    assert predict(problem, Plan((0, 0, 0, 0, 1, 2, 3))).makespan_s == pytest.approx(41.0)
    assert predict(problem, Plan((0, 0, 0, 0, 0, 1, 2))).makespan_s == pytest.approx(41.0)
    quick = fork(1e6)
    assert bound_s(quick) == pytest.approx(bounds_of(quick.instance)["makespan"])


def test_the_same_holds_for_those_that_send_to_one_and_for_what_lies_on_a_machine() -> None:
    problem = fork(10.0)
    flows = tuple(Flow(flow.target, flow.source, flow.data_sets) for flow in problem.workload.flows)
    joined = Problem.of(problem.platform, replace(problem.workload, flows=flows))
    assert bound_s(joined) == pytest.approx(1.0 + 30.0)
    files = tuple(DataFile(f"f{i}", 100.0, "n0") for i in range(6))
    tasks = tuple(Task(f"t{i}", work=10.0, reads=(f"f{i}",)) for i in range(6))
    read = Problem.of(problem.platform, Workload("read", tasks, files=files))
    assert bound_s(read) == pytest.approx(30.0)
    assert predict(read, Plan((0, 0, 0, 1, 2, 3))).makespan_s == pytest.approx(40.0)


def test_no_number_of_processors_is_below_the_bound() -> None:
    for seed in range(12):
        problem = random_scalable(seed)
        assert bound_s(problem) <= predict(problem, Plan(first_allowed(problem))).makespan_s


def first_allowed(problem: Problem) -> tuple[int, ...]:
    return tuple(np.isfinite(problem.instance.task_s).argmax(axis=1).tolist())

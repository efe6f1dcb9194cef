"""Plans that know of the shared network: what they see, and where they are taken."""

from __future__ import annotations

import pytest

from advisor.allocation.plan import Plan
from advisor.allocation.predict import predict
from advisor.allocation.problem import Problem
from advisor.allocation.timeline_modes import FAIR, NONE
from advisor.allocation.workload import Flow, Task, Workload
from advisor.search import STRATEGIES, advise
from advisor.search.list_scheduling import heft
from advisor.search.network_aware_lists import (
    all_on_one,
    clusters,
    heft_shared,
    one_machine,
    peft_shared,
)
from machines import Direction, InfeasibleError, Link, Machine, Platform
from machines.platform import Switch

NAMES = ("heft-shared", "peft-shared", "one-machine", "clusters")


def bus(
    tasks: tuple[Task, ...], flows: tuple[Flow, ...], *machines: Machine, sharing: str = FAIR
) -> Problem:
    way = Direction(0.0, 100.0)
    links = tuple(Link(one.name, "bus", way, way) for one in machines)
    platform = Platform("p", machines, links, switches=(Switch("bus", 100.0),))
    return Problem.of(platform, Workload("w", tasks, flows), sharing=sharing)


def fan(sharing: str = FAIR) -> Problem:
    """One task feeds six of 4 s; each transfer takes 3 s of the bus."""
    tasks = (Task("a", work=1.0), *(Task(f"t{i}", work=4.0) for i in range(6)))
    flows = tuple(Flow("a", f"t{i}", ((1, 300.0),)) for i in range(6))
    return bus(tasks, flows, *(Machine(f"M{q}") for q in range(7)), sharing=sharing)


@pytest.mark.parametrize("make", [heft_shared, peft_shared])
def test_transfers_wait_for_those_before(make: object) -> None:
    plan = make(fan())  # type: ignore[operator]
    # alone each child ends at 8 s elsewhere; but the bus brings one each 3 s, home one each 4 s
    home = plan.allocation[0]
    assert 3 <= plan.allocation.count(home) <= 5
    assert predict(fan(), plan).makespan_s < predict(fan(), heft(fan())).makespan_s


def test_one_machine_is_the_one_that_ends_first() -> None:
    tasks = (Task("a", work=6.0), Task("b", work=6.0))
    problem = bus(tasks, (Flow("a", "b"),), Machine("slow"), Machine("quick", speed=3.0))
    assert one_machine(problem).allocation == (1, 1)
    assert [plan.allocation for plan in all_on_one(problem)] == [(0, 0), (1, 1)]


def test_no_machine_takes_all_where_tasks_are_bound_or_memory_lacks() -> None:
    bound = (Task("a", work=1.0, allowed=("M",)), Task("b", work=1.0, allowed=("N",)))
    with pytest.raises(InfeasibleError, match="no machine can take all"):
        one_machine(bus(bound, (), Machine("M"), Machine("N")))
    large = tuple(Task(name, work=1.0, memory_bytes=6) for name in "ab")
    machines = (
        Machine("M", memory_bytes=10, memory="reserved"),
        Machine("N", memory_bytes=10, memory="reserved"),
    )
    assert not all_on_one(bus(large, (), *machines))
    plan = clusters(bus(large, (Flow("a", "b", ((1, 500.0),)),), *machines))
    assert sorted(plan.allocation) == [0, 1]


def test_a_heuristic_that_finds_none_is_told_of_only_where_it_is_asked_for() -> None:
    bound = (Task("a", work=1.0, allowed=("M",)), Task("b", work=1.0, allowed=("N",)))
    problem = bus(bound, (), Machine("M"), Machine("N"))
    for strategy in ("auto", "refine"):
        assert advise(problem, strategy=strategy, seconds=0.1).warnings == ()
    with pytest.raises(InfeasibleError, match="no machine can take all"):
        advise(problem, strategy="one-machine", seconds=0.1)


def test_clusters_keep_heavy_flows_inside() -> None:
    tasks = tuple(Task(f"t{i}", work=5.0) for i in range(4))
    flows = (
        Flow("t0", "t1", ((1, 900.0),)),
        Flow("t2", "t3", ((1, 900.0),)),
        Flow("t0", "t3", ((1, 1.0),)),
    )
    plan = clusters(bus(tasks, flows, Machine("M"), Machine("N")))
    assert plan.allocation[0] == plan.allocation[1]
    assert plan.allocation[2] == plan.allocation[3]
    assert plan.allocation[0] != plan.allocation[2]


def test_a_task_that_fits_nowhere_beside_the_others_is_named() -> None:
    tasks = tuple(Task(f"t{i}", work=1.0, memory_bytes=6) for i in range(2))
    problem = bus(
        tasks,
        (),
        Machine("M", memory_bytes=10, memory="reserved"),
        Machine("N", memory_bytes=5, memory="reserved"),
    )
    for make in (heft_shared, peft_shared):
        with pytest.raises(InfeasibleError, match=r'task "t1".*no machine'):
            make(problem)


@pytest.mark.parametrize("name", NAMES)
def test_they_are_tried_only_where_transfers_share(name: str) -> None:
    assert STRATEGIES[name].suits(fan(), "makespan")
    assert not STRATEGIES[name].suits(fan(NONE), "makespan")


def test_without_sharing_the_search_meets_no_plan_of_theirs() -> None:
    best = advise(fan(NONE), seconds=0.05)
    names = {best.strategy, *(name for name, _, _ in best.alternatives)}
    assert names.isdisjoint(NAMES)
    assert not predict(fan(NONE), best.plan).transfers


def test_every_plan_counts_in_the_better_of_its_order_and_that_of_the_starts() -> None:
    problem = fan()
    best = advise(problem, strategy="max-min", seconds=0.05)
    for _, plan, value in [("", best.plan, best.value_s), *best.alternatives]:
        own = predict(problem, plan).makespan_s
        other = predict(problem, Plan(plan.allocation, None)).makespan_s
        assert value == own <= other * (1 + 1e-12)

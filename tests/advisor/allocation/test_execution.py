"""The executed timeline: SimGrid's cases, a plain twin, invariants, and plans counted by hand."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from advisor.allocation.data_files import DataFile
from advisor.allocation.plan import Plan
from advisor.allocation.predict import predict
from advisor.allocation.problem import Problem
from advisor.allocation.timeline_modes import NONE
from advisor.allocation.workload import Flow, Task, Workload
from machines import Contender, Direction, Link, Machine, Platform, Runtime, Store, Switch
from tests.advisor.allocation.plain_execution import Plain
from tests.network_cases import Case, cases
from tests.random_plans import random_plan

WIRE = Direction(0.1, 100.0)
SEEDS = st.integers(0, 2**31 - 1)


def halved(way: Direction) -> Direction:
    piece = way.above
    above = piece and replace(piece, startup_s=piece.startup_s / 2, bandwidth=piece.bandwidth * 2)
    return Direction(way.startup_s / 2, way.bandwidth * 2, above)


def halved_times(runtime: Runtime) -> Runtime:
    times = ("task_overhead_s", "begin_s", "poll_s", "submit_s", "cycle_s", "reclaim_s")
    return replace(runtime, **{name: getattr(runtime, name) / 2 for name in times})


def sent_to_four(runtime: Runtime, shared: bool) -> tuple[Problem, Plan]:
    """A (1 s) sends 100 bytes to each of four tasks of 1 s on one core, or one file to all."""
    machines = (Machine("M1"), Machine("M2"))
    platform = Platform("p", machines, (Link("M1", "M2", WIRE, WIRE),), runtime=runtime)
    names = [f"t{k}" for k in range(4)]
    if shared:
        tasks = (Task("A", 1.0, writes=("f",)), *(Task(one, 1.0, reads=("f",)) for one in names))
        workload = Workload("w", tasks, files=(DataFile("f", 100.0),))
    else:
        tasks = (Task("A", 1.0), *(Task(one, 1.0) for one in names))
        workload = Workload("w", tasks, tuple(Flow("A", one, ((1, 100.0),)) for one in names))
    return Problem.of(platform, workload), Plan((0, 1, 1, 1, 1), (0, 1, 2, 3, 4))


@pytest.mark.parametrize("case", cases(), ids=lambda case: f"{case.name}-{case.kind}-{case.what}")
def test_every_case_of_simgrid_comes_out(case: Case) -> None:
    found = predict(Problem.of(case.platform, case.workload), case.plan)
    assert found.makespan_s == pytest.approx(case.makespan_s, rel=1e-6)
    assert found.end_s == pytest.approx(case.end_s, rel=1e-6)
    assert sum(found.critical_breakdown_s.values()) == pytest.approx(found.makespan_s)


def with_memory(platform: Platform, workload: Workload, seed: int) -> tuple[Platform, Workload]:
    """Most machines are short of memory bandwidth, and most tasks move some."""
    random = np.random.default_rng(seed)
    rates = [float(random.uniform(1.0, 4.0)) if random.random() < 0.8 else None
             for _ in platform.machines]  # fmt: skip
    moved = [float(random.uniform(0.2, 4.0)) if random.random() < 0.8 else None
             for _ in workload.tasks]  # fmt: skip
    machines = [replace(one, memory_bandwidth=rate)
                for one, rate in zip(platform.machines, rates, strict=True)]  # fmt: skip
    tasks = [replace(one, memory_bandwidth=rate)
             for one, rate in zip(workload.tasks, moved, strict=True)]  # fmt: skip
    return replace(platform, machines=tuple(machines)), replace(workload, tasks=tuple(tasks))


@given(SEEDS, st.booleans())
def test_a_plain_twin_gives_the_same_times(seed: int, memory: bool) -> None:
    platform, workload, plan = random_plan(seed)
    if memory:
        platform, workload = with_memory(platform, workload, seed)
    problem = Problem.of(platform, workload)
    twin, found = Plain(problem, plan).run(), predict(problem, plan)
    tasks = range(len(workload.tasks))
    assert found.end_s == pytest.approx([twin.end_s[task] for task in tasks], rel=1e-6)
    assert found.start_s == pytest.approx([twin.start_s[task] for task in tasks], rel=1e-6)
    assert sum(found.critical_breakdown_s.values()) == pytest.approx(found.makespan_s)


@given(SEEDS)
def test_no_bound_is_above_and_loads_carry_the_bytes(seed: int) -> None:
    platform, workload, plan = random_plan(seed)
    found = predict(Problem.of(platform, workload), plan)
    assert found.lower_bounds_s["makespan"] <= found.makespan_s * (1 + 1e-9)
    for one in found.resources:
        moved = np.diff(np.append(one.time_s, found.makespan_s)) * one.load * one.capacity
        assert moved.sum() == pytest.approx(one.size_bytes, rel=1e-6, abs=1e-6)
        assert one.load.size == 0 or one.load.max() <= 1 + 1e-9
        assert 0 <= one.busy_share <= 1 + 1e-9


@given(SEEDS, st.booleans())
def test_numbering_does_not_matter(seed: int, memory: bool) -> None:
    """Where routes are unique: equal ones are spread by the numbers of their ends."""
    platform, workload, plan = random_plan(seed)
    if memory:
        platform, workload = with_memory(platform, workload, seed)
    assume(len(platform.switches) < 2)
    count = len(platform.machines)
    turned = replace(platform, machines=platform.machines[::-1], links=platform.links[::-1])
    other = replace(plan, allocation=tuple(count - 1 - one for one in plan.allocation))
    first = predict(Problem.of(platform, workload), plan)
    second = predict(Problem.of(turned, workload), other)
    assert first.end_s == pytest.approx(second.end_s, rel=1e-9)


@given(SEEDS)
def test_twice_as_quick_everything_takes_half(seed: int) -> None:
    platform, workload, plan = random_plan(seed)
    quick = replace(
        platform,
        machines=tuple(
            replace(one, speed=one.speed * 2, up_s=one.up_s and one.up_s / 2)
            for one in platform.machines
        ),
        links=tuple(
            replace(one, to_second=halved(one.to_second), to_first=halved(one.to_first))
            for one in platform.links
        ),
        switches=tuple(
            replace(one, bandwidth=one.bandwidth and one.bandwidth * 2) for one in platform.switches
        ),
        runtime=halved_times(platform.runtime),
    )
    flows = tuple(
        replace(flow, seconds=tuple((pair, s / 2) for pair, s in flow.seconds))
        for flow in workload.flows
    )
    half = replace(workload, flows=flows)
    slow_s = predict(Problem.of(platform, workload), plan).makespan_s
    assert predict(Problem.of(quick, half), plan).makespan_s == pytest.approx(slow_s / 2)


@pytest.mark.parametrize(
    ("runtime", "shared", "makespan_s"),
    [
        (Runtime(copies="each"), False, 9.1),
        (Runtime(), True, 6.1),
        (Runtime("slot", "each"), True, 9.4),
    ],
    ids=["flows", "one file", "a copy each in the slot"],
)
def test_four_readers_of_one_task(runtime: Runtime, shared: bool, makespan_s: float) -> None:
    problem, plan = sent_to_four(runtime, shared)
    assert predict(problem, plan).makespan_s == pytest.approx(makespan_s)


def test_four_transfers_at_once_each_get_a_quarter_and_say_so() -> None:
    problem, plan = sent_to_four(Runtime(copies="each"), shared=False)
    found = predict(problem, plan)
    assert found.transfers is not None
    assert found.transfers.arrived_s == pytest.approx([5.1] * 4)
    assert found.transfers.dedicated_s == pytest.approx([1.1] * 4)
    assert found.endless_s == pytest.approx(6.1)
    assert found.critical_breakdown_s == pytest.approx(
        {"computing": 5.0, "transferring": 1.1, "sharing the link": 3.0}
    )
    (there, _) = found.resources
    assert (there.name, there.size_bytes) == ("M1→M2", 400.0)
    assert there.busy_share == pytest.approx(4.0 / 9.1)
    assert there.time_s == pytest.approx([1.1, 5.1])
    assert there.load == pytest.approx([1.0, 0.0])


@pytest.mark.parametrize("link", ["shared", "duplex", "free"])
def test_two_ways_of_one_link_share_it_or_not(link: str) -> None:
    """Both tasks send 100 bytes to the other side at once."""
    platform = Platform(
        "p", (Machine("M1", 2), Machine("M2", 2)), (Link("M1", "M2", WIRE, WIRE, sharing=link),)
    )
    tasks = tuple(Task(name, 1.0) for name in ("a", "b", "c", "d"))
    flows = (Flow("a", "c", ((1, 100.0),)), Flow("b", "d", ((1, 100.0),)))
    found = predict(Problem.of(platform, Workload("w", tasks, flows)), Plan((0, 1, 1, 0)))
    expected = 4.1 if link == "shared" else 3.1
    assert found.makespan_s == pytest.approx(expected)


def test_a_switch_with_a_bandwidth_is_shared_by_all_that_pass_it() -> None:
    machines = tuple(Machine(f"M{k}") for k in range(4))
    links = tuple(Link(one.name, "bus", WIRE, WIRE) for one in machines)
    tasks = tuple(Task(name, 1.0) for name in ("a", "b", "c", "d"))
    flows = (Flow("a", "b", ((1, 100.0),)), Flow("c", "d", ((1, 100.0),)))
    workload, plan = Workload("w", tasks, flows), Plan((0, 1, 2, 3))
    for bandwidth, transfer_s in ((None, 1.2), (100.0, 2.2), (400.0, 1.2)):
        platform = Platform("p", machines, links, switches=(Switch("bus", bandwidth),))
        found = predict(Problem.of(platform, workload), plan)
        assert found.makespan_s == pytest.approx(2.0 + transfer_s)


def test_own_tasks_lose_to_contenders_what_they_would_not_lose_without_them() -> None:
    """8 tasks of 10 s and 4 contenders on 8 cores: 15 s, not 10 (8 of 12 shares)."""
    busy = Machine("M1", 8, contenders=tuple(Contender(f"c{k}", 1.0) for k in range(4)))
    tasks = tuple(Task(f"t{k}", 10.0) for k in range(8))
    platform, plan = Platform("p", (busy,)), Plan((0,) * 8)
    found = predict(Problem.of(platform, Workload("w", tasks)), plan)
    assert found.makespan_s == pytest.approx(15.0)
    assert found.critical_breakdown_s == pytest.approx(
        {"computing": 10.0, "waiting for the processor": 5.0}
    )
    alone = predict(Problem.of(platform, Workload("w", tasks), sharing=NONE), plan)
    assert alone.makespan_s == pytest.approx(10.0)


def test_a_later_task_never_starts_before_the_one_that_its_machine_is_to_take_first() -> None:
    """b waits for 100 bytes until 2.1 s; c, which needs nothing, waits behind it."""
    platform = Platform("p", (Machine("M1"), Machine("M2")), (Link("M1", "M2", WIRE, WIRE),))
    tasks = (Task("a", 1.0), Task("b", 1.0), Task("c", 1.0))
    workload = Workload("w", tasks, (Flow("a", "b", ((1, 100.0),)),))
    plan = Plan((0, 1, 1), (0, 1, 2))
    found = predict(Problem.of(platform, workload), plan)
    assert found.start_s == pytest.approx([0.0, 2.1, 3.1])
    eager = replace(platform, runtime=Runtime(order="ready"))
    assert predict(Problem.of(eager, workload), plan).start_s == pytest.approx([0.0, 2.1, 0.0])


def test_a_file_in_a_store_is_fetched_from_there() -> None:
    links = (Link("M1", "nfs", WIRE, WIRE), Link("M2", "nfs", WIRE, WIRE))
    platform = Platform("p", (Machine("M1"), Machine("M2")), links, stores=(Store("nfs"),))
    tasks = (Task("a", 1.0, reads=("f",)), Task("b", 1.0, reads=("f",)))
    workload = Workload("w", tasks, files=(DataFile("f", 100.0),))
    found = predict(Problem.of(platform, workload), Plan((0, 1)))
    assert found.start_s == pytest.approx([1.1, 1.1])
    assert found.transfers is not None
    assert found.transfers.source.tolist() == [2, 2]
    assert found.critical_breakdown_s == pytest.approx({"computing": 1.0, "transferring": 1.1})


def test_of_tasks_that_take_no_time_none_waits_for_the_other_in_turns() -> None:
    tasks = (Task("a", work=0.0), Task("b", work=0.0), Task("long", work=2.0))
    platform = Platform("p", (Machine("M"),), runtime=Runtime(order="ready"))
    problem = Problem.of(platform, Workload("w", tasks))
    found = predict(problem, Plan((0, 0, 0), (2, 0, 1)))
    assert found.critical.tolist() == [True, False, True]
    assert found.critical_breakdown_s == {"computing": 2.0}


def test_tasks_share_the_bandwidth_of_memory_max_min_fairly() -> None:
    """Of 10 B/s the one that wants 2 has them, those that want 8 and 6 have 4 each, then 5."""
    platform = Platform("p", (Machine("M", cores=4, memory_bandwidth=10.0),))
    moved = (8.0, 2.0, None, 6.0)
    tasks = tuple(Task(f"t{k}", 10.0, memory_bandwidth=one) for k, one in enumerate(moved))
    found = predict(Problem.of(platform, Workload("w", tasks)), Plan((0, 0, 0, 0)))
    assert found.end_s == pytest.approx([16.5, 10.0, 10.0, 14.0])
    quick = replace(platform, machines=(Machine("M", cores=4, speed=2.0, memory_bandwidth=20.0),))
    found = predict(Problem.of(quick, Workload("w", tasks)), Plan((0, 0, 0, 0)))
    assert found.end_s == pytest.approx([8.25, 5.0, 5.0, 7.0])  # as many bytes in half the time


def test_memory_bandwidth_counts_only_where_machine_and_tasks_state_it() -> None:
    tasks = tuple(Task(f"t{k}", 10.0, memory_bandwidth=8.0) for k in range(2))
    bare = tuple(replace(one, memory_bandwidth=None) for one in tasks)
    for machine, of in (
        (Machine("M", cores=2), tasks),
        (Machine("M", cores=2, memory_bandwidth=16.0), tasks),
        (Machine("M", cores=2, memory_bandwidth=1.0), bare),
    ):
        found = predict(Problem.of(Platform("p", (machine,)), Workload("w", of)), Plan((0, 0)))
        assert found.end_s == pytest.approx([10.0, 10.0])

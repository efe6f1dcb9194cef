"""What limits a plan: networks whose truth is known by construction."""

from __future__ import annotations

from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from advisor.advice.explain import explain
from advisor.advice.limits import (
    ENGINE,
    HOLDINGS,
    NETWORK,
    PROCESSORS,
    STARTUPS,
    STATED,
    Limit,
    limit_of,
    quicker,
    quicker_everywhere,
)
from advisor.allocation.data_files import DataFile
from advisor.allocation.execution import executed_makespan
from advisor.allocation.objectives import SPREAD
from advisor.allocation.placement import placement
from advisor.allocation.plan import Plan
from advisor.allocation.predict import predict
from advisor.allocation.problem import Problem
from advisor.allocation.timeline_modes import NONE
from advisor.allocation.workload import Flow, Task, Workload
from advisor.search import advise
from machines import Direction, Link, Machine, Platform, Runtime, Store, Switch
from machines.resources import Resource
from tests.advisor.random_executed import random_executed
from tests.advisor.random_problems import random_plan

FOUR = Plan((0, 1, 2, 3, 4))


def bus(
    machines: int,
    bandwidth: float | None,
    link: float = 1000.0,
    startup_s: float = 0.0,
    *,
    store: bool = False,
    sharing: str = "duplex",
) -> Platform:
    names = [f"n{i}" for i in range(machines)]
    way = Direction(startup_s, link)
    ends = [*names, *(["S"] if store else [])]
    return Platform(
        "bus",
        tuple(Machine(name) for name in names),
        tuple(Link(end, "bus", way, way, sharing=sharing) for end in ends),
        switches=(Switch("bus", bandwidth),),
        stores=(Store("S"),) if store else (),
    )


def spread(work: float = 1.0, size: float = 1000.0) -> Workload:
    """One task that sends to each of four others."""
    tasks = (Task("s", work=work), *(Task(f"t{i}", work=work) for i in range(4)))
    flows = tuple(Flow("s", f"t{i}", ((1, size),)) for i in range(4))
    return Workload("spread", tasks, flows)


def fetched(size: float = 1000.0) -> Workload:
    """Four tasks, each of which reads its file from outside."""
    files = tuple(DataFile(f"f{i}", size) for i in range(4))
    tasks = tuple(Task(f"t{i}", work=1.0, reads=(f"f{i}",)) for i in range(4))
    return Workload("fetched", tasks, files=files)


def limit(platform: Platform, workload: Workload, plan: Plan) -> Limit:
    problem = Problem.of(platform, workload)
    found = limit_of(problem, predict(problem, plan))
    assert found is not None
    return found


def test_a_full_bus_is_named_with_what_twice_its_bandwidth_saves() -> None:
    found = limit(bus(5, 100.0), spread(), FOUR)  # 1 + 4 · 10 + 1 s, at twice that 1 + 4 · 5 + 1
    assert found.kind == NETWORK
    assert (found.makespan_s, found.endless_s) == pytest.approx((42.0, 12.0))
    assert found.saved_s == pytest.approx(20.0)
    assert found.sentence == (
        "bus is 95 % utilised over 42.0 s; twice its bandwidth would save 20.0 s (48 %); "
        "contention "
        "costs 30.0 s: without it the plan takes 12.0 s."
    )


def test_the_link_of_a_store_is_named_where_all_fetch_from_it() -> None:
    found = limit(bus(4, None, 100.0, store=True), fetched(), Plan((0, 1, 2, 3)))
    assert found.sentence.startswith(
        "S→bus is 98 % utilised over 41.0 s; twice its bandwidth would save 20.0 s (49 %); "
        "contention"
    )


def test_where_another_is_as_full_one_alone_saves_nothing() -> None:
    found = limit(bus(4, 100.0, 100.0, store=True), fetched(), Plan((0, 1, 2, 3)))
    assert found.sentence.startswith(
        "S→bus is 98 % utilised over 41.0 s, but bus (98 %) is as much of a limit: twice the "
        "bandwidth "
        "of one alone saves nothing, of both 20.0 s (49 %)"
    )
    problem = Problem.of(bus(4, 100.0, 100.0, store=True), fetched())
    allocation, order = placement(problem, Plan((0, 1, 2, 3)))
    names = [one.name for one in problem.shared.resources]
    for widened, makespan_s in ((["bus"], 41.0), (["S→bus"], 41.0), (["bus", "S→bus"], 21.0)):
        positions = [names.index(name) for name in widened]
        taken_s = executed_makespan(quicker(problem, positions), allocation, order)
        assert taken_s == pytest.approx(makespan_s)


def test_where_the_processors_limit_the_network_is_none() -> None:
    found = limit(bus(5, 100.0), spread(work=4000.0), FOUR)
    assert found.kind == PROCESSORS
    assert found.sentence.startswith(
        "The processors are the limit, not the network: the critical path spends 99.5 % of "
        "2 h 14 min on them, n0 is 50 % utilised; twice the bandwidth of all links would save "
        "20.0 s (0.25 %);"
    )


def test_where_nothing_is_shared_an_endless_network_takes_as_long() -> None:
    found = limit(bus(5, 100.0), spread(), Plan((0,) * 5))
    assert found.kind == PROCESSORS
    assert found.endless_s == found.makespan_s == pytest.approx(5.0)
    assert found.sentence.endswith("without contention it would take as long.")


def test_startups_are_named_where_no_bandwidth_helps() -> None:
    found = limit(bus(5, 1e6, 1e7, startup_s=50.0), spread(), FOUR)  # 1 + 2 · 50 + 0.004 + 1 s
    assert found.kind == STARTUPS
    assert found.saved_s == pytest.approx(100.0)
    assert found.sentence.startswith(
        "The startups of transfers limit: without them the plan would take 1 min 40 s less"
    )


def test_transfers_on_free_links_limit_without_sharing_anything() -> None:
    found = limit(bus(5, None, 100.0, sharing="free"), spread(), FOUR)  # 1 + 10 + 1 s
    assert found.kind == NETWORK
    assert found.resources == ()
    assert found.sentence == (
        "The transfers limit, though they share no link: twice the bandwidth of all links would "
        "save 5.00 s (42 %); without contention it would take as long."
    )


def test_stated_seconds_limit_whatever_the_bandwidth() -> None:
    flow = Flow("a", "b", seconds=((("n0", "n1"), 100.0), (("n1", "n0"), 100.0)))
    workload = Workload("w", (Task("a", work=1.0), Task("b", work=1.0)), (flow,))
    found = limit(bus(2, 100.0), workload, Plan((0, 1)))
    assert found.kind == STATED


def test_on_the_classical_timeline_nothing_is_shared_and_no_limit_told() -> None:
    problem = Problem.of(bus(5, 100.0), spread(), sharing=NONE)
    assert limit_of(problem, predict(problem, FOUR)) is None
    told = explain(problem, advise(problem, seconds=0.05), should_stop=lambda: True)
    assert told.limit is None
    assert told.reasons[-1] == "Timeline: contention-free schedule."


def test_why_tells_the_limit_of_the_advised_plan_and_its_timeline(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr("advisor.advice.competition._BUDGET_S", 0.05)
    tasks = tuple(Task(f"t{i}", work=60.0, reads=(f"f{i}",)) for i in range(4))
    workload = replace(fetched(10000.0), tasks=tasks)  # 400 s from the store on every plan
    problem = Problem.of(bus(4, None, 100.0, store=True), workload)
    told = explain(problem, advise(problem, seconds=0.05))
    assert told.limit is not None
    assert told.limit.sentence.startswith("S→bus is 87 % utilised")
    assert told.limit.sentence in told.reasons
    assert told.reasons[-1] == "Timeline: contention-aware schedule."


def test_what_limits_is_varied_and_says_from_which_bandwidth_on_another_is_better() -> None:
    """Work of 40 s on n0 or 10 s on n1, data of 1,000 B on n0: at 50 B/s 30 s, at 25 B/s 50 s."""
    task = Task("a", seconds=(("n0", 40.0), ("n1", 10.0)), reads=("f",))
    workload = Workload("w", (task,), files=(DataFile("f", 1000.0, "n0"),))
    problem = Problem.of(bus(2, 50.0, 1e6), workload)
    told = explain(problem, advise(problem))
    assert told.advised.allocation == (1,)
    (flip,) = [one for one in told.flips if one.parameter.key == "bandwidth:bus"]
    assert flip.value == pytest.approx(1000.0 / 30.0, rel=1e-4)  # 10 + 1000 / 33.3 = 40 s
    assert flip.sentence.startswith(
        "Break-even at bandwidth 33.3 B/s of bus (now 50.0 B/s); below, the best plan is a on n0; "
        "staying costs"
    )


@given(st.integers(0, 2**32 - 1), st.integers(0, 2**32 - 1))
def test_what_a_limit_saves_is_what_the_plan_takes_on_the_quicker_network(
    seed: int, other: int
) -> None:
    problem = random_executed(seed)
    plan = random_plan(problem, other)
    prediction = predict(problem, plan)
    found = limit_of(problem, prediction)
    assert (found is None) == (prediction.makespan_s == 0.0)
    if found is None:
        return
    assert found.sentence.endswith(".")
    allocation, order = placement(problem, plan)
    if found.resources:
        taken_s = executed_makespan(quicker(problem, found.resources), allocation, order)
        assert prediction.makespan_s - taken_s == pytest.approx(found.saved_s)
        assert found.saved_s >= SPREAD * prediction.makespan_s
    if found.kind in {STARTUPS, STATED, PROCESSORS}:
        taken_s = executed_makespan(quicker_everywhere(problem), allocation, order)
        assert prediction.makespan_s - taken_s <= SPREAD * prediction.makespan_s


def test_processors_come_first_where_most_of_the_time_is_theirs() -> None:
    few = limit(bus(5, 1000.0), spread(work=10.0), FOUR)  # 10 + 4 + 10 s
    assert few.kind == NETWORK
    assert few.brief == "processors 83 %, n0→bus 17 % and bus 17 %"
    assert limit(bus(5, 100.0), spread(), FOUR).brief == "bus 95 %"


@pytest.mark.parametrize(
    ("machine", "held", "name"),
    [
        (Machine("M", 4, resources=(Resource("gpu"),)), {"resources": (("gpu", 1),)}, "gpu of M"),
        (Machine("M", 4, memory_bytes=10), {"memory_bytes": 6}, "memory of M"),
    ],
)
def test_what_tasks_wait_for_beside_cores_is_named(
    machine: Machine, held: dict[str, object], name: str
) -> None:
    tasks = tuple(Task(letter, work=6.0, **held) for letter in "abc")
    found = limit(Platform("one", (machine,)), Workload("three", tasks), Plan((0, 0, 0)))
    assert (found.kind, found.brief) == (HOLDINGS, name)
    assert found.saved_s == pytest.approx(12.0)  # three after one another, or together
    assert found.sentence.startswith(
        f"The {name} limits: without that limit the plan would take 12.0 s (67 %) less;"
    )


def test_what_the_whole_platform_has_is_named_without_a_machine() -> None:
    platform = Platform("one", (Machine("M", 4),), resources=(Resource("licence"),))
    tasks = tuple(Task(letter, work=6.0, resources=(("licence", 1),)) for letter in "abc")
    assert limit(platform, Workload("three", tasks), Plan((0, 0, 0))).brief == "licence"


def test_units_of_which_there_are_enough_limit_nothing() -> None:
    machine = Machine("M", 1, resources=(Resource("gpu", 2),))
    tasks = tuple(Task(letter, work=6.0, resources=(("gpu", 1),)) for letter in "abc")
    found = limit(Platform("one", (machine,)), Workload("three", tasks), Plan((0, 0, 0)))
    assert found.kind == PROCESSORS


@pytest.mark.parametrize(
    ("runtime", "saved_s", "share"),
    [
        (Runtime(task_overhead_s=3.0), 12.0, 75),
        (Runtime(cycle_s=2.5, reclaim_s=2.5), 4.5, 53),  # starts at 0, 2.5, 5, 7.5 s
        (Runtime(begin_s=6.0), 6.0, 60),
    ],
)
def test_an_engine_that_starts_tasks_late_is_named(
    runtime: Runtime, saved_s: float, share: int
) -> None:
    platform = Platform("one", (Machine("M"),), runtime=runtime)
    tasks = tuple(Task(letter, work=1.0) for letter in "abcd")
    found = limit(platform, Workload("four", tasks), Plan((0, 0, 0, 0)))
    assert (found.kind, found.brief) == (ENGINE, f"engine {share} %")
    assert found.saved_s == pytest.approx(saved_s)
    assert "if it started tasks at once, the plan would take" in found.sentence


def test_an_engine_that_takes_less_than_the_rest_is_not() -> None:
    slow = replace(bus(5, 100.0), runtime=Runtime(task_overhead_s=1.0))
    assert limit(slow, spread(), FOUR).kind == NETWORK
    quick = Platform("one", (Machine("M"),), runtime=Runtime(task_overhead_s=0.01))
    found = limit(quick, Workload("two", (Task("a", work=1.0), Task("b", work=1.0))), Plan((0, 0)))
    assert (found.kind, found.brief) == (PROCESSORS, "processors 99 %")


def test_the_memory_bandwidth_that_limits_is_named() -> None:
    """Two tasks of 10 s that draw 8 B/s each: with 8 B/s both take 20 s."""
    machines = (
        Machine("desk", 2, memory_bandwidth=8.0),
        Machine("big", 2, memory_bandwidth=99.0),
    )
    tasks = tuple(Task(f"t{i}", work=10.0, memory_bandwidth=8.0, allowed=("desk",)) for i in "ab")
    found = limit(Platform("p", machines), Workload("w", tasks), Plan((0, 0)))
    assert (found.kind, found.brief) == (HOLDINGS, "memory bandwidth of desk")
    assert found.saved_s == pytest.approx(10.0)
    assert "The memory bandwidth of desk limits: without that limit" in found.sentence

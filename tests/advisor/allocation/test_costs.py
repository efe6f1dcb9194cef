"""Costs: arrays against one flow, one task, one pair at a time."""

import itertools
import pickle
from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from advisor.allocation.costs import EXACT, PUBLISHED, build_costs, misfit
from advisor.allocation.workload import Flow, Task, Workload
from advisor.models.contention import link_slowdown, machine_slowdown
from advisor.models.slowdown import piecewise_transfer_time
from machines import (
    Contender,
    Direction,
    InfeasibleError,
    InputError,
    Link,
    LinkPiece,
    Machine,
    Platform,
)
from machines.routes import routes

SLOW = Direction(0.002, 1e6)
PIECES = Direction(0.002, 1e6, LinkPiece(4096, 0.0035, 1.6e6))
MORE_PIECES = Direction(0.001, 2e6, LinkPiece(512, 0.004, 5e6))


def chain_platform(*directions, contenders=()):
    """M1 – M2 – … with these links, the contenders on M2."""
    machines = [Machine(f"M{number}") for number in range(1, len(directions) + 2)]
    machines[1] = replace(machines[1], contenders=contenders)
    links = [
        Link(f"M{number}", f"M{number + 1}", way, way)
        for number, way in enumerate(directions, start=1)
    ]
    return Platform("chain", tuple(machines), tuple(links))


def pair_workload(*data_sets, **seconds):
    flow = Flow("A", "B", data_sets, tuple(seconds.get("seconds", {}).items()))
    return Workload("pair", (Task("A", work=1.0), Task("B", work=2.0)), (flow,))


def seconds_of(costs, flow, p, q):
    """Seconds of one flow between p and q, by the definition of FlowCosts."""
    row = costs.table[flow]
    if p == q:
        return 0.0
    if row >= 0:
        return costs.tables[row, p, q]
    return sum(
        costs.messages[flow, b] * costs.startup_s[b, p, q]
        + costs.size_bytes[flow, b] * costs.per_byte_s[b, p, q]
        for b in range(costs.messages.shape[1])
        if costs.messages[flow, b] > 0
    )


def test_work_is_divided_by_speed_and_stated_seconds_are_taken():
    platform = Platform("p", (Machine("M1"), Machine("M2", speed=4.0)))
    tasks = (Task("A", work=8.0), Task("B", seconds=(("M2", 3.0),)), Task("C", work=0.0))
    costs = build_costs(platform, Workload("w", tasks))
    expected = [[8.0, 2.0], [np.inf, 3.0], [0.0, 0.0]]
    assert costs.task_dedicated_s.tolist() == expected
    assert costs.task_s.tolist() == expected


def test_tasks_are_slowed_by_their_machine_according_to_the_cores_they_hold():
    contenders = (Contender("a", 0.5, 0.25), Contender("b", 1.0))
    machines = (Machine("M1", cores=4, contenders=contenders), Machine("M2", slowdown=1.5))
    tasks = tuple(
        Task(f"T{number}", work=2.0, cores=cores) for number, cores in enumerate((1, 3, 4, 1))
    )
    for reading in (EXACT, PUBLISHED):
        costs = build_costs(Platform("p", machines), Workload("w", tasks), reading)
        for row, task in enumerate(tasks):
            expected = 2.0 * machine_slowdown(machines[0], task.cores, reading).value
            assert costs.task_s[row, 0] == pytest.approx(expected)
        assert costs.task_s[:, 1].tolist() == [3.0, np.inf, np.inf, 3.0]
        assert costs.task_dedicated_s[:, 0].tolist() == [2.0] * 4


def test_what_a_task_may_not_or_can_not_use_costs_for_ever():
    machines = (
        Machine("M1", cores=2),
        Machine("M2", memory_bytes=100, memory="reserved"),
        Machine("M3"),
    )
    tasks = (
        Task("allowed", work=1.0, allowed=("M1", "M3")),
        Task("wide", work=1.0, cores=2),
        Task("large", work=1.0, memory_bytes=101),
        Task("fits", work=1.0, memory_bytes=100),
        Task("stated", seconds=(("M3", 1.0), ("M1", 1.0)), allowed=("M3",)),
    )
    platform, workload = Platform("p", machines), Workload("w", tasks)
    costs = build_costs(platform, workload)
    assert np.isfinite(costs.task_s).tolist() == [
        [True, False, True],
        [True, False, False],
        [True, False, True],
        [True, True, True],
        [False, False, True],
    ]
    for row, column in itertools.product(range(5), range(3)):
        reason = misfit(tasks[row], machines[column])
        assert (reason == "") == np.isfinite(costs.task_s[row, column])
    assert misfit(tasks[1], machines[2]) == "wide needs 2 cores, M3 has 1"
    assert costs.machine_memory.tolist() == [np.inf, 100.0, np.inf]
    assert costs.task_memory.tolist() == [0.0, 0.0, 101.0, 100.0, 0.0]
    assert costs.task_cores.tolist() == [1, 2, 1, 1, 1]
    assert costs.machine_cores.tolist() == [2, 1, 1]


@pytest.mark.parametrize(
    ("task", "reason"),
    [
        (Task("X", work=1.0, cores=9), "X needs 9 cores, M1 has 1"),
        (Task("X", work=1.0, memory_bytes=2**40), "bytes of memory"),
        (Task("X", work=1.0, allowed=()), "X is not allowed on M1"),
        (Task("X", seconds=(("M1", 1.0),), allowed=("M2",)), "X has no time on M2"),
    ],
)
def test_a_task_that_fits_nowhere_is_infeasible_and_says_why(task, reason):
    machines = (
        Machine("M1", memory_bytes=10, memory="reserved"),
        Machine("M2", memory_bytes=10, memory="reserved"),
    )
    with pytest.raises(InfeasibleError, match=reason) as caught:
        build_costs(Platform("p", machines), Workload("w", (Task("A", work=1.0), task)))
    assert 'task "X"' in str(caught.value)


def test_many_reasons_are_cut_short():
    platform = Platform("p", tuple(Machine(f"M{number}") for number in range(50)))
    with pytest.raises(InfeasibleError) as caught:
        build_costs(platform, Workload("w", (Task("X", work=1.0, cores=2),)))
    assert str(caught.value).endswith("M3 has 1; …")


@pytest.mark.parametrize(
    "task",
    [Task("X", seconds=(("M9", 1.0),)), Task("X", work=1.0, allowed=("M1", "M9"))],
)
def test_a_machine_that_is_not_there_is_refused_with_its_task(task):
    with pytest.raises(InputError, match=r'task "X": unknown machine \(got \'M9\'\).*M1'):
        build_costs(Platform("p", (Machine("M1"),)), Workload("w", (task,)))


def test_an_unknown_reading_is_refused():
    with pytest.raises(InputError, match="Allowed: exact, published"):
        build_costs(Platform("p", (Machine("M1"),)), Workload("w", (Task("A", work=1.0),)), "x")


def test_a_flow_costs_startup_and_bytes_over_bandwidth():
    costs = build_costs(chain_platform(SLOW), pair_workload((3, 1000.0), (1, 5e5)))
    assert costs.flows.messages.tolist() == [[4.0]]
    assert seconds_of(costs.flows, 0, 0, 1) == pytest.approx(4 * 0.002 + 0.503)
    assert seconds_of(costs.flows, 0, 1, 1) == 0.0


def test_messages_are_priced_by_the_protocol_piece_of_their_size_on_each_link():
    data_sets = ((1, 512.0), (2, 513.0), (3, 4096.0), (4, 4097.0), (5, 1e6))
    platform = chain_platform(PIECES, MORE_PIECES, SLOW)
    costs = build_costs(platform, pair_workload(*data_sets))
    assert costs.flows.messages.tolist() == [[1.0, 5.0, 9.0]]
    legs = [
        piecewise_transfer_time(
            data_sets,
            (way.startup_s, way.bandwidth),
            (way.above.startup_s, way.above.bandwidth),
            way.above.threshold_bytes,
        )
        for way in (PIECES, MORE_PIECES)
    ]
    assert seconds_of(costs.flows, 0, 0, 1) == pytest.approx(legs[0])
    assert seconds_of(costs.flows, 0, 1, 2) == pytest.approx(legs[1])
    assert seconds_of(costs.flows, 0, 0, 2) == pytest.approx(sum(legs))


def test_the_directions_of_a_link_cost_their_own():
    link = Link("M1", "M2", Direction(1.0, 10.0), Direction(2.0, 5.0))
    platform = Platform("p", (Machine("M1"), Machine("M2")), (link,))
    costs = build_costs(platform, pair_workload((1, 100.0)))
    assert seconds_of(costs.flows, 0, 0, 1) == pytest.approx(11.0)
    assert seconds_of(costs.flows, 0, 1, 0) == pytest.approx(22.0)


def test_each_link_of_a_route_is_slowed_by_itself():
    platform = chain_platform(SLOW, SLOW)
    links = tuple(
        replace(link, slowdown=s) for link, s in zip(platform.links, (2.0, 3.0), strict=True)
    )
    costs = build_costs(replace(platform, links=links), pair_workload((1, 1000.0)))
    assert seconds_of(costs.flows_dedicated, 0, 0, 2) == pytest.approx(0.006)
    assert seconds_of(costs.flows, 0, 0, 2) == pytest.approx(0.015)


def test_contenders_slow_transfers_over_their_links_and_their_notes_are_passed_on():
    contenders = (Contender("a", 0.5, 0.5), Contender("b", 0.2, 0.7))
    platform = chain_platform(SLOW, SLOW, contenders=contenders)
    for reading in (EXACT, PUBLISHED):
        costs = build_costs(platform, pair_workload((1, 1000.0)), reading)
        factor = link_slowdown(platform, platform.links[0], reading).value
        assert factor > 1.0
        assert seconds_of(costs.flows, 0, 0, 1) == pytest.approx(0.003 * factor)
        assert any(note.startswith("M1–M2: communication") for note in costs.warnings)
        assert any("10–20 %" in note for note in costs.warnings) == (reading == PUBLISHED)
        assert len(set(costs.warnings)) == len(costs.warnings)


def test_stated_seconds_take_the_slowdown_of_the_direct_link_else_the_largest_on_the_route():
    stated = {("M1", "M2"): 7.0, ("M2", "M1"): 8.0, ("M1", "M3"): 10.0}
    platform = chain_platform(SLOW, SLOW)
    links = tuple(
        replace(link, slowdown=s) for link, s in zip(platform.links, (2.0, 3.0), strict=True)
    )
    costs = build_costs(replace(platform, links=links), pair_workload(seconds=stated))
    assert costs.flows.tables[0].tolist() == [
        [0.0, 14.0, 30.0],
        [16.0, 0.0, np.inf],
        [np.inf, np.inf, 0.0],
    ]
    assert costs.flows_dedicated.tables[0, 0].tolist() == [0.0, 7.0, 10.0]


def test_stated_seconds_need_no_route():
    platform = Platform("p", (Machine("M1"), Machine("M2")))
    costs = build_costs(platform, pair_workload(seconds={("M1", "M2"): 7.0}))
    assert seconds_of(costs.flows, 0, 0, 1) == 7.0
    assert seconds_of(costs.flows, 0, 1, 0) == np.inf


def test_a_direction_without_stated_seconds_falls_back_on_the_data_sets():
    workload = pair_workload((1, 1000.0), (1, 8192.0), seconds={("M1", "M2"): 7.0})
    costs = build_costs(chain_platform(PIECES), workload)
    assert seconds_of(costs.flows, 0, 0, 1) == 7.0
    expected = 0.002 + 1000 / 1e6 + 0.0035 + 8192 / 1.6e6
    assert seconds_of(costs.flows, 0, 1, 0) == pytest.approx(expected)


def test_a_flow_without_data_is_free_everywhere_even_without_a_route():
    joined = build_costs(chain_platform(SLOW), pair_workload())
    apart = build_costs(Platform("p", (Machine("M1"), Machine("M2"))), pair_workload((0, 9.0)))
    for costs in (joined, apart):
        assert seconds_of(costs.flows, 0, 0, 1) == seconds_of(costs.flows, 0, 1, 0) == 0.0
    assert joined.flows.tables.shape == (0, 2, 2)


def test_data_without_a_route_can_not_be_exchanged():
    machines = (Machine("M1"), Machine("M2"), Machine("M3"))
    platform = Platform("p", machines, (Link("M1", "M2", PIECES, SLOW),))
    costs = build_costs(platform, pair_workload((1, 10.0)))
    assert seconds_of(costs.flows, 0, 0, 2) == np.inf
    assert np.isfinite(seconds_of(costs.flows, 0, 0, 1))


def test_flows_of_equal_stated_seconds_share_a_table():
    stated = ((("M1", "M2"), 1.0),)
    tasks = tuple(Task(name, work=1.0) for name in "ABCD")
    flows = (
        Flow("A", "B", seconds=stated),
        Flow("A", "C", ((1, 5.0),)),
        Flow("A", "D", seconds=stated),
        Flow("B", "D", ((1, 5.0),), stated),
    )
    costs = build_costs(chain_platform(SLOW), Workload("w", tasks, flows))
    assert costs.flows.table.tolist() == [0, -1, 0, 1]
    assert costs.flows.tables.shape == (2, 2, 2)


def test_an_unknown_machine_in_a_flow_is_refused_with_its_flow():
    with pytest.raises(InputError, match="flow A → B: unknown machine"):
        build_costs(chain_platform(SLOW), pair_workload(seconds={("M1", "M9"): 7.0}))


def test_a_table_that_is_too_short_names_its_link():
    platform = chain_platform(SLOW, contenders=(Contender("a", 0.5), Contender("b", 0.5)))
    links = (replace(platform.links[0], delay_comp=(0.5,)),)
    with pytest.raises(InputError, match="link M1–M2: delay_comp is too short"):
        build_costs(replace(platform, links=links), pair_workload((1, 1.0)))


@pytest.mark.parametrize(
    ("platform", "workload", "place"),
    [
        (
            Platform("p", (Machine("M1", speed=1e-300),)),
            Workload("w", (Task("A", work=1e30),)),
            'task "A"',
        ),
        (chain_platform(Direction(1.0, 1e-309)), pair_workload((1, 1.0)), "link M1–M2"),
        (chain_platform(Direction(1.0, 1e-300)), pair_workload((1, 1e29)), "flow A → B"),
        (
            Platform("p", (Machine("M1", slowdown=1e30, speed=1e-300),)),
            Workload("w", (Task("A", work=1.0),)),
            'task "A"',
        ),
        (
            Platform("p", (Machine("M1", speed=1e-300),)),
            Workload("w", tuple(Task(name, work=1e8) for name in "AB")),
            'task "A"',
        ),
    ],
)
def test_numbers_too_large_to_add_up_are_refused_with_their_place(platform, workload, place):
    with pytest.raises(InputError, match="numbers too large") as caught:
        build_costs(platform, workload)
    assert str(caught.value).startswith(place)


def test_costs_pickle():
    costs = build_costs(chain_platform(SLOW), pair_workload((1, 1.0)))
    copy = pickle.loads(pickle.dumps(costs))
    assert copy.task_s.tolist() == costs.task_s.tolist()
    assert copy.flows.startup_s.tolist() == costs.flows.startup_s.tolist()


@st.composite
def problems(draw):
    count = draw(st.integers(2, 4))
    way = st.builds(
        Direction,
        st.floats(0, 1),
        st.floats(1, 1e6),
        st.none()
        | st.builds(LinkPiece, st.sampled_from([10, 100]), st.floats(0, 1), st.floats(1, 9)),
    )
    machines = tuple(
        Machine(f"M{k}", speed=draw(st.floats(0.5, 4)), slowdown=draw(st.none() | st.floats(1, 3)))
        for k in range(count)
    )
    pairs = draw(st.sets(st.sampled_from(list(itertools.combinations(range(count), 2)))))
    links = tuple(
        Link(f"M{a}", f"M{b}", draw(way), draw(way), draw(st.none() | st.floats(1, 3)))
        for a, b in sorted(pairs)
    )
    sizes = st.lists(
        st.tuples(st.integers(1, 3), st.sampled_from([1.0, 10.0, 50.0, 999.0])), max_size=4
    )
    stated = st.dictionaries(
        st.tuples(st.sampled_from(["M0", "M1"]), st.sampled_from(["M0", "M1"])),
        st.floats(0, 9),
        max_size=2,
    )
    tasks = tuple(Task(f"T{k}", work=draw(st.floats(0, 9))) for k in range(4))
    flows = tuple(
        Flow("T0", f"T{k}", tuple(draw(sizes)), tuple(draw(stated).items())) for k in (1, 2, 3)
    )
    return Platform("p", machines, links), Workload("w", tasks, flows)


def direct_seconds(platform, flow, p, q):
    """One flow between two machines from the definitions, link by link."""
    names = (platform.machines[p].name, platform.machines[q].name)
    route = routes(platform).get((p, q))
    factors = [link_slowdown(platform, platform.links[hop.link]).value for hop in route or ()]
    stated = dict(flow.seconds)
    if p == q:
        return 0.0
    if names in stated:
        return stated[names] * max(factors, default=1.0)
    if not flow.data_sets:
        return np.inf if flow.seconds else 0.0
    if route is None:
        return np.inf
    return sum(
        factor * count * (way[0] + size / way[1])
        for hop, factor in zip(route, factors, strict=True)
        for count, size in flow.data_sets
        for way in [hop.direction(platform).at(size)]
    )


@given(problems())
def test_the_arrays_are_the_definition_for_every_flow_and_pair(problem):
    platform, workload = problem
    costs = build_costs(platform, workload)
    count = len(platform.machines)
    for position, flow in enumerate(workload.flows):
        for p, q in itertools.product(range(count), repeat=2):
            got = seconds_of(costs.flows, position, p, q)
            assert got == pytest.approx(direct_seconds(platform, flow, p, q))
    factor = [machine_slowdown(machine).value for machine in platform.machines]
    speed = [machine.speed for machine in platform.machines]
    work = np.array([task.work for task in workload.tasks])[:, None]
    assert costs.task_s == pytest.approx(work / np.array(speed) * np.array(factor))
    assert (costs.task_s >= costs.task_dedicated_s).all()


def test_tables_of_many_tasks_on_many_machines_are_refused_before_they_are_made() -> None:
    platform = Platform("campus", tuple(Machine(f"m{i}") for i in range(2000)))
    workload = Workload("many", tuple(Task(f"t{i}", work=1.0) for i in range(20_000)))
    with pytest.raises(InputError, match="2,000 machines and 20,000 tasks need tables of"):
        build_costs(platform, workload)

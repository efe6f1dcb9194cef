"""Programs inside parallel tasks: what they cost by cause, and how that reaches a prediction."""

from __future__ import annotations

import pickle
from collections.abc import Callable
from dataclasses import replace
from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from advisor.advice.explain import explain
from advisor.allocation.feasibility import why_not
from advisor.allocation.plan import Plan
from advisor.allocation.predict import predict
from advisor.allocation.prediction import Prediction
from advisor.allocation.problem import Problem
from advisor.allocation.workload import Task, Workload
from advisor.basics.causes import (
    COMPUTING,
    MESSAGE_OVERHEAD,
    NETWORK_CONTENTION,
    PROCESSOR_WAIT,
    TRANSFERRING,
)
from advisor.messages.styles import (
    ASYNCHRONOUS,
    BLOCKING,
    COMPLETIONS,
    NON_BLOCKING,
    SYNCHRONOUS,
    TRANSPORTS,
)
from advisor.models.logpc import diamond_best_blocks, diamond_makespan
from advisor.programs.diamond_program import DiamondDag
from advisor.programs.em3d import Em3d
from advisor.programs.kinds import kind_of
from advisor.programs.program import PROGRAM_CAUSES, Program, ProgramCost, obstacle
from advisor.programs.remap import Remap
from advisor.project.project import Project
from advisor.project.project_edits import seconds_on, with_machine, with_task
from advisor.search import advise
from machines import (
    Contender,
    Direction,
    InfeasibleError,
    InputError,
    Link,
    Machine,
    Mesh,
    Platform,
)
from machines.catalogue import interconnect

ALEWIFE = interconnect("alewife")
CYCLE = ALEWIFE.unit_s
PARALLEL = Machine("P", network=ALEWIFE)
PLAIN = Machine("W")
REMAP = Remap(messages=100_000, message_bytes=16.0)
WIRE = Direction(0.001, 1e6)


def platform(*machines: Machine) -> Platform:
    links = tuple(Link(first.name, second.name, WIRE, WIRE) for first, second in pairwise(machines))
    return Platform("p", machines, links)


def predicted(program: Program, machine: Machine = PARALLEL) -> Prediction:
    workload = Workload("w", (Task("A", program=program), Task("B", work=1.0)))
    return predict(Problem.of(platform(machine, PLAIN), workload), Plan((0, 1)))


def by_cause(cost: ProgramCost) -> dict[str, float]:
    return dict(zip(PROGRAM_CAUSES, cost.parts_s, strict=True))


def test_an_asynchronous_remap_takes_its_overheads() -> None:
    cost = REMAP.cost(PARALLEL)
    assert cost.seconds == pytest.approx(100_000 * 137 * CYCLE)
    assert by_cause(cost)[MESSAGE_OVERHEAD] == pytest.approx(cost.seconds)


def test_a_synchronous_remap_waits_for_processors_and_network_too() -> None:
    parts = by_cause(replace(REMAP, completion=SYNCHRONOUS).cost(PARALLEL))
    assert parts[MESSAGE_OVERHEAD] == pytest.approx(100_000 * 274 * CYCLE)
    assert parts[TRANSFERRING] == pytest.approx(100_000 * 42 * CYCLE)
    assert parts[PROCESSOR_WAIT] == pytest.approx(100_000 * 137 * CYCLE)
    assert parts[NETWORK_CONTENTION] > 0


def test_em3d_sends_what_the_paper_counts() -> None:
    program = Em3d(nodes=3200, degree=32, nonlocal_share=1.0, span=15, iterations=10)
    cost = program.cost(PARALLEL)
    assert by_cause(cost)[MESSAGE_OVERHEAD] == pytest.approx(10 * 43_840 * CYCLE)
    alone = replace(program, nonlocal_share=0.0, edge_s=1e-6).cost(PARALLEL)
    assert by_cause(alone)[COMPUTING] == pytest.approx(alone.seconds)
    assert alone.seconds == pytest.approx(10 * 3200 * 32 / 32 * 1e-6)


def test_a_diamond_takes_its_closed_form_with_the_best_blocks() -> None:
    program = DiamondDag(n=1024, element_s=CYCLE, mapping="snake")
    _, makespan = diamond_best_blocks(1024, 32, 1.0, ALEWIFE.long, 8.0, receive_overhead=True)
    assert program.cost(PARALLEL).seconds == pytest.approx(makespan * CYCLE)
    coarse = replace(program, blocks=16).cost(PARALLEL)
    expected = diamond_makespan(1024, 32, 16, 1.0, ALEWIFE.long, 512.0, receive_overhead=True)
    assert coarse.seconds == pytest.approx(expected * CYCLE)
    parts = by_cause(coarse)
    assert parts[COMPUTING] == pytest.approx((32 + 15) * 1024**2 / 32 / 16 * CYCLE)
    assert parts[MESSAGE_OVERHEAD] == pytest.approx((15 * 25 + 46 * 129) * CYCLE)
    assert parts[NETWORK_CONTENTION] == pytest.approx(0.0, abs=1e-9)
    scattered = replace(program, mapping="random", bytes_per_value=1000.0)
    assert by_cause(scattered.cost(PARALLEL))[NETWORK_CONTENTION] > 0


remaps = st.builds(
    Remap,
    messages=st.integers(1, 1000),
    message_bytes=st.integers(1, 10_000),
    computation_s=st.floats(0, 0.01),
    completion=st.sampled_from(COMPLETIONS),
    transport=st.sampled_from(TRANSPORTS),
    processes=st.sampled_from([None, 2, 8]),
)


@given(remaps, st.floats(0.5, 4.0))
def test_speed_shortens_computing_and_no_message_costs_less_than_nothing(
    program: Remap, speed: float
) -> None:
    slow, fast = (program.cost(replace(PARALLEL, speed=factor)) for factor in (speed, 2 * speed))
    assert min(slow.parts_s) >= 0
    assert by_cause(fast)[COMPUTING] == pytest.approx(by_cause(slow)[COMPUTING] / 2)
    assert fast.seconds <= slow.seconds * (1 + 1e-9)
    messages = program.messages
    assert by_cause(slow)[COMPUTING] == pytest.approx(messages * program.computation_s / speed)


def test_the_style_changes_the_prediction() -> None:
    before = predicted(Remap(1000, 1000.0, transport=BLOCKING))
    after = predicted(Remap(1000, 1000.0, transport=NON_BLOCKING))
    awaited = predicted(Remap(1000, 1000.0, completion=SYNCHRONOUS))
    assert after.task_s[0] < before.task_s[0] < awaited.task_s[0]
    assert after.total_s < before.total_s


def test_blocks_and_mapping_change_the_prediction() -> None:
    best = predicted(DiamondDag(1024, CYCLE))
    coarse = predicted(DiamondDag(1024, CYCLE, blocks=4))
    assert coarse.task_s[0] > 2 * best.task_s[0]
    shifted = Remap(1000, 10_000.0, pattern="shift", transport=BLOCKING)
    assert predicted(replace(shifted, mapping="random")).task_s[0] > predicted(shifted).task_s[0]


def test_the_causes_of_a_prediction_sum_to_its_totals() -> None:
    loaded = replace(PARALLEL, contenders=(Contender("x", 1.0),))
    found = predicted(Remap(10_000, 1000.0, 1e-4, transport=BLOCKING), loaded)
    assert sum(found.breakdown_s.values()) == pytest.approx(found.total_s)
    assert sum(found.critical_breakdown_s.values()) == pytest.approx(found.makespan_s)
    alone = Remap(10_000, 1000.0, 1e-4, transport=BLOCKING).cost(loaded)
    assert found.task_dedicated_s[0] == pytest.approx(alone.seconds)
    assert found.task_s[0] == pytest.approx(2 * alone.seconds)
    split = by_cause(alone)
    assert found.breakdown_s[NETWORK_CONTENTION] == pytest.approx(split[NETWORK_CONTENTION])
    assert found.breakdown_s[MESSAGE_OVERHEAD] == pytest.approx(split[MESSAGE_OVERHEAD])
    assert found.breakdown_s[COMPUTING] == pytest.approx(split[COMPUTING] + 1.0)
    # the other application doubles everything, messages included
    waited = alone.seconds + split[PROCESSOR_WAIT]
    assert found.breakdown_s[PROCESSOR_WAIT] == pytest.approx(waited)


def test_without_programs_no_cause_is_added() -> None:
    workload = Workload("w", (Task("A", work=1.0),))
    found = predict(Problem.of(platform(PLAIN), workload), Plan((0,)))
    assert NETWORK_CONTENTION not in found.breakdown_s


def test_a_machine_without_network_says_why_not() -> None:
    task = Task("A", program=REMAP)
    problem = Problem.of(platform(PARALLEL, PLAIN), Workload("w", (task,)))
    assert why_not(problem, 0, 0) == ""
    assert "no network" in why_not(problem, 0, 1)
    with pytest.raises(InfeasibleError, match="no network"):
        predict(problem, Plan((1,)))
    with pytest.raises(InfeasibleError, match="W: the machine has no network"):
        Problem.of(platform(PLAIN), Workload("w", (task,)))


def test_stated_seconds_take_precedence_over_the_program() -> None:
    task = Task("A", seconds=(("W", 3.0), ("P", 2.0)), program=REMAP)
    problem = Problem.of(platform(PARALLEL, PLAIN), Workload("w", (task,)))
    assert problem.costs.task_dedicated_s.tolist() == [[2.0, 3.0]]
    found = predict(problem, Plan((0,)))
    assert found.breakdown_s[COMPUTING] == 2.0
    assert seconds_on(task, PLAIN) == 3.0
    assert seconds_on(Task("A", program=REMAP), PLAIN) is None


def refused(program: Program, machine: Machine) -> str:
    """Why the program has no price there; empty: it has one."""
    try:
        assert min(program.cost(machine).parts_s) >= 0.0
    except InputError as error:
        return error.what if error.value is None else f"{error.what} ({error.value})"
    return ""


@pytest.mark.parametrize(
    "program",
    [
        REMAP,
        replace(REMAP, message_bytes=1.5, short_bytes=1.0),
        replace(REMAP, computation_s=1e29),
        Em3d(nodes=2**50, degree=2**50, edge_s=1e20),
        DiamondDag(1024, 1e29),
        replace(REMAP, processes=64),
        replace(REMAP, pattern="shift", reach=32),
        replace(REMAP, pattern="hotspot", node=40),
        replace(REMAP, transport=BLOCKING),
        Em3d(nodes=320, degree=4),
        DiamondDag(2, 1.0, 1.0),
        DiamondDag(1024, 1e-6, blocks=1024),
        DiamondDag(1024, 1e-6, mapping="hilbert"),
    ],
)
@pytest.mark.parametrize("nodes", [(8, 4), (6, 6), (1,), (100, 100)])
def test_what_can_run_has_a_price_and_nothing_else_has(
    program: Program, nodes: tuple[int, ...]
) -> None:
    for gap in (ALEWIFE.long.G, 0.0):
        net = replace(ALEWIFE, network=Mesh(nodes), long=replace(ALEWIFE.long, G=gap))
        machine = Machine("P", network=net)
        assert refused(program, machine) == obstacle(program, machine)
    assert refused(program, PLAIN) == obstacle(program, PLAIN) != ""


def test_an_edit_does_not_solve_the_network(monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(*_arguments: object) -> None:
        pytest.fail("solved on the way")

    for room in ("message_program", "diamond_program"):
        monkeypatch.setattr(f"advisor.programs.{room}.routes_of", refuse)
    workload = Workload("w", (Task("A", program=REMAP),))
    project = Project(workload=workload, platform=platform(PLAIN, PARALLEL), plan=Plan((1,)))
    random = replace(REMAP, mapping="random", seed=7)
    changed = with_task(project, 0, Task("A", program=random))
    assert changed.plan.allocation == (1,)
    with_machine(changed, 1, replace(PARALLEL, network=replace(ALEWIFE, name="other")))
    serial = with_task(project, 0, Task("A", work=1.0))
    for program in (random, Em3d(nodes=320, degree=4), DiamondDag(512, 1e-6)):
        there = replace(serial, plan=Plan((0,)))
        assert with_task(there, 0, Task("A", program=program)).plan.allocation == (1,)


def test_without_contention_nothing_but_contention_is_missing() -> None:
    for program in (replace(REMAP, completion=SYNCHRONOUS), DiamondDag(1024, CYCLE, blocks=16)):
        full, free = program.cost(PARALLEL), program.cost(PARALLEL, False)
        expected = by_cause(full) | {NETWORK_CONTENTION: 0.0}
        assert by_cause(free) == pytest.approx(expected)


def test_too_few_nodes_are_an_obstacle() -> None:
    small = replace(PARALLEL, network=replace(ALEWIFE, network=Mesh((2, 2))))
    assert "32 processes do not fit on 4 nodes" in obstacle(replace(REMAP, processes=32), small)
    single = replace(PARALLEL, network=replace(ALEWIFE, network=Mesh((1,))))
    assert "two nodes" in obstacle(REMAP, single)
    assert "1 + a bytes" in obstacle(DiamondDag(2, 1.0, 1.0), PARALLEL)
    assert not obstacle(REMAP, small)


def test_advice_puts_a_parallel_task_where_its_style_makes_it_best() -> None:
    program = Remap(10_000, 1000.0, completion=SYNCHRONOUS)
    cheap = replace(program, completion=ASYNCHRONOUS, transport=NON_BLOCKING)
    seconds = (("W", 2.0),)
    for one, machine in ((program, 1), (cheap, 0)):
        task = Task("A", seconds=seconds, program=one)
        problem = Problem.of(platform(PARALLEL, PLAIN), Workload("w", (task,)))
        found = advise(problem, seconds=0.1)
        assert found.plan.allocation == (machine,)
        assert explain(problem, found).headline


def test_an_edit_of_the_style_updates_the_project() -> None:
    workload = Workload("w", (Task("A", program=REMAP),))
    project = Project(workload=workload, platform=platform(PLAIN, PARALLEL), plan=Plan((1,)))
    slower = with_task(project, 0, Task("A", program=replace(REMAP, completion=SYNCHRONOUS)))
    assert slower.plan.allocation == (1,)
    times = [
        predict(Problem.of(one.platform, one.workload), one.plan).makespan_s
        for one in (project, slower)
    ]
    assert times[1] > 3 * times[0]


def test_programs_cross_to_another_process() -> None:
    for program in (REMAP, Em3d(10, 2), DiamondDag(8, 1.0)):
        task = Task("A", program=program)
        assert pickle.loads(pickle.dumps(task)) == task
        assert kind_of(program).name in {"remap", "em3d", "diamond"}
    problem = Problem.of(platform(PARALLEL), Workload("w", (Task("A", program=REMAP),)))
    costs = pickle.loads(pickle.dumps(problem.costs))
    assert costs.program_parts_s.tolist() == problem.costs.program_parts_s.tolist()


@pytest.mark.parametrize(
    ("make", "word"),
    [
        (lambda: Remap(0, 16.0), "messages"),
        (lambda: Remap(1, 0.0), "message_bytes"),
        (lambda: Remap(1, 1.0, pattern="gossip"), "all-to-all"),
        (lambda: Remap(1, 1.0, transport="pigeon"), "short"),
        (lambda: Remap(1, 1.0, mapping="spiral"), "snake"),
        (lambda: Remap(1, 1.0, processes=1), "processes"),
        (lambda: Em3d(10, 2, nonlocal_share=1.5), "nonlocal_share"),
        (lambda: Em3d(10, 0), "degree"),
        (lambda: DiamondDag(8, 0.0), "element_s"),
        (lambda: DiamondDag(8, 1.0, blocks=9), "1 to n = 8"),
        (lambda: Task("A", 1.0, program=REMAP), "either work or seconds"),
        (lambda: Task("A"), "program"),
    ],
)
def test_what_is_no_program_is_refused(make: Callable[[], object], word: str) -> None:
    with pytest.raises(InputError, match=word):
        make()

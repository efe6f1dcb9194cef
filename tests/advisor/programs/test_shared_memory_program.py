"""Shared-memory programs inside tasks: their cost by cause, their machines, files and notes."""

from __future__ import annotations

import json
import pickle
from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from advisor.allocation.plan import Plan
from advisor.allocation.predict import predict
from advisor.allocation.problem import Problem
from advisor.allocation.processors import unfit
from advisor.allocation.task_causes import task_causes
from advisor.allocation.workload import Flow, Task, Workload
from advisor.basics.causes import COMPUTING, SHARED_MEMORY_OVERHEAD
from advisor.models.dvsm import FAST_ETHERNET, FUTURE, TODAY, Technology, application_time
from advisor.programs.kinds import kind_of
from advisor.programs.program import PROGRAM_CAUSES, obstacle
from advisor.programs.remap import Remap
from advisor.programs.shared_memory_program import SharedMemoryProgram
from advisor.project.project_edits import seconds_on
from advisor.project.workload_file import dump_json, dump_workload, parse_workload, workload_from
from advisor.shared_memory.application_file import application_table, shipped_application
from advisor.shared_memory.network_file import dvsm_network, dvsm_network_names
from advisor.shared_memory.phases import Application, Load, OperationKind, Phase
from advisor.shared_memory.shared_memory_costs import (
    dedicated_time,
    network_of,
    shared_memory_of,
    technology_of,
)
from machines import (
    Contender,
    Direction,
    InfeasibleError,
    InputError,
    Link,
    Machine,
    Platform,
)
from machines.catalogue import interconnect

WATER = SharedMemoryProgram(shipped_application("water"))
LAB = shared_memory_of(dvsm_network("fast-ethernet"), 8)
LAB_MACHINE = Machine("lab", shared_memory=LAB)
PLAIN = Machine("server")
HEAD = 'format = "placewise-workload"\nversion = 1\nname = "w"\n[[task]]\nname = "A"\n'
SMALL = Application(
    "small",
    4000.0,
    (OperationKind("fault", "fault", (("parts", 1), ("request", 12.0), ("reply", 4096.0))),),
    (Phase("step", 3, (Load(1000.0, (("fault", 2.0),)), Load(900.0))),),
)


def water_on(machine: Machine) -> float:
    return WATER.cost(machine).seconds


def test_its_seconds_are_those_of_table_1() -> None:
    assert water_on(LAB_MACHINE) == pytest.approx(38.7, rel=1e-3)
    atm = Machine("lab", shared_memory=shared_memory_of(dvsm_network("oc3-atm"), 8))
    assert water_on(atm) == pytest.approx(38.1, rel=1e-3)


def test_they_are_split_into_computing_and_overhead() -> None:
    parts = dict(zip(PROGRAM_CAUSES, WATER.cost(LAB_MACHINE).parts_s, strict=True))
    assert {cause for cause, seconds in parts.items() if seconds} == {
        COMPUTING,
        SHARED_MEMORY_OVERHEAD,
    }
    # the sequential 119 s over eight processors
    assert parts[COMPUTING] == pytest.approx(119.0 / 8, rel=1e-3)
    assert sum(parts.values()) == pytest.approx(38.7, rel=1e-3)


def test_the_machine_s_speed_is_the_processor_factor_and_its_factors_are_the_technology() -> None:
    faster = replace(LAB, system_benefit=0.5, protocol=0.2, fault=0.5, lock=0.5)
    machine = Machine("lab", speed=8.0, shared_memory=faster)
    wanted = Technology(8.0, 0.5, 0.2, 0.5, 0.5)
    counts = WATER.application.counted("fast-ethernet")
    found = dedicated_time(WATER.application, machine)
    assert found.time == application_time(FAST_ETHERNET, counts, wanted).time
    assert water_on(machine) < water_on(Machine("lab", speed=8.0, shared_memory=LAB))


@pytest.mark.parametrize("name", dvsm_network_names())
def test_a_preset_becomes_a_machine_and_stays_the_same_network(name: str) -> None:
    preset = dvsm_network(name)
    memory = shared_memory_of(preset, 16)
    assert replace(network_of(memory), name=preset.network.name) == preset.network
    assert (memory.network, memory.source) == (name, preset.source)
    assert technology_of(memory, 1.0) == TODAY
    assert technology_of(memory, 8.0) != FUTURE


@pytest.mark.parametrize(
    ("machine", "reason"),
    [
        (PLAIN, "the machine has no shared memory for a shared-memory program"),
        (Machine("a", network=interconnect("alewife")), "the machine has no shared memory"),
        (Machine("b", shared_memory=replace(LAB, workstations=4)), "for 8 workstations (4)"),
    ],
)
def test_a_machine_without_it_or_with_too_few_workstations_says_so(
    machine: Machine, reason: str
) -> None:
    assert reason in obstacle(WATER, machine)
    task = Task("A", program=WATER)
    assert unfit(task, machine)
    with pytest.raises(InfeasibleError, match="fits on no machine"):
        _ = Problem.of(Platform("p", (machine,)), Workload("w", (task,)), "exact").costs


def test_a_program_of_messages_still_needs_a_network() -> None:
    assert "no network" in obstacle(Remap(10, 16.0), LAB_MACHINE)


def test_extra_times_that_exceed_the_software_of_a_network_are_an_obstacle() -> None:
    kind = replace(SMALL.operations[0], inputs=(*SMALL.operations[0].inputs, ("send_extra", -50.0)))
    program = SharedMemoryProgram(replace(SMALL, operations=(kind,)))
    fast = Machine("f", shared_memory=shared_memory_of(dvsm_network("infiniband-edr"), 8))
    assert obstacle(program, LAB_MACHINE) == ""
    assert "extra time" in obstacle(program, fast)


def platform(machine: Machine = LAB_MACHINE) -> Platform:
    wire = Direction(0.001, 1e6)
    return Platform("p", (machine, PLAIN), (Link("lab", "server", wire, wire),))


def test_contention_and_flows_add_to_it_as_to_any_task() -> None:
    busy = replace(LAB_MACHINE, contenders=(Contender("c", 1.0),))
    tasks = (Task("A", program=WATER), Task("B", work=1.0))
    workload = Workload("w", tasks, (Flow("A", "B", ((1, 1e6),)),))
    problem = Problem.of(platform(busy), workload, "exact")
    prediction = predict(problem, Plan((0, 1)))
    alone = water_on(LAB_MACHINE)
    assert prediction.task_dedicated_s[0] == pytest.approx(alone)
    assert prediction.task_s[0] == pytest.approx(2 * alone)
    overhead = prediction.breakdown_s[SHARED_MEMORY_OVERHEAD]
    assert overhead == pytest.approx(WATER.cost(LAB_MACHINE).parts_s[-1])
    assert sum(prediction.breakdown_s.values()) == pytest.approx(prediction.total_s)
    split = task_causes(problem.costs, prediction)
    assert SHARED_MEMORY_OVERHEAD in split.of(0)
    assert SHARED_MEMORY_OVERHEAD not in split.of(1)
    assert sum(split.of(0).values()) == pytest.approx(2 * alone)


def test_what_the_model_leaves_out_is_warned_of() -> None:
    problem = Problem.of(platform(), Workload("w", (Task("A", program=WATER),)), "exact")
    assert not any("measured on" in text for text in problem.costs.warnings)
    strange = replace(LAB, network="home")
    other = platform(replace(LAB_MACHINE, shared_memory=strange))
    warned = Problem.of(other, Workload("w", (Task("A", program=WATER),)), "exact").costs.warnings
    assert any("A on lab: Extra times" in text and "home" in text for text in warned)
    broken = Task("A", program=SharedMemoryProgram(SMALL))
    warned = Problem.of(platform(), Workload("w", (broken,)), "exact").costs.warnings
    assert any("2.00 too few" in text for text in warned)


def test_stated_seconds_of_a_machine_take_precedence() -> None:
    task = Task("A", program=WATER, seconds=(("server", 50.0),))
    assert seconds_on(task, PLAIN) == 50.0
    assert seconds_on(task, LAB_MACHINE) == pytest.approx(38.7, rel=1e-3)


@given(st.floats(0.25, 16.0), st.floats(0.1, 1.0), st.floats(0.0, 1.0))
def test_its_parts_are_never_negative_and_sum_up(
    speed: float, benefit: float, factor: float
) -> None:
    memory = replace(LAB, system_benefit=benefit, protocol=factor, fault=factor, lock=factor)
    machine = Machine("m", speed=speed, shared_memory=memory)
    cost = SharedMemoryProgram(SMALL).cost(machine)
    assert min(cost.parts_s) >= 0.0
    assert cost.seconds == pytest.approx(dedicated_time(SMALL, machine).time * 1e-6)


def test_a_task_holds_the_counts_themselves() -> None:
    assert kind_of(WATER).name == "shared-memory"
    assert pickle.loads(pickle.dumps(WATER)) == WATER
    workload = Workload(
        "w", (Task("A", program=WATER), Task("B", program=SharedMemoryProgram(SMALL)))
    )
    text = dump_workload(workload)
    assert "sequential_us = 119000000.0" in text
    assert text.count("placewise-application") == 0
    assert parse_workload(text) == workload
    assert workload_from(json.loads(dump_json(workload))) == workload


def test_an_application_that_ships_may_be_named() -> None:
    text = HEAD + 'program = { kind = "shared-memory", application = "water" }'
    assert parse_workload(text).tasks[0].program == WATER


@pytest.mark.parametrize(
    ("program", "message"),
    [
        ('{ kind = "shared-memory" }', "application is missing"),
        ('{ kind = "shared-memory", application = "watr" }', 'Did you mean "water"'),
        ('{ kind = "shared-memory", application = 3 }', "application: this must be a table"),
        ('{ kind = "shared-memory", application = { name = "x" } }', "application: .*is missing"),
        ('{ kind = "shared-memory", aplication = "water" }', 'Did you mean "application"'),
    ],
)
def test_what_is_no_application_is_refused(program: str, message: str) -> None:
    with pytest.raises(InputError, match=f'task "A", program: .*{message}'):
        parse_workload(HEAD + f"program = {program}")
    with pytest.raises(InputError, match="must be an application"):
        SharedMemoryProgram("water")  # type: ignore[arg-type]


def test_the_table_of_a_program_is_that_of_its_file_but_for_its_mark() -> None:
    table = application_table(SMALL)
    assert {"format", "version"} < set(table)
    text = dump_workload(Workload("w", (Task("A", program=SharedMemoryProgram(SMALL)),)))
    for key in ("sequential_us", "[[task.program.application.operation]]"):
        assert key in text

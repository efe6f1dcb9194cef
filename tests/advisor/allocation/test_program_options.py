"""The best of what programs leave open, by formulas written here and by trying everything."""

from __future__ import annotations

import itertools
from dataclasses import replace

import numpy as np
import pytest

from advisor.allocation.choices import chosen_task
from advisor.allocation.problem import Problem
from advisor.allocation.program_options import options_of, program_options
from advisor.allocation.workload import Task, Workload
from advisor.messages.networks import reshaped
from advisor.messages.styles import STYLES
from advisor.programs.choices.program_choice import CHOOSE
from advisor.programs.diamond_program import DiamondDag
from advisor.programs.program import obstacle
from advisor.programs.remap import Remap
from machines import Contender, Direction, InputError, Link, Machine, Platform
from machines.catalogue import interconnect

NET = interconnect("alewife-1")
SMALL = reshaped(NET, "2x2")
WAY = Direction(1e-4, 1e8)
OPEN = Remap(
    500, 200.0, computation_s=2e-6, pattern="shift", completion=CHOOSE, transport=CHOOSE
)  # fmt: skip
MACHINES = (
    Machine("big", network=NET),
    Machine("small", speed=2.0, network=SMALL, contenders=(Contender("other", 1.0),)),
    Machine("plain"),
)


def platform(*machines: Machine) -> Platform:
    links = tuple(Link(a.name, b.name, WAY, WAY) for a, b in itertools.combinations(machines, 2))
    return Platform("p", machines, links)


def every_s(task: Task, machine: Machine) -> dict[tuple[object, ...], float]:
    """Seconds of all styles with all mappings, as far as they can run."""
    found = {}
    for style, mapping in itertools.product(
        STYLES, ("row-major", "snake", "gray", "hilbert", "optimised")
    ):
        one = chosen_task(task, {"style": style, "mapping": mapping}).program
        if not obstacle(one, machine):
            found[style, mapping] = one.cost(machine).seconds
    return found


@pytest.mark.parametrize("size", [8.0, 64.0, 4000.0])
@pytest.mark.parametrize("machine", MACHINES[:2], ids=lambda one: one.name)
def test_no_style_with_no_mapping_is_better_than_the_best(machine: Machine, size: float) -> None:
    task = Task("t", program=replace(OPEN, message_bytes=size))
    best = dict(options_of(0, task, platform(machine)).chosen[0])
    every = every_s(task, machine)
    assert every[best["style"], best["mapping"]] <= min(every.values()) * (1 + 1e-9)


def test_asynchronous_messages_cost_their_overheads_where_bytes_hide_behind_computing() -> None:
    """o_s + o_r a message beside the computing: Moritz & Frank 2001, sec. 2.2 and 5.1.3."""
    p, unit = NET.long, NET.unit_s
    busy = replace(OPEN, message_bytes=64.0, computation_s=1.0)
    task = Task("t", program=busy)
    (options,) = program_options(platform(*MACHINES), Workload("w", (task,)))
    short = (NET.short.o_s + NET.short.o_r) * unit * 4  # 16 bytes each
    long = (p.o_s + p.o_r) * unit
    expected = 500 * (1.0 + min(short, long))
    assert options.parts_s[0].sum() == pytest.approx(expected, rel=1e-9)
    chosen = dict(options.chosen[0])
    assert chosen["style"].completion == "asynchronous"


def test_what_can_not_run_or_is_stated_leaves_nothing_to_choose() -> None:
    stated = Task("s", program=OPEN, seconds=(("small", 3.0),))
    (options,) = program_options(platform(*MACHINES), Workload("w", (stated,)))
    assert [bool(one) for one in options.chosen] == [True, False, False]
    assert np.isnan(options.parts_s[1:]).all()
    assert options.on(1) == ()
    assert {one.name for one in options.on(0)} == {"style", "mapping"}
    assert all(one.task == 0 for one in options.on(0))
    assert options_of(0, Task("w", work=1.0), platform(MACHINES[0])).chosen == ((),)
    assert options_of(0, stated, platform(MACHINES[1])).chosen == ((),)


def test_only_programs_that_leave_something_open_have_options() -> None:
    closed = replace(OPEN, completion="synchronous", transport="short", mapping="snake")
    tasks = (
        Task("closed", program=closed),
        Task("wave", program=DiamondDag(n=64, element_s=1e-6, mapping="snake")),
        Task("work", work=1.0),
    )
    found = program_options(platform(*MACHINES), Workload("w", tasks))
    assert [one.task for one in found] == [1]
    assert [name for name, _ in found[0].chosen[0]] == ["block"]


def test_the_freest_problem_has_every_program_at_its_best_everywhere() -> None:
    """Contended by the machine's slowdown, 2 beside one CPU-bound contender."""
    tasks = (Task("t", program=OPEN), Task("u", work=1.0))
    problem = Problem.of(platform(*MACHINES), Workload("w", tasks))
    (options,) = problem.program_options
    freest = problem.freest.costs
    alone = options.parts_s.sum(axis=1)
    assert freest.task_dedicated_s[0, :2] == pytest.approx(alone[:2])
    assert freest.task_s[0, :2] == pytest.approx(alone[:2] * [1.0, 2.0])
    assert np.isinf(freest.task_s[0, 2])
    assert freest.task_s[1].tolist() == problem.costs.task_s[1].tolist()
    assert freest.program_parts_s[0, :2] == pytest.approx(options.parts_s[:2])
    assert (freest.task_s[0, :2] <= problem.costs.task_s[0, :2] * (1 + 1e-12)).all()


def test_a_problem_on_another_platform_keeps_what_is_decided() -> None:
    tasks = (Task("t", program=OPEN), Task("u", work=1.0))
    problem = Problem.of(platform(*MACHINES), Workload("w", tasks))
    (options,) = problem.program_options
    decided = problem.decided(options.on(0))
    faster = platform(replace(MACHINES[0], speed=2.0), *MACHINES[1:])
    there = decided.on(faster)
    assert there.is_decided
    assert there.workload == decided.workload
    assert there.costs.task_s[1, 0] == pytest.approx(0.5 * decided.costs.task_s[1, 0])
    assert not problem.on(faster).is_decided


def test_a_mapping_for_another_network_can_not_be_carried_out_there() -> None:
    nodes = tuple(range(NET.network.size))
    task = chosen_task(Task("t", program=OPEN), {"mapping": nodes})
    assert not obstacle(task.program, MACHINES[0])
    with pytest.raises(InputError):
        task.program.check(MACHINES[1])

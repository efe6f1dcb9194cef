"""What SimGrid is told of a plan: tasks, items and rules, and what it does not check."""

from __future__ import annotations

from dataclasses import replace

import pytest

from advisor.allocation.data_files import DataFile
from advisor.allocation.plan import Plan
from advisor.allocation.problem import Problem
from advisor.allocation.workload import Flow, Task, Workload
from advisor.export.simgrid.simgrid_document import Simulated, simulated
from advisor.scaling.law import Scaling
from machines import (
    Contender,
    Direction,
    InfeasibleError,
    InputError,
    Link,
    LinkPiece,
    Machine,
    Platform,
    Runtime,
    Store,
)

WAY = Direction(0.5, 100.0, LinkPiece(64.0, 1.0, 50.0))
MACHINES = Machine("A", 2), Machine("B", 1, 2.0)
LINKS = (Link("A", "B", WAY, WAY), Link("disk", "A", WAY, WAY))
PLATFORM = Platform("p", MACHINES, LINKS, stores=(Store("disk"),))
TASKS = (
    Task("make", 4.0, writes=("data", "empty")),
    Task("use", 4.0, reads=("data", "in")),
    Task("end", 2.0, cores=2, reads=("data", "empty")),
)
FILES = (DataFile("data", 80.0), DataFile("in", 30.0), DataFile("empty", 0.0))
WORKLOAD = Workload("w", TASKS, (Flow("use", "end"),), FILES)
PLAN = Plan((0, 1, 0), (0, 1, 2))


def told(
    platform: Platform = PLATFORM, workload: Workload = WORKLOAD, plan: Plan = PLAN
) -> Simulated:
    return simulated(Problem.of(platform, workload), plan)


def test_tasks_are_told_with_their_seconds_where_they_run_and_what_they_wait_for() -> None:
    assert told().plan["tasks"] == [
        {"name": "make", "machine": 0, "cores": 1, "seconds": 4.0, "after": [], "held": []},
        {"name": "use", "machine": 1, "cores": 1, "seconds": 2.0, "after": [0], "held": []},
        {"name": "end", "machine": 0, "cores": 2, "seconds": 2.0, "after": [0, 1], "held": []},
    ]


def test_files_are_told_once_with_their_readers_and_where_they_lie() -> None:
    made, outside = told().plan["items"]
    assert made == {
        "name": "data", "bytes": 80.0, "host": 0, "writer": 0, "readers": [1, 2],
        "ways": {"1": {"delay_s": 1.0, "rate": 50.0}},
    }  # fmt: skip
    assert (outside["name"], outside["host"], outside["writer"]) == ("in", 2, None)
    # the route from the disk leads through A; the links' first pieces hold for 30 bytes
    assert outside["ways"] == {}


def test_an_outside_file_that_lies_nowhere_is_left_out_and_said() -> None:
    platform = replace(PLATFORM, links=LINKS[:1], stores=())
    found = told(platform)
    assert [item["name"] for item in found.plan["items"]] == ["data"]
    assert found.notes == (
        "1 outside file of 30 B lies nowhere and costs nothing: at is not stated",
    )


def test_an_outside_file_lies_where_it_says() -> None:
    files = (FILES[0], DataFile("in", 30.0, "B"), FILES[2])
    items = told(workload=replace(WORKLOAD, files=files)).plan["items"]
    assert items[1]["host"] == 1


def test_flows_with_stated_seconds_take_these() -> None:
    flow = Flow("make", "use", ((1, 10.5),), ((("A", "B"), 7.0),))
    workload = Workload("w", (Task("make", 1.0), Task("use", 1.0)), (flow,))
    found = told(workload=workload, plan=Plan((0, 1)))
    (item,) = found.plan["items"]
    assert item["ways"] == {"1": {"seconds": 7.0}}
    assert found.notes == (
        "SimGrid moves whole bytes: 1 size is rounded",
        "1 flow takes its stated seconds in SimGrid, too, and no link's share",
    )


def test_the_runtime_and_the_order_are_told() -> None:
    runtime = Runtime("slot", "each", 2.5, "ready", "rtt", 9.0, 5.0, 0.5, 20.0, 2.0)
    found = told(replace(PLATFORM, runtime=runtime), plan=Plan((0, 1, 0), (0, 1, 2))).plan
    assert found["runtime"] == {
        "fetch": "slot", "copies": "each", "task_overhead_s": 2.5, "order": "ready",
        "fairness": "rtt", "begin_s": 9.0, "poll_s": 5.0, "submit_s": 0.5, "cycle_s": 20.0,
        "reclaim_s": 2.0,
    }  # fmt: skip
    assert found["sequence"] == [0, 1, 2]


def test_a_plan_without_an_order_is_carried_out_by_classical_starts() -> None:
    tasks = tuple(Task(name, work) for name, work in (("b", 1.0), ("a", 9.0), ("c", 5.0)))
    platform = Platform("p", (Machine("A"),))
    found = told(platform, Workload("w", tasks), Plan((0, 0, 0)))
    assert found.plan["sequence"] == [1, 2, 0]


@pytest.mark.parametrize(
    ("machine", "contenders", "speeds"),
    [
        (Machine("A", 2), 0, []),
        (Machine("A", 2, contenders=(Contender("c", 1.0),)), 1, []),
        (Machine("A", 2, slowdown=4.0), 0, [0.25, 0.25]),
        (Machine("A", 1, contenders=(Contender("c", 0.5),)), 0, [2 / 3]),
    ],
    ids=["empty", "CPU-bound", "stated", "part-time"],
)
def test_only_what_always_computes_runs_beside_the_tasks(
    machine: Machine, contenders: int, speeds: list[float]
) -> None:
    found = told(Platform("p", (machine,)), Workload("w", (Task("t", 1.0),)), Plan((0,)))
    (host,) = found.plan["hosts"]
    assert (host["contenders"], host["cores"]) == (contenders, machine.cores)
    assert host["speeds"] == pytest.approx(speeds)
    assert bool(found.notes) == bool(speeds)
    if speeds:
        assert found.notes[0].startswith("SimGrid takes the speed of tasks on A from")


def test_scalable_tasks_take_the_processors_of_the_plan() -> None:
    task = Task("t", 8.0, scaling=Scaling(0.0))
    platform = Platform("p", (Machine("A", 4),))
    found = told(platform, Workload("w", (task,)), Plan((0,), processors=(4,)))
    assert [(one["cores"], one["seconds"]) for one in found.plan["tasks"]] == [(4, 2.0)]


def test_a_file_that_can_not_get_there_is_refused() -> None:
    platform = replace(PLATFORM, links=LINKS[1:])
    workload = Workload("w", (Task("use", 1.0, reads=("in",)),), (), (DataFile("in", 5.0),))
    with pytest.raises(InfeasibleError, match="can't get to B"):
        told(platform, workload, Plan((1,)))


def test_memory_bandwidth_is_refused_rather_than_left_out() -> None:
    platform = Platform("p", (Machine("M", 2, memory_bandwidth=8.0),))
    workload = Workload("w", (Task("a", 1.0, memory_bandwidth=8.0),))
    with pytest.raises(InputError, match="does not simulate memory bandwidth"):
        simulated(Problem.of(platform, workload), Plan((0,)))

"""A problem of four tasks on two machines, and runs of it whose truth is known."""

from __future__ import annotations

from functools import cache

from advisor.allocation.problem import Problem
from advisor.allocation.workload import Flow, Task, Workload
from advisor.runs.run_record import Run, TaskRun
from machines import Direction, Link, Machine, Platform

NAMES = ("split", "left", "right", "join")
WIRE = Direction(0.001, 1e6)
EDGES = (("split", "left"), ("split", "right"), ("left", "join"), ("right", "join"))


@cache
def diamond(names: tuple[str, ...] = NAMES, edges: tuple[tuple[str, str], ...] = EDGES) -> Problem:
    """`split` → `left`, `right` → `join` (or as named), on M1 and M2."""
    tasks = tuple(Task(name, work=1.0) for name in names)
    flows = tuple(Flow(source, target, data_sets=((1, 1000.0),)) for source, target in edges)
    machines = (Machine("M1"), Machine("M2"))
    platform = Platform("two", machines, (Link("M1", "M2", WIRE, WIRE),))
    return Problem.of(platform, Workload("diamond", tasks, flows))


def task_run(task: str, machine: str, start_s: float, end_s: float, **more: object) -> TaskRun:
    """A line of a run."""
    return TaskRun(task, machine, start_s, end_s, **more)  # type: ignore[arg-type]


def run_of(*tasks: TaskRun, **more: object) -> Run:
    """A run that is called "one"."""
    return Run("one", tasks, **more)  # type: ignore[arg-type]


def plain_run(skew_s: float = 0.0, **more: object) -> Run:
    """Both branches at once, M2's clock ahead by `skew_s`; transfers take 0.5 s each way."""
    return run_of(
        task_run("split", "M1", 0.0, 2.0),
        task_run("left", "M1", 2.0, 5.0),
        task_run("right", "M2", 2.5 + skew_s, 6.0 + skew_s),
        task_run("join", "M1", 6.5, 8.0),
        **more,
    )

"""An execution without the machines that a plan leaves idle is the same execution."""

from __future__ import annotations

import numpy as np
import pytest

from advisor.allocation.data_files import DataFile
from advisor.allocation.placement import placement
from advisor.allocation.plan import Plan
from advisor.allocation.problem import Problem
from advisor.allocation.used_machines import of_used_machines
from advisor.allocation.workload import Flow, Task, Workload
from advisor.kernels import execution_kernel as kernel
from machines import (
    Contender,
    CoreGroup,
    Direction,
    Link,
    Machine,
    Platform,
    Resource,
    Store,
    Switch,
)

MANY = 70


def problem() -> Problem:
    """Unlike machines at a switch, a store, a file there and one on a machine, eight tasks."""
    rng = np.random.default_rng(3)
    platform = Platform(
        "p",
        tuple(
            Machine(
                f"m{at}",
                cores=1 + at % 3,
                speed=float(rng.uniform(1.0, 3.0)),
                contenders=(Contender("c", 0.5),) * int(rng.integers(0, 2)),
                resources=(Resource("gpu", 1 + at % 2),),
                memory_bytes=1000 + at,
                up_s=float(20 + at),
                memory_bandwidth=2e6 + 1e3 * at,
                core_groups=(CoreGroup("P", 1), CoreGroup("E", 1, 0.5)) if at % 3 == 1 else (),
            )
            for at in range(MANY)
        ),
        tuple(
            Link(name, "s", Direction(0.1, 1e6 * (1 + at % 3)), Direction(0.2, 2e6))
            for at, name in enumerate([*(f"m{at}" for at in range(MANY)), "disk"])
        ),
        (Switch("s", 5e6),),
        (Store("disk"),),
        resources=(Resource("licence", 1),),
    )
    files = (DataFile("in", 3e6, "disk"), DataFile("own", 2e6, "m5"))
    tasks = tuple(
        Task(
            f"t{at}",
            float(rng.uniform(1.0, 9.0)),
            reads=("in", "own") if at < 3 else (),
            memory_bytes=600,
            resources=(("gpu", 1), ("licence", 1)) if at % 2 else (),
            memory_bandwidth=1.8e6,
        )
        for at in range(8)
    )
    flows = tuple(
        Flow(f"t{at // 2}", f"t{at}", ((1, 1e6 * at), (2, 5e5)), ((("m1", "m2"), 4.0),))
        for at in range(1, 8)
    )
    return Problem.of(platform, Workload("w", tasks, flows, files))


@pytest.mark.parametrize("seed", range(6))
def test_idle_machines_change_nothing(seed: int) -> None:
    asked = problem()
    rng = np.random.default_rng(seed)
    plan = Plan(tuple(rng.integers(0, MANY if seed % 2 else 4, 8).tolist()))
    allocation, order = placement(asked, plan)
    fewer, there = of_used_machines(asked.executed, allocation)
    assert fewer.machine_cores.size <= 9
    runs = []
    for instance, machines in ((asked.executed, allocation), (fewer, there)):
        run, trace = kernel.blank(instance), np.empty((500, 3))
        _, changes = kernel.execute(instance, machines, order, run, trace)
        runs.append((*run, trace[:changes]))
    for before, after in zip(*runs, strict=True):
        np.testing.assert_array_equal(before, after)


def test_few_machines_stay_as_they_are() -> None:
    asked = problem()
    allocation, _ = placement(asked, Plan(tuple(range(8))))
    many = np.arange(MANY, dtype=np.int32)
    assert of_used_machines(asked.executed, many)[0] is asked.executed
    assert of_used_machines(asked.executed, allocation)[0] is not asked.executed

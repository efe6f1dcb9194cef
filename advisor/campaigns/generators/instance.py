"""A shape on machines: times of the tasks there, and volumes that give the CCR asked for.

All sums are exact (`math.fsum`), so that the order in which a processor adds does not matter: one
seed gives one instance everywhere.
"""

from __future__ import annotations

from math import fsum

import numpy as np

from advisor.allocation.workload import Flow, Task, Workload
from advisor.campaigns.generators.generator import Instance
from advisor.campaigns.generators.own_machines import own_machines
from advisor.campaigns.generators.settings import Settings
from advisor.campaigns.generators.shape import Shape
from advisor.campaigns.generators.volumes import flow_bytes
from machines import InputError, Platform
from machines.routes import fits_tables
from machines.stopping import ask


def instance(
    shape: Shape, settings: Settings, rng: np.random.Generator, platform: Platform | None
) -> Instance:
    """The workload and the machines that it is for.

    `rng`: draws what differs between machines. `platform`: the machines; ``None``: the settings'
    own.
    """
    machines = _machines(settings, rng, platform)
    fits_tables(machines, len(shape.names))
    scale = settings.task_seconds * len(shape.work) / fsum(shape.work)
    work = [scale * one for one in shape.work]
    ask()
    tasks, mean_s = _tasks(shape, work, settings, rng, machines)
    sizes = flow_bytes(shape.volumes, settings.ccr, mean_s, machines, settings.where)
    ask()
    names = shape.names
    flows = tuple(
        Flow(names[source], names[target], ((1, size),) if size else ())
        for source, target, size in zip(shape.sources, shape.targets, sizes, strict=True)
    )
    ask()
    return Workload(settings.FAMILY, tasks, flows), machines


def _machines(settings: Settings, rng: np.random.Generator, platform: Platform | None) -> Platform:
    if (settings.machines is None) == (platform is None):
        raise InputError(
            "there are no machines" if platform is None else "there are two sets of machines",
            where=settings.where, value=settings.machines,
            remedy="State platforms, or machines = N for machines of its own",
        )  # fmt: skip
    return platform or own_machines(settings, settings.machines or 0, rng)


def _tasks(
    shape: Shape,
    work: list[float],
    settings: Settings,
    rng: np.random.Generator,
    platform: Platform,
) -> tuple[tuple[Task, ...], float]:
    """The tasks, and their mean seconds over tasks and machines."""
    names = [machine.name for machine in platform.machines]
    unit_s = [1.0 / machine.speed for machine in platform.machines]
    named = zip(shape.names, shape.kinds, work, strict=True)
    if settings.consistent:
        tasks = tuple(Task(name, one, kind=kind) for name, kind, one in named)
        mean = fsum(one / machine.speed for machine in platform.machines for one in work)
        return tasks, mean / (len(work) * len(names))
    low, high = 1.0 - settings.spread, 1.0 + settings.spread
    factors = rng.uniform(low, high, (len(work), len(names)))
    seconds = (np.array(work)[:, None] * np.array(unit_s) * factors).tolist()
    tasks = tuple(
        Task(name, seconds=tuple(zip(names, row, strict=True)), kind=kind)
        for (name, kind, _), row in zip(named, seconds, strict=True)
    )
    return tasks, fsum(one for row in seconds for one in row) / (len(work) * len(names))

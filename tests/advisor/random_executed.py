"""Small random problems whose transfers share a network of every kind, from a seed."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from advisor.allocation.data_files import DataFile
from advisor.allocation.problem import Problem
from advisor.allocation.workload import Flow, Task, Workload
from machines import (
    Contender,
    CoreGroup,
    Direction,
    Link,
    LinkPiece,
    Machine,
    Platform,
    Resource,
    Store,
    Switch,
)
from machines.runtime import Runtime

SHARINGS = ("duplex", "shared", "free")


def random_executed(
    seed: int, most_tasks: int = 5, most_machines: int = 3, *, plain: bool = False
) -> Problem:
    """Machines at a bus, a star or linked in pairs, mostly with a store, under any runtime.

    Half of them have memory and resources that tasks wait for, and unequal cores; none if `plain`.
    """
    rng = np.random.default_rng(seed)
    machines = tuple(_machine(rng, q) for q in range(rng.integers(1, most_machines + 1)))
    stores = (Store("S"),) if rng.random() < 0.7 else ()
    ends = [*(one.name for one in machines), *(one.name for one in stores)]
    switches, links = _network(rng, ends)
    runtime = Runtime(
        fetch=str(rng.choice(["ahead", "slot"])),
        copies=str(rng.choice(["once", "each"])),
        task_overhead_s=float(rng.choice([0.0, 0.0, 0.5])),
        order=str(rng.choice(["plan", "ready"])),
        fairness=str(rng.choice(["equal", "rtt"])),
    )
    platform = Platform(
        "random", machines, links, switches=switches, stores=stores, runtime=runtime
    )
    workload = _workload(rng, platform, most_tasks)
    return Problem.of(*((platform, workload) if plain else equipped(seed, platform, workload)))


def equipped(seed: int, platform: Platform, workload: Workload) -> tuple[Platform, Workload]:
    """Half of the times with memory, GPUs, licences and unequal cores, and tasks that need them."""
    rng = np.random.default_rng((seed, 2))  # another one: the rest stays as it is without
    if rng.random() < 0.5:
        return platform, workload
    machines = tuple(
        replace(
            one,
            memory_bytes=int(rng.choice([10, 16])) if rng.random() < 0.6 else None,
            resources=(Resource("gpu", int(rng.integers(1, 3))),),
            core_groups=(CoreGroup("P", 1), CoreGroup("E", one.cores - 1, 0.5))
            if one.cores > 1 and rng.random() < 0.5
            else (),
        )
        for one in platform.machines
    )
    licences = (Resource("licence", 2),) if rng.random() < 0.5 else ()
    kinds = ("gpu", "licence") if licences else ("gpu",)
    tasks = tuple(
        replace(
            one,
            memory_bytes=int(rng.integers(0, 11)),
            resources=tuple((kind, 1) for kind in kinds if rng.random() < 0.4),
        )
        for one in workload.tasks
    )
    found = replace(platform, machines=machines, resources=licences)
    return short_of_memory(seed, found, workload.repriced(tasks, workload.flows))


def short_of_memory(seed: int, platform: Platform, workload: Workload) -> tuple[Platform, Workload]:
    """Half of the times machines are short of memory bandwidth, which most tasks draw."""
    rng = np.random.default_rng((seed, 3))
    if rng.random() < 0.5:
        return platform, workload
    machines = tuple(
        replace(one, memory_bandwidth=float(rng.choice([3.0, 6.0])) if rng.random() < 0.8 else None)
        for one in platform.machines
    )
    tasks = tuple(
        replace(one, memory_bandwidth=float(rng.choice([1.0, 4.0])) if rng.random() < 0.8 else None)
        for one in workload.tasks
    )
    return replace(platform, machines=machines), workload.repriced(tasks, workload.flows)


def _machine(rng: np.random.Generator, number: int) -> Machine:
    cores = int(rng.integers(1, 4)) if number else 2
    contenders = tuple(
        Contender(f"c{i}", float(rng.choice([1.0, 0.5]))) for i in range(rng.integers(0, 3))
    )
    return Machine(f"M{number}", cores, float(rng.choice([0.5, 1.0, 2.0])), contenders=contenders)


def _way(rng: np.random.Generator) -> Direction:
    piece = LinkPiece(80.0, 0.5, 60.0) if rng.random() < 0.15 else None
    return Direction(float(rng.choice([0.0, 0.1, 1.0])), float(rng.choice([10.0, 30.0])), piece)


def _network(
    rng: np.random.Generator, ends: list[str]
) -> tuple[tuple[Switch, ...], tuple[Link, ...]]:
    sharing = str(rng.choice(SHARINGS))
    if rng.random() < 0.4:
        pairs = [(a, b) for i, a in enumerate(ends) for b in ends[:i]]
        return (), tuple(Link(a, b, _way(rng), _way(rng), sharing=sharing) for a, b in pairs)
    bandwidth = float(rng.choice([8.0, 40.0])) if rng.random() < 0.6 else None
    switches = (Switch("bus", bandwidth),) if len(ends) > 1 else ()
    links = tuple(
        Link(end, one.name, _way(rng), _way(rng), sharing=sharing)
        for end in ends
        for one in switches
    )
    return switches, links


def _workload(rng: np.random.Generator, platform: Platform, most_tasks: int) -> Workload:
    names = [one.name for one in platform.machines]
    count = int(rng.integers(1, most_tasks + 1))
    reads: list[list[str]] = [[] for _ in range(count)]
    writes: list[list[str]] = [[] for _ in range(count)]
    files = []
    for number in range(rng.integers(0, 5)):
        writer = int(rng.integers(-2, count))
        homes = [*platform.hosts]
        home = str(rng.choice(homes)) if writer < 0 else None
        if writer < 0 and platform.stores and rng.random() < 0.6:
            home = "S"
        files.append(DataFile(f"f{number}", float(rng.integers(0, 200)), home))
        if writer >= 0:
            writes[writer].append(f"f{number}")
        for reader in range(writer + 1 if writer >= 0 else 0, count):
            if rng.random() < 0.5:
                reads[reader].append(f"f{number}")
    tasks = tuple(
        Task(
            f"t{i}",
            work=float(rng.integers(0, 6)),
            cores=2 if rng.random() < 0.2 else 1,
            allowed=(str(rng.choice(names)),) if rng.random() < 0.2 else None,
            reads=tuple(reads[i]),
            writes=tuple(writes[i]),
        )
        for i in range(count)
    )
    tasks = tuple(
        Task(t.name, work=t.work, allowed=t.allowed, reads=t.reads, writes=t.writes)
        if t.allowed is not None and platform.machine(t.allowed[0]).cores < t.cores
        else t
        for t in tasks
    )
    flows = tuple(
        Flow(f"t{i}", f"t{j}", ((int(rng.integers(1, 3)), float(rng.integers(1, 90))),))
        for j in range(count)
        for i in range(j)
        if rng.random() < 0.25
    )
    return Workload("random", tasks, flows, tuple(files))

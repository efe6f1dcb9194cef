"""Random platforms, workloads and plans with all that the executed timeline knows, from a seed.

Links of every sharing, protocol pieces, slowdowns, switches, stores, contenders, several cores,
files of all kinds, flows of several messages or stated seconds, late workers, and every runtime.
"""

from __future__ import annotations

import random
from dataclasses import replace
from itertools import combinations

from advisor.allocation.data_files import DataFile
from advisor.allocation.plan import Plan
from advisor.allocation.workload import Flow, Task, Workload
from machines import (
    Contender,
    Direction,
    Link,
    LinkPiece,
    Machine,
    Platform,
    Runtime,
    Store,
    Switch,
)


def random_plan(seed: int) -> tuple[Platform, Workload, Plan]:
    """A platform, a workload that runs on it, and a plan with an order of its own."""
    draw = random.Random(seed)
    platform = _platform(draw)
    workload = _workload(draw, platform)
    plan = _plan(draw, platform, workload)
    up_s = (draw.choice([None, None, None, None, 3.0, 7.5]) for _ in platform.machines)
    machines = tuple(map(_up, platform.machines, up_s))
    return replace(platform, machines=machines), workload, plan


def _up(machine: Machine, up_s: float | None) -> Machine:
    return replace(machine, up_s=up_s)


def _platform(draw: random.Random) -> Platform:
    machines = tuple(_machine(draw, f"m{k}") for k in range(draw.randint(2, 6)))
    stores = (Store("disk"),) if draw.random() < 0.5 else ()
    names = [one.name for one in (*machines, *stores)]
    kind = draw.choice(["star", "bus", "racks", "pairs"])
    switches: tuple[Switch, ...] = ()
    if kind in {"star", "bus"}:
        switches = (Switch("sw", 120.0 if kind == "bus" else None),)
        ends = [(name, "sw") for name in names]
    elif kind == "racks":
        # the spare bandwidths make some switches what transfers share
        widths = [draw.choice([None, 150.0, 200.0]) for _ in range(4)]
        switches = tuple(Switch(f"s{k}", width) for k, width in enumerate(widths))
        ends = [(name, f"s{k % 2}") for k, name in enumerate(names)]
        ends += [(low, high) for low in ("s0", "s1") for high in ("s2", "s3")]
    else:
        ends = list(combinations(names, 2))
    links = tuple(_link(draw, *pair) for pair in ends)
    runtime = Runtime(
        draw.choice(["ahead", "slot"]),
        draw.choice(["once", "each"]),
        draw.choice([0.0, 2.5]),
        draw.choice(["plan", "ready"]),
        draw.choice(["equal", "rtt"]),
        *(draw.choice([0.0, 0.0, 0.0, most]) for most in (3.0, 5.0, 0.5, 4.0, 4.0)),
    )
    return Platform("random", machines, links, switches, stores, runtime)


def _machine(draw: random.Random, name: str) -> Machine:
    contenders: tuple[Contender, ...] = ()
    case = draw.random()
    if case < 0.4:
        compute = draw.choice([1.0, 1.0, 0.5])
        contenders = tuple(Contender(f"c{k}", compute) for k in range(draw.randint(1, 3)))
    slowdown = 2.0 if case > 0.9 else None
    return Machine(name, draw.choice([1, 2, 4]), slowdown=slowdown, contenders=contenders)


def _link(draw: random.Random, first: str, second: str) -> Link:
    there = _way(draw)
    back = there if draw.random() < 0.7 else _way(draw)
    sharing = draw.choice(["duplex", "duplex", "shared", "free"])
    return Link(first, second, there, back, draw.choice([None, None, 1.5]), sharing=sharing)


def _way(draw: random.Random) -> Direction:
    startup_s = draw.choice([0.25, 0.5, 1.0])
    above = LinkPiece(draw.choice([100.0, 300.0]), startup_s + 0.25, draw.choice([50.0, 400.0]))
    bandwidth = draw.choice([50.0, 100.0, 200.0, 333.0])
    return Direction(startup_s, bandwidth, above if draw.random() < 0.15 else None)


def _workload(draw: random.Random, platform: Platform) -> Workload:
    count = draw.randint(3, 25)
    most = max(machine.cores for machine in platform.machines)
    files: list[DataFile] = []
    reads: list[list[str]] = [[] for _ in range(count)]
    writes: list[list[str]] = [[] for _ in range(count)]
    for k in range(draw.randint(0, 4)):
        at = draw.choice(platform.hosts)
        files.append(DataFile(f"in{k}", 10.0 * draw.randint(0, 40), at))
        for reader in draw.sample(range(count), min(count, 3)):
            reads[reader].append(f"in{k}")
    for writer in range(count - 1) if draw.random() < 0.7 else ():
        files.append(DataFile(f"f{writer}", draw.choice([0.0, 20.0, 70.0, 130.0, 400.0])))
        writes[writer].append(f"f{writer}")
        later = range(writer + 1, count)
        for reader in draw.sample(later, min(len(later), draw.randint(1, 4))):
            reads[reader].append(f"f{writer}")
    tasks = tuple(
        Task(
            f"t{k}",
            draw.choice([0.0, 5.0, 10.0, 17.0, 33.0]),
            cores=1 if draw.random() < 0.8 else min(2, most),
            reads=tuple(reads[k]),
            writes=tuple(writes[k]),
        )
        for k in range(count)
    )
    near = [(a, b) for a in range(count) for b in range(a + 1, min(count, a + 6))]
    flows = tuple(_flow(draw, platform, *pair) for pair in near if draw.random() < 0.15)
    return Workload("random", tasks, flows, tuple(files))


def _flow(draw: random.Random, platform: Platform, source: int, target: int) -> Flow:
    sizes = tuple(
        (draw.randint(1, 3), 10.0 * draw.randint(1, 40)) for _ in range(draw.randint(0, 2))
    )
    pairs = [(a.name, b.name) for a in platform.machines for b in platform.machines if a != b]
    stated = tuple((pair, 7.0) for pair in pairs) if draw.random() < 0.1 else ()
    return Flow(f"t{source}", f"t{target}", sizes, stated)


def _plan(draw: random.Random, platform: Platform, workload: Workload) -> Plan:
    """Machines that have the cores, and any order in which producers come first."""
    allocation = tuple(
        draw.choice([k for k, one in enumerate(platform.machines) if one.cores >= task.cores])
        for task in workload.tasks
    )
    ends = list(zip(workload.sources.tolist(), workload.targets.tolist(), strict=True))
    waiting = [{source for source, target in ends if target == k} for k in range(len(allocation))]
    order: list[int] = []
    while len(order) < len(waiting):
        free = [k for k, before in enumerate(waiting) if k not in order and before <= set(order)]
        order.append(draw.choice(free))
    return Plan(allocation, tuple(order))

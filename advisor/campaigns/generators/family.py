"""A generator from what a family alone knows: how its shape follows from its settings.

A shape on machines: times of the tasks there, and volumes that give the CCR asked for.

All sums are exact (`math.fsum`), so that the order in which a processor adds does not matter: one
seed gives one instance everywhere.

Bytes of flows whose mean transfer takes so many seconds on a platform.

A message of s bytes takes startup_s + s/bandwidth over its route, alone; both of the piece of
the protocol that s falls in (`advisor.allocation.host_costs`).

A workload without machines: tasks, what each takes of the others' time, and who feeds whom.

A family makes a shape; `instance` puts it on machines. Work and volumes are proportions, which
the settings' mean task and CCR scale.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from math import fsum, inf
from typing import Any, TypeVar

import numpy as np

from advisor.allocation.character import mean_message
from advisor.allocation.host_costs import host_costs
from advisor.allocation.timeline_modes import FAIR
from advisor.allocation.workload import Flow, Task, Workload
from advisor.campaigns.generators.generator_settings import GIGABIT, Settings
from advisor.models.contention import EXACT
from machines import Direction, InputError, Link, Machine, Platform, Switch
from machines.routes import fits_tables
from machines.stopping import ask

Own = TypeVar("Own", bound=Settings)


def family(
    record: type[Own],
    title: str,
    help: str,  # noqa: A002 - the generator's field
    shape: Callable[[Own, np.random.Generator], Shape],
    source: str = "",
) -> Generator:
    """The generator of a family, whose settings' `FAMILY` is its name.

    `title`, `help`, `source`: as of `Generator`.
    """

    def make(settings: Own, rng: np.random.Generator, platform: Platform | None) -> Instance:
        return instance(shape(settings, rng), settings, rng, platform)

    return Generator(record.FAMILY, title, help, record, make, source)


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


# Machines that a generator brings along: one switch, and a link to each.

_STARTUP_S = 50e-6  # of a link; two make 0.1 ms, of the order of one small message over TCP
_SWITCH = "switch"


def own_machines(settings: Settings, count: int, rng: np.random.Generator) -> Platform:
    """So many machines on one switch.

    Where machines are consistent, the seconds of a unit of work are drawn uniformly from
    1 ± √3·h, and a machine's speed is their inverse; else all speeds are 1.

    `settings`: cores, bandwidth and heterogeneity h.
    """
    names = [f"m{number}" for number in range(1, count + 1)]
    unit_s = [1.0] * count
    if settings.consistent and settings.spread:
        unit_s = rng.uniform(1.0 - settings.spread, 1.0 + settings.spread, count).tolist()
    bandwidth = GIGABIT if settings.bandwidth is None else settings.bandwidth
    way = Direction(_STARTUP_S, bandwidth)
    return Platform(
        f"{count} machines",
        tuple(
            Machine(name, cores=settings.cores or 1, speed=1.0 / seconds)
            for name, seconds in zip(names, unit_s, strict=True)
        ),
        tuple(Link(name, _SWITCH, way, way) for name in names),
        switches=(Switch(_SWITCH),),
    )


def flow_bytes(
    volumes: list[float], ccr: float, task_s: float, platform: Platform, where: str
) -> list[float]:
    """The volumes times one factor, so that their mean transfer takes ccr · task_s.

    The mean is over flows and ordered pairs of different machines that can exchange data, of the
    seconds of a transfer alone.

    `volumes`: > 0; in any unit. `ccr`: 0: no bytes at all. `task_s`: mean time of a task. `where`:
    names the place in messages.
    """
    if ccr == 0.0:
        return [0.0] * len(volumes)
    between, name = host_costs(platform, EXACT, FAIR), platform.name or "the platform"
    found = mean_message(between.dedicated.first(len(platform.machines)))
    if found is None or not volumes:
        what = "its tasks exchange no data" if found else f"no machines of {name} exchange data"
        raise InputError(
            f"{what}, so that it has no CCR", where=where, remedy="State ccr = 0, or another size"
        )
    startup_s, per_byte_s = found
    least = startup_s[0] / task_s
    if ccr <= least:
        raise InputError(
            f"the startups of its transfers alone make a CCR of {least:.3g} on {name}",
            where=where, value=f"ccr = {ccr:g}",
            remedy="State a larger ccr or task_seconds, or ccr = 0 for no data at all",
        )  # fmt: skip
    total = ccr * task_s * len(volumes)
    factor = _factor(volumes, total, startup_s, per_byte_s, between.thresholds.tolist())
    if factor is None:
        raise InputError(
            f"no volumes give this CCR on {name}: what a message takes there leaps at a size",
            where=where, value=f"ccr = {ccr:g}", remedy="State another ccr or another seed",
        )  # fmt: skip
    return [factor * one for one in volumes]


def _factor(
    volumes: list[float],
    total_s: float,
    startup_s: list[float],
    per_byte_s: list[float],
    thresholds: list[float],
) -> float | None:
    """The least x with Σ startup_s[b] + x·v·per_byte_s[b] = total_s, b the piece that x·v is in.

    Between two sizes at which a flow changes its piece the sum is a line in x. ``None``: the sum
    leaps over the total.
    """
    # (x, volume, piece) at which a flow leaves a piece for the next
    leaves = sorted(
        (threshold / volume, volume, piece)
        for piece, threshold in enumerate(thresholds)
        for volume in volumes
    )
    fixed = fsum([startup_s[0]] * len(volumes))
    slope = per_byte_s[0] * fsum(volumes)
    begin = 0.0
    for end, volume, piece in [*leaves, (inf, 0.0, -1)]:
        if slope > 0.0 and begin <= (found := (total_s - fixed) / slope) <= end:
            return found
        begin = end
        if piece >= 0:
            fixed += startup_s[piece + 1] - startup_s[piece]
            slope += volume * (per_byte_s[piece + 1] - per_byte_s[piece])
    return None


# What a generator is: named settings, and an instance made from them and a seed.

Instance = tuple[Workload, Platform]


@dataclass(frozen=True)
class Generator:
    """A family of random instances.

    `name`, `title`, `help`: in campaign files, on screen, and one sentence.
    `record`: its settings: a frozen dataclass of `machines.parameters`, whose fields have defaults
        and ranges; a campaign may state several values of each.
    `make`: ``make(settings, rng, platform)``: the workload and the machines that it is for; these
        are `platform` or, where that is None, machines of its own.
    """

    name: str
    title: str
    help: str
    record: type
    make: Callable[[Any, np.random.Generator, Platform | None], Instance]
    source: str = ""  # where the family was published


@dataclass
class Shape:
    """Tasks and flows, added as a family goes along.

    `names`, `kinds`, `work`: of the tasks; `work` > 0 in any unit. `sources`, `targets`, `volumes`:
    of the flows: task positions; `volumes` > 0 in any unit.
    """

    names: list[str] = field(default_factory=list)
    kinds: list[str] = field(default_factory=list)
    work: list[float] = field(default_factory=list)
    sources: list[int] = field(default_factory=list)
    targets: list[int] = field(default_factory=list)
    volumes: list[float] = field(default_factory=list)

    def task(self, kind: str, name: str, work: float) -> int:
        """Add a task; its position."""
        self.names.append(name)
        self.kinds.append(kind)
        self.work.append(work)
        return len(self.names) - 1

    def tasks(self, kind: str, work: Sequence[float]) -> range:
        """Add tasks called by their kind and a number from 1; their positions."""
        first = len(self.names)
        for number, one in enumerate(work, 1):
            self.task(kind, f"{kind}-{number}", one)
        return range(first, len(self.names))

    def flow(self, source: int, target: int, volume: float) -> None:
        """Add a flow."""
        self.sources.append(source)
        self.targets.append(target)
        self.volumes.append(volume)

    def varied_flows(
        self, rng: np.random.Generator, flows: Sequence[tuple[int, int, float]]
    ) -> None:
        """Add flows (source, target, volume), their volumes `varied`."""
        factors = varied(rng, 1.0, len(flows))
        for (source, target, volume), factor in zip(flows, factors, strict=True):
            self.flow(source, target, factor * volume)


def drawn(rng: np.random.Generator, count: int) -> list[float]:
    """Uniform numbers in (0, 2], of mean 1: as tasks in Topcuoglu, Hariri & Wu 2002, sec. 5.1."""
    found: list[float] = (2.0 * (1.0 - rng.random(count))).tolist()
    return found


def varied(rng: np.random.Generator, mean: float, count: int) -> list[float]:
    """Numbers of that mean, uniform within 30 % of it."""
    found: list[float] = (mean * rng.uniform(0.7, 1.3, count)).tolist()
    return found

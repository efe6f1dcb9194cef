"""What a machine has beside equal cores: counted resources, memory, and cores of unequal speed.

A task holds its cores, its memory and units of resources from when it takes its slot to its end.
Resources of a whole platform (licences, connections of a database) are held wherever a task runs.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from machines.checks import plain_name, repeated, whole
from machines.errors import InputError
from machines.parameters import check_properties, parameter

CORES, MEMORY = "cores", "memory"
HELD, RESERVED = "held", "reserved"
TASKS, OUTPUTS = "tasks", "outputs"
_TITLES = {
    HELD: "Of the tasks that run",
    RESERVED: "Of all tasks placed here",
    TASKS: "Tasks",
    OUTPUTS: "Tasks and outputs",
}
MOST_UNITS = 1_000_000
MOST_GROUPS = 100  # of cores, each of another speed

memory_parameter = parameter(
    HELD,
    title="Memory counts",
    choices=(HELD, RESERVED),
    titled=_TITLES.__getitem__,
    help="Of the tasks that run: a task waits until what it needs is free. Of all tasks placed "
    "here: together they may not exceed the machine's memory",
)

holds_parameter = parameter(
    TASKS,
    title="Memory holds",
    choices=(TASKS, OUTPUTS),
    titled=_TITLES.__getitem__,
    help="Tasks while they run; or also what they make, until the last task that reads it on this "
    "machine has ended",
)


@dataclass(frozen=True)
class Resource:
    """Units of one kind, of a machine or of the whole platform, each held by one task at a time.

    Attributes
    ----------
    kind : str
        Any word but "cores" and "memory": "gpu", "licence".
    count : int
        Units.
    model : str
        For people: "A100".
    memory_bytes : int or None
        Of each unit; ``None``: not known, any task's need fits.
    speed : float
        A task that holds such units and states its work, not its seconds, divides it by this too.
    """

    kind: str = parameter(
        title="Kind", help="Any word: gpu, licence. Tasks name it in what they hold"
    )
    count: int = parameter(1, low=1, high=MOST_UNITS, title="Count", help="Units of this kind")
    model: str = parameter("", title="Model", help="What it is, for people: A100")
    memory_bytes: int | None = parameter(
        None, low=1, title="Memory of each", unit="B", empty="not known",
        help="Memory of each unit: tasks that state what they need of it run only where it "
        "suffices",
    )  # fmt: skip
    speed: float = parameter(
        1.0, low=0.0, above=True, title="Speed", unit="×",
        help="Divides the work of tasks that hold units of it; stated seconds stay as they are",
    )  # fmt: skip

    def __post_init__(self) -> None:
        _check_kind(self.kind, "resource")
        where = f'resource "{self.kind}"'
        plain_name("model", self.model, where=where, empty=True)
        whole("count", self.count, low=1, high=MOST_UNITS, where=where)
        if self.model:
            check_properties(self, "resource")


@dataclass(frozen=True)
class CoreGroup:
    """Cores of one speed among others: performance and efficiency cores.

    Attributes
    ----------
    speed : float
        Relative to the machine's own `speed`.
    """

    name: str = parameter(title="Name", help="Of these cores: P, E")
    count: int = parameter(low=1, high=MOST_UNITS, title="Count", help="Cores of this group")
    speed: float = parameter(
        1.0, low=0.0, above=True, title="Speed", unit="× machine",
        help="Relative to the speed of the machine",
    )  # fmt: skip

    def __post_init__(self) -> None:
        check_properties(self, "core_group")


def check_memory(where: str, memory: str, holds: str) -> None:
    """Refuse outputs in a memory that is reserved for tasks."""
    if memory == RESERVED and holds == OUTPUTS:
        raise InputError(
            "memory that is reserved for all tasks together holds no outputs", where=where,
            remedy=f'Leave holds out, or memory = "{RESERVED}"',
        )  # fmt: skip


def check_resources(where: str, resources: Sequence[Resource]) -> None:
    """Refuse a kind that occurs twice."""
    twice = repeated(one.kind for one in resources)
    if twice is not None:
        raise InputError("two resources are of one kind", where=where, value=twice,
                         remedy="Add up their counts")  # fmt: skip


def check_holders(
    machines: Sequence[tuple[str, Sequence[Resource]]], own: Sequence[Resource]
) -> None:
    """Refuse a kind that the platform and one of its machines have: a task could mean either."""
    everywhere = {one.kind for one in own}
    for name, resources in machines:
        for one in resources:
            if one.kind in everywhere:
                raise InputError(
                    "the whole platform has this kind of resource, too", where=f'machine "{name}"',
                    value=one.kind, remedy="Leave one of them out, or give it another name",
                )  # fmt: skip


def check_groups(where: str, cores: int, groups: Sequence[CoreGroup]) -> None:
    """Refuse groups of one name, and groups whose counts are not the machine's cores."""
    if len(groups) > MOST_GROUPS:
        remedy = f"Allowed: {MOST_GROUPS}; join those of nearly one speed"
        raise InputError("too many core groups", where=where, value=len(groups), remedy=remedy)
    twice = repeated(one.name for one in groups)
    if twice is not None:
        raise InputError("two core groups have one name", where=where, value=twice,
                         remedy="Add up their counts, or name each otherwise")  # fmt: skip
    together = sum(one.count for one in groups)
    if groups and together != cores:
        raise InputError(
            f"its core groups have {together:,} cores together", where=where, value=cores,
            remedy="cores is their sum; leave it out",
        )  # fmt: skip


def check_held(
    where: str, resources: Sequence[tuple[str, int]], memory: Sequence[tuple[str, int]]
) -> None:
    """Refuse units of what a task holds, or bytes of each unit, that are no whole numbers from 1.

    Each kind occurs once; memory is of kinds that it holds.
    """
    for kind, units in resources:
        _check_kind(kind, where)
        whole(f"resources: {kind}", units, low=1, high=MOST_UNITS, where=where)
    twice = repeated(kind for kind, _ in resources)
    if twice is not None:
        raise InputError("a kind of resource is named twice", where=where, value=twice,
                         remedy="Add up its units")  # fmt: skip
    for kind, size_bytes in memory:
        whole(f"resources: memory_bytes of {kind}", size_bytes, low=1, where=where)
        if kind not in dict(resources):
            raise InputError("memory of a resource that it does not hold", where=where, value=kind,
                             remedy="State its count, too")  # fmt: skip


def _check_kind(kind: object, where: str) -> None:
    name = plain_name("kind", kind, where=where)
    if name.lower() in {CORES, MEMORY}:
        remedy = "State cores as cores, memory as memory_bytes"
        raise InputError("this is no kind of its own", where=where, value=name, remedy=remedy)


def by_speed(groups: Sequence[CoreGroup]) -> tuple[tuple[int, float], ...]:
    """(cores, speed against the fastest) of every group, the fastest first."""
    ordered = sorted(groups, key=lambda group: -group.speed)
    return tuple((one.count, one.speed / ordered[0].speed) for one in ordered)


def fastest(free: Sequence[int], cores: int) -> list[int]:
    """How many of each group's free cores, the fastest group first, make so many."""
    taken = []
    for count in free:
        taken.append(min(count, cores))
        cores -= taken[-1]
    return taken


def fastest_mean(groups: Sequence[CoreGroup], cores: int) -> float:
    """Mean speed of a machine's `cores` fastest cores, relative to the fastest; 1 if all are alike.

    A task that holds cores of several speeds is taken to give each what it can do, so that its
    speed is their mean.
    """
    ordered = by_speed(groups)
    taken = fastest([count for count, _ in ordered], cores)
    if sum(taken) < cores:
        return 1.0
    return sum(count * speed for count, (_, speed) in zip(taken, ordered, strict=True)) / cores

"""What the hardware is: machines, the links between them and the applications already there.

Frozen values; a change makes a new one with `dataclasses.replace`. Dedicated figures (speed,
startup, bandwidth) are those of the empty machine or link; contenders or a stated slowdown say
what the other users take away.

What joins machines beside links: switches that pass data on, and stores that hold files.

Neither runs a task. A switch with a bandwidth is a resource of its own (a bus, a hub, a backplane):
all transfers through it share it. A store is an end of transfers, linked as a machine is.
"""

from __future__ import annotations

from dataclasses import dataclass, field, fields
from functools import cached_property

from machines.checks import plain_name
from machines.default_spreads import UNSTATED, Spreads
from machines.errors import InputError
from machines.interconnect import Interconnect
from machines.joined import check_joined
from machines.links import DUPLEX, FREE, SHARED, Direction, Link, LinkPiece
from machines.parameters import check_properties, parameter
from machines.resources import (
    CoreGroup,
    Resource,
    check_groups,
    check_holders,
    check_memory,
    check_resources,
    holds_parameter,
    memory_parameter,
)
from machines.runtime import Runtime
from machines.shared_memory import SharedMemory

__all__ = [
    "DUPLEX",
    "FREE",
    "SHARED",
    "Contender",
    "Direction",
    "Link",
    "LinkPiece",
    "Machine",
    "Platform",
    "Store",
    "Switch",
]

# the queue of a machine takes time as the cube of its contenders, and as its cores
MOST_CONTENDERS, _MOST_SHARED_CORES = 512, 100_000


@dataclass(frozen=True)
class Switch:
    """A switch, bus or router: joins links, runs nothing.

    Attributes
    ----------
    name : str
        Unique among machines, stores and switches.
    bandwidth : float or None
        Bytes/s that all transfers through it share, both directions together; ``None``: it never
        holds a transfer up.
    """

    name: str = parameter(title="Name", help="Unique among machines, stores and switches")
    bandwidth: float | None = parameter(
        None,
        low=0.0,
        above=True,
        title="Shared bandwidth",
        unit="B/s",
        empty="not limited",
        help="Bandwidth shared by all transfers through it: a bus, a hub, a backplane. A "
        "switch that forwards at the rate of its links has none",
    )

    def __post_init__(self) -> None:
        check_properties(self, "switch")


@dataclass(frozen=True)
class Store:
    """A file server or object store: holds files, runs nothing.

    Attributes
    ----------
    name : str
        Unique among machines, stores and switches.
    """

    name: str = parameter(title="Name", help="Unique among machines, stores and switches")

    def __post_init__(self) -> None:
        check_properties(self, "store")


_SHARE = "Share of its dedicated time, 0 to 1; compute + communicate ≤ 1 (the rest: idle, I/O)"


@dataclass(frozen=True)
class Contender:
    """An application that already runs on a machine.

    Attributes
    ----------
    name : str
        Any label.
    compute, communicate : float
        Shares of its dedicated time computing on this machine and communicating over a link of
        it, each 0..1, together at most 1; the rest is idle or I/O.
    message_words : float
        Largest message that it sends, in words; 0 when it does not matter.
    """

    name: str = parameter(help="Any label")
    compute: float = parameter(low=0.0, high=1.0, help=_SHARE)
    communicate: float = parameter(0.0, low=0.0, high=1.0, help=_SHARE)
    message_words: float = parameter(
        0.0,
        low=0.0,
        title="message",
        help="Largest message that it sends, in words; chooses the delay column j of the "
        "published formula (sec. 3.2.2). 0: does not matter",
    )

    def __post_init__(self) -> None:
        check_properties(self, "contender")
        if self.compute + self.communicate > 1.0 + 1e-12:
            raise InputError(
                "compute + communicate must not exceed 1",
                where=f'contender "{self.name}"',
                value=self.compute + self.communicate,
                remedy="They are shares of one application's time",
            )


@dataclass(frozen=True)
class Machine:
    """One machine: `cores` tasks at a time, each at `speed` relative to the reference.

    A field that is a `parameter` is a property: declared here, it is read from and written to
    platform files, checked, shown and edited in the inspector and, with `slows`, costed. Make a
    new one optional, and files without it stay as they are.

    Attributes
    ----------
    slowdown : float or None
        Stated slowdown ≥ 1 of computing here; above 1 it stands in place of `contenders`.
    memory_bytes : int or None
        Working sets of the tasks that run here at a time may not exceed it, or, where `memory` is
        "reserved", those of all tasks placed here; ``None``: not limited.
    price_per_hour, watts : float or None
        What an hour of the whole machine costs, in one currency for all machines, and its mean
        draw (W) while it is in use; ``None``: not known (`advisor.allocation.spending`).
    co2_g_per_kwh : float or None
        Carbon of its electricity.
    memory_bandwidth : float or None
        Bytes/s that the tasks which state theirs share here; ``None``: not limited.
    holds : {"tasks", "outputs"}
        What is in its memory: tasks while they run, or what they make, too, until the last task
        that reads it here has ended.
    resources : tuple of Resource
        What it has beside cores and memory: GPUs.
    core_groups : tuple of CoreGroup
        Its cores by speed, where these differ; a task takes the fastest that are free.
    network : Interconnect or None
        What joins the nodes inside a parallel machine.
    shared_memory : SharedMemory or None
        What workstations that share memory through software cost; they are one machine then.
    """

    name: str = parameter(title="Name", help="Unique among the machines")
    cores: int = parameter(
        1,
        low=1,
        high=1_000_000,
        title="Cores",
        help="Cores c: how many one-core tasks run at a time",
    )
    speed: float = parameter(
        1.0,
        low=0.0,
        above=True,
        title="Speed",
        unit="× reference",
        help="Relative to the reference machine: a task's work is divided by it",
    )
    memory_bytes: int | None = parameter(
        None,
        low=1,
        title="Memory",
        unit="B",
        empty="no limit",
        help="The working sets of the tasks that run here at a time may not exceed it",
    )
    slowdown: float | None = parameter(
        None,
        low=1.0,
        title="Stated slowdown",
        unit="×",
        empty="from contenders",
        help="Known or measured slowdown s; replaces the contenders",
    )
    contenders: tuple[Contender, ...] = ()
    network: Interconnect | None = None
    shared_memory: SharedMemory | None = None
    price_per_hour: float | None = parameter(
        None,
        low=0.0,
        title="Price",
        unit="per hour",
        empty="not known",
        help="What an hour of this machine costs, all its cores, in one currency for all machines. "
        "A plan pays each machine that runs one of its tasks from the start to the makespan",
    )
    watts: float | None = parameter(
        None,
        low=0.0,
        title="Power",
        unit="W",
        empty="not known",
        help="What this machine draws on average while a plan uses it. A plan's energy counts each "
        "machine that runs one of its tasks from the start to the makespan",
    )
    co2_g_per_kwh: float | None = parameter(
        None,
        low=0.0,
        title="Carbon",
        unit="g/kWh",
        empty="not known",
        help="Grams of CO2 equivalent for a kilowatt-hour where it runs. With its power it gives "
        "the carbon of a plan",
    )
    up_s: float | None = parameter(
        None,
        low=0.0,
        high=86_400.0,
        title="Start of its worker",
        unit="s",
        empty="at once",
        help="When its worker is up, from the start of the run: no task starts here before. "
        "Workers of one engine come up one after the other",
    )
    memory: str = memory_parameter
    holds: str = holds_parameter
    memory_bandwidth: float | None = parameter(
        None,
        low=0.0,
        above=True,
        title="Memory bandwidth",
        unit="B/s",
        empty="not limited",
        help="What all its cores together can move to and from memory. Tasks that state theirs "
        "share it in the contention-aware schedule as transfers share a link",
    )
    resources: tuple[Resource, ...] = ()
    core_groups: tuple[CoreGroup, ...] = ()

    def __post_init__(self) -> None:
        check_properties(self, "machine")
        where = f'machine "{self.name}"'
        check_resources(where, self.resources)
        check_groups(where, self.cores, self.core_groups)
        check_memory(where, self.memory, self.holds)
        if self.contenders and self.slowdown is not None and self.slowdown != 1.0:
            raise InputError(
                "a stated slowdown replaces contenders; give one of them",
                where=where,
                value=self.slowdown,
                remedy="Leave slowdown out, or the contenders; state a link's in its own slowdown",
            )
        if len(self.contenders) > self.most_contenders:
            some = "core" if self.cores == 1 else "cores"
            remedy = f"Allowed: {self.most_contenders:,}; state the slowdown of the machine instead"
            raise InputError(
                f"more contenders than a machine of {self.cores:,} {some} may have here",
                where=where,
                value=len(self.contenders),
                remedy=remedy,
            )

    @property
    def most_contenders(self) -> int:
        """How many contenders it may have: as many as its queue can be computed for."""
        return MOST_CONTENDERS if self.cores <= _MOST_SHARED_CORES else 0


@dataclass(frozen=True)
class Platform:
    """Machines, and what joins them; a task's `work` is seconds on a machine of speed 1.

    Attributes
    ----------
    switches, stores : tuple
        What passes data on, and what holds files beside the machines.
    runtime : Runtime
        What brings tasks and data to the machines.
    resources : tuple of Resource
        Of the whole platform: licences, connections of a database.
    spread : Spreads
        Of what states no spread of its own.

    Raises
    ------
    InputError
        No machine, a name twice, a link to an unknown end, a pair linked twice, or a part that
        no link can serve.
    """

    name: str
    machines: tuple[Machine, ...]
    links: tuple[Link, ...] = ()
    switches: tuple[Switch, ...] = ()
    stores: tuple[Store, ...] = ()
    runtime: Runtime = field(default_factory=Runtime)
    resources: tuple[Resource, ...] = ()
    spread: Spreads = UNSTATED

    def __post_init__(self) -> None:
        plain_name("name", self.name, where="platform", empty=True)
        check_resources("platform", self.resources)
        check_holders([(one.name, one.resources) for one in self.machines], self.resources)
        if not self.machines:
            raise InputError("a platform needs at least one machine", where=f'"{self.name}"')
        check_joined(self)

    def __hash__(self) -> int:
        return self._hash

    @cached_property
    def _hash(self) -> int:
        """Of all fields, once: memories ask for it at every call."""
        return hash(tuple(getattr(self, one.name) for one in fields(self)))

    def __getstate__(self) -> dict[str, object]:
        """What travels to other processes, whose hashes of texts are others."""
        return {name: value for name, value in self.__dict__.items() if name != "_hash"}

    @cached_property
    def index(self) -> dict[str, int]:
        """Machine name → position."""
        return {machine.name: position for position, machine in enumerate(self.machines)}

    @cached_property
    def hosts(self) -> tuple[str, ...]:
        """Names of the machines, then of the stores: where data lie, the ends of transfers."""
        return (*self.index, *(store.name for store in self.stores))

    @cached_property
    def host_index(self) -> dict[str, int]:
        """Name of a machine or store → position in `hosts`."""
        return {name: position for position, name in enumerate(self.hosts)}

    @cached_property
    def degree(self) -> dict[str, int]:
        """Name of a machine, store or switch → number of its links."""
        count = dict.fromkeys((*self.hosts, *(switch.name for switch in self.switches)), 0)
        for link in self.links:
            count[link.first] += 1
            count[link.second] += 1
        return count

    def machine(self, name: str) -> Machine:
        """The machine of that name; KeyError otherwise."""
        return self.machines[self.index[name]]

    def link(self, first: str, second: str) -> Link | None:
        """The direct link between two ends, whichever way it is written."""
        ends = frozenset((first, second))
        return next((link for link in self.links if link.ends == ends), None)

"""What the hardware is: machines, the links between them and the applications already there.

Frozen values; a change makes a new one with `dataclasses.replace`. Dedicated figures (speed,
startup, bandwidth) are those of the empty machine or link; contenders or a stated slowdown say
what the other users take away.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from functools import cached_property

from machines.checks import number
from machines.errors import InputError
from machines.interconnect import Interconnect
from machines.parameters import check_properties, parameter
from machines.shared_memory import SharedMemory

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
        Stated slowdown ≥ 1 of computing here; takes the place of what `contenders` would give.
    memory_bytes : int or None
        Working sets of the tasks placed here may not exceed it; ``None``: not limited.
    network : Interconnect or None
        What joins the nodes inside a parallel machine.
    shared_memory : SharedMemory or None
        What workstations that share memory through software cost; they are one machine then.
    """

    name: str = parameter(title="Name", help="Unique among the machines")
    cores: int = parameter(
        1, low=1, title="Cores", help="Cores c: how many one-core tasks run at a time"
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
        help="The working sets of the tasks placed here may not exceed it",
    )
    slowdown: float | None = parameter(
        None,
        low=1.0,
        title="Stated slowdown",
        unit="×",
        empty="from contenders",
        help="Slowdown s that you know or measured; takes the place of the contenders",
    )
    contenders: tuple[Contender, ...] = ()
    network: Interconnect | None = None
    shared_memory: SharedMemory | None = None

    def __post_init__(self) -> None:
        check_properties(self, "machine")


@dataclass(frozen=True)
class LinkPiece:
    """Startup (s) and bandwidth (bytes/s) of messages larger than `threshold_bytes`."""

    threshold_bytes: float
    startup_s: float
    bandwidth: float

    def __post_init__(self) -> None:
        number("threshold_bytes", self.threshold_bytes, above=True)
        number("startup_s", self.startup_s)
        number("bandwidth", self.bandwidth, above=True)


@dataclass(frozen=True)
class Direction:
    """One way of a link: startup alpha (s), bandwidth beta (bytes/s), optional second piece."""

    startup_s: float
    bandwidth: float
    above: LinkPiece | None = None

    def __post_init__(self) -> None:
        number("startup_s", self.startup_s)
        number("bandwidth", self.bandwidth, above=True)

    def at(self, size_bytes: float) -> tuple[float, float]:
        """(startup_s, bandwidth) that a message of `size_bytes` sees; the threshold is below."""
        if self.above is not None and size_bytes > self.above.threshold_bytes:
            return self.above.startup_s, self.above.bandwidth
        return self.startup_s, self.bandwidth


@dataclass(frozen=True)
class Link:
    """A link between two machines, by name, with both directions.

    Attributes
    ----------
    to_second, to_first : Direction
        Costs from `first` to `second` and back.
    slowdown : float or None
        Stated slowdown ≥ 1 of transfers; takes the place of what contenders would give.
    delay_comp, delay_comm : tuple of float
        Measured relative delays of a transfer by 1, 2, … simultaneous computing and
        communicating contenders (Figueira & Berman 1996, sec. 3.2.1); empty: not measured.
    """

    first: str
    second: str
    to_second: Direction
    to_first: Direction
    slowdown: float | None = None
    delay_comp: tuple[float, ...] = ()
    delay_comm: tuple[float, ...] = ()

    def __post_init__(self) -> None:
        where = f"link {self.name}"
        if self.first == self.second:
            raise InputError("a link joins two different machines", where=where, value=self.first)
        if self.slowdown is not None:
            number("slowdown", self.slowdown, low=1.0, where=where)
        for table in ("delay_comp", "delay_comm"):
            for delay in getattr(self, table):
                number(table, delay, where=where)

    @property
    def name(self) -> str:
        """The link's name in messages and on screen."""
        return f"{self.first}–{self.second}"

    @property
    def ends(self) -> frozenset[str]:
        """The two machines' names."""
        return frozenset((self.first, self.second))


@dataclass(frozen=True)
class Platform:
    """Machines and links; a task's `work` is seconds on a machine of `reference_speed`.

    Raises
    ------
    InputError
        No machine, a name twice, a link to an unknown machine, or a pair linked twice.
    """

    name: str
    machines: tuple[Machine, ...]
    links: tuple[Link, ...] = ()
    reference_speed: float = field(default=1.0)

    def __post_init__(self) -> None:
        number("reference_speed", self.reference_speed, above=True, where=f'platform "{self.name}"')
        if not self.machines:
            raise InputError("a platform needs at least one machine", where=f'"{self.name}"')
        if len(self.index) != len(self.machines):
            names = [machine.name for machine in self.machines]
            twice = next(name for name in names if names.count(name) > 1)
            raise InputError("two machines have one name", where="machine", value=twice)
        seen: set[frozenset[str]] = set()
        for link in self.links:
            for end in (link.first, link.second):
                if end not in self.index:
                    raise InputError(
                        "unknown machine",
                        where=f"link {link.name}",
                        value=end,
                        remedy="Machines: " + ", ".join(list(self.index)[:20]),
                    )
            if link.ends in seen:
                raise InputError("this pair is linked twice", where=f"link {link.name}")
            seen.add(link.ends)

    @cached_property
    def index(self) -> dict[str, int]:
        """Machine name → position."""
        return {machine.name: position for position, machine in enumerate(self.machines)}

    @cached_property
    def degree(self) -> dict[str, int]:
        """Machine name → number of its links."""
        count = dict.fromkeys(self.index, 0)
        for link in self.links:
            count[link.first] += 1
            count[link.second] += 1
        return count

    def machine(self, name: str) -> Machine:
        """The machine of that name; KeyError otherwise."""
        return self.machines[self.index[name]]

    def link(self, first: str, second: str) -> Link | None:
        """The direct link between two machines, whichever way it is written."""
        ends = frozenset((first, second))
        return next((link for link in self.links if link.ends == ends), None)

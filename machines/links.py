"""What a link is: two ends, the costs of both directions, and how transfers share it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise

from machines.checks import number, text
from machines.errors import InputError
from machines.parameters import parameter

DUPLEX, SHARED, FREE = "duplex", "shared", "free"


def check_rising(table: str, delays: Sequence[float], where: str) -> None:
    """Refuse measured delays that fall: one more contender never speeds a transfer up."""
    for place, (fewer, more) in enumerate(pairwise(delays), 2):
        if more < fewer:
            raise InputError(
                f"{table} falls from {fewer:g} to {more:g}",
                where=where,
                value=list(delays),
                remedy=f"The delay by {place} contenders is at least that by {place - 1}",
            )


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
    """A link between two machines, stores or switches, by name, with both directions.

    Attributes
    ----------
    to_second, to_first : Direction
        Costs from `first` to `second` and back.
    slowdown : float or None
        Stated slowdown ≥ 1 of transfers; takes the place of what contenders would give.
    delay_comp, delay_comm : tuple of float
        Measured relative delays of a transfer by 1, 2, … simultaneous computing and
        communicating contenders (Figueira & Berman 1996, sec. 3.2.1); empty: not measured.
    sharing : {"duplex", "shared", "free"}
        How transfers share it: each direction for itself, both together, or not at all, so that
        its bandwidth only caps each of them.
    """

    first: str
    second: str
    to_second: Direction
    to_first: Direction
    slowdown: float | None = None
    delay_comp: tuple[float, ...] = ()
    delay_comm: tuple[float, ...] = ()
    sharing: str = parameter(
        DUPLEX,
        title="Sharing",
        choices=(DUPLEX, SHARED, FREE),
        titled=str.capitalize,
        help="Duplex: the transfers of each direction share it. Shared: those of both together "
        "(half-duplex, a cable of a hub). Free: its bandwidth caps each transfer",
    )

    def __post_init__(self) -> None:
        where = f"link {self.name}"
        if self.first == self.second:
            raise InputError("a link joins two different machines", where=where, value=self.first)
        text("sharing", self.sharing, where=where, among=(DUPLEX, SHARED, FREE))
        if self.slowdown is not None:
            number("slowdown", self.slowdown, low=1.0, where=where)
        for table in ("delay_comp", "delay_comm"):
            delays = [number(table, delay, where=where) for delay in getattr(self, table)]
            check_rising(table, delays, where)

    @property
    def name(self) -> str:
        """The link's name in messages and on screen."""
        return f"{self.first}–{self.second}"

    @property
    def ends(self) -> frozenset[str]:
        """The names of what it joins."""
        return frozenset((self.first, self.second))

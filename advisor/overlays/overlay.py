"""A tree of processes beside the application: who talks to whom, how often, and what it costs.

What a tool of MRNet's kind runs (Roth, Arnold & Miller 2003): a front-end, back-ends on the
machines of the application, and internal processes between them. Which tree, and where its
internal processes run, is a plan's: `advisor.overlays.overlay_plan`.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from advisor.models.mrnet import BROADCAST, REDUCTION
from machines.checks import plain_name, repeated, whole
from machines.errors import InputError
from machines.parameters import check_properties, parameter

ROUND_TRIP = "round_trip"
ASKED = (BROADCAST, REDUCTION, ROUND_TRIP)
MOST_BACK_ENDS = 1_000_000

_TITLES = {BROADCAST: "Broadcast", REDUCTION: "Reduction", ROUND_TRIP: "Round trip"}


@dataclass(frozen=True)
class Overlay:
    """A tree of processes beside the application.

    A field that is a `parameter` is a property: files, sheets and messages are made from it.

    `front_end`: machine of the front-end.
    `back_ends`: pairs (machine, processes); in the order in which the leaves of a tree fill them; a
        machine comes once.
    `internal_on`: machines that may hold internal processes; ``None``: all.
    `overhead_s`: o; ``None``: a quarter of the startup of each message's route.
    """

    name: str = parameter(title="Name", help="Unique among the overlays")
    front_end: str = parameter(
        title="Front-end", offered=True, help="The machine on which the front-end runs"
    )
    back_ends: tuple[tuple[str, int], ...] = ()
    message_bytes: float = parameter(
        64.0, low=1.0, title="Message", unit="B", help="Size s of a message on every edge"
    )
    rate_hz: float = parameter(
        1.0,
        low=0.0,
        title="Rate",
        unit="1/s",
        help="Operations a second; 0: the processes wait, and take nothing",
    )
    operation: str = parameter(
        REDUCTION,
        title="Operation",
        choices=ASKED,
        titled=_TITLES.__getitem__,
        help="broadcast: from the front-end to all back-ends. reduction: from all back-ends to "
        "the front-end, filtered on the way. round_trip: a broadcast, then a reduction",
    )
    filter_s: float = parameter(
        0.0,
        low=0.0,
        title="Filter",
        unit="s",
        help="Processor time c of the filter for each incoming message of a reduction, at speed 1",
    )
    internal_on: tuple[str, ...] | None = None
    overhead_s: float | None = parameter(
        None,
        low=0.0,
        title="Overhead o",
        unit="s",
        empty="a quarter of the startup",
        help="Processor time of one end of a message, at speed 1 (LogP's o). Not stated, half of "
        "a route's startup is assumed to be overhead, at both ends together",
    )

    def __post_init__(self) -> None:
        check_properties(self, "overlay")
        where = f'overlay "{self.name}"'
        plain_name("front_end", self.front_end, where=where)
        if not self.back_ends:
            raise InputError("no back-ends", where=where, remedy="Name one machine at least")
        for machine, processes in self.back_ends:
            plain_name("machine", machine, where=f"{where}: back_ends")
            whole("back_ends", processes, low=1, high=MOST_BACK_ENDS, where=f"{where}: {machine}")
        if self.count > MOST_BACK_ENDS:
            raise InputError(
                "too many back-ends", where=where, value=self.count,
                remedy=f"Allowed: up to {MOST_BACK_ENDS:,}",
            )  # fmt: skip
        _refuse_repeated([machine for machine, _ in self.back_ends], f"{where}: back_ends")
        if self.internal_on is not None:
            for machine in self.internal_on:
                plain_name("machine", machine, where=f"{where}: internal_on")
            _refuse_repeated(self.internal_on, f"{where}: internal_on")

    @property
    def count(self) -> int:
        """Back-ends of all machines."""
        return sum(processes for _, processes in self.back_ends)

    @property
    def goes_down(self) -> bool:
        """Whether an operation sends messages from the front-end to the back-ends."""
        return self.operation != REDUCTION

    @property
    def comes_up(self) -> bool:
        """Whether an operation sends messages from the back-ends to the front-end."""
        return self.operation != BROADCAST

    def may_hold(self, machine: str) -> bool:
        """Whether internal processes may run on a machine of that name."""
        return self.internal_on is None or machine in self.internal_on


def _refuse_repeated(machines: Sequence[str], where: str) -> None:
    twice = repeated(machines)
    if twice is not None:
        raise InputError("a machine is named twice", where=where, value=twice)

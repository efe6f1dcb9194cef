"""A remap: every process sends messages in one pattern and computes between them."""

from __future__ import annotations

from dataclasses import dataclass, replace

from advisor.basics.quantities import count, duration, percent, size
from advisor.messages.networks import RANDOM
from advisor.messages.patterns import (
    ALL_TO_ALL,
    EM3D,
    HOTSPOT,
    NEIGHBOURS,
    PERMUTATION,
    SHIFT,
    Pattern,
)
from advisor.messages.patterns import KINDS as PATTERNS
from advisor.messages.styles import ASYNCHRONOUS, SHORT, Message
from advisor.programs.message_program import (
    COMPLETION,
    FAMILY,
    MAPPING,
    NEEDS,
    PROCESSES,
    SEED,
    SHORT_BYTES,
    TRANSPORT,
    StyledProgram,
    check_placement,
    seats,
)
from advisor.programs.program import Entry, ProgramKind
from machines.checks import number, whole


@dataclass(frozen=True, slots=True)
class Remap(StyledProgram):
    """Every process sends messages in one pattern and computes between them.

    Attributes
    ----------
    messages : int
        Messages that each process sends.
    message_bytes : float
        Bytes of each.
    computation_s : float
        Computation between two messages.
    pattern, reach, share, node, seed
        Who sends to whom (`advisor.messages.patterns.Pattern`); `seed` serves a random mapping,
        too.
    completion, transport : str
        The style (`advisor.messages.styles.Style`).
    short_bytes : float
        Most bytes of one short message.
    mapping : str
        Order in which processes take the nodes (`advisor.messages.networks.ORDER_NAMES`).
    processes : int or None
        ``None``: one on each node.
    """

    messages: int
    message_bytes: float
    computation_s: float = 0.0
    pattern: str = ALL_TO_ALL
    reach: int = 1
    share: float = 0.0
    node: int = 0
    seed: int = 0
    completion: str = ASYNCHRONOUS
    transport: str = SHORT
    short_bytes: float = 16.0
    mapping: str = "row-major"
    processes: int | None = None

    def __post_init__(self) -> None:
        whole("messages", self.messages, low=1, where="remap")
        number("message_bytes", self.message_bytes, low=1.0, where="remap")
        number("computation_s", self.computation_s, where="remap")
        number("short_bytes", self.short_bytes, low=1.0, where="remap")
        _ = self.traffic, self.style
        check_placement("remap", self.mapping, self.processes)

    @property
    def traffic(self) -> Pattern:
        """Who sends to whom."""
        return Pattern(self.pattern, self.reach, self.share, self.node, self.seed)

    def sent(self, _P: int) -> float:
        """As many whatever the number of processes."""
        return self.messages

    def message(self, _P: int, units: float) -> Message:
        """With the computation before it."""
        return Message(self.message_bytes, self.computation_s * units, self.short_bytes)

    def words(self) -> str:
        """Who sends what to whom, how, and where the processes are."""
        between = ""
        if self.computation_s > 0:
            between = f", {duration(self.computation_s)} of computing between two"
        return (
            f"Each process sends {count(self.messages, 'message')} of {size(self.message_bytes)} "
            f"{_receivers(self.traffic)}{between}; {self.style.name}; "
            f"{seats(self.mapping, self.processes)}"
        )


def _receivers(pattern: Pattern) -> str:
    """Who receives, after "sends … messages"."""
    if pattern.kind == ALL_TO_ALL:
        return "to all others in turn"
    if pattern.kind == PERMUTATION:
        return "to one partner"
    if pattern.kind == NEIGHBOURS:
        return f"to the nodes within {count(pattern.reach, 'hop')}"
    if pattern.kind == HOTSPOT:
        return f"to all others, {percent(pattern.share)} of them to process {pattern.node}"
    if pattern.kind == EM3D:
        return f"to the {count(pattern.reach, 'process', 'processes')} on either side"
    return f"to the process {pattern.reach} further on"


REMAP = ProgramKind(
    "remap",
    "every process sends messages in a pattern",
    Remap,
    lambda: Remap(messages=1000, message_bytes=1024.0),
    (
        Entry("messages", "Messages", "Messages that each process sends; ≥ 1"),
        Entry(
            "message_bytes", "Message size B", "Bytes of one message; ≥ 1", "B",
            slides=(1.0, 1e6), log=True,
        ),
        Entry(
            "computation_s",
            "Computing between",
            "Computation between two messages, on a machine of the reference speed; ≥ 0",
            "s",
        ),
        Entry(
            "pattern",
            "Pattern",
            "Who sends to whom. all-to-all: to everyone in turn; shift: to the process some places "
            "further on; permutation: to one partner each; neighbours: to nodes within some hops; "
            "hotspot: a share to one process; em3d: to a few processes on either side",
            choices=PATTERNS,
        ),
        Entry(
            "reach",
            "Reach",
            "Places of a shift, hops of neighbours, processes on either side of em3d; ≥ 1",
            asked=lambda program: program.pattern in (SHIFT, NEIGHBOURS, EM3D),
        ),
        Entry(
            "share",
            "Hotspot share f",
            "Share of all messages that go to the hotspot; 0 to 1",
            slides=(0.0, 1.0),
            asked=lambda program: program.pattern == HOTSPOT,
        ),
        Entry(
            "node",
            "Hotspot",
            "The process that is the hotspot, counted from 0",
            asked=lambda program: program.pattern == HOTSPOT,
        ),
        replace(
            SEED,
            asked=lambda program: program.mapping == RANDOM or program.pattern == PERMUTATION,
        ),
        COMPLETION,
        TRANSPORT,
        SHORT_BYTES,
        MAPPING,
        PROCESSES,
    ),
    FAMILY,
    NEEDS,
)  # fmt: skip

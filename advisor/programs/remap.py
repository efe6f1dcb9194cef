"""A remap: every process sends messages in one pattern and computes between them."""

from __future__ import annotations

from dataclasses import dataclass

from advisor.basics.quantities import count, duration, percent, size
from advisor.messages.mapping.orders import Mapping
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
from advisor.messages.styles import Message
from advisor.programs.choices.mapping_choice import MAPPING
from advisor.programs.choices.style import STYLE
from advisor.programs.message_program import (
    FAMILY,
    HELD,
    KEPT,
    NEEDS,
    StyledProgram,
    check_program,
    completion_field,
    mapping_field,
    processes_field,
    seats,
    seed_field,
    short_bytes_field,
    threads_field,
    transport_field,
)
from advisor.programs.program import ProgramKind
from machines.parameters import parameter


@dataclass(frozen=True, slots=True)
class Remap(StyledProgram):
    """Every process sends messages in one pattern and computes between them.

    `messages`: messages that each process sends.
    `message_bytes`: bytes of each.
    `computation_s`: computation between two messages.
    `pattern`, `reach`, `share`, `node`, `seed`: who sends to whom
        (`advisor.messages.patterns.Pattern`); `seed` serves a random mapping, too.
    `completion`, `transport`: the style (`advisor.messages.styles.Style`).
    `mapping`: order in which processes take the nodes (`advisor.messages.networks.ORDER_NAMES`).
    `threads`: cores of its node that each process takes, with all of which it computes.
    """

    messages: int = parameter(title="Messages", low=1, help="Messages that each process sends")
    message_bytes: float = parameter(
        title="Message size B", unit="B", low=1.0, slides=(1.0, 1e6), help="Bytes of one message"
    )
    computation_s: float = parameter(
        0.0,
        title="Computing between",
        unit="s",
        low=0.0,
        help="Computation between two messages, on a machine of the reference speed",
    )
    pattern: str = parameter(
        ALL_TO_ALL,
        title="Pattern",
        choices=PATTERNS,
        help="Communication pattern. all-to-all: to everyone in turn; shift: to the process some "
        "places further on; permutation: to one partner each; neighbours: to nodes within some "
        "hops; hotspot: a share to one process; em3d: to a few processes on either side",
    )
    reach: int = parameter(
        1,
        title="Reach",
        low=1,
        only={"pattern": (SHIFT, NEIGHBOURS, EM3D)},
        help="Places of a shift, hops of neighbours, processes on either side of em3d",
    )
    share: float = parameter(
        0.0,
        title="Hotspot share f",
        low=0.0,
        high=1.0,
        only={"pattern": (HOTSPOT,)},
        help="Share of all messages that go to the hotspot",
    )
    node: int = parameter(
        0,
        title="Hotspot",
        low=0,
        only={"pattern": (HOTSPOT,)},
        help="Process of the hotspot, from 0",
    )
    seed: int = seed_field(pattern=(PERMUTATION,))
    completion: str = completion_field()
    transport: str = transport_field()
    short_bytes: float = short_bytes_field(16.0)  # most bytes of one short message
    mapping: str | Mapping = mapping_field()  # noqa: RUF009 - a field
    processes: int | None = processes_field()  # None: one on each node
    threads: int = threads_field()

    def __post_init__(self) -> None:
        _ = self.traffic, self.style
        check_program(self, "remap")

    @property
    def traffic(self) -> Pattern:
        """Communication pattern."""
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
            f"{seats(self)}"
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
    FAMILY,
    NEEDS,
    KEPT,
    HELD,
    (STYLE, MAPPING),
)

"""EM3D: an irregular bipartite graph whose values cross between processors in every iteration.

Moritz & Frank 2001, sec. 5.3.
"""

from __future__ import annotations

from dataclasses import dataclass

from advisor.basics.quantities import count, percent, size
from advisor.messages.patterns import EM3D as EM3D_PATTERN
from advisor.messages.patterns import Pattern
from advisor.messages.styles import ASYNCHRONOUS, SHORT, Message
from advisor.models.logpc import em3d_messages
from advisor.programs.message_program import (
    BYTES_PER_VALUE,
    COMPLETION,
    FAMILY,
    MAPPING,
    NEEDS,
    PAPER,
    PROCESSES,
    SEED,
    SHORT_BYTES,
    TRANSPORT,
    StyledProgram,
    check_placement,
    seats,
)
from advisor.programs.program import Entry, ProgramKind
from machines import Interconnect
from machines.checks import number, whole


@dataclass(frozen=True, slots=True)
class Em3d(StyledProgram):
    """An irregular bipartite graph whose values cross between processors in every iteration.

    Moritz & Frank 2001, sec. 5.3.

    Attributes
    ----------
    nodes, degree : int
        Nodes of the graph, E and H together, and edges of each.
    nonlocal_share : float
        Share of the edges that end on another processor.
    iterations : int
    edge_s : float
        Computation per edge.
    span : int
        Neighbours to either side that a processor sends to.
    values_per_message, bytes_per_value : float
        Values sent together, and bytes of each.
    completion, transport, short_bytes, mapping, seed, processes
        As `advisor.programs.remap.Remap`; a short message carries the ten values of the paper.
    """

    nodes: int
    degree: int
    nonlocal_share: float = 1.0
    iterations: int = 1
    edge_s: float = 0.0
    span: int = 1
    values_per_message: float = 10.0
    bytes_per_value: float = 8.0
    completion: str = ASYNCHRONOUS
    transport: str = SHORT
    short_bytes: float = 128.0
    mapping: str = "row-major"
    seed: int = 0
    processes: int | None = None

    def __post_init__(self) -> None:
        for name in ("nodes", "degree", "iterations"):
            whole(name, getattr(self, name), low=1, where="em3d")
        number("nonlocal_share", self.nonlocal_share, high=1.0, where="em3d")
        number("edge_s", self.edge_s, where="em3d")
        for name in ("values_per_message", "bytes_per_value"):
            number(name, getattr(self, name), above=True, where="em3d")
        number("bytes of a message", self.message_bytes, low=1.0, where="em3d")
        number("short_bytes", self.short_bytes, low=1.0, where="em3d")
        whole("seed", self.seed, where="em3d")
        _ = self.traffic, self.style
        check_placement("em3d", self.mapping, self.processes)

    @property
    def message_bytes(self) -> float:
        """Bytes of one message."""
        return self.values_per_message * self.bytes_per_value

    @property
    def traffic(self) -> Pattern:
        """Who sends to whom."""
        return Pattern(EM3D_PATTERN, self.span)

    def sent(self, P: int) -> float:
        """All that crosses in all iterations."""
        return self.iterations * self._crossing(P)

    def message(self, P: int, units: float) -> Message:
        """The computation of all edges is spread between the messages."""
        computation = self._computing(P, units) / self._crossing(P)
        return Message(self.message_bytes, computation, self.short_bytes)

    def spent(self, net: Interconnect, P: int, units: float, contended: bool) -> tuple[float, ...]:
        """As any messages; computing alone where nothing crosses."""
        if self._crossing(P) == 0:
            return (self.iterations * self._computing(P, units), 0.0, 0.0, 0.0, 0.0)
        return StyledProgram.spent(self, net, P, units, contended)

    def words(self) -> str:
        """What crosses between whom, how, and where the processes are."""
        return (
            f"EM3D on a graph of {count(self.nodes, 'node')} with {count(self.degree, 'edge')} "
            f"each, {percent(self.nonlocal_share)} of them between processes, "
            f"{count(self.iterations, 'iteration')}; {self.style.name} messages of "
            f"{size(self.message_bytes)}; {seats(self.mapping, self.processes)}"
        )

    def _crossing(self, P: int) -> float:
        """Messages of a process in an iteration."""
        return em3d_messages(
            self.nodes, self.degree, self.nonlocal_share, P, self.values_per_message
        )

    def _computing(self, P: int, units: float) -> float:
        """Of a process in an iteration."""
        return self.nodes * self.degree / P * self.edge_s * units


EM3D = ProgramKind(
    "em3d",
    "an irregular graph whose values cross between processors",
    Em3d,
    lambda: Em3d(nodes=3200, degree=32),
    (
        Entry("nodes", "Graph nodes", f"E and H nodes of the graph together; ≥ 1 ({PAPER}, 5.3)"),
        Entry("degree", "Degree", "Edges of each node; ≥ 1"),
        Entry(
            "nonlocal_share",
            "Nonlocal share",
            "Share of the edges that end on another processor; 0 to 1",
            slides=(0.0, 1.0),
        ),
        Entry("iterations", "Iterations", "Each sends all values that cross; ≥ 1"),
        Entry("edge_s", "Computing per edge", "On a machine of the reference speed; ≥ 0", "s"),
        Entry("span", "Span", "Neighbours to either side that a processor sends to; ≥ 1"),
        Entry("values_per_message", "Values per message", "Values that are sent together; > 0"),
        BYTES_PER_VALUE,
        COMPLETION,
        TRANSPORT,
        SHORT_BYTES,
        MAPPING,
        SEED,
        PROCESSES,
    ),
    FAMILY,
    NEEDS,
)

"""EM3D: an irregular bipartite graph whose values cross between processors in every iteration.

Moritz & Frank 2001, sec. 5.3.
"""

from __future__ import annotations

from dataclasses import dataclass

from advisor.basics.quantities import count, percent, size
from advisor.messages.mapping.orders import Mapping
from advisor.messages.patterns import EM3D as EM3D_PATTERN
from advisor.messages.patterns import Pattern
from advisor.messages.styles import Message
from advisor.models.logpc import em3d_messages
from advisor.programs.choices.mapping_choice import MAPPING
from advisor.programs.choices.style import STYLE
from advisor.programs.message_program import (
    FAMILY,
    HELD,
    KEPT,
    NEEDS,
    PAPER,
    StyledProgram,
    bytes_per_value_field,
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
from machines import Interconnect
from machines.checks import number
from machines.parameters import parameter


@dataclass(frozen=True, slots=True)
class Em3d(StyledProgram):
    """An irregular bipartite graph whose values cross between processors in every iteration.

    Moritz & Frank 2001, sec. 5.3.

    `nodes`, `degree`: nodes of the graph, E and H together, and edges of each.
    `nonlocal_share`: share of the edges that end on another processor.
    `edge_s`: computation per edge.
    `span`: neighbours to either side that a processor sends to.
    `values_per_message`, `bytes_per_value`: values sent together, and bytes of each.
    `completion`, `transport`, `short_bytes`, `mapping`, `seed`, `processes`, `threads`: as
        `advisor.programs.remap.Remap`; a short message carries the ten values of the paper.
    """

    nodes: int = parameter(
        title="Graph nodes", low=1, help=f"E and H nodes of the graph together ({PAPER}, 5.3)"
    )
    degree: int = parameter(title="Degree", low=1, help="Edges of each node")
    nonlocal_share: float = parameter(
        1.0,
        title="Nonlocal share",
        low=0.0,
        high=1.0,
        help="Share of the edges that end on another processor",
    )
    iterations: int = parameter(
        1, title="Iterations", low=1, help="Each sends all values that cross"
    )
    edge_s: float = parameter(
        0.0,
        title="Computing per edge",
        unit="s",
        low=0.0,
        help="On a machine of the reference speed",
    )
    span: int = parameter(
        1, title="Span", low=1, help="Neighbours to either side that a processor sends to"
    )
    values_per_message: float = parameter(
        10.0, title="Values per message", low=0.0, above=True, help="Values that are sent together"
    )
    bytes_per_value: float = bytes_per_value_field()
    completion: str = completion_field()
    transport: str = transport_field()
    short_bytes: float = short_bytes_field(128.0)
    mapping: str | Mapping = mapping_field()  # noqa: RUF009 - a field
    seed: int = seed_field()
    processes: int | None = processes_field()
    threads: int = threads_field()

    def __post_init__(self) -> None:
        _ = self.traffic, self.style
        check_program(self, "em3d")
        number("bytes of a message", self.message_bytes, low=1.0, where="em3d")

    @property
    def message_bytes(self) -> float:
        """Bytes of one message."""
        return self.values_per_message * self.bytes_per_value

    @property
    def traffic(self) -> Pattern:
        """Communication pattern."""
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
            f"{size(self.message_bytes)}; {seats(self)}"
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
    FAMILY,
    NEEDS,
    KEPT,
    HELD,
    (STYLE, MAPPING),
)

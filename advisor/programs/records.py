"""What runs inside a parallel task: a program of messages, or one that shares memory.

Frozen records of what the program does; what that takes on a machine is in
`advisor.programs.costs`. Times are seconds on a machine of the reference speed, as a task's work.
"""

from __future__ import annotations

from dataclasses import dataclass

from advisor.messages.networks import ORDER_NAMES
from advisor.messages.patterns import ALL_TO_ALL, EM3D, Pattern
from advisor.messages.styles import ASYNCHRONOUS, SHORT, Style
from advisor.shared_memory.application import Application
from machines.checks import number, whole
from machines.errors import InputError


@dataclass(frozen=True, slots=True)
class Remap:
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
        _check_placement("remap", self.mapping, self.processes)

    @property
    def traffic(self) -> Pattern:
        """Who sends to whom."""
        return Pattern(self.pattern, self.reach, self.share, self.node, self.seed)

    @property
    def style(self) -> Style:
        """How."""
        return Style(self.completion, self.transport)


@dataclass(frozen=True, slots=True)
class Em3d:
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
        As `Remap`; a short message carries the ten values of the paper.
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
        _check_placement("em3d", self.mapping, self.processes)

    @property
    def message_bytes(self) -> float:
        """Bytes of one message."""
        return self.values_per_message * self.bytes_per_value

    @property
    def traffic(self) -> Pattern:
        """Who sends to whom."""
        return Pattern(EM3D, self.span)

    @property
    def style(self) -> Style:
        """How."""
        return Style(self.completion, self.transport)


@dataclass(frozen=True, slots=True)
class DiamondDag:
    """A wavefront over an n × n matrix in stripes and blocks, with long blocking messages.

    Moritz & Frank 2001, sec. 5.2.

    Attributes
    ----------
    n : int
        Rows and columns.
    element_s : float
        Computation of one element.
    bytes_per_value : float
        Bytes of one value of a block's last row.
    aggregation_s : float
        Packing and unpacking one value.
    blocks : int or None
        Blocks of a stripe; ``None``: the best number on the machine.
    mapping, seed, processes
        As `Remap`.
    """

    n: int
    element_s: float
    bytes_per_value: float = 8.0
    aggregation_s: float = 0.0
    blocks: int | None = None
    mapping: str = "row-major"
    seed: int = 0
    processes: int | None = None

    def __post_init__(self) -> None:
        whole("n", self.n, low=1, where="diamond")
        number("element_s", self.element_s, above=True, where="diamond")
        number("bytes_per_value", self.bytes_per_value, above=True, where="diamond")
        number("aggregation_s", self.aggregation_s, where="diamond")
        whole("seed", self.seed, where="diamond")
        if self.blocks is not None and whole("blocks", self.blocks, low=1) > self.n:
            raise InputError(
                "a stripe has no more blocks than columns",
                where="diamond",
                value=self.blocks,
                remedy=f"Allowed: 1 to n = {self.n}",
            )
        _check_placement("diamond", self.mapping, self.processes)


@dataclass(frozen=True, slots=True)
class SharedMemoryProgram:
    """A program whose processes share memory, on workstations that do so through software.

    Parsons, Brorsson & Sevcik 1997.

    Attributes
    ----------
    application : Application
        What each processor does in each phase. The counts themselves and no name: a task then
        means the same wherever it is read, whatever applications ship.
    """

    application: Application

    def __post_init__(self) -> None:
        if not isinstance(self.application, Application):
            raise InputError(
                "application must be an application",
                where="shared-memory",
                value=self.application,
            )


MessageProgram = Remap | Em3d | DiamondDag
Program = MessageProgram | SharedMemoryProgram
KINDS: dict[str, type[Program]] = {
    "remap": Remap,
    "em3d": Em3d,
    "diamond": DiamondDag,
    "shared-memory": SharedMemoryProgram,
}


def kind_of(program: Program) -> str:
    """The program's kind, as files name it."""
    return next(name for name, record in KINDS.items() if isinstance(program, record))


def _check_placement(where: str, mapping: str, processes: int | None) -> None:
    if mapping not in ORDER_NAMES:
        remedy = "Orders: " + ", ".join(ORDER_NAMES)
        raise InputError("unknown order", where=where, value=mapping, remedy=remedy)
    if processes is not None:
        whole("processes", processes, low=2, where=where)

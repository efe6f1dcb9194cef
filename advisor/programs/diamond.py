"""A Diamond DAG: a wavefront over a matrix in stripes and blocks, with long blocking messages.

Moritz & Frank 2001, sec. 5.2.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache

from advisor.basics.quantities import count
from advisor.messages.diamond import Diamond, least, stripes_load
from advisor.messages.network_load import ROUTE_AWARE, NetworkLoad
from advisor.programs.message_program import (
    BYTES_PER_VALUE,
    FAMILY,
    MAPPING,
    NEEDS,
    PAPER,
    PROCESSES,
    SEED,
    MessageProgram,
    check_placement,
    seated,
    seats,
)
from advisor.programs.program import Entry, ProgramKind
from machines import InputError, Interconnect
from machines.checks import number, whole
from machines.traffic import routes_of


@dataclass(frozen=True, slots=True)
class DiamondDag(MessageProgram):
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
        As `advisor.programs.remap.Remap`.
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
        check_placement("diamond", self.mapping, self.processes)

    def fitted(self, net: Interconnect, units: float) -> int:
        """Its processes, if some number of blocks, or its own, has messages of 1 + a bytes."""
        P = seated(net, self.mapping, self.seed, self.processes)
        diamond = self._on(net, P, units)
        most = diamond.most()
        diamond.steps(most if self.blocks is None else self.blocks)
        return P

    def spent(self, net: Interconnect, P: int, units: float, contended: bool) -> tuple[float, ...]:
        """Eq. (15) with the network's own o_r and contention, term by term along its path."""
        diamond = self._on(net, P, units)
        load = _stripes(net, self.mapping, self.seed, P) if contended else None
        b = self.blocks
        if b is None:
            b, _ = least(lambda blocks: diamond.makespan(blocks, load), diamond.most())
        steps = diamond.steps(b)
        computing = (P + b - 1) * steps.work
        overhead = (b - 1) * net.long.o_s + (P + b - 2) * net.long.o_r
        return (
            computing,
            0.0,
            steps.makespan(P, b) - computing - overhead,
            max(0.0, diamond.makespan(b, load) - diamond.makespan(b)),  # rounding is no contention
            overhead,
        )

    def words(self) -> str:
        """How large the wavefront is, in what blocks, and where the processes are."""
        blocks = "the best number of blocks"
        if self.blocks is not None:
            blocks = count(self.blocks, "block")
        return (
            f"Wavefront over {self.n:,} × {self.n:,} elements in stripes of {blocks}; long "
            f"blocking messages; {seats(self.mapping, self.processes)}"
        )

    def _on(self, net: Interconnect, P: int, units: float) -> Diamond:
        return Diamond(
            net, self.n, P, self.element_s * units, self.bytes_per_value,
            self.aggregation_s * units,
        )  # fmt: skip


@lru_cache(maxsize=64)
def _stripes(net: Interconnect, order: str, seed: int, P: int) -> NetworkLoad:
    return stripes_load(net, routes_of(net.network), P, order, seed, ROUTE_AWARE)


DIAMOND = ProgramKind(
    "diamond",
    f"a wavefront in blocks ({PAPER}, sec. 5)",
    DiamondDag,
    lambda: DiamondDag(n=1024, element_s=1e-6),
    (
        Entry("n", "Rows and columns n", f"The wavefront has n × n elements; ≥ 1 ({PAPER}, 5.2)"),
        Entry(
            "element_s", "Computing per element", "On a machine of the reference speed; > 0", "s"
        ),
        BYTES_PER_VALUE,
        Entry("aggregation_s", "Packing α", "Packing and unpacking of one value; ≥ 0", "s"),
        Entry(
            "blocks",
            "Blocks b",
            "Blocks of a stripe, 1 to n: few make the others wait, many cost messages. Empty: the "
            f"best number on each machine ({PAPER}, Eq. (15))",
            placeholder="the best",
        ),
        MAPPING,
        SEED,
        PROCESSES,
    ),
    FAMILY,
    NEEDS,
)

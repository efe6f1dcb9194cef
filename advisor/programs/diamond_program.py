"""A Diamond DAG: a wavefront over a matrix in stripes and blocks, with long blocking messages.

Moritz & Frank 2001, sec. 5.2.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache

import numpy as np

from advisor.basics.quantities import count
from advisor.messages.diamond_blocks import Diamond, least, stripes_load
from advisor.messages.mapping.orders import Mapping
from advisor.messages.network_load import ROUTE_AWARE, NetworkLoad
from advisor.programs.choices.block import BLOCK
from advisor.programs.choices.mapping_choice import MAPPING
from advisor.programs.message_program import (
    FAMILY,
    HELD,
    KEPT,
    NEEDS,
    PAPER,
    MessageProgram,
    bytes_per_value_field,
    check_program,
    mapping_field,
    network_of,
    processes_field,
    seated,
    seating,
    seats,
    seed_field,
    threads_field,
    units_of,
)
from advisor.programs.program import ProgramKind
from machines import InputError, Interconnect, Machine
from machines.arrays import Floats
from machines.parameters import parameter
from machines.traffic import routes_of


@dataclass(frozen=True, slots=True)
class DiamondDag(MessageProgram):
    """A wavefront over an n × n matrix in stripes and blocks, with long blocking messages.

    Moritz & Frank 2001, sec. 5.2.

    `n`: rows and columns.
    `element_s`: computation of one element.
    `aggregation_s`: packing and unpacking one value.
    `blocks`: blocks of a stripe; ``None``: the best number on the machine.
    `mapping`, `seed`, `processes`, `threads`: as `advisor.programs.remap.Remap`.
    """

    n: int = parameter(
        title="Rows and columns n", low=1, help=f"The wavefront has n × n elements ({PAPER}, 5.2)"
    )
    element_s: float = parameter(
        title="Computing per element",
        unit="s",
        low=0.0,
        above=True,
        help="On a machine of the reference speed",
    )
    bytes_per_value: float = bytes_per_value_field()  # bytes of one value of a block's last row
    aggregation_s: float = parameter(
        0.0, title="Packing α", unit="s", low=0.0, help="Packing and unpacking of one value"
    )
    blocks: int | None = parameter(
        None,
        title="Blocks b",
        low=1,
        empty="the best",
        help="Blocks of a stripe, n at most: few make the others wait, many cost messages; the "
        f"best number differs from machine to machine ({PAPER}, Eq. (15))",
    )
    mapping: str | Mapping = mapping_field()  # noqa: RUF009 - a field
    seed: int = seed_field()
    processes: int | None = processes_field()
    threads: int = threads_field()

    def __post_init__(self) -> None:
        check_program(self, "diamond")
        if self.blocks is not None and self.blocks > self.n:
            raise InputError(
                "a stripe has no more blocks than columns",
                where="diamond",
                value=self.blocks,
                remedy=f"Allowed: 1 to n = {self.n}",
            )

    def sends(self, net: Interconnect, P: int) -> Floats:  # noqa: ARG002
        """Every process sends to the next one alone."""
        return _to_next(P)

    def fitted(self, net: Interconnect, units: float) -> int:
        """Its processes, if some number of blocks, or its own, has messages of 1 + a bytes."""
        P = seated(net, self.order, self.seed, self.processes)
        diamond = self._on(net, P, units)
        most = diamond.most()
        diamond.steps(most if self.blocks is None else self.blocks)
        return P

    def spent(self, net: Interconnect, P: int, units: float, contended: bool) -> tuple[float, ...]:
        """Eq. (15) with the network's own o_r and contention, term by term along its path."""
        diamond = self._on(net, P, units)
        load = _stripes(net, self.order, self.seed, P) if contended else None
        b = self.blocks
        if b is None:
            b = _best(diamond, load)
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

    def best_blocks(self, machine: Machine) -> int:
        """The number of blocks with which it ends soonest on a machine where it can run."""
        diamond, net = self._there(machine)
        return _best(diamond, _stripes(net, self.order, self.seed, diamond.P))

    def most_blocks(self, machine: Machine) -> int:
        """The most blocks of a stripe whose messages the machine's network can price."""
        return self._there(machine)[0].most()

    def words(self) -> str:
        """How large the wavefront is, in what blocks, and where the processes are."""
        blocks = "the best number of blocks"
        if self.blocks is not None:
            blocks = count(self.blocks, "block")
        return (
            f"Wavefront over {self.n:,} × {self.n:,} elements in stripes of {blocks}; long "
            f"blocking messages; {seats(self)}"
        )

    def _there(self, machine: Machine) -> tuple[Diamond, Interconnect]:
        net = network_of(machine)
        P = seated(net, self.order, self.seed, self.processes)
        return self._on(net, P, units_of(net, machine.speed)), net

    def _on(self, net: Interconnect, P: int, units: float) -> Diamond:
        return Diamond(
            net, self.n, P, self.element_s * units, self.bytes_per_value,
            self.aggregation_s * units,
        )  # fmt: skip


@lru_cache(maxsize=512)
def _best(diamond: Diamond, load: NetworkLoad | None) -> int:
    return least(lambda blocks: diamond.makespan(blocks, load), diamond.most())[0]


@lru_cache(maxsize=64)
def _stripes(net: Interconnect, order: str | Mapping, seed: int, P: int) -> NetworkLoad:
    mapping = seating(net.network, order, seed, P, lambda: _to_next(P))
    return stripes_load(net, routes_of(net.network), P, mapping, seed, ROUTE_AWARE)


def _to_next(P: int) -> Floats:
    return np.eye(P, k=1)


DIAMOND = ProgramKind(
    "diamond",
    f"a wavefront in blocks ({PAPER}, sec. 5)",
    DiamondDag,
    lambda: DiamondDag(n=1024, element_s=1e-6),
    FAMILY,
    NEEDS,
    KEPT,
    HELD,
    (MAPPING, BLOCK),
)

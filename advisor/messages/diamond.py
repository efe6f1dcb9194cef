"""A Diamond DAG on a machine: its makespan for any number of blocks, and the best number.

Joins the closed form (`advisor.models.diamond`) with what the mapping of its stripes puts on the
channels of a network. Times in the interconnect's unit.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace

import numpy as np

from advisor.basics.stopping import ShouldStop
from advisor.messages.mapping.orders import Mapping
from advisor.messages.network_load import PUBLISHED, NetworkLoad, network_load
from advisor.messages.networks import RANDOM, placed
from advisor.models.logpc import DiamondSteps, diamond_optimum, diamond_steps
from machines import InputError, Interconnect
from machines.traffic import Routes

NETWORKS_OWN, AS_PRINTED = "network", "printed"
READINGS = (NETWORKS_OWN, AS_PRINTED)
"""What receiving costs: with the network's own o_r, or without as Moritz & Frank 2001 print O_r."""

_EVERY = 2048  # up to so many blocks each whole number is tried
_GRID = 400


@dataclass(frozen=True)
class Diamond:
    """An n × n wavefront in P stripes on an interconnect.

    Attributes
    ----------
    net : Interconnect
    n, P : int
        Rows and columns; stripes, one a processor.
    task_time : float
        Time of one element.
    bytes_per_value : float
        Bytes of one value of a block's last row.
    aggregation : float
        alpha: time to pack and unpack one value.
    receiving : str
        "network": O_r = o_r + (B − 1 − a) G, with the network's own o_r; "printed": without o_r,
        which no receiver is spared.
    """

    net: Interconnect
    n: int
    P: int
    task_time: float
    bytes_per_value: float = 8.0
    aggregation: float = 0.0
    receiving: str = NETWORKS_OWN

    def __post_init__(self) -> None:
        if self.receiving not in READINGS:
            raise InputError(
                "unknown variant of receiving",
                where="diamond",
                value=self.receiving,
                remedy="Variants: " + ", ".join(READINGS),
            )

    @property
    def charges_receiver(self) -> bool:
        """Whether O_r has the network's o_r in it."""
        return self.receiving == NETWORKS_OWN

    def message(self, b: int) -> float:
        """Bytes of a message with b blocks: B = s n/b."""
        return self.bytes_per_value * self.n / b

    def steps(self, b: int) -> DiamondSteps:
        """W, d, O_s and O_r of one of b blocks."""
        p, B = self.net.long, self.message(b)
        return diamond_steps(
            self.n, self.P, b, self.task_time, p, B, self.aggregation, self.charges_receiver
        )

    def contention(self, b: int, load: NetworkLoad) -> float:
        """C_n per message, of one message in v + 2 C_n. Moritz & Frank 2001, sec. 5.2.1."""
        occ = load.occ(self.message(b), self.net.long.G)
        return load.contention(self.steps(b).block, occ, terms=2.0)

    def makespan(self, b: int, load: NetworkLoad | None = None) -> float:
        """M, or with a load M + (P − 1) C_n + 2 (b − 1) C_n. Moritz & Frank 2001, Eq. (15)."""
        alone = self.steps(b).makespan(self.P, b)
        if load is None:
            return alone
        return alone + (self.P - 1 + 2 * (b - 1)) * self.contention(b, load)

    def optimum(self) -> float | None:
        """The real b* of the closed form without contention; ``None``: it has no minimum."""
        return diamond_optimum(
            self.n,
            self.P,
            self.task_time,
            self.net.long,
            self.bytes_per_value,
            self.aggregation,
            self.charges_receiver,
        )

    def most(self) -> int:
        """The largest b ≤ n whose messages have 1 + a bytes.

        Raises
        ------
        InputError
            Not even one block has.
        """
        least_bytes = 1.0 + self.net.long.a
        most = min(self.n, int(self.message(1) / least_bytes) + 1)
        while most >= 1 and self.message(most) < least_bytes:  # the quotient may be rounded up
            most -= 1
        if most < 1:
            raise InputError(
                "messages would be shorter than 1 + a bytes with any number of blocks",
                where="blocks",
                value=self.message(1),
                remedy=f"Allowed: n · bytes_per_value ≥ {least_bytes:g}",
            )
        return most

    def whole(self) -> tuple[int, ...]:
        """The admissible b that cut a stripe into equal blocks."""
        most = self.most()
        return tuple(b for b in divisors(self.n) if b <= most)


def stripes_load(
    net: Interconnect,
    routes: Routes,
    P: int,
    order: str | Mapping,
    seed: int = 0,
    reading: str = PUBLISHED,
    occupancy: str = "physical",
) -> NetworkLoad:
    """What the stripes put on the channels: i sends to i + 1, placed in a named order.

    Under the published reading a random order has the mean distance of all of them, not that of
    the one that is drawn.

    Parameters
    ----------
    net : Interconnect
    routes : Routes
        Of its network.
    P : int
        Stripes.
    order, seed
        As `advisor.messages.networks.placed`.
    reading, occupancy
        As `NetworkLoad`.
    """
    mapping = placed(net.network, order, P, seed)
    load = network_load(routes, np.eye(P, k=1), mapping, reading, occupancy)
    if order != RANDOM or reading != PUBLISHED:
        return load
    return replace(load, k_d=net.network.mean_distance(distinct=True) / load.dimensions)


def least(
    value: Callable[[int], float], most: int, should_stop: ShouldStop | None = None
) -> tuple[int, bool]:
    """The whole number in 1 … most of least value, and whether the search came to its end.

    All of them where there are few; else a grid that is refined round its least point, which
    finds the least value of a convex function.
    """
    low, high, best = 1, most, (value(1), 1)
    while True:
        grid = _grid(low, high)
        for b in grid:
            if should_stop is not None and should_stop():
                return best[1], False
            best = min(best, (value(b), b))
        if len(grid) == high - low + 1:
            return best[1], True
        at = int(np.searchsorted(grid, best[1]))
        low, high = grid[max(at - 1, 0)], grid[min(at + 1, len(grid) - 1)]


def divisors(n: int) -> tuple[int, ...]:
    """The divisors of n, in increasing order."""
    small = [b for b in range(1, int(n**0.5) + 1) if n % b == 0]
    return tuple(sorted({*small, *(n // b for b in small)}))


def thinned(most: int) -> list[int]:
    """Enough of 1 … most for a smooth curve."""
    if most <= _GRID:
        return list(range(1, most + 1))
    return sorted({1, most, *np.geomspace(1, most, _GRID).astype(int).tolist()})


def _grid(low: int, high: int) -> list[int]:
    if high - low < _EVERY:
        return list(range(low, high + 1))
    return sorted({low, high, *np.geomspace(low, high, _GRID).astype(int).tolist()})

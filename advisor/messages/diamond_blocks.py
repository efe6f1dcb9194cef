"""A Diamond DAG on a machine: its makespan for any number of blocks, and the best number.

Joins the closed form (`advisor.models.diamond`) with what the mapping of its stripes puts on the
channels of a network. Times in the interconnect's unit.

The Gantt programme of a Diamond DAG: who computes, sends, receives and waits, and when.

Follows stripes and blocks event by event under the accounting of Moritz & Frank 2001, Eq. (15),
without its formula: the two agree where the formula is exact (three processors and more).
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace

import numpy as np

from advisor.basics.causes import COMPUTING, IDLE, MESSAGE_OVERHEAD, NETWORK_CONTENTION
from advisor.basics.stop_rule import ShouldStop
from advisor.messages.mapping.orders import Mapping
from advisor.messages.network_load import PUBLISHED, NetworkLoad, network_load
from advisor.messages.networks import RANDOM, placed
from advisor.models.logpc import DiamondSteps, diamond_optimum, diamond_steps
from machines import InputError, Interconnect
from machines.arrays import Floats, Indices
from machines.checks import number, whole
from machines.traffic import Routes

NETWORKS_OWN, AS_PRINTED = "network", "printed"
READINGS = (NETWORKS_OWN, AS_PRINTED)
"""What receiving costs: with the network's own o_r, or without as Moritz & Frank 2001 print O_r."""

_EVERY = 2048  # up to so many blocks each whole number is tried
_GRID = 400


@dataclass(frozen=True)
class Diamond:
    """An n × n wavefront in P stripes on an interconnect.

    `n`, `P`: rows and columns; stripes, one a processor.
    `receiving`: "network": O_r = o_r + (B − 1 − a) G, with the network's own o_r; "printed":
        without o_r, which no receiver is spared.
    """

    net: Interconnect
    n: int
    P: int
    task_time: float  # time of one element
    bytes_per_value: float = 8.0  # bytes of one value of a block's last row
    aggregation: float = 0.0  # alpha: time to pack and unpack one value
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
        """The largest b ≤ n whose messages have 1 + a bytes."""
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

    `routes`: of its network. `P`: stripes. `order`, `seed`: as `advisor.messages.networks.placed`.
    `reading`, `occupancy`: as `NetworkLoad`.
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


GANTT_CAUSES = (COMPUTING, MESSAGE_OVERHEAD, NETWORK_CONTENTION, IDLE)


@dataclass(frozen=True, eq=False)
class Gantt:
    """What each processor does: intervals of one cause, none of length 0, in the order of start.

    `cause`: shape (intervals,); position in `GANTT_CAUSES`; idle is waiting for data, or for the
        others to end.
    `start`, `end`: shape (intervals,); in `unit`.
    """

    processors: int  # rows of the chart
    row: Indices  # shape (intervals,); processor
    cause: Indices
    start: Floats
    end: Floats
    makespan: float  # the last end
    unit: str  # unit of time
    title: str = ""  # what is drawn, in a few words

    def share(self, cause: str) -> float:
        """Share of all processors' time until the makespan that goes to a cause."""
        chosen = self.cause == GANTT_CAUSES.index(cause)
        spent = float((self.end - self.start)[chosen].sum())
        return spent / (self.processors * self.makespan) if self.makespan > 0 else 0.0


@dataclass(frozen=True, eq=False)
class Wavefront:
    """When every block of every stripe runs, in the unit of its steps."""

    steps: DiamondSteps
    contention: float  # C_n per message
    computed: Floats  # shape (P, b); end of computing of each block; its send begins then

    @property
    def makespan(self) -> float:
        """The end of the last block of the last stripe."""
        return float(self.computed[-1, -1])

    @property
    def hold(self) -> float:
        """How long a send holds its processor, contention included: O_s + 2 C_n."""
        return self.steps.sending + 2.0 * self.contention


def wavefront(steps: DiamondSteps, P: int, b: int, contention: float = 0.0) -> Wavefront:
    """Run a Diamond DAG of P stripes in b blocks.

    A processor receives a block's data (O_r) when they are announced and it is free, computes
    the block (W) and sends its last row (O_s). The next processor is told d after the send
    began. Contention delays every announcement by C_n and holds a processor for 2 C_n per
    block, once for what it sends and once for what it receives: the accounting of
    M + (P − 1) C_n + 2 (b − 1) C_n. Moritz & Frank 2001, sec. 5.2.

    `steps`: W, d, O_s and O_r of one block.
    `P`: processors, ≥ 2.
    `b`: blocks of a stripe, ≥ 1.
    `contention`: C_n per message, ≥ 0.
    Returns its makespan is the closed form's for P ≥ 3, and at most that for P = 2. O(P b).
    """
    whole("P", P, low=2)
    block = np.arange(whole("b", b, low=1))
    added = number("contention", contention)
    computed = np.empty((P, len(block)))
    hold = steps.sending + 2.0 * added
    computed[0] = steps.work + block * (steps.work + hold)
    for row in range(1, P):
        told = computed[row - 1] + steps.delay + added
        work = steps.receiving + steps.work
        cycle = work + (hold if row < P - 1 else 0.0)
        # end[j] = max(end[j − 1] + cycle, told[j] + work), as a running maximum
        computed[row] = np.maximum.accumulate(told + work - block * cycle) + block * cycle
    return Wavefront(steps, added, computed)


def gantt(run: Wavefront, unit: str, title: str = "") -> Gantt:
    """The chart of a run: every processor's time from 0 to the makespan, by cause.

    `unit`: unit of its times. `title`: caption.
    """
    computed, steps = run.computed, run.steps
    P = len(computed)
    receiving = np.full(P, steps.receiving)
    receiving[0] = 0.0
    sending, network = np.full(P, steps.sending), np.full(computed.shape, 2.0 * run.contention)
    network[:, -1] = run.contention  # after the last block there is nothing to receive
    sending[-1] = network[-1] = 0.0
    began = computed - steps.work
    told = began - receiving[:, None]
    sent = computed + sending[:, None]
    free = sent + network
    before = np.concatenate([np.zeros((P, 1)), free[:, :-1]], axis=1)
    parts = (
        (IDLE, before, told),
        (MESSAGE_OVERHEAD, told, began),
        (COMPUTING, began, computed),
        (MESSAGE_OVERHEAD, computed, sent),
        (NETWORK_CONTENTION, sent, free),
        (IDLE, free[:, -1:], np.full((P, 1), max(run.makespan, float(free.max())))),
    )
    return _chart(parts, P, run.makespan, unit, title)


def _chart(
    parts: tuple[tuple[str, Floats, Floats], ...], P: int, makespan: float, unit: str, title: str
) -> Gantt:
    """The intervals of all parts, rounding's slivers left out, in the order of start by row."""
    causes = [np.full(start.size, GANTT_CAUSES.index(cause)) for cause, start, _ in parts]
    rows = [np.repeat(np.arange(P), start.shape[1]) for _, start, _ in parts]
    cause, row = np.concatenate(causes), np.concatenate(rows)
    start = np.concatenate([one.ravel() for _, one, _ in parts])
    end = np.concatenate([one.ravel() for _, _, one in parts])
    kept = np.flatnonzero(end - start > 1e-9 * makespan)
    order = kept[np.lexsort((start[kept], row[kept]))]
    arrays = (row[order].astype(np.int32), cause[order].astype(np.int32), start[order], end[order])
    for array in arrays:
        array.flags.writeable = False
    return Gantt(P, *arrays, makespan=makespan, unit=unit, title=title)

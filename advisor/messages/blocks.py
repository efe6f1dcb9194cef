"""The Gantt programme of a Diamond DAG: who computes, sends, receives and waits, and when.

Follows stripes and blocks event by event under the accounting of Moritz & Frank 2001, Eq. (15),
without its formula: the two agree where the formula is exact (three processors and more).
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from advisor.basics.causes import COMPUTING, IDLE, MESSAGE_OVERHEAD, NETWORK_CONTENTION
from advisor.models.logpc import DiamondSteps
from machines.arrays import Floats, Indices
from machines.checks import number, whole

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

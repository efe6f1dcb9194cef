"""The Diamond DAG (Moritz & Frank 2001, sec. 5.2): a wavefront in blocks over a row of processors.

An n × n matrix is cut into P stripes of rows, one a processor, and each stripe into b blocks of
columns; a block needs its left neighbour and the last row of the block above, which comes in one
long message. Any one unit of time, sizes in bytes.
"""

from __future__ import annotations

import math
from dataclasses import dataclass

from advisor.models.network_contention import (
    channel_occupancy,
    contention_closed,
    whole_number,
)
from machines.checks import number
from machines.errors import InputError
from machines.interconnect import LogGP


@dataclass(frozen=True)
class DiamondSteps:
    """The times that a Diamond DAG consists of (Moritz & Frank 2001, sec. 5.2).

    Attributes
    ----------
    work : float
        W = task_time n²/(P b) + alpha n/b: computing one block.
    delay : float
        d = L + a G: from the end of a block to the receiver's interrupt.
    sending, receiving : float
        O_s = o_s + (B − 1) G and O_r = (B − 1 − a) G: a processor with one message.
    """

    work: float
    delay: float
    sending: float
    receiving: float

    @property
    def start(self) -> float:
        """How much later a processor begins than the one before: u = O_r + W + d."""
        return self.receiving + self.work + self.delay

    @property
    def block(self) -> float:
        """Time of a processor per block: v = O_s + W + O_r."""
        return self.sending + self.work + self.receiving

    def makespan(self, P: int, b: int) -> float:
        """M = (W + d) + (P − 2) u + (b − 1) v + O_r + W. Moritz & Frank 2001, Eq. (15)."""
        first = self.work + self.delay
        last = self.receiving + self.work
        return first + (P - 2) * self.start + (b - 1) * self.block + last


def diamond_steps(
    n: int,
    P: int,
    b: int,
    task_time: float,
    p: LogGP,
    B: float,
    alpha: float = 0.0,
    receive_overhead: bool = False,
) -> DiamondSteps:
    """The times of one block and of one message of a Diamond DAG.

    Moritz & Frank 2001, sec. 5.2.

    Parameters
    ----------
    n : int
        Rows and columns, ≥ 1.
    P : int
        Processors, ≥ 2.
    b : int
        Blocks of a stripe, 1 … n; it need not divide n.
    task_time : float
        Time of one element, > 0.
    p : LogGP
        The parameters of long messages; G > 0.
    B : float
        Bytes of a message, ≥ 1 + a.
    alpha : float
        Time per column of a block that does not shrink with P (aggregation), ≥ 0.
    receive_overhead : bool
        Count o_r in O_r; the paper leaves it out.
    """
    size, processors = whole_number("n", n, low=1), whole_number("P", P, low=2)
    blocks = _blocks(b, size)
    task, aggregation = number("task_time", task_time, above=True), number("alpha", alpha)
    gap = number("G", p.G, above=True)
    length = number("B", B)
    if length < 1.0 + p.a:
        raise InputError(
            "B is too small",
            value=B,
            remedy=f"Allowed: ≥ 1 + a = {1.0 + p.a:g} bytes, where the interrupt comes first",
        )
    return DiamondSteps(
        work=(task * size * size / processors + aggregation * size) / blocks,
        delay=p.L + p.a * gap,
        sending=p.o_s + (length - 1.0) * gap,
        receiving=(length - 1.0 - p.a) * gap + (p.o_r if receive_overhead else 0.0),
    )


def diamond_makespan(
    n: int,
    P: int,
    b: int,
    task_time: float,
    p: LogGP,
    B: float,
    alpha: float = 0.0,
    receive_overhead: bool = False,
) -> float:
    """Makespan without network contention.

    M = (P + b − 1) W + (P − 1) d + (P + b − 2) O_r + (b − 1) O_s. Moritz & Frank 2001, Eq. (15):
    exact for P ≥ 3, an upper bound for P = 2.

    Parameters
    ----------
    n, P, b, task_time, p, B, alpha, receive_overhead
        As `diamond_steps`.

    Raises
    ------
    InputError
        As `diamond_steps`.
    """
    steps = diamond_steps(n, P, b, task_time, p, B, alpha, receive_overhead)
    return steps.makespan(P, b)


def diamond_best_blocks(
    n: int,
    P: int,
    task_time: float,
    p: LogGP,
    bytes_per_value: float = 1.0,
    alpha: float = 0.0,
    receive_overhead: bool = False,
) -> tuple[int, float]:
    """The whole b of least makespan without contention, and that makespan.

    Over 1 ≤ b ≤ n with B = bytes_per_value n/b ≥ 1 + a. M(b) = constant + x/b + y b, so only the
    ends and the two whole numbers beside b* = √(x/y) can be best; on a tie the smaller b.
    Moritz & Frank 2001, sec. 5.2 (which calls the minimum a maximum).

    Parameters
    ----------
    n, P, task_time, p, alpha, receive_overhead
        As `diamond_steps`.
    bytes_per_value : float
        Bytes of one element of a block's last row, > 0.

    Raises
    ------
    InputError
        As `diamond_steps`, or no b gives messages of 1 + a bytes.
    """
    value = number("bytes_per_value", bytes_per_value, above=True)
    most = _most_blocks(whole_number("n", n, low=1), value, p)
    optimum = diamond_optimum(n, P, task_time, p, value, alpha, receive_overhead)
    beside = set() if optimum is None else {math.floor(optimum), math.ceil(optimum)}
    candidates = sorted({1, most} | {min(max(b, 1), most) for b in beside})
    makespans = [
        diamond_makespan(n, P, b, task_time, p, value * n / b, alpha, receive_overhead)
        for b in candidates
    ]
    least = min(makespans)
    return candidates[makespans.index(least)], least


def diamond_optimum(
    n: int,
    P: int,
    task_time: float,
    p: LogGP,
    bytes_per_value: float = 1.0,
    alpha: float = 0.0,
    receive_overhead: bool = False,
) -> float | None:
    """The real b where M(b) has its minimum, admissible or not; ``None``: it has none.

    b* = √([(P − 1)(t n²/P + alpha n) + (P − 3) G s n]/[o_s + o_r − (2 + a) G]), o_r = 0 as
    printed; where a bracket is not positive M is monotone, or least at an end.
    Moritz & Frank 2001, sec. 5.2, of B = s n/b.

    Parameters
    ----------
    n, P, task_time, p, bytes_per_value, alpha, receive_overhead
        As `diamond_best_blocks`.
    """
    size, processors = whole_number("n", n, low=1), whole_number("P", P, low=2)
    task, aggregation = number("task_time", task_time, above=True), number("alpha", alpha)
    gap = number("G", p.G, above=True)
    value = number("bytes_per_value", bytes_per_value, above=True)
    filling = (processors - 1) * (task * size * size / processors + aggregation * size)
    filling += (processors - 3) * gap * value * size
    per_block = p.o_s + (p.o_r if receive_overhead else 0.0) - (2.0 + p.a) * gap
    if filling <= 0.0 or per_block <= 0.0:
        return None
    return math.sqrt(filling / per_block)


def diamond_contention(
    n: int,
    P: int,
    b: int,
    task_time: float,
    p: LogGP,
    B: float,
    k_d: float,
    dim: int = 2,
    occupancy: str = "physical",
    alpha: float = 0.0,
    receive_overhead: bool = False,
) -> tuple[float, float]:
    """Contention per message, and the makespan with it: (C_n, M + (P − 1) C_n + 2 (b − 1) C_n).

    C_n of the closed model with two messages' worth of it per block: `contention_closed`(v, occ,
    k_d, dim, terms=2). Moritz & Frank 2001, sec. 5.2.2.

    Parameters
    ----------
    n, P, b, task_time, p, B, alpha, receive_overhead
        As `diamond_steps`.
    k_d : float
        Mean hops per dimension of the mapping, ≥ 1.
    dim : int
        Dimensions of the network, ≥ 1.
    occupancy : str
        "bytes" or "physical": see `channel_occupancy`.

    Raises
    ------
    InputError
        A value out of range or an unknown occupancy.
    """
    steps = diamond_steps(n, P, b, task_time, p, B, alpha, receive_overhead)
    occ = channel_occupancy(B, p.G, occupancy)
    added = contention_closed(steps.block, occ, k_d, whole_number("dim", dim, low=1), terms=2.0)
    return added, steps.makespan(P, b) + (P - 1) * added + 2 * (b - 1) * added


def _blocks(b: int, n: int) -> int:
    blocks = whole_number("b", b, low=1)
    if blocks > n:
        raise InputError(
            "a stripe has no more blocks than columns", value=b, remedy=f"Allowed: b ≤ n = {n}"
        )
    return blocks


def _most_blocks(n: int, bytes_per_value: float, p: LogGP) -> int:
    """The largest b ≤ n whose messages have 1 + a bytes."""
    least = 1.0 + p.a
    # the quotient may round across the whole number that it should be
    most = min(math.floor(bytes_per_value * n / least) + 1, n)
    while most >= 1 and bytes_per_value * n / most < least:
        most -= 1
    if most < 1:
        raise InputError(
            "no number of blocks is possible: messages would be shorter than 1 + a bytes",
            value=bytes_per_value * n,
            remedy=f"Allowed: bytes_per_value · n ≥ {least:g}",
        )
    return most

"""Slowdown under contention (Figueira & Berman, HPDC 1996) and what goes beyond the paper.

Every dedicated time is multiplied by one factor ≥ 1 that follows from what the other applications
do with their time. Pure functions of plain numbers; any one unit of time and of size (the paper:
seconds and words). Exact processor sharing lives in `sharing`, the distribution of how many are
active at once in `simultaneous`; this module offers all of them.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence

import numpy as np

from advisor.models.processor_sharing import (
    link_sharing_slowdown,
    resident_slowdown,
    sharing_slowdown,
)
from advisor.models.simultaneous import simultaneous, simultaneous_add, simultaneous_remove
from machines.checks import number, whole
from machines.errors import InputError

__all__ = [
    "backend_time",
    "communication_slowdown",
    "computation_slowdown",
    "cpu_slowdown",
    "delay_column",
    "finish_time",
    "link_sharing_slowdown",
    "migration_gain",
    "offload_pays",
    "piecewise_transfer_time",
    "resident_slowdown",
    "resource_slowdown",
    "sharing_slowdown",
    "simultaneous",
    "simultaneous_add",
    "simultaneous_remove",
    "transfer_time",
]

DataSets = Sequence[tuple[float, float]]

# Shares that sum to 1 in decimals may exceed it by rounding.
_SHARE_ROUNDING = 1e-12


def offload_pays(t_local: float, t_remote: float, c_out: float, c_back: float) -> bool:
    """Whether running remotely is faster, transfers included.

    t_local > t_remote + c_out + c_back, strict: on equality the task stays local.
    Figueira & Berman 1996, Eq. (1).

    Parameters
    ----------
    t_local, t_remote : float
        Time of the task here and there.
    c_out, c_back : float
        Time to send its input there and its result back.

    Raises
    ------
    InputError
        A negative time.
    """
    local, remote = number("t_local", t_local), number("t_remote", t_remote)
    return local > remote + number("c_out", c_out) + number("c_back", c_back)


def transfer_time(data_sets: DataSets, alpha: float, beta: float) -> float:
    """Dedicated time to transfer data sets: sum of N_i (alpha + size_i/beta).

    Figueira & Berman 1996, sec. 3.1.1.

    Parameters
    ----------
    data_sets : sequence of (count, size)
        N_i messages of size_i > 0; empty: 0.
    alpha : float
        Startup of a message, ≥ 0.
    beta : float
        Effective bandwidth, size per time, > 0.

    Raises
    ------
    InputError
        A count that is not a whole number ≥ 0, or alpha, beta or a size out of range.
    """
    line = _line("alpha", "beta", (alpha, beta))
    return _transfer(data_sets, lambda _: line)


def piecewise_transfer_time(
    data_sets: DataSets, below: tuple[float, float], above: tuple[float, float], threshold: float
) -> float:
    """Transfer time where large messages have another startup and bandwidth.

    As `transfer_time`, with (alpha, beta) = `below` for size ≤ threshold, else `above`.
    Figueira & Berman 1996, sec. 3.2.1.

    Parameters
    ----------
    data_sets : sequence of (count, size)
    below, above : (alpha, beta)
        Startup ≥ 0 and bandwidth > 0 of either piece.
    threshold : float
        Largest size of the lower piece, > 0.

    Raises
    ------
    InputError
        As `transfer_time`.
    """
    lower = _line("alpha below", "beta below", below)
    upper = _line("alpha above", "beta above", above)
    limit = number("threshold", threshold, above=True)
    return _transfer(data_sets, lambda size: lower if size <= limit else upper)


def cpu_slowdown(p: float) -> int:
    """Slowdown by `p` more CPU-bound processes of equal priority: p + 1.

    Figueira & Berman 1996, sec. 3.1.

    Raises
    ------
    InputError
        p is not a whole number ≥ 0.
    """
    return _count("p", p) + 1


def backend_time(dcomp: float, didle: float, dserial: float, p: float) -> float:
    """Time on a SIMD back-end whose front-end is shared: max(dcomp + didle, dserial (p + 1)).

    Figueira & Berman 1996, sec. 3.1.2. A lower bound where front-end and back-end do not overlap:
    the truth is at most dcomp + didle + p·dserial.

    Parameters
    ----------
    dcomp, didle : float
        Dedicated computing and idle time of the back-end.
    dserial : float
        Serial part on the front-end; didle ≤ dserial ≤ dcomp + didle.
    p : int
        CPU-bound processes on the front-end.

    Raises
    ------
    InputError
        A negative time, or figures that no dedicated measurement gives.
    """
    computing, idle = number("dcomp", dcomp), number("didle", didle)
    alone = computing + idle
    serial = number("dserial", dserial)
    if not idle <= serial <= alone:
        raise InputError(
            "dserial is out of range",
            value=dserial,
            remedy=f"A dedicated run has didle ≤ dserial ≤ dcomp + didle: {idle:g} to {alone:g}",
        )
    return max(alone, serial * (_count("p", p) + 1))


def delay_column(message_words: float) -> int:
    """Column of the delay table for contenders that send messages of so many words.

    1 below 95 words, else the nearer of 500 and 1000; 750 and all above: 1000.
    Figueira & Berman 1996, sec. 3.2.2, footnote 2.

    Raises
    ------
    InputError
        message_words ≤ 0.
    """
    words = number("message_words", message_words, above=True)
    if words < 95:
        return 1
    return 500 if words < 750 else 1000


def communication_slowdown(
    fcomp: Sequence[float],
    fcomm: Sequence[float],
    delay_comp: Sequence[float],
    delay_comm: Sequence[float],
) -> float:
    """Slowdown of a transfer by p contenders that compute and communicate.

    1 + sum_i pcomp_i delay_comp^i + sum_i pcomm_i delay_comm^i, i = 1 … p, with
    pcomp = simultaneous(fcomp), pcomm = simultaneous(fcomm).
    Figueira & Berman 1996, sec. 3.2.1.

    Parameters
    ----------
    fcomp, fcomm : sequence of float, length p
        Share of its time that each contender computes and communicates; together at most 1.
    delay_comp, delay_comm : sequence of float, length ≥ p
        Relative delay (time/dedicated − 1) of a transfer by 1, 2, … such contenders.

    Raises
    ------
    InputError
        Unequal lengths, shares out of range, a negative delay or a table shorter than p.
    """
    _check_shares(fcomp, fcomm)
    return resource_slowdown(
        [
            (fcomp, _table("delay_comp", delay_comp, len(fcomp))),
            (fcomm, _table("delay_comm", delay_comm, len(fcomm))),
        ]
    )


def computation_slowdown(
    fcomp: Sequence[float],
    fcomm: Sequence[float],
    delay_comm_by_size: Mapping[int, Sequence[float]],
    message_words: float,
) -> float:
    """Slowdown of a computation by p contenders that compute and communicate.

    1 + sum_i pcomp_i i + sum_i pcomm_i delay^(i,j), j = delay_column(message_words).
    Figueira & Berman 1996, sec. 3.2.2.

    Parameters
    ----------
    fcomp, fcomm : sequence of float, length p
        Share of its time that each contender computes and communicates; together at most 1.
    delay_comm_by_size : mapping of int to sequence of float
        For messages of 1, 500 and 1000 words: relative delay of a computation by 1, 2, …
        communicating contenders. Only the column that is used must be there.
    message_words : float
        Largest message of the contenders.

    Raises
    ------
    InputError
        As `communication_slowdown`, or without the column.
    """
    _check_shares(fcomp, fcomm)
    column = delay_column(message_words)
    if column not in delay_comm_by_size:
        raise InputError(
            f"delay_comm_by_size lacks the column {column}",
            value=sorted(delay_comm_by_size),
            remedy=f"Measure delays with messages of {column} words",
        )
    table = _table(f"delay_comm_by_size[{column}]", delay_comm_by_size[column], len(fcomm))
    return resource_slowdown([(fcomp, None), (fcomm, table)])


def resource_slowdown(uses: Sequence[tuple[Sequence[float], Sequence[float] | None]]) -> float:
    """Slowdown of an activity by the users of several resources (n machines, n links).

    1 + sum_r sum_i P(exactly i users of r) delay[r][i]; with delay = i this is the sum of the
    shares. Beyond the paper; with two machines it is the paper's formula.

    Parameters
    ----------
    uses : sequence of (shares, delays)
        For each resource the share of time that each contender uses it and the relative delay
        by 1, 2, … simultaneous users; ``None``: delay = i, as on the activity's own processor.

    Raises
    ------
    InputError
        A share outside 0..1, a negative delay, or a table shorter than its shares.
    """
    slowdown = 1.0
    for shares, delays in uses:
        if delays is None:
            slowdown += sum(number("share", share, high=1.0) for share in shares)
        else:
            table = _table("delays", delays, len(shares))
            slowdown += float(simultaneous(shares)[1:] @ np.array(table[: len(shares)]))
    return slowdown


def finish_time(work: float, segments: Sequence[tuple[float, float]], start: float = 0.0) -> float:
    """When `work` dedicated seconds end under a slowdown that changes with time.

    The T with integral from start to T of dt/s(t) = work: elapsed over work is the time-weighted
    harmonic mean of s. Beyond the paper.

    Parameters
    ----------
    work : float
        Dedicated time, ≥ 0.
    segments : sequence of (from_time, slowdown)
        Slowdown ≥ 1 from a time (inclusive) to the next one (exclusive), the last for ever.
    start : float
        When the work starts; not before the first segment.

    Raises
    ------
    InputError
        A slowdown below 1, segments out of order, or none at `start`.
    """
    left, now = number("work", work), number("start", start, low=-np.inf)
    times = [number("segment time", time, low=-np.inf) for time, _ in segments]
    slowdowns = [number("slowdown", slowdown, low=1.0) for _, slowdown in segments]
    if times != sorted(times):
        raise InputError("segments are out of order", where="segments", value=times)
    if not times or times[0] > now:
        raise InputError(
            "no segment covers the start", where="segments", value=now, remedy="Begin earlier"
        )
    for slowdown, until in zip(slowdowns, times[1:], strict=False):
        if until <= now:
            continue
        done = (until - now) / slowdown
        if done >= left:
            return now + left * slowdown
        left, now = left - done, until
    return now + left * slowdowns[-1]


def migration_gain(
    left_here: float, slowdown_here: float, left_there: float, slowdown_there: float, move: float
) -> float:
    """Time saved by moving a running task; it moves iff this is > 0.

    left_here·slowdown_here − (left_there·slowdown_there + move). Beyond the paper.

    Parameters
    ----------
    left_here, left_there : float
        Dedicated time left on either machine.
    slowdown_here, slowdown_there : float
        Slowdown ≥ 1 there.
    move : float
        Contended time to transfer the task's state.

    Raises
    ------
    InputError
        A negative time or a slowdown below 1.
    """
    here = number("left_here", left_here) * number("slowdown_here", slowdown_here, low=1.0)
    there = number("left_there", left_there) * number("slowdown_there", slowdown_there, low=1.0)
    return here - (there + number("move", move))


def _transfer(data_sets: DataSets, line_at: Callable[[float], tuple[float, float]]) -> float:
    time = 0.0
    for count, size in data_sets:
        messages, length = _count("count", count), number("size", size, above=True)
        alpha, beta = line_at(length)
        time += messages * (alpha + length / beta)
    return time


def _line(alpha_name: str, beta_name: str, line: tuple[float, float]) -> tuple[float, float]:
    alpha, beta = line
    return number(alpha_name, alpha), number(beta_name, beta, above=True)


def _count(name: str, value: float) -> int:
    """A whole number ≥ 0, also written 3.0."""
    return whole(name, int(value) if isinstance(value, float) and value.is_integer() else value)


def _check_shares(fcomp: Sequence[float], fcomm: Sequence[float]) -> None:
    if len(fcomp) != len(fcomm):
        raise InputError(
            "fcomp and fcomm must have one length", where="fcomm", value=(len(fcomp), len(fcomm))
        )
    for computing, communicating in zip(fcomp, fcomm, strict=True):
        together = number("fcomp", computing, high=1.0) + number("fcomm", communicating, high=1.0)
        if together > 1.0 + _SHARE_ROUNDING:
            raise InputError("fcomp + fcomm must not exceed 1", where="fcomp", value=together)


def _table(name: str, delays: Sequence[float], p: int) -> list[float]:
    table = [number(name, delay) for delay in delays]
    if len(table) < p:
        raise InputError(
            f"{name} is too short",
            value=len(table),
            remedy=f"{p} contenders need {p} entries; delays are not extrapolated",
        )
    return table

"""Tasks of a machine that share its memory bandwidth, as transfers share a link: max–min fair.

A task that moves memory is limited by its own speed or by an equal share of what the others leave;
the rest of its machine's tasks is not concerned. Such tasks have rates of their own, so each keeps
what it has still to compute; a machine holds few of them, and all are looked at.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from advisor.kernels.executed import Executed, small

Array = Any

INLINED = ("draws", "join", "leave", "move", "share", "first_end", "ended")
BORROWING = INLINED

_LEAST = 1e-12  # of a task's seconds: what is left then is rounding


class Streams(NamedTuple):
    """Where those tasks stand; arrays are empty if no machine is short of memory bandwidth.

    Attributes
    ----------
    first : int64 array (m,)
        The first of a machine's tasks that compute and move memory; -1: there is none.
    after, prior : int64 arrays (n,)
        The next one, and the one before.
    left_s, pace, lost_s : arrays (n,)
        Seconds still to compute alone; seconds computed in a second; lost to others so far.
    """

    first: Array
    after: Array
    prior: Array
    left_s: Array
    pace: Array
    lost_s: Array


def new_streams(executed: Executed) -> Streams:
    """Nothing computes."""
    tasks = executed.draws.shape[0]
    machines = executed.memory_rate.size if tasks > 0 else 0
    return Streams(
        np.full(machines, -1),
        np.full(tasks, -1),
        np.full(tasks, -1),
        np.zeros(tasks),
        np.zeros(tasks),
        np.zeros(tasks),
    )


def draws(executed: Executed, task: int, q: int) -> bool:
    """Whether a task shares the memory bandwidth of machine q."""
    if executed.draws.shape[0] == 0:
        return False
    return bool(executed.draws[task, q] > 0.0 and executed.memory_rate[q] < np.inf)


def join(streams: Streams, task: int, q: int, seconds: float) -> None:
    """A task of so many seconds begins to compute on machine q."""
    other = streams.first[q]
    streams.after[task], streams.prior[task] = other, -1
    if other >= 0:
        streams.prior[other] = task
    streams.first[q] = task
    streams.left_s[task] = seconds
    streams.pace[task] = 1.0


def leave(streams: Streams, task: int, q: int) -> None:
    """A task has computed."""
    after, prior = streams.after[task], streams.prior[task]
    if after >= 0:
        streams.prior[after] = prior
    if prior >= 0:
        streams.after[prior] = after
    else:
        streams.first[q] = after


def move(streams: Streams, q: int, speed: float, seconds: float) -> None:
    """So many seconds pass, in which each goes at its pace and others of machine q at `speed`."""
    task = streams.first[q] if streams.first.size > 0 else -1
    while task >= 0:
        streams.left_s[task] -= streams.pace[task] * seconds
        streams.lost_s[task] += max(0.0, 1.0 - streams.pace[task] / speed) * seconds
        task = streams.after[task]


def share(executed: Executed, streams: Streams, q: int, speed: float) -> None:
    """New paces on machine q, whose processors allow `speed`: the most that is fair."""
    spare, left = executed.memory_rate[q], 0
    task = streams.first[q]
    while task >= 0:
        streams.pace[task] = -1.0
        left += 1
        task = streams.after[task]
    while left > 0:
        equal, met = spare / left, 0
        task = streams.first[q]
        while task >= 0:
            wanted = executed.draws[task, q] * speed
            if streams.pace[task] < 0.0 and wanted <= equal:
                streams.pace[task] = speed
                spare -= wanted
                met += 1
            task = streams.after[task]
        left -= met
        if met > 0:
            continue
        task = streams.first[q]
        while task >= 0:
            if streams.pace[task] < 0.0:
                streams.pace[task] = equal / executed.draws[task, q]
            task = streams.after[task]
        return


def first_end(streams: Streams, q: int) -> tuple[float, int]:
    """Seconds until the first of them ends as things are, and which; inf and -1: none."""
    first_s, ends = np.inf, -1
    task = streams.first[q]
    while task >= 0:
        end_s = max(0.0, streams.left_s[task]) / streams.pace[task]
        if end_s < first_s:
            first_s, ends = end_s, task
        task = streams.after[task]
    return first_s, ends


def ended(executed: Executed, streams: Streams, task: int, q: int) -> bool:
    """Whether a task has nothing left to compute, but for rounding."""
    return bool(streams.left_s[task] <= _LEAST * executed.work_s[task, q])


def warm_up() -> None:
    """Compile for the array types in use."""
    executed = small()
    streams = new_streams(executed)
    draws(executed, 0, 0)
    join(streams, 0, 0, 1.0)
    share(executed, streams, 0, 1.0)
    move(streams, 0, 1.0, 1.0)
    first_end(streams, 0)
    ended(executed, streams, 0, 0)
    leave(streams, 0, 0)

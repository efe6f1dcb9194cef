"""The clocks of machines, set right by causality: no task computes before what it needs has ended.

A clock reads C = t + o. An edge from task u on machine a to task v on machine b tells
o_b − o_a ≤ start_v − end_u (each as its own clock read it): the least over the edges of a pair
bounds their difference from above, those of the opposite direction from below. Shortest paths over
machines (Floyd & Warshall) add what follows of third ones; a circle of negative length means that
no offsets explain the times. Logs of whole seconds may be a second off, so that every bound is
wider by the resolution (difference constraints: Cormen et al., Introduction to Algorithms, 24.4).

Where no offsets at all agree with every bound nothing is changed. Else the machine that ran most
tasks keeps its clock, and every further one, by tasks, is moved as little as the bounds against
those before it allow: on a closed system every such choice can be completed.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from advisor.basics.quantities import count, duration, few
from machines.arrays import Flags, Floats, Ints
from machines.errors import readable

LEAST_S = 0.005  # what clocks that are kept together differ by, and what measuring costs
_MOST_MACHINES = 1000  # shortest paths between all of them
_NAMED = 6  # machines in a note


@dataclass(frozen=True, eq=False)
class Clocks:
    """What was found.

    `offset_s`: shape (machines,); by which each clock is ahead: to be taken off its times; all 0
        where nothing is changed.
    `low_s`, `high_s`: shape (machines,); between which it lies, against the machine that keeps its
        clock; ±inf: nothing bounds it.
    """

    offset_s: Floats
    low_s: Floats
    high_s: Floats
    notes: tuple[str, ...] = ()  # what was changed, or can't be explained


def clocks_of(
    names: tuple[str, ...],
    machine: Ints,
    start_s: Floats,
    end_s: Floats,
    edges: tuple[Ints, Ints],
    resolution_s: float = 0.0,
) -> Clocks:
    """The offsets of the machines' clocks.

    `names`: of the machines, as the log has them.
    `machine`: shape (tasks,); position in `names`; -1: not known.
    `start_s`, `end_s`: shape (tasks,); as the machine's clock read them; nan: not known.
    `edges`: shape (edges,); sources and targets, positions of tasks.
    `resolution_s`: of the log's times.
    """
    sources, targets = _known(machine, start_s, end_s, edges)
    slack, a, b = start_s[targets] - end_s[sources], machine[sources], machine[targets]
    allowed_s = max(resolution_s, LEAST_S)
    notes = _early_at_home(slack[a == b], allowed_s)
    apart = a != b
    if slack[apart].min(initial=0.0) >= -allowed_s:
        return _unchanged(names, notes)
    if len(names) > _MOST_MACHINES:
        said = f"Tasks begin before their inputs end; the clocks of {len(names):,} machines"
        return _unchanged(names, (*notes, f"{said} are too many to be set right"))
    bound = np.full((len(names), len(names)), np.inf)
    np.fill_diagonal(bound, 0.0)
    np.minimum.at(bound, (a[apart], b[apart]), slack[apart] + allowed_s)
    closed = _closed(bound)
    if np.diagonal(closed).min() < 0:
        return _unchanged(names, (*notes, _contradiction(names, bound, closed, allowed_s)))
    ran = np.bincount(machine[machine >= 0], minlength=len(names))
    order = np.argsort(-ran, kind="stable")
    offset, keeps = _least(closed, order), int(order[0])
    low, high = -closed[:, keeps], closed[keeps]
    return Clocks(offset, low, high, (*notes, *_changed(names, offset, low, high, keeps)))


def _unchanged(names: tuple[str, ...], notes: tuple[str, ...]) -> Clocks:
    none = np.zeros(len(names))
    return Clocks(none, none - np.inf, none + np.inf, notes)


def _known(
    machine: Ints, start_s: Floats, end_s: Floats, edges: tuple[Ints, Ints]
) -> tuple[Ints, Ints]:
    """The edges whose both ends have a machine and times."""
    sources, targets = (np.asarray(one, dtype=np.int64) for one in edges)
    whole: Flags = (machine[sources] >= 0) & (machine[targets] >= 0)
    whole &= np.isfinite(start_s[targets]) & np.isfinite(end_s[sources])
    return sources[whole], targets[whole]


def _closed(bound: Floats) -> Floats:
    """Shortest paths between all machines."""
    closed = bound.copy()
    for middle in range(len(closed)):
        np.minimum(closed, closed[:, middle, None] + closed[middle], out=closed)
        if np.diagonal(closed).min() < 0:
            break  # a circle of negative length: what follows means nothing
    return closed


def _least(closed: Floats, order: Ints) -> Floats:
    """Offsets nearest to 0, one machine after another, within the bounds of those before it."""
    offset = np.zeros(len(closed))
    fixed = order[:1]
    for at, machine in enumerate(order[1:].tolist(), start=1):
        fixed = order[:at]
        low = np.max(offset[fixed] - closed[machine, fixed])
        high = np.min(offset[fixed] + closed[fixed, machine])
        offset[machine] = min(max(0.0, low), high)
    return offset


def _changed(
    names: tuple[str, ...], offset: Floats, low: Floats, high: Floats, keeps: int
) -> tuple[str, ...]:
    moved = np.flatnonzero(np.abs(offset) > 0)
    moved = moved[np.argsort(-np.abs(offset[moved]), kind="stable")]
    told = [
        f"{readable(names[one])} {_signed(float(offset[one]))}"
        f"{_between(float(low[one]), float(high[one]))}"
        for one in moved.tolist()
    ]
    return (
        "Clocks disagree: tasks begin before inputs from other machines end. Against "
        f"{readable(names[keeps])}, the smallest offsets that explain it: {few(told, _NAMED)}; "
        "times are shifted by these",
    )


def _signed(offset: float) -> str:
    return f"{duration(abs(offset))} {'ahead' if offset > 0 else 'behind'}"


def _between(low: float, high: float) -> str:
    """The range that causality leaves, where it has two ends."""
    least, most = sorted((abs(low), abs(high)))
    return (
        f" ({duration(least)} to {duration(most)})" if np.isfinite(most) and low * high > 0 else ""
    )


def _contradiction(names: tuple[str, ...], bound: Floats, closed: Floats, allowed_s: float) -> str:
    """Two machines that contradict each other, if there are such; else one of the circle."""
    both = bound + bound.T
    a, b = np.unravel_index(int(np.argmin(both)), both.shape)
    if both[a, b] < 0:
        pair = f"{readable(names[a])} and {readable(names[b])} by {duration(-float(both[a, b]))}"
    else:
        pair = f"those of a circle with {readable(names[int(np.argmin(np.diagonal(closed)))])}"
    return (
        "Tasks begin before their inputs end, and no offsets of clocks explain it (beyond "
        f"{duration(allowed_s)}): {pair}; the times are left as they are. Another workload, or "
        "a clock that was set during the run"
    )


def _early_at_home(slack: Floats, allowed_s: float) -> tuple[str, ...]:
    """Tasks that began before their input on the same machine had ended: no matter of clocks."""
    early = slack[slack < -allowed_s]
    if not len(early):
        return ()
    return (
        f"{count(len(early), 'input')} ended after what needs it on the same machine had begun, up "
        f"to {duration(-float(early.min()))}: the run did not keep to the workload's flows",
    )

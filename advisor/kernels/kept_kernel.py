"""Outputs that stay in the memory of their machine until their last reader there has ended.

While a task runs it holds its own memory or what it makes that stays, whichever is more: its end
never takes memory. What stays is that with a reader on the same machine, each item once.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from machines.arrays import Flags, Floats, Indices

Array = Any

INLINED = ("wanted",)
BORROWING = ("lay_out", "ended", *INLINED)


class Kept(NamedTuple):
    """What stays; i items, n tasks, m machines. Without items nothing does.

    Attributes
    ----------
    keeps : bool array (m,)
        Machines whose memory outputs stay in; it is kind 0 of what tasks hold.
    size : array (i,)
        Whole bytes.
    writer : int32 array (i,)
        The task that makes each.
    first_read, read : int32 arrays (n + 1,), (s,)
        The items that each task reads.
    """

    keeps: Flags
    size: Floats
    writer: Indices
    first_read: Indices
    read: Indices


class Staying(NamedTuple):
    """The items of a plan while it goes on; arrays are empty where nothing stays.

    Attributes
    ----------
    extra, stay : arrays (n,)
        Bytes that a task holds above its own memory while it runs, and that stay when it ends.
    readers : int64 array (i,)
        Readers on the machine of an item that have not ended; 0 of an item that does not stay.
    until : array (i,)
        The latest end of those that have.
    """

    extra: Array
    stay: Array
    readers: Array
    until: Array


def nothing() -> Kept:
    """No outputs stay anywhere."""
    none = np.zeros(0, np.int32)
    return Kept(np.zeros(0, np.bool_), np.zeros(0), none, none, none)


def new_staying(kept: Kept, tasks: int) -> Staying:
    """Room for the items of a plan."""
    items = kept.size.size
    held = tasks if items > 0 else 0
    return Staying(np.zeros(held), np.zeros(held), np.zeros(items, np.int64), np.zeros(items))


def lay_out(kept: Kept, amount: Floats, allocation: Indices, staying: Staying) -> None:
    """Nothing has started; `amount` (n, k) is what tasks hold, memory first."""
    for item in range(kept.size.size):
        staying.readers[item] = 0
        staying.until[item] = 0.0
    for task in range(staying.stay.size):
        staying.stay[task] = 0.0
        for place in range(kept.first_read[task], kept.first_read[task + 1]):
            q = allocation[kept.writer[kept.read[place]]]
            staying.readers[kept.read[place]] += allocation[task] == q and kept.keeps[q]
    for item in range(kept.size.size):
        if staying.readers[item] > 0:
            staying.stay[kept.writer[item]] += kept.size[item]
    for task in range(staying.stay.size):
        staying.extra[task] = max(0.0, staying.stay[task] - amount[task, 0])


def wanted(amount: Floats, staying: Staying, task: int, kind: int) -> float:
    """What a task holds of a kind while it runs."""
    held = amount[task, kind]
    if kind == 0 and staying.extra.size > 0:
        held += staying.extra[task]
    return float(held)


def ended(kept: Kept, staying: Staying, allocation: Indices, task: int) -> float:
    """Bytes that the end of a task sets free beside its own: what nobody reads there any more."""
    freed = 0.0
    for place in range(kept.first_read[task], kept.first_read[task + 1]):
        item = kept.read[place]
        if staying.readers[item] > 0 and allocation[kept.writer[item]] == allocation[task]:
            staying.readers[item] -= 1
            if staying.readers[item] == 0:
                freed += kept.size[item]
    return freed


def small() -> Kept:
    """Two machines, and two tasks of which the second reads what the first makes: to try with."""
    one = np.zeros(1, np.int32)
    return Kept(np.ones(2, np.bool_), np.ones(1), one, np.array([0, 0, 1], np.int32), one.copy())


def warm_up() -> None:
    """Compile for the array types in use."""
    kept = small()
    staying = new_staying(kept, 2)
    amount, allocation = np.zeros((2, 1)), np.zeros(2, np.int32)
    lay_out(kept, amount, allocation, staying)
    wanted(amount, staying, 0, 0)
    ended(kept, staying, allocation, 1)

"""Which transfer brought each reader what it reads, where several readers share a copy."""

from __future__ import annotations

import numpy as np

from advisor.allocation.execution import Executed, Run
from machines.arrays import Indices, Ints


def sent_slots(run: Run) -> Ints:
    """The slots whose transfers moved, in the order in which they set out."""
    slots = np.flatnonzero(~np.isnan(run.arrived_s))
    return slots[np.lexsort((slots, run.left_s[slots]))]


def copies_of(instance: Executed, allocation: Indices, run: Run) -> Indices:
    """The slot by whose transfer every slot was served; -1: nothing had to move.

    Returns
    -------
    int32 array (slots,)
    """
    moved = ~np.isnan(run.arrived_s)
    own = np.where(moved, np.arange(moved.size), -1)
    if not instance.once:
        return own.astype(np.int32)
    machines = instance.machine_cores.size
    key = instance.item.astype(np.int64) * machines + allocation[instance.reader]
    sent = np.flatnonzero(moved)
    order = sent[np.argsort(key[sent], kind="stable")]
    if not order.size:
        return own.astype(np.int32)
    place = np.minimum(np.searchsorted(key[order], key), order.size - 1)
    return np.where(key[order][place] == key, order[place], -1).astype(np.int32)

"""What messages wait at every turn of a network, receivers first (`advisor.models.wormhole`).

A turn is something to be held with what was held before it (`advisor.kernels.transitions_kernel`).
"""

from __future__ import annotations

from typing import Any

import numpy as np

Array = Any

BORROWING = ("deepened", "solved")
_ROUNDING = 1e-12


def deepened(inputs: Array, first: Array, left: Array, depth: Array, found: Array) -> int:
    """How far each slot is from those that nobody leaves, in most turns; how many are no circle.

    Parameters
    ----------
    inputs : int64 array (turns,)
        The slots from which messages reach a slot, slot by slot.
    first : int64 array (slots + 1,)
        Where those of each begin there.
    left : int64 array (slots,)
        Turns that leave each; used up.
    depth : int64 array (slots,)
        Zero before, afterwards that of each.
    found : int64 array (slots,)
        Room.
    """
    count = 0
    for slot in range(left.shape[0]):
        if left[slot] == 0:
            found[count] = slot
            count += 1
    done = 0
    while done < count:
        slot = found[done]
        for place in range(first[slot], first[slot + 1]):
            before = inputs[place]
            depth[before] = max(depth[before], depth[slot] + 1)
            left[before] -= 1
            if left[before] == 0:
                found[count] = before
                count += 1
        done += 1
    return count


def solved(
    inputs: Array,
    slots: Array,
    receiving: int,
    flows: Array,
    into: Array,
    out: Array,
    entering: Array,
    own: float,
    held: Array,
    wait: Array,
) -> bool:
    """Solve all turns, slot by slot; whether no wait is endless.

    Parameters
    ----------
    inputs, slots : int64 array (turns,)
        Where messages come from and what they acquire, so sorted that whatever leaves a slot stands
        before what enters it; inputs from the number of slots on are senders.
    receiving : int
        Turns into receivers, the first ones.
    flows, entering : float64 array (turns,), (slots,)
        Messages at each turn and into each slot, per occupancy.
    into, out : float64 array (turns,)
        Such turns into one slot and out of one: 1, or of a group of slots that are alike more.
    own : float
        Time to transfer a message, in occupancies.
    held : float64 array (slots,)
        Zero before, afterwards how long a message holds each slot; those that nobody uses: 0.
    wait : float64 array (turns,)
        Gets the waits.
    """
    begin, count, turns = 0, held.shape[0], slots.shape[0]
    while begin < turns:
        slot, end, total = slots[begin], begin, 0.0
        # until now it has what those who leave it hold on, summed
        time = held[slot] / entering[slot] if begin >= receiving else own
        held[slot] = time
        while end < turns and slots[end] == slot:
            total += into[end] * (flows[end] * time)
            end += 1
        yielding, queued = 0.0, 0.0
        for turn in range(begin, end):
            use = flows[turn] * time
            others = total - use
            if others < _ROUNDING:  # an only input leaves rounding errors
                others = 0.0
            rest = 1.0 - own / time
            residual = 0.5 * (1.0 + rest * rest) * others
            wait[turn] = residual
            yielding += into[turn] * (use / (1.0 + use))
            queued += into[turn] * (use / (1.0 + use) * residual)
        spare = 1.0 - yielding
        if spare <= 0.0:
            return False
        for turn in range(begin, end):
            wait[turn] = time * (wait[turn] + queued / spare) / (1.0 + flows[turn] * time)
            if inputs[turn] < count:
                held[inputs[turn]] += out[turn] * (flows[turn] * (wait[turn] + time))
        begin = end
    return True


def warm_up() -> None:
    """Compile for the array types in use."""
    one, numbers = np.ones(1), np.zeros(1, np.int64)
    deepened(numbers, np.array([0, 0]), numbers.copy(), numbers.copy(), numbers.copy())
    few = one / 2.0
    solved(numbers + 1, numbers, 1, few, one, one, few, 1.0, np.zeros(1), np.zeros(1))

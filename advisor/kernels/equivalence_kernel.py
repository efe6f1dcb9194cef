"""Which slots of a network are alike, so that messages wait there as long, and turns of such slots.

Two slots are alike if as many messages enter them by as many turns, and those that leave them go on
in equal shares to slots that are alike. On regular networks thousands are, whatever the pattern
leaves of that; their waits are solved once. Told by numbers that are mixed of all this, in 64 bits.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from advisor.kernels import transitions_kernel as kernel
from advisor.kernels.transitions_kernel import Ways, tiny

Array = Any

BORROWING = ("mixed", "same", "entered", "signed", "grouped", "belongs")

_LOST = 12  # last bits of a load that rounding may have changed: 2^-40 of it


def mixed(number: int) -> int:
    """A number that tells as little of this one as can be. Steele et al. 2014, SplitMix."""
    number ^= number >> 30
    number *= -4658895280553007687
    number ^= number >> 27
    number *= -7723592293110705685
    return number ^ (number >> 31)


def same(bits: int) -> int:
    """The bits of a load without those that rounding may have changed."""
    return (bits + (1 << (_LOST - 1))) >> _LOST


def entered(ways: Ways, bits: Array, load: Array, entering: Array, sign: Array) -> None:
    """Add up by slot what enters it, in messages and as a number of the turns' loads.

    `load` and its `bits` (turns,) by the turns' numbers; `entering` and `sign` (slots,), zero
    before.
    """
    inputs = ways.first_turn.shape[0]
    for held in range(inputs):
        end = ways.first_turn[held + 1] if held + 1 < inputs else load.shape[0]
        for turn in range(ways.first_turn[held], end):
            if load[turn] > 0.0:
                slot = kernel.acquired(ways, held, turn)
                entering[slot] += load[turn]
                sign[slot] += mixed(same(bits[turn]))


def signed(
    ways: Ways, bits: Array, load: Array, sign: Array, depth: Array, place: Array, room: Array
) -> bool:
    """Complete the slots' numbers by where messages go on; False if slots form a circle.

    Parameters
    ----------
    ways : Ways
    bits, load : arrays (turns,)
        As `entered` takes them.
    sign : int64 array (slots,)
        As `entered` leaves them; equal afterwards where slots are alike.
    depth : int64 array (slots,)
        Zero before; most further slots that messages acquire after each.
    place : int64 array (slots,)
        −1 before; room.
    room : int64 array (slots,)
        Room.
    """
    for root in range(sign.shape[0]):
        known = 0
        if place[root] < 0:
            room[0], known, place[root] = root, 1, ways.first_turn[root]
        while known > 0:
            held = room[known - 1]
            if place[held] == ways.first_turn[held + 1]:
                sign[held], known = mixed(sign[held]), known - 1
                place[held] += 1  # done
                continue
            turn = place[held]
            if load[turn] > 0.0:
                slot = kernel.acquired(ways, held, turn)
                if place[slot] < 0:
                    room[known], known, place[slot] = slot, known + 1, ways.first_turn[slot]
                    continue
                if place[slot] <= ways.first_turn[slot + 1]:
                    return False
                sign[held] += mixed(same(bits[turn]) ^ sign[slot])
                depth[held] = max(depth[held], depth[slot] + 1)
            place[held] += 1
    return True


def grouped(
    ways: Ways,
    bits: Array,
    load: Array,
    classes: Array,
    senders: int,
    table: Array,
    groups: Array,
    kinds: Array,
) -> int:
    """Group turns of equal loads between slots of equal classes; how many groups there are.

    Parameters
    ----------
    ways : Ways
    bits, load : arrays (turns,)
        As `entered` takes them.
    classes : int64 array (slots,)
        Of each slot.
    senders : int
        The class of all that nodes inject.
    table : int32 array (a power of two,)
        −1 before; room, at least twice as much as there are groups.
    groups : int64 array (5, groups)
        Gets the class that turns leave, that they enter, their load as `same` tells it, one of the
        turns, and how many there are; as many as there is room for, at most half of `table`.
    kinds : int32 array (turns,)
        Gets the group of each turn that is taken.
    """
    inputs, slots, found, last = ways.first_turn.shape[0], classes.shape[0], 0, 0
    mask = table.shape[0] - 1
    for held in range(inputs):
        before = senders if held >= slots else classes[held]
        end = ways.first_turn[held + 1] if held + 1 < inputs else load.shape[0]
        for turn in range(ways.first_turn[held], end):
            if load[turn] == 0.0:
                continue
            after, amount = classes[kernel.acquired(ways, held, turn)], same(bits[turn])
            if found == 0 or not belongs(groups, last, before, after, amount):
                key = mixed(amount ^ mixed((before << 32) | after)) & mask
                while table[key] >= 0 and not belongs(groups, table[key], before, after, amount):
                    key = (key + 1) & mask
                if table[key] < 0:
                    if found == groups.shape[1]:
                        return -1
                    table[key] = found
                    groups[0, found], groups[1, found], groups[2, found] = before, after, amount
                    groups[3, found], groups[4, found] = turn, 0
                    found += 1
                last = table[key]
            groups[4, last] += 1
            kinds[turn] = last
    return found


def belongs(groups: Array, group: int, before: int, after: int, amount: int) -> bool:
    """Whether turns between two classes, of a load, are of a group."""
    return bool(
        groups[0, group] == before and groups[1, group] == after and groups[2, group] == amount
    )


def warm_up() -> None:
    """Compile for the array types in use."""
    ways, load, slots = tiny(), np.zeros(6), 4
    bits, numbers = load.view(np.int64), np.zeros(slots, np.int64)
    with np.errstate(over="ignore"):  # as the plain functions of numbers of 64 bits have it
        entered(ways, bits, load, np.zeros(slots), numbers)
        signed(ways, bits, load, numbers, numbers.copy(), numbers - 1, numbers.copy())
        table, groups = np.full(2, -1, np.int32), np.zeros((5, 1), np.int64)
        kinds = np.zeros(6, np.int32)
        grouped(ways, bits, load, numbers, 1, table, groups, kinds)

"""Heaps over arrays: many small ones in one pool, and an agenda whose entries can be changed.

Those in a pool are skew heaps (Sleator & Tarjan 1986): a heap is the position of its least
element, or -1; an element is a position in `key`, `left` and `right`. An agenda is a binary heap of
whoever has something ahead, each once, by time. Of equal keys the lower position comes first, so
that the order never depends on history.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

Array = Any

INLINED = ("before", "earlier", "lay")
BORROWING = (*INLINED, "melded", "without_least", "rise", "sink", "put", "drop")


class Agenda(NamedTuple):
    """When something is due, and for whom.

    Attributes
    ----------
    when : array (everybody,)
    heap : int64 array (everybody,)
        Who has something ahead, the earliest first.
    place : int64 array (everybody,)
        Where each stands in `heap`, or -1.
    size : int64 array (1,)
    """

    when: Array
    heap: Array
    place: Array
    size: Array


def new_agenda(everybody: int) -> Agenda:
    """Nothing is ahead."""
    return Agenda(
        np.zeros(everybody),
        np.zeros(everybody, np.int64),
        np.full(everybody, -1),
        np.zeros(1, np.int64),
    )


def earlier(agenda: Agenda, one: int, other: int) -> bool:
    """Whether one is due before another."""
    if agenda.when[one] == agenda.when[other]:
        return one < other
    return bool(agenda.when[one] < agenda.when[other])


def lay(agenda: Agenda, place: int, who: int) -> None:
    """Let somebody stand at a place of the heap."""
    agenda.heap[place] = who
    agenda.place[who] = place


def rise(agenda: Agenda, place: int, who: int) -> None:
    """Settle somebody at `place` or nearer to the top."""
    while place > 0:
        parent = (place - 1) // 2
        above = agenda.heap[parent]
        if not earlier(agenda, who, above):
            break
        lay(agenda, place, above)
        place = parent
    lay(agenda, place, who)


def sink(agenda: Agenda, place: int, who: int) -> None:
    """Settle somebody at `place` or farther from the top."""
    size = agenda.size[0]
    child = 2 * place + 1
    while child < size:
        below = agenda.heap[child]
        if child + 1 < size and earlier(agenda, agenda.heap[child + 1], below):
            child += 1
            below = agenda.heap[child]
        if not earlier(agenda, below, who):
            break
        lay(agenda, place, below)
        place = child
        child = 2 * place + 1
    lay(agenda, place, who)


def put(agenda: Agenda, who: int, when: float) -> None:
    """Something is due for somebody, in place of what was."""
    place = agenda.place[who]
    agenda.when[who] = when
    if place < 0:
        place = agenda.size[0]
        agenda.size[0] += 1
    rise(agenda, place, who)
    sink(agenda, agenda.place[who], who)


def drop(agenda: Agenda, who: int) -> None:
    """Nothing is due for somebody any more."""
    place = agenda.place[who]
    if place < 0:
        return
    agenda.place[who] = -1
    agenda.size[0] -= 1
    last = agenda.heap[agenda.size[0]]
    if last != who:
        rise(agenda, place, last)
        sink(agenda, agenda.place[last], last)


def before(key: Array, one: int, other: int) -> bool:
    """Whether an element comes out before another."""
    if key[one] == key[other]:
        return one < other
    return bool(key[one] < key[other])


def melded(key: Array, left: Array, right: Array, one: int, other: int) -> int:
    """The heap of two heaps' elements; O(log n) amortised."""
    if one < 0:
        return other
    if other < 0:
        return one
    if before(key, other, one):
        one, other = other, one
    root = one
    while True:
        rest = right[one]
        right[one] = left[one]
        if rest < 0:
            left[one] = other
            return root
        if before(key, other, rest):
            rest, other = other, rest
        left[one] = rest
        one = rest


def without_least(key: Array, left: Array, right: Array, root: int) -> int:
    """The heap without its first element, which becomes one of its own."""
    rest = melded(key, left, right, left[root], right[root])
    left[root] = right[root] = -1
    return rest


def warm_up() -> None:
    """Compile for the array types in use."""
    key, left, right = np.zeros(2), np.full(2, -1), np.full(2, -1)
    without_least(key, left, right, melded(key, left, right, 0, 1))
    agenda = new_agenda(2)
    put(agenda, 0, 0.0)
    drop(agenda, 0)

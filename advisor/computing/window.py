"""Many pieces through a window of batches: nothing lost, nothing twice, little held at a time.

Knows nothing of Dask: a `Session` hands batches over and tells how they ended.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Iterator, Sequence
from enum import Enum, auto
from math import ceil
from typing import Any, Protocol

from advisor.basics.quantities import count, few
from advisor.basics.shards import within_reach
from advisor.computing.at_worker import Answered
from machines.errors import PlacewiseError

AHEAD = 4  # batches per thread that are handed over: what a worker takes up while we hear of others
BATCH_S = 0.5  # what a batch should take, so that handing it over costs little beside
PER_THREAD_S = 0.004  # the same for many: a scheduler and we take 2.5 ms of a processor for each
_TAIL = 2  # batches per thread into which what is left is cut, so that all end together
_MOST = 1000  # items of a batch
_MOST_BYTES = 4_000_000  # of its message
_NEWEST = 0.3  # weight of the newest batch in what an item takes
_SHOWN = 10


class Fate(Enum):
    """How a batch ended that was not answered."""

    AGAIN = auto()  # the cluster forgot it
    KILLED = auto()  # workers died that had it


class Session(Protocol):
    """One call's way to the workers."""

    @property
    def threads(self) -> int:
        """Pieces that are computed at a time; those that come and go count when they are seen."""
        ...

    def submit(self, number: int, items: list[Any]) -> int:
        """Hand a batch over; returns the bytes of its items."""
        ...

    def ended(self) -> list[tuple[int, Answered | Fate]]:
        """What ended, waiting 50 ms at most; it asks whether to stop."""
        ...

    def release(self) -> None:
        """Nothing more is wanted."""
        ...


class PiecesLost(PlacewiseError):
    """Pieces that ended every worker that computed them; everything else was answered before."""

    places: tuple[int, ...] = ()  # which of the items


def carried(session: Session, items: Sequence[Any], done: bytearray) -> Iterator[tuple[int, Any]]:
    """Place and answer of every item, as they end.

    `items`: each is asked for when it is handed over; none beyond their reach (`within_reach`).
    `done`: one byte an item, set as it is answered.
    """
    work = _Work(session, items)
    try:
        while work.fill():
            for places, reply in work.ended():
                for place, answer in zip(places, reply.answers, strict=False):
                    if not done[place]:
                        done[place] = 1
                        yield place, answer
                if reply.failure is not None:
                    raise reply.failure
    finally:
        session.release()
    if work.killers:
        raise _lost(tuple(sorted(work.killers)))


class _Work:
    """Which item is where."""

    def __init__(self, session: Session, items: Sequence[Any]) -> None:
        self.killers: list[int] = []
        self._session, self._items = session, items
        self._fresh = 0  # all items from here on were never handed over
        self._number = 0
        self._out: dict[int, tuple[int, ...]] = {}
        self._again: deque[tuple[int, ...]] = deque()
        self._suspects: deque[int] = deque()
        self._alone: int | None = None  # the number of a suspect's batch
        self._seconds: float | None = None  # of an item
        self._bytes = 0.0  # of an item

    def fill(self) -> bool:
        """Hand over as much as may be out; False: there is nothing any more."""
        if self._alone is None:
            while len(self._out) < AHEAD * max(1, self._session.threads):
                batch = self._again.popleft() if self._again else self._next()
                if not batch:
                    break
                self._hand_over(batch)
        if not self._out and self._suspects:  # nothing else can be blamed, nor suffer
            self._alone = self._hand_over((self._suspects.popleft(),))
        return bool(self._out)

    def ended(self) -> list[tuple[tuple[int, ...], Answered]]:
        """Batches that were answered; the window is full again, however long they are kept."""
        found = []
        for number, reply in self._session.ended():
            places = self._out.pop(number)
            alone = number == self._alone
            if alone:
                self._alone = None
            if isinstance(reply, Answered):
                self._learn(reply)
                found.append((places, reply))
            elif alone and reply is Fate.KILLED:
                self.killers += places
            elif alone or reply is Fate.KILLED:
                self._suspects += places
            else:
                self._again.append(places)
        if not any(reply.failure for _, reply in found):
            self.fill()
        return found

    def _hand_over(self, places: tuple[int, ...]) -> int:
        number = self._number
        self._number += 1
        self._out[number] = places
        size = self._session.submit(number, [self._items[place] for place in places])
        self._bytes = max(self._bytes, size / len(places))
        return number

    def _next(self) -> tuple[int, ...]:
        """Items that were never handed over: what takes a batch's time, less towards the end."""
        left = len(self._items) - self._fresh
        size = 1
        if self._seconds is not None:
            threads = max(1, self._session.threads)
            wanted_s = max(BATCH_S, PER_THREAD_S * threads)
            by_time = int(wanted_s / max(self._seconds, wanted_s / _MOST))
            by_bytes = int(_MOST_BYTES / max(self._bytes, 1.0))
            size = max(1, min(by_time, by_bytes, ceil(left / (_TAIL * threads))))
        first = self._fresh
        self._fresh += min(size, within_reach(self._items) - first)
        return tuple(range(first, self._fresh))

    def _learn(self, reply: Answered) -> None:
        if reply.answers:
            newest = reply.seconds / len(reply.answers)
            before = newest if self._seconds is None else self._seconds
            self._seconds = before + _NEWEST * (newest - before)


def _lost(places: tuple[int, ...]) -> PiecesLost:
    whom = "them" if len(places) > 1 else "it"
    error = PiecesLost(
        f"{count(len(places), 'piece')} crashed every worker that tried {whom}: "
        + few(places, _SHOWN, lambda place: f"number {place + 1:,}"),
        remedy="A worker that runs out of memory crashes; try the rest on one worker",
    )
    error.places = places
    return error

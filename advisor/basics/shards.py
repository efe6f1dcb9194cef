"""Work that falls into independent pieces: carried out here one by one, or by more than this.

A computation of many like pieces goes through `each`. Whoever may compute elsewhere says so around
it, with `computing_on`; the answers are the same.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from contextvars import ContextVar
from typing import Protocol, TypeVar

from machines.stopping import ask

Item = TypeVar("Item")
Answer = TypeVar("Answer")


def within_reach(items: Sequence[object]) -> int:
    """How many items may be handed out by now: all, or as many as they say with ``reach``.

    Whoever puts answers into their order so limits those that wait for an earlier one.
    """
    return min(len(items), getattr(items, "reach", len(items)))


class Shards(Protocol):
    """What carries pieces out, in processes that have this Placewise."""

    def each(
        self, function: Callable[[Item], Answer], items: Sequence[Item]
    ) -> Iterator[tuple[int, Answer]]:
        """As `each` below; it asks (`machines.stopping.ask`) while it waits."""
        ...


_SHARDS: ContextVar[Shards | None] = ContextVar("shards", default=None)


@contextmanager
def computing_on(shards: Shards | None) -> Iterator[None]:
    """While the block runs, `each` in this thread lets `shards` do the work; ``None``: does it."""
    before = _SHARDS.set(shards)
    try:
        yield
    finally:
        _SHARDS.reset(before)


def is_elsewhere() -> bool:
    """Whether `each` in this thread lets others do the work."""
    return _SHARDS.get() is not None


def each(function: Callable[[Item], Answer], items: Sequence[Item]) -> Iterator[tuple[int, Answer]]:
    """The place and the answer of every item, as they end, in whatever order.

    `function`: of a module, pure: what it answers follows from its item alone. What all pieces need
        is best bound to it (`functools.partial`): that is sent once.
    `items`: values that pickle, as the answers do.
    Raises `Stopped`: the work at hand was told to stop (`machines.stopping.stoppable`).
    """
    shards = _SHARDS.get()
    if shards is not None and len(items) > 1:
        yield from shards.each(function, items)
        return
    for place, item in enumerate(items):
        ask()
        yield place, function(item)


def in_order(function: Callable[[Item], Answer], items: Sequence[Item]) -> Iterator[Answer]:
    """As `each`, the answers in the order of the items: each once those before it are there."""
    waiting: dict[int, Answer] = {}
    due = 0
    for place, answer in each(function, items):
        waiting[place] = answer
        while due in waiting:
            yield waiting.pop(due)
            due += 1

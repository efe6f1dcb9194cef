"""Pieces computed in this process, one after the other."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import TypeVar

from advisor import kernels
from machines.stopping import ask, stopped

Item = TypeVar("Item")
Answer = TypeVar("Answer")


class Here:
    """`Shards` without a cluster."""

    workers = 1

    def each(
        self, function: Callable[[Item], Answer], items: Sequence[Item]
    ) -> Iterator[tuple[int, Answer]]:
        """Every item's place and answer, in their order."""
        return these(function, items, range(len(items)))


def these(
    function: Callable[[Item], Answer], items: Sequence[Item], places: Sequence[int]
) -> Iterator[tuple[int, Answer]]:
    """The items of these places alone."""
    kernels.load(stopped)
    for place in places:
        ask()
        yield place, function(items[place])

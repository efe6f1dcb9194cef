"""Pieces carried out as by others: everything is pickled there and back, no order is kept."""

from __future__ import annotations

import pickle
import random
from collections.abc import Callable, Iterator, Sequence
from typing import Any

from advisor.basics.shards import computing_on
from machines.stopping import ask, stoppable


class Shuffled:
    """`Shards` of this process, without Dask.

    Attributes
    ----------
    calls : list of (str, int)
        The function and the pieces of every call.
    sent : int
        Bytes of functions and items.
    """

    def __init__(self, seed: int = 0) -> None:
        self.calls: list[tuple[str, int]] = []
        self.sent = 0
        self._random = random.Random(seed)

    def each(
        self, function: Callable[[Any], Any], items: Sequence[Any]
    ) -> Iterator[tuple[int, Any]]:
        """As `advisor.basics.shards.each`."""
        named = getattr(function, "func", function)
        self.calls.append((getattr(named, "__name__", type(named).__name__), len(items)))
        there = self._across(function)
        places = list(range(len(items)))
        self._random.shuffle(places)
        for place in places:
            ask()
            item = self._across(items[place])
            with computing_on(None), stoppable(None):
                answer = there(item)
            yield place, pickle.loads(pickle.dumps(answer))

    def _across(self, value: Any) -> Any:
        message = pickle.dumps(value)
        self.sent += len(message)
        return pickle.loads(message)

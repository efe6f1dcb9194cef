"""What travels to the search process is whole, whatever other threads do to its caches."""

from __future__ import annotations

import pickle

import pytest

from gui.basics.search_session import pickled


class Busy:
    """Another thread fills its caches the first times that it is looked at."""

    def __init__(self, times: int, error: type[RuntimeError] = RuntimeError) -> None:
        self.times, self.error, self.looked = times, error, 0

    def __getstate__(self) -> dict[str, int]:
        self.looked += 1
        if self.looked <= self.times:
            raise self.error("dictionary changed size during iteration")
        return {"times": self.times}


def test_a_value_whose_caches_fill_meanwhile_is_pickled_again() -> None:
    assert pickle.loads(pickled(Busy(3))).times == 3


def test_what_never_can_be_pickled_is_told_at_once() -> None:
    deep = Busy(1000, RecursionError)
    with pytest.raises(RecursionError):
        pickled(deep)
    assert deep.looked == 1
    with pytest.raises(RuntimeError):
        pickled(Busy(10_000))

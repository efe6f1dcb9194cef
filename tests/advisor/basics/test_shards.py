"""Independent pieces: here one by one, or by others; the answers are the same."""

from __future__ import annotations

import itertools

import pytest

from advisor.basics.shards import computing_on, each, in_order
from machines import InputError
from machines.stopping import Stopped, stoppable
from tests.shuffled import Shuffled


def doubled(number: int) -> int:
    if number < 0:
        raise InputError("below 0", value=number)
    return 2 * number


def test_here_pieces_are_done_one_by_one() -> None:
    assert list(each(doubled, [3, 1, 2])) == [(0, 6), (1, 2), (2, 4)]


def test_elsewhere_they_come_in_any_order_with_their_places() -> None:
    shards = Shuffled()
    with computing_on(shards):
        found = list(each(doubled, range(20)))
    assert found != sorted(found)
    assert sorted(found) == [(place, 2 * place) for place in range(20)]
    assert shards.calls == [("doubled", 20)]


def test_a_single_piece_is_not_sent() -> None:
    shards = Shuffled()
    with computing_on(shards):
        assert list(each(doubled, [4])) == [(0, 8)]
    assert not shards.calls


def test_after_the_block_pieces_are_done_here_again() -> None:
    shards = Shuffled()
    with computing_on(shards), computing_on(None):
        assert len(list(each(doubled, [1, 2]))) == 2
    assert len(list(each(doubled, [1, 2]))) == 2
    assert not shards.calls


def test_in_order_gives_each_answer_once_those_before_it_are_there() -> None:
    with computing_on(Shuffled(3)):
        assert list(in_order(doubled, range(50))) == [2 * one for one in range(50)]
    assert list(in_order(doubled, [])) == []


@pytest.mark.parametrize("elsewhere", [False, True])
def test_whoever_stops_the_work_ends_it_before_the_next_piece(elsewhere: bool) -> None:
    asked = itertools.count()
    found = []
    with computing_on(Shuffled() if elsewhere else None), stoppable(lambda: next(asked) >= 3):
        pieces = each(doubled, range(9))
        found = [next(pieces), next(pieces), next(pieces)]
        with pytest.raises(Stopped):
            next(pieces)
    assert len(found) == 3


@pytest.mark.parametrize("elsewhere", [False, True])
def test_what_a_piece_refuses_is_raised(elsewhere: bool) -> None:
    with (
        computing_on(Shuffled() if elsewhere else None),
        pytest.raises(InputError, match="below 0"),
    ):
        list(each(doubled, [1, -1, 2]))

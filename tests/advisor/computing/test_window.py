"""The window of batches, over a session that ends batches as each test says."""

from __future__ import annotations

import random
from collections.abc import Callable
from typing import Any

import pytest

from advisor.computing.at_worker import Answered, answers
from advisor.computing.window import AHEAD, Fate, PiecesLost, carried
from machines.errors import InputError
from tests.advisor.computing.pieces import refused, squared

Ends = Callable[[int, list[Any]], Answered | Fate]


class Told:
    """A session of `threads` that ends the handed over batches in an order drawn by chance."""

    def __init__(self, ends: Ends, threads: int = 2, seconds: float = 0.01) -> None:
        self.threads, self._ends, self._seconds = threads, ends, seconds
        self.out: dict[int, list[Any]] = {}
        self.sizes: list[int] = []
        self.most = 0
        self.released = False
        self._chance = random.Random(1)

    def submit(self, number: int, items: list[Any]) -> int:
        assert number not in self.out
        self.out[number] = items
        self.sizes.append(len(items))
        self.most = max(self.most, len(self.out))
        return 100 * len(items)

    def ended(self) -> list[tuple[int, Answered | Fate]]:
        some = self._chance.sample(sorted(self.out), self._chance.randint(1, len(self.out)))
        found = []
        for number in some:
            reply = self._ends(number, self.out.pop(number))
            if isinstance(reply, Answered):
                seconds = self._seconds * len(reply.answers)
                reply = Answered(reply.answers, reply.failure, seconds)
            found.append((number, reply))
        return found

    def release(self) -> None:
        self.released = True
        self.out.clear()


def well(_number: int, items: list[int]) -> Answered:
    return answers(squared, items, lambda: False)


def test_every_item_is_answered_once() -> None:
    session = Told(well)
    found = list(carried(session, range(1000), bytearray(1000)))
    assert sorted(found) == [(place, place * place) for place in range(1000)]
    assert session.released


def test_no_more_is_out_than_workers_can_take_up_soon() -> None:
    session = Told(well, threads=3)
    list(carried(session, range(2000), bytearray(2000)))
    assert session.most == 3 * AHEAD


def test_short_pieces_go_in_batches_that_get_small_towards_the_end() -> None:
    session = Told(well, seconds=0.01)
    list(carried(session, range(1000), bytearray(1000)))
    assert session.sizes[0] == 1  # nothing is known yet
    assert max(session.sizes) == 50  # of 0.5 s
    assert session.sizes[-1] < 10


def test_long_pieces_go_one_by_one() -> None:
    session = Told(well, seconds=1.0)
    list(carried(session, range(50), bytearray(50)))
    assert set(session.sizes) == {1}


def test_many_workers_get_longer_batches_that_one_scheduler_keeps_up_with() -> None:
    session = Told(well, threads=500, seconds=0.1)
    work = carried(session, range(10**6), bytearray(10**6))
    for _ in range(3000):
        next(work)
    assert max(session.sizes) == 20  # of 2 s
    work.close()


def test_large_items_make_small_batches() -> None:
    class Large(Told):
        def submit(self, number: int, items: list[Any]) -> int:
            return 10_000 * super().submit(number, items)

    session = Large(well, seconds=0.0)
    list(carried(session, range(100), bytearray(100)))
    assert max(session.sizes) == 4  # 4 MB


def test_items_are_asked_for_as_they_are_handed_over() -> None:
    class Lazy:
        asked = 0

        def __len__(self) -> int:
            return 10**9

        def __getitem__(self, place: int) -> int:
            self.asked += 1
            return place

    items: Any = Lazy()
    work = carried(Told(well, seconds=1.0), items, bytearray(1000))
    next(work)
    work.close()
    assert items.asked <= 4 * AHEAD


class Reaching(list[int]):
    """Items of which so many may be handed out."""

    reach = 0


def test_items_beyond_their_reach_wait_until_it_grows() -> None:
    items, answered = Reaching(range(50)), 0
    items.reach = 5
    session = Told(well)
    for _ in carried(session, items, bytearray(50)):
        answered += 1
        assert sum(map(len, session.out.values())) <= items.reach
        items.reach = answered + 5
    assert answered == 50


def test_what_the_cluster_forgot_is_handed_over_again() -> None:
    chance = random.Random(2)

    def ends(number: int, items: list[int]) -> Answered | Fate:
        return Fate.AGAIN if chance.random() < 0.3 else well(number, items)

    found = list(carried(Told(ends), range(500), bytearray(500)))
    assert sorted(found) == [(place, place * place) for place in range(500)]


def test_a_piece_that_ends_its_workers_is_named_at_last_and_those_beside_it_are_answered() -> None:
    def ends(number: int, items: list[int]) -> Answered | Fate:
        return Fate.KILLED if {7, 400} & set(items) else well(number, items)

    found = {}
    session = Told(ends)
    with pytest.raises(
        PiecesLost, match=r"2 pieces crashed every worker .* number 8, number 401"
    ) as at:
        found.update(carried(session, range(500), bytearray(500)))
    assert at.value.places == (7, 400)
    assert found == {place: place**2 for place in range(500) if place not in {7, 400}}
    assert session.released


def test_what_suffers_once_beside_another_is_answered() -> None:
    killed = iter([Fate.KILLED, Fate.KILLED])

    def ends(number: int, items: list[int]) -> Answered | Fate:
        return next(killed, None) or well(number, items)

    found = list(carried(Told(ends), range(100), bytearray(100)))
    assert sorted(found) == [(place, place * place) for place in range(100)]


def test_what_a_piece_raises_is_raised_after_the_answers_before_it() -> None:
    def ends(_number: int, items: list[int]) -> Answered:
        return answers(refused, items, lambda: False)

    session = Told(ends, threads=1)
    with pytest.raises(InputError) as at:
        list(carried(session, range(100), bytearray(100)))
    assert str(at.value) == "the pieces: three is not wanted (got 3). Ask for 4"
    assert session.released


def test_an_abandoned_call_releases_what_is_out() -> None:
    session = Told(well)
    work = carried(session, range(1000), bytearray(1000))
    next(work)
    assert session.out
    work.close()
    assert session.released
    assert not session.out


def test_answers_that_arrive_twice_are_dropped() -> None:
    done = bytearray(10)
    done[4] = 1  # as if it had been answered
    found = dict(carried(Told(well), range(10), done))
    assert sorted(found) == [0, 1, 2, 3, 5, 6, 7, 8, 9]


def test_no_items_need_no_worker() -> None:
    assert list(carried(Told(well), [], bytearray())) == []

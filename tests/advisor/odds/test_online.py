"""Tasks one after the other on machines, one of which may be lost, on cases done by hand."""

from __future__ import annotations

import numpy as np
import pytest

from advisor.allocation.problem import Problem
from advisor.allocation.workload import Flow, Task, Workload
from advisor.odds import draws_of
from advisor.odds.online import Online, Rule
from machines import Direction, Link, Machine, Platform
from machines.default_spreads import EXACT

_WAY = Direction(1.0, 1e9)


def online(tasks: tuple[Task, ...], flows: tuple[Flow, ...] = ()) -> Online:
    platform = Platform(
        "p", (Machine("a"), Machine("b")), (Link("a", "b", _WAY, _WAY),), spread=EXACT
    )
    problem = Problem.of(platform, Workload("w", tasks, flows))
    return Online(problem, draws_of(problem, 64))


def ends_s(asked: Online, places: list[int] | None, lost: tuple[int, float], strict: bool) -> float:
    rank = np.arange(len(asked.into), dtype=np.float64)
    where = None if places is None else np.array(places, np.int32)
    return asked.run(0, Rule(rank, where, strict, lost))[2]


FOUR = tuple(Task(name, work=5.0) for name in "abcd")


@pytest.mark.parametrize("strict", [True, False])
@pytest.mark.parametrize(
    ("at_s", "end_s"),
    [(3.0, 20.0), (5.5, 15.0), (7.0, 15.0), (11.0, 10.0)],  # what ended before it stays
)
def test_what_a_lost_machine_ran_begins_again_elsewhere(
    at_s: float, end_s: float, strict: bool
) -> None:
    asked = online(FOUR)
    assert ends_s(asked, [0, 0, 1, 1], (0, at_s), strict) == pytest.approx(end_s)


def test_what_has_no_place_takes_the_loss_alike() -> None:
    assert ends_s(online(FOUR), None, (1, 3.0), False) == pytest.approx(20.0)


def test_what_was_made_before_is_fetched_from_where_it_was() -> None:
    flows = (Flow("make", "use", ((1, 1.0),)),)
    asked = online((Task("make", work=4.0), Task("use", work=2.0)), flows)
    assert ends_s(asked, [0, 0], (0, 9.0), True) == pytest.approx(6.0)
    where, order, end_s = asked.run(0, Rule(np.arange(2.0), np.zeros(2, np.int32), True, (0, 5.0)))
    assert end_s == pytest.approx(5.0 + 1.0 + 2.0)  # lost amid "use", a second for the link
    assert where.tolist() == [0, 1]
    assert order.tolist() == [0, 1]


def test_in_strict_order_a_machine_waits_for_what_is_first() -> None:
    flows = (Flow("make", "use", ((1, 1.0),)),)
    tasks = (Task("make", work=4.0), Task("use", work=2.0), Task("free", work=3.0))
    asked = online(tasks, flows)
    assert ends_s(asked, [0, 1, 1], (-1, np.inf), True) == pytest.approx(10.0)
    assert ends_s(asked, [0, 1, 1], (-1, np.inf), False) == pytest.approx(7.0)


def test_a_machine_that_a_task_can_not_do_without_is_not_spare() -> None:
    asked = online((Task("x", work=1.0, allowed=("a",)), Task("y", work=1.0)))
    assert asked.spare(np.array([0, 1], np.int32)).tolist() == [1]
    assert asked.spare(np.array([0, 0], np.int32)).tolist() == []

"""The Pareto front: whoever is off it is beaten by one on it, and nobody on it is beaten."""

from __future__ import annotations

import math
from itertools import pairwise

from hypothesis import given
from hypothesis import strategies as st

from advisor.allocation.measures import pareto_front, steps

PAIRS = st.lists(st.tuples(st.integers(1, 9), st.integers(1, 9)), min_size=1, max_size=8)


def test_equal_plans_are_both_on_the_front() -> None:
    assert pareto_front([(1.0, 2.0), (1.0 + 1e-13, 2.0), (2.0, 1.0), (2.0, 2.0)]) == [
        True,
        True,
        True,
        False,
    ]


def test_what_is_not_known_is_off_the_front_and_beats_none() -> None:
    nan = math.nan
    assert pareto_front([(nan, 1.0), (2.0, 2.0), (1.0, nan)]) == [False, True, False]


@given(PAIRS)
def test_whoever_is_off_the_front_is_dominated_by_one_on_it(pairs: list[tuple[int, int]]) -> None:
    values = [(float(a), float(b)) for a, b in pairs]
    front = pareto_front(values)
    assert any(front)
    for value, on_front in zip(values, front, strict=True):
        better = [
            other
            for other, kept in zip(values, front, strict=True)
            if kept and other != value and other[0] <= value[0] and other[1] <= value[1]
        ]
        assert bool(better) != on_front


def test_the_line_runs_right_and_then_down_from_member_to_member() -> None:
    assert steps([(4.0, 1.0), (1.0, 9.0), (2.0, 5.0)]) == [
        (1.0, 9.0),
        (2.0, 9.0),
        (2.0, 5.0),
        (4.0, 5.0),
        (4.0, 1.0),
    ]
    assert steps([(1.0, 2.0), (1.0, 2.0)]) == [(1.0, 2.0)]
    assert steps([]) == []


@given(PAIRS)
def test_no_plan_lies_below_the_line(pairs: list[tuple[int, int]]) -> None:
    values = [(float(a), float(b)) for a, b in pairs]
    members = [one for one, kept in zip(values, pareto_front(values), strict=True) if kept]
    corners = steps(members)
    assert set(members) <= set(corners)
    assert all(x1 <= x2 and y1 >= y2 for (x1, y1), (x2, y2) in pairwise(corners))
    for x, y in values:
        reached = [b for a, b in corners if a <= x]
        assert reached
        assert y >= min(reached)

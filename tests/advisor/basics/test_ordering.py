"""Orders keep what is needed first, and prefer the least key."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from advisor.basics.ordering import after_needs


def test_the_least_of_all_that_may_come_next_comes_next() -> None:
    assert after_needs([3.0, 1.0, 2.0], [(0, 1)]) == (2, 0, 1)
    assert after_needs([1.0, 1.0, 0.0], [(0, 1), (0, 1)]) == (2, 0, 1)


def test_what_is_in_a_cycle_or_after_it_is_left_out() -> None:
    assert after_needs([0, 0, 0, 0], [(1, 2), (2, 1), (2, 3)]) == (0,)


@given(st.lists(st.integers(0, 9), min_size=1, max_size=12), st.data())
def test_no_other_order_with_the_needs_kept_is_less(keys: list[int], data: st.DataObject) -> None:
    last = len(keys) - 1
    pair = st.tuples(st.integers(0, last), st.integers(0, last)).filter(lambda one: one[0] < one[1])
    needs = data.draw(st.lists(pair, max_size=15)) if last else []
    order = after_needs(keys, needs)
    assert sorted(order) == list(range(len(keys)))
    done: set[int] = set()
    for one in order:
        free = [two for two in range(len(keys)) if two not in done
                and all(first in done for first, then in needs if then == two)]  # fmt: skip
        assert (keys[one], one) == min((keys[two], two) for two in free)
        done.add(one)

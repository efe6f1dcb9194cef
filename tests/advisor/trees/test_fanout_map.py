"""The map of the best fan-out: against real trees, the optimum, stopping, and what it refuses."""

from __future__ import annotations

import itertools
import pickle
from dataclasses import replace
from functools import lru_cache

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from advisor.models.mrnet import Message, balanced
from advisor.models.tree_times import latencies
from advisor.trees.fanout_map import FanoutMap, balanced_latency, fanout_for_depth, fanout_map
from advisor.trees.tree_costs import ASKED, ROUND_TRIP, TreeCosts, measure
from machines import InputError
from tests.advisor.random_trees import loggp

COSTS = TreeCosts(loggp(6.0, 2.0, 4.0), filter_cost=1.5)


@lru_cache
def small(operation: str) -> FanoutMap:
    return fanout_map(replace(COSTS, operation=operation), 512, 3)


def at(found: FanoutMap, column: int) -> TreeCosts:
    gap = float(f"{6.0 * found.ratio[column]:.3g}")
    return replace(COSTS, p=replace(COSTS.p, g=gap), operation=found.operation)


@given(
    N=st.integers(1, 400),
    fanout=st.integers(2, 40),
    step=st.floats(0.1, 10.0),
    delay=st.floats(0.0, 50.0),
)
def test_latencies_are_those_of_the_explicit_tree(
    N: int, fanout: int, step: float, delay: float
) -> None:
    found = balanced_latency(N, fanout, np.array([step]), np.array([delay]))
    tree = balanced(N, fanout)
    assert found[0] == pytest.approx(latencies(tree, Message(step, delay, 0.0))[0][0])


@given(N=st.integers(2, 10**6), depth=st.integers(1, 20))
def test_the_least_fanout_reaches_all_with_that_depth(N: int, depth: int) -> None:
    fanout = fanout_for_depth(N, depth)
    assert fanout**depth >= N
    assert fanout == 2 or (fanout - 1) ** depth < N


@pytest.mark.parametrize("operation", ASKED)
def test_no_balanced_tree_is_better_than_the_best_of_the_map(operation: str) -> None:
    found = small(operation)
    for row, column in itertools.product((0, 2, 4), range(3)):
        N, costs = int(found.back_ends[row]), at(found, column)
        times = {k: measure(balanced(N, k), costs).latency(operation) for k in range(2, N + 1)}
        assert found.latency[row, column] == pytest.approx(min(times.values()))
        assert times[int(found.balanced[row, column])] == pytest.approx(min(times.values()))


def test_the_optimum_is_never_slower_than_a_balanced_tree() -> None:
    for operation in ASKED:
        found = small(operation)
        assert (found.optimal_latency <= found.latency * (1 + 1e-12)).all()
        assert (found.optimal >= 1).all()
        assert (found.optimal <= found.back_ends[:, None]).all()


def test_fanouts_fall_with_the_gap_and_flat_trees_win_for_few_back_ends() -> None:
    found = fanout_map(replace(COSTS, p=loggp(6.0, 0.0, 4.0)), 512, 5)
    assert found.balanced[3].tolist() == [16, 16, 3, 3, 3]
    assert (np.diff(found.optimal, axis=1) <= 0).all()
    assert found.here == pytest.approx((512, 2 / 3))
    assert found.complete
    again = pickle.loads(pickle.dumps(found))
    assert (again.balanced == found.balanced).all()
    for array in (found.balanced, found.latency, found.optimal, found.ratio):
        assert not array.flags.writeable


def test_it_keeps_what_is_computed_when_stopped() -> None:
    asked, told = itertools.count(), list[float]()
    found = fanout_map(COSTS, 512, 9, told.append, lambda: next(asked) >= 3)
    assert not found.complete
    assert (found.balanced > 0).all()
    assert int((found.optimal > 0).sum()) == int(np.isfinite(found.optimal_latency).sum()) == 24
    assert told == sorted(told)


def test_a_rate_is_no_limit_of_the_map() -> None:
    found = fanout_map(replace(COSTS, rate=1e9, operation=ROUND_TRIP), 4, 2)
    assert found.complete


def test_without_a_latency_there_is_no_map() -> None:
    with pytest.raises(InputError, match="no g/L"):
        fanout_map(TreeCosts(loggp(0.0, 2.0, 4.0)), 16)


def test_the_map_follows_the_convention() -> None:
    each = replace(COSTS, convention="each")
    found = fanout_map(each, 64, 3)
    costs = replace(each, p=replace(each.p, g=round(float(found.ratio[1]) * each.p.L, 3)))
    times = {k: measure(balanced(64, k), costs).latency(costs.operation) for k in range(2, 65)}
    row = found.back_ends.tolist().index(64)
    assert found.latency[row, 1] == pytest.approx(min(times.values()))
    assert found.optimal_latency[row, 1] <= found.latency[row, 1] + 1e-9

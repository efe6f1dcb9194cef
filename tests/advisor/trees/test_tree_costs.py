"""What a tree does: measures, times of every process, the critical path, front-end load."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from advisor.models.mrnet import BROADCAST, REDUCTION, balanced, flat, kary, optimal_tree
from advisor.trees.tree_costs import ROUND_TRIP, FrontEndLoad, TreeCosts, measure, times_of
from machines import LogGP
from tests.advisor.random_trees import trees

P = LogGP(L=6.0, o_s=2.0, o_r=2.0, g=4.0)
COSTS = TreeCosts(P, filter_cost=1.0, create=100.0, rate=10_000.0)


@given(trees(40), st.sampled_from([BROADCAST, REDUCTION]))
def test_times_follow_the_messages_of_every_process(tree, operation) -> None:
    times, message = times_of(tree, COSTS, operation), COSTS.message(operation)
    assert times.done.max() == pytest.approx(times.latency)
    assert times.done[1:] - times.sent[1:] == pytest.approx(message.delay)
    assert times.sent.min() == pytest.approx(0.0)
    for process in range(1, tree.size):
        above = tree.parent[process]
        if operation == BROADCAST:
            assert times.sent[process] >= times.done[above] - 1e-9
        else:
            assert times.done[process] <= times.sent[above] + 1e-9 or above == 0
    for process in range(tree.size):
        first, many = tree.first_child[process], tree.fanouts[process]
        gaps = np.diff(np.sort(times.sent[first : first + many]))
        assert gaps == pytest.approx(message.step)


@given(trees(40))
def test_the_critical_path_leads_to_a_back_end_that_ends_last(tree) -> None:
    times = times_of(tree, COSTS)
    assert times.path[0] == 0
    assert tree.fanouts[times.path[-1]] == 0
    assert (tree.parent[times.path[1:]] == times.path[:-1]).all()
    assert times.done[times.path[-1]] == pytest.approx(times.latency)


def test_measures_of_a_known_tree() -> None:
    found = measure(kary(4, 2), COSTS)
    assert (found.back_ends, found.internal, found.depth) == (16, 4, 2)
    assert (found.broadcast, found.reduction, found.round_trip) == (44, 46, 90)
    assert found.period == 16
    assert found.start_up == 800
    assert found.inner_share == pytest.approx(0.01 * 2 * 5)
    assert found.front_end_share == pytest.approx(0.01 * 2 * 4)
    assert measure(flat(4), COSTS).inner_share == 0.0
    assert measure(flat(200), COSTS).front_end_share > 1.0


def test_round_trips_share_processors_and_interfaces() -> None:
    costs = TreeCosts(P, rate=1000.0, operation=ROUND_TRIP)
    assert costs.share(4) == pytest.approx(1e-3 * 2 * 5 * 2)
    assert costs.period(4, 4) == max(4 * 4, 2 * 2 * 5, 5 * 4)
    slow = TreeCosts(LogGP(6, 5, 5, 4), filter_cost=1.0, operation=ROUND_TRIP)
    assert slow.period(4, 4) == 2 * 5 * 5 + 4
    assert slow.period(9, 0) == 9 * 11


def test_what_hangs_on_the_front_end_decides_its_load() -> None:
    load = FrontEndLoad(32, 2.5431315104166665, 5.0)
    assert load.serviced(64) == pytest.approx(0.6)
    assert load.serviced(256) == pytest.approx(0.0375)
    assert load.offered(256) == 40_960
    assert load.largest == 49
    assert [FrontEndLoad(m, load.cost_us, 5.0).largest for m in (1, 8, 16)] == [280, 99, 70]
    assert FrontEndLoad(1, 0.0, 5.0).largest is None
    assert FrontEndLoad(10**6, 1e9, 5.0).largest == 0


@given(st.integers(1, 10**5), st.floats(1e-6, 1e3), st.floats(1e-3, 1e3))
def test_the_largest_load_is_just_served(metrics, cost, rate) -> None:
    load = FrontEndLoad(metrics, cost, rate)
    assert load.largest is not None
    assert load.largest == 0 or load.serviced(load.largest) > 1 - 1e-9
    assert load.serviced(load.largest + 1) < 1.0


def test_a_tree_of_a_hundred_thousand_is_measured() -> None:
    tree = optimal_tree(100_000, P).tree
    assert measure(tree, COSTS).broadcast == 118
    assert measure(balanced(100_000, 16), COSTS).internal < 10_000

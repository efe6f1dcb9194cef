"""Trees simulated message by message: exact latencies, periods from above, round trips."""

from __future__ import annotations

import itertools
import math
import random
from dataclasses import replace

import numpy as np
import pytest

from advisor.models.mrnet import (
    BROADCAST,
    CONVENTIONS,
    OPERATIONS,
    REDUCTION,
    Tree,
    balanced,
    flat,
    kary,
    optimal_tree,
)
from advisor.trees.tree_costs import ROUND_TRIP, TreeCosts, measure
from advisor.trees.tree_simulation import (
    MOST_MESSAGES,
    busiest_part,
    simulate_tree,
)
from machines import InputError
from tests.advisor.random_trees import loggp, random_costs, random_tree

PUBLISHED = TreeCosts(loggp(6.0, 2.0, 4.0))


def period(tree: Tree, costs: TreeCosts, operation: str) -> float:
    return replace(costs, operation=operation).period(*tree.busiest)


@pytest.mark.parametrize("convention", CONVENTIONS)
def test_single_operations_take_exactly_the_latency_of_the_model(convention: str) -> None:
    rng = random.Random(3)
    for _ in range(150):
        tree, costs = random_tree(rng, 40), random_costs(rng, convention)
        model = measure(tree, costs)
        for operation, latency in zip(OPERATIONS, (model.broadcast, model.reduction), strict=True):
            found = simulate_tree(tree, costs, operation)
            assert found.latency == pytest.approx(latency, rel=1e-12, abs=1e-12)


def test_streams_reach_the_periods_of_the_model() -> None:
    rng = random.Random(4)
    for _ in range(25):
        tree, costs = random_tree(rng, 25), random_costs(rng)
        gap = costs.message(BROADCAST).step
        down = simulate_tree(tree, costs, operations=100).period / period(tree, costs, BROADCAST)
        up = simulate_tree(tree, costs, REDUCTION, 100).period / period(tree, costs, REDUCTION)
        assert up == pytest.approx(1.0, rel=1e-9)
        fits = 2 * costs.p.o_s <= gap or costs.p.o_s >= gap
        assert 1.0 - 1e-9 < down < (1.005 if fits else 1.14)


def test_receives_that_fit_between_no_two_sends_cost_some_percent() -> None:
    tree = balanced(27, 3)
    slow = TreeCosts(loggp(6.0, 4.0, 6.0))
    losses = []
    for costs in (PUBLISHED, slow):
        found = simulate_tree(tree, costs, operations=300)
        losses.append(found.period / period(tree, costs, BROADCAST) - 1.0)
    assert losses[0] < 0.004 < losses[1] < 0.14


def test_a_slow_stream_comes_at_its_own_interval() -> None:
    for operation in (*OPERATIONS, ROUND_TRIP):
        found = simulate_tree(kary(4, 2), PUBLISHED, operation, 20, interval=200.0)
        single = simulate_tree(kary(4, 2), PUBLISHED, operation)
        assert np.diff(found.ends) == pytest.approx(200.0)
        assert found.latency == single.latency


@pytest.mark.parametrize(
    ("tree", "costs", "alone"),
    [
        (kary(4, 2), PUBLISHED, 64.0),
        (flat(2), PUBLISHED, 10.0 + 10.0 + 4.0),
        (flat(1), PUBLISHED, 20.0),
    ],
)
def test_a_round_trip_is_shorter_than_its_halves(
    tree: Tree, costs: TreeCosts, alone: float
) -> None:
    found = simulate_tree(tree, costs, ROUND_TRIP)
    assert found.latency == alone


def test_round_trips_answered_at_once_take_half_to_all_of_the_sum() -> None:
    rng = random.Random(5)
    for _ in range(60):
        tree, costs = random_tree(rng, 40), random_costs(rng)
        share = simulate_tree(tree, costs, ROUND_TRIP).latency / measure(tree, costs).round_trip
        flies_long = costs.p.g <= costs.p.L  # else receives of both ways meet
        assert 0.5 <= share < (1.0 + 1e-12 if flies_long else 1.1)


def test_a_stream_of_round_trips_keeps_its_window() -> None:
    one = simulate_tree(kary(4, 2), PUBLISHED, ROUND_TRIP, 10, window=1)
    assert np.diff(one.ends) == pytest.approx(64.0)
    many = simulate_tree(kary(4, 2), PUBLISHED, ROUND_TRIP, 200, window=12)
    assert 1.0 <= many.period / period(kary(4, 2), PUBLISHED, ROUND_TRIP) < 1.2


def test_the_busiest_part_has_the_period_of_the_whole() -> None:
    rng = random.Random(6)
    for _ in range(15):
        tree, costs = random_tree(rng, 60), random_costs(rng)
        part = busiest_part(tree)
        assert part.size <= tree.size
        assert part.depth == tree.depth
        for operation in OPERATIONS:
            assert period(part, costs, operation) == period(tree, costs, operation)
        found = [simulate_tree(one, costs, REDUCTION, 60).period for one in (tree, part)]
        assert found[0] == pytest.approx(found[1])
    large = optimal_tree(100_000, PUBLISHED.p).tree
    assert busiest_part(large).size < 300
    assert busiest_part(flat(5)).is_like(flat(5))


def test_it_stops_when_asked_and_tells_how_far_it_is() -> None:
    asked, told = itertools.count(), list[float]()
    tree = balanced(3000, 8)
    found = simulate_tree(
        tree, PUBLISHED, operations=3, should_stop=lambda: next(asked) > 2, on_progress=told.append
    )
    assert not found.complete
    assert math.isnan(found.latency)
    assert len(told) == 3
    simulate_tree(tree, PUBLISHED, ROUND_TRIP, on_progress=told.append)
    assert told[3:] == sorted(told[3:])
    assert 0.5 < told[-1] <= 1.0


def test_it_refuses_what_it_can_not_simulate() -> None:
    tree = kary(4, 2)
    with pytest.raises(InputError, match="unknown operation"):
        simulate_tree(tree, PUBLISHED, "gather")
    with pytest.raises(InputError, match="operations"):
        simulate_tree(tree, PUBLISHED, operations=0)
    with pytest.raises(InputError, match="too many messages"):
        simulate_tree(tree, PUBLISHED, operations=MOST_MESSAGES // 20 + 1)
    with pytest.raises(InputError, match="window"):
        simulate_tree(tree, PUBLISHED, ROUND_TRIP, window=0)
    with pytest.raises(InputError, match="interval"):
        simulate_tree(tree, PUBLISHED, interval=-1.0)

"""Searches over trees: limits, weights and the Pareto front, against trying everything."""

from __future__ import annotations

import random
from itertools import product

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from advisor.models.mrnet import BROADCAST, EACH, REDUCTION, balanced, flat, optimal_tree
from advisor.trees.search import (
    Limits,
    TreeChoice,
    Weights,
    best_weighted,
    optimum,
    pareto_front,
    rungs,
    thinnest,
)
from advisor.trees.shapes import spread_knomial
from advisor.trees.tree_costs import ASKED, ROUND_TRIP, TreeCosts, measure
from machines import InputError, LogGP
from tests.advisor.random_trees import loggp

P = LogGP(L=6.0, o_s=2.0, o_r=2.0, g=4.0)
COSTS = TreeCosts(P)
SMALL = st.tuples(
    st.integers(1, 24),
    st.sampled_from([0.5, 2.0, 3.0]),
    st.sampled_from([0.0, 3.0, 6.0]),
    st.sampled_from([1.0, 4.0]),
)


def everything(N, costs):
    """The least latency by fan-outs and internal processes, each as its own search."""
    found = []
    for own, inner, m in product(range(1, N + 1), range(1, N + 1), range(N)):
        caps = costs.period(own, 0), costs.period(1, inner)
        try:
            best = optimal_tree(N, costs.p, max_internal=m, max_period=max(caps))
        except InputError:
            continue
        found.append(TreeChoice.of(best, costs))
    return found


@pytest.mark.parametrize(
    ("weights", "value", "latency", "period", "internal"),
    [
        (Weights(1, 1, 0), 92, 76, 16, 226),
        (Weights(1, 0, 1), 133, 90, 72, 43),
        (Weights(1, 1, 0.5), 150, 80, 32, 76),
    ],
)
def test_weighted_optima_of_512_back_ends(weights, value, latency, period, internal) -> None:
    best, complete = best_weighted(512, COSTS, Limits(), weights)
    assert complete
    assert weights.value(best) == value
    assert (best.latency, best.period, best.internal) == (latency, period, internal)


@settings(max_examples=12)
@given(
    st.integers(1, 8),
    st.sampled_from([0.5, 2.0, 3.0]),
    st.sampled_from([0.0, 6.0]),
    st.sampled_from([1.0, 4.0]),
    st.sampled_from([0.0, 0.3, 1.0]),
    st.sampled_from([0.0, 1.0, 7.0]),
)
def test_no_tree_has_a_smaller_weighted_sum_and_none_beats_the_front(N, o, L, g, wP, wm) -> None:
    costs = TreeCosts(LogGP(L=L, o_s=o, o_r=o, g=g))
    tried, weights = everything(N, costs), Weights(1.0, wP, wm)
    best, _ = best_weighted(N, costs, Limits(), weights)
    assert weights.value(best) <= min(map(weights.value, tried)) + 1e-9
    front, complete = pareto_front(N, costs, Limits())
    assert complete
    for one in tried:
        assert any(other.covers(one) for other in front)
    for one in front:
        assert not any(other.covers(one) and other.values() != one.values() for other in front)


@given(SMALL, st.sampled_from(ASKED), st.integers(0, 60))
def test_a_choice_is_the_optimum_within_its_own_numbers(small, operation, place) -> None:
    N, o, L, g = small
    costs = TreeCosts(LogGP(L=L, o_s=o, o_r=o, g=g), operation=operation)
    front, _ = pareto_front(N, costs, Limits())
    one = front[place % len(front)]
    again = TreeChoice.of(optimum(N, costs, Limits().within(one)), costs)
    assert again.values() == one.values()


@given(SMALL, st.sampled_from(ASKED), st.floats(1.0, 2e5), st.floats(0.05, 1.0))
def test_the_optimum_keeps_the_rate_that_is_wanted_or_says_what_is_feasible(
    small, operation, rate, share
) -> None:
    N, o, L, g = small
    costs = TreeCosts(LogGP(L=L, o_s=o, o_r=o, g=g), rate=rate, operation=operation)
    limits = Limits(max_share=share)
    try:
        found = optimum(N, costs, limits)
    except InputError as error:
        assert "rate up to" in str(error)
        feasible = float(str(error).rsplit("rate up to ", 1)[1].split()[0])
        slower = TreeCosts(costs.p, rate=feasible * 0.999, operation=operation)
        assert optimum(N, slower, limits).back_ends == N
        return
    measures = measure(found.tree, costs)
    assert max(measures.front_end_share, measures.inner_share) <= share * (1 + 1e-6)
    assert measures.period <= 1e6 / rate * (1 + 1e-6)


def test_a_round_trip_is_searched_with_both_messages() -> None:
    costs = TreeCosts(P, filter_cost=3.0, operation=ROUND_TRIP)
    found = optimum(64, costs, Limits())
    plain = optimum(64, TreeCosts(P, operation="broadcast"), Limits())
    round_trip = measure(found.tree, costs).round_trip
    assert round_trip == pytest.approx(found.latency)
    assert round_trip <= measure(plain.tree, costs).round_trip


def test_a_stopped_search_keeps_what_it_has() -> None:
    told = []
    front, complete = pareto_front(512, COSTS, Limits(), told.append, lambda: len(told) > 3)
    assert front
    assert not complete
    assert told == sorted(told)
    best, complete = best_weighted(512, COSTS, Limits(), Weights(1, 1, 1), lambda: True)
    assert not complete
    assert best.latency >= 68


def test_a_front_of_a_million_back_ends_builds_no_tree(monkeypatch) -> None:
    def refuse(*_: object) -> None:
        raise AssertionError

    monkeypatch.setattr("advisor.models.optimal_tree._explicit", refuse)
    every = TreeCosts(LogGP(L=6.0, o_s=2.0, o_r=2.0, g=4.0))
    front, complete = pareto_front(10**6, every, Limits(max_fanout=12))
    assert complete
    assert len(front) > 20


@pytest.mark.parametrize("N", [7, 60, 333])
def test_the_busiest_processes_of_every_choice_are_those_of_its_tree(N) -> None:
    every = TreeCosts(LogGP(L=6.0, o_s=2.0, o_r=2.0, g=4.0))
    for own, inner, internal in product((2, 5, 9, N), (2, 3, 7), (None, N // 3, N // 2)):
        limits = Limits(max_fanout=max(own, inner), max_internal=internal)
        try:
            found = optimum(N, every, limits)
        except InputError:
            continue
        assert found.fanouts == found.tree.busiest


def test_a_front_of_a_million_back_ends_is_thinned() -> None:
    front, complete = pareto_front(20_000, COSTS, Limits(max_fanout=64))
    assert complete
    assert 20 < len(front) < 500
    assert front[0].latency == optimal_tree(20_000, P, max_fanout=64).latency


@given(SMALL, st.sampled_from([BROADCAST, REDUCTION]), st.sampled_from([0.0, 1.5]))
def test_the_optimum_is_that_of_the_convention(small, operation, c) -> None:
    N, o, L, g = small
    costs = TreeCosts(
        LogGP(L=L, o_s=o, o_r=o, g=g), filter_cost=c, convention=EACH, operation=operation
    )
    found = optimum(N, costs, Limits())
    assert measure(found.tree, costs).latency(operation) == pytest.approx(found.latency)
    for other in (flat(N), balanced(N, 2), balanced(N, 4), spread_knomial(N, 2, 2)):
        assert found.latency <= measure(other, costs).latency(operation) + 1e-9


PUBLISHED = TreeCosts(loggp(6.0, 2.0, 4.0))


@pytest.mark.parametrize(
    ("latency", "internal"), [(68.0, 163), (71.9, 115), (72.0, 94), (74.8, 82), (2054.0, 0)]
)
def test_512_back_ends_of_the_published_example(latency: float, internal: int) -> None:
    found = thinnest(512, PUBLISHED, Limits(), latency)
    assert found.internal == internal
    assert found.latency <= latency


@pytest.mark.parametrize("seed", range(12))
def test_no_smaller_number_of_processes_is_as_fast(seed: int) -> None:
    rng = random.Random(seed)
    costs = TreeCosts(loggp(rng.uniform(0, 9), rng.uniform(0.1, 4), rng.uniform(0.1, 6)))
    N = rng.randint(2, 60)
    most = optimum(N, costs, Limits()).latency * rng.uniform(1.0, 1.5)
    every = [optimum(N, costs, Limits(max_internal=m)) for m in range(N)]
    fewest = min(one.internal for one in every if one.latency <= most)
    assert thinnest(N, costs, Limits(), most).internal == fewest


def test_the_ladder_leads_from_the_optimum_to_the_flat_tree() -> None:
    counts = [tree.internal for tree in rungs(512, PUBLISHED, Limits())]
    assert counts[0] == 163
    assert counts[-1] == 0
    assert counts == sorted(counts, reverse=True)

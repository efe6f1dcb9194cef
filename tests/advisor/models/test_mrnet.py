"""The MRNet model: latencies, periods, shares, and the optimum against what trees really cost."""

from __future__ import annotations

from itertools import permutations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from advisor.models.mrnet import (
    EACH,
    Message,
    Tree,
    balanced,
    broadcast_latency,
    broadcast_message,
    broadcast_period,
    flat,
    front_end_utilisation,
    instantiation_latency,
    kary,
    knomial,
    optimal_tree,
    reduction_latency,
    reduction_message,
    reduction_period,
    utilisation,
)
from advisor.models.tree_times import latencies, root_latency
from machines import InputError, LogGP
from tests.advisor.random_trees import trees

P = LogGP(L=6.0, o_s=2.0, o_r=2.0, g=4.0)


def by_trying_all_orders(tree: Tree, message: Message, process: int = 0) -> float:
    first, many = tree.first_child[process], tree.fanouts[process]
    below = [by_trying_all_orders(tree, message, first + i) for i in range(many)]
    return min(
        max((i * message.step + message.delay + b for i, b in enumerate(order)), default=0.0)
        for order in permutations(below)
    )


@given(trees(10), st.floats(0, 9), st.floats(0, 9))
def test_children_are_served_in_the_best_of_all_orders(tree, step, delay) -> None:
    message = Message(step, delay, 0.0)
    found, turn = latencies(tree, message)
    assert found[0] == pytest.approx(by_trying_all_orders(tree, message))
    for process in range(tree.size):
        first, many = tree.first_child[process], tree.fanouts[process]
        assert sorted(turn[first : first + many]) == list(range(many))


@given(trees(40), st.floats(0, 9), st.floats(0, 9))
def test_the_front_ends_time_needs_no_look_at_the_back_ends(tree, step, delay) -> None:
    message = Message(step, delay, 0.0)
    assert root_latency(tree, message) == latencies(tree, message)[0][0]
    assert tree.inner.fanouts.size == tree.internal + 1


@given(st.integers(1, 300), st.integers(2, 9), st.floats(0, 5), st.integers(1, 2000))
def test_a_reduction_without_filter_takes_as_long_as_a_broadcast(N, fanout, o, size) -> None:
    tree, p = balanced(N, fanout), LogGP(L=3.0, o_s=o, o_r=o, g=1.5, G=0.01)
    assert reduction_latency(tree, p, size) == broadcast_latency(tree, p, size)
    assert reduction_period(tree, p, size) == broadcast_period(tree, p, size)
    assert reduction_latency(tree, p, size, 2.0) >= broadcast_latency(tree, p, size) + 2.0


@pytest.mark.parametrize(
    ("size", "c", "latency", "period"), [(1, 0.0, 44, 16), (1001, 0.0, 124, 56), (1, 3.0, 56, 22)]
)
def test_sizes_and_filters_lengthen_steps_and_delays(size, c, latency, period) -> None:
    p = LogGP(L=6.0, o_s=2.0, o_r=2.0, g=4.0, G=0.01)
    assert reduction_latency(kary(4, 2), p, size, c) == pytest.approx(latency)
    assert reduction_period(kary(4, 2), p, size, c) == pytest.approx(period)


def test_the_convention_each_adds_a_step_a_level_and_turns_the_comparison_of_figure_4() -> None:
    four, binomial = kary(4, 2), knomial(4, 2, 4)
    assert broadcast_latency(four, P, convention=EACH) == 8 * 4 + 4 * 2 + 2 * 6
    assert broadcast_latency(four, P) == 6 * 4 + 4 * 2 + 2 * 6
    assert broadcast_latency(binomial, P, convention=EACH) == 6 * 4 + 6 * 2 + 3 * 6
    first = max(5 * 4 + 2 * 2 + 6, 4 * 4 + 4 * 2 + 2 * 6, 3 * 4 + 6 * 2 + 3 * 6)
    assert broadcast_latency(binomial, P) == first
    assert broadcast_message(P, convention=EACH).delay == broadcast_message(P).delay + 4


def test_internal_processes_lengthen_the_period_where_two_overheads_exceed_the_step() -> None:
    eager = LogGP(L=6.0, o_s=4.0, o_r=4.0, g=4.0)
    assert broadcast_period(kary(4, 2), P) == 16
    assert broadcast_period(kary(4, 2), eager) == 3 * 4 + 2 * 4
    assert broadcast_period(flat(4), eager) == 16
    assert broadcast_period(knomial(4, 2, 4), P) == 24


def test_shares_count_the_messages_of_a_process() -> None:
    assert utilisation(4, P, 1 / 16) == 0.625
    assert front_end_utilisation(4, P, 1 / 16) == 0.5
    assert utilisation(4, P, 1 / 16, "reduction", 1.0) == pytest.approx((4 * 3 + 2) / 16)
    assert front_end_utilisation(4, P, 1 / 16, "reduction", 1.0) == pytest.approx(4 * 3 / 16)
    assert utilisation(4, P, 1 / 16, "broadcast", 1.0) == 0.625


@given(st.integers(1, 5), st.integers(1, 4), st.floats(0, 9), st.floats(0, 9), st.floats(0, 9))
def test_a_full_tree_starts_level_by_level(k, h, create, connect, report) -> None:
    expected = h * (k * create + connect + report)
    assert instantiation_latency(kary(k, h), create, connect, report) == pytest.approx(expected)


@given(
    st.integers(1, 400),
    st.sampled_from([0.1, 0.3, 1.0, 2.25]),
    st.sampled_from([0.0, 0.1, 4.0, 13.5]),
    st.sampled_from([0.1, 0.7, 3.75]),
    st.none() | st.integers(2, 20),
    st.none() | st.integers(0, 80),
)
def test_the_explicit_tree_is_what_the_numbers_of_the_optimum_say(N, o, L, g, k, m) -> None:
    p = LogGP(L=L, o_s=o, o_r=o, g=g)
    try:
        found = optimal_tree(N, p, max_fanout=k, max_internal=m)
    except InputError as error:
        assert k is not None
        assert m is not None
        assert k + m * (k - 1) < N
        assert f"Allow {-(-(N - k) // (k - 1))} internal" in str(error)
        return
    tree = found.tree
    assert (tree.back_ends, tree.internal) == (N, found.internal)
    assert broadcast_latency(tree, p) == pytest.approx(found.latency, rel=1e-12)
    assert broadcast_period(tree, p) == pytest.approx(found.period, rel=1e-12)
    assert tree.busiest == found.fanouts
    assert k is None or tree.max_fanout <= k
    for other in (flat(N), balanced(N, 4), knomial(N + 1)):
        if other.back_ends == N and (k is None or other.max_fanout <= k):
            assert m is not None or found.latency <= broadcast_latency(other, p) + 1e-9


@pytest.mark.parametrize("period", [8.0, 15.9, 16.0, 33.0, 2048.0])
def test_a_stream_over_the_optimum_keeps_the_period_that_was_asked_for(period) -> None:
    found = optimal_tree(512, P, max_period=period)
    assert found.period <= period
    assert broadcast_period(found.tree, P) == found.period
    if period > 16:
        assert found.latency <= optimal_tree(512, P, max_period=period / 2).latency


@pytest.mark.parametrize(
    ("N", "internal", "latency"),
    [(64, 14, 50), (1000, 342, 74), (10**4, 3214, 96), (10**5, 29_920, 118)],
)
def test_optima_of_the_textbook_machine(N, internal, latency) -> None:
    found = optimal_tree(N, P)
    assert (found.latency, found.internal) == (latency, internal)


@pytest.mark.parametrize(
    ("N", "K", "latency", "internal"),
    [(64, 4, 54, 24), (512, 4, 76, 226), (10**6, 16, 140, 280_047), (10**6, 32, 140, 275_987)],
)
def test_optima_with_fan_outs_up_to_a_limit(N, K, latency, internal) -> None:
    found = optimal_tree(N, P, max_fanout=K)
    assert (found.latency, found.internal) == (latency, internal)


@pytest.mark.parametrize(
    ("N", "m", "latency"),
    [(16, 2, 40), (16, 1, 46), (512, 64, 80), (512, 8, 256), (10**6, 100, 39_656)],
)
def test_optima_with_few_internal_processes(N, m, latency) -> None:
    assert optimal_tree(N, P, max_internal=m).latency == latency


@pytest.mark.parametrize(
    ("p", "options", "words"),
    [
        (LogGP(L=6, o_s=2, o_r=3, g=4), {}, "one overhead"),
        (LogGP(L=6, o_s=0, o_r=0, g=0), {}, "any tree is free"),
        (P, {"max_fanout": 1}, "at most 1 back-ends hang on the front-end"),
        (P, {"max_period": 3.0}, "at most 0 back-ends"),
        (P, {"max_fanout": 8, "max_internal": 71}, "Allow 72 internal processes"),
        (P, {"operation": "gather"}, "broadcast, reduction"),
    ],
)
def test_what_can_not_be_is_refused_with_what_could(p, options, words) -> None:
    with pytest.raises(InputError, match=words):
        optimal_tree(512, p, **options)


def test_unknown_words_are_refused_with_those_that_exist() -> None:
    with pytest.raises(InputError, match="first, each"):
        broadcast_message(P, convention="last")
    with pytest.raises(InputError, match="broadcast, reduction"):
        utilisation(4, P, 1.0, "both")
    with pytest.raises(InputError, match="filter_cost"):
        reduction_message(P, 1, -1.0)


def test_a_chain_of_twenty_thousand_processes_needs_no_recursion() -> None:
    tree = kary(1, 20_000)
    assert broadcast_latency(tree, P) == 20_000 * 10


def test_delays_far_below_the_step_make_deep_trees() -> None:
    found = optimal_tree(200, LogGP(L=0.0, o_s=0.0, o_r=0.0, g=5.0))
    assert (found.latency, found.internal) == (5.0, 198)
    assert found.tree.depth == 199

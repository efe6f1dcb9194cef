"""Exact sharing against mean value analysis over subsets and the full Markov chain."""

import itertools
import math
from fractions import Fraction
from functools import cache

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from advisor.models.slowdown import (
    link_sharing_slowdown,
    resident_slowdown,
    sharing_slowdown,
    simultaneous,
)
from machines import InputError

means = st.floats(0.01, 10)
pairs = st.lists(st.tuples(means, means), max_size=6)
shares = st.tuples(st.floats(0.02, 0.6), st.floats(0.0, 0.35))


def mva_queues(contenders, shared):
    """Mean numbers at CPU and link by exact MVA over subsets, one customer a class."""

    @cache
    def queues(subset):
        cpu = link = 0.0
        for k in subset:
            rest = queues(tuple(other for other in subset if other != k))
            compute, transfer = contenders[k]
            at_cpu = compute * (1 + rest[0])
            at_link = transfer * (1 + rest[1]) if shared else transfer
            rate = 1 / (at_cpu + at_link)
            cpu, link = cpu + rate * at_cpu, link + rate * at_link
        return cpu, link

    return queues(tuple(range(len(contenders))))


def chain_slowdown(contenders, phases, speed_of, task_speed):
    """1/E[speed of the resident task] from the stationary law of the full Markov chain.

    contenders: list of mean phases, one value a phase; speed_of(phase, k, state): rate at which
    contender k passes its phase; task_speed(state).
    """
    states = list(itertools.product(*(range(phases) for _ in contenders)))
    number = {state: row for row, state in enumerate(states)}
    generator = np.zeros((len(states), len(states)))
    for state in states:
        for k, means in enumerate(contenders):
            rate = speed_of(state[k], k, state) / means[state[k]]
            after = (*state[:k], (state[k] + 1) % phases, *state[k + 1 :])
            generator[number[state], number[after]] += rate
            generator[number[state], number[state]] -= rate
    system = np.vstack([generator.T, np.ones(len(states))])
    target = np.zeros(len(states) + 1)
    target[-1] = 1.0
    law = np.linalg.lstsq(system, target, rcond=None)[0]
    return 1 / (law @ np.array([task_speed(state) for state in states]))


@given(pairs, st.booleans())
def test_the_product_form_equals_mean_value_analysis(contenders, shared):
    cpu, link = mva_queues(contenders, shared)
    kind = "shared" if shared else "private"
    assert sharing_slowdown(contenders, "cpu", kind) == pytest.approx(1 + cpu, rel=1e-12)
    expected = 1 + link if shared else 1.0
    assert sharing_slowdown(contenders, "link", kind) == pytest.approx(expected, rel=1e-12)


@settings(max_examples=15, deadline=None)
@given(
    st.lists(shares, min_size=1, max_size=3),
    st.integers(1, 4).flatmap(lambda c: st.tuples(st.just(c), st.integers(1, c))),
)
def test_a_task_on_several_cores_is_slowed_as_in_the_markov_chain(contenders, machine):
    cores, held = machine
    phases = [
        (compute, transfer + 1e-3, 1 - compute - transfer) for compute, transfer in contenders
    ]

    def speed_of(phase, _, state):
        if phase == 0:
            return min(1.0, cores / (state.count(0) + held))
        return 1.0 / state.count(1) if phase == 1 else 1.0

    expected = chain_slowdown(
        phases, 3, speed_of, lambda state: min(1.0, cores / (state.count(0) + held))
    )
    normal = [(a / (a + b + c), b / (a + b + c)) for a, b, c in phases]
    assert resident_slowdown(normal, cores, held) == pytest.approx(expected, rel=1e-9)


@settings(max_examples=10, deadline=None)
@given(st.lists(shares, max_size=2), st.lists(shares, min_size=1, max_size=2), st.integers(1, 2))
def test_a_link_is_shared_by_the_contenders_of_both_ends_as_in_the_markov_chain(
    first, second, cores
):
    contenders = [(a, b + 1e-3, 1 - a - b) for a, b in [*first, *second]]
    ends = [0] * len(first) + [1] * len(second)

    def speed_of(phase, k, state):
        if phase == 0:
            here = sum(p == 0 and end == ends[k] for p, end in zip(state, ends, strict=True))
            return min(1.0, (cores if ends[k] else 1) / here)
        return 1.0 / (state.count(1) + 1) if phase == 1 else 1.0

    expected = chain_slowdown(contenders, 3, speed_of, lambda state: 1 / (state.count(1) + 1))
    normal = [(a / (a + b + c), b / (a + b + c)) for a, b, c in contenders]
    got = link_sharing_slowdown([(normal[: len(first)], 1), (normal[len(first) :], cores)])
    assert got == pytest.approx(expected, rel=1e-9)


@pytest.mark.parametrize(
    ("contenders", "resource", "link", "expected"),
    [
        ([], "cpu", "shared", 1.0),
        ([(1, 1)] * 2, "cpu", "shared", 2.0),
        ([(1, 1)] * 2, "cpu", "private", 2.2),
        ([(1, 1)] * 3, "cpu", "private", 3.0625),
        ([(1, 1)] * 3, "link", "private", 1.0),
        ([(75, 25), (24, 76)], "cpu", "shared", 1.98540),
        ([(75, 25), (24, 76)], "link", "shared", 2.01460),
        ([(34, 66), (67, 33)], "cpu", "shared", 2.01384),
        ([(60, 40), (24, 76)], "link", "shared", 2.22099),
        ([(60, 40), (24, 76)], "cpu", "shared", 1.77901),
        ([(1, 0)] * 7, "cpu", "shared", 8.0),
        ([(0, 1)] * 7, "cpu", "shared", 1.0),
        ([(0, 1)] * 7, "link", "shared", 8.0),
    ],
)
def test_check_values_of_exact_sharing(contenders, resource, link, expected):
    assert sharing_slowdown(contenders, resource, link) == pytest.approx(expected, rel=1e-5)


@pytest.mark.parametrize(("p", "q"), [(2, 0.25), (3, 0.1), (5, 0.75), (300, 0.5), (200, 0.9)])
def test_equal_contenders_on_one_link_have_a_geometric_queue(p, q):
    ratio = q / (1 - q)
    weights = np.array([ratio ** (n - p if ratio > 1 else n) for n in range(p + 1)])
    expected = 1 + weights @ np.arange(p + 1) / weights.sum()
    assert sharing_slowdown([(q, 1 - q)] * p) == pytest.approx(expected)


@pytest.mark.parametrize(("p", "cores", "held"), [(1, 4, 1), (3, 4, 1), (7, 4, 2), (5, 1, 1)])
def test_busy_contenders_share_the_cores(p, cores, held):
    expected = max(1.0, (p + held) / cores)
    assert resident_slowdown([(1.0, 0.0)] * p, cores, held) == pytest.approx(expected)


def test_one_part_time_contender_slows_by_its_share_in_both_readings():
    assert resident_slowdown([(0.3, 0.2)]) == pytest.approx(1 + simultaneous([0.3])[1])


@given(st.lists(shares, max_size=6), shares, st.integers(1, 3))
def test_one_more_contender_never_speeds_a_task_up_where_links_are_private(before, more, cores):
    alone = resident_slowdown(before, cores, link="private")
    assert resident_slowdown([*before, more], cores, link="private") >= alone - 1e-12


@settings(max_examples=20, deadline=None)
@given(pairs, st.floats(0.1, 50), st.randoms(use_true_random=False))
def test_neither_the_unit_nor_the_order_of_contenders_matters(contenders, unit, random):
    shuffled = [(unit * compute, unit * transfer) for compute, transfer in contenders]
    random.shuffle(shuffled)
    assert sharing_slowdown(shuffled) == pytest.approx(sharing_slowdown(contenders))


def test_four_hundred_mixed_contenders_are_as_exact_as_in_rational_numbers():
    crowd, whole = [1] * 200 + [448] * 200, 512  # of 512: whole numbers need no common divisors
    weights = [1]
    for share in crowd:
        grown = [(whole - share) * weight for weight in weights] + [0]
        for n, weight in enumerate(weights, start=1):
            grown[n] += share * weight
        weights = grown
    queued = [math.factorial(n) * weight for n, weight in enumerate(weights)]
    mean = Fraction(sum(n * weight for n, weight in enumerate(queued)), sum(queued))
    shares = [(share / whole, 0.0) for share in crowd]
    assert resident_slowdown(shares) == pytest.approx(1 + float(mean), rel=1e-12)


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (lambda: sharing_slowdown([(-1, 1)]), "contender 1"),
        (lambda: sharing_slowdown([(1, 1), (0, 0)]), "contender 2 has no phase"),
        (lambda: sharing_slowdown([(1, 1)], resource="disk"), "Allowed: cpu, link"),
        (lambda: sharing_slowdown([(1, 1)], link="fast"), "Allowed: shared, private"),
        (lambda: resident_slowdown([(0.5, 0.5)], link="fast"), "unknown link"),
        (lambda: resident_slowdown([(0.6, 0.5)]), "exceed 1"),
        (lambda: resident_slowdown([(1.5, 0.0)]), "share"),
        (lambda: resident_slowdown([], cores=2, held=3), "held.*1 to 2"),
        (lambda: resident_slowdown([], cores=0), "cores"),
        (lambda: link_sharing_slowdown([([(0.5, 0.6)], 1)]), "exceed 1"),
        (lambda: link_sharing_slowdown([([], 0.5)]), "cores"),
    ],
)
def test_what_is_outside_the_domain_is_refused(call, message):
    with pytest.raises(InputError, match=message):
        call()

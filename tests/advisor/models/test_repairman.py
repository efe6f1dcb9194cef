"""Mean values of the repairman against a birth-death chain, product form and a simulation."""

import heapq
import itertools
import math
from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from advisor.models.mrm import (
    amdahl,
    asymptotic_bounds,
    balanced_bounds,
    coherent_throughput,
    erlang_b,
    erlang_speedup,
    mva,
    mva_curve,
    serial_fraction,
    synchronous_throughput,
    usl,
)
from advisor.models.slowdown import sharing_slowdown

FIG_5 = [40.0] * 5 + [160.0]
demands = st.lists(st.floats(0.01, 10), min_size=1, max_size=5)
thinks = st.floats(0, 50)


def chain_throughput(P, service, Z):
    """X of the chain of messages present: think rates (P − n)/Z, service rate 1/service(n)."""
    weights = [Fraction(1)]
    for n in range(1, P + 1):
        weights.append(weights[-1] * (P - n + 1) * service(n) / Z)
    busy = sum(weight / service(n) for n, weight in enumerate(weights) if n)
    return float(busy / sum(weights))


def product_form(P, stages, Z):
    """X(P) = G(P − 1)/G(P), rational, over every split of the messages between the stages."""

    def constant(count):
        total = Fraction(0)
        for split in itertools.product(range(count + 1), repeat=len(stages)):
            away = count - sum(split)
            if away >= 0:
                term = Z**away / Fraction(math.factorial(away))
                for demand, n in zip(stages, split, strict=True):
                    term *= demand**n
                total += term
        return total

    return float(constant(P - 1) / constant(P))


def simulated(P, stages, Z, cycles, seed):
    """Throughput of exponential phases, first come first served, with its 95 % interval."""
    rng = np.random.default_rng(seed)
    free = [0.0] * len(stages)
    events = [(float(rng.exponential(Z)), who, 0) for who in range(P)]
    heapq.heapify(events)
    phases = {k: iter(rng.exponential(D, 2 * cycles)) for k, D in enumerate(stages)}
    thinks = iter(rng.exponential(Z, 2 * cycles))
    ends = []
    while len(ends) < cycles:
        now, who, stage = heapq.heappop(events)
        if stage == len(stages):
            ends.append(now)
            heapq.heappush(events, (now + next(thinks), who, 0))
            continue
        free[stage] = max(free[stage], now) + next(phases[stage])
        heapq.heappush(events, (free[stage], who, stage + 1))
    batches = np.array(ends[cycles // 10 :: cycles // 20])
    rates = (cycles // 20) / np.diff(batches)
    return rates.mean(), 2.11 * rates.std(ddof=1) / math.sqrt(rates.size)


@pytest.mark.parametrize(("P", "D", "Z"), [(1, 3, 17), (7, 3, 17), (20, 1, 9), (40, 5, 2)])
def test_one_stage_is_the_birth_death_chain(P, D, Z):
    exact = chain_throughput(P, lambda n: Fraction(D), Z)
    assert mva(P, [D], Z).throughput == pytest.approx(exact, rel=1e-12)
    assert (1 - erlang_b(Z / D, P)) / D == pytest.approx(exact, rel=1e-12)
    assert erlang_speedup(P, serial_fraction(D, Z)) / (D + Z) == pytest.approx(exact, rel=1e-12)


def test_a_server_is_idle_as_often_as_erlang_blocks():
    values = mva(7, [3], 17)
    assert values.throughput == pytest.approx(0.278887931, rel=1e-8)
    assert values.utilisations[0] == pytest.approx(0.836663794, rel=1e-8)
    assert 1 - values.utilisations[0] == pytest.approx(erlang_b(17 / 3, 7), rel=1e-12)


@pytest.mark.parametrize(
    ("P", "stages", "Z"), [(6, [1, 2, 4], 10), (5, [1, 1, 1], 4), (7, [3, 5], 0), (4, [2, 0, 1], 6)]
)
def test_several_stages_are_the_product_form(P, stages, Z):
    exact = product_form(P, [Fraction(D) for D in stages], Fraction(Z))
    assert mva(P, stages, Z).throughput == pytest.approx(exact, rel=1e-12)


@pytest.mark.parametrize(
    ("P", "stages", "Z"), [(10, [1, 2, 0.5], 10), (5, [1, 1, 1], 4), (30, [1], 20)]
)
def test_a_simulation_agrees_within_its_interval(P, stages, Z):
    rate, half_width = simulated(P, stages, Z, 8_000, seed=1)
    assert half_width < 0.03 * rate
    assert abs(mva(P, stages, Z).throughput - rate) < half_width


@given(st.integers(1, 60), demands, thinks)
def test_mean_values_keep_littles_law_and_all_bounds(P, stages, Z):
    values = mva(P, stages, Z)
    X = values.throughput
    assert X * (values.response + Z) == pytest.approx(P, rel=1e-12)
    assert values.queues.sum() + X * Z == pytest.approx(P, rel=1e-9)
    assert np.all(values.utilisations <= 1 + 1e-9)
    least, most = asymptotic_bounds(P, stages, Z)
    lower, upper = balanced_bounds(P, stages, Z)
    slack = 1 + 1e-9
    assert least <= lower * slack
    assert lower <= X * slack
    assert upper * slack >= X
    assert upper <= most * slack


@given(st.integers(1, 40), demands, st.floats(0.1, 50))
def test_one_stage_of_the_whole_demand_is_slower_than_its_parts(P, stages, Z):
    sigma = serial_fraction(sum(stages), Z)
    speedup = mva_curve(P, stages, Z).speedup[-1]
    assert amdahl(P, sigma) <= erlang_speedup(P, sigma) * (1 + 1e-9)
    assert erlang_speedup(P, sigma) <= speedup * (1 + 1e-9)


@settings(max_examples=20, deadline=None)
@given(st.integers(1, 12), demands, thinks)
def test_the_curve_holds_the_values_of_every_number_of_processors(P, stages, Z):
    curve = mva_curve(P, stages, Z)
    values = [mva(n, stages, Z) for n in range(1, P + 1)]
    assert curve.processors.tolist() == list(range(1, P + 1))
    assert curve.throughput.tolist() == [one.throughput for one in values]
    assert curve.response.tolist() == [one.response for one in values]


def test_many_different_stages_are_followed_in_arrays_to_the_same_end():
    stages = [1.0 + k / 7 for k in range(20)]
    exact = mva(9, stages, 30).throughput
    queues = np.zeros(20)
    for n in range(1, 10):
        waits = np.array(stages) * (1 + queues)
        X = n / (30 + waits.sum())
        queues = X * waits
    assert exact == pytest.approx(X, rel=1e-12)
    assert mva(9, stages, 30).queues == pytest.approx(queues, rel=1e-12)


def test_the_order_of_the_stages_changes_nothing_but_the_order_of_the_queues():
    one, other = mva(8, [1, 3, 1, 2], 5), mva(8, [2, 1, 3, 1], 5)
    assert one.throughput == pytest.approx(other.throughput, rel=1e-14)
    assert one.queues[[3, 0, 1, 2]] == pytest.approx(other.queues, rel=1e-14)


def test_beyond_the_knee_each_processor_adds_the_largest_demand_to_the_response():
    curve = mva_curve(1024, FIG_5, 12_800)
    assert np.diff(curve.response)[500:] == pytest.approx(160, rel=1e-9)


def test_a_hundred_thousand_processors_wait_for_the_largest_demand():
    curve = mva_curve(100_000, FIG_5, 12_800)
    assert curve.throughput[-1] == pytest.approx(1 / 160, rel=1e-12)


def test_an_interconnect_that_asks_for_nothing_lets_all_compute():
    values = mva(5, [0, 0], 2)
    assert (values.throughput, values.response) == (2.5, 0.0)


@pytest.mark.parametrize("A", [1e-3, 1.0, 999.0, 1e6, 2e6])
def test_erlangs_formula_stays_a_share_up_to_a_million_servers(A):
    blocked = erlang_b(A, 10**6)
    assert 0.0 <= blocked <= 1.0
    if A == 2e6:  # twice too much is offered
        assert blocked == pytest.approx(0.5, rel=1e-5)
    if A == 1e6:  # √(2/(π A)), critically loaded
        assert blocked == pytest.approx(math.sqrt(2 / (math.pi * 1e6)), rel=1e-3)


def test_erlangs_formula_is_the_ratio_of_its_sums():
    for A, P in [(5, 3), (20, 5), (3, 12)]:
        terms = [Fraction(A) ** k / math.factorial(k) for k in range(P + 1)]
        assert erlang_b(A, P) == pytest.approx(float(terms[-1] / sum(terms)), rel=1e-14)


@given(st.integers(1, 1000), st.floats(1e-9, 1.0))
def test_independent_messages_never_scale_worse_than_a_barrier(P, sigma):
    assert amdahl(P, sigma) <= erlang_speedup(P, sigma) * (1 + 1e-12)
    assert erlang_speedup(P, sigma) <= min(P, 1 / sigma) * (1 + 1e-12)


def test_tiny_serial_fractions_lose_no_digits():
    assert erlang_speedup(3, 1e-15) == pytest.approx(3, rel=1e-14)


def test_a_barrier_gives_amdahls_throughput():
    P, D, Z = 12, 3.5, 40.0
    speedup = synchronous_throughput(P, D, Z) / synchronous_throughput(1, D, Z)
    assert speedup == pytest.approx(amdahl(P, serial_fraction(D, Z)), rel=1e-14)


def test_a_newcomer_waits_for_the_mean_queue_of_the_others():
    """1 + the queue that MVA gives is the slowdown by exact processor sharing, link private."""
    p, compute, sleep = 3, 2.0, 5.0
    slowdown = 1 + mva(p, [compute], sleep).queues[0]
    contenders = [(compute, sleep)] * p
    assert slowdown == pytest.approx(sharing_slowdown(contenders, "cpu", "private"), rel=1e-12)


@pytest.mark.parametrize(("P", "speedup"), [(100, 90.319), (105, 91.02), (1000, 16.917)])
def test_coherency_without_a_barrier_lies_above_the_universal_law(P, speedup):
    found = coherent_throughput(P, 10, 990, 0.005) * 1000
    assert found == pytest.approx(speedup, rel=1e-4)
    assert found > usl(P, 0.01, 5e-5)


@pytest.mark.parametrize("P", [1, 2, 9, 30])
def test_coherency_is_its_birth_death_chain(P):
    c = Fraction(1, 20)
    exact = chain_throughput(P, lambda n: 3 * (1 + c * (n - 1)), Fraction(17))
    assert coherent_throughput(P, 3, 17, 0.05) == pytest.approx(exact, rel=1e-12)
    assert coherent_throughput(P, 3, 17, 0) == pytest.approx(mva(P, [3], 17).throughput, rel=1e-12)


@pytest.mark.parametrize(
    ("call", "named"),
    [
        (lambda: mva(2, [1, math.nan], 1), r"demands\[1\]"),
        (lambda: mva(2, [], 1), "no stages"),
        (lambda: mva(2, [0.0], 0), "nothing to do"),
        (lambda: mva(2, [1], math.inf), "Z is out of range"),
        (lambda: balanced_bounds(2, [0, 0], 1), "nothing to do"),
        (lambda: serial_fraction(0, 0), "D, Z"),
        (lambda: erlang_speedup(2, 0), "sigma is out of range"),
        (lambda: coherent_throughput(2, 1, 0, 0.1), "Z is out of range"),
    ],
)
def test_what_no_queue_can_be_is_refused_by_name(call, named):
    with pytest.raises(ValueError, match=named):
        call()

"""Slowdown model: published figures, properties, refusals."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from advisor.models import slowdown
from machines import InputError

fractions = st.lists(st.floats(0, 1), max_size=8)


def counted(shares):
    """P(exactly i active) by enumerating every subset."""
    q = np.zeros(len(shares) + 1)
    for subset in range(2 ** len(shares)):
        active = [(subset >> k) & 1 for k in range(len(shares))]
        weights = [f if on else 1 - f for f, on in zip(shares, active, strict=True)]
        q[sum(active)] += np.prod(weights)
    return q


@given(fractions)
def test_the_distribution_is_that_of_all_subsets(shares):
    assert slowdown.simultaneous(shares) == pytest.approx(counted(shares), abs=1e-12)


@given(fractions, st.floats(0, 1))
def test_adding_then_removing_an_application_changes_nothing(shares, newcomer):
    q = slowdown.simultaneous(shares)
    more = slowdown.simultaneous_add(q, newcomer)
    assert more == pytest.approx(slowdown.simultaneous([*shares, newcomer]), abs=1e-12)
    assert slowdown.simultaneous_remove(more, newcomer) == pytest.approx(q, abs=1e-10)


@pytest.mark.parametrize("share", [0.0, 0.01, 0.5, 0.99, 1.0])
def test_removal_is_stable_for_extreme_shares(share):
    q = slowdown.simultaneous([share] * 21)
    expected = slowdown.simultaneous([share] * 20)
    assert slowdown.simultaneous_remove(q, share) == pytest.approx(expected, abs=1e-14)


def test_the_mean_number_active_is_the_sum_of_the_shares():
    q = slowdown.simultaneous([0.25, 0.76, 0.4])
    assert q @ np.arange(4) == pytest.approx(1.41)


def test_data_sets_cost_startup_and_size_over_bandwidth():
    data_sets = [(100, 512), (10, 2048)]
    assert slowdown.transfer_time(data_sets, 0.002, 250_000) == pytest.approx(0.50672)
    assert slowdown.transfer_time([], 0.002, 250_000) == 0.0
    assert slowdown.piecewise_transfer_time(
        data_sets, (0.002, 250_000), (0.0035, 400_000), 1024
    ) == pytest.approx(0.491)


def test_a_message_of_the_threshold_size_is_below():
    below, above = (1.0, 1.0), (100.0, 1.0)
    assert slowdown.piecewise_transfer_time([(1, 8)], below, above, 8) == 9.0
    assert slowdown.piecewise_transfer_time([(1, 8.5)], below, above, 8) == 108.5


def test_whole_numbers_may_be_written_as_floats():
    assert slowdown.cpu_slowdown(3.0) == slowdown.cpu_slowdown(3) == 4
    assert slowdown.transfer_time([(2.0, 4)], 1, 1) == 10.0


def test_offloading_needs_a_strict_gain():
    assert not slowdown.offload_pays(10, 6, 2, 2)
    assert slowdown.offload_pays(10.001, 6, 2, 2)


def test_a_serial_front_end_hides_until_the_load_is_high_enough():
    assert slowdown.backend_time(10, 2, 4, 2) == 12
    assert slowdown.backend_time(10, 2, 4, 3) == 16


@pytest.mark.parametrize(
    ("words", "column"),
    [(0.5, 1), (94.9, 1), (95, 500), (749, 500), (750, 1000), (1000, 1000), (1e9, 1000)],
)
def test_the_delay_column_is_the_nearer_measured_size(words, column):
    assert slowdown.delay_column(words) == column


def test_check_values_of_the_formulas():
    assert slowdown.communication_slowdown(
        [0.75, 0.24], [0.25, 0.76], [0.6, 1.1], [0.9, 2]
    ) == pytest.approx(2.523)
    tables = {1: [0.1, 0.2], 500: [0.4, 0.7], 1000: [0.8, 1.3]}
    assert slowdown.computation_slowdown([0.34, 0.67], [0.66, 0.33], tables, 1200) == pytest.approx(
        2.73666
    )


def test_n_resources_add_their_delays():
    uses = [([0.5, 0.25], None), ([0.3], [0.4]), ([0.2, 0.1], [0.2, 0.3])]
    assert slowdown.resource_slowdown(uses) == pytest.approx(1.928)


def test_two_resources_are_the_papers_formula():
    shares = [0.3, 0.8], [0.6, 0.2]
    delays = [0.5, 0.9], [0.7, 1.9]
    assert slowdown.resource_slowdown(list(zip(shares, delays, strict=True))) == pytest.approx(
        slowdown.communication_slowdown(*shares, *delays)
    )


def test_tables_longer_than_the_contenders_are_cut_and_no_contender_slows_nothing():
    assert slowdown.communication_slowdown([1], [0], [0.5, 9], [0.7, 9]) == pytest.approx(1.5)
    assert slowdown.communication_slowdown([], [], [], []) == 1.0


@given(
    work=st.floats(0, 100),
    steps=st.lists(st.tuples(st.floats(0.1, 5), st.floats(1, 9)), min_size=1, max_size=6),
    start=st.floats(0, 20),
)
def test_the_inverse_slowdown_integrates_to_the_work(work, steps, start):
    times = np.cumsum([0.0, *(length for length, _ in steps[1:])])
    segments = [(float(t), s) for t, (_, s) in zip(times, steps, strict=True)]
    end = slowdown.finish_time(work, segments, start)
    bounds = [*times[1:], np.inf]
    done = sum(
        max(0.0, min(end, until) - max(start, since)) / s
        for since, until, (_, s) in zip(times, bounds, steps, strict=True)
    )
    assert done == pytest.approx(work, abs=1e-9)


def test_time_varying_load_takes_the_harmonic_mean():
    assert slowdown.finish_time(10, [(0, 2), (5, 4), (9, 1)]) == pytest.approx(15.5)
    segments = [(0, 1), (2, 2), (4, 3), (6, 2), (10, 1)]
    assert slowdown.finish_time(6, segments) == pytest.approx(10 + 1 / 3)


def test_migration_saves_what_is_left_here_less_there_and_the_move():
    move = 2 * (0.001 + 1e6 / 250_000)
    assert slowdown.migration_gain(20, 3, 25, 1, move) == pytest.approx(26.998)


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (lambda: slowdown.cpu_slowdown(1.5), "p must be a whole number"),
        (lambda: slowdown.cpu_slowdown(-1), "p must be a whole number"),
        (lambda: slowdown.simultaneous([0.2, 1.1]), r"fraction .*1\.1.*≤ 1"),
        (lambda: slowdown.simultaneous_remove([1.0], 0.5), "nobody"),
        (lambda: slowdown.simultaneous_remove([np.nan, 1.0], 0.5), "q must be"),
        (lambda: slowdown.simultaneous_add([], 0.5), "q must be"),
        (lambda: slowdown.backend_time(10, 5, 4, 1), "dserial .*5 to 15"),
        (lambda: slowdown.backend_time(1, 1, 4, 1), "dserial"),
        (lambda: slowdown.transfer_time([(1, 10)], 0.1, 0), "beta"),
        (lambda: slowdown.transfer_time([(1.5, 10)], 0.1, 1), "count"),
        (lambda: slowdown.transfer_time([(1, 0)], 0.1, 1), "size"),
        (lambda: slowdown.piecewise_transfer_time([], (-1, 1), (1, 1), 9), "alpha below"),
        (lambda: slowdown.piecewise_transfer_time([], (1, 1), (1, 0), 9), "beta above"),
        (lambda: slowdown.piecewise_transfer_time([], (1, 1), (1, 1), 0), "threshold"),
        (lambda: slowdown.delay_column(0), "message_words"),
        (lambda: slowdown.communication_slowdown([0.5], [], [1], [1]), "one length"),
        (lambda: slowdown.communication_slowdown([0.6], [0.5], [1], [1]), "exceed 1"),
        (lambda: slowdown.communication_slowdown([0.5], [0.5], [], [1]), "delay_comp is too short"),
        (lambda: slowdown.communication_slowdown([0.5], [0.5], [1], [-1]), "delay_comm"),
        (lambda: slowdown.computation_slowdown([0.5], [0.5], {1: [1]}, 600), "column 500"),
        (lambda: slowdown.resource_slowdown([([0.5], [])]), "too short"),
        (lambda: slowdown.resource_slowdown([([1.5], None)]), "share"),
        (lambda: slowdown.finish_time(-1, [(0, 2)]), "work"),
        (lambda: slowdown.finish_time(1, [(0, 0.5)]), "slowdown"),
        (lambda: slowdown.finish_time(1, [(0, 2), (5, 3), (4, 1)]), "out of order"),
        (lambda: slowdown.finish_time(1, [(5, 2)]), "no segment"),
        (lambda: slowdown.finish_time(1, []), "no segment"),
        (lambda: slowdown.migration_gain(1, 0.5, 1, 1, 0), "slowdown_here"),
        (lambda: slowdown.offload_pays(1, 1, float("nan"), 0), "c_out"),
    ],
)
def test_what_is_outside_the_domain_is_refused_by_name(call, message):
    with pytest.raises(InputError, match=message):
        call()

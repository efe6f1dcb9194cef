"""Contention of channels: the closed model's root, its limits, and what is refused."""

import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

from advisor.models.network_contention import (
    channel_occupancy,
    channel_utilisation,
    contention_closed,
    contention_open,
    inflation_bound,
    mean_distance,
    span_distance,
    switch_delay,
)
from machines import InputError, Mesh

intervals = st.floats(0, 1e5)
occupancies = st.floats(0.1, 1e4)
hops = st.floats(1, 8)
dimensions = st.integers(1, 4)
terms = st.floats(0.25, 4)


@given(intervals, occupancies, hops, dimensions, terms)
def test_the_closed_model_is_the_open_one_at_its_own_rate(T, occ, k_d, n, count):
    added = contention_closed(T, occ, k_d, n, count)
    rate = 1 / (T + count * added)
    assert added >= 0
    if channel_utilisation(rate, occ, k_d) < 0.999:
        assert contention_open(rate, occ, k_d, n) == pytest.approx(added, rel=1e-6, abs=1e-9 * occ)


@given(intervals, occupancies, hops, dimensions)
def test_no_interval_saturates_the_closed_model(T, occ, k_d, n):
    slowed = T + contention_closed(T, occ, k_d, n)
    assert slowed >= max(T, occ * k_d / 2) * (1 - 1e-12)


@given(intervals, occupancies, hops, dimensions, st.floats(0.01, 100))
def test_the_unit_of_time_does_not_matter(T, occ, k_d, n, unit):
    scaled = contention_closed(T * unit, occ * unit, k_d, n)
    assert scaled == pytest.approx(unit * contention_closed(T, occ, k_d, n), rel=1e-6, abs=1e-9)


@given(intervals, occupancies, hops, dimensions, st.floats(1, 3))
def test_contention_rises_with_occupancy_and_distance_and_falls_with_the_interval(
    T, occ, k_d, n, more
):
    slack = 1 + 1e-9
    here = contention_closed(T, occ, k_d, n)
    assert contention_closed(T, occ * more, k_d, n) * slack >= here
    assert contention_closed(T, occ, k_d * more, n) * slack >= here
    assert contention_closed(T * more, occ, k_d, n) <= here * slack


def test_rare_messages_do_not_cancel():
    assert contention_closed(1e12, 1000, 2, 2) == pytest.approx(1.5e-6, rel=1e-9)


def test_at_the_degenerate_point_of_the_quadratic_the_root_is_there():
    assert 1500 + contention_closed(1500, 1000, 2, 2) == pytest.approx(2500)


def test_senders_that_do_nothing_else_have_a_largest_rate():
    assert contention_closed(0, 1, 2, 2) == pytest.approx(1.822876, abs=5e-7)
    assert channel_utilisation(1 / 1.822876, 1, 2) == pytest.approx(0.5486, abs=5e-5)


@pytest.mark.parametrize(("T", "expected"), [(0.3, 0.2), (3.0, 0.0)])
def test_messages_of_one_hop_per_dimension_only_share_the_channel_s_time(T, expected):
    assert contention_closed(T, 1, 1, 2) == pytest.approx(expected, abs=1e-12)


@given(hops, st.floats(0.01, 10), dimensions, st.floats(1, 1e4))
def test_the_bound_is_the_closed_model_at_back_to_back_messages(k_d, G, n, B):
    for occupancy in ("bytes", "physical"):
        T = 2 * G * B
        occ = channel_occupancy(B, G, occupancy)
        slowed = T + contention_closed(T, occ, k_d, n)
        assert inflation_bound(k_d, G, n, occupancy) == pytest.approx(slowed / T, rel=1e-9)


@given(st.integers(1, 40))
def test_a_span_across_the_whole_dimension_is_the_mean_distance(k):
    assert span_distance(k, k) == mean_distance(k)
    assert mean_distance(k) == pytest.approx(Mesh([k]).mean_distance())


@given(st.integers(1, 15), st.integers(0, 15))
def test_a_span_is_the_mean_over_all_sources_and_their_destinations(k, l):  # noqa: E741
    means = []
    for i in range(k):
        near = [abs(i - j) for j in range(k) if abs(i - j) <= l]
        means.append(sum(near) / len(near))
    assert span_distance(k, l) == pytest.approx(sum(means) / k)


def test_a_utilisation_may_be_asked_that_no_network_carries():
    assert channel_utilisation(1.0, 4.0, 2.0) == 4.0
    with pytest.raises(InputError, match=r"saturated.*got 4\.0.*< 1"):
        switch_delay(1.0, 4.0, 2.0, 2)


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (lambda: contention_closed(1, 1, 0.9375, 2), "k_d.*0.9375.*does not apply"),
        (lambda: contention_closed(1, 1, math.nan, 2), "k_d"),
        (lambda: contention_closed(1, 1, 2, 1.5), "n must be a whole number"),
        (lambda: contention_closed(1, 1, 2, 2, 0), "terms"),
        (lambda: contention_closed(1, 0, 2, 2), "occ"),
        (lambda: channel_occupancy(0.5, 1), "B is out of range"),
        (lambda: channel_occupancy(2, 1, "words"), "unknown occupancy.*bytes or physical"),
        (lambda: span_distance(4, 1.5), "l must be a whole number"),
    ],
)
def test_what_lies_outside_the_domain_is_named_with_its_value(call, message):
    with pytest.raises(InputError, match=message):
        call()


def test_whole_numbers_may_be_written_as_floats():
    assert contention_closed(1, 1, 2, 2.0) == contention_closed(1, 1, 2, 2)

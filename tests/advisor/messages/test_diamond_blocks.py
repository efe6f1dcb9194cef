"""A Diamond DAG on a machine: its closed form with any load, and the search for its blocks."""

from __future__ import annotations

from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from advisor.messages.diamond_blocks import (
    AS_PRINTED,
    READINGS,
    Diamond,
    divisors,
    least,
    stripes_load,
    thinned,
)
from advisor.messages.network_load import PUBLISHED, ROUTE_AWARE
from advisor.models.logpc import diamond_best_blocks, diamond_contention
from machines import InputError
from machines.catalogue import interconnect
from machines.traffic import routes_of

ALEWIFE = interconnect("alewife")
ROUTES = routes_of(ALEWIFE.network)
PAPER = Diamond(
    ALEWIFE, 1024, 32, 100.0, bytes_per_value=2000.0, receiving=AS_PRINTED
)  # 32 000 bytes at b = 64


@pytest.mark.parametrize("size", [16_000, 32_000, 320_000])
@pytest.mark.parametrize("occupancy", ["physical", "bytes"])
def test_the_papers_random_mappings_come_out(size: int, occupancy: str) -> None:
    diamond = replace(PAPER, bytes_per_value=size / 16)
    load = stripes_load(ALEWIFE, ROUTES, 32, "random", 5, PUBLISHED, occupancy)
    C_n, makespan = diamond_contention(
        1024, 32, 64, 100.0, ALEWIFE.long, size, 2.0, occupancy=occupancy
    )
    assert diamond.contention(64, load) == pytest.approx(C_n)
    assert diamond.makespan(64, load) == pytest.approx(makespan)


def test_a_random_mapping_at_320_000_bytes_costs_half_as_much_again() -> None:
    diamond = replace(PAPER, bytes_per_value=20_000.0)
    load = stripes_load(ALEWIFE, ROUTES, 32, "random", 0, PUBLISHED)
    assert diamond.makespan(64, load) / diamond.makespan(64) == pytest.approx(1.5, abs=1e-3)


def test_adjacent_stripes_do_not_meet() -> None:
    for order in ("row-major", "snake"):
        load = stripes_load(ALEWIFE, ROUTES, 32, order, 0, ROUTE_AWARE)
        assert PAPER.makespan(64, load) == pytest.approx(PAPER.makespan(64))
    scattered = stripes_load(ALEWIFE, ROUTES, 32, "random", 0, ROUTE_AWARE)
    assert scattered.channel >= 2
    assert PAPER.makespan(64, scattered) > PAPER.makespan(64)


@given(
    st.integers(2, 3000),
    st.integers(2, 64),
    st.floats(0.1, 100),
    st.floats(1, 64),
    st.floats(0, 50),
    st.sampled_from(READINGS),
)
def test_the_search_and_the_closed_form_find_one_optimum(
    n: int, P: int, task: float, value: float, alpha: float, receiving: str
) -> None:
    diamond = Diamond(ALEWIFE, n, P, task, value, alpha, receiving)
    if n * value < 1 + ALEWIFE.long.a:
        with pytest.raises(InputError, match="1 \\+ a"):
            diamond.most()
        return
    b, complete = least(diamond.makespan, diamond.most())
    best, makespan = diamond_best_blocks(
        n, P, task, ALEWIFE.long, value, alpha, receive_overhead=receiving != AS_PRINTED
    )
    assert complete
    assert diamond.makespan(b) == pytest.approx(makespan, rel=1e-12)
    assert diamond.makespan(best) == pytest.approx(makespan, rel=1e-12)


def test_the_networks_own_reading_charges_o_r_and_the_printed_one_does_not() -> None:
    own, printed = (replace(PAPER, receiving=reading) for reading in READINGS)
    assert own.steps(64).receiving - printed.steps(64).receiving == ALEWIFE.long.o_r == 129.0
    assert Diamond(ALEWIFE, 1024, 32, 1.0).charges_receiver
    with pytest.raises(InputError, match="network, printed"):
        replace(PAPER, receiving="own")


@given(st.integers(1, 10**6), st.floats(0.0, 1.0))
def test_a_long_range_is_searched_by_refining(most: int, place: float) -> None:
    target = 1 + round(place * (most - 1))
    tried = []

    def value(b: int) -> float:
        tried.append(b)
        return (b - target) ** 2

    assert least(value, most) == (target, True)
    assert len(tried) <= 4000


def test_a_stopped_search_hands_over_what_it_has() -> None:
    asked = iter([False] * 10 + [True])
    assert least(lambda b: -b, 1000, lambda: next(asked)) == (10, False)


@given(st.integers(1, 5000))
def test_divisors_divide(n: int) -> None:
    assert divisors(n) == tuple(b for b in range(1, n + 1) if n % b == 0)


@given(st.integers(1, 10**6))
def test_a_thinned_range_keeps_its_ends(most: int) -> None:
    points = thinned(most)
    assert (points[0], points[-1]) == (1, most)
    assert len(points) <= 401
    assert points == sorted(set(points))

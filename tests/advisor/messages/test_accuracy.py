"""From which difference on two styles differ, which is then used, and why."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from advisor.messages.accuracy import (
    FIXED_PATTERN_ERROR,
    MEASURED_ERROR,
    PUBLISHED_ERROR,
    ROUTE_AWARE_ERROR,
    advice,
    alike,
    differences,
    model_error,
)
from advisor.messages.network_load import PUBLISHED, ROUTE_AWARE, NetworkLoad
from advisor.messages.styles import PARTS, STYLES, StyleCost

FIRST, SECOND, THIRD = STYLES[5], STYLES[4], STYLES[1]
TIMES = st.floats(0.0, 1e6)
COSTS = st.builds(StyleCost, st.sampled_from(STYLES), st.just(1), *[TIMES] * len(PARTS))


def costing(place: int, overhead: float, network: float) -> StyleCost:
    return StyleCost(STYLES[place], 1, overhead=overhead, network=network)


def test_a_difference_below_the_models_error_is_none() -> None:
    assert alike(costing(5, 500, 500), costing(4, 500, 550), 0.06)
    assert not alike(costing(5, 500, 500), costing(4, 500, 600), 0.06)


def test_a_difference_of_measured_overheads_is_one_however_small() -> None:
    assert not alike(costing(3, 1000, 0), costing(4, 1001, 0), 0.06)
    # 1 of contention can't account for 15 of overheads
    assert not alike(costing(5, 154, 0), costing(4, 168, 1), 0.12)
    assert alike(costing(3, 1000, 0), costing(4, 1000, 0), 0.06)


def test_of_styles_that_are_alike_the_one_is_used_that_leaves_least_in_flight() -> None:
    costs = {FIRST: costing(5, 0, 1000), SECOND: costing(4, 0, 1040), THIRD: costing(1, 0, 1200)}
    found = advice(costs, 0.06)
    assert (found.use, found.alike, found.against) == (SECOND, (FIRST, SECOND), FIRST)
    assert not found.clear
    clear = advice(costs, 0.01)
    assert (clear.use, clear.alike, clear.against) == (FIRST, (FIRST,), SECOND)
    assert clear.clear


@given(COSTS, COSTS)
def test_the_parts_sum_to_the_gain(use: StyleCost, against: StyleCost) -> None:
    gain = against.time - use.time
    scale = max(use.time, against.time)
    assert sum(differences(use, against).values()) == pytest.approx(gain, abs=1e-8 * scale)


def test_each_model_has_its_own_error() -> None:
    load = NetworkLoad(2.0, 2, 1.0, 1.0, ROUTE_AWARE)
    assert model_error(load, fixed=False) == ROUTE_AWARE_ERROR
    assert model_error(load, fixed=True) == FIXED_PATTERN_ERROR
    published = NetworkLoad(2.0, 2, 1.0, 1.0, PUBLISHED)
    assert model_error(published, fixed=True) == PUBLISHED_ERROR
    measured = NetworkLoad(2.0, 2, 1.0, 1.0, PUBLISHED, given=23.0)
    assert model_error(measured, fixed=False) == MEASURED_ERROR

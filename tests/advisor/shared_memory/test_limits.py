"""Limits of plausible technology: stated by somebody, and kept by the search for changes."""

from __future__ import annotations

import pytest

from advisor.models.dvsm import FAST_ETHERNET, FUTURE, TODAY, application_time
from advisor.shared_memory.application_file import shipped_application
from advisor.shared_memory.network_file import dvsm_network, dvsm_network_names
from advisor.shared_memory.technology_changes import (
    PARAMETERS,
    TABLE_7,
    Reach,
    cheapest_change,
    plausible_limits,
)

VALUES = {name: limit.value for name, limit in plausible_limits().items()}


def reach(name: str, target: float, limits: dict[str, float] | None) -> Reach:
    counts = shipped_application(name).counted("fast-ethernet")
    return cheapest_change(
        lambda technology: application_time(FAST_ETHERNET, counts, technology),
        FAST_ETHERNET,
        TODAY,
        target,
        limits=limits,
    )


def test_every_parameter_has_a_limit_that_somebody_states() -> None:
    assert set(VALUES) == {one.name for one in PARAMETERS}
    named = {TABLE_7} | {dvsm_network(name).network.name for name in dvsm_network_names()}
    for name, limit in plausible_limits().items():
        assert limit.value > 0.0
        assert limit.source in named or name == "system_benefit"


def test_factors_end_with_table_7_and_the_wire_with_the_fastest_network_that_ships() -> None:
    assert (VALUES["protocol"], VALUES["fault"], VALUES["lock"]) == (0.2, 0.5, 0.5)
    assert VALUES["interface_latency"] == FUTURE.interface_latency == 0.5
    wire = plausible_limits()["wire_per_byte"]
    assert wire.value == pytest.approx(8.9e-5)
    assert wire.source == dvsm_network("infiniband-edr").network.name
    # no switch at all is no limit of a switch
    assert plausible_limits()["switch_latency"].value == 0.2


@pytest.mark.parametrize(("name", "target"), [("water", 0.57), ("raytrace", 0.75), ("is", 0.7)])
def test_a_plausible_change_keeps_every_limit(name: str, target: float) -> None:
    found = reach(name, target, VALUES)
    assert found.change is not None
    assert found.change.efficiency >= target * (1 - 1e-9)
    for one in PARAMETERS:
        after = one.value(FAST_ETHERNET, found.change.technology)
        before = one.value(FAST_ETHERNET, TODAY)
        assert after >= min(before, VALUES[one.name]) * (1 - 1e-12)


def test_what_only_impossible_technology_reaches_is_not_reached() -> None:
    free, kept = reach("water", 0.7, None), reach("water", 0.7, VALUES)
    assert free.change is not None and free.change.share == pytest.approx(0.91, abs=0.005)
    assert kept.change is None and kept.complete
    assert kept.best == pytest.approx(0.60, abs=0.005)


def test_nothing_to_change_is_no_error() -> None:
    counts = shipped_application("sor").counted("fast-ethernet")
    flat = application_time(FAST_ETHERNET, counts)
    found = cheapest_change(lambda _: flat, FAST_ETHERNET, TODAY, 0.99)
    assert (found.change, found.best, found.complete) == (None, flat.efficiency, True)

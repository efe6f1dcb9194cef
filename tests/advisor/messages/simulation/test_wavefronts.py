"""Simulated wavefronts: the closed form without shared channels, as measured with them."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

import numpy as np
import pytest

from advisor import kernels
from advisor.messages.diamond_blocks import AS_PRINTED, Diamond, least
from advisor.messages.networks import placed
from advisor.messages.simulation.wavefronts import simulate_wavefront
from machines.catalogue import interconnect
from machines.errors import PlacewiseError
from machines.traffic import routes_of

ALEWIFE = interconnect("alewife")
ROUTES = routes_of(ALEWIFE.network)


@pytest.fixture(scope="module", autouse=True)
def compiled() -> Iterator[None]:
    """Compiled kernels here, and afterwards as before."""
    before = kernels.loaded()
    kernels.load()
    yield
    if not before:
        kernels.unload()


def longer(diamond: Diamond, b: int, order: str, seed: int = 0) -> float:
    """Simulated makespan over that of the closed form without contention."""
    mapping = placed(ALEWIFE.network, order, diamond.P, seed)
    found = simulate_wavefront(diamond, b, ROUTES, mapping)
    assert found is not None
    assert len(found.waits) == (diamond.P - 1) * b
    return found.makespan / diamond.makespan(b)


@pytest.mark.parametrize("P", [3, 7, 32])
@pytest.mark.parametrize("b", [1, 2, 5, 64])
def test_without_shared_channels_the_closed_form_is_exact_but_for_o_s_on_the_way(
    P: int, b: int
) -> None:
    diamond = Diamond(ALEWIFE, 1024, P, 1.0)
    missing = (P - 1) * ALEWIFE.long.o_s / diamond.makespan(b)
    assert longer(diamond, b, "snake") == pytest.approx(1.0 + missing, rel=1e-12)


@pytest.mark.parametrize("b", [1, 64, 238])
def test_a_receiver_pays_the_networks_o_r_whatever_the_reading(b: int) -> None:
    own = Diamond(ALEWIFE, 1024, 32, 1.0)
    printed = replace(own, receiving=AS_PRINTED)
    missing = (32 - 1) * ALEWIFE.long.o_s + (32 + b - 2) * ALEWIFE.long.o_r
    simulated = longer(printed, b, "snake") * printed.makespan(b)
    assert simulated == pytest.approx(longer(own, b, "snake") * own.makespan(b), rel=1e-12)
    assert simulated == pytest.approx(printed.makespan(b) + missing, rel=1e-12)


def test_the_networks_own_reading_finds_what_the_simulation_finds_best() -> None:
    own = Diamond(ALEWIFE, 1024, 32, 1.0)
    printed = replace(own, receiving=AS_PRINTED)
    best, misled = (least(one.makespan, one.most())[0] for one in (own, printed))
    assert (best, misled) == (87, 238)
    times = {
        b: longer(own, b, "snake") * own.makespan(b)
        for b in (60, 75, 84, 86, 87, 88, 90, 105, 120, 238)
    }
    assert times[best] <= 1.001 * min(times.values())
    assert times[misled] == pytest.approx(1.20 * times[best], rel=0.01)


def test_the_closed_form_is_an_upper_bound_for_two() -> None:
    assert 0.5 < longer(Diamond(ALEWIFE, 1024, 2, 1.0), 16, "snake") <= 1.0


# Moritz & Frank 2001, sec. 5.2.2: flit-level simulation had 3.8 % and 54.8 % (± 20 by mapping)
@pytest.mark.parametrize(
    ("message_bytes", "measured", "spread"), [(32_000, 1.038, 0.04), (320_000, 1.548, 0.12)]
)
def test_random_mappings_slow_the_published_case_as_measured(
    message_bytes: int, measured: float, spread: float
) -> None:
    diamond = Diamond(ALEWIFE, 1024, 32, 100.0, message_bytes * 64 / 1024)
    assert diamond.message(64) == message_bytes
    found = [longer(diamond, 64, "random", seed) for seed in range(8)]
    assert np.mean(found) == pytest.approx(measured, abs=spread)


def test_no_message_waits_less_than_nothing() -> None:
    diamond = Diamond(ALEWIFE, 1024, 32, 1.0, 1000.0)
    found = simulate_wavefront(diamond, 10, ROUTES, placed(ALEWIFE.network, "random", 32, 1))
    assert found is not None
    assert found.waits.min() >= -1e-6 * found.makespan
    assert found.waits.max() > 0.0


def test_too_many_messages_are_refused_and_it_can_be_stopped() -> None:
    mapping = placed(ALEWIFE.network, "snake", 32)
    diamond = Diamond(ALEWIFE, 100_000, 32, 1.0)
    with pytest.raises(PlacewiseError, match="choose fewer blocks"):
        simulate_wavefront(diamond, 10_000, ROUTES, mapping)
    assert simulate_wavefront(diamond, 100, ROUTES, mapping, lambda: True) is None

"""The simulation of wormhole messages: published measurements, theory, stopping, no standstill."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from advisor import kernels
from advisor.messages.patterns import all_to_all, hotspot, permutation
from advisor.messages.simulation.simulated_traffic import Simulated, simulate
from machines.errors import InputError, PlacewiseError
from machines.network import Crossbar, Hypercube, Mesh
from machines.traffic import channel_loads, routes_of

ALEWIFE = routes_of(Mesh((8, 4)))
UNIFORM = all_to_all(32)


@pytest.fixture(scope="module", autouse=True)
def compiled() -> Iterator[None]:
    """Compiled kernels here, and afterwards as before."""
    before = kernels.loaded()
    kernels.load()
    yield
    if not before:
        kernels.unload()


def to_the_next(nodes: int) -> np.ndarray:
    """Every node but the last sends to the next."""
    return np.eye(nodes, k=1)


@pytest.mark.parametrize(
    ("T", "measured"),
    [(1, 3.42), (1.5, 3.43), (2, 3.49), (3, 3.87), (4, 4.49), (6, 6.23), (10, 10.11), (20, 20.06)],
)
def test_closed_intervals_are_those_of_a_flit_level_simulation(T: float, measured: float) -> None:
    assert simulate(ALEWIFE, UNIFORM, T, 1.0).T_c == pytest.approx(measured, rel=0.04)
    assert simulate(ALEWIFE, UNIFORM, T, 1.0, lead=None).T_c == pytest.approx(measured, rel=0.055)


@pytest.mark.parametrize(
    ("m", "measured"),
    [(0.02, 0.030), (0.05, 0.080), (0.10, 0.187), (0.15, 0.346), (0.20, 0.591), (0.25, 1.045)],
)
def test_open_waits_are_those_of_a_flit_level_simulation(m: float, measured: float) -> None:
    found = simulate(ALEWIFE, UNIFORM, 1 / m, 1.0, mode="open", messages=200_000)
    # three digits were printed
    assert found.C_n == pytest.approx(measured, rel=0.05, abs=0.003)


@pytest.mark.parametrize(("share", "measured"), [(0.1, 4.3), (0.2, 7.0), (0.5, 16.1)])
def test_hotspot_intervals_are_those_measured(share: float, measured: float) -> None:
    pattern = hotspot(32, share)
    pattern[0] = 0.0  # the hotspot itself is not slowed down by it
    free = simulate(ALEWIFE, pattern, 2.0, 1.0, lead=None)
    assert free.T_c == pytest.approx(measured, rel=0.02)


def test_messages_that_share_nothing_never_wait() -> None:
    found = simulate(Mesh((16,)), to_the_next(16), 1.5, 1.0, messages=5000)
    assert found.T_c == pytest.approx(1.5, rel=1e-9)
    assert found.C_n == pytest.approx(0.0, abs=1e-9)
    assert found.half_width < 1e-9
    assert found.utilisation.max() == pytest.approx(1 / 1.5, rel=1e-2)


def test_senders_to_one_receiver_take_turns() -> None:
    to_zero = np.zeros((9, 9))
    to_zero[1:, 0] = 1.0
    found = simulate(Crossbar(9), to_zero, 3.0, 2.0, messages=5000)
    assert found.T_c == pytest.approx(16.0, rel=1e-3)
    assert found.receivers[0] == pytest.approx(1.0, rel=1e-3)
    assert np.isinf(found.node_T_c[0])


def test_poisson_messages_to_one_receiver_wait_as_in_the_m_d_1_queue() -> None:
    to_zero = np.zeros((200, 200))
    to_zero[1:, 0] = 1.0
    rho = 0.5
    found = simulate(Crossbar(200), to_zero, 199 / rho, 1.0, mode="open", messages=300_000)
    assert found.C_n == pytest.approx(rho / (2 * (1 - rho)), rel=0.04)


def test_channels_carry_the_loads_of_their_routes() -> None:
    found = simulate(ALEWIFE, UNIFORM, 6.0, 2.0, messages=100_000)
    expected = channel_loads(ALEWIFE, UNIFORM) * 2.0 / found.T_c
    assert np.abs(found.utilisation / expected - 1).max() < 0.08
    assert found.receivers == pytest.approx(np.full(32, 2.0 / found.T_c), rel=0.06)


def test_nodes_within_a_lead_send_equally_many_messages() -> None:
    pattern = hotspot(32, 0.3)
    together = simulate(ALEWIFE, pattern, 2.0, 1.0, messages=60_000)
    free = simulate(ALEWIFE, pattern, 2.0, 1.0, messages=60_000, lead=None)
    assert together.node_T_c == pytest.approx(np.full(32, together.T_c), rel=0.03)
    assert free.node_T_c.max() > 3 * free.node_T_c.min()
    assert together.T_c >= 1 + 30 * 0.3 - 2 * together.half_width


def test_times_scale_together() -> None:
    one = simulate(ALEWIFE, UNIFORM, 2.0, 1.0, messages=5000)
    other = simulate(ALEWIFE, UNIFORM, 2.0 * 256, 256.0, messages=5000)
    assert other.T_c == 256 * one.T_c
    assert other.half_width == pytest.approx(256 * one.half_width)


def test_a_seed_gives_one_result_compiled_or_plain() -> None:
    def figures(seed: int) -> tuple[float, ...]:
        found = simulate(Mesh((4, 4), wrap=True), all_to_all(16), 1.0, 1.0, messages=600, seed=seed)
        return found.T_c, found.half_width, float(found.utilisation.sum())

    compiled = figures(3)
    assert figures(3) == compiled
    assert figures(4) != compiled
    kernels.unload()
    try:
        assert figures(3) == compiled
    finally:
        kernels.load()


def test_the_interval_of_confidence_shrinks_with_the_messages_and_holds_the_truth() -> None:
    def measured(messages: int, seed: int = 0) -> Simulated:
        return simulate(ALEWIFE, UNIFORM, 4.0, 1.0, messages=messages, seed=seed, lead=None)

    truth = measured(1_000_000, seed=99).T_c
    few = [measured(10_000, seed=seed) for seed in range(10)]
    many = measured(160_000)
    assert sum(abs(one.T_c - truth) <= one.half_width for one in few) >= 7
    assert 0 < many.half_width < 0.6 * np.mean([one.half_width for one in few])


def test_a_stopped_simulation_says_what_it_has() -> None:
    seen: list[Simulated] = []
    found = simulate(
        ALEWIFE,
        UNIFORM,
        2.0,
        1.0,
        messages=50_000,
        on_progress=seen.append,
        should_stop=lambda: len(seen) >= 3,
    )
    assert not found.complete
    assert 0.2 < found.fraction < 0.5
    assert found.T_c == seen[-1].T_c
    assert found.T_c == pytest.approx(3.6, rel=0.1)
    assert [one.fraction for one in seen] == sorted(one.fraction for one in seen)
    assert found.messages < 20_000


def test_stopped_at_once_it_has_no_figures_and_does_not_invent_any() -> None:
    found = simulate(ALEWIFE, UNIFORM, 2.0, 1.0, should_stop=lambda: True)
    assert not found.complete
    assert np.isnan(found.T_c)
    assert found.messages == 0


def test_progress_ends_at_the_result() -> None:
    seen: list[Simulated] = []
    found = simulate(ALEWIFE, UNIFORM, 2.0, 1.0, messages=3000, on_progress=seen.append)
    assert found.complete
    assert seen[-1].complete
    assert seen[-1].T_c == found.T_c
    assert len(seen) == 19


@settings(deadline=None, max_examples=15)
@given(
    st.lists(st.integers(2, 6), min_size=1, max_size=3),
    st.booleans(),
    st.integers(0, 99),
    st.sampled_from([0.0, 1.0, 5.0]),
)
def test_meshes_and_tori_never_stand_still(
    dims: list[int], wrap: bool, seed: int, T: float
) -> None:
    mesh = Mesh(dims, wrap=wrap)
    pattern = all_to_all(mesh.size) if seed % 2 else permutation(mesh.size, seed)
    found = simulate(mesh, pattern, T, 1.0, messages=40 * mesh.size + 100, seed=seed)
    assert found.complete
    assert found.T_c >= max(T, 1.0) * (1 - 1e-9)
    # a message under way at either end counts whole
    assert found.utilisation.max() <= 1 + 2 * mesh.size / found.messages


def test_messages_on_two_lanes_share_the_bandwidth_of_a_channel() -> None:
    ring = Mesh((8,), wrap=True)
    shift = np.roll(np.eye(8), 3, axis=1)
    found = simulate(ring, shift, 0.0, 1.0, messages=20_000)
    # three of eight shifts by 3 cross each channel; both lanes together carry one at a time
    assert found.T_c >= 3.0 * (1 - 1e-3)
    assert found.utilisation.max() <= 1.0 + 1e-3


@dataclass(frozen=True)
class OneLaneRing:
    """A ring whose messages have no second lane to escape to."""

    ring: Mesh
    kind: str = "one-lane ring"

    def __getattr__(self, name: str) -> object:
        return getattr(self.ring, name)


def test_a_deadlock_is_reported_not_waited_for() -> None:
    with pytest.raises(PlacewiseError, match="one-lane ring: the messages deadlock"):
        simulate(OneLaneRing(Mesh((6,), wrap=True)), np.roll(np.eye(6), 3, axis=1), 0.0, 1.0)


def test_an_open_network_beyond_its_capacity_sends_as_fast_as_it_can() -> None:
    found = simulate(ALEWIFE, UNIFORM, 2.0, 1.0, mode="open", messages=50_000)
    assert found.T_c > 3.0


def test_a_hypercube_is_simulated_like_a_mesh() -> None:
    found = simulate(Hypercube(4), all_to_all(16), 4.0, 1.0, messages=20_000)
    assert 4.0 < found.T_c < 4.3


@pytest.mark.parametrize(
    ("wrong", "what"),
    [
        ({"occ": 0.0}, "occ"),
        ({"T": -1.0}, "T is out of range"),
        ({"T": 0.0, "mode": "open"}, "T is out of range"),
        ({"mode": "ajar"}, "unknown mode"),
        ({"variability": "some"}, "unknown variability"),
        ({"messages": 99}, "messages"),
        ({"lead": 0}, "lead"),
        ({"seed": -1}, "seed"),
        ({"probabilities": np.eye(32)}, "itself"),
    ],
)
def test_arguments_out_of_range_are_refused(wrong: dict[str, object], what: str) -> None:
    arguments: dict[str, object] = {"probabilities": UNIFORM, "T": 2.0, "occ": 1.0, **wrong}
    with pytest.raises(InputError, match=what):
        simulate(ALEWIFE, **arguments)  # type: ignore[arg-type]

"""The route-aware estimate: near the simulation, above bounds, exact where nothing is shared."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from advisor import kernels
from advisor.messages.patterns import all_to_all, hotspot, permutation
from advisor.messages.simulation.simulated_traffic import simulate
from advisor.models.logpc import contention_closed
from advisor.models.wormhole import Demand, demand_of, doubts, estimate, estimate_open
from machines.errors import InputError
from machines.network import Crossbar, Hypercube, Mesh, Network
from machines.traffic import channel_loads, routes_of

ALEWIFE = routes_of(Mesh((8, 4)))
UNIFORM = demand_of(ALEWIFE, all_to_all(32))
DEMANDS = (
    UNIFORM,
    demand_of(ALEWIFE, hotspot(32, 0.2, 12)),
    demand_of(ALEWIFE, permutation(32, 1)),
    demand_of(routes_of(Mesh((4, 4), wrap=True)), all_to_all(16)),
    demand_of(routes_of(Hypercube(4)), all_to_all(16)),
)

demands = st.sampled_from(DEMANDS)
intervals = st.floats(0, 50)


@pytest.fixture(scope="module", autouse=True)
def compiled() -> Iterator[None]:
    """Compiled kernels here, and afterwards as before."""
    before = kernels.loaded()
    kernels.load()
    yield
    if not before:
        kernels.unload()


@pytest.mark.parametrize("T", [1, 1.5, 2, 3, 4, 6, 10, 20])
def test_uniform_traffic_is_within_5_percent_of_the_simulation(T: float) -> None:
    simulated = simulate(ALEWIFE, all_to_all(32), T, 1.0)
    assert estimate(UNIFORM, T, 1.0).T_c == pytest.approx(simulated.T_c, rel=0.05)


@pytest.mark.parametrize("T", [1, 2, 4, 8, 20])
@pytest.mark.parametrize("node", [0, 12])
@pytest.mark.parametrize("share", [0.05, 0.1, 0.2, 0.3, 0.5])
def test_hotspots_are_within_8_percent_of_the_simulation(share: float, node: int, T: float) -> None:
    pattern = hotspot(32, share, node)
    simulated = simulate(ALEWIFE, pattern, T, 1.0, messages=60_000)
    found = estimate(demand_of(ALEWIFE, pattern), T, 1.0)
    assert found.T_c == pytest.approx(simulated.T_c, rel=0.08)


def test_the_published_model_is_off_by_a_third_and_by_5_times_there() -> None:
    simulated = simulate(ALEWIFE, all_to_all(32), 1.0, 1.0).T_c
    hot = simulate(ALEWIFE, hotspot(32, 0.5), 2.0, 1.0).T_c
    assert 1 - (1 + contention_closed(1.0, 1.0, 2.0, 2)) / simulated > 0.3
    assert hot / (2 + contention_closed(2.0, 1.0, 2.0, 2)) > 5


@pytest.mark.parametrize(
    "network",
    [
        Mesh((4, 4)),
        Mesh((8, 8)),
        Mesh((16, 1)),
        Hypercube(5),
        Crossbar(16),
        Mesh((8,), wrap=True),
        Mesh((8, 4), wrap=True),
        Mesh((4, 4, 4), wrap=True),
    ],
    ids=str,
)
def test_other_networks_are_within_10_percent_of_the_simulation(network: Network) -> None:
    routes, pattern = routes_of(network), all_to_all(network.size)
    demand = demand_of(routes, pattern)
    for T in (1, 2, 4, 8):
        simulated = simulate(routes, pattern, T, 1.0, messages=60_000)
        assert estimate(demand, T, 1.0).T_c == pytest.approx(simulated.T_c, rel=0.1)


@pytest.mark.parametrize("seed", range(4))
def test_permutations_are_within_30_percent_at_irregular_intervals(seed: int) -> None:
    # at regular ones messages of fixed partners fall into step, which no mean value knows
    pattern = permutation(32, seed)
    demand = demand_of(ALEWIFE, pattern)
    for T in (1, 2, 4, 8):
        simulated = simulate(ALEWIFE, pattern, T, 1.0, messages=30_000, variability="exponential")
        assert -0.12 < estimate(demand, T, 1.0).T_c / simulated.T_c - 1 < 0.3


def test_open_waits_are_nearer_than_the_published_ones() -> None:
    for m, limit in ((0.02, 0.08), (0.05, 0.08), (0.1, 0.12), (0.15, 0.2), (0.2, 0.27)):
        simulated = simulate(ALEWIFE, all_to_all(32), 1 / m, 1.0, mode="open", messages=200_000)
        found = estimate_open(UNIFORM, 1 / m, 1.0)
        assert -limit < found.C_n / simulated.C_n - 1 < 0.05


@settings(deadline=None)
@given(demands, intervals, st.floats(0.1, 10), st.floats(0.5, 3))
def test_the_interval_is_above_its_bounds(
    demand: Demand, T: float, occ: float, terms: float
) -> None:
    found = estimate(demand, T, occ, terms)
    assert found.T_c >= max(T, occ, occ * demand.bound) * (1 - 1e-9)
    assert found.T_c == pytest.approx(max(T, occ) + terms * found.C_n)
    assert found.C_n >= 0
    assert found.held.max() <= 1 + 1e-6
    assert (found.held >= found.utilisation / 2 - 1e-9).all()
    if not found.saturated:
        assert found.C_n == pytest.approx(found.node_waits.max(), rel=1e-5)


@settings(deadline=None)
@given(demands, intervals, st.floats(0, 50))
def test_it_rises_with_the_interval_and_contention_falls(
    demand: Demand, T: float, more: float
) -> None:
    one, other = estimate(demand, T, 1.0), estimate(demand, T + more, 1.0)
    assert other.T_c >= one.T_c * (1 - 1e-7)
    if T >= 1:
        assert other.C_n <= one.C_n * (1 + 1e-7)


@settings(deadline=None)
@given(demands, intervals, st.floats(1, 10))
def test_longer_messages_never_help(demand: Demand, T: float, factor: float) -> None:
    assert estimate(demand, T, factor).T_c >= estimate(demand, T, 1.0).T_c * (1 - 1e-7)


@settings(deadline=None)
@given(demands, intervals, st.floats(1e-3, 1e3))
def test_all_times_scale_together(demand: Demand, T: float, scale: float) -> None:
    one, other = estimate(demand, T, 1.0), estimate(demand, T * scale, scale)
    assert other.T_c == pytest.approx(scale * one.T_c, rel=1e-7)
    assert other.held == pytest.approx(one.held, rel=1e-6)


@pytest.mark.parametrize("T", [0.0, 0.3, 1.0, 1.7, 1e9])
def test_routes_that_share_nothing_have_no_contention(T: float) -> None:
    to_the_next = demand_of(routes_of(Mesh((16,))), np.eye(16, k=1))
    found = estimate(to_the_next, T, 0.9)
    assert found.T_c == max(T, 0.9)
    assert found.C_n == 0.0
    assert not found.node_waits.any()


def test_contention_is_precise_beside_an_interval_of_any_length() -> None:
    near, far = estimate(UNIFORM, 1e6, 1.0), estimate(UNIFORM, 1e12, 1.0)
    assert far.C_n == pytest.approx(1e-6 * near.C_n, rel=1e-4)


def test_senders_to_one_receiver_take_turns() -> None:
    to_zero = np.zeros((9, 9))
    to_zero[1:, 0] = 1.0
    found = estimate(demand_of(routes_of(Crossbar(9)), to_zero), 3.0, 2.0)
    assert found.T_c == pytest.approx(16.0)
    assert found.busiest == (0, 0)
    assert found.saturated
    assert found.receivers[0] == pytest.approx(1.0)


@given(st.integers(3, 12), st.floats(0, 1))
def test_a_hotspot_is_bound_by_its_receiver(nodes: int, share: float) -> None:
    demand = demand_of(routes_of(Crossbar(nodes)), hotspot(nodes, share))
    assert demand.bound == pytest.approx(1 + (nodes - 2) * share)


def test_the_busiest_channel_and_the_utilisations_are_those_of_the_loads() -> None:
    found = estimate(UNIFORM, 2.0, 1.0)
    loads = channel_loads(ALEWIFE, all_to_all(32))
    assert found.utilisation == pytest.approx(loads / found.T_c)
    assert UNIFORM.bound == pytest.approx(loads.max())
    assert found.busiest in ALEWIFE.network.channels
    assert found.held.max() == found.held[ALEWIFE.network.channels.index(found.busiest)]


def test_silent_nodes_do_not_wait() -> None:
    pattern = hotspot(32, 0.3)
    pattern[0] = 0.0
    found = estimate(demand_of(ALEWIFE, pattern), 2.0, 1.0)
    assert found.node_waits[0] == 0.0
    assert found.node_waits[1:].min() > 0.0


def test_an_open_network_beyond_its_capacity_is_refused_with_what_it_can_do() -> None:
    with pytest.raises(InputError, match=r"saturates .* reach 3\.3"):
        estimate_open(UNIFORM, 3.0, 1.0)
    assert estimate_open(UNIFORM, 3.4, 1.0).C_n > estimate_open(UNIFORM, 4.0, 1.0).C_n > 0
    with pytest.raises(InputError, match="saturates"):
        estimate_open(UNIFORM, 0.5, 1.0)


@pytest.mark.parametrize(
    "wrong", [{"T": -1.0}, {"occ": 0.0}, {"terms": 0.0}, {"T": float("nan")}, {"occ": np.inf}]
)
def test_arguments_out_of_range_are_refused(wrong: dict[str, float]) -> None:
    with pytest.raises(InputError, match=f"{next(iter(wrong))} is out of range"):
        estimate(UNIFORM, **{"T": 1.0, "occ": 1.0, **wrong})


def test_doubts_name_what_the_published_model_does_not_know() -> None:
    assert doubts(4.0, 1.0, k_d=2.0, T_c=4.6, guard=3.0, cycle=0.01) == ()
    assert "below 3" in doubts(2.0, 1.0, cycle=0.01)[0]
    assert "4 hops per dimension" in doubts(4.0, 1.0, k_d=4.0, cycle=0.01)[0]
    assert "5 cycles" in doubts(40.0, 5.0)[0]
    assert "5.67 times" in doubts(40.0, 10.0, T_c=2.82, guard=16.0)[0]
    assert len(doubts(1.0, 1.0, k_d=4.0, T_c=1.0, guard=16.0)) == 4

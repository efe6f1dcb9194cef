"""Loads of patterns on networks, contention under either reading, and its caveats."""

from __future__ import annotations

import gc
import weakref
from collections.abc import Callable
from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from advisor.kernels import gathering_kernel as gathering
from advisor.kernels import transitions_kernel as turns
from advisor.messages.network_load import PUBLISHED, ROUTE_AWARE, network_load
from advisor.messages.networks import placed
from advisor.messages.patterns import all_to_all, hotspot
from advisor.messages.route_waits import RouteWaits
from advisor.models import wormhole
from advisor.models.logpc import contention_closed, contention_open
from advisor.models.wormhole import Demand, demand_of, estimate, node_waits
from machines import Crossbar, Dragonfly, FatTree, Hypercube, Mesh
from machines.stopping import Stopped, stoppable
from machines.traffic import routes_of

MESH = routes_of(Mesh((8, 4)))
EVEN = network_load(MESH, all_to_all(32), range(32), PUBLISHED)
AWARE = network_load(MESH, all_to_all(32), range(32), ROUTE_AWARE)
STRIPES = np.eye(32, k=1)


def test_an_even_remap_travels_two_hops_a_dimension() -> None:
    assert EVEN.k_d == pytest.approx(2.0)
    assert EVEN.dimensions == 2
    assert EVEN.channel == pytest.approx(2.0645, abs=1e-4)
    assert EVEN.receiver == pytest.approx(1.0)


def test_the_published_reading_is_the_papers_formula() -> None:
    assert EVEN.contention(1020.0, 1000.0) == pytest.approx(contention_closed(1020, 1000, 2, 2))
    assert EVEN.contention(9.0, 4.0, 2.0) == pytest.approx(contention_closed(9, 4, 2, 2, 2))
    assert EVEN.contention_at(137.0, 16.0) == pytest.approx(contention_open(1 / 137, 16, 2, 2))
    assert EVEN.occ(100, 0.5) == 50
    assert replace(EVEN, occupancy="bytes").occ(100, 0.5) == 100


@given(st.floats(0.1, 1e4), st.floats(0.1, 1e4), st.sampled_from([1.0, 2.0]))
def test_the_route_aware_reading_is_the_wormhole_estimate(
    T: float, occ: float, terms: float
) -> None:
    exact = estimate(DEMAND, T, occ, terms).T_c
    assert T + terms * AWARE.contention(T, occ, terms) == pytest.approx(exact, rel=1e-3)


DEMAND = demand_of(MESH, all_to_all(32))


@pytest.mark.parametrize("network", [FatTree((4, 4), taper=2), Dragonfly((2, 2, 4))])
def test_networks_of_switches_are_outside_the_published_model(network: FatTree | Dragonfly) -> None:
    routes, everyone = routes_of(network), range(network.size)
    published = network_load(routes, all_to_all(network.size), everyone, PUBLISHED)
    assert published.contention(1.0, 1.0) == published.contention_at(2.0, 1.0) == 0.0
    (caveat,) = published.caveats(1.0, 1.0, 1.0, "cycle")
    assert f"on a {network.kind} no contention is assumed" in caveat
    aware = network_load(routes, all_to_all(network.size), everyone, ROUTE_AWARE)
    assert aware.contention(1.0, 1.0) > 0.0
    assert aware.k_d == pytest.approx(network.mean_distance(distinct=True))


@pytest.mark.parametrize(
    "network",
    [Mesh((4, 4), wrap=True), Hypercube(3), Crossbar(6), FatTree((2, 3)), Dragonfly((2, 2, 2))],
)
def test_the_curve_of_waits_follows_the_estimate_on_any_network(network: object) -> None:
    routes = routes_of(network)  # type: ignore[arg-type]
    chances = hotspot(routes.network.size, 0.2)
    curve, demand = RouteWaits.of(routes, chances), demand_of(routes, chances)
    assert curve.bound == pytest.approx(demand.bound)
    for T in (0.0, 2.0, 6.0, 4e4):
        assert curve.closed(T, 2.0) == pytest.approx(estimate(demand, T, 1.0, 2.0).T_c, rel=1e-3)
    assert curve.wait(1e6) == pytest.approx(curve.wait(1e5) / 10, rel=1e-2)


def test_a_given_contention_takes_the_models_place() -> None:
    given_ = network_load(MESH, all_to_all(32), range(32), ROUTE_AWARE, given=23.0)
    assert given_.contention(1.0, 1.0) == given_.contention_at(1.0, 1.0) == 23.0
    assert given_.waits is None
    assert given_.caveats(0.0, 1.0, 1.0, "cycle") == ()


def test_neighbours_share_no_channel_and_the_published_model_says_that_it_ends() -> None:
    adjacent = placed(MESH.network, "snake", 32)
    published = network_load(MESH, STRIPES, adjacent, PUBLISHED)
    assert published.k_d == pytest.approx(0.5)
    assert not published.applies
    assert published.contention(1.0, 1.0) == published.contention_at(2.0, 1.0) == 0.0
    (caveat,) = published.caveats(1.0, 1.0, 1.0, "cycle")
    assert "not applicable" in caveat
    aware = network_load(MESH, STRIPES, adjacent, ROUTE_AWARE)
    assert aware.channel == 1.0
    assert aware.contention(1.0, 1.0) == pytest.approx(0.0, abs=1e-9)


@pytest.mark.parametrize(
    ("T", "occ", "changes", "word"),
    [
        (200.0, 100.0, {}, "optimistic"),
        (200.0, 100.0, {"occupancy": "bytes"}, "pessimistic"),
        (1e5, 100.0, {"k_d": 3.5}, "per dimension"),
        (1e5, 5.0, {}, "cycles"),
        (100.0, 100.0, {}, "saturated"),
        (1e3, 100.0, {"receiver": 40.0}, "hotspots"),
    ],
)
def test_outside_its_domain_the_published_model_warns(
    T: float, occ: float, changes: dict[str, float], word: str
) -> None:
    load = replace(EVEN, **changes)  # type: ignore[arg-type]
    assert any(word in text for text in load.caveats(T, T, occ, "cycle"))
    assert not any(word in text for text in EVEN.caveats(1e5, 1e5, 100.0, "cycle"))


def test_bytes_as_microseconds_are_called_wrong() -> None:
    load = replace(EVEN, occupancy="bytes")
    assert any("physical" in text for text in load.caveats(1e5, 1e5, 100.0, "µs"))


@pytest.mark.parametrize("network", [Mesh((8, 8)), Mesh((6, 6), wrap=True)])
@pytest.mark.parametrize("share", [0.0, 0.3])
@pytest.mark.parametrize("few", [0, 24])
def test_the_slowest_nodes_alone_give_the_waits_of_all(network, share, few, monkeypatch) -> None:
    monkeypatch.setattr("advisor.messages.route_waits._FEW", few)
    routes, chances = routes_of(network), hotspot(network.size, share, 5)
    every = RouteWaits.of(routes, chances)
    monkeypatch.setattr("advisor.messages.route_waits._WATCHED", 8)
    monkeypatch.setattr("advisor.messages.route_waits._SLOWEST", 6)
    some = RouteWaits.of(routes, chances)
    assert some.intervals[0] == pytest.approx(every.intervals[0], rel=1e-7)
    assert some.waits == pytest.approx(every.waits, rel=1e-3)


@pytest.mark.parametrize("network", [Mesh((20,), wrap=True), Mesh((7, 3))])
def test_no_node_waits_longer_than_the_curve_where_all_are_looked_at(network, monkeypatch) -> None:
    monkeypatch.setattr("advisor.messages.route_waits._WATCHED", 8)
    monkeypatch.setattr("advisor.messages.route_waits._FEW", 0)
    monkeypatch.setattr("advisor.messages.route_waits._DRAWN", 2)
    monkeypatch.setattr("advisor.messages.route_waits._LOOKED", 1)
    routes, chances = routes_of(network), hotspot(network.size, 0.2, 4)
    curve, demand = RouteWaits.of(routes, chances), demand_of(routes, chances)
    last = float(curve.intervals[-1])
    assert curve.waits[-1] == pytest.approx(node_waits(demand, last, 1.0).max(), rel=1e-9)
    assert estimate(demand, 0.0, 1.0).T_c == pytest.approx(curve.intervals[0], rel=1e-7)


def test_the_turns_of_a_thousand_nodes_take_a_hundredth_of_their_routes() -> None:
    routes = routes_of(Mesh((32, 32)))
    demand = demand_of(routes, all_to_all(1024))
    assert demand.shares is not None
    kept = sum(one.data.nbytes + one.indices.nbytes for one in demand.shares)
    followed = 12 * int(routes.hops.sum())  # a weight and a number for every hop
    assert kept < followed / 5


WIDE = routes_of(Mesh((9, 9), wrap=True))


def counted(most: float) -> tuple[list[int], Callable[[], bool]]:
    """How often it is asked, and whether to stop: from then on."""
    calls = [0]

    def should_stop() -> bool:
        calls[0] += 1
        return calls[0] >= most

    return calls, should_stop


@pytest.mark.parametrize("most", [1, 40, 90, 200, 400])
def test_pricing_is_over_as_soon_as_it_is_told_to_stop(most: int, monkeypatch) -> None:
    steps, solve, follow = [], wormhole._waits, turns.turns_from
    monkeypatch.setattr(wormhole, "_waits", lambda *one: steps.append(1) or solve(*one))
    monkeypatch.setattr(turns, "turns_from", lambda *one: steps.append(1) or follow(*one))
    calls, should_stop = counted(most)
    with pytest.raises(Stopped), stoppable(should_stop):
        network_load(WIDE, all_to_all(81), range(81), ROUTE_AWARE)
    assert calls[0] == most  # nothing goes on after the order
    assert len(steps) <= most  # every source and every level of a solution is asked for


@pytest.mark.parametrize("most", [1, 3, 4, 6, 90])
def test_much_traffic_of_many_nodes_is_stopped_as_soon(most: int, monkeypatch) -> None:
    monkeypatch.setattr("advisor.messages.route_waits._WATCHED", 8)
    steps: list[int] = []
    for name in ("loads_to", "met_to"):
        walk = getattr(gathering, name)
        monkeypatch.setattr(gathering, name, lambda *one, walk=walk: steps.append(1) or walk(*one))
    calls, should_stop = counted(most)
    with pytest.raises(Stopped), stoppable(should_stop):
        network_load(WIDE, all_to_all(81), range(81), ROUTE_AWARE)
    assert calls[0] == most
    assert len(steps) < most  # asked before each 64 targets
    assert steps or most < 4


def test_pricing_that_is_not_stopped_is_the_same() -> None:
    calls, should_stop = counted(float("inf"))
    with stoppable(should_stop):
        watched = network_load(WIDE, all_to_all(81), range(81), ROUTE_AWARE)
    alone = network_load(WIDE, all_to_all(81), range(81), ROUTE_AWARE)
    assert calls[0] > 400
    assert watched.waits is not None
    assert alone.waits is not None
    assert (watched.waits.waits == alone.waits.waits).all()


def test_nothing_of_hundreds_of_megabytes_is_left_when_the_price_is_known() -> None:
    routes, chances = routes_of(Mesh((5, 5))), all_to_all(25)
    before = wormhole.Demand.__init__
    made: list[weakref.ref[Demand]] = []

    def watched(self: Demand, *given: object, **named: object) -> None:
        before(self, *given, **named)  # type: ignore[arg-type]
        made.append(weakref.ref(self))

    gc.disable()  # as on threads of the window
    try:
        with pytest.MonkeyPatch.context() as patch:
            patch.setattr(wormhole.Demand, "__init__", watched)
            found = network_load(routes, chances, range(25), ROUTE_AWARE)
        assert found.waits is not None
        assert made
        assert not any(one() for one in made)
    finally:
        gc.enable()


def test_a_small_network_is_priced_at_once() -> None:
    with stoppable(lambda: True):
        assert network_load(MESH, all_to_all(32), range(32), ROUTE_AWARE).k_d == AWARE.k_d

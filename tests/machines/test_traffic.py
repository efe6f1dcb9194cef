"""Routes of all pairs in arrays, and the loads of channels, against single routes."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from machines import Crossbar, Dragonfly, Hypercube, InputError, Mesh
from machines.fat_tree import FatTree
from machines.traffic import busiest, channel_loads, routes_of

networks = (
    st.builds(Mesh, st.lists(st.integers(1, 4), min_size=1, max_size=3), wrap=st.booleans())
    | st.builds(Hypercube, st.integers(1, 4))
    | st.builds(Crossbar, st.integers(1, 6))
)
ALEWIFE = Mesh([8, 4])


@settings(max_examples=12, deadline=None)
@given(networks)
def test_the_table_holds_the_route_of_every_pair(network):
    routes, channels = routes_of(network), network.channels
    for i in range(network.size):
        for j in range(network.size):
            assert [channels[position] for position in routes.of(i, j)] == network.route(i, j)
            assert routes.hops[i, j] == network.distance(i, j)


@settings(max_examples=20, deadline=None)
@given(networks, st.integers(0, 2**32))
def test_every_hop_of_every_message_is_on_one_channel(network, seed):
    traffic = np.random.default_rng(seed).random((network.size, network.size))
    routes = routes_of(network)
    loads = channel_loads(routes, traffic)
    assert len(loads) == len(network.channels)
    assert loads.sum() == pytest.approx((traffic * routes.hops).sum())


@settings(max_examples=20, deadline=None)
@given(networks)
def test_channels_are_in_order_and_all_used_by_somebody(network):
    assert list(network.channels) == sorted(set(network.channels))
    pairs = np.indices((network.size, network.size)).reshape(2, -1)
    used = set(routes_of(network).taken(*pairs)[1].tolist())
    assert used == set(range(len(network.channels)))


@settings(max_examples=20, deadline=None)
@given(networks, st.integers(0, 2**32), st.integers(1, 9))
def test_routes_followed_in_parts_are_those_followed_at_once(network, seed, pairs):
    random, routes = np.random.default_rng(seed), routes_of(network)
    sources, targets = random.integers(0, network.size, (2, 20))
    amounts = random.random(20)
    whole = routes.taken(sources, targets)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("machines.ways._PAIRS", pairs)
        parts, loads = routes.taken(sources, targets), routes.loads(sources, targets, amounts)
    ways = [network.route(int(i), int(j)) for i, j in zip(sources, targets, strict=True)]
    assert whole[0].tolist() == [pair for pair, way in enumerate(ways) for _ in way]
    assert [network.channels[one] for one in whole[1]] == [one for way in ways for one in way]
    assert all(map(np.array_equal, parts, whole))
    count = len(network.channels)
    assert loads[0].tolist() == np.bincount(whole[1], amounts[whole[0]], count).tolist()
    assert loads[1].tolist() == np.bincount(whole[1], minlength=count).tolist()


def test_the_busiest_channel_of_uniform_traffic_is_in_the_middle_of_the_mesh():
    routes = routes_of(ALEWIFE)
    uniform = (1 - np.eye(32)) / 31
    channel, load = busiest(routes, channel_loads(routes, uniform))
    assert channel in {(3, 4), (4, 3)}
    assert load == pytest.approx(2.0645, abs=5e-5)
    assert channel_loads(routes, uniform).mean() == pytest.approx(1.2308, abs=5e-5)
    assert len(ALEWIFE.channels) == 104


def test_a_chain_in_a_row_major_mesh_shares_no_channel_one_way_but_does_both_ways():
    onward = np.diag(np.ones(31), 1)
    routes = routes_of(ALEWIFE)
    assert channel_loads(routes, onward).max() == 1.0
    assert channel_loads(routes, onward + onward.T).max() == 2.0


def test_without_traffic_no_channel_is_busiest():
    routes = routes_of(Mesh([3]))
    assert busiest(routes, channel_loads(routes, np.eye(3))) == (None, 0.0)
    alone = routes_of(Mesh([1]))
    assert busiest(alone, channel_loads(alone, [[5.0]])) == (None, 0.0)


@pytest.mark.parametrize(
    ("traffic", "message"),
    [
        (np.ones((3, 2)), "row and a column"),
        (np.ones(9), "row and a column"),
        (np.full((3, 3), np.nan), "finite"),
        (-np.ones((3, 3)), "traffic from 0 to 0: traffic must be finite and ≥ 0"),
        ([["a", 0, 0]] * 3, "matrix of numbers"),
    ],
)
def test_traffic_of_another_shape_or_sign_is_refused(traffic, message):
    with pytest.raises(InputError, match=message):
        channel_loads(routes_of(Mesh([3])), traffic)


def test_a_network_too_large_for_a_table_is_refused():
    with pytest.raises(InputError, match="20,000 nodes need tables of"):
        routes_of(Crossbar(20_000))


def test_the_routes_of_a_torus_of_512_nodes_are_as_long_as_its_distances():
    torus = Mesh([8, 8, 8], wrap=True)
    routes = routes_of(torus)
    assert routes.hops.sum() == 512 * 512 * torus.mean_distance()


@pytest.mark.parametrize(
    "network",
    [Mesh([9, 7, 5], wrap=True), Mesh([20, 16]), Hypercube(9), FatTree((8, 6, 6), 2)],
)
def test_much_traffic_loads_the_channels_as_each_of_its_messages_does(network):
    traffic = np.random.default_rng(0).random((network.size, network.size))
    routes = routes_of(network)
    sources, targets = np.indices(traffic.shape).reshape(2, -1)
    which, channels = routes.taken(sources, targets)
    one_by_one = np.bincount(channels, traffic.reshape(-1)[which], len(routes.heads))
    assert channel_loads(routes, traffic) == pytest.approx(one_by_one, rel=1e-12)


@pytest.mark.parametrize("network", [Mesh([16, 16, 16], wrap=True), Mesh([64, 64])])
def test_the_routes_of_4096_nodes_are_a_tenth_of_a_gibibyte(network):
    routes = routes_of(network)
    assert routes.ways.nbytes + routes.away.nbytes + routes.heads.nbytes < 2**30 / 10
    assert routes.away.mean() == pytest.approx(network.mean_distance())
    assert [network.channels[at] for at in routes.of(17, 4000)] == network.route(17, 4000)


@pytest.mark.parametrize("dims", [(1, 1, 4096), (1, 4096, 1)])
def test_a_dragonfly_of_millions_of_channels_is_refused_before_they_are_listed(dims):
    with pytest.raises(InputError, match=r"4,096 nodes need tables of some 1\.8 GiB"):
        routes_of(Dragonfly(dims))

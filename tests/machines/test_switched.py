"""Fat trees and dragonflies: distances, routes and loads, computed by hand and by properties."""

from __future__ import annotations

from itertools import product

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from machines import Dragonfly, FatTree, InputError, MultiCore, network_of
from machines.network import Crossbar, Mesh
from machines.traffic import busiest, channel_loads, routes_of

TREES = st.builds(FatTree, st.lists(st.integers(1, 4), min_size=1, max_size=3))
TAPERED = st.integers(1, 3).flatmap(
    lambda t: st.builds(
        lambda up, above: FatTree((t * up, *above), t),
        st.integers(1, 3),
        st.lists(st.integers(1, 3), max_size=2),
    )
)
FLIES = st.builds(Dragonfly, st.tuples(st.integers(1, 3), st.integers(1, 4), st.integers(1, 6)))
NETWORKS = st.one_of(TREES, TAPERED, FLIES)


def test_a_fat_tree_of_two_levels_by_hand():
    # hosts 0 … 3 on two leaf switches 4, 5; each has two links up, to the roots 6, 7
    tree = FatTree((2, 2))
    assert tree.size == 4
    assert [tree.distance(0, j) for j in range(4)] == [0, 2, 4, 4]
    assert tree.mean_distance() == 10 / 4
    assert tree.route(0, 1) == [(0, 4), (4, 1)]
    assert tree.route(0, 2) == [(0, 4), (4, 6), (6, 5), (5, 2)]  # 2 mod 2 = 0: the first link up
    assert tree.route(0, 3) == [(0, 4), (4, 7), (7, 5), (5, 3)]
    links = [(0, 4), (1, 4), (2, 5), (3, 5), (4, 6), (4, 7), (5, 6), (5, 7)]
    assert tree.channels == tuple(sorted(links + [(v, u) for u, v in links]))


def test_a_k_ary_n_tree_has_n_times_k_to_the_n_minus_1_switches():
    tree = FatTree((4, 4, 4))
    ends = {u for channel in tree.channels for u in channel}
    assert len(ends) - tree.size == 3 * 4**2
    assert tree.distance(0, 63) == 6
    assert len(tree.channels) == 2 * (64 + 64 + 64)  # as many links above each level as hosts


@pytest.mark.parametrize("dims", [(4, 4), (3, 3, 3), (2, 2, 2, 2), (4, 2, 3)])
def test_d_mod_k_lets_every_shift_pass_without_sharing_a_channel(dims: tuple[int, ...]):
    tree = FatTree(dims)
    routes, hosts = routes_of(tree), np.arange(tree.size)
    for shift in range(1, tree.size):
        traffic = np.zeros((tree.size, tree.size))
        traffic[hosts, (hosts + shift) % tree.size] = 1.0
        assert channel_loads(routes, traffic).max() == 1.0, shift


def test_all_to_all_spreads_evenly_over_the_links_up():
    tree = FatTree((4, 4))
    loads = channel_loads(routes_of(tree), 1.0 - np.eye(16))
    upwards = [
        load for (u, v), load in zip(tree.channels, loads, strict=True) if 16 <= u < 20 and v >= 20
    ]
    assert upwards == [4 * 12 / 4] * 16  # of each leaf: 4 hosts × 12 others over 4 links


def test_a_tapered_fat_tree_has_fewer_links_up_and_crowds_them():
    tree = FatTree((4, 4), taper=2)
    assert tree.kind == "fat tree 2:1"
    assert network_of(tree.kind, tree.dims) == tree
    loads = channel_loads(routes_of(tree), 1.0 - np.eye(16))
    assert busiest(routes_of(tree), loads)[1] == 4 * 12 / 2
    with pytest.raises(InputError, match="hosts of a leaf"):
        network_of("fat tree 3:1", (4, 4))


def test_a_dragonfly_by_hand():
    # 2 hosts a router, 2 routers a group, 3 groups: routers 12, 13 | 14, 15 | 16, 17.
    # One link a router to another group: to the next group from the first router.
    fly = Dragonfly((2, 2, 3))
    assert fly.size == 12
    assert fly.global_links == 1
    assert fly.route(0, 1) == [(0, 12), (12, 1)]
    assert fly.route(0, 2) == [(0, 12), (12, 13), (13, 2)]
    # group 0 → 1: leaves at router 12, arrives where group 1 holds its link two groups ahead: 15
    assert fly.route(0, 6) == [(0, 12), (12, 15), (15, 6)]
    assert fly.route(2, 4) == [(2, 13), (13, 12), (12, 15), (15, 14), (14, 4)]
    assert fly.distance(2, 4) == 5
    routers = [(u, v) for u, v in fly.channels if min(u, v) >= 12]
    between = [(u, v) for u, v in routers if (u - 12) // 2 != (v - 12) // 2]
    assert between == [(12, 15), (13, 16), (14, 17), (15, 12), (16, 13), (17, 14)]


def test_the_one_link_between_two_groups_carries_all_that_they_send():
    fly = Dragonfly((2, 2, 3))
    traffic = np.zeros((12, 12))
    traffic[:4, 4:8] = 1.0  # all of group 0 to all of group 1
    assert busiest(routes_of(fly), channel_loads(routes_of(fly), traffic)) == ((12, 15), 16.0)


@given(NETWORKS)
def test_routes_are_connected_ways_over_channels_as_long_as_the_distance(network):
    channels = set(network.channels)
    assert list(network.channels) == sorted(channels)
    for i, j in product(range(network.size), repeat=2):
        route = network.route(i, j)
        assert len(route) == network.distance(i, j) == network.distance(j, i)
        assert set(route) <= channels
        at = i
        for u, v in route:
            assert u == at
            at = v
        assert at == j


@given(NETWORKS)
def test_distances_are_a_metric_and_their_mean_is_told(network):
    hops = routes_of(network).hops
    assert (hops == hops.T).all()
    assert ((hops == 0) == np.eye(network.size, dtype=bool)).all()
    assert (hops[:, None, :] <= hops[:, :, None] + hops[None, :, :]).all()
    assert network.mean_distance() == pytest.approx(hops.mean())


INNER = [Mesh((3, 2)), Crossbar(3), FatTree((2, 2)), Dragonfly((1, 2, 2))]


@pytest.mark.parametrize("inner", INNER)
def test_places_of_a_node_are_no_hop_apart_and_others_as_far_as_their_nodes(inner):
    network, cores = MultiCore(inner, 3), 3
    routes, nodes = routes_of(network), routes_of(inner)
    assert network.size == 3 * inner.size
    for i, j in product(range(network.size), repeat=2):
        assert routes.of(i, j).tolist() == nodes.of(i // cores, j // cores).tolist()
        assert routes.hops[i, j] == network.distance(i, j) == len(network.route(i, j))
    assert network.mean_distance() == pytest.approx(routes.hops.mean())


def test_nodes_whose_tables_need_more_than_half_a_gibibyte_are_refused_with_the_number():
    with pytest.raises(InputError, match=r"16,384 nodes need tables of some 1\.5 GiB"):
        routes_of(MultiCore(Mesh((32, 32, 16), wrap=True), 2))


@pytest.mark.parametrize(
    ("kind", "dims"),
    [("dragonfly", (4, 4)), ("fat tree", ()), ("fat tree", (0, 2)), ("thin tree", (2, 2))],
)
def test_shapes_that_can_t_be_are_refused(kind: str, dims: tuple[int, ...]):
    with pytest.raises(InputError):
        network_of(kind, dims)

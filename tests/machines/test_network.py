"""Meshes and tori against a breadth-first search over their channels."""

import itertools
from collections import deque

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from machines import Crossbar, Hypercube, InputError, Mesh
from machines.interconnect import network_of

meshes = st.builds(Mesh, st.lists(st.integers(1, 5), min_size=1, max_size=3), wrap=st.booleans())


def neighbours(mesh, node):
    """Nodes one hop away, found from the coordinates alone."""
    grid = np.arange(mesh.size).reshape(mesh.dims[::-1])
    place = np.argwhere(grid == node)[0]
    for axis, k in enumerate(grid.shape):
        for step in (-1, 1):
            beside = place.copy()
            beside[axis] += step
            if mesh.wrap:
                beside[axis] %= k
            if 0 <= beside[axis] < k:
                yield int(grid[tuple(beside)])


def hops_from(mesh, source):
    found, queue = {source: 0}, deque([source])
    while queue:
        node = queue.popleft()
        for other in neighbours(mesh, node):
            if other not in found:
                found[other] = found[node] + 1
                queue.append(other)
    return found


@given(meshes)
def test_distance_is_the_shortest_way_through_the_channels(mesh):
    for i in {0, mesh.size // 2, mesh.size - 1}:
        hops = hops_from(mesh, i)
        assert all(mesh.distance(i, j) == hops[j] for j in range(mesh.size))


@given(meshes, st.data())
def test_a_route_walks_channels_from_source_to_target_in_as_many_hops_as_the_distance(mesh, data):
    i, j = (data.draw(st.integers(0, mesh.size - 1)) for _ in range(2))
    nodes = [i, *(v for _, v in mesh.route(i, j))]
    assert nodes[-1] == j
    assert len(nodes) - 1 == mesh.distance(i, j)
    assert all(v in set(neighbours(mesh, u)) for u, v in itertools.pairwise(nodes))
    assert [u for u, _ in mesh.route(i, j)] == nodes[:-1]


@settings(max_examples=15, deadline=None)
@given(meshes)
def test_mean_distance_is_the_mean_over_all_pairs(mesh):
    pairs = list(itertools.product(range(mesh.size), repeat=2))
    total = sum(mesh.distance(i, j) for i, j in pairs)
    assert mesh.mean_distance() == pytest.approx(total / len(pairs))
    if mesh.size > 1:
        assert mesh.mean_distance(distinct=True) == pytest.approx(total / (len(pairs) - mesh.size))


def test_the_first_dimension_is_fastest_and_routed_first():
    assert Mesh([3, 2]).route(0, 5) == [(0, 1), (1, 2), (2, 5)]


def test_on_a_ring_the_shorter_way_is_taken_and_the_increasing_one_on_a_tie():
    ring = Mesh([4], wrap=True)
    assert ring.route(0, 3) == [(0, 3)]
    assert ring.route(0, 2) == [(0, 1), (1, 2)]
    assert ring.route(2, 0) == [(2, 3), (3, 0)]


def test_a_large_torus_has_its_mean_distance_in_closed_form():
    assert Mesh([1024, 1024], wrap=True).mean_distance() == 512.0


def test_meshes_compare_and_hash_by_value():
    assert Mesh([2, 3]) == Mesh((2, 3))
    assert len({Mesh([2, 3]), Mesh([2, 3], wrap=True), Mesh((2, 3))}) == 2


@pytest.mark.parametrize("dims", [[], [0], [2, -1], [2.5], [True], ["4"]])
def test_dimensions_that_are_not_whole_and_positive_are_refused(dims):
    with pytest.raises(InputError, match="dims"):
        Mesh(dims)


@pytest.mark.parametrize(("i", "j"), [(-1, 0), (0, 6), (0.5, 0)])
def test_a_node_outside_is_refused(i, j):
    with pytest.raises(InputError, match="Mesh"):
        Mesh([3, 2]).distance(i, j)


def test_a_single_node_has_no_mean_over_distinct_pairs():
    with pytest.raises(InputError, match="distinct"):
        Mesh([1, 1]).mean_distance(distinct=True)


def test_a_hypercube_routes_like_a_mesh_of_two_nodes_along_each_dimension():
    cube, mesh = Hypercube(4), Mesh([2] * 4)
    assert cube.channels == mesh.channels
    assert cube.mean_distance() == mesh.mean_distance() == 2.0
    assert cube.mean_distance(distinct=True) == pytest.approx(32 / 15)
    for i, j in itertools.product(range(16), repeat=2):
        assert cube.route(i, j) == mesh.route(i, j)
        assert cube.distance(i, j) == mesh.distance(i, j)


def test_a_crossbar_has_a_channel_of_its_own_for_every_pair():
    crossbar = Crossbar(5)
    assert crossbar.route(3, 1) == [(3, 1)]
    assert crossbar.route(2, 2) == []
    assert len(crossbar.channels) == 20
    assert crossbar.mean_distance() == 0.8
    assert crossbar.mean_distance(distinct=True) == 1.0


@pytest.mark.parametrize(
    "network", [Mesh([3, 2]), Mesh([3, 2], wrap=True), Hypercube(3), Crossbar(4)]
)
def test_kind_and_dimensions_make_the_network_again(network):
    assert network_of(network.kind, network.dims) == network
    assert np.prod(network.dims) == network.size


@pytest.mark.parametrize("make", [lambda: Hypercube(0), lambda: Hypercube(99), lambda: Crossbar(0)])
def test_a_network_without_nodes_or_with_too_many_is_refused(make):
    with pytest.raises(InputError, match=r"dimension|size"):
        make()


@pytest.mark.parametrize("network", [Hypercube(2), Crossbar(4), Mesh([4])])
def test_every_network_refuses_a_node_outside_and_names_itself(network):
    with pytest.raises(InputError, match="j is not a node"):
        network.route(0, 4)
    with pytest.raises(InputError, match="i must be a whole number"):
        network.distance(-1, 0)


def test_a_single_node_of_a_crossbar_has_no_mean_over_distinct_pairs():
    with pytest.raises(InputError, match="distinct"):
        Crossbar(1).mean_distance(distinct=True)

"""Orders visit every node once; curves go from neighbour to neighbour where they can."""

from __future__ import annotations

from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from advisor.messages.mapping.orders import (
    ORDERS,
    checked,
    fits,
    gray,
    hilbert,
    shuffled,
    snake,
    standard_mappings,
)
from machines import InputError
from machines.network import Crossbar, Hypercube, Mesh, Network

NETWORKS = [
    Mesh((8, 4)),
    Mesh((5,), wrap=True),
    Mesh((3, 4, 5)),
    Mesh((4, 1, 6)),
    Mesh((1, 1)),
    Hypercube(4),
    Crossbar(6),
]


def jumps(network: Network, mapping: tuple[int, ...]) -> set[int]:
    return {network.distance(one, other) for one, other in pairwise(mapping)}


@pytest.mark.parametrize("network", NETWORKS, ids=lambda one: f"{one.kind}{one.dims}")
def test_every_order_takes_every_node_once(network: Network) -> None:
    names = []
    for name, mapping in standard_mappings(network, network.size):
        assert sorted(mapping) == list(range(network.size))
        names.append(name)
    assert names[:2] == ["row-major", "snake"]
    assert sorted(shuffled(network, 1)) == list(range(network.size))


@given(st.lists(st.integers(1, 6), min_size=1, max_size=4))
def test_a_snake_goes_from_neighbour_to_neighbour(dims: list[int]) -> None:
    network = Mesh(dims)
    assert jumps(network, snake(network)) <= {1}


def test_gray_order_on_a_hypercube_is_the_reflected_code() -> None:
    network = Hypercube(5)
    order = gray(network)
    assert order[:8] == (0, 1, 3, 2, 6, 7, 5, 4)
    assert jumps(network, (*order, order[0])) == {1}
    assert order == snake(network)


def test_gray_order_on_a_mesh_interleaves_the_coordinates() -> None:
    assert gray(Mesh((4, 4)))[:6] == (0, 1, 5, 4, 6, 7)
    assert sorted(gray(Mesh((8, 2)))) == list(range(16))
    with pytest.raises(InputError, match="powers of two"):
        gray(Mesh((6, 4)))


@pytest.mark.parametrize(
    "dims", [(8, 8), (8, 4), (4, 8), (16, 2), (6, 10), (4, 4, 4), (2, 2, 2, 2)]
)
def test_a_hilbert_curve_goes_from_neighbour_to_neighbour(dims: tuple[int, ...]) -> None:
    network = Mesh(dims)
    assert jumps(network, hilbert(network)) == {1}


@given(st.integers(2, 12), st.integers(2, 12))
def test_a_hilbert_curve_of_any_rectangle_jumps_at_most_diagonally(width: int, height: int) -> None:
    network = Mesh((width, height))
    order = hilbert(network)
    assert sorted(order) == list(range(network.size))
    assert max(jumps(network, order)) <= 2


def test_hilbert_order_keeps_processes_nearer_than_a_snake() -> None:
    network = Mesh((16, 16))

    def farthest(order: tuple[int, ...]) -> int:
        return max(
            network.distance(one, other) for one, other in zip(order, order[15:], strict=False)
        )

    assert farthest(snake(network)) == 15
    assert farthest(hilbert(network)) < 10


def test_fewer_processes_take_the_beginning_and_more_are_refused() -> None:
    network = Mesh((4, 2))
    assert dict(standard_mappings(network, 5))["snake"] == snake(network)[:5]
    with pytest.raises(InputError, match=r"mesh 4×2: 9 processes do not fit on 8 nodes"):
        fits(network, 9)


@pytest.mark.parametrize(
    ("nodes", "message"),
    [
        ((0, 1), "2 nodes, not one for each of 3"),
        ((0, 1, 8), r"process 2: no such node \(got 8\). Allowed: 0 to 7"),
        ((0, 1, -1), "whole number"),
        ((4, 1, 4), r"process 2: this node has process 0 already \(got 4\)"),
    ],
)
def test_a_mapping_of_the_user_is_checked(nodes: tuple[int, ...], message: str) -> None:
    with pytest.raises(InputError, match=message):
        checked(Mesh((4, 2)), 3, nodes)


def test_a_mapping_on_a_vast_network_takes_memory_for_its_processes_alone() -> None:
    assert checked(Mesh((2**31, 2)), 2, [2**32 - 1, 0]) == (2**32 - 1, 0)


def test_a_right_mapping_of_the_user_is_taken() -> None:
    assert checked(Mesh((4, 2)), 3, [7, 0, 3]) == (7, 0, 3)
    assert shuffled(Mesh((4, 2)), 5) == shuffled(Mesh((4, 2)), 5) != shuffled(Mesh((4, 2)), 6)
    assert list(ORDERS) == ["row-major", "snake", "gray", "hilbert"]

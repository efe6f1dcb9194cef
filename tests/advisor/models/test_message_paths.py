"""Paths: what a message holds, in which order, and that no circle can form."""

from __future__ import annotations

from itertools import pairwise

import networkx as nx
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from advisor.models.message_paths import Paths, checked_probabilities, paths_of
from machines import Dragonfly, FatTree
from machines.errors import InputError
from machines.network import Crossbar, Hypercube, Mesh, Network
from machines.traffic import routes_of


def all_paths(network: Network) -> Paths:
    return paths_of(routes_of(network), np.ones((network.size, network.size), np.bool_))


def path(paths: Paths, i: int, j: int) -> list[int]:
    pair = i * paths.routes.network.size + j
    return paths.slots[paths.offsets[pair] : paths.offsets[pair + 1]].tolist()


def test_a_path_is_the_route_and_then_the_receiver() -> None:
    mesh = Mesh((4, 2))
    paths = all_paths(mesh)
    for i in range(8):
        for j in range(8):
            ends = [paths.end_points(slot) for slot in path(paths, i, j)]
            assert ends == ([*mesh.route(i, j), (j, j)] if i != j else [])


def test_pairs_that_exchange_nothing_have_no_path() -> None:
    used = np.zeros((6, 6), np.bool_)
    used[0, 5] = used[3, 3] = True
    paths = paths_of(routes_of(Mesh((3, 2))), used)
    assert len(paths.slots) == 4
    assert path(paths, 0, 5) == paths.slots.tolist()


def test_a_message_changes_lane_behind_the_seam_and_back_in_the_next_dimension() -> None:
    paths = all_paths(Mesh((5, 5), wrap=True))
    second = paths.channel_count + 25
    # 4 over the seam to 0, → 1, then → 6 along the other dimension, then its receiver
    there = path(paths, 4, 6)
    ends = [paths.end_points(slot) for slot in there]
    assert ends == [(4, 0), (0, 1), (1, 6), (6, 6)]
    assert [slot >= second for slot in there] == [False, True, False, False]


def test_partners_are_the_two_lanes_of_a_channel() -> None:
    paths = all_paths(Mesh((5,), wrap=True))
    for slot, partner in enumerate(paths.partner):
        if partner >= 0:
            assert paths.partner[partner] == slot
            assert paths.end_points(partner) == paths.end_points(slot)
    assert (paths.partner >= 0).sum() == 2 * paths.channel_count
    assert (all_paths(Mesh((5,))).partner == -1).all()


def test_a_message_takes_the_second_lane_in_the_group_that_it_came_to() -> None:
    paths = all_paths(Dragonfly((2, 2, 3)))
    second = paths.channel_count + 12
    there = path(paths, 2, 4)  # router 13 → 12, over to 15, → 14
    ends = [paths.end_points(slot) for slot in there]
    assert ends == [(2, 13), (13, 12), (12, 15), (15, 14), (14, 4), (4, 4)]
    assert [slot >= second for slot in there] == [False, False, False, True, False, False]
    assert all(slot < second for slot in path(paths, 0, 2))  # inside a group: the first lane


NETWORKS = st.one_of(
    st.lists(st.integers(1, 5), min_size=1, max_size=3).map(lambda k: Mesh(k, wrap=True)),
    st.lists(st.integers(1, 5), min_size=1, max_size=3).map(Mesh),
    st.integers(1, 5).map(Hypercube),
    st.integers(2, 9).map(Crossbar),
    st.lists(st.integers(1, 3), min_size=1, max_size=3).map(FatTree),
    st.tuples(st.integers(1, 2), st.integers(1, 4), st.integers(1, 5)).map(Dragonfly),
)


@settings(deadline=None, max_examples=25)
@given(NETWORKS)
def test_what_messages_wait_for_while_they_hold_something_forms_no_circle(network: Network) -> None:
    paths = all_paths(network)
    waits = nx.DiGraph()
    for i in range(network.size):
        for j in range(network.size):
            held = path(paths, i, j)
            waits.add_edges_from(pairwise(held))
    assert nx.is_directed_acyclic_graph(waits)


def test_amounts_of_slots_add_up_by_channel_and_receiver() -> None:
    paths = all_paths(Mesh((5,), wrap=True))
    amounts = np.arange(len(paths.partner), dtype=float)
    channels = paths.channel_count
    assert paths.by_channel(amounts).tolist() == [c + (c + channels + 5) for c in range(channels)]
    assert paths.by_receiver(amounts).tolist() == list(range(channels, channels + 5))


@pytest.mark.parametrize(
    ("matrix", "what"),
    [
        ([[0.0, 0.5], [1.0, 0.0]], "sum to 1"),
        ([[1.0, 0.0], [1.0, 0.0]], "itself"),
        ([[0.0, 0.0], [0.0, 0.0]], "no process sends"),
        ([[0.0, -1.0], [1.0, 0.0]], "≥ 0"),
        ([[0.0, 1.0]], "row and a column"),
    ],
)
def test_impossible_probabilities_are_refused(matrix: list[list[float]], what: str) -> None:
    with pytest.raises(InputError, match=what):
        checked_probabilities(matrix, 2)

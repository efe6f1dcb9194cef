"""Where channels are drawn: every one, apart from its opposite, and none across other nodes."""

from __future__ import annotations

import numpy as np
import pytest

from advisor.messages.mapping.mapping_picture import node_positions
from gui.studies.mesh.mesh_geometry import HALF_NODE, Geometry, distances, geometry_of
from machines.network import Crossbar, Hypercube, Mesh, Network

NETWORKS: list[Network] = [
    Mesh((4, 3)),
    Mesh((4, 3), wrap=True),
    Mesh((3, 3, 3), wrap=True),
    Mesh((2, 2, 2, 2)),
    Mesh((5,), wrap=True),
    Hypercube(4),
    Crossbar(6),
]
IDS = [f"{one.kind}{one.dims}" for one in NETWORKS]


def drawn(network: Network) -> Geometry:
    return geometry_of(network, node_positions(network))


@pytest.mark.parametrize("network", NETWORKS, ids=IDS)
def test_every_channel_has_lines_and_an_arrow_head(network: Network) -> None:
    geometry = drawn(network)
    every = set(range(len(network.channels)))
    assert set(geometry.line_channels.tolist()) == every
    assert set(geometry.barb_channels.tolist()) == every
    assert [tuple(pair) for pair in geometry.ends.tolist()] == list(network.channels)
    assert np.isfinite(geometry.lines).all()


@pytest.mark.parametrize("network", NETWORKS, ids=IDS)
def test_the_two_directions_of_a_pair_lie_apart(network: Network) -> None:
    geometry = drawn(network)
    number = {pair: at for at, pair in enumerate(network.channels)}
    for (start, end), channel in number.items():
        for line in geometry.lines[geometry.line_channels == channel]:
            away = distances(geometry.lines, (line[:2] + line[2:]) / 2)
            opposite = away[geometry.line_channels == number[end, start]]
            assert opposite.min() > 0.1


@pytest.mark.parametrize("network", NETWORKS, ids=IDS)
def test_no_channel_crosses_a_node(network: Network) -> None:
    geometry = drawn(network)
    shares = np.linspace(0.05, 0.95, 9)[:, None, None]
    points = geometry.lines[:, :2] + shares * (geometry.lines[:, 2:] - geometry.lines[:, :2])
    away = np.abs(points[:, :, None] - geometry.nodes).max(axis=3)
    assert away.min() > 0.9 * HALF_NODE


def test_channels_around_a_torus_are_stubs_at_both_nodes() -> None:
    network = Mesh((4, 3), wrap=True)
    geometry = drawn(network)
    channel = network.channels.index((3, 0))
    lines = geometry.lines[geometry.line_channels == channel]
    assert len(lines) == 2
    assert np.hypot(*(lines[:, 2:] - lines[:, :2]).T).max() < 0.3
    leaving, arriving = lines
    assert leaving[0] > geometry.nodes[3, 0]
    assert leaving[2] > leaving[0]
    assert arriving[2] < geometry.nodes[0, 0]
    assert arriving[2] > arriving[0]
    assert np.isnan(geometry.middles[channel]).all()


def test_traffic_keeps_right() -> None:
    network = Mesh((2, 2))
    geometry = drawn(network)
    east = geometry.lines[geometry.line_channels == network.channels.index((0, 1))][0]
    south = geometry.lines[geometry.line_channels == network.channels.index((0, 2))][0]
    assert east[1] > geometry.nodes[0, 1]
    assert south[0] < geometry.nodes[0, 0]


def test_a_single_node_is_drawn() -> None:
    left, top, right, bottom = drawn(Crossbar(1)).bounds
    assert right - left == bottom - top == 2 * HALF_NODE

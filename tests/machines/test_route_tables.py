"""Tables of routes: what they say of every vertex and node is what the network says itself."""

from __future__ import annotations

import numpy as np
import pytest

from machines import Dragonfly, FatTree, Hypercube, Mesh
from machines.network import Crossbar, Network
from machines.route_tables import tables_of

NETWORKS: tuple[Network, ...] = (
    FatTree((6,)),
    FatTree((2, 3, 2)),
    FatTree((3, 1, 2)),
    FatTree((1, 4)),
    FatTree((4, 1)),
    FatTree((4, 3, 2), taper=2),
    FatTree((6, 2), taper=6),
    FatTree((1, 1)),
    Dragonfly((2, 3, 4)),
    Dragonfly((3, 1, 1)),
    Dragonfly((1, 4, 1)),
    Mesh((4, 3)),
    Mesh((5, 1, 2), wrap=True),
    Hypercube(3),
    Crossbar(4),
)


@pytest.mark.parametrize("network", NETWORKS, ids=str)
def test_tables_say_what_the_network_says(network: Network) -> None:
    tables, nodes = tables_of(network), network.size
    for v in range(len(tables.row)):
        for t in range(nodes):
            if v != t:
                channel = tables.out[v] + tables.ways[tables.row[v], t]
                here = np.int64(v), np.int64(t)
                assert network.channels[channel] == (v, int(network.next_nodes(*here)))  # type: ignore[arg-type]
                assert tables.heads[channel] == network.channels[channel][1]
    away = [[network.distance(i, j) for j in range(nodes)] for i in range(nodes)]
    assert tables.away.tolist() == away


def test_switches_above_the_same_hosts_share_their_row() -> None:
    tables = tables_of(FatTree((2,) * 7))
    switches = np.unique(tables.row[128:])
    assert len(switches) == 127  # 64 pairs, 32 fours, … and all
    assert len(tables.row) == 128 + 7 * 64
    assert len(tables.ways) == 128

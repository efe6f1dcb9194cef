"""Routes of large networks, what they cost and what they share.

``python -m tests.benchmarks.bench_routes`` prints seconds against those of networkx, which finds
one shortest route of each pair without spreading them: large networks take a part of that, small
ones, which are a matter of fixed costs, at most five times as long.
"""

from __future__ import annotations

from functools import partial

import networkx as nx
import numpy as np

from machines import Direction, Link, Machine, Platform, Switch, catalogue
from machines.route_costs import added, relayed
from machines.routes import routes
from machines.sharing import crossings, resources
from tests.benchmarks.table import Row, least_seconds, show

_NODE, _UP = Direction(5e-6, 1.25e9), Direction(5e-6, 5e9)


def tree(racks: int, nodes: int) -> Platform:
    """Racks of nodes under one switch."""
    names = [(f"r{rack}", [f"r{rack}n{node}" for node in range(nodes)]) for rack in range(racks)]
    down = [Link(node, rack, _NODE, _NODE) for rack, inside in names for node in inside]
    return Platform(
        "tree",
        tuple(Machine(node) for _, inside in names for node in inside),
        (*down, *(Link(rack, "core", _UP, _UP) for rack, _ in names)),
        switches=tuple(Switch(name) for name in (*(rack for rack, _ in names), "core")),
    )


def pairs(count: int) -> Platform:
    """Machines that are all linked pair by pair."""
    names = [f"m{number}" for number in range(count)]
    links = [
        Link(first, second, _NODE, _NODE) for at, first in enumerate(names) for second in names[:at]
    ]
    return Platform("pairs", tuple(map(Machine, names)), tuple(links))


def _all_costs(platform: Platform) -> None:
    table, found = routes(platform), resources(platform)
    startup_s = np.ones(2 * len(platform.links))
    added(table, startup_s)
    relayed(platform, table, startup_s)
    crossings(platform, found, table)


def _by_networkx(platform: Platform, hosts: int) -> float:
    """Seconds for as many hosts as there are, from a few of them."""
    graph = nx.Graph()
    for link in platform.links:
        graph.add_edge(link.first, link.second, weight=link.to_second.startup_s)
    seconds = least_seconds(
        lambda: [nx.single_source_dijkstra(graph, one) for one in platform.hosts[:hosts]]
    )
    return seconds / hosts * len(platform.hosts)


def main() -> None:
    """Measure and print."""
    large = tree(32, 32)
    cases = [
        ("32 racks of 32", large, routes, 3.0),
        ("… with their costs and what they share", large, _all_costs, 1.5),
        ("4 racks of 8", tree(4, 8), routes, 0.5),
        ("fat tree of 16", catalogue.load("fat-tree"), routes, 0.2),
        ("300 machines linked pair by pair", pairs(300), routes, 50.0),
    ]
    rows = []
    for name, platform, job, times in cases:
        seconds = least_seconds(partial(job, platform))
        rows.append(Row(name, seconds, _by_networkx(platform, 8) / times))
    show("Routes", rows)


if __name__ == "__main__":
    main()

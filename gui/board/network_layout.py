"""Where the parts of a network lie in its small picture: who hangs on what. No Qt.

Hosts are leaves at the right, the core is at the left; a switch lies as high as what hangs on it.
Of more than `MOST` parts those that hang on the same ones become one symbol with a count, and
what hangs on one switch alone goes into the switch. Machines linked among themselves stand in a
circle.
"""

from __future__ import annotations

from dataclasses import dataclass
from itertools import pairwise
from typing import TypeAlias

import networkx as nx
import numpy as np

from machines import Platform
from machines.arrays import Floats

MOST = 60
MACHINE, STORE, SWITCH = "machine", "store", "switch"

Net: TypeAlias = "nx.Graph[str]"


@dataclass(frozen=True)
class Node:
    """A symbol.

    `inside`: machines and stores that hang on it and have no symbol of their own.
    """

    kind: str  # {"machine", "store", "switch"}
    names: tuple[str, ...]  # what it stands for, in the platform's order
    inside: tuple[str, ...] = ()

    @property
    def label(self) -> str:
        """Its name; "rack1 + 8", "8 × machine" where it stands for several."""
        more = f" + {len(self.inside)}" if self.inside else ""
        if len(self.names) == 1:
            return self.names[0] + more
        plural = f"{self.kind}es" if self.kind == SWITCH else f"{self.kind}s"
        return f"{len(self.names)} {plural}{more}"


@dataclass(frozen=True)
class Edge:
    """A line between two symbols, for one link or several of the platform's."""

    first: int
    second: int
    links: tuple[int, ...]


@dataclass(frozen=True, eq=False)
class NetworkLayout:
    """Symbols with their places, and the lines between them.

    `x`, `y`: shape (nodes,); 0 (left, top) to 1.
    """

    platform: Platform
    nodes: tuple[Node, ...]
    edges: tuple[Edge, ...]
    x: Floats
    y: Floats
    layered: bool  # whether leaves lie one below the other at the right; else all are on a circle


def network_layout(platform: Platform, most: int = MOST) -> NetworkLayout:
    """The picture of a platform's network, always the same for the same platform."""
    graph = _graph(platform)
    _collapse(graph, most)
    names = list(graph)
    index = {name: position for position, name in enumerate(names)}
    nodes = tuple(
        Node(
            graph.nodes[n]["kind"], tuple(graph.nodes[n]["names"]), tuple(graph.nodes[n]["inside"])
        )
        for n in names
    )
    edges = tuple(
        Edge(index[a], index[b], tuple(sorted(data["links"])))
        for a, b, data in graph.edges(data=True)
    )
    layered = any(node.kind == SWITCH for node in nodes)
    x, y = _layers(graph, names) if layered else _circle(len(names))
    return NetworkLayout(platform, nodes, edges, x, y, layered)


def _graph(platform: Platform) -> Net:
    """Hosts and switches in the platform's order, joined by links."""
    graph: Net = nx.Graph()
    kinds = [(machine.name, MACHINE) for machine in platform.machines]
    kinds += [(store.name, STORE) for store in platform.stores]
    kinds += [(switch.name, SWITCH) for switch in platform.switches]
    for name, kind in kinds:
        graph.add_node(name, kind=kind, names=[name], inside=[])
    for position, link in enumerate(platform.links):
        graph.add_edge(link.first, link.second, links=[position])
    return graph


def _collapse(graph: Net, most: int) -> None:
    """Join what hangs on the same parts, then put leaves into their switch, until few remain."""
    changed = True
    while graph.number_of_nodes() > most and changed:
        twins: dict[tuple[str, frozenset[str]], list[str]] = {}
        for name in graph:
            key = (graph.nodes[name]["kind"], frozenset(graph[name]))
            twins.setdefault(key, []).append(name)
        groups = [group for group in twins.values() if len(group) > 1]
        for first, *others in groups:
            for other in others:
                _join(graph, first, other)
        leaves = [] if groups else [name for name in graph if _hangs(graph, name)]
        for name in leaves:
            (switch,) = graph[name]
            graph.nodes[switch]["inside"] += graph.nodes[name]["names"]
            graph.nodes[switch]["inside"] += graph.nodes[name]["inside"]
            graph.remove_node(name)
        changed = bool(groups or leaves)


def _hangs(graph: Net, name: str) -> bool:
    """Whether a machine or store has one line only, to a switch."""
    if graph.degree[name] != 1 or graph.nodes[name]["kind"] == SWITCH:
        return False
    (other,) = graph[name]
    return bool(graph.nodes[other]["kind"] == SWITCH)


def _join(graph: Net, first: str, other: str) -> None:
    """Let `first` stand for `other`, too; they have the same neighbours."""
    for neighbour, data in graph[other].items():
        graph.edges[first, neighbour]["links"] += data["links"]
    for key in ("names", "inside"):
        graph.nodes[first][key] += graph.nodes[other][key]
    graph.remove_node(other)


def _circle(count: int) -> tuple[Floats, Floats]:
    """All on a circle, from the top on, clockwise."""
    turn = 2 * np.pi * np.arange(count) / max(1, count)
    if count == 2:
        turn = turn - np.pi / 2  # side by side
    return 0.5 + 0.5 * np.sin(turn), 0.5 - 0.5 * np.cos(turn)


def _layers(graph: Net, names: list[str]) -> tuple[Floats, Floats]:
    """Columns by distance from hosts; rows from what hangs on them."""
    level = _levels(graph)
    order = _from_above(graph, level)
    height: dict[str, float] = {}
    for stage in sorted(set(level.values())):
        here = [name for name in order if level[name] == stage]
        if not height:
            wanted = {name: (at + 0.5) / len(here) for at, name in enumerate(here)}
        else:
            below = {name: [height[n] for n in graph[name] if n in height] for name in here}
            wanted = {n: float(np.mean(ys)) if ys else 0.5 for n, ys in below.items()}
        height |= _apart(here, wanted)
    deepest = max(1, *level.values())
    x = np.array([1.0 - level[name] / deepest for name in names])
    return x, np.array([height[name] for name in names])


def _levels(graph: Net) -> dict[str, int]:
    """0 for hosts; for a switch its distance from the nearest."""
    full = graph.copy()
    for name, data in graph.nodes(data=True):
        if data["inside"]:
            full.add_edge(name, f"inside {name}")
    hosts = [n for n in full if n not in graph or graph.nodes[n]["kind"] != SWITCH]
    found = nx.multi_source_dijkstra_path_length(full, hosts, weight=None)
    levels = {name: int(found.get(name, 1)) for name in graph}
    least = min(levels.values())
    return {name: level - least for name, level in levels.items()}


def _from_above(graph: Net, level: dict[str, int]) -> list[str]:
    """All parts, going down from the core, so that what hangs on one part stays together."""
    down: nx.DiGraph[str] = nx.DiGraph()
    down.add_nodes_from(graph)
    down.add_edges_from(
        (a, b) if level[a] > level[b] else (b, a) for a, b in graph.edges if level[a] != level[b]
    )
    seen: dict[str, None] = {}
    for root in sorted(graph, key=lambda name: -level[name]):  # stable: the platform's order
        if root not in seen:
            seen |= dict.fromkeys(nx.dfs_preorder_nodes(down, root))
    return list(seen)


def _apart(names: list[str], wanted: dict[str, float]) -> dict[str, float]:
    """Where they are wanted, or evenly spread when some of them would meet."""
    ordered = sorted(names, key=wanted.__getitem__)
    least = 0.7 / max(1, len(ordered))
    if all(wanted[b] - wanted[a] >= least for a, b in pairwise(ordered)):
        return wanted
    return {name: (at + 0.5) / len(ordered) for at, name in enumerate(ordered)}

"""HEFT as one would write it down with networkx: the reference for speed and for the makespan."""

from __future__ import annotations

from typing import TYPE_CHECKING

import networkx as nx

if TYPE_CHECKING:
    from advisor.allocation.costs import Costs


def graph_of(costs: Costs) -> nx.DiGraph:
    """The task graph: seconds by machine at the nodes, bytes and messages at the edges."""
    graph = nx.DiGraph()
    for task, row in enumerate(costs.task_s.tolist()):
        graph.add_node(task, seconds=row)
    flows = costs.flows
    for flow, (source, target) in enumerate(
        zip(costs.sources.tolist(), costs.targets.tolist(), strict=True)
    ):
        graph.add_edge(
            source,
            target,
            messages=float(flows.messages[flow, 0]),
            size_bytes=float(flows.size_bytes[flow, 0]),
        )
    return graph


def heft_makespan(
    graph: nx.DiGraph, startup_s: list[list[float]], per_byte_s: list[list[float]]
) -> float:
    """Makespan of HEFT on machines of one core, with insertion; ties by position.

    Topcuoglu, Hariri & Wu 2002, sec. 4.1.
    """
    machines = range(len(startup_s))
    pairs = [(p, q) for p in machines for q in machines if p != q]
    startup = sum(startup_s[p][q] for p, q in pairs) / max(1, len(pairs))
    per_byte = sum(per_byte_s[p][q] for p, q in pairs) / max(1, len(pairs))
    rank: dict[int, float] = {}
    for task in reversed(list(nx.topological_sort(graph))):
        seconds = graph.nodes[task]["seconds"]
        rank[task] = sum(seconds) / len(seconds) + max(
            (
                edge["messages"] * startup + edge["size_bytes"] * per_byte + rank[child]
                for _, child, edge in graph.out_edges(task, data=True)
            ),
            default=0.0,
        )
    busy: list[list[tuple[float, float]]] = [[] for _ in machines]
    where: dict[int, int] = {}
    end: dict[int, float] = {}
    for task in sorted(graph, key=lambda task: (-rank[task], task)):
        best = None
        for q in machines:
            ready = 0.0
            for source, _, edge in graph.in_edges(task, data=True):
                p, arrival = where[source], end[source]
                if p != q:
                    arrival += (
                        edge["messages"] * startup_s[p][q] + edge["size_bytes"] * per_byte_s[p][q]
                    )
                ready = max(ready, arrival)
            seconds = graph.nodes[task]["seconds"][q]
            start = _earliest(busy[q], ready, seconds)
            if best is None or start + seconds < best[0]:
                best = (start + seconds, start, q)
        assert best is not None
        end[task], start, where[task] = best
        busy[where[task]].append((start, end[task]))
        busy[where[task]].sort()
    return max(end.values())


def _earliest(busy: list[tuple[float, float]], ready: float, seconds: float) -> float:
    start = ready
    for begin, end in busy:
        if start + seconds <= begin:
            break
        start = max(start, end)
    return start

"""Instances for tests, and what their graphs are."""

from __future__ import annotations

import networkx as nx
import numpy as np

from advisor.allocation.workload import Workload
from advisor.campaigns.generators.family import Instance
from advisor.campaigns.generators.registry import GENERATORS
from machines import Platform


def made(family: str, seed: int = 0, on: Platform | None = None, **settings: object) -> Instance:
    """An instance of a family, on four machines of its own unless they are given."""
    generator = GENERATORS[family]
    if on is None:
        settings.setdefault("machines", 4)
    return generator.make(generator.record(**settings), np.random.default_rng(seed), on)


def graph(family: str, **settings: object) -> nx.DiGraph[str]:
    """Its tasks and flows."""
    return graph_of(made(family, **settings)[0])


def graph_of(workload: Workload) -> nx.DiGraph[str]:
    """Names joined by flows; a task has its kind."""
    found: nx.DiGraph[str] = nx.DiGraph()
    found.add_nodes_from((task.name, {"kind": task.kind}) for task in workload.tasks)
    found.add_edges_from((flow.source, flow.target) for flow in workload.flows)
    assert found.number_of_edges() == len(workload.flows)
    return found


def depth(found: nx.DiGraph[str]) -> int:
    """Tasks on a longest path."""
    length: int = nx.dag_longest_path_length(found, default_weight=1) + 1
    return length


def count(found: nx.DiGraph[str]) -> tuple[int, int]:
    """Tasks and flows."""
    return found.number_of_nodes(), found.number_of_edges()


def kinds(found: nx.DiGraph[str]) -> dict[str, int]:
    """How many tasks there are of each kind."""
    _, every = zip(*found.nodes(data="kind"), strict=True)
    return {kind: every.count(kind) for kind in dict.fromkeys(every)}

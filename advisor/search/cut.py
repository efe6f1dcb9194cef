"""Two machines, total cost: the best allocation is a minimum cut.

Every task is a node between the two machines; cutting it off one machine costs its time on the
other, and what it fetches from outside; cutting a flow costs its transfer (Stone 1977). Exact for
any graph.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from advisor.allocation.objectives import TOTAL
from advisor.allocation.plan import Plan
from advisor.allocation.problem import Problem
from advisor.allocation.timeline import flow_seconds
from advisor.search.allocation_search import AllocationSearch
from advisor.search.strategy import Role, Strategy

if TYPE_CHECKING:
    import networkx as nx

MOST_TASKS = 3_000
_STEPS = 2.0**40  # capacities in whole steps of the largest: integer cuts are exact
_FIRST, _SECOND = -1, -2


@dataclass(frozen=True)
class CutResult:
    """The allocation with the fewest tasks on the second machine, and that with the most."""

    least: tuple[int, ...]
    most: tuple[int, ...]


def applies(problem: Problem) -> bool:
    """Whether there are two machines and the graph is small enough."""
    tasks, machines = problem.costs.task_s.shape
    return bool(machines == 2 and tasks <= MOST_TASKS)


def solve(problem: Problem) -> CutResult | None:
    """The two extreme minimum cuts; None where no allocation is feasible."""
    import networkx as nx  # noqa: PLC0415 - slow to import: when it is needed

    tasks = problem.costs.task_s.shape[0]
    graph = _graph(problem)
    try:
        residual = nx.algorithms.flow.preflow_push(graph, _FIRST, _SECOND)
    except nx.NetworkXUnbounded:
        return None
    open_ = nx.DiGraph(
        (one, other)
        for one, other, arc in residual.edges(data=True)
        if arc["flow"] < arc["capacity"]
    )
    open_.add_nodes_from((_FIRST, _SECOND))
    on_first = nx.descendants(open_, _FIRST)
    on_second = nx.ancestors(open_, _SECOND)
    return CutResult(
        least=tuple(int(task in on_second) for task in range(tasks)),
        most=tuple(int(task not in on_first) for task in range(tasks)),
    )


def _graph(problem: Problem) -> nx.DiGraph[int]:
    import networkx as nx  # noqa: PLC0415 - slow to import: when it is needed

    costs = problem.costs
    flows = len(costs.sources)
    out = flow_seconds(costs.flows, np.zeros(flows, np.int32), np.ones(flows, np.int32))
    back = flow_seconds(costs.flows, np.ones(flows, np.int32), np.zeros(flows, np.int32))
    task_s = costs.task_s if costs.outside is None else costs.task_s + costs.outside.total_s
    every = np.concatenate((task_s.ravel(), out, back))
    largest = float(every[np.isfinite(every)].max(initial=0.0))
    scale = _STEPS / largest if largest > 0 else 1.0
    graph: nx.DiGraph[int] = nx.DiGraph()

    def add(one: int, other: int, seconds: float) -> None:
        if np.isfinite(seconds):
            before = graph.get_edge_data(one, other, {"capacity": 0})
            if "capacity" in before:
                capacity = before["capacity"] + round(float(seconds) * scale)
                graph.add_edge(one, other, capacity=capacity)
        else:
            graph.add_edge(one, other)
            graph.edges[one, other].pop("capacity", None)

    for task, (first_s, second_s) in enumerate(task_s):
        add(_FIRST, task, second_s)
        add(task, _SECOND, first_s)
    for flow in range(flows):
        source, target = int(costs.sources[flow]), int(costs.targets[flow])
        add(source, target, out[flow])
        add(target, source, back[flow])
    return graph


def _suits(problem: Problem, objective: str) -> bool:
    return objective == TOTAL and applies(problem)


def _search(search: AllocationSearch) -> bool:
    result = solve(search.problem)
    if result is None:
        return False
    both = dict.fromkeys((result.least, result.most))
    feasible = tuple(one for one in both if search.memory_suffices(one))
    if not feasible:
        search.warnings.append("The minimum cut exceeds a machine's memory; searched instead")
        return False
    search.prove(Plan(feasible[0], None, "cut"), feasible, len(both) == 1)
    if len(both) > 1:
        search.warnings.append("Only the two extreme minimum cuts are listed as ties")
    return True


STRATEGY = Strategy(
    "cut",
    "Minimum cut",
    "Exact for two machines and the total",
    Role.STRUCTURE,
    _suits,
    _search,
    refusal="it needs two machines and the objective total",
    alternatives=True,
    source="Stone 1977",
)

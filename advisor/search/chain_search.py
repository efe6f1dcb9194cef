"""Chains: the best allocation is a shortest path through the layered (task, machine) graph.

A chain runs one task at a time, so its makespan is its total; with files from outside, which come
while others run, only where the first task alone reads some. The path is exact for any number of
machines; memory limits are not part of it: a path that exceeds them is no answer.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from advisor.allocation.objectives import MAKESPAN, TOTAL
from advisor.allocation.plan import Plan
from advisor.allocation.problem import Problem
from advisor.allocation.timeline import pair_seconds
from advisor.allocation.timeline_modes import FAIR
from advisor.basics.rounding import ALIKE
from advisor.search.allocation_search import AllocationSearch
from advisor.search.strategy import Role, Strategy
from machines.arrays import Floats

if TYPE_CHECKING:
    import networkx as nx

MOST_EDGES = 400_000
Node = tuple[int, int]
_START: Node = (-1, 0)


@dataclass(frozen=True)
class ChainResult:
    """The value, all allocations that reach it, and the best that does not."""

    value_s: float
    best: tuple[tuple[int, ...], ...]
    complete: bool
    runner_up: tuple[int, ...] | None


def is_chain(problem: Problem) -> bool:
    """Whether every task but the first has one input, every one but the last one output."""
    costs = problem.costs
    tasks = len(costs.task_cores)
    return bool(
        len(costs.sources) == tasks - 1
        and np.bincount(costs.sources, minlength=tasks).max() <= 1
        and np.bincount(costs.targets, minlength=tasks).max() <= 1
    )


def fits(problem: Problem) -> bool:
    """Whether the layered graph is small enough to build."""
    tasks, machines = problem.costs.task_s.shape
    return bool(tasks * machines**2 <= MOST_EDGES)


def fetch_s(problem: Problem, objective: str) -> Floats | None:
    """What files from outside add to each task's time, (tasks, machines); ``None``: no such sum."""
    costs = problem.costs
    if costs.outside is None:
        return np.zeros_like(costs.task_s)
    if objective == TOTAL:
        return costs.outside.total_s
    later = np.ones(len(costs.task_s), dtype=np.bool_)
    later[costs.topological_order[0]] = False
    return None if costs.outside.arrival_s[later].any() else costs.outside.arrival_s


def solve(problem: Problem, most: int = 100, objective: str = MAKESPAN) -> ChainResult | None:
    """Shortest paths of the layered graph.

    Parameters
    ----------
    problem : Problem
        A chain (`is_chain`) for which `fetch_s` is known.
    most : int
        Tied allocations to list at most.
    objective : {"makespan", "total"}
        They differ by what comes from outside.

    Returns
    -------
    ChainResult or None
        None where no allocation can exchange its data.
    """
    import networkx as nx  # noqa: PLC0415 - slow to import: when it is needed

    order = problem.costs.topological_order.tolist()
    fetched_s = fetch_s(problem, objective)
    if fetched_s is None:
        return None
    graph = _layered(problem, order, problem.costs.task_s + fetched_s)
    end: Node = (len(order), 0)
    if not graph.has_node(end):
        return None
    ahead: dict[Node, float] = nx.single_source_dijkstra_path_length(graph, _START)
    behind: dict[Node, float] = nx.single_source_dijkstra_path_length(graph.reverse(), end)
    value = ahead[end]
    limit = value + ALIKE * max(value, 1e-300)
    through = {
        (one, other): ahead[one] + weight + behind[other]
        for one, other, weight in _weights(graph)
        if one in ahead and other in behind
    }
    tight: dict[Node, list[Node]] = {}
    for (one, other), length in through.items():
        if length <= limit:
            tight.setdefault(one, []).append(other)
    best = [_allocation(path, order) for path in _some_paths(tight, end, most + 1)]
    beyond = {pair: length for pair, length in through.items() if length > limit}
    runner_up = None
    if beyond:
        one, other = min(beyond, key=lambda pair: (beyond[pair], pair))
        path = nx.dijkstra_path(graph, _START, one) + nx.dijkstra_path(graph, other, end)
        runner_up = _allocation(path[1:-1], order)
    return ChainResult(value, tuple(best[:most]), len(best) <= most, runner_up)


def _layered(problem: Problem, order: list[int], task_s: Floats) -> nx.DiGraph[Node]:
    """Node (k, m): the k-th task on machine m; an edge costs the transfer and the next task."""
    import networkx as nx  # noqa: PLC0415 - slow to import: when it is needed

    costs = problem.costs
    graph: nx.DiGraph[Node] = nx.DiGraph()
    entering = {int(target): flow for flow, target in enumerate(costs.targets)}
    machines = task_s.shape[1]
    for layer, task in enumerate(order):
        between = pair_seconds(costs.flows, entering[task]) if layer else None
        for machine in np.flatnonzero(np.isfinite(task_s[task])).tolist():
            seconds = float(task_s[task, machine])
            if between is None:
                graph.add_edge(_START, (0, machine), weight=seconds)
                continue
            transfer = between[:, machine]
            for before in np.flatnonzero(np.isfinite(transfer)).tolist():
                if graph.has_node((layer - 1, before)):
                    weight = float(transfer[before]) + seconds
                    graph.add_edge((layer - 1, before), (layer, machine), weight=weight)
    for machine in range(machines):
        if graph.has_node((len(order) - 1, machine)):
            graph.add_edge((len(order) - 1, machine), (len(order), 0), weight=0.0)
    return graph


def _weights(graph: nx.DiGraph[Node]) -> Iterator[tuple[Node, Node, float]]:
    for one, other, attributes in graph.edges(data=True):
        yield one, other, float(attributes["weight"])


def _some_paths(tight: dict[Node, list[Node]], end: Node, most: int) -> Iterator[list[Node]]:
    """The first `most` paths along tight edges, lower machines first."""
    found = 0
    stack: list[tuple[Node, list[Node]]] = [(_START, [])]
    while stack and found < most:
        node, path = stack.pop()
        if node == end:
            found += 1
            yield path[:-1]
            continue
        stack.extend((other, [*path, other]) for other in sorted(tight[node], reverse=True))


def _allocation(path: list[Node], order: list[int]) -> tuple[int, ...]:
    allocation = [0] * len(order)
    for layer, machine in path:
        allocation[order[layer]] = machine
    return tuple(allocation)


def _suits(problem: Problem, objective: str) -> bool:
    return is_chain(problem) and fits(problem) and fetch_s(problem, objective) is not None


def _search(search: AllocationSearch) -> bool:
    result = solve(search.problem, objective=search.objective)
    if result is None:
        return False
    order = tuple(search.problem.costs.topological_order.tolist())
    feasible = [one for one in result.best if search.memory_suffices(one)]
    if not feasible:
        search.warnings.append("The shortest path exceeds a machine's memory; searched instead")
        return False
    plan = Plan(feasible[0], order, "chain")
    if search.problem.sharing == FAIR and search.objective == MAKESPAN:
        if not _met(search, result, feasible, order):
            return search.asked.strategy == "chain"
    else:
        search.prove(plan, tuple(feasible), result.complete)
    if result.runner_up is not None and search.memory_suffices(result.runner_up):
        search.offer(Plan(result.runner_up, order, "second shortest path"))
    return True


def _met(
    search: AllocationSearch,
    result: ChainResult,
    feasible: list[tuple[int, ...]],
    order: tuple[int, ...],
) -> bool:
    """Whether a shortest path takes as long when carried out: it is proved best then.

    No execution undercuts the shortest path where every transfer takes its time alone, so that it
    is a bound; several files from one task to the next come together, which is quicker.
    """
    values = [search.offer(Plan(one, order, "chain")) for one in feasible]
    if not one_by_one(search.problem):
        return False
    search.bound_s = max(search.bound_s, result.value_s)
    limit = result.value_s * (1 + ALIKE)
    met = [one for one, value in zip(feasible, values, strict=True) if value <= limit]
    if not met:
        search.warnings.append(
            "The shortest path is a bound: with contention its plan takes longer; the search "
            "continues"
        )
        return False
    search.prove(Plan(met[0], order, "chain"), tuple(met), result.complete)
    return True


def one_by_one(problem: Problem) -> bool:
    """Whether no two files go from one task to another, which would come together."""
    return all(len(files) <= 1 for _, _, files in problem.workload.use.pairs)


STRATEGY = Strategy(
    "chain",
    "Shortest path",
    "Exact for a chain of tasks on any machines",
    Role.STRUCTURE,
    _suits,
    _search,
    refusal="the workload is not a chain that fits into memory, or its later tasks wait for files "
    "from outside",
)

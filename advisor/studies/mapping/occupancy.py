"""Which cores, or nodes, a mapping leaves free, and which several processes share."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import groupby, pairwise

import numpy as np

from advisor.basics.quantities import count
from advisor.messages.mapping.mapping_problem import MappingProblem
from advisor.messages.mapping.orders import Mapping
from advisor.studies.study import Table
from machines.arrays import Ints
from machines.multicore import node_at, nodes_of

_LISTED = 4  # groups of nodes in a sentence


def occupied(problem: MappingProblem, mapping: Mapping) -> Ints:
    """Processes on every core of every node in turn."""
    cores = problem.network.size // problem.sharing
    return np.bincount(problem.core_of(mapping), minlength=cores)


def occupancy_sentences(problem: MappingProblem, mapping: Mapping) -> tuple[str, ...]:
    """Such as "8 cores stay free: 4–7 of nodes 0–1" and "2 cores are shared: 0–1 of node 0"."""
    taken = occupied(problem, mapping)
    what = "core" if problem.cores > 1 else "node"
    said = []
    free, shared = (np.flatnonzero(which) for which in (taken == 0, taken > 1))
    if len(free):
        stay = "stays" if len(free) == 1 else "stay"
        said.append(f"{count(len(free), what)} {stay} free: {_listed(problem, free)}.")
    if len(shared):
        most = int(taken.max())
        verb = "is" if len(shared) == 1 else "are"
        said.append(
            f"{count(len(shared), what)} {verb} shared by {'up to ' if most > 2 else ''}{most} "
            f"processes each: {_listed(problem, shared)}."
        )
    return tuple(said)


def occupancy_table(problem: MappingProblem, mapping: Mapping) -> tuple[Table, ...]:
    """Nodes that have free or shared cores, those alike that follow each other in one row."""
    taken = occupied(problem, mapping)
    if problem.cores == 1 or (taken == 1).all():
        return ()
    node, _ = _homes(problem)
    bounds = np.searchsorted(node, np.arange(nodes_of(problem.network).size + 1))
    per_node = [tuple(taken[low:high].tolist()) for low, high in pairwise(bounds)]
    rows = []
    for counts, group in groupby(enumerate(per_node), lambda pair: pair[1]):
        nodes = [number for number, _ in group]
        free = [at for at, many in enumerate(counts) if many == 0]
        shared = [at for at, many in enumerate(counts) if many > 1]
        if free or shared:
            rows.append((_ranges(nodes), sum(counts), _ranges(free), _ranges(shared)))
    columns = (("nodes", ""), ("processes each", ""), ("free cores", ""), ("shared cores", ""))
    return (Table("Free and shared cores", columns, tuple(rows)),)


def _homes(problem: MappingProblem) -> tuple[Ints, Ints]:
    """(node, number on it) of every core."""
    first = np.arange(problem.network.size // problem.sharing) * problem.sharing
    node = node_at(problem.network, first)
    return node, np.arange(len(node)) - np.searchsorted(node, node)


def _listed(problem: MappingProblem, cores: Ints) -> str:
    """Cores by node: "4–7 of nodes 0–1"; nodes of one core by number."""
    if problem.cores == 1:
        return _ranges(cores.tolist())
    node, core = _homes(problem)
    on: dict[int, list[int]] = {}
    for at in cores.tolist():
        on.setdefault(int(node[at]), []).append(int(core[at]))
    groups = []
    for which, group in groupby(on.items(), lambda pair: tuple(pair[1])):
        nodes = [number for number, _ in group]
        groups.append(f"{_ranges(which)} of node{'s' if len(nodes) > 1 else ''} {_ranges(nodes)}")
    more = (
        f"; and on {len(groups) - _LISTED:,} more groups of nodes" if len(groups) > _LISTED else ""
    )
    return "; ".join(groups[:_LISTED]) + more


def _ranges(numbers: Sequence[int]) -> str:
    """Increasing numbers as "0–3, 7"."""
    parts = []
    for _, group in groupby(enumerate(numbers), lambda pair: pair[1] - pair[0]):
        run = [number for _, number in group]
        parts.append(f"{run[0]}" if len(run) == 1 else f"{run[0]}–{run[-1]}")
    return ", ".join(parts[:12]) + (
        f" and {len(parts) - 12:,} more ranges" if len(parts) > 12 else ""
    )

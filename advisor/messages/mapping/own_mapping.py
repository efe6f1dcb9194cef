"""The user's own mapping as text: "3, 0, 2", or with cores "3:1, 3:0, 2:0"."""

from __future__ import annotations

import re
from collections import Counter

import numpy as np

from advisor.messages.mapping.mapping_problem import MappingProblem
from advisor.messages.mapping.orders import Mapping, checked, fits
from machines.errors import InputError
from machines.multicore import node_at, nodes_of, places_at

_ENTRY = re.compile(r"([0-9]{1,9})(?::([0-9]{1,9}))?")


def own_mapping(problem: MappingProblem, text: str) -> Mapping:
    """The places that a text gives: the node of each process, or its node and core.

    Raises
    ------
    InputError
        No such entries, not one for each process, or a node or core that is none or full.
    """
    network, processes = problem.network, problem.communication.processes
    found = [_ENTRY.fullmatch(entry) for entry in re.split(r"[\s,;]+", text.strip(" ,;[]"))]
    pairs = [(int(each[1]), each[2]) for each in found if each is not None]
    with_core = sum(core is not None for _, core in pairs)
    if len(pairs) != len(found) or with_core not in {0, len(pairs)}:
        raise InputError(
            "these are no node numbers", value=text,
            remedy="Give the node of each process, such as 0, 1, 3, 2, or all with their cores: "
            "0:0, 0:1, 3:0",
        )  # fmt: skip
    if not with_core:
        return checked(network, processes, [node for node, _ in pairs], problem.sharing)
    fits(network, processes)
    if len(pairs) != processes:
        raise InputError(
            f"the mapping has {len(pairs)} nodes, not one for each of {processes} processes",
            where="mapping", remedy="Give one node for each process",
        )  # fmt: skip
    taken: Counter[int] = Counter()
    return tuple(
        _place(problem, process, node, int(core), taken)
        for process, (node, core) in enumerate(pairs)
    )


def _place(problem: MappingProblem, process: int, node: int, core: int, taken: Counter[int]) -> int:
    """The next place of a core of a node."""
    network, sharing = problem.network, problem.sharing
    many = nodes_of(network).size
    cores = len(places_at(network, node)) // sharing if node < many else 0
    where = f"mapping, process {process}"
    if core >= cores:
        wrong = "no such core" if node < many else "no such node"
        most = cores if node < many else many
        raise InputError(
            wrong, where=where, value=f"{node}:{core}", remedy=f"Allowed: 0 to {most - 1}"
        )
    first = places_at(network, node)[core * sharing]
    turn = taken[first]
    if turn == sharing:
        each = "a process" if sharing == 1 else f"{sharing} processes"
        raise InputError(f"this core has {each} already", where=where, value=f"{node}:{core}")
    taken[first] += 1
    return first + turn


def own_text(problem: MappingProblem, mapping: Mapping) -> str:
    """A mapping as `own_mapping` reads it; with cores where it matters which of a node they are."""
    nodes = node_at(problem.network, mapping).tolist()
    if problem.sharing == problem.sockets == 1 and problem.computing is None:
        return ",".join(map(str, nodes))
    first = np.array([places_at(problem.network, node)[0] for node in nodes])
    cores = (np.array(mapping) - first) // problem.sharing
    return ",".join(f"{node}:{core}" for node, core in zip(nodes, cores.tolist(), strict=True))

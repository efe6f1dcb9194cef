"""Which node each process of a program takes: a named order, the best that swaps find, or nodes.

The mapping that swaps find for a program's messages, as one that its cost can ask for.

`advisor.messages.mapping.optimise` with a fixed effort and the program's seed: the same program on
the same network always gets the same nodes.
"""

from __future__ import annotations

from collections.abc import Hashable
from dataclasses import replace
from functools import lru_cache
from typing import Any, cast

import numpy as np

from advisor.messages.mapping.mapping_measures import BUSIEST
from advisor.messages.mapping.mapping_problem import mapping_problem
from advisor.messages.mapping.optimise import optimise
from advisor.messages.mapping.orders import Mapping, standard_mappings
from advisor.messages.mapping.process_communication import communication
from advisor.messages.networks import ORDER_NAMES
from advisor.programs.choices.program_choice import CHOOSE, ProgramChoice
from machines import InputError, Machine
from machines.arrays import Floats
from machines.checks import repeated, whole
from machines.formats.fields import suggestion
from machines.interconnect import LogGP, Shape
from machines.network import Network

OPTIMISED = "optimised"
_EFFORT_S = 0.006  # few enough looks to need no compiled code
_FREE = LogGP(L=0.0, o_s=0.0, o_r=0.0, g=0.0, G=1.0)  # the busiest channel knows no costs


def optimised_mapping(network: Network, traffic: Floats, seed: int) -> Mapping:
    """The node of every process that loads the busiest channel least, as far as swaps find.

    `traffic`: shape (P, P); how much each process sends to each other. `seed`: of the random moves.
    """
    return _found(cast("Shape", network), traffic.tobytes(), len(traffic), seed)


@lru_cache(maxsize=32)
def _found(network: Shape, content: bytes, processes: int, seed: int) -> Mapping:
    traffic = np.frombuffer(content).reshape(processes, processes)
    sources, targets = np.nonzero(traffic)
    sent = communication("program", processes, sources, targets, traffic[sources, targets])
    problem = mapping_problem(sent, network)
    return optimise(problem, _FREE, BUSIEST, _EFFORT_S, seed).mapping


MAPPING_NAMES = (*ORDER_NAMES, OPTIMISED)
MOST_OPTIMISED = 1024  # processes; beyond, only the orders are tried


def mapping_from(value: object) -> Hashable:
    """The mapping that a file gives: a name, or the node of every process."""
    if isinstance(value, list | tuple):
        nodes = tuple(whole("node", node, where="mapping") for node in value)
        twice = repeated(nodes)
        if twice is not None:
            raise InputError(
                "two processes are on one node", where="mapping", value=twice,
                remedy="Give every process a node of its own",
            )  # fmt: skip
        return nodes
    known = (CHOOSE, *MAPPING_NAMES)
    if not isinstance(value, str) or value not in known:
        remedy = suggestion(str(value), known)
        raise InputError("unknown order", where="mapping", value=value, remedy=remedy)
    return value


def mapping_table(value: object) -> object:
    """What a file holds of a mapping."""
    return list(value) if isinstance(value, tuple) else value


def mapping_words(value: object) -> str:
    """Its name; "own nodes" of one that has none."""
    if isinstance(value, str):
        return "row-major" if value == CHOOSE else value
    return "own nodes"


def _options(program: Any, machine: Machine) -> tuple[Hashable, ...]:
    """The orders that the network allows, then what swaps find, where swaps can matter."""
    net = machine.network
    if net is None:
        return ()
    processes = net.network.size if program.processes is None else program.processes
    orders = tuple(name for name, _ in standard_mappings(net.network, processes))
    if processes > MOST_OPTIMISED or not program.swaps_matter:
        return orders
    return (*orders, OPTIMISED)


def _neighbours(program: Any, machine: Machine, value: object) -> tuple[Hashable, ...]:
    return tuple(one for one in _options(program, machine) if one != value)


MAPPING = ProgramChoice(
    name="mapping",
    title="Mapping",
    help="The node of every process: row-major, snake (every other row backwards), gray, hilbert "
    "(near processes stay near), random, optimised (by swaps), or node by node",
    is_open=lambda program: program.mapping == CHOOSE,
    applied=lambda program, value: replace(program, mapping=value),
    present=lambda program, _machine: program.order,
    options=_options,
    neighbours=_neighbours,
    read=mapping_from,
    write=mapping_table,
    words=mapping_words,
)

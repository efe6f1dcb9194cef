"""The mapping that swaps find for a program's messages, as one that its cost can ask for.

`advisor.messages.mapping.optimise` with a fixed effort and the program's seed: the same program on
the same network always gets the same nodes.
"""

from __future__ import annotations

from functools import lru_cache
from typing import cast

import numpy as np

from advisor.messages.mapping.communication import communication
from advisor.messages.mapping.measures import BUSIEST
from advisor.messages.mapping.optimise import optimise
from advisor.messages.mapping.orders import Mapping
from advisor.messages.mapping.problem import mapping_problem
from machines.arrays import Floats
from machines.loggp import LogGP
from machines.network import Network
from machines.shapes import Shape

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

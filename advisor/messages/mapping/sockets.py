"""Sockets of nodes, or NUMA domains: which flows cross them, and who sits beside whom.

The cores of a node are its sockets' in turn, as launchers count them. To the network all cores of a
node are the same, so that the processes of each node are parted among its sockets last: starting
from their order, two change places as long as fewer bytes cross (Kernighan & Lin 1970).
"""

from __future__ import annotations

import numpy as np

from advisor.basics.rounding import ALIKE
from advisor.messages.mapping.mapping_problem import MappingProblem
from advisor.messages.mapping.orders import Mapping
from machines.arrays import Floats, Ints
from machines.multicore import node_at, places_at


def by_sockets(problem: MappingProblem, mapping: Mapping) -> Mapping:
    """The same processes on each node, parted so that few bytes cross its sockets."""
    if problem.sockets == 1:
        return mapping
    places = np.array(mapping)
    flows = problem.communication
    node = node_at(problem.network, places)
    inside = np.flatnonzero(node[flows.sources] == node[flows.targets])
    for each in np.unique(node[flows.sources[inside]]).tolist():
        here = inside[node[flows.sources[inside]] == each]
        room = np.array(places_at(problem.network, each))
        holder = np.full(len(room), -1)  # the process on each core; −1: none
        mine = np.flatnonzero(node == each)
        holder[places[mine] - room[0]] = mine
        bytes_ = np.zeros((len(room), len(room)))
        core = places - room[0]
        np.add.at(
            bytes_, (core[flows.sources[here]], core[flows.targets[here]]), flows.size_bytes[here]
        )
        after = holder[_parted(bytes_ + bytes_.T, problem.socket_of(room))]
        full = after >= 0
        places[after[full]] = room[full]
    return tuple(places.tolist())


def _parted(weight: Floats, socket: Ints) -> Ints:
    """Who comes to each core, by the core where it was: swaps that gain most, until none does.

    `weight`: bytes between two cores, (cores, cores). `socket`: of each core, from 0 on.
    """
    now = socket.copy()  # of who was on each core
    every = np.arange(len(now))
    for _ in every:
        towards = weight @ (now[:, None] == np.arange(now.max() + 1))
        nearer = towards[:, now] - towards[every, now][:, None]  # i in the socket of j
        gain = nearer + nearer.T - 2.0 * weight
        one, other = divmod(int(gain.argmax()), len(now))
        if gain[one, other] <= ALIKE * weight.sum():
            break
        now[[one, other]] = now[[other, one]]
    return np.argsort(now, kind="stable")

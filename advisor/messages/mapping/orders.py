"""Orders in which processes take the nodes of a network: fixed curves, random, the user's own.

A mapping is a tuple: process p runs on node mapping[p], each node taken at most once. An order
is the mapping of as many processes as there are nodes; fewer processes take its beginning.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Sequence

import numpy as np

from advisor.messages.mapping.hilbert import hilbert_points
from machines.checks import whole
from machines.errors import InputError
from machines.multicore import cores_of, nodes_of
from machines.network import Network

Mapping = tuple[int, ...]
Order = Callable[[Network], Mapping]


def row_major(network: Network) -> Mapping:
    """Process p on node p: the default of most launchers."""
    return tuple(range(network.size))


def snake(network: Network) -> Mapping:
    """Row by row, every other row backwards, so that successive processes are neighbours.

    The reflected Gray code in the mixed radix of the dimensions.
    """
    nodes = [0]
    stride = 1
    for k in network.dims:
        forwards, backwards = nodes, nodes[::-1]
        nodes = [
            node + along * stride
            for along in range(k)
            for node in (backwards if along % 2 else forwards)
        ]
        stride *= k
    return tuple(nodes)


def gray(network: Network) -> Mapping:
    """The Gray-coded curve: p's Gray code holds the interleaved bits of its node's coordinates.

    On a hypercube successive processes are neighbours, the last and the first, too. Faloutsos,
    "Gray codes for partial match and range queries", 1988.
    """
    for k in network.dims:
        if k & (k - 1):
            raise InputError(
                "the Gray order needs dimensions that are powers of two",
                where=network.kind,
                value=network.dims,
                remedy="Use hilbert or snake",
            )
    widths = [k.bit_length() - 1 for k in network.dims]
    shifts = np.cumsum([0, *widths])
    # where each bit of the code goes in the node's number, lowest bits of all dimensions first
    places = [int(shifts[axis]) + bit for bit in range(max(widths)) for axis in range(len(widths))
              if bit < widths[axis]]  # fmt: skip
    codes = (p ^ p >> 1 for p in range(network.size))
    return tuple(
        sum((code >> bit & 1) << place for bit, place in enumerate(places)) for code in codes
    )


def hilbert(network: Network) -> Mapping:
    """Along a Hilbert curve, which keeps near processes near in every dimension."""
    strides = np.cumprod([1, *network.dims[:-1]])
    return tuple(int(np.dot(point, strides)) for point in hilbert_points(network.dims))


def shuffled(network: Network, seed: int) -> Mapping:
    """At random."""
    whole("seed", seed, where="random order")
    return tuple(np.random.default_rng(seed).permutation(network.size).tolist())


ORDERS: dict[str, Order] = {
    "row-major": row_major,
    "snake": snake,
    "gray": gray,
    "hilbert": hilbert,
}
"""The fixed orders, by their names on the command line."""


def standard_mappings(network: Network, processes: int) -> Iterator[tuple[str, Mapping]]:
    """(name, mapping) of every fixed order that the network allows."""
    fits(network, processes)
    for name, order in ORDERS.items():
        try:
            mapping = order(network)[:processes]
        except InputError:  # e.g. no power of two
            continue
        yield name, mapping


def fits(network: Network, processes: int) -> None:
    """InputError unless every process can have a node of its own."""
    if processes > network.size:
        nodes, cores = nodes_of(network), cores_of(network)
        needed = -(-processes // nodes.size)
        where = f"{nodes.size} nodes" + (f" of {cores} cores" if cores > 1 else "")
        raise InputError(
            f"{processes} processes do not fit on {where}",
            where=f"{nodes.kind} {'×'.join(map(str, nodes.dims))}",
            remedy=f"One process a core: take a larger network, fewer processes or cores={needed}, "
            "if nodes have as many",
        )


def checked(network: Network, processes: int, nodes: Sequence[int]) -> Mapping:
    """The user's own mapping, if it gives every process a node of its own, or a core of one.

    `nodes`: node of every process; with several cores a node, as many times as it has cores.
    """
    fits(network, processes)
    if len(nodes) != processes:
        raise InputError(
            f"the mapping has {len(nodes)} nodes, not one for each of {processes} processes",
            where="mapping",
            remedy="Give one node for each process",
        )
    cores, many = cores_of(network), nodes_of(network).size
    taken: dict[int, int] = {}
    used: Counter[int] = Counter()
    for process, given in enumerate(nodes):
        where = f"mapping, process {process}"
        node = whole("node", given, where=where)
        if node >= many:
            raise InputError(
                "no such node", where=where, value=node, remedy=f"Allowed: 0 to {many - 1}"
            )
        place = node * cores + used[node]
        if used[node] == cores:
            wrong = f"this node has process {taken[place - 1]} already"
            if cores > 1:
                wrong = f"this node has {cores} cores, all of them taken"
            raise InputError(wrong, where=where, value=node)
        used[node] += 1
        taken[place] = process
    return tuple(taken)

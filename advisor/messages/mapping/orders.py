"""Orders in which processes take the nodes of a network: fixed curves, random, the user's own.

A mapping is a tuple: process p runs on node mapping[p], each node taken at most once. An order
is the mapping of as many processes as there are nodes; fewer processes take its beginning.

Hilbert curves through every point of a grid.

Rectangles of any size get a curve of their own, whose steps join neighbours but for one diagonal
where an odd side leaves no other way. Other grids take the points of the enclosing cube in its
order: from neighbour to neighbour when all sides are one power of two.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from itertools import product

import numpy as np

from machines.checks import whole
from machines.errors import InputError
from machines.multicore import MultiCore, counts_of, nodes_of, places_at, unequal, with_cores
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


def standard_mappings(
    network: Network, processes: int, sharing: int = 1
) -> Iterator[tuple[str, Mapping]]:
    """(name, mapping) of every fixed order that the network allows.

    `sharing`: places of each core, of which no more are used than the processes need.
    """
    fits(network, processes)
    used = _Layers.of(network, processes, sharing)
    for name, order in ORDERS.items():
        try:
            mapping = used.places(in_order(used.network, order)[:processes])
        except InputError:  # e.g. no power of two
            continue
        yield name, mapping


def drawn(network: Network, processes: int, seed: int, sharing: int = 1) -> Mapping:
    """Places at random, of no more for each core than the processes need."""
    used = _Layers.of(network, processes, sharing)
    return used.places(shuffled(used.network, seed)[:processes])


@dataclass(frozen=True)
class _Layers:
    """A network whose cores have as many places as processes need, of more that they may take."""

    network: Network
    layers: int
    sharing: int

    @classmethod
    def of(cls, network: Network, processes: int, sharing: int) -> _Layers:
        layers = max(1, -(-processes // (network.size // sharing)))
        if layers == sharing:
            return cls(network, layers, sharing)
        counts = counts_of(network)
        few = [count // sharing * layers for count in counts]
        nodes = nodes_of(network)
        return cls(with_cores(nodes, few[0] if len(set(few)) == 1 else few), layers, sharing)

    def places(self, mapping: Mapping) -> Mapping:
        if self.layers == self.sharing:
            return mapping
        core, layer = np.divmod(np.array(mapping), self.layers)
        return tuple((core * self.sharing + layer).tolist())


def in_order(network: Network, order: Order) -> Mapping:
    """All places of a network in an order; of unequal nodes that of the places there are."""
    if not unequal(network):
        return order(network)
    cores = network.cores
    node, core = np.divmod(np.array(order(MultiCore(network.network, cores))), cores)
    return tuple((network.first[node] + core)[core < np.array(network.counts)[node]].tolist())


def fits(network: Network, processes: int) -> None:
    """InputError unless every process can have a node of its own."""
    if processes > network.size:
        nodes, counts = nodes_of(network), counts_of(network)
        needed = -(-processes // nodes.size)
        least, most = min(counts), max(counts)
        each = f"{most}" if least == most else f"{least} to {most}"
        where = f"{nodes.size} nodes" + (f" of {each} cores" if most > 1 else "")
        raise InputError(
            f"{processes} processes do not fit on {where}",
            where=f"{nodes.kind} {'×'.join(map(str, nodes.dims))}",
            remedy=f"One process a core: take a larger network, fewer processes, cores={needed}, "
            "if nodes have as many, or several processes a core, per_core=",
        )


def checked(network: Network, processes: int, nodes: Sequence[int], sharing: int = 1) -> Mapping:
    """The user's own mapping, if it gives every process a node of its own, or a core of one.

    `nodes`: node of every process; with several cores a node, as many times as it has cores.
    `sharing`: processes that a core may take, of which the cores of a node get as few as they can.
    """
    fits(network, processes)
    if len(nodes) != processes:
        raise InputError(
            f"the mapping has {len(nodes)} nodes, not one for each of {processes} processes",
            where="mapping",
            remedy="Give one node for each process",
        )
    many = nodes_of(network).size
    taken: dict[int, list[int]] = {}
    for process, given in enumerate(nodes):
        where = f"mapping, process {process}"
        node = whole("node", given, where=where)
        if node >= many:
            raise InputError(
                "no such node", where=where, value=node, remedy=f"Allowed: 0 to {many - 1}"
            )
        there, most = taken.setdefault(node, []), len(places_at(network, node))
        if len(there) == most:
            wrong = f"this node has {most} cores, all of them taken"
            if sharing > 1:
                wrong = f"this node takes {most} processes, {sharing} a core"
            elif most == 1:
                wrong = f"this node has process {there[0]} already"
            raise InputError(wrong, where=where, value=node)
        there.append(process)
    found = [0] * processes
    for node, there in taken.items():
        places = places_at(network, node)
        layers = -(-len(there) // (len(places) // sharing))
        for turn, process in enumerate(there):
            core, layer = divmod(turn, layers)
            found[process] = places[core * sharing + layer]
    return tuple(found)


Point = tuple[int, ...]


def hilbert_points(dims: Sequence[int]) -> list[Point]:
    """All points of the grid 0 ≤ x[axis] < dims[axis], along the curve."""
    sides = [axis for axis, k in enumerate(dims) if k > 1]
    if len(sides) != 2:
        return _enclosed(dims)
    across, along = sorted(sides, key=lambda axis: dims[axis])
    points = []
    for at in _rectangle(0j, complex(dims[along]), complex(0, dims[across])):
        point = [0] * len(dims)
        point[along], point[across] = int(at.real), int(at.imag)
        points.append(tuple(point))
    return points


def _rectangle(corner: complex, main: complex, side: complex) -> Iterator[complex]:
    """Points of the rectangle spanned from a corner, ending at the far end of `main`.

    A long rectangle is cut across its main side; else the curve goes up the first half of
    `main`, along the far part of `side`, and comes back down: Hilbert's step for any sides.
    """
    length, width = int(abs(main)), int(abs(side))
    ahead, up = main / length, side / width
    if width == 1 or length == 1:
        step = ahead if width == 1 else up
        yield from (corner + step * count for count in range(max(length, width)))
        return
    half, rise = length // 2, width // 2
    if 2 * length > 3 * width:
        half += half % 2 and length > 2  # even parts join by a straight step
        first = half * ahead
        yield from _rectangle(corner, first, side)
        yield from _rectangle(corner + first, main - first, side)
        return
    rise += rise % 2 and width > 2
    low, first = rise * up, half * ahead
    yield from _rectangle(corner, low, first)
    yield from _rectangle(corner + low, main, side - low)
    end = corner + (main - ahead) + (low - up)
    yield from _rectangle(end, -low, first - main)


def _enclosed(dims: Sequence[int]) -> list[Point]:
    """Points in the order of the curve through the smallest enclosing cube of 2^bits a side."""
    bits = max(k - 1 for k in dims).bit_length()
    return sorted(product(*(range(k) for k in dims)), key=lambda point: _rank(point, bits))


def _rank(point: Point, bits: int) -> int:
    """Where the curve meets a point. Skilling, "Programming the Hilbert curve", 2004."""
    x = list(point)
    high = 1 << max(bits - 1, 0)
    bit = high
    while bit > 1:  # undo the turns of the coarser levels
        low = bit - 1
        for axis in range(len(x)):
            if x[axis] & bit:
                x[0] ^= low
            else:
                swapped = (x[0] ^ x[axis]) & low
                x[0] ^= swapped
                x[axis] ^= swapped
        bit >>= 1
    for axis in range(1, len(x)):
        x[axis] ^= x[axis - 1]
    turn, bit = 0, high
    while bit > 1:
        turn ^= (bit - 1) if x[-1] & bit else 0
        bit >>= 1
    rank = 0
    for level in reversed(range(bits)):
        for along in x:
            rank = rank << 1 | ((along ^ turn) >> level & 1)
    return rank

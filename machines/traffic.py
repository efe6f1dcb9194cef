"""Which channels messages take, and how much each channel carries.

`routes_of` holds where messages go next for all pairs of nodes, so that the loads of any traffic
and of any mapping of processes to nodes are sums over the ways that they take.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property, lru_cache

import numpy as np
from numpy.typing import ArrayLike

from machines.arrays import Floats, Indices, Ints
from machines.dragonfly import Dragonfly
from machines.errors import InputError
from machines.fat_tree import FatTree
from machines.multicore import cores_of, counts_of, nodes_of, unequal
from machines.network import Channel, Crossbar, Network
from machines.route_tables import Shorts, tables_of
from machines.stopping import ask
from machines.ways import Ways, tree_routes

MOST_PLACES = 2**17
"""Nodes, or cores of all nodes, that processes are mapped to at most."""

_MOST_TABLED = 2048  # hosts of a fat tree whose tables are read faster than levels
_MOST_BYTES = 2**29  # of the tables of a network
_STEP, _CHANNEL = 6, 108  # bytes of a pair of nodes, and of a channel with its two numbers
_WALKED = 1 << 16  # pairs up to which each is followed on its own
_CELLS = 1 << 16  # of the tables that are added up at once: arrays that stay in the cache
_CHECKED = 1 << 20  # numbers that are looked at between two looks whether to stop


@dataclass(frozen=True, eq=False)
class Routes(Ways):
    """The routes of all ordered pairs of nodes of a network of P nodes, by tables.

    Attributes
    ----------
    row, ways, away : arrays
        Of the nodes, not of places (`machines.route_tables.Tables`).
    """

    row: Indices
    ways: Shorts
    away: Shorts

    def lengths(self, at: Ints | Indices, goal: Ints | Indices) -> Shorts:
        """Hops from nodes to nodes."""
        found: Shorts = self.away[at, goal]
        return found

    def steps(self, at: Ints | Indices, goal: Ints | Indices) -> Indices:
        """The channels that messages to other nodes take next."""
        found: Indices = self.out[at] + self.ways[self.row[at], goal]
        return found

    def __reduce__(self) -> tuple[object, tuple[Network]]:
        """A pickle holds the network alone, from which the tables follow."""
        return _routes_again, (self.network,)

    @cached_property
    def hops(self) -> Shorts:
        """Hops between all pairs of nodes, (P, P)."""
        lengths, counts = self.away, counts_of(self.network)
        if cores_of(self.network) > 1:
            lengths = lengths.repeat(counts, axis=0).repeat(counts, axis=1)
            lengths.flags.writeable = False
        return lengths


def fits_tables(network: Network) -> None:
    """InputError if the tables of all routes would be too large: what `routes_of` refuses."""
    nodes = nodes_of(network)
    pairs = nodes.size**2
    needed = pairs * _STEP + _CHANNEL * _mesh_of_all(nodes)
    if needed > _MOST_BYTES:
        most = int((_MOST_BYTES / (needed / pairs)) ** 0.5)
        raise InputError(
            f"{nodes.size:,} nodes need tables of some {needed / 2**30:,.1f} GiB",
            where=nodes.kind,
            value=nodes.dims,
            remedy=f"At most {_MOST_BYTES / 2**30:g} GiB, some {most:,} nodes",
        )


def fits_places(network: Network) -> None:
    """InputError if a mapping knows no routes of so many cores: what `ways_of` refuses."""
    if not isinstance(nodes_of(network), FatTree):
        fits_tables(network)
    if network.size > MOST_PLACES:
        what = "places of processes" if cores_of(network) > 1 else "nodes"
        raise InputError(
            f"{network.size:,} {what} are too many",
            where=nodes_of(network).kind,
            value=network.dims,
            remedy=f"Allowed: up to {MOST_PLACES:,}",
        )


def _mesh_of_all(network: Network) -> int:
    """Channels between all of some nodes, routers or groups, which may be millions; of others 0."""
    if isinstance(network, Crossbar):
        return network.size**2
    if isinstance(network, Dragonfly):
        _, routers, groups = network.dims
        return groups * routers**2 + groups**2
    return 0


def routes_of(network: Network) -> Routes:
    """The routes of all ordered pairs of nodes.

    Raises
    ------
    InputError
        A network whose tables would need more than half a GiB.
    """
    fits_tables(network)
    tables = tables_of(nodes_of(network))
    for table in tables:
        table.flags.writeable = False
    return Routes(network, tables.out, tables.heads, tables.row, tables.ways, tables.away)


def ways_of(network: Network) -> Ways:
    """The routes of a network, those of a large fat tree by its levels and without tables.

    Raises
    ------
    InputError
        More than `MOST_PLACES` nodes or cores, or a network whose tables would be too large.
    """
    fits_places(network)
    nodes = nodes_of(network)
    large = isinstance(nodes, FatTree) and nodes.size > _MOST_TABLED
    return tree_routes(network) if large else routes_of(network)


@lru_cache(maxsize=1)
def _routes_again(network: Network) -> Routes:
    """The routes of the network that was read last: pieces of work that share it come together."""
    return routes_of(network)


def channel_loads(routes: Routes, traffic: ArrayLike) -> Floats:
    """How much each channel carries.

    Parameters
    ----------
    routes : Routes
        Of a network of P nodes.
    traffic : array_like, (P, P)
        From node i (row) to node j (column), ≥ 0: messages, bytes, or either in a unit of time;
        the diagonal does not enter the network.

    Returns
    -------
    float array, (channels,)
        The sum over the pairs that use the channel, in the order of `network.channels`.

    Raises
    ------
    InputError
        Traffic of another shape, negative or not finite.
    """
    rates = checked_traffic(traffic, routes.network.size)
    nodes, cores = nodes_of(routes.network).size, cores_of(routes.network)
    first = np.arange(nodes) * cores
    if unequal(routes.network):
        first = routes.network.first
        rates = _by_node(rates, first)
    elif cores > 1:
        rates = rates.reshape(nodes, cores, nodes, cores).sum(axis=(1, 3))
    if np.count_nonzero(rates) > _WALKED:
        return _gathered(routes, rates)
    sources, targets = np.nonzero(rates)
    return routes.loads(first[sources], first[targets], rates[sources, targets])[0]


def _by_node(rates: Floats, first: Ints) -> Floats:
    """Traffic between nodes, from that between places; node k begins at place `first[k]`."""
    nodes = len(first) - 1
    node = np.repeat(np.arange(nodes), np.diff(first))
    rows = np.zeros((nodes, len(rates)))
    np.add.at(rows, node, rates)
    found = np.zeros((nodes, nodes))
    np.add.at(found.T, node, rows.T)
    return found


def _gathered(routes: Routes, rates: Floats) -> Floats:
    """Loads of much traffic: what goes to a target gathers on its way, the farthest first."""
    vertices, nodes = len(routes.row), routes.ways.shape[1]
    loads, rows = np.zeros(len(routes.heads)), max(1, _CELLS // vertices)
    for begin in range(0, nodes, rows):
        ask()
        ways = routes.ways[:, begin : begin + rows].T[:, routes.row]
        steps = (routes.out + ways).reshape(-1)
        away = _far(routes, begin, steps.reshape(ways.shape))
        flow = np.zeros((len(steps) // vertices, vertices))
        flow[:, :nodes] = rates[:, begin : begin + rows].T
        carried = flow.reshape(-1)
        nearest = np.argsort(away, kind="stable")
        bounds = np.searchsorted(away[nearest], np.arange(int(away.max(initial=0)) + 2))
        following = nearest // vertices * vertices + routes.heads[steps[nearest]]
        for first, last in zip(bounds[-2:1:-1], bounds[:2:-1], strict=True):
            np.add.at(carried, following[first:last], carried[nearest[first:last]])
        moving = nearest[bounds[1] :]
        loads += np.bincount(steps[moving], carried[moving], minlength=len(loads))
    return loads


def _far(routes: Routes, begin: int, steps: Indices) -> Shorts:
    """Channels to some targets, from node `begin` on, from all vertices on the ways there, flat.

    −1 from other vertices; `steps` (targets, V) has what messages take.
    """
    targets, vertices = steps.shape
    nodes = routes.ways.shape[1]
    away = np.full((targets, vertices), -1, np.int16)
    away[:, :nodes] = routes.away[:, begin : begin + targets].T
    far, following = away.reshape(-1), routes.heads[steps] + vertices * np.arange(targets)[:, None]
    moving = np.flatnonzero(far > 0) if vertices > nodes else np.zeros(0, np.int64)
    while len(moving):
        after = following.reshape(-1)[moving]
        new = far[after] < 0
        far[after[new]] = far[moving[new]] - 1
        moving = np.unique(after[new])
    return far


def busiest(routes: Routes, loads: Floats) -> tuple[Channel | None, float]:
    """The channel (u, v) of the greatest load, the first on a tie, and that load.

    Without any load there is no such channel: (None, 0.0).
    """
    if not len(loads) or loads.max() <= 0.0:
        return None, 0.0
    position = int(np.argmax(loads))
    return routes.network.channels[position], float(loads[position])


def checked_traffic(traffic: ArrayLike, nodes: int) -> Floats:
    """`traffic` as a float array of (nodes, nodes), finite and ≥ 0; InputError otherwise."""
    try:
        rates = np.asarray(traffic, dtype=float)
    except (TypeError, ValueError) as error:
        raise InputError("traffic must be a matrix of numbers", where="traffic") from error
    if rates.shape != (nodes, nodes):
        raise InputError(
            "traffic must have a row and a column for each node",
            where="traffic",
            value=rates.shape,
            remedy=f"Expected: {nodes} × {nodes}",
        )
    rows = max(1, _CHECKED // max(nodes, 1))
    for begin in range(0, nodes, rows):
        if begin:
            ask()
        part = rates[begin : begin + rows]
        fine = (part >= 0.0) & (part < np.inf)
        if not fine.all():
            i, j = (int(place) for place in np.argwhere(~fine)[0])
            raise InputError(
                "traffic must be finite and ≥ 0",
                where=f"traffic from {begin + i} to {j}",
                value=part[i, j],
            )
    return rates

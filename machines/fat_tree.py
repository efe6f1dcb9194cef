"""Fat trees: switches in levels, with several roots that share the traffic."""

from __future__ import annotations

import math
from collections.abc import Iterable
from dataclasses import dataclass
from functools import lru_cache
from itertools import accumulate
from operator import mul

import numpy as np
from numpy.typing import NDArray

from machines.arrays import Indices, Ints
from machines.checks import whole
from machines.errors import InputError
from machines.network import Channel, node_number, walked, without_own
from machines.stopping import ask


@dataclass(frozen=True, init=False)
class FatTree:
    """A fat tree of dims[0] hosts a leaf switch, dims[1] leaf switches under each next one, ….

    A switch has as many links up as down, so that k × k × … is the k-ary n-tree; with `taper` t a
    leaf switch has but one link up for t hosts. Every host has one link. Hosts are numbered leaf
    by leaf, switches after them, level by level.

    Petrini & Vanneschi, "k-ary n-trees", 1997; Öhring et al., "Generalized fat trees", 1995.

    Attributes
    ----------
    dims : tuple of int
        Links down of the switches of each level, from the leaf switches up; ≥ 1.
    taper : int
        Hosts for each link up of a leaf switch; divides dims[0].

    Raises
    ------
    InputError
        No level, a number of links below 1, or a taper that does not divide the hosts of a leaf.
    """

    dims: tuple[int, ...]
    taper: int

    def __init__(self, dims: Iterable[int], taper: int = 1) -> None:
        sizes = tuple(whole("dims", k, low=1, where="fat tree") for k in dims)
        if not sizes:
            raise InputError("a fat tree needs a level of switches", where="fat tree", value=sizes)
        whole("taper", taper, low=1, where="fat tree")
        if sizes[0] % taper:
            raise InputError(
                f"{sizes[0]} hosts a leaf switch can't share its links up {taper} to 1",
                where="fat tree",
                value=f"{taper}:1",
                remedy="Take a number that divides the hosts of a leaf switch",
            )
        object.__setattr__(self, "dims", sizes)
        object.__setattr__(self, "taper", int(taper))

    @property
    def size(self) -> int:
        """Number of hosts."""
        return math.prod(self.dims)

    @property
    def kind(self) -> str:
        """What such networks are called: "fat tree", tapered "fat tree 2:1"."""
        return "fat tree" if self.taper == 1 else f"fat tree {self.taper}:1"

    @property
    def channels(self) -> tuple[Channel, ...]:
        """All directed channels (u, v), by u, then by v; a link is one each way."""
        return _channels(self)

    def distance(self, i: int, j: int) -> int:
        """Channels from host `i` to host `j`: up to the first switch above both, and down."""
        first = node_number("i", i, self.size, "fat tree")
        second = node_number("j", j, self.size, "fat tree")
        if first == second:
            return 0
        below = accumulate(self.dims, mul)
        return 2 * next(n for n, hosts in enumerate(below, 1) if first // hosts == second // hosts)

    def mean_distance(self, distinct: bool = False) -> float:
        """Mean channels over all ordered pairs of hosts, i = j left out if `distinct`."""
        below = [1, *accumulate(self.dims, mul)]
        total = sum(2 * n * (below[n] - below[n - 1]) for n in range(1, len(below)))
        mean = total / self.size
        return without_own(mean, self, "fat tree") if distinct else mean

    def route(self, i: int, j: int) -> list[Channel]:
        """The directed channels (u, v) from host `i` to host `j`, in order: D-mod-k routing.

        On the way up the target alone chooses the link, so that the targets below a switch spread
        evenly over its links. Zahavi, "D-mod-k routing", 2010.

        Raises
        ------
        InputError
            A host outside 0 … size − 1.
        """
        return walked(self, i, j, "fat tree")

    def next_nodes(self, here: Ints, target: Ints) -> Ints:
        """For each pair the host or switch after `here` on the way to `target`; equal: itself."""
        here, target = np.asarray(here), np.asarray(target)
        levels = levels_of(self)
        after = np.where(here < self.size, self.size + here // self.dims[0], here)
        for n, level in enumerate(levels):
            under, way = np.divmod(here - level.first, level.ways)
            if n:
                low = levels[n - 1]
                down = low.first + target // low.hosts * low.ways + way % low.ways
            else:
                down = target
            if n + 1 < len(levels):
                high = levels[n + 1]
                link = target // level.ways % (high.ways // level.ways)
                up = high.first + under // self.dims[n + 1] * high.ways + way + level.ways * link
            else:
                up = down
            on = (here >= level.first) & (here < level.first + level.switches)
            after = np.where(on, np.where(target // level.hosts == under, down, up), after)
        return np.where(here == target, here, after)


def rows_of(tree: FatTree) -> tuple[Indices, NDArray[np.int16], NDArray[np.int16]]:
    """(row, ways, away) of `machines.route_tables.Tables`, without a look at each pair.

    Switches of one level above the same hosts take the same ways: down to whom is below them, and
    up by what the target alone chooses. Hosts have one way.
    """
    size, levels = tree.size, levels_of(tree)
    targets, row = np.arange(size), [np.zeros(size, np.int32)]
    ways = np.zeros((1 + sum(size // level.hosts for level in levels), size), np.int16)
    away = np.full((size, size), 2 * len(levels), np.int16)
    first = 1
    for n, (level, down) in enumerate(zip(levels, tree.dims, strict=True)):
        if n:
            ask()
        above = size // level.hosts  # so many groups of hosts, with rows of their own
        row.append(np.repeat(np.arange(first, first + above, dtype=np.int32), level.ways))
        rows = ways[first : first + above]
        if n + 1 < len(levels):
            rows[:] = down + targets // level.ways % (levels[n + 1].ways // level.ways)
        every = np.arange(above)
        rows.reshape(above, above, -1)[every, every] = np.arange(level.hosts) * down // level.hosts
        first += above
    for n, level in reversed(list(enumerate(levels))):
        if n:
            ask()
        for begin in range(0, size, level.hosts):
            below = slice(begin, begin + level.hosts)
            away[below, below] = 2 * (n + 1)
    np.fill_diagonal(away, 0)
    return np.concatenate(row), ways, away


@dataclass(frozen=True)
class Level:
    """Switches of one level: `ways` of them are above the same `hosts` hosts."""

    first: int
    hosts: int
    ways: int
    switches: int


@lru_cache(maxsize=16)
def levels_of(tree: FatTree) -> tuple[Level, ...]:
    """The levels of its switches, from the leaf switches up."""
    found: list[Level] = []
    first, hosts, ways = tree.size, 1, 1
    for n, down in enumerate(tree.dims):
        if n:
            below = tree.dims[n - 1]
            ways *= below // tree.taper if n == 1 else below
        hosts *= down
        switches = tree.size // hosts * ways
        found.append(Level(first, hosts, ways, switches))
        first += switches
    return tuple(found)


@lru_cache(maxsize=16)
def _channels(tree: FatTree) -> tuple[Channel, ...]:
    levels, hosts = levels_of(tree), np.arange(tree.size)
    found = [np.column_stack([hosts, tree.size + hosts // tree.dims[0]])]
    for low, high, down in zip(levels[:-1], levels[1:], tree.dims[1:], strict=True):
        links = high.ways // low.ways
        switch, link = np.divmod(np.arange(low.switches * links), links)
        under, way = np.divmod(switch, low.ways)
        above = high.first + under // down * high.ways + way + low.ways * link
        found.append(np.column_stack([low.first + switch, above]))
    up = np.concatenate(found)
    both = np.concatenate([up, up[:, ::-1]])
    return tuple(map(tuple, both[np.lexsort((both[:, 1], both[:, 0]))].tolist()))

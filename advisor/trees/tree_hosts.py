"""On which host each process of a tree runs: hosts filled one after another, as mrnet_topgen does.

Processes are placed breadth first, the front-end first. Internal processes have hosts of their own
or share those of the back-ends. An index tells the processes of one host apart, and means nothing
else.
"""

from __future__ import annotations

from bisect import bisect_left
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from advisor.basics.quantities import count
from advisor.models.process_tree import Tree, least_depth
from machines.arrays import Ints
from machines.checks import plain_name, whole
from machines.errors import InputError

Capacity = tuple[str, int]


@dataclass(frozen=True)
class Hosts:
    """Where processes may run.

    `back_ends`: pairs (host, processes); in the order in which they are filled; a host may come
        again.
    `internal`: pairs (host, processes); for internal processes alone; empty: they share the hosts
        of the back-ends.
    """

    front_end: str  # host of the front-end
    back_ends: tuple[Capacity, ...]
    internal: tuple[Capacity, ...] = ()

    def __post_init__(self) -> None:
        plain_name("the front-end's host", self.front_end, where="hosts")
        if not self.back_ends:
            raise InputError("no host for the back-ends", where="hosts", remedy="Name one at least")
        for host, processes in (*self.back_ends, *self.internal):
            whole("processes", processes, low=1, where=f"hosts: {plain_name('host', host)}")


@dataclass(frozen=True, eq=False)
class PlacedTree:
    """A tree whose processes have names: a host and an index there."""

    tree: Tree
    hosts: tuple[str, ...]  # every host once
    host: Ints  # shape (processes,); place in `hosts` of each process; read-only
    index: Ints  # shape (processes,); what tells the processes of one host apart; read-only

    def __post_init__(self) -> None:
        for name in ("host", "index"):
            array = np.array(getattr(self, name), dtype=np.int64)
            array.flags.writeable = False
            object.__setattr__(self, name, array)

    @classmethod
    def of(cls, tree: Tree, names: Sequence[tuple[str, int]]) -> PlacedTree:
        """The placed tree with these names, in the order of the tree."""
        numbers: dict[str, int] = {}
        host = [numbers.setdefault(name, len(numbers)) for name, _ in names]
        return cls(tree, tuple(numbers), np.array(host), np.array([index for _, index in names]))

    @property
    def front_end(self) -> str:
        """Host of the front-end."""
        return self.hosts[int(self.host[0])]

    @property
    def shared(self) -> tuple[str, ...]:
        """Hosts that run a back-end and another process of the tree."""
        inner = self.tree.fanouts > 0
        both = np.intersect1d(self.host[inner], self.host[~inner])
        return tuple(self.hosts[number] for number in both.tolist())

    def names(self) -> list[str]:
        """``host:index`` of every process."""
        numbered = zip(self.host.tolist(), self.index.tolist(), strict=True)
        return [f"{self.hosts[host]}:{index}" for host, index in numbered]


def place_tree(
    tree: Tree,
    hosts: Hosts | None = None,
    first_index: int = 0,
    *,
    crowd: bool = False,
    numbers: Ints | None = None,
) -> PlacedTree:
    """The tree on hosts.

    `hosts`: default: one for each process, ``node00001`` and so on, breadth first; as many digits
        that the order of the texts is that of the numbers.
    `first_index`: index of the first process on each host. From 10 all indices of up to 90
        processes have two digits, so that they sort as numbers.
    `crowd`: fill the hosts again, from the first, where they take too few processes.
    `numbers`: shape (processes,); processes are placed in the order of these numbers, the
        front-end's the smallest; breadth first unless given. Of an edited tree the numbers from
        before keep everybody's place.
    """
    whole("first_index", first_index, where="hosts")
    order = np.arange(tree.size) if numbers is None else np.argsort(numbers, kind="stable")
    if hosts is None:
        digits = max(5, len(str(tree.size)))
        named = tuple(f"node{number:0{digits}}" for number in range(1, tree.size + 1))
        every = np.argsort(order)
        return PlacedTree(tree, named, every, np.full(tree.size, first_index))
    known = {host: number for number, host in enumerate(_each_once(hosts))}
    if hosts.internal:
        order, where = _apart(tree, order, hosts, known, crowd)
    else:
        free = _beside_front_end(hosts)
        what = "internal processes and back-ends"
        where = _filled(free, known, tree.size - 1, what, crowd=crowd)
    host = np.empty(tree.size, dtype=np.int64)
    host[order] = np.concatenate(([known[hosts.front_end]], where))
    index = np.empty(tree.size, dtype=np.int64)
    index[order] = first_index + _count_before(host[order])
    return PlacedTree(tree, tuple(known), host, index)


def least_fanout(N: int, parents: int) -> int:
    """The least fan-out whose balanced tree over N back-ends has at most so many parents.

    Parents are the front-end and the internal processes.
    """
    whole("N", N, low=1)
    whole("parents", parents, low=1)
    # a wider tree never has more parents
    return 2 + bisect_left(
        range(2, max(N, 2)), True, key=lambda fanout: _balanced_parents(N, fanout) <= parents
    )


def _balanced_parents(N: int, fanout: int) -> int:
    """Front-end and internal processes of the balanced tree: see `process_tree.balanced`."""
    below, parents = Counter({N: 1}), 0
    for left in range(least_depth(N, fanout) - 1, -1, -1):
        parents += below.total()
        level: Counter[int] = Counter()
        for leaves, many in below.items():
            children = -(-leaves // fanout**left)
            share, rest = divmod(leaves, children)
            level[share] += many * (children - rest)
            if rest:
                level[share + 1] += many * rest
        below = level
    return parents


def _apart(
    tree: Tree, every: Ints, hosts: Hosts, numbers: dict[str, int], crowd: bool
) -> tuple[Ints, Ints]:
    """(the processes in the order in which they are placed, the host of all but the first)."""
    inner = every[tree.fanouts[every] > 0][1:]
    leaves = every[tree.fanouts[every] == 0]
    fits = least_fanout(leaves.size, 1 + sum(many for _, many in hosts.internal))
    wider = f"; a balanced tree fits from fan-out {fits}; without hosts of their own they share"
    among = _filled(hosts.internal, numbers, inner.size, "internal processes", wider, crowd=crowd)
    below = _filled(hosts.back_ends, numbers, leaves.size, "back-ends", crowd=crowd)
    return np.concatenate(([0], inner, leaves)), np.concatenate((among, below))


def _each_once(hosts: Hosts) -> dict[str, None]:
    named = (host for host, _ in (*hosts.internal, *hosts.back_ends))
    return dict.fromkeys((hosts.front_end, *named))


def _beside_front_end(hosts: Hosts) -> tuple[Capacity, ...]:
    """The hosts without the place of the front-end, which shares a host of one process."""
    total = sum(many for host, many in hosts.back_ends if host == hosts.front_end)
    if total < 2:
        return hosts.back_ends
    at = next(i for i, (host, _) in enumerate(hosts.back_ends) if host == hosts.front_end)
    host, many = hosts.back_ends[at]
    return (*hosts.back_ends[:at], (host, many - 1), *hosts.back_ends[at + 1 :])


def _filled(
    capacities: Sequence[Capacity],
    numbers: dict[str, int],
    wanted: int,
    what: str,
    feasible: str = "",
    *,
    crowd: bool = False,
) -> Ints:
    """The host of each of so many processes."""
    most = np.cumsum([many for _, many in capacities])
    if most[-1] < wanted and not crowd:
        raise InputError(
            f"the hosts take {most[-1]} {what}, not {wanted}",
            where="hosts",
            remedy=f"{count(wanted - int(most[-1]), 'place')} missing: name more hosts, or more "
            f"processes a host{feasible}",
        )
    which = np.array([numbers[host] for host, _ in capacities])
    places = np.arange(wanted) % int(most[-1])
    found: Ints = which[np.searchsorted(most, places, side="right")]
    return found


def _count_before(host: Ints) -> Ints:
    """How many earlier processes are on the same host."""
    order = np.argsort(host, kind="stable")
    ordered = host[order]
    starts = np.concatenate(([0], np.flatnonzero(np.diff(ordered)) + 1))
    sizes = np.diff(np.append(starts, host.size))
    before = np.empty(host.size, dtype=np.int64)
    before[order] = np.arange(host.size) - np.repeat(starts, sizes)
    return before

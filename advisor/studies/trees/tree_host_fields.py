"""Hosts and tools of the trees study: what hosts allow, who runs where, what tools can make."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import replace

import numpy as np

from advisor.basics.host_list import parse_capacities, read_capacities
from advisor.basics.quantities import count
from advisor.basics.units import durations
from advisor.models.mrnet import BROADCAST, OPERATIONS, REDUCTION
from advisor.models.process_tree import Tree
from advisor.studies.study import ASSUMED, Note, Table
from advisor.studies.trees.parameters import TreesParameters
from advisor.trees.host_cores import MOST_SCHEDULED
from advisor.trees.mrnet_trees import smallest_fanout
from advisor.trees.search import Limits
from advisor.trees.stat_layers import MOST_LAYERS, stat_tree
from advisor.trees.topgen_spec import topgen_spec
from advisor.trees.topology_file import MOST_STATEMENTS
from advisor.trees.tree_costs import ROUND_TRIP, US, TreeCosts, measure
from advisor.trees.tree_hosts import Capacity, Hosts, place_tree
from advisor.trees.tree_picture import NamedTree
from machines.errors import InputError

_MOST_ROWS = 1000
_MOST_SPECIFIED = 100_000  # processes of a tree whose specification is looked for
_MOST_LETTERS = 60


def hosts_of(asked: TreesParameters) -> Hosts | None:
    """The hosts that the settings name; None where they name none."""
    back_ends = _capacities(asked.hosts, "setting hosts")
    internal = _capacities(asked.internal_hosts, "setting internal_hosts")
    if not back_ends:
        if internal:
            raise InputError(
                "hosts of internal processes need those of the back-ends beside them",
                where="setting internal_hosts",
                remedy="Give hosts=, too",
            )
        return None
    return Hosts(asked.front_end.strip() or (internal or back_ends)[0][0], back_ends, internal)


def _capacities(text: str, where: str) -> tuple[Capacity, ...]:
    """Of a text with a host a line, or of the file that one line without a colon names."""
    lines = text.strip().splitlines()
    if not lines:
        return ()
    if len(lines) == 1 and re.search(r"[/\\\\]|\.(txt|hosts|csv)$", lines[0]):
        return read_capacities(lines[0].strip())
    return parse_capacities(text, where=where)


def limits_with(limits: Limits, hosts: Hosts | None, N: int) -> Limits:
    """The limits and no more internal processes than the hosts take."""
    if hosts is None:
        return limits
    room = sum(many for _, many in hosts.back_ends)
    if hosts.internal:
        spare = sum(many for _, many in hosts.internal)
    else:
        spare = room - N - int(any(host == hosts.front_end for host, _ in hosts.back_ends))
    if room < N or spare < 0:
        raise InputError(
            f"the hosts take {count(room, 'process', 'processes')}, too few for {N} back-ends"
            + ("" if room < N else " and the front-end"),
            where="setting hosts",
            value=room,
            remedy="Name more hosts, or more processes a host: node01:8",
        )
    most = spare if limits.max_internal is None else min(spare, limits.max_internal)
    return replace(limits, max_internal=most)


@contextmanager
def hosts_full(limits: Limits, asked: Limits) -> Iterator[None]:
    """Blame the hosts where it is they that leave too few internal processes."""
    try:
        yield
    except InputError as error:
        if limits.max_internal == asked.max_internal or "internal" not in error.what:
            raise
        room = limits.max_internal or 0
        left = f"have room for {room} beside" if room else "are full with"
        raise InputError(
            f"the hosts {left} the back-ends: {error.what}", where="setting hosts", value=room,
            remedy=f"{error.remedy}: name more hosts, or more processes a host",
        ) from None  # fmt: skip


def host_table(chosen: NamedTree, costs: TreeCosts, hosts: Hosts) -> Table:
    """Processes of the recommended tree on each host, and what its internal ones take there."""
    placed = place_tree(chosen.tree, hosts)
    fanouts, many = chosen.tree.fanouts, len(placed.hosts)
    inner = (fanouts > 0) & (np.arange(fanouts.size) > 0)
    back_ends = np.bincount(placed.host[fanouts == 0], minlength=many)
    internal = np.bincount(placed.host[inner], minlength=many)
    share = np.bincount(placed.host[inner], _shares(fanouts[inner].tolist(), costs), many)
    share = share.astype(np.float64)  # of no internal process numpy counts whole numbers
    share[placed.host[0]] += costs.share(int(fanouts[0]), front_end=True)
    columns = (
        ("host", ""),
        ("back-ends", ""),
        ("internal", ""),
        ("front-end", ""),
        ("of a processor", "%"),
    )
    rows = tuple(
        (
            name,
            int(back_ends[at]),
            int(internal[at]),
            "yes" if at == placed.host[0] else "",
            100.0 * float(share[at]),
        )
        for at, name in enumerate(placed.hosts[:_MOST_ROWS])
    )
    title = "Hosts" if many <= _MOST_ROWS else f"Hosts, the first {_MOST_ROWS} of {many}"
    return Table(title, columns, rows)


def _shares(fanouts: Sequence[int], costs: TreeCosts) -> list[float]:
    known = {fanout: costs.share(fanout) for fanout in set(fanouts)}
    return [known[fanout] for fanout in fanouts]


def cores_text(chosen: NamedTree, costs: TreeCosts) -> str:
    """How far the cores of hosts decide; empty where hosts or cores are not known."""
    sharing = costs.sharing(chosen.tree)
    if sharing is None:
        return ""
    parts = (costs.work(one) for one in (BROADCAST, REDUCTION))
    work = dict(zip((BROADCAST, REDUCTION), parts, strict=True))
    each = OPERATIONS if costs.operation == ROUND_TRIP else (costs.operation,)
    least = sum(sharing.least(work[one]) for one in each)
    alone = measure(chosen.tree, replace(costs, hosts=None)).latency(costs.operation)
    most = int(np.bincount(sharing.host).max())
    work_alone, each_alone = durations(least * US, alone * US)
    return (
        f"Cores: up to {count(most, 'process', 'processes')} share "
        f"{count(sharing.cores, 'core')} of a host, whose work alone takes {work_alone}; "
        f"with a processor each the {costs.operation} would take {each_alone}."
    )


def host_notes(hosts: Hosts | None, cores: int | None, chosen: NamedTree) -> Iterator[Note]:
    """What is taken for granted of the hosts."""
    if hosts is None:
        return
    if cores is None:
        yield Note(
            False,
            "The cores of the hosts are not given: each process is taken to have one of its own; "
            "host_cores= says how many there are",
            kind=ASSUMED,
        )
    elif chosen.tree.size > MOST_SCHEDULED:
        yield Note(
            False,
            f"Of more than {MOST_SCHEDULED:,} processes that share cores only the bound is known: "
            "a host's work over its cores",
        )
    else:
        yield Note(
            True,
            "Processes of a host share its cores, what was ready first goes first; messages within "
            "a host pass no interface, so no gap follows them. Shared alike instead, operations "
            "took up to 17 % longer in simulation; the fastest tree is the best of a ladder, not "
            "proved",
            "Placewise's own simulation of shared cores",
        )


def attached_table(tree: Tree, hosts: Hosts | None) -> Table:
    """Which back-ends attach to which leaf of the file."""
    placed = place_tree(tree, hosts)
    names = placed.names()
    first = tree.first_child
    leaves = [at for at in np.flatnonzero(tree.fanouts).tolist() if not tree.fanouts[first[at]]]
    number = np.cumsum(tree.fanouts == 0) - 1  # of a back-end, breadth first
    rows = []
    for leaf in leaves[:_MOST_ROWS]:
        begin, many = int(first[leaf]), int(tree.fanouts[leaf])
        below = [placed.hosts[at] for at in placed.host[begin : begin + many].tolist()]
        where = " ".join(dict.fromkeys(below)) if hosts is not None else ""
        span = f"{number[begin]}" if many == 1 else f"{number[begin]} to {number[begin] + many - 1}"
        rows.append((names[leaf] if hosts else f"process {leaf}", many, span, where))
    columns = (("leaf", ""), ("back-ends", ""), ("numbers", ""), ("on", ""))
    title = "Back-ends by leaf"
    if len(leaves) > _MOST_ROWS:
        title += f", the first {_MOST_ROWS} of {len(leaves)}"
    return Table(title, columns, tuple(rows))


def tools_text(tree: Tree, costs: TreeCosts) -> str:
    """How mrnet_topgen and STAT are told to make the tree, and what STAT's takes if it differs."""
    if tree.size > _MOST_SPECIFIED or tree.depth > MOST_LAYERS:
        return ""
    spec, stat = topgen_spec(tree), stat_tree(tree)
    told = ""
    if spec is not None and len(spec) <= _MOST_LETTERS:
        told = f"mrnet_topgen makes it with -t {spec}; "
    if stat.like:
        return f"{told}STAT makes it with {' '.join(stat.options)}."
    times = (measure(one, costs).latency(costs.operation) * US for one in (stat.made, tree))
    made, mine = durations(*times)
    return (
        f"{told}STAT, which deals layers evenly, makes {stat.text} at the nearest: its "
        f"{costs.operation} takes {made} instead of {mine}."
    )


def statements_text(tree: Tree) -> str:
    """That MRNet can't read the tree from one file, and what it could; empty where it can."""
    parents = tree.internal + 1
    if parents <= MOST_STATEMENTS:
        return ""
    return (
        f"A topology file of MRNet holds {MOST_STATEMENTS:,} parents, this tree has {parents:,}: a "
        f"balanced one fits from fan-out {smallest_fanout(tree.back_ends)}"
    )

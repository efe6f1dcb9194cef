"""Trees to export: on the hosts that the user or the tree's file names, or on made-up ones."""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import cached_property
from typing import Protocol

import numpy as np

from advisor.basics.quantities import count
from advisor.export.export_options import (
    ATTACH,
    CORES,
    EVEN,
    FIRST_INDEX,
    FRONT_END,
    HOSTS,
    INTERNAL_HOSTS,
    Options,
)
from advisor.export.export_record import Kind
from advisor.models.process_tree import Tree
from advisor.trees.mrnet_trees import even_index
from advisor.trees.tree_file import FoundTree
from advisor.trees.tree_hosts import Hosts, PlacedTree, place_tree
from machines.arrays import Ints
from machines.errors import InputError

MOST_NAMED = 500_000
"""MRNet reads 100,000 children of one process in more than a minute."""


@dataclass(frozen=True, eq=False)
class TreeOnHosts:
    """A tree with what its exports are told.

    Attributes
    ----------
    tree : Tree
    named : PlacedTree or None
        On hosts that somebody named.
    first_index : int
        Of the processes on each made-up host.
    attach : bool
        Its back-ends are left out.
    warnings : tuple of str
        Of reading it.
    numbers : array of int or None
        In whose order the processes are placed.
    """

    tree: Tree
    named: PlacedTree | None
    first_index: int = 0
    attach: bool = False
    warnings: tuple[str, ...] = ()
    numbers: Ints | None = None

    @cached_property
    def placed(self) -> PlacedTree:
        """On its hosts, else on made-up ones."""
        _expect_few(self.tree)
        return self.named or place_tree(self.tree, None, self.first_index, numbers=self.numbers)


class _OfTree(Protocol):
    """What has a tree."""

    @property
    def tree(self) -> Tree: ...


def _place(found: FoundTree, options: Options) -> TreeOnHosts:
    first = max(options.first_index, 0)
    named = found.placed
    if options.hosts:
        _expect_few(found.tree)
        default = (options.internal_hosts or options.hosts)[0][0]
        hosts = Hosts(options.front_end or default, options.hosts, options.internal_hosts)
        named = place_tree(found.tree, hosts, first, numbers=found.numbers)
        if options.first_index == EVEN:
            named = place_tree(found.tree, hosts, even_index(named), numbers=found.numbers)
    elif named is not None and options.first_index:
        named = _numbered(named, even_index(named) if options.first_index == EVEN else first)
    return TreeOnHosts(found.tree, named, first, options.attach, found.warnings, found.numbers)


def _expect_few(tree: Tree) -> None:
    """Refuse a tree whose file would name more processes than MRNet reads in any time."""
    if tree.size > MOST_NAMED:
        raise InputError(
            "the file would name every process, too many for MRNet to read", where="tree",
            value=tree.size, remedy=f"Allowed: up to {MOST_NAMED:,} processes",
        )  # fmt: skip


def _numbered(placed: PlacedTree, first: int) -> PlacedTree:
    """The same hosts, the least index on each being `first`."""
    least = np.full(len(placed.hosts), np.iinfo(np.int64).max)
    np.minimum.at(least, placed.host, placed.index)
    return replace(placed, index=placed.index - least[placed.host] + first)


def _sentence(subject: TreeOnHosts) -> str:
    placed = subject.placed
    hosts = count(len(placed.hosts), "host")
    sentence = f"{count(subject.tree.size, 'process', 'processes')} on {hosts}."
    shared = len(placed.shared)
    if shared and subject.tree.internal:
        sentence += f" {count(shared, 'host')} shared by back-ends and processes above them."
    return sentence


def _hosts_label(found: _OfTree) -> str:
    return f"&Hosts of the back-ends, for {found.tree.back_ends:,} in all"


def _internal_label(found: _OfTree) -> str:
    return f"&Internal processes on hosts of their own, for {found.tree.internal:,}; or the same"


def _has_internal(found: _OfTree) -> bool:
    return found.tree.internal > 0


def _unplaced(found: object) -> bool:
    return getattr(found, "placed", None) is None


TREE: Kind[TreeOnHosts] = Kind("tree", _place, _sentence)
PLACING = (
    replace(
        FRONT_END,
        title="&Front-end",
        hint="The host of the front-end, as the other hosts know it: not localhost",
        example="login01",
        needed="Name the host of the front-end.",
        asked=_unplaced,
    ),
    replace(
        CORES,
        title="&Processes a host",
        hint="Processes of the tree on hosts whose line does not say",
    ),
    replace(
        HOSTS,
        title="Hosts of the back-ends",
        hint="Hosts of the back-ends: one a line, filled one after another",
        example="node01:16\nnode02:16",
        needed="Name the hosts of the back-ends, one a line: node01, or node01:4 for 4 processes "
        "there.",
        label=_hosts_label,
        asked=_unplaced,
    ),
    replace(
        INTERNAL_HOSTS,
        title="Hosts of the internal processes",
        hint="Hosts of the internal processes alone: one a line, filled one after another",
        example="the same hosts",
        label=_internal_label,
        fits=_has_internal,
    ),
)
NAMING = (
    replace(
        ATTACH,
        title="&Attach mode: without back-ends",
        hint="The back-ends are started otherwise and attach to the leaves of the file",
    ),
    replace(
        FIRST_INDEX,
        title="&Ranks in the order of the tree",
        hint="Number the processes of a host from 10, 100, … so that all numbers have as many "
        "digits: MRNet sorts them as text",
    ),
)

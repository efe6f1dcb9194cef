"""Trees for STAT: the command line of stat-cl that makes a tree like ours, or the nearest to it."""

from __future__ import annotations

import shlex

from advisor.export.export_record import Export, Lines
from advisor.export.tree_on_hosts import PLACING, TREE, TreeOnHosts
from advisor.trees.stat_layers import parse_layers, stat_nodes, stat_tree
from advisor.trees.topgen_spec import spec_text

_NO_NODES = "Name nodes for communication processes: --nodes or --appnodes."
_IN_TURN = "STAT deals communication processes to the nodes in turn, by name."
_MOST_LETTERS = 200


def render(subject: TreeOnHosts) -> str:
    """The command line, without the launcher's process that it is given last."""
    return shlex.join(_words(subject)) + "\n"


def parse(text: str) -> tuple[int, ...]:
    """The layers of such a command line; InputError: layers that MRNet would reject."""
    return parse_layers(tuple(shlex.split(text)))


def _says(subject: TreeOnHosts) -> tuple[int, ...]:
    return stat_tree(subject.tree).layers


def _words(subject: TreeOnHosts) -> Lines:
    found = stat_tree(subject.tree)
    placed = found.layers and subject.named is not None
    nodes = stat_nodes(subject.named, sum(found.layers)) if placed and subject.named else ()
    return ("stat-cl", *found.options, *nodes)


def _commands(subject: TreeOnHosts, _file: str) -> Lines:
    return (f"STAT: {shlex.join(_words(subject))} PID_OF_LAUNCHER",)


def _notes(subject: TreeOnHosts) -> Lines:
    found = stat_tree(subject.tree)
    nodes = () if not found.layers else (_IN_TURN,) if subject.named else (_NO_NODES,)
    if found.like:
        return nodes
    mine, made = subject.tree, found.made
    spec = spec_text(made)
    times = f" Its times: study trees with own={spec}." if len(spec) <= _MOST_LETTERS else ""
    return (
        *nodes,
        "STAT deals every layer evenly over the one above, and MRNet rejects processes without a "
        f"child. This is the nearest tree that STAT makes: {found.text}, fan-out up to "
        f"{made.max_fanout} and depth {made.depth} instead of {mine.max_fanout} and {mine.depth}."
        f"{times}",
    )


EXPORT = Export(
    "stat", "STAT command line", ".txt", TREE, render, parse, _says, _commands, _notes, PLACING
)

"""Trees for STAT: the command line of stat-cl that makes a tree like ours."""

from __future__ import annotations

import shlex

from advisor.export.export_record import Export, Lines
from advisor.export.tree_on_hosts import PLACING, TREE, TreeOnHosts
from advisor.trees.topgen_spec import stat_options

_NO_NODES = "Name nodes for communication processes: --nodes or --appnodes."


def render(subject: TreeOnHosts) -> str:
    """The command line, without the launcher's process that it is given last."""
    return shlex.join(_words(subject)) + "\n"


def parse(text: str) -> tuple[str, ...]:
    """The words of such a command line."""
    return tuple(shlex.split(text))


def _words(subject: TreeOnHosts) -> Lines:
    return ("stat-cl", *stat_options(subject.tree, subject.named).options)


def _commands(subject: TreeOnHosts, _file: str) -> Lines:
    return (f"STAT: {shlex.join(_words(subject))} PID_OF_LAUNCHER",)


def _notes(subject: TreeOnHosts) -> Lines:
    unnamed = (_NO_NODES,) if subject.tree.internal and not subject.named else ()
    return (*unnamed, *stat_options(subject.tree, subject.named).differences)


EXPORT = Export(
    "stat", "STAT command line", ".txt", TREE, render, parse, _words, _commands, _notes, PLACING
)

"""A made-up export of trees: `EXPORT` is its line in `advisor.export.registry`."""

from __future__ import annotations

from advisor.export.export_record import Export
from advisor.export.tree_on_hosts import PLACING, TREE, TreeOnHosts


def render(subject: TreeOnHosts) -> str:
    """The fan-out of each process, breadth first."""
    return " ".join(map(str, subject.tree.fanouts.tolist())) + "\n"


EXPORT = Export("tree-text", "Fan-outs (text)", ".fanouts", TREE, render, options=PLACING)

"""Trees for PRRTE, the daemons of Open MPI 5: the radix that makes a tree like ours."""

from __future__ import annotations

import re

from advisor.basics.quantities import count
from advisor.export.export_record import Export, Lines
from advisor.export.tree_on_hosts import TREE, TreeOnHosts
from advisor.trees.daemon_trees import radix_of
from advisor.trees.topgen_spec import same_shape
from machines.errors import InputError

_OPTION = re.compile(r"--prtemca rml_base_radix ([0-9]{1,9})\n")


def _render(subject: TreeOnHosts) -> str:
    return f"--prtemca rml_base_radix {radix_of(subject.tree)[0]}\n"


def _parse(text: str) -> int:
    found = _OPTION.fullmatch(text)
    if found is None or int(found[1]) < 2:
        raise InputError("this is no radix of PRRTE", value=text, remedy="Radix 2 or more")
    return int(found[1])


def _says(subject: TreeOnHosts) -> int:
    return radix_of(subject.tree)[0]


def _commands(subject: TreeOnHosts, _file: str) -> Lines:
    return (f"PRRTE, Open MPI 5: prterun {_render(subject).strip()} PROGRAM",)


def _notes(subject: TreeOnHosts) -> Lines:
    tree = subject.tree
    k, made = radix_of(tree)
    nodes = f"The tree spans {count(tree.size, 'daemon')}, one on each node of the job"
    if same_shape(made, tree):
        return (f"{nodes}.",)
    return (
        f"{nodes}. PRRTE makes the nearest with radix {k}: fan-out {made.max_fanout} and depth "
        f"{made.depth} instead of {tree.max_fanout} and {tree.depth}. Its times: study trees with "
        f"own=radix:{k}@{tree.size} and back_ends={made.back_ends}.",
    )


EXPORT = Export("prrte", "PRRTE radix", ".txt", TREE, _render, _parse, _says, _commands, _notes)

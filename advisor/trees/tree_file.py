"""A tree from a file: what the study printed, a configuration of MRNet or Flux, a specification.

What a file is, is told by its content: JSON begins with a brace, a configuration of Flux has the
table ``[bootstrap]``, the statements of MRNet's end with semicolons, and a specification begins
with ``b:``, ``k:``, ``g:``, ``kary:`` or ``radix:``.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from advisor.basics.json_text import parse
from advisor.models.process_tree import Tree, flat
from advisor.trees.daemon_trees import FORMS, is_daemon_spec, parse_daemon_spec
from advisor.trees.flux_bootstrap import is_bootstrap, parse_bootstrap
from advisor.trees.topgen_spec import is_spec, parse_spec, spec_text
from advisor.trees.topology_file import read_topology
from advisor.trees.tree_hosts import PlacedTree
from machines.arrays import Ints
from machines.errors import InputError, readable
from machines.files import MIB, decoded, kept_inputs, read_bytes
from machines.formats.fields import place, required

_LIMIT_BYTES = 256 * MIB
_LONGEST_NAME = 200
_FLUX = re.compile(r"^[ \t]*\[bootstrap\]", re.MULTILINE)
_KNOWN = (
    "Give what `placewise study trees --json` printed, an MRNet topology configuration, Flux's "
    f"[bootstrap], or a specification such as b:4^3, {FORMS}"
)


@dataclass(frozen=True, eq=False)
class FoundTree:
    """A tree and what its file says beside it.

    `numbers`: in whose order its processes are placed on hosts; None: breadth first.
    """

    tree: Tree
    name: str  # how it was found or drawn; of a file without one, its specification
    placed: PlacedTree | None = None  # its processes on the hosts that the file names
    warnings: tuple[str, ...] = ()
    numbers: Ints | None = None


def tree_report(tree: Tree, name: str) -> dict[str, object]:
    """A tree, to be written as JSON: `read_tree` finds it under the key "tree"."""
    return {"name": name, "spec": spec_text(tree)}


@kept_inputs()
def read_tree(path: str | Path) -> FoundTree:
    """The tree of a file."""
    where, content = str(path), read_bytes(path, _LIMIT_BYTES)
    text = decoded(content, where)
    if text.lstrip().startswith("{"):
        with place(where):
            return tree_of(parse(content, ""))
    if _FLUX.search(text):
        placed = parse_bootstrap(text, where)
        return FoundTree(placed.tree, readable(Path(path).name), placed)
    if ";" in text or "=>" in text:
        return _topology_tree(path)
    tree = specified(text, where)
    if tree is None:
        raise InputError("there is no tree in it", where=where, remedy=_KNOWN)
    return FoundTree(tree, text.strip()[:40])


def specified(text: str, where: str) -> Tree | None:
    """The tree of a specification of any kind; None: the text is none."""
    if is_daemon_spec(text):
        return parse_daemon_spec(text, where)
    return parse_spec(text, where) if is_spec(text) else None


def is_tree(content: object) -> bool:
    """Whether a parsed JSON document, or the text of another file, is meant as a tree."""
    if isinstance(content, str):
        specification = is_spec(content) or is_daemon_spec(content)
        return specification or "=>" in content or content.rstrip().endswith(";")
    if is_bootstrap(content):
        return True
    return isinstance(content, dict) and isinstance(content.get("tree"), dict)


def tree_of(document: object) -> FoundTree:
    """The tree in a parsed JSON document; InputError if there is none."""
    source = document.get("tree") if isinstance(document, dict) else None
    if not isinstance(source, dict):
        raise InputError("there is no tree in it", remedy=_KNOWN)
    spec = required(source, "spec", "tree")
    if not isinstance(spec, str):
        raise InputError("spec must be a text", where="tree", value=spec)
    return FoundTree(
        parse_spec(spec, "tree: spec"), readable(str(source.get("name", spec)), _LONGEST_NAME)
    )


def attached(back_ends: int, placed: Tree | None) -> Tree:
    """A tree whose leaves take so many back-ends, as evenly as can be, the first ones more.

    `placed`: what a file for attach mode says: its leaves are processes of MRNet; None: the
        front-end alone.
    """
    if placed is None:
        return flat(back_ends)
    leaves = placed.back_ends
    if back_ends < leaves:
        raise InputError(
            f"{back_ends} back-ends can't attach to {leaves} leaves: some would have none",
            where="tree",
            remedy="Give as many back-ends as the file has leaves, or more",
        )
    share, rest = divmod(back_ends, leaves)
    below = np.where(np.arange(leaves) < rest, share + 1, share)
    at = np.flatnonzero(placed.fanouts == 0)
    above = placed.parent.copy()
    above[0] = -1
    tree, _ = Tree.of(np.concatenate((above, np.repeat(at, below))))
    return tree


def read_attached(path: str | Path, back_ends: int) -> FoundTree:
    """The tree of a topology file for attach mode: its back-ends are not in it.

    A file of the front-end alone is the flat tree.
    """
    topology = read_topology(path)
    with place(str(path)):
        tree = attached(back_ends, topology.tree)
    alone = topology.tree is None  # in attach mode MRNet does not wait for back-ends
    return FoundTree(tree, readable(Path(path).name), None, () if alone else topology.warnings)


def _topology_tree(path: str | Path) -> FoundTree:
    topology = read_topology(path)
    if topology.tree is None:
        raise InputError(
            "a front-end alone is no tree: its back-ends are not in the file",
            where=str(path),
            remedy="Give the whole tree, or read it as own= of the study with attach=true and the "
            "number of its back-ends",
        )
    placed = PlacedTree.of(topology.tree, topology.names)
    return FoundTree(topology.tree, readable(Path(path).name), placed, topology.warnings)

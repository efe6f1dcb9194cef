"""A tree from a file: what the trees study printed, a topology configuration or a specification.

What a file is, is told by its content: JSON begins with a brace, the statements of a topology
configuration end with semicolons, and a specification begins with ``b:``, ``k:`` or ``g:``.
"""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from advisor.basics.json_text import parse
from advisor.models.process_tree import Tree
from advisor.trees.hosts import PlacedTree
from advisor.trees.topgen_spec import is_spec, parse_spec, spec_text
from advisor.trees.topology_file import read_topology
from machines.errors import InputError
from machines.files import MIB, decoded, read_bytes
from machines.formats.fields import place, required

_LIMIT_BYTES = 256 * MIB
_KNOWN = (
    "Give what `placewise study trees --json` printed, an MRNet topology configuration, or "
    "a specification such as b:4^3"
)


@dataclass(frozen=True, eq=False)
class FoundTree:
    """A tree and what its file says beside it.

    Attributes
    ----------
    tree : Tree
    name : str
        How it was found or drawn; of a file without one, its specification.
    placed : PlacedTree or None
        Its processes on the hosts that the file names.
    warnings : tuple of str
    """

    tree: Tree
    name: str
    placed: PlacedTree | None = None
    warnings: tuple[str, ...] = ()


def tree_report(tree: Tree, name: str) -> dict[str, object]:
    """A tree, to be written as JSON: `read_tree` finds it under the key "tree"."""
    return {"name": name, "spec": spec_text(tree)}


def read_tree(path: str | Path) -> FoundTree:
    """The tree of a file.

    Raises
    ------
    InputError
        Naming the file and the place.
    """
    where, content = str(path), read_bytes(path, _LIMIT_BYTES)
    text = decoded(content, where)
    if text.lstrip().startswith("{"):
        with place(where):
            return tree_of(parse(content, ""))
    if ";" in text or "=>" in text:
        return _topology_tree(path)
    if not is_spec(text):
        raise InputError("there is no tree in it", where=where, remedy=_KNOWN)
    return FoundTree(parse_spec(text, where), text.strip()[:40])


def is_tree(content: object) -> bool:
    """Whether a parsed JSON document, or the text of another file, is meant as a tree."""
    if isinstance(content, str):
        return is_spec(content) or "=>" in content or content.rstrip().endswith(";")
    return isinstance(content, dict) and isinstance(content.get("tree"), dict)


def tree_of(document: object) -> FoundTree:
    """The tree in a parsed JSON document; InputError if there is none."""
    source = document.get("tree") if isinstance(document, dict) else None
    if not isinstance(source, dict):
        raise InputError("there is no tree in it", remedy=_KNOWN)
    spec = required(source, "spec", "tree")
    if not isinstance(spec, str):
        raise InputError("spec must be a text", where="tree", value=spec)
    return FoundTree(parse_spec(spec, "tree: spec"), str(source.get("name", spec))[:200])


def _topology_tree(path: str | Path) -> FoundTree:
    topology = read_topology(path)
    if topology.tree is None:
        raise InputError(
            "a front-end alone is no tree: its back-ends are not in the file",
            where=str(path),
            remedy="Give the whole tree; --attach leaves the back-ends out again",
        )
    placed = PlacedTree.of(topology.tree, topology.names)
    return FoundTree(topology.tree, Path(path).name, placed, topology.warnings)

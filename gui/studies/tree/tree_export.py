"""The dialog that writes a tree for MRNet, STAT, Flux or PRRTE."""

from __future__ import annotations

from PySide6.QtWidgets import QWidget

from advisor.basics.quantities import count
from advisor.export.tree_on_hosts import TREE
from advisor.trees.tree_file import FoundTree
from advisor.trees.tree_picture import NamedTree
from gui.studies.picture.export_dialog import ExportDialog


class TreeExport(ExportDialog):
    """Exports one tree."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(TREE, parent)

    def offer(self, named: NamedTree) -> None:
        """Export this tree; format and fields stay."""
        tree = named.tree
        inner = count(tree.internal, "internal process", "internal processes")
        heading = f"{named.name.capitalize()}: {count(tree.back_ends, 'back-end')}, {inner}"
        numbers = None if named.identities is None else named.identities.numbers
        super().take(FoundTree(tree, named.name, numbers=numbers), heading)

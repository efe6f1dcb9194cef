"""The dialog that writes a mapping for a launcher."""

from __future__ import annotations

from PySide6.QtWidgets import QWidget

from advisor.basics.quantities import count
from advisor.export.process_placement import MAPPING
from advisor.messages.mapping.mapping_file import NamedMapping
from advisor.messages.networks import shape
from gui.studies.picture.export_dialog import ExportDialog


class MappingExport(ExportDialog):
    """Exports one mapping."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(MAPPING, parent)

    def offer(self, named: NamedMapping, name: str) -> None:
        """Export this mapping, of the order of that name; format and fields stay."""
        processes = count(len(named.mapping), "process", "processes")
        super().take(named, f"{name.capitalize()}: {processes} on the {shape(named.network)}")

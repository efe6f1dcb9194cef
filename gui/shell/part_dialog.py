"""The dialog that exports a mapping or a tree of the plan: of which task or overlay, and how."""

from __future__ import annotations

from PySide6.QtWidgets import QHBoxLayout, QLabel, QVBoxLayout, QWidget

from advisor.export.export_record import Planned
from advisor.export.of_plan import Part
from gui.basics.wheel import ChoiceBox
from gui.studies.picture.export_dialog import ExportDialog


class PartDialog(ExportDialog):
    """Exports what one task or overlay of a plan decides."""

    def __init__(self, part: Part, parent: QWidget | None = None) -> None:
        super().__init__(part.kind, parent)
        self._part = part
        self._planned: Planned | None = None
        name = f"{part.kind.name}_export_of"
        self.of = ChoiceBox()
        self.of.setObjectName(name)
        self.of.setAccessibleName(f"Of which {part.of}")
        self.of.setToolTip(f"The {part.of} whose {part.kind.name} is written")
        self._finding = self._worker(f"{part.kind.name} of the plan", self._show_source)
        row = QHBoxLayout()
        label = QLabel(f"Of the {part.of}")
        label.setObjectName(f"{name}_label")
        label.setBuddy(self.of)
        row.addWidget(label)
        row.addWidget(self.of, 1)
        body = self.layout()
        assert isinstance(body, QVBoxLayout)  # noqa: S101, RUF100 - as it was laid out
        body.insertLayout(1, row)
        self.of.currentIndexChanged.connect(lambda _place: self._find())

    @property
    def is_busy(self) -> bool:
        """Whether something is looked for, read, rendered or written."""
        return self._finding.is_busy or super().is_busy

    def offer(self, planned: Planned) -> None:
        """Export parts of this plan; format, fields and the task or overlay stay."""
        before = self.of.currentText()
        names = self._part.names(planned.problem, planned.plan)
        self._planned = planned
        self.of.blockSignals(True)
        self.of.clear()
        self.of.addItems(list(names))
        self.of.setCurrentIndex(max(0, self.of.findText(before)))
        self.of.blockSignals(False)
        self._find()

    def close_jobs(self) -> None:
        """Stop the background work."""
        self._finding.close()
        super().close_jobs()

    def _find(self) -> None:
        """Settling the plan and placing processes may take long: not on the window's thread."""
        planned, part, name = self._planned, self._part, self.of.currentText()
        if planned is not None and name:
            self._lock()
            self._finding.request(lambda _should_stop: (name, part.source(planned, name)))

    def _show_source(self, found: object) -> None:
        if isinstance(found, tuple):
            name, source = found
            self.take(source, f"{self._part.kind.name.capitalize()} of “{name}”, as planned")

"""A section of a form: a heading that folds the fields below it."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QSizePolicy, QToolButton

from gui.form.field import FormField


class FormSection(QToolButton):
    """The heading of some fields; one that is wrong keeps its section open."""

    folded = Signal()  # opened or folded by the user

    def __init__(self, title: str, first: FormField, *, is_open: bool) -> None:
        super().__init__()
        self.fields: tuple[FormField, ...] = (first,)
        self.setObjectName(f"section_{first.parameter.name}")
        self.setText(title)
        self.setAccessibleName(f"Section {title}")
        self.setToolTip("Show or hide these parameters")
        self.setAutoRaise(True)
        self.setToolButtonStyle(Qt.ToolButtonStyle.ToolButtonTextBesideIcon)
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)
        font = self.font()
        font.setBold(True)
        self.setFont(font)
        self.is_open = is_open
        self.clicked.connect(self._toggle)

    def show_fields(self, used: Sequence[FormField]) -> None:
        """Show those of its fields that are used, or none while it is folded."""
        some = [field for field in self.fields if field in used]
        shown = self.is_open or any(field.wrong for field in some)
        self.setArrowType(Qt.ArrowType.DownArrow if shown else Qt.ArrowType.RightArrow)
        self.setAccessibleDescription("open" if shown else "folded")
        self.setVisible(bool(some))
        for field in self.fields:
            field.set_shown(shown and field in some)

    def _toggle(self) -> None:
        self.is_open = not self.is_open
        self.folded.emit()

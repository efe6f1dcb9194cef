"""A form drawn from a study's parameter record: one row a field, with unit, range and help.

A wrong entry is neither applied nor lost: its message stands under the field, and the record
stays without it until it is right. A field that does not matter beside the others is greyed.
"""

from __future__ import annotations

from collections.abc import Mapping

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QGridLayout, QPushButton, QWidget

from advisor.studies.study import parameters_of
from gui.studies.field import Field
from gui.theme import GRID, theme
from machines.errors import InputError


class ParameterForm(QWidget):
    """Editors of all settings of a record type."""

    changed = Signal(object)  # {name: value}, whenever all fields are right
    edited = Signal()  # right or wrong

    def __init__(self, record_type: type, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName("parameter_form")
        self.setAccessibleName("Parameters")
        self._fields = {
            one.name: Field(one, self) for one in parameters_of(record_type) if one.is_setting
        }
        grid = QGridLayout(self)
        grid.setContentsMargins(GRID, GRID, GRID, GRID)
        grid.setHorizontalSpacing(GRID)
        grid.setVerticalSpacing(GRID // 2)
        grid.setColumnStretch(1, 1)
        for place, field in enumerate(self._fields.values()):
            row = 2 * place
            grid.addWidget(field.label, row, 0)
            grid.addWidget(field.editor, row, 1)
            grid.addWidget(field.beside, row, 2)
            grid.addWidget(field.message, row + 1, 0, 1, 3)
            field.changed.connect(self._tell)
        self.reset_button = QPushButton("Defaults")
        self.reset_button.setObjectName("form_defaults")
        self.reset_button.setToolTip("Set every parameter to its default")
        self.reset_button.clicked.connect(self.reset)
        grid.addWidget(self.reset_button, 2 * len(self._fields), 1)
        self.reset_button.setVisible(bool(self._fields))
        grid.setRowStretch(2 * len(self._fields) + 1, 1)
        theme().changed.connect(self._recolour)
        self._show_use()

    def values(self) -> dict[str, object] | None:
        """{name: value} of all fields; ``None`` while one of them is wrong."""
        found: dict[str, object] = {}
        for name, field in self._fields.items():
            try:
                found[name] = field.value()
            except InputError:
                return None
        return found

    def set_values(self, values: Mapping[str, object]) -> None:
        """Write values into their fields, as if the user had; told once.

        Raises
        ------
        KeyError
            There is no such field.
        """
        for name, value in values.items():
            self._fields[name].write(value)
        self._tell()

    def editor(self, name: str) -> QWidget:
        """The editor of a field; KeyError when there is none."""
        return self._fields[name].editor

    def message(self, name: str) -> str:
        """What is wrong with a field; empty when it is right."""
        return self._fields[name].message.text()

    def reset(self) -> None:
        """Set every field to its default; told once."""
        for field in self._fields.values():
            field.reset()
        self._tell()

    def _recolour(self) -> None:
        for field in self._fields.values():
            field.check()

    def _tell(self) -> None:
        self._show_use()
        self.edited.emit()
        values = self.values()
        if values is not None:
            self.changed.emit(values)

    def _show_use(self) -> None:
        """Grey what does not matter beside the other fields."""
        values: dict[str, object] = {}
        for name, field in self._fields.items():
            try:
                values[name] = field.value()
            except InputError:
                continue
        for field in self._fields.values():
            field.set_unused(field.parameter.unused(values))

"""A form drawn from a study's parameter record: one row a field, with unit, range and help.

A wrong entry is neither applied nor lost: its message stands under the field, and the record
stays without it until it is right.
"""

from __future__ import annotations

import dataclasses
import math
from collections.abc import Callable

from PySide6.QtCore import Signal
from PySide6.QtWidgets import (
    QCheckBox,
    QComboBox,
    QGridLayout,
    QLabel,
    QLineEdit,
    QPushButton,
    QWidget,
)

from advisor.studies.study import Parameter, parameters_of, parsed
from gui.theme import GRID, theme
from machines.errors import InputError


class ParameterForm(QWidget):
    """Editors of all settings of a record type."""

    changed = Signal(object)  # {name: value}, whenever all fields are right

    def __init__(self, record_type: type, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName("parameter_form")
        self.setAccessibleName("Parameters")
        self._fields = [_Field(one) for one in parameters_of(record_type) if one.is_setting]
        grid = QGridLayout(self)
        grid.setContentsMargins(GRID, GRID, GRID, GRID)
        grid.setHorizontalSpacing(GRID)
        grid.setVerticalSpacing(GRID // 2)
        grid.setColumnStretch(1, 1)
        for place, field in enumerate(self._fields):
            row = 2 * place
            grid.addWidget(field.label, row, 0)
            grid.addWidget(field.editor, row, 1)
            grid.addWidget(QLabel(field.parameter.unit), row, 2)
            grid.addWidget(field.message, row + 1, 0, 1, 3)
            field.on_change = self._tell
        self.reset_button = QPushButton("Defaults")
        self.reset_button.setObjectName("form_defaults")
        self.reset_button.setToolTip("Set every parameter to its default")
        self.reset_button.clicked.connect(self.reset)
        self.reset_button.setVisible(bool(self._fields))
        grid.addWidget(self.reset_button, 2 * len(self._fields), 1)
        grid.setRowStretch(2 * len(self._fields) + 1, 1)
        theme().changed.connect(self._recolour)

    def values(self) -> dict[str, object] | None:
        """{name: value} of all fields; ``None`` while one of them is wrong."""
        found: dict[str, object] = {}
        for field in self._fields:
            try:
                found[field.parameter.name] = field.value()
            except InputError:
                return None
        return found

    def editor(self, name: str) -> QWidget:
        """The editor of a field; KeyError when there is none."""
        for field in self._fields:
            if field.parameter.name == name:
                return field.editor
        raise KeyError(name)

    def message(self, name: str) -> str:
        """What is wrong with a field; empty when it is right."""
        return next(f.message.text() for f in self._fields if f.parameter.name == name)

    def reset(self) -> None:
        """Set every field to its default; told once."""
        for field in self._fields:
            field.reset()
        self._tell()

    def _recolour(self) -> None:
        for field in self._fields:
            field.check()

    def _tell(self) -> None:
        values = self.values()
        if values is not None:
            self.changed.emit(values)


class _Field:
    """Label, editor and message of one parameter."""

    def __init__(self, parameter: Parameter) -> None:
        self.parameter = parameter
        self.on_change: Callable[[], None] | None = None
        self.label = QLabel(parameter.title)
        self.message = QLabel()
        self.message.setObjectName(f"message_{parameter.name}")
        self.message.setWordWrap(True)
        self.message.hide()
        self.editor = self._editor()
        self.editor.setObjectName(f"field_{parameter.name}")
        self.editor.setAccessibleName(_with_unit(parameter))
        self.editor.setToolTip(_hint(parameter))
        self.label.setBuddy(self.editor)
        self.label.setToolTip(_hint(parameter))
        self.reset()

    def value(self) -> object:
        """The value; InputError naming the field when the entry is wrong."""
        return parsed(self.parameter, self._text())

    def reset(self) -> None:
        """Show the default, without telling."""
        default = self.parameter.default
        editor = self.editor
        editor.blockSignals(True)
        if isinstance(editor, QCheckBox):
            editor.setChecked(default is True)
        elif isinstance(editor, QComboBox):
            editor.setCurrentText("auto" if default is None else str(default))
        elif isinstance(editor, QLineEdit):
            editor.setText(_written(default))
        editor.blockSignals(False)
        self.check()

    def _editor(self) -> QWidget:
        if self.parameter.kind is bool:
            box = QCheckBox()
            box.toggled.connect(lambda _checked: self._edited())
            return box
        if self.parameter.choices:
            combo = QComboBox()
            combo.addItems(
                [*(["auto"] if self.parameter.optional else []), *self.parameter.choices]
            )
            combo.currentTextChanged.connect(lambda _text: self._edited())
            return combo
        line = QLineEdit()
        if self.parameter.optional:
            line.setPlaceholderText("auto")
        line.textEdited.connect(lambda _text: self._edited())
        return line

    def _text(self) -> str:
        editor = self.editor
        if isinstance(editor, QCheckBox):
            return "yes" if editor.isChecked() else "no"
        if isinstance(editor, QComboBox):
            return editor.currentText()
        return editor.text().strip() if isinstance(editor, QLineEdit) else ""

    def _edited(self) -> None:
        if self.check() and self.on_change is not None:
            self.on_change()

    def check(self) -> bool:
        """Whether the entry is right; its message says what is wrong."""
        try:
            self.value()
        except InputError as error:
            self.message.setText(
                f"{error.what[:1].upper()}{error.what[1:]}. {error.remedy}".strip()
            )
            self.message.setStyleSheet(f"color: {theme().colours.worse};")
            self.message.show()
            return False
        self.message.clear()
        self.message.hide()
        return True


def _written(default: object) -> str:
    if default is None or default is dataclasses.MISSING:
        return ""
    return repr(default).removesuffix(".0") if isinstance(default, float) else str(default)


def _with_unit(parameter: Parameter) -> str:
    return f"{parameter.title} ({parameter.unit})" if parameter.unit else parameter.title


def _hint(parameter: Parameter) -> str:
    """Help, unit and range of a field."""
    parts = [parameter.help] if parameter.help else []
    low, high = parameter.low, parameter.high
    unit = f" {parameter.unit}" if parameter.unit else ""
    if math.isfinite(low) and math.isfinite(high):
        parts.append(f"Allowed: {low:g} to {high:g}{unit}.")
    elif math.isfinite(low):
        parts.append(f"Allowed: {low:g}{unit} or more.")
    elif math.isfinite(high):
        parts.append(f"Allowed: {high:g}{unit} or less.")
    if parameter.optional:
        parts.append("Empty or auto: chosen for you.")
    return "\n".join(parts)

"""A form drawn from a study's parameter record: one row a field, with unit, range and help.

A wrong entry is neither applied nor lost: its message stands under the field, and the record
stays without it until it is right. A field that does not matter beside the others is greyed; in a
long form it is left out. Headings of the record fold their sections; later ones begin folded.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from contextlib import suppress
from itertools import pairwise

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QGridLayout, QPushButton, QWidget

from gui.basics.theme import GRID
from gui.form.field import FormField
from gui.form.section import FormSection
from machines.errors import InputError, PlacewiseError
from machines.parameters import properties_of
from machines.spoken import spoken

_LONG = 16  # fields of a form that shows only what matters
_OPEN = 2  # sections that are open at first
_ROWS = 4  # of the grid for each field: heading, field, text, message


class ParameterForm(QWidget):
    """Editors of all settings of a record type."""

    changed = Signal(object)  # {name: value}, whenever all fields are right
    edited = Signal()  # right or wrong

    def __init__(self, record_type: type, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName("parameter_form")
        self.setAccessibleName("Parameters")
        self._fields = {
            one.name: FormField(one, self) for one in properties_of(record_type) if one.in_forms
        }
        self._unused: set[str] = set()  # names of fields that don't matter now
        grid = QGridLayout(self)
        grid.setContentsMargins(GRID, GRID, GRID, GRID)
        grid.setHorizontalSpacing(GRID)
        grid.setVerticalSpacing(GRID // 2)
        grid.setColumnStretch(1, 1)
        self.sections = self._make_sections()
        for place, field in enumerate(self._fields.values()):
            row = _ROWS * place + 1
            for section in self.sections:
                if section.fields[0] is field:
                    grid.addWidget(section, row - 1, 0, 1, 3)
            grid.addWidget(field.label, row, 0)
            if field.parameter.lines > 1:
                grid.addWidget(field.beside, row, 1, 1, 2, Qt.AlignmentFlag.AlignRight)
                grid.addWidget(field.editor, row + 1, 0, 1, 3)
            else:
                grid.addWidget(field.editor, row, 1)
                grid.addWidget(field.beside, row, 2)
            grid.addWidget(field.message, row + 2, 0, 1, 3)
            field.changed.connect(self._tell)
        self.reset_button = QPushButton("Defaults")
        self.reset_button.setObjectName("form_defaults")
        self.reset_button.setToolTip("Set every parameter to its default")
        self.reset_button.clicked.connect(self.reset)
        grid.addWidget(self.reset_button, _ROWS * len(self._fields), 1)
        self.reset_button.setVisible(bool(self._fields))
        grid.setRowStretch(_ROWS * len(self._fields) + 1, 1)
        self._told: FormField | None = None  # of whose text a run had something to say
        self._show_use()

    def values(self) -> dict[str, object] | None:
        """{name: value} of all fields; ``None`` while one that matters is wrong."""
        found: dict[str, object] = {}
        for name, field in self._fields.items():
            try:
                found[name] = field.value()
            except InputError:
                if name not in self._unused:
                    return None
                found[name] = field.parameter.default
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

    def offer(self, name: str, choices: Sequence[str]) -> None:
        """Let a field choose among these, without telling; what it had stays if it is one.

        Raises
        ------
        KeyError
            There is no such field.
        """
        self._fields[name].offer(choices)
        self._show_use()

    def refuse_choice(self, name: str, choice: str, reason: str) -> None:
        """Turn one choice of a field off, with the reason; empty: it can be chosen."""
        self._fields[name].refuse_choice(choice, reason)

    def editor(self, name: str) -> QWidget:
        """The editor of a field; KeyError when there is none."""
        return self._fields[name].editor

    def title(self, name: str) -> str:
        """What a field is called; KeyError when there is none."""
        return self._fields[name].parameter.title

    def message(self, name: str) -> str:
        """What is wrong with a field; empty when it is right."""
        return self._fields[name].wrong

    def refuse(self, error: PlacewiseError) -> str:
        """Say under its field what a run says is wrong with it; the message, in their words."""
        said = spoken(error, (field.parameter for field in self._fields.values()))
        field = self._fields.get(said.field) or self._file_of(error)
        if field is not None:
            self._told = field
            field.refuse(said.text)
            self._show_use()
        return said.text

    def _file_of(self, error: PlacewiseError) -> FormField | None:
        """The field of the file that an error is about."""
        files = [field for field in self._fields.values() if field.parameter.path]
        texts = {field: field.editor.text().strip() for field in files}
        return next((field for field, text in texts.items() if text and text in error.where), None)

    def reset(self) -> None:
        """Set every field to its default; told once."""
        for field in self._fields.values():
            field.reset()
        self._tell()

    def _make_sections(self) -> tuple[FormSection, ...]:
        """The sections that the headings of the record begin."""
        fields = list(self._fields.values())
        starts = [at for at, field in enumerate(fields) if field.parameter.heading]
        sections: list[FormSection] = []
        for start, end in pairwise([*starts, len(fields)]):
            title = fields[start].parameter.heading
            section = FormSection(title, fields[start:end], is_open=len(sections) < _OPEN)
            section.folded.connect(self._show_use)
            sections.append(section)
        return tuple(sections)

    def _tell(self) -> None:
        if self._told is not None:
            told, self._told = self._told, None
            told.check()
        self._show_use()
        self.edited.emit()
        values = self.values()
        if values is not None:
            self.changed.emit(values)

    def _show_use(self) -> None:
        """Grey what does not matter beside the other fields; what hangs on such a field neither."""
        values: dict[str, object] = {}
        for name, field in self._fields.items():
            with suppress(InputError):
                values[name] = field.value()
        self._unused.clear()
        titles = {name: field.parameter.title for name, field in self._fields.items()}
        for name, field in self._fields.items():
            reason = field.parameter.unused(values, titles)
            field.set_unused(reason)
            if reason:
                values.pop(name, None)
                self._unused.add(name)
        for field in self._fields.values():
            if field.parameter.unit_of:
                field.show_unit(str(values.get(field.parameter.unit_of) or ""))
        self._show_fields()

    def _show_fields(self) -> None:
        """Hide what is folded and, in a long form, what does not matter."""
        short = len(self._fields) <= _LONG
        used = [field for name, field in self._fields.items() if short or name not in self._unused]
        in_sections = {field for section in self.sections for field in section.fields}
        for field in self._fields.values():
            if field not in in_sections:
                field.set_shown(field in used)
        for section in self.sections:
            section.show_fields(used)

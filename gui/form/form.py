"""A form drawn from a study's parameter record: one row a field, with unit, range and help.

A wrong entry is neither applied nor lost: its message stands under the field, and the record
stays without it until it is right. A field that does not matter beside the others is greyed; in a
long form it is left out. Headings of the record fold their sections; later ones begin folded.
"""

from __future__ import annotations

from collections.abc import Generator, Mapping, Sequence
from contextlib import suppress

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QGridLayout, QPushButton, QSizePolicy, QToolButton, QWidget

from gui.basics.event_loop_slices import at_once
from gui.basics.theme import GRID
from gui.form.field import FormField
from machines.errors import InputError, PlacewiseError
from machines.parameters import properties_of, spoken

_LONG = 16  # fields of a form that shows only what matters
_OPEN = 2  # sections that are open at first
_AT_ONCE = 3  # fields that are made in one part of filling the form
_ROWS = 4  # of the grid for each field: heading, field, text, message


class ParameterForm(QWidget):
    """Editors of all settings of a record type.

    `filled`: with its fields; else these are made by `fill`, where the form is in its place.
    """

    changed = Signal(object)  # {name: value}, whenever all fields are right
    edited = Signal()  # right or wrong

    def __init__(
        self, record_type: type, parent: QWidget | None = None, *, filled: bool = True
    ) -> None:
        super().__init__(parent)
        self.setObjectName("parameter_form")
        self.setAccessibleName("Parameters")
        self._record_type = record_type
        self._fields: dict[str, FormField] = {}
        self._unused: set[str] = set()  # names of fields that don't matter now
        self._told: FormField | None = None  # of whose text a run had something to say
        self.sections: tuple[FormSection, ...] = ()
        self._grid = grid = QGridLayout(self)
        grid.setContentsMargins(GRID, GRID, GRID, GRID)
        grid.setHorizontalSpacing(GRID)
        grid.setVerticalSpacing(GRID // 2)
        grid.setColumnStretch(1, 1)
        self.reset_button = QPushButton("Defaults")
        self.reset_button.setObjectName("form_defaults")
        self.reset_button.setToolTip("Set every parameter to its default")
        self.reset_button.clicked.connect(self.reset)
        if filled:
            at_once(self.fill())

    def fill(self) -> Generator[None, None, None]:
        """Make the fields, a few at a time."""
        shown = [one for one in properties_of(self._record_type) if one.in_forms]
        for place, one in enumerate(shown):
            self._add(FormField(one, self), _ROWS * place + 1)
            if place % _AT_ONCE == _AT_ONCE - 1:
                yield
        self._grid.addWidget(self.reset_button, _ROWS * len(self._fields), 1)
        self.reset_button.setVisible(bool(self._fields))
        self._grid.setRowStretch(_ROWS * len(self._fields) + 1, 1)
        self._show_use()

    def _add(self, field: FormField, row: int) -> None:
        """Put a field into its row, below the heading that begins with it."""
        grid, parameter = self._grid, field.parameter
        self._fields[parameter.name] = field
        if parameter.heading:
            section = FormSection(parameter.heading, field, is_open=len(self.sections) < _OPEN)
            section.folded.connect(self._show_use)
            grid.addWidget(section, row - 1, 0, 1, 3)
            self.sections += (section,)
        elif self.sections:
            self.sections[-1].fields += (field,)
        grid.addWidget(field.label, row, 0)
        if parameter.lines > 1:
            grid.addWidget(field.beside, row, 1, 1, 2, Qt.AlignmentFlag.AlignRight)
            grid.addWidget(field.editor, row + 1, 0, 1, 3)
        else:
            grid.addWidget(field.editor, row, 1)
            grid.addWidget(field.beside, row, 2)
        grid.addWidget(field.message, row + 2, 0, 1, 3)
        field.changed.connect(self._tell)

    @property
    def names(self) -> tuple[str, ...]:
        """Of its fields."""
        return tuple(self._fields)

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

        Raises `KeyError`: there is no such field.
        """
        for name, value in values.items():
            self._fields[name].write(value)
        self._tell()

    def offer(self, name: str, choices: Sequence[str]) -> None:
        """Let a field choose among these, without telling; what it had stays if it is one.

        Raises `KeyError`: there is no such field.
        """
        self._fields[name].offer(choices)
        self._show_use()

    def refuse_choice(self, name: str, choice: str, reason: str) -> None:
        """Turn one choice of a field off, with the reason; empty: it can be chosen."""
        self._fields[name].refuse_choice(choice, reason)

    def put_beside(self, name: str, widget: QWidget) -> None:
        """Put a widget left of the button of a field of several lines; KeyError: no such field."""
        place = list(self._fields).index(name) if name in self._fields else -1
        if place < 0:
            raise KeyError(name)
        self._grid.addWidget(widget, _ROWS * place + 1, 1, 1, 2, Qt.AlignmentFlag.AlignLeft)

    def editor(self, name: str) -> QWidget:
        """The editor of a field; KeyError when there is none."""
        return self._fields[name].editor

    def title(self, name: str) -> str:
        """What a field is called; KeyError when there is none."""
        return self._fields[name].parameter.title

    def visit(self, name: str) -> int | None:
        """Which visit of a field it is that is typed in; None: it is chosen, not typed."""
        field = self._fields[name]
        return field.visit if field.is_typed else None

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
                field.show_unit(field.parameter.unit_beside(values))
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

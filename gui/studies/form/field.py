"""One field of a form: label, editor, unit or "Browse…", and the message beneath."""

from __future__ import annotations

import dataclasses
import math

from PySide6.QtCore import QEvent, QObject, Qt, Signal
from PySide6.QtWidgets import (
    QCheckBox,
    QComboBox,
    QFileDialog,
    QLabel,
    QLineEdit,
    QPlainTextEdit,
    QPushButton,
    QWidget,
)

from advisor.studies.parameters import Parameter, parsed
from gui.basics.theme import GRID, theme
from machines.errors import InputError

_LONGEST = 2000  # characters of a text; of a longer one the beginning is shown
_CHOICE_LETTERS = 18  # of wide ones: so long a choice is never cut off


class Field(QObject):
    """Label, editor and message of one parameter.

    Attributes
    ----------
    beside : QWidget
        The unit, or the button that asks for a file.
    """

    changed = Signal()  # the user has edited it, right or wrong

    def __init__(self, parameter: Parameter, parent: QWidget) -> None:
        super().__init__(parent)
        self.parameter = parameter
        self._shown = True
        self._whole = ""  # of a text that is too long to show
        self.label = QLabel(parameter.title)
        self.message = QLabel()
        self.message.setObjectName(f"message_{parameter.name}")
        self.message.setWordWrap(True)
        self.message.hide()
        self.editor = self._editor()
        self.editor.setObjectName(f"field_{parameter.name}")
        self.editor.setAccessibleName(_with_unit(parameter))
        self.editor.setMinimumWidth(13 * GRID)
        self.beside = self._browse() if parameter.path else QLabel(parameter.unit)
        self.label.setBuddy(self.editor)
        self.set_unused("")
        self.reset()

    def value(self) -> object:
        """The value; InputError naming the field when the entry is wrong."""
        return parsed(self.parameter, self._text())

    def reset(self) -> None:
        """Show the default, without telling."""
        default = self.parameter.default
        self.write(None if default is dataclasses.MISSING else default)

    def write(self, value: object) -> None:
        """Show a value, without telling."""
        editor = self.editor
        editor.blockSignals(True)
        if isinstance(editor, QCheckBox):
            editor.setChecked(value is True)
        elif isinstance(editor, QComboBox):
            editor.setCurrentText("auto" if value is None else str(value))
        elif isinstance(editor, QLineEdit):
            editor.setText(_written(value))
            editor.setCursorPosition(0)
        elif isinstance(editor, QPlainTextEdit):
            text = _written(value)
            self._whole = text if len(text) > _LONGEST else ""
            if self._whole:
                text = f"{text[:_LONGEST]}… ({len(text):,} characters in all)"
            editor.setPlainText(text)
        editor.blockSignals(False)
        self.check()

    def set_unused(self, reason: str) -> None:
        """Grey the field, with the reason in its tooltip; empty: it is used."""
        for widget in (self.label, self.editor, self.beside):
            widget.setEnabled(not reason)
        hint = "\n".join(filter(None, [_hint(self.parameter), reason]))
        self.editor.setToolTip(hint)
        self.label.setToolTip(hint)

    def set_shown(self, shown: bool) -> None:
        """Show or hide all of it."""
        self._shown = shown
        for widget in (self.label, self.editor, self.beside):
            widget.setVisible(shown)
        self.message.setVisible(shown and bool(self.message.text()))

    def check(self) -> bool:
        """Whether the entry is right; its message says what is wrong."""
        try:
            self.value()
        except InputError as error:
            what = f"{error.what[:1].upper()}{error.what[1:]}. {error.remedy}".strip()
            self.message.setText(what)
            self.message.setStyleSheet(f"color: {theme().colours.worse};")
            self.message.setVisible(self._shown)
            return False
        self.message.clear()
        self.message.hide()
        return True

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        """The wheel scrolls the form; it changes a choice only where the focus is."""
        if event.type() == QEvent.Type.Wheel and not self.editor.hasFocus():
            event.ignore()
            return True
        return super().eventFilter(watched, event)

    def _editor(self) -> QWidget:
        if self.parameter.kind is bool:
            box = QCheckBox()
            box.toggled.connect(lambda _checked: self._edited())
            return box
        if self.parameter.choices:
            combo = QComboBox()
            automatic = ["auto"] if self.parameter.optional else []
            combo.addItems([*automatic, *self.parameter.choices])
            combo.setSizeAdjustPolicy(
                QComboBox.SizeAdjustPolicy.AdjustToMinimumContentsLengthWithIcon
            )
            longest = max(map(len, self.parameter.choices))
            combo.setMinimumContentsLength(min(longest, _CHOICE_LETTERS))
            combo.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
            combo.installEventFilter(self)
            combo.currentTextChanged.connect(lambda _text: self._edited())
            return combo
        if self.parameter.lines > 1:
            return self._text_editor()
        line = QLineEdit()
        if self.parameter.optional:
            line.setPlaceholderText("auto")
        line.textEdited.connect(lambda _text: self._edited())
        return line

    def _text_editor(self) -> QPlainTextEdit:
        """Several lines, as of a file that is pasted."""
        text = QPlainTextEdit()
        text.setPlaceholderText(self.parameter.example)
        text.setTabChangesFocus(True)
        text.setLineWrapMode(QPlainTextEdit.LineWrapMode.NoWrap)
        margins = 2 * (text.document().documentMargin() + text.frameWidth())
        height = self.parameter.lines * text.fontMetrics().lineSpacing() + margins
        text.setFixedHeight(round(height))
        text.textChanged.connect(self._edited)
        return text

    def _browse(self) -> QPushButton:
        button = QPushButton("Open…" if self.parameter.lines > 1 else "Browse…")
        button.setObjectName(f"browse_{self.parameter.name}")
        button.setAccessibleName(f"Browse for {self.parameter.title}")
        button.setToolTip("Choose a file")
        button.clicked.connect(self._ask)
        return button

    def _ask(self) -> None:
        text = self._text()
        present = "" if "\n" in text else text
        dialog = QFileDialog(self.editor, f"Choose {self.parameter.title}", present)
        dialog.setObjectName("browse_dialog")
        dialog.setFileMode(QFileDialog.FileMode.ExistingFile)
        dialog.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        dialog.fileSelected.connect(self._choose)
        dialog.open()

    def _choose(self, path: str) -> None:
        self.write(path)
        self._edited()

    def _text(self) -> str:
        editor = self.editor
        if isinstance(editor, QCheckBox):
            return "yes" if editor.isChecked() else "no"
        if isinstance(editor, QComboBox):
            return editor.currentText()
        if isinstance(editor, QPlainTextEdit):
            return self._whole or editor.toPlainText().strip()
        return editor.text().strip() if isinstance(editor, QLineEdit) else ""

    def _edited(self) -> None:
        self._whole = ""
        self.check()
        self.changed.emit()


def _written(value: object) -> str:
    if value is None:
        return ""
    return repr(value).removesuffix(".0") if isinstance(value, float) else str(value)


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

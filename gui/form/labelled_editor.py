"""One entry of a form or a sheet: label, editor, unit or "Browse…", and the message beneath.

Made from the declaration of a value (`machines.parameters`), whatever becomes of what is written:
a study's form takes each text as it is typed, a sheet of the inspector when the user is done.
"""

from __future__ import annotations

import math

from PySide6.QtCore import QObject, Qt
from PySide6.QtWidgets import QFileDialog, QLabel, QPushButton, QWidget

from gui.basics.theme import GRID
from gui.basics.validation_style import SIGN, mark_wrong
from gui.form.editors import YesNoBox, editor_of
from gui.form.error_label import error_label
from gui.form.shortened import breakable
from machines import amounts
from machines.errors import capital
from machines.parameters import AUTO, Parameter

_LETTERS = 14  # of a word, in the column of titles


class LabelledEditor(QObject):
    """Label, editor and message of one parameter.

    `joint`: between "field" and the parameter's name in object names.
    `live`: each text is taken as it is typed.
    `beside`: the unit, or the button that asks for a file.
    `wrong`: why the text can't be taken; empty: it can.
    """

    def __init__(
        self, parameter: Parameter, parent: QWidget, *, joint: str = "_", live: bool = True
    ) -> None:
        super().__init__(parent)
        self.parameter = parameter
        self._shown = True
        self.wrong = ""
        self.label = QLabel()
        self.message = error_label(f"message{joint}{parameter.name}")
        self.editor = editor_of(parameter, live=live)
        self.editor.setObjectName(f"field{joint}{parameter.name}")
        self.editor.setMinimumWidth(13 * GRID if live else 0)
        self.beside: QLabel | QPushButton = self._browse() if parameter.path else QLabel()
        self.label.setBuddy(self.editor)
        self.show_parameter(parameter)

    def show_parameter(self, parameter: Parameter) -> None:
        """Show what it is called, its unit and its help; the text stays."""
        self.parameter = parameter
        self.label.setText(breakable(_capital(parameter.title), _LETTERS))
        self.show_unit(parameter.unit)
        self._describe()
        self.set_placeholder(parameter.empty if parameter.optional else parameter.example)
        self.set_unused("")

    def show_unit(self, unit: str) -> None:
        """Show in which unit it is, unless the text has a unit of its own."""
        if isinstance(self.beside, QLabel):
            self.beside.setText("" if self.parameter.unit in amounts.UNITS else unit)
        title = self.parameter.title
        self.editor.setAccessibleName(f"{title} ({unit})" if unit else title)

    def set_placeholder(self, text: str) -> None:
        """What is shown while nothing is written."""
        if not isinstance(self.editor, YesNoBox):
            self.editor.setPlaceholderText(text)

    def show_text(self, text: str) -> None:
        """Show a text, without telling."""
        self.editor.show_text(text, self.parameter)

    def set_unused(self, reason: str) -> None:
        """Grey the entry, with the reason in its tooltip; empty: it is used."""
        for widget in (self.label, self.editor, self.beside):
            widget.setEnabled(not reason)
        tip = "\n".join(filter(None, [hint(self.parameter), reason]))
        self.editor.setToolTip(tip)
        self.label.setToolTip(tip)

    def set_shown(self, shown: bool) -> None:
        """Show or hide all of it."""
        self._shown = shown
        for widget in (self.label, self.editor, self.beside):
            widget.setVisible(shown)
        self.message.setVisible(shown and bool(self.message.text()))

    def refuse(self, reason: str) -> None:
        """Say beneath why the text can't be taken; text and focus stay."""
        self.wrong = reason
        self.message.setText(f"{SIGN} {reason}")
        self.message.setVisible(self._shown)
        self._describe()

    def accept(self) -> None:
        """Nothing is wrong with the text."""
        if self.wrong:
            self.wrong = ""
            self.message.clear()
            self.message.hide()
            self._describe()

    def _describe(self) -> None:
        """Tell who can't see the message, and mark the editor."""
        parts = (f"Wrong: {self.wrong}" if self.wrong else "", self.parameter.help)
        self.editor.setAccessibleDescription("\n".join(filter(None, parts)))
        mark_wrong(self.editor, bool(self.wrong))

    def _browse(self) -> QPushButton:
        button = QPushButton("Open…" if self.parameter.lines > 1 else "Browse…")
        button.setObjectName(f"browse_{self.parameter.name}")
        button.setAccessibleName(f"Browse for {self.parameter.title}")
        button.setToolTip("Choose a file")
        button.clicked.connect(self._ask)
        return button

    def _ask(self) -> None:
        text = self.editor.text()
        present = "" if "\n" in text else text
        dialog = QFileDialog(self.editor, f"Choose {self.parameter.title}", present)
        dialog.setObjectName("browse_dialog")
        dialog.setFileMode(QFileDialog.FileMode.ExistingFile)
        dialog.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        dialog.fileSelected.connect(self._choose)
        dialog.open()

    def _choose(self, path: str) -> None:
        self.show_text(path)
        self.editor.setModified(True)
        self.editor.edited.emit()
        self.editor.finished.emit()


def hint(parameter: Parameter) -> str:
    """Help, unit and range of a parameter."""
    parts = [parameter.help] if parameter.help else []
    low, high = parameter.low, parameter.high
    unit = f" {parameter.unit}" if parameter.unit else ""
    beyond = f"more than {low:g}" if parameter.above else f"{low:g}"
    if math.isfinite(low) and math.isfinite(high):
        parts.append(f"Allowed: {beyond} to {high:g}{unit}.")
    elif math.isfinite(low):
        parts.append(f"Allowed: {beyond}{unit}{'' if parameter.above else ' or more'}.")
    elif math.isfinite(high):
        parts.append(f"Allowed: {high:g}{unit} or less.")
    if parameter.optional:
        automatic = "Empty or auto: chosen for you."
        parts.append(automatic if parameter.empty == AUTO else f"Empty: {parameter.empty}.")
    return "\n".join(parts)


def _capital(title: str) -> str:
    """A title as it begins a line; symbols stay as they are."""
    word = title.partition(" ")[0]
    return title if len(word) < 2 else capital(title)

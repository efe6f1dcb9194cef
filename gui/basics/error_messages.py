"""Errors in front of the user: what is wrong, where, the value, what to do — and Copy."""

from __future__ import annotations

import platform
import traceback
from types import TracebackType

from PySide6.QtCore import Qt, qVersion
from PySide6.QtGui import QFontDatabase, QGuiApplication
from PySide6.QtWidgets import (
    QDialog,
    QDialogButtonBox,
    QLabel,
    QPlainTextEdit,
    QPushButton,
    QVBoxLayout,
    QWidget,
)

from gui.basics.reading_order import InReadingOrder
from gui.basics.theme import GRID
from machines.errors import PlacewiseError, capital, shown_value

_WIDTH = 56 * GRID
_LONGEST_VALUE = 200  # characters


class ErrorDialog(InReadingOrder, QDialog):
    """One error; closing it changes nothing.

    `parent`: the window.
    `title`: what failed ("This file can't be opened").
    `rows`: what, where, value, remedy; empty texts are left out.
    `details`: long text to copy, such as a traceback; shown in a box of its own.
    """

    def __init__(
        self, parent: QWidget | None, title: str, rows: list[tuple[str, str]], details: str = ""
    ) -> None:
        super().__init__(parent)
        self.setObjectName("error_dialog")
        self.setWindowTitle("Placewise")
        self.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        self.setMinimumWidth(_WIDTH)
        self._title, self._rows, self._details = title, [r for r in rows if r[1]], details
        layout = QVBoxLayout(self)
        layout.setSpacing(GRID)
        heading = self._label(title, "error_title")
        heading.setProperty("role", "headline")
        layout.addWidget(heading)
        for name, text in self._rows:
            layout.addWidget(self._label(f"{name}: {text}" if name else text, "error_row"))
        if details:
            layout.addWidget(self._box(details))
        buttons = self._buttons()
        layout.addWidget(buttons)
        buttons.button(QDialogButtonBox.StandardButton.Close).setFocus()

    def text(self) -> str:
        """Everything in the dialog, as Copy puts it on the clipboard."""
        lines = [self._title, *(f"{name}: {text}" if name else text for name, text in self._rows)]
        return "\n".join([*lines, self._details] if self._details else lines)

    def copy(self) -> None:
        """Put the text on the clipboard."""
        QGuiApplication.clipboard().setText(self.text())

    def _label(self, text: str, name: str) -> QLabel:
        label = QLabel(text)
        label.setObjectName(name)
        label.setTextFormat(Qt.TextFormat.PlainText)
        label.setWordWrap(True)
        label.setTextInteractionFlags(Qt.TextInteractionFlag.TextSelectableByMouse)
        return label

    def _box(self, details: str) -> QPlainTextEdit:
        box = QPlainTextEdit(details)
        box.setObjectName("error_details")
        box.setAccessibleName("Details")
        box.setReadOnly(True)
        box.setFont(QFontDatabase.systemFont(QFontDatabase.SystemFont.FixedFont))
        box.setMinimumHeight(20 * GRID)
        return box

    def _buttons(self) -> QDialogButtonBox:
        buttons = QDialogButtonBox(QDialogButtonBox.StandardButton.Close)
        copy = QPushButton("Copy")
        copy.setObjectName("error_copy")
        copy.setToolTip("Copy this message to the clipboard")
        copy.clicked.connect(self.copy)
        buttons.addButton(copy, QDialogButtonBox.ButtonRole.ActionRole)
        buttons.rejected.connect(self.reject)
        buttons.button(QDialogButtonBox.StandardButton.Close).setDefault(True)
        return buttons


def sentence(error: PlacewiseError) -> str:
    """An error as the window says it: with a capital, unless the name of its place comes first."""
    return f"{error}" if error.where else capital(f"{error}")


def first_sentence(error: PlacewiseError) -> str:
    """What `sentence` says without what to do about it."""
    return sentence(error).removesuffix(f". {error.remedy}" if error.remedy else "")


def show_error(parent: QWidget | None, title: str, error: PlacewiseError) -> ErrorDialog:
    """Open the dialog of an error that a user caused; does not wait for it."""
    rows = [
        ("", capital(error.what)),
        ("Where", error.where),
        ("Value", "" if error.value is None else shown_value(error.value, _LONGEST_VALUE)),
        ("What to do", error.remedy),
    ]
    dialog = ErrorDialog(parent, title, rows)
    dialog.open()
    return dialog


def show_defect(
    parent: QWidget | None,
    kind: type[BaseException],
    value: BaseException,
    trace: TracebackType | None,
) -> ErrorDialog:
    """Open the dialog of an error in Placewise itself; does not wait for it."""
    details = "".join(traceback.format_exception(kind, value, trace))
    versions = f"Python {platform.python_version()}, Qt {qVersion()}, {platform.system()}"
    rows = [
        ("", "The project is still open and can be saved."),
        ("What to do", "Save the project, then report the text below"),
    ]
    dialog = ErrorDialog(parent, "Internal error", rows, f"{versions}\n\n{details}")
    dialog.open()
    return dialog

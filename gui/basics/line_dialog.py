"""A dialog that asks for one line of text, without waiting for it."""

from __future__ import annotations

from collections.abc import Callable

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QInputDialog, QLineEdit, QWidget

from gui.basics.theme import GRID


def ask_line(
    parent: QWidget,
    name: str,
    title: str,
    label: str,
    take: Callable[[str], object],
    *,
    value: str = "",
    example: str = "",
    width: int = 36,
) -> None:
    """Open the dialog; `take` gets what is typed, if it is accepted.

    `value`: to begin with. `example`: shown while nothing is typed. `width`: of the field at
    least, in steps of the grid, so that the frame has room for the title.
    """
    dialog = QInputDialog(parent)
    dialog.setObjectName(name)
    dialog.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
    dialog.setWindowTitle(title)
    dialog.setLabelText(label)
    dialog.setTextValue(value)
    for field in dialog.findChildren(QLineEdit):
        field.setPlaceholderText(example)
        field.setMinimumWidth(width * GRID)
    dialog.textValueSelected.connect(take)
    dialog.open()

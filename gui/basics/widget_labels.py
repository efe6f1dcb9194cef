"""Words and buttons of panels: named for tests and screen readers, names in them never markup."""

from __future__ import annotations

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QLabel, QPushButton


def said(name: str, role: str = "") -> QLabel:
    """An empty text of that object name, which wraps and can be selected by mouse and keys."""
    label = QLabel()
    label.setObjectName(name)
    label.setProperty("role", role)
    label.setWordWrap(True)
    label.setTextFormat(Qt.TextFormat.PlainText)
    label.setTextInteractionFlags(
        Qt.TextInteractionFlag.TextSelectableByMouse
        | Qt.TextInteractionFlag.TextSelectableByKeyboard
    )
    return label


def button(text: str, name: str, hint: str) -> QPushButton:
    """A button of that object name, with a tooltip."""
    made = QPushButton(text)
    made.setObjectName(name)
    made.setAccessibleName(text.replace("&", ""))
    made.setToolTip(hint)
    return made

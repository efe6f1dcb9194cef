"""A line below an editor that says what is wrong; names in it are data, never markup."""

from __future__ import annotations

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QLabel


def error_label(name: str) -> QLabel:
    """A hidden line of that object name."""
    label = QLabel()
    label.setObjectName(name)
    label.setProperty("role", "error")
    label.setTextFormat(Qt.TextFormat.PlainText)
    label.setWordWrap(True)
    label.hide()
    return label

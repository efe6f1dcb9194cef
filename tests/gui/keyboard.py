"""The keyboard of the tests: which window hears of it."""

from __future__ import annotations

from PySide6.QtWidgets import QWidget
from pytestqt.qtbot import QtBot


def take_keys(qtbot: QtBot, window: QWidget) -> None:
    """Let a window that is shown have the keyboard."""
    window.activateWindow()
    qtbot.waitUntil(window.isActiveWindow)

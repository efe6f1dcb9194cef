"""Overlays by the window's keys: added, found by name, removed."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import Qt

from gui.document.document import Selection

if TYPE_CHECKING:
    from pytestqt.qtbot import QtBot

    from gui.shell.main_window import MainWindow

_CTRL_SHIFT = Qt.KeyboardModifier.ControlModifier | Qt.KeyboardModifier.ShiftModifier


def test_keys_add_an_overlay_and_remove_it(qtbot: QtBot, window: MainWindow) -> None:
    document = window.document
    window.activateWindow()
    assert window.commands["add_overlay"].shortcut().toString() == "Ctrl+Shift+O"
    qtbot.keyClick(window, Qt.Key.Key_O, _CTRL_SHIFT)
    (overlay,) = document.project.workload.overlays
    assert overlay.back_ends == (("M2", 1),)
    assert document.selection == Selection(overlay=0)
    assert document.undo_stack.undoText() == "Add overlay"
    window.commands["remove"].trigger()
    assert document.project.workload.overlays == ()
    assert document.selection == Selection()
    window.commands["undo"].trigger()
    assert document.project.workload.overlays == (overlay,)


def test_the_search_field_finds_an_overlay(qtbot: QtBot, window: MainWindow) -> None:
    window.commands["add_overlay"].trigger()
    window.document.select(Selection())
    window.commands["find"].trigger()
    field = window.toolbar.search
    qtbot.keyClicks(field, "monitor")
    assert (field.findings[0].text, field.findings[0].detail) == ("monitor", "overlay")
    qtbot.keyClick(field, Qt.Key.Key_Return)
    assert window.document.selection == Selection(overlay=0)

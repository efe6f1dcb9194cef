"""Hands for export dialogs: their boxes of hosts, filled by typing, and waiting for the answer."""

from __future__ import annotations

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QPlainTextEdit
from pytestqt.qtbot import QtBot

from gui.studies.picture.export_dialog import ExportDialog


def host_box(dialog: ExportDialog, name: str = "hosts") -> QPlainTextEdit:
    box = dialog.fields[name].widget
    assert isinstance(box, QPlainTextEdit)
    return box


def type_hosts(qtbot: QtBot, box: QPlainTextEdit, hosts: str) -> None:
    """Replace what is in a box."""
    box.selectAll()
    qtbot.keyClick(box, Qt.Key.Key_Delete)
    box.insertPlainText(hosts)


def settled(qtbot: QtBot, dialog: ExportDialog) -> None:
    qtbot.waitUntil(lambda: not dialog.is_busy)

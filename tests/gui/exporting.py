"""Exports as a user waits for them: pictures are there at once, tables once they are written."""

from __future__ import annotations

from pathlib import Path

from pytestqt.qtbot import QtBot

from gui.plots.panel import Exports


def export(qtbot: QtBot, exports: Exports, path: Path) -> None:
    """Export to a file, and wait until it is there."""
    with qtbot.waitSignal(exports.exported):
        exports.export(path)

"""Exports as a user waits for them: files are there once they are written."""

from __future__ import annotations

from pathlib import Path

from pytestqt.qtbot import QtBot

from gui.basics.figures import Drawable, picture
from gui.plots.panel import Exports


def export(qtbot: QtBot, exports: Exports, path: Path) -> None:
    """Export to a file, and wait until it is there."""
    with qtbot.waitSignal(exports.exported):
        exports.export(path)


def export_figure(source: Drawable, path: Path) -> None:
    """Write a picture now."""
    path.write_bytes(picture(source, path.suffix))

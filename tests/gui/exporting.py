"""Exports as a user waits for them: files are there once they are written."""

from __future__ import annotations

from pathlib import Path

from pytestqt.qtbot import QtBot

from gui.basics.background_export import BackgroundExport
from gui.basics.error_messages import ErrorDialog
from gui.basics.figures import Drawable, picture
from gui.plots.plot_panel import Exports


def export(qtbot: QtBot, exports: Exports, path: Path) -> None:
    """Export to a file, and wait until it is there."""
    with qtbot.waitSignal(exports.exported):
        exports.export(path)


def export_figure(source: Drawable, path: Path) -> None:
    """Write a picture now."""
    path.write_bytes(picture(source, path.suffix))


def refused(qtbot: QtBot, out: BackgroundExport) -> str:
    """What the dialog says that opens."""
    widget = out.parent()
    assert widget is not None
    qtbot.waitUntil(lambda: widget.findChild(ErrorDialog) is not None)
    dialog = widget.findChild(ErrorDialog)
    assert isinstance(dialog, ErrorDialog)
    said = dialog.text()
    dialog.close()
    return said

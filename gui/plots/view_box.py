"""How the mouse moves a plot of pyqtgraph: as on the board.

The wheel zooms along at the pointer, with Ctrl across, with Shift or sideways it pans; a drag pans.
There is no menu: the plot's panel has one.
"""

from __future__ import annotations

from typing import Any

import pyqtgraph as pg
from PySide6.QtCore import Qt
from PySide6.QtWidgets import QGraphicsSceneWheelEvent

from gui.plots.zoom_keys import PAN

_NOTCH = 120.0
_BUTTONS = (Qt.MouseButton.LeftButton, Qt.MouseButton.MiddleButton)


class HandView(pg.ViewBox):  # type: ignore[misc] # pyqtgraph has no types
    """The area between the axes."""

    def __init__(self) -> None:
        super().__init__(enableMenu=False)

    def wheelEvent(self, ev: QGraphicsSceneWheelEvent, axis: int | None = None) -> None:
        """Zoom at the pointer along one axis, or pan; over an axis, zoom that one."""
        modifiers = ev.modifiers()
        sideways = ev.orientation() == Qt.Orientation.Horizontal
        if sideways or modifiers & Qt.KeyboardModifier.ShiftModifier:
            self.translateBy(x=-ev.delta() / _NOTCH * PAN * self.viewRect().width())
            ev.accept()
            return
        across = bool(modifiers & Qt.KeyboardModifier.ControlModifier)
        super().wheelEvent(ev, axis=int(across) if axis is None else axis)

    def mouseDragEvent(self, ev: Any, axis: int | None = None) -> None:
        """Move what is in view; the right button is for the menu."""
        if ev.button() not in _BUTTONS:
            ev.ignore()
            return
        if ev.isFinish():
            self.unsetCursor()
        elif ev.isStart():
            self.setCursor(Qt.CursorShape.ClosedHandCursor)
        super().mouseDragEvent(ev, axis)

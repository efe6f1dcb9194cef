"""A layer of a picture that is kept until it is stale; its memory stays, as taking it is slow."""

from __future__ import annotations

from collections.abc import Callable

from PySide6.QtCore import Qt
from PySide6.QtGui import QColor, QPainter, QPixmap
from PySide6.QtWidgets import QWidget

CLEAR = QColor(Qt.GlobalColor.transparent)


class Layer:
    """A pixmap as large as a widget."""

    def __init__(self, widget: QWidget) -> None:
        self._widget = widget
        self._pixmap = QPixmap()
        self._fresh = False

    def forget(self) -> None:
        """Paint it again when it is needed next."""
        self._fresh = False

    def painted(self, colour: QColor, paint: Callable[[QPainter], None]) -> QPixmap:
        """The layer: if it is stale, `colour` and what `paint` puts on it."""
        ratio = self._widget.devicePixelRatioF()
        size = self._widget.size() * ratio
        if self._pixmap.size() != size:
            self._pixmap = QPixmap(size)
            self._pixmap.setDevicePixelRatio(ratio)
            self._fresh = False
        if not self._fresh:
            self._fresh = True
            self._pixmap.fill(colour)
            with QPainter(self._pixmap) as painter:
                painter.setRenderHint(QPainter.RenderHint.Antialiasing)
                paint(painter)
        return self._pixmap

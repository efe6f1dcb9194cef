"""The legend below a picture: signs and texts side by side, as far as there is room."""

from __future__ import annotations

from PySide6.QtCore import QRectF
from PySide6.QtGui import QColor, QPainter

from gui.basics.ink import Ink
from gui.basics.theme import GRID


class LegendRow:
    """Writes into a strip from the left; `x` is where the next sign or text goes."""

    def __init__(self, painter: QPainter, ink: Ink, strip: QRectF) -> None:
        self._painter, self._ink, self._strip = painter, ink, strip
        self.x, self.middle = strip.left() + GRID, strip.center().y()

    @property
    def room(self) -> float:
        """What is left, pixels."""
        return self._strip.right() - self.x

    def write(self, text: str, colour: QColor, gap: float = 2.0 * GRID) -> None:
        """A text, cut off where the strip ends."""
        ink, strip = self._ink, self._strip
        width = min(ink.width(text, ink.small) + 2, max(self.room, 0.0))
        where = QRectF(self.x, strip.top(), width, strip.height())
        ink.write(self._painter, where, text, colour, ink.small)
        self.x += width + gap

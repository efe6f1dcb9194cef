"""What painting needs at hand: the theme's colours and the fonts with their metrics.

Made once for a font and a theme; painters take it as an argument and ask for nothing else.
"""

from __future__ import annotations

from functools import cache

from PySide6.QtCore import QLineF, QRectF, Qt
from PySide6.QtGui import QColor, QFont, QFontMetricsF, QPainter, QPen

from advisor.basics import causes
from gui.basics.theme import theme, tint
from machines.arrays import Floats

SMALLEST_PT = 9.0
LEFT = Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignVCenter
RIGHT = Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter
CENTRE = Qt.AlignmentFlag.AlignCenter


class Ink:
    """Colours and fonts of one look.

    `normal`, `small`, `bold`, `small_bold`: nothing below 9 pt. `line`: height of a line of normal
    text, pixels. `small_line`: height of a line of small text.
    """

    def __init__(self, font: QFont) -> None:
        size = max(SMALLEST_PT, font.pointSizeF())
        self.normal = _sized(font, size)
        self.small = _sized(font, max(SMALLEST_PT, size - 1))
        self.bold = _sized(font, size, bold=True)
        self.small_bold = _sized(font, max(SMALLEST_PT, size - 1), bold=True)
        self._metrics = {
            id(font): QFontMetricsF(font)
            for font in (self.normal, self.small, self.bold, self.small_bold)
        }
        self.line = self.metrics(self.normal).height()
        self.small_line = self.metrics(self.small).height()
        palette = theme().colours
        self.board = QColor(palette.board)
        self.surface = QColor(palette.surface)
        self.raised = QColor(palette.raised)
        self.edge = QColor(palette.line)
        self.outline = QColor(palette.edge)
        self.text = QColor(palette.text)
        self.muted = QColor(palette.muted)
        self.accent = QColor(palette.accent)
        self.on_accent = QColor(palette.on_accent)
        self.hatch = QColor(palette.hatch)
        self.better = QColor(palette.better)
        self.better_surface = QColor(palette.better_surface)
        self.worse = QColor(palette.worse)
        self.worse_surface = QColor(palette.worse_surface)
        self.computing = theme().cause(causes.COMPUTING)
        self.transferring = theme().cause(causes.TRANSFERRING)
        self._dark = theme().dark
        self.cause = theme().cause

    def metrics(self, font: QFont) -> QFontMetricsF:
        """Metrics of one of the fonts above."""
        return self._metrics[id(font)]

    def width(self, text: str, font: QFont) -> float:
        """Width of a text in one of the fonts above, pixels."""
        return self.metrics(font).horizontalAdvance(text)

    def write(
        self,
        painter: QPainter,
        rect: QRectF,
        text: str,
        colour: QColor,
        font: QFont,
        align: Qt.AlignmentFlag = LEFT,
        elide: Qt.TextElideMode = Qt.TextElideMode.ElideRight,
    ) -> None:
        """Text in a rectangle, shortened with an ellipsis where it does not fit."""
        if rect.width() <= 0:
            return
        fitting = self.metrics(font).elidedText(text, elide, rect.width())
        painter.setFont(font)
        painter.setPen(colour)
        painter.drawText(rect, align, fitting)

    def faded(self, colour: QColor, share: float) -> QColor:
        """`share` of a colour over the board's own; opaque, as translucent curves draw slowly."""
        ground, rest = self.board, 1 - share
        return QColor.fromRgbF(
            share * colour.redF() + rest * ground.redF(),
            share * colour.greenF() + rest * ground.greenF(),
            share * colour.blueF() + rest * ground.blueF(),
        )

    def tint(self, position: int, count: int) -> QColor:
        """The quiet tint of a machine among so many."""
        return tint(position, count, self._dark)

    def kind(self, kind: int) -> QColor:
        """The quiet colour of a kind of task; kinds are told apart by their names as well."""
        return _kind_colour(kind, self._dark)


def thin(colour: QColor, width: float = 1.0, style: Qt.PenStyle = Qt.PenStyle.SolidLine) -> QPen:
    """A pen of so many pixels; in files with more pixels to the inch lines are as wide."""
    return QPen(colour, width, style)


def lines_of(lines: Floats) -> list[QLineF]:
    """Lines for a painter, from an array of x, y, x, y."""
    return [QLineF(*line) for line in lines.tolist()]


def contrasting(colour: QColor) -> QColor:
    """Black or white, whichever is easier to read on `colour` (WCAG 2 relative luminance)."""
    return QColor("#FFFFFF") if _luminance(colour) < 0.179 else QColor("#101214")


def _luminance(colour: QColor) -> float:
    """0.2126 R + 0.7152 G + 0.0722 B of the linear channels."""
    channels = (
        value / 12.92 if value <= 0.03928 else ((value + 0.055) / 1.055) ** 2.4
        for value in (colour.redF(), colour.greenF(), colour.blueF())
    )
    return sum(w * c for w, c in zip((0.2126, 0.7152, 0.0722), channels, strict=True))


@cache
def _kind_colour(kind: int, dark: bool) -> QColor:
    # steps of the golden angle keep any number of hues apart
    hue = int(210 + kind * 137.508) % 360
    return QColor.fromHsl(hue, 90 if dark else 130, 90 if dark else 195)


def _sized(font: QFont, points: float, bold: bool = False) -> QFont:
    sized = QFont(font)
    sized.setPointSizeF(points)
    sized.setBold(bold)
    return sized

"""The legend of a plot: names beside the mark that they have in it, above or beside the picture.

Painted by hand, because pyqtgraph's `LegendItem` lies over what is drawn, neither wraps nor
shortens its names, and takes no keys. This one is part of exports.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from PySide6.QtCore import QPointF, QRectF, Qt
from PySide6.QtGui import QColor, QFontMetricsF, QPainter, QPainterPath, QPen

from gui.basics.theme import GRID, theme
from gui.plots.painted_chart import elided

_MARK, _SPACE = 22.0, 6.0
_MOST, _MOST_BESIDE = 0.25, 0.32  # of the picture's height, and of its width
_MOST_IN_COLUMNS = 0.5  # of the width, for names that have no room below each other
_FAINT = 0.5


@dataclass(frozen=True)
class Entry:
    """One name of a legend.

    `symbol`: its symbol, in a square of side 1 around the origin; with neither, a filled box.
    """

    name: str
    colour: QColor
    dash: Qt.PenStyle | None = None  # how its line is drawn; None: no line
    symbol: QPainterPath | None = None
    shown: bool = True  # False where it is left out of the picture: faint and struck out


def legend_height(entries: Sequence[Entry], rect: QRectF, metrics: QFontMetricsF) -> float:
    """How high the legend is above a picture of this size, of which it takes a part at most."""
    places = _in_rows(entries, rect.width(), _MOST * rect.height(), metrics)
    return places[-1][1] + metrics.height() + GRID / 2 if places else 0.0


def parted(
    entries: Sequence[Entry], rect: QRectF, metrics: QFontMetricsF, beside: bool = False
) -> tuple[QRectF, QRectF]:
    """The room of the legend, above or at the right of a picture, and what is left for that."""
    if not beside or not entries:
        top = rect.top() + legend_height(entries, rect, metrics)
        names = QRectF(rect.topLeft(), QPointF(rect.right(), top))
        return names, QRectF(QPointF(rect.left(), top), rect.bottomRight())
    below = metrics.height() + GRID / 2  # as high as the area between the axes
    lines = max(1, int((rect.height() - below) / (metrics.height() + GRID / 4)))
    columns = -(-len(entries) // lines)
    widest = columns * (max(_width(entry, metrics) for entry in entries) + 2 * GRID)
    most = _MOST_BESIDE if columns == 1 else _MOST_IN_COLUMNS
    left = rect.right() - min(widest + (columns > 1) * GRID, most * rect.width())
    names = QRectF(QPointF(left, rect.top() + below), rect.bottomRight())
    return names, QRectF(rect.topLeft(), QPointF(left, rect.bottom()))


def paint_legend(painter: QPainter, room: QRectF, entries: Sequence[Entry]) -> None:
    """Write `entries` into their room, in the painter's font."""
    metrics = QFontMetricsF(painter.font())
    line = metrics.height()
    places = _places(entries, room.width(), room.height(), metrics)
    for place, (entry, (x, y)) in enumerate(zip(entries, places, strict=False)):
        box = QRectF(room.left() + GRID + x, room.top() + GRID / 2 + y, _MARK, line)
        if place + 1 == len(places) < len(entries):
            name = f"… and {len(entries) - place} more"
            _paint_name(painter, QRectF(box.topLeft(), QPointF(room.right(), box.bottom())), name)
        else:
            _paint_entry(painter, entry, box, room.right())


def _paint_entry(painter: QPainter, entry: Entry, box: QRectF, right: float) -> None:
    painter.save()
    if not entry.shown:
        painter.setOpacity(_FAINT * painter.opacity())
        font = painter.font()
        font.setStrikeOut(True)
        painter.setFont(font)
    _paint_mark(painter, entry, box)
    room = QRectF(QPointF(box.right() + _SPACE, box.top()), QPointF(right, box.bottom()))
    _paint_name(painter, room, entry.name)
    painter.restore()


def _paint_name(painter: QPainter, box: QRectF, name: str) -> None:
    painter.setPen(QColor(theme().colours.text))
    flags = Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignVCenter
    metrics = QFontMetricsF(painter.font())
    painter.drawText(box, flags, elided(name, metrics, box.width() - GRID))


def boxes(entries: Sequence[Entry], room: QRectF, metrics: QFontMetricsF) -> list[QRectF]:
    """Where the entries lie that have room."""
    places = _places(entries, room.width(), room.height(), metrics)
    named = len(places) - (len(places) < len(entries))
    return [
        QRectF(
            room.left() + GRID + x,
            room.top() + GRID / 2 + y,
            _width(entry, metrics),
            metrics.height(),
        )
        for entry, (x, y) in zip(entries, places[:named], strict=False)
    ]


def _width(entry: Entry, metrics: QFontMetricsF) -> float:
    return _MARK + _SPACE + metrics.horizontalAdvance(entry.name)


def _places(
    entries: Sequence[Entry], width: float, height: float, metrics: QFontMetricsF
) -> list[tuple[float, float]]:
    """Where every entry begins: each in a line of its own, where the room is as high."""
    line = metrics.height() + GRID / 4
    if len(entries) * line <= height:
        return [(0.0, place * line) for place in range(len(entries))]
    return _in_rows(entries, width, height, metrics)


def _in_rows(
    entries: Sequence[Entry], width: float, height: float, metrics: QFontMetricsF
) -> list[tuple[float, float]]:
    """Where every entry begins, several in a line; those beyond the height have no place."""
    places, x, y = [], 0.0, 0.0
    line = metrics.height() + GRID / 4
    for entry in entries:
        needed = _width(entry, metrics)
        if x > 0 and x + needed > width - 2 * GRID:
            x, y = 0.0, y + line
            if y + line > height:
                break
        places.append((x, y))
        x += needed + 2 * GRID
    return places


def _paint_mark(painter: QPainter, entry: Entry, box: QRectF) -> None:
    middle = box.center()
    if entry.dash is None and entry.symbol is None:
        swatch = QRectF(middle.x() - 6, middle.y() - 6, 12, 12)
        painter.fillRect(swatch, entry.colour)
        painter.setPen(QPen(QColor(theme().colours.muted), 1))
        painter.drawRect(swatch)
        return
    if entry.dash is not None:
        painter.setPen(QPen(entry.colour, 2, entry.dash))
        painter.drawLine(QPointF(box.left(), middle.y()), QPointF(box.right(), middle.y()))
    if entry.symbol is not None:
        painter.save()
        painter.translate(middle)
        painter.scale(9, 9)
        painter.fillPath(entry.symbol, entry.colour)
        painter.restore()

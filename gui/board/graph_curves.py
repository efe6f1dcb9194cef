"""Curves of the graph view: what tasks and groups hand on, with how much it is."""

from __future__ import annotations

import numpy as np
from PySide6.QtCore import QPointF, QRectF, Qt
from PySide6.QtGui import QPainter, QPainterPath, QPainterPathStroker

from advisor.basics import quantities
from gui.basics.ink import CENTRE, Ink, thin
from gui.board.graph_picture import CARD_H, CARD_W, STEP_X, STEP_Y, GraphPicture
from machines.arrays import Flags, Ints

_MOST = 300
_LABELLED = 80  # curves with words; among more they would cover each other
_READABLE = 0.45  # zoom below which there are no words
_PLACES = (0.5, 0.35, 0.65, 0.2, 0.8, 0.1, 0.9)  # along a curve, the best first
_REACH_PX = 8.0


def path_of(picture: GraphPicture, curve: int) -> QPainterPath:
    """From the right of one card to the left of the other."""
    layers = picture.layers
    first = picture.rect(int(layers.sources[curve]))
    last = picture.rect(int(layers.targets[curve]))
    begin = QPointF(first.right(), first.center().y())
    end = QPointF(last.left(), last.center().y())
    path = QPainterPath(begin)
    if abs(end.y() - begin.y()) < first.height() / 2 and _passes(picture, curve):
        _go_round(path, end, picture.zoom)
    else:
        across, gap = end.x() - begin.x(), (STEP_X - CARD_W) * picture.zoom
        # back to the left it swings out at both ends
        reach = QPointF(max(8.0, across * 0.45) if across > 0.0 else gap + 8.0, 0)
        path.cubicTo(begin + reach, end - reach, end)
    return path


def _go_round(path: QPainterPath, end: QPointF, zoom: float) -> None:
    """Between two rows over the cards in the way, up and down between two columns."""
    begin, up = path.currentPosition(), QPointF(0, -STEP_Y * zoom / 2)
    gap = QPointF((STEP_X - CARD_W) * zoom, 0)
    path.cubicTo(begin + gap / 2, begin + gap / 2 + up, begin + gap + up)
    path.lineTo(end - gap + up)
    path.cubicTo(end - gap / 2 + up, end - gap / 2, end)


def _passes(picture: GraphPicture, curve: int) -> bool:
    """Whether there is another column between the ends of a curve."""
    layers = picture.layers
    begin, end = layers.column[layers.sources[curve]], layers.column[layers.targets[curve]]
    return bool(np.any((layers.starts > begin + 0.5) & (layers.starts < end - 0.5)))


def shown_curves(picture: GraphPicture, visible: Flags) -> Ints:
    """Curves that end at a visible card, few enough to be told apart: critical ones first."""
    layers, forecast = picture.layers, picture.forecast
    found = np.flatnonzero(visible[layers.sources] | visible[layers.targets])
    if found.size <= _MOST:
        return found
    longest = np.lexsort((-forecast.curve_s[found], ~forecast.critical[found]))
    return found[longest[:_MOST]]


def paint_curves(
    painter: QPainter, ink: Ink, picture: GraphPicture, curves: Ints, strong: bool
) -> None:
    """Curves between cards; strong ones belong to the selection."""
    seconds, critical = picture.forecast.curve_s, picture.forecast.critical
    longest = float(seconds.max(initial=0.0))
    painter.setBrush(Qt.BrushStyle.NoBrush)
    for index in curves.tolist():
        colour = ink.transferring if seconds[index] > 0 else ink.muted
        if critical[index]:
            colour = ink.text
        elif not strong:
            colour = ink.faded(colour, 0.5)
        share = seconds[index] / longest if longest > 0 else 0.0
        width = (1.25 + 4.5 * share) * min(1.0, max(0.35, picture.zoom))
        painter.setPen(thin(colour, max(width, 1.6) if strong else width))
        painter.drawPath(path_of(picture, index))


def paint_volumes(
    painter: QPainter, ink: Ink, picture: GraphPicture, curves: Ints, cards: Ints
) -> None:
    """How many flows a curve stands for and what they carry, where it is free of `cards`."""
    grouped = picture.grouped
    wanted = curves[
        grouped[picture.layers.sources[curves]] | grouped[picture.layers.targets[curves]]
    ]
    if picture.zoom < _READABLE or not 0 < len(wanted) <= _LABELLED:
        return
    taken = [picture.rect(card) for card in cards.tolist()]
    # what carries most is told first, where words would lie on others
    for curve in wanted[np.argsort(-picture.forecast.curve_bytes[wanted], kind="stable")].tolist():
        words = volume(picture, curve)
        width = max(ink.width(text, ink.small) for text in words) + 6
        box = QRectF(0, 0, width, len(words) * (ink.small_line - 2))
        path = path_of(picture, curve)
        above = QPointF(0, (CARD_H * picture.zoom + box.height()) / 2 + 2)
        middle = path.pointAtPercent(0.5)
        places = [path.pointAtPercent(share) for share in _PLACES]
        for place in (*places, middle - above, middle + above):
            box.moveCenter(place)
            if not any(box.intersects(other) for other in taken):
                taken.append(QRectF(box))
                _write(painter, ink, box, words)
                break


def _write(painter: QPainter, ink: Ink, box: QRectF, words: tuple[str, ...]) -> None:
    painter.setPen(Qt.PenStyle.NoPen)
    painter.setBrush(ink.board)
    painter.drawRoundedRect(box, 4, 4)
    high = box.height() / len(words)
    for row, text in enumerate(words):
        line = QRectF(box.left(), box.top() + row * high, box.width(), high)
        ink.write(painter, line, text, ink.text, ink.small, CENTRE)


def volume(picture: GraphPicture, curve: int) -> tuple[str, ...]:
    """As in "550 ×", "15.4 MB": flows, where there are several, and their bytes."""
    forecast = picture.forecast
    flows, carried = int(forecast.curve_flows[curve]), float(forecast.curve_bytes[curve])
    many = (f"{flows:,} ×",) if flows > 1 else ()
    return many + ((quantities.size(carried),) if carried > 0 else ()) or ("order",)


def curve_at(picture: GraphPicture, visible: Flags, position: QPointF) -> int | None:
    """The drawn curve under a point, give or take 4 px."""
    stroker = QPainterPathStroker()
    stroker.setWidth(_REACH_PX)
    for curve in shown_curves(picture, visible).tolist():
        path = path_of(picture, curve)
        near = path.controlPointRect().adjusted(-5, -5, 5, 5)
        if near.contains(position) and stroker.createStroke(path).contains(position):
            return int(curve)
    return None


def describe(picture: GraphPicture, curve: int) -> str:
    """A curve in words."""
    layers, forecast = picture.layers, picture.forecast
    source, target = int(layers.sources[curve]), int(layers.targets[curve])
    flows = quantities.count(int(forecast.curve_flows[curve]), "flow")
    lines = [
        f"{picture.label(source)} → {picture.label(target)}: {flows}",
        f"{quantities.size(float(forecast.curve_bytes[curve]))}, "
        f"{quantities.duration(float(forecast.curve_s[curve]))} of transfers in all",
    ]
    if forecast.critical[curve]:
        lines.append("on the critical path")
    return "\n".join(lines)

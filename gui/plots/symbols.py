"""Symbols of points, as paths in a square of side 1 around the origin."""

from __future__ import annotations

from PySide6.QtCore import QPointF, QRectF
from PySide6.QtGui import QPainterPath, QPolygonF


def symbol(place: int) -> QPainterPath:
    """The symbol of the series at `place`: circle, square, triangles, diamond, plus, cross."""
    return QPainterPath(_SYMBOLS[place % len(_SYMBOLS)])


def _polygon(*points: tuple[float, float]) -> QPainterPath:
    path = QPainterPath()
    path.addPolygon(QPolygonF([QPointF(x, y) for x, y in points]))
    path.closeSubpath()
    return path


def _circle() -> QPainterPath:
    path = QPainterPath()
    path.addEllipse(QRectF(-0.5, -0.5, 1, 1))
    return path


_PLUS = (
    (-0.15, -0.5), (0.15, -0.5), (0.15, -0.15), (0.5, -0.15), (0.5, 0.15), (0.15, 0.15),
    (0.15, 0.5), (-0.15, 0.5), (-0.15, 0.15), (-0.5, 0.15), (-0.5, -0.15), (-0.15, -0.15),
)  # fmt: skip
_SYMBOLS = (
    _circle(),
    _polygon((-0.45, -0.45), (0.45, -0.45), (0.45, 0.45), (-0.45, 0.45)),
    _polygon((-0.5, 0.45), (0.5, 0.45), (0.0, -0.5)),
    _polygon((0.0, -0.6), (0.5, 0.0), (0.0, 0.6), (-0.5, 0.0)),
    _polygon((-0.5, -0.45), (0.5, -0.45), (0.0, 0.5)),
    _polygon(*_PLUS),
)

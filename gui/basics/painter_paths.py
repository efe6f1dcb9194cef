"""Paths of many pieces, made from arrays at once: a call of Qt for each piece takes far longer.

The bytes are those that `QPainterPath` writes to a `QDataStream` itself.
"""

from __future__ import annotations

import numpy as np
from PySide6.QtCore import QByteArray, QDataStream
from PySide6.QtGui import QPainterPath

from machines.arrays import Flags, Floats

_ELEMENT = np.dtype([("kind", ">i4"), ("x", ">f8"), ("y", ">f8")])
_NUMBER = np.dtype(">i4")
_LINE, _CURVE = (0, 1), (0, 2, 3, 3)  # move and line; move, curve with its two other points


def lines_path(begin: Floats, end: Floats) -> QPainterPath:
    """Straight lines between points, arrays (lines, 2) of x and y."""
    return _path(_elements(_LINE, begin, end))


def bends_path(begin: Floats, end: Floats, straight: Flags) -> QPainterPath:
    """Curves that leave and arrive level, between points, arrays (curves, 2); some are lines."""
    bent = ~straight
    reach = (end[bent] - begin[bent]) * (0.5, 0.0)
    first, last = begin[bent], end[bent]
    return _path(
        _elements(_CURVE, first, first + reach, last - reach, last),
        _elements(_LINE, begin[straight], end[straight]),
    )


def _elements(kinds: tuple[int, ...], *points: Floats) -> np.ndarray:
    """One piece of these elements for each row of `points`, each an array (pieces, 2)."""
    found = np.empty((len(points[0]), len(kinds)), dtype=_ELEMENT)
    found["kind"] = kinds
    for place, point in enumerate(points):
        found["x"][:, place], found["y"][:, place] = point.T
    return found.ravel()


def _path(*elements: np.ndarray) -> QPainterPath:
    joined = np.concatenate(elements).astype(_ELEMENT)  # joined, bytes are in the machine's order
    made = QPainterPath()
    if joined.size:
        count, tail = np.array([joined.size], _NUMBER), np.zeros(2, _NUMBER)  # start, fill rule
        data = QByteArray(count.tobytes() + joined.tobytes() + tail.tobytes())
        QDataStream(data) >> made
    return made

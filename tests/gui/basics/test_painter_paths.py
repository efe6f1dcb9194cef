"""Paths that are made from arrays are those that a call for each piece makes."""

from __future__ import annotations

import numpy as np
from PySide6.QtCore import QPointF
from PySide6.QtGui import QPainterPath

from gui.basics.painter_paths import bends_path, lines_path

BEGIN = np.array([[0.0, 1.5], [-1e5, 2.25], [3.0, 3.0]])
END = np.array([[10.0, 40.0], [7.0, -2.0], [3.25, 90.0]])


def elements(path: QPainterPath) -> list[tuple[object, float, float]]:
    """What a path consists of: to compare paths themselves ends in a crash where they differ."""
    places = (path.elementAt(place) for place in range(path.elementCount()))
    return [(place.type, place.x, place.y) for place in places]


def test_lines_are_those_of_single_calls() -> None:
    expected = QPainterPath()
    for begin, end in zip(BEGIN, END, strict=True):
        expected.moveTo(*begin)
        expected.lineTo(*end)
    assert elements(lines_path(BEGIN, END)) == elements(expected)


def test_curves_leave_and_arrive_level_and_straight_ones_are_lines() -> None:
    expected = QPainterPath()
    for begin, end in zip(BEGIN[:2], END[:2], strict=True):
        first, last = QPointF(*begin), QPointF(*end)
        reach = QPointF((end[0] - begin[0]) / 2, 0)
        expected.moveTo(first)
        expected.cubicTo(first + reach, last - reach, last)
    expected.moveTo(*BEGIN[2])
    expected.lineTo(*END[2])
    assert elements(bends_path(BEGIN, END, np.array([False, False, True]))) == elements(expected)


def test_nothing_is_an_empty_path() -> None:
    none = np.zeros((0, 2))
    assert lines_path(none, none).isEmpty()
    assert bends_path(none, none, np.zeros(0, dtype=np.bool_)).isEmpty()


def test_a_path_goes_on_where_it_was_made() -> None:
    path = lines_path(BEGIN, END)
    path.addPath(lines_path(BEGIN[:1], END[:1]))
    path.lineTo(1.0, 1.0)
    assert path.elementCount() == 2 * len(BEGIN) + 3

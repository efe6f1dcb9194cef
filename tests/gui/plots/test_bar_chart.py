"""Marks of bars are told apart without colour, and the labels of their axes do not touch."""

from __future__ import annotations

from itertools import groupby, pairwise

import pytest
from PySide6.QtCore import QPointF, QRectF
from PySide6.QtGui import QFontMetricsF, QImage

from gui.basics.theme import GRID, theme
from gui.plots import bar_chart as bars_module
from gui.plots.axis_ticks import Axis
from gui.plots.bar_chart import Bar, BarChart, Group, Segment, beside, roomy_ticks

HALF = (Segment("work", 2.0, "#56B4E9"),)


def pieces(image: QImage, x: int, top: int, bottom: int) -> int:
    """How many strokes of ink lie above each other at `x`."""
    ink = theme().colours.text
    inked = [image.pixelColor(x, y).name() == ink.lower() for y in range(top, bottom)]
    return sum(1 for dark, _ in groupby(inked) if dark)


def test_two_kinds_of_marks_have_two_strokes(chart: BarChart) -> None:
    bars = (Bar("a", HALF, "", 3.0, "bound"), Bar("b", HALF, "", 3.0, "recommended"))
    chart.set_groups((Group("time", "s", bars, 4.0),))
    image = chart.grab().toImage()
    found = []
    for bar in bars:
        hint = f"{bar.label}, {bar.mark_name}"
        places = [
            (x, y)
            for y in range(chart.height())
            for x in range(chart.width())
            if chart.hint_at(QPointF(x, y)).startswith(hint)
        ]
        rows = [y for _, y in places]
        across = {x for x, _ in places}
        found.append(max(pieces(image, x, min(rows) - 2, max(rows) + 3) for x in across))
    assert found == [1, 3]
    first, second = (entry.symbol for entry in chart._entries()[-2:])
    assert first != second


@pytest.mark.parametrize("high", [0.004, 3.0, 50.0, 96.0, 390.5, 4000.0, 90000.0])
def test_labels_of_ticks_have_room_between_them(chart: BarChart, high: float) -> None:
    metrics = QFontMetricsF(chart.small_font())
    for length in range(200, 1300, 13):
        axis = Axis("makespan", "s", 0.0, high, 0.0, float(length))
        for (left, one), (right, other) in pairwise(roomy_ticks(axis, metrics)):
            halves = (metrics.horizontalAdvance(one) + metrics.horizontalAdvance(other)) / 2
            assert axis.position(right) - axis.position(left) >= halves + 2 * GRID - 1e-6


def test_marks_are_told_apart_once_and_not_for_each_that_is_painted(
    chart: BarChart, monkeypatch: pytest.MonkeyPatch
) -> None:
    asked: list[object] = []
    told = bars_module._strokes
    monkeypatch.setattr(bars_module, "_strokes", lambda of: asked.append(of) or told(of))
    bars = tuple(Bar(f"{place}", HALF, "", 3.0, "bound") for place in range(30))
    chart.set_groups((Group("time", "s", bars, 4.0),))
    chart.grab()
    assert len(asked) == 1


def test_a_text_in_a_bar_lies_beside_its_mark() -> None:
    box = QRectF(100, 0, 50, 10)
    assert beside(box, 120.0) == QRectF(120, 0, 30, 10)
    assert beside(box, 140.0) == QRectF(100, 0, 40, 10)
    assert beside(box, 160.0) == box

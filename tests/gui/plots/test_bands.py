"""Bands are areas from their lower to their upper ends, on any axis and in files."""

from __future__ import annotations

import dataclasses
import re
from pathlib import Path

import numpy as np
import pytest
from PySide6.QtGui import QColor
from pytestqt.qtbot import QtBot

from advisor.studies.study import Series
from gui.plots.curve_plot import CurvePlot
from gui.plots.plot_panel import columns_of
from machines.errors import InputError
from tests.gui.exporting import export_figure

AXES = ("P", "", "speed", "1/s")
MEAN = Series("mean", (1.0, 2.0, 4.0), (2.0, 3.0, 4.0), *AXES)
BAND = Series("95 % band", (1.0, 2.0, 4.0), (3.0, 4.0, 6.0), *AXES, "band", lower=(1.0, 2.0, 2.0))


@pytest.fixture
def plot(qtbot: QtBot) -> CurvePlot:
    plot = CurvePlot("bands", "Bands")
    qtbot.addWidget(plot)
    plot.resize(500, 320)
    plot.set_series((MEAN, BAND))
    plot.show()
    return plot


def colour_at(plot: CurvePlot, x: float, y: float) -> QColor:
    at = plot.position_of(x, y).toPoint()
    return QColor(plot.canvas.grab().toImage().pixel(at))


def test_a_band_without_its_lower_ends_is_refused() -> None:
    with pytest.raises(InputError, match="each y needs a lower end"):
        Series("band", (1.0, 2.0), (1.0, 2.0), *AXES, "band")


@pytest.mark.parametrize("log", [False, True])
def test_the_area_between_the_ends_is_filled_and_no_more(
    qtbot: QtBot, plot: CurvePlot, log: bool
) -> None:
    plot.set_log(True, log)
    outside = colour_at(plot, 3.6, 1.5 if log else 1.0)
    for x, y in ((3.0, 2.3), (3.0, 4.6), (3.6, 5.0)):
        assert colour_at(plot, x, y) != outside, (x, y)
    assert colour_at(plot, 2.2, 5.3) == outside


def test_the_axis_reaches_over_the_whole_band(plot: CurvePlot) -> None:
    up = plot.wholes()[1]
    assert up.high >= 6.0


def test_a_band_is_told_in_tables_and_tooltips(plot: CurvePlot) -> None:
    table = plot.table()
    assert "from" in table.headings
    row = next(row for row in table.rows if row[0] == "95 % band")
    assert row[table.headings.index("from")] == 1.0
    assert "1 1/s to 3 1/s" in plot.hint_at(plot.position_of(1.0, 3.0))
    *_, lower = columns_of(table)
    assert isinstance(lower.values, np.ndarray)  # of numbers, though no curve has a lower end
    assert "".join(table.csv()).splitlines()[1] == "mean,1.0,2.0,"


def test_a_band_has_the_faint_colour_of_its_curve_and_hides_with_its_name(plot: CurvePlot) -> None:
    mean, band = plot.entries()
    assert band.colour.rgb() == mean.colour.rgb()
    assert band.colour.alphaF() < 0.5 < mean.colour.alphaF()
    inside = colour_at(plot, 2.5, 3.3)
    plot.toggle("95 % band")
    assert colour_at(plot, 2.5, 3.3) != inside


def test_a_band_inside_another_is_fuller_in_the_legend_as_in_the_plot(plot: CurvePlot) -> None:
    inner = dataclasses.replace(BAND, name="inner", y=(2.5, 3.5, 5.0), lower=(1.5, 2.5, 3.0))
    plot.set_series((MEAN, BAND, inner))
    mean, outside, inside = (entry.colour for entry in plot.entries())
    assert mean.rgb() == outside.rgb() == inside.rgb()
    assert outside.alphaF() + 0.2 < inside.alphaF() < 0.8


def test_a_band_is_an_area_in_exported_files(plot: CurvePlot, tmp_path: Path) -> None:
    path = tmp_path / "bands.svg"
    export_figure(plot, path)
    opacities = re.findall(r'fill-opacity="(0\.\d+)"', path.read_text(encoding="utf-8"))
    assert any(0.2 < float(one) < 0.3 for one in opacities)

"""A map and a chart of bars on the screen."""

from __future__ import annotations

from typing import TypeVar

import pytest
from PySide6.QtWidgets import QWidget
from pytestqt.qtbot import QtBot

from gui.plots.bar_chart import BarChart
from gui.plots.region_map import RegionMap
from tests.gui.plots.hands import decision

Chart = TypeVar("Chart", bound=QWidget)


def shown(qtbot: QtBot, chart: Chart, width: int, height: int) -> Chart:
    qtbot.addWidget(chart)
    chart.resize(width, height)
    chart.show()
    return chart


@pytest.fixture
def map_(qtbot: QtBot) -> RegionMap:
    chart = shown(qtbot, RegionMap("map", "Map", "Choose two loads."), 700, 320)
    chart.show_map(decision())
    return chart


@pytest.fixture
def chart(qtbot: QtBot) -> BarChart:
    return shown(qtbot, BarChart("bars", "Bars", "Nothing to show yet."), 600, 200)

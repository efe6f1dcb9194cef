"""A map and a chart of bars on the screen."""

from __future__ import annotations

import pytest
from pytestqt.qtbot import QtBot

from gui.plots.bars import BarChart
from gui.plots.region_map import RegionMap
from tests.gui.plots.hands import decision


@pytest.fixture
def map_(qtbot: QtBot) -> RegionMap:
    chart = RegionMap("map", "Map", "Choose two loads.")
    qtbot.addWidget(chart)
    chart.resize(700, 320)
    chart.show()
    chart.show_map(decision())
    return chart


@pytest.fixture
def chart(qtbot: QtBot) -> BarChart:
    chart = BarChart("bars", "Bars", "Nothing to show yet.")
    qtbot.addWidget(chart)
    chart.resize(600, 200)
    chart.show()
    return chart

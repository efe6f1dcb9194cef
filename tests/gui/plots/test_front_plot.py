"""The makespan against a second measure: points, the front's step line, names, clicks, exports."""

from __future__ import annotations

from itertools import combinations

import pyqtgraph as pg
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from PySide6.QtCore import QRectF, Qt
from PySide6.QtGui import QColor
from pytestqt.qtbot import QtBot

from advisor.allocation.measures import pareto_front, steps
from gui.basics.figures import picture
from gui.basics.theme import theme
from gui.plots.curve_items import Line
from gui.plots.curve_panel import CurvePanel
from gui.plots.front_plot import BEATEN, ON_FRONT, Across, FrontPlot, Point, whole_ticks
from tests.gui.svg_reading import assert_shown_alike, check

MONEY = Across("money")
MACHINES = Across("machines used", whole=True)


def points(values: list[tuple[float, float]]) -> list[Point]:
    found = pareto_front(values)
    return [
        Point(f"plan {k}", x, y, on_front)
        for k, ((x, y), on_front) in enumerate(zip(values, found, strict=True))
    ]


THREE = points([(1.0, 90.0), (4.0, 30.0), (3.0, 95.0)])


@pytest.fixture
def plot(qtbot: QtBot) -> FrontPlot:
    plot = FrontPlot("front", "Makespan against a second measure")
    panel = CurvePanel("front_panel", "Trade-off", curves=plot)
    qtbot.addWidget(panel)
    panel.resize(800, 500)
    panel.show()
    qtbot.waitExposed(panel)
    plot.panel = panel  # type: ignore[attr-defined] # lives as long
    plot.show_points(THREE, MONEY)
    return plot


def labelled(plot: FrontPlot) -> list[str]:
    plot.canvas.grab()
    return [label.text() for label in plot.labels]


def dots(plot: FrontPlot) -> list[tuple[float, float]]:
    """All points that pyqtgraph draws."""
    items = [one for one in plot.plot.items if isinstance(one, pg.PlotDataItem)]
    found = []
    for item in items:
        x, y = item.getOriginalDataset()
        if x is not None:
            found += list(zip(x.tolist(), y.tolist(), strict=True))
    return found


def step_line(plot: FrontPlot) -> list[tuple[float, float]]:
    (line,) = (one for one in plot.plot.items if isinstance(one, Line))
    x, y = line.getData()
    return list(zip(x.tolist(), y.tolist(), strict=True))


def test_every_plan_is_a_point_with_its_name(plot: FrontPlot) -> None:
    assert sorted(dots(plot)) == [(1.0, 90.0), (3.0, 95.0), (4.0, 30.0)]
    assert sorted(labelled(plot)) == ["plan 0", "plan 1", "plan 2"]
    assert [entry.name for entry in plot.legend.entries] == ["Pareto front", ON_FRONT, BEATEN]


def test_the_line_steps_along_the_front(plot: FrontPlot) -> None:
    assert step_line(plot) == [(1.0, 90.0), (4.0, 90.0), (4.0, 30.0)]
    assert plot.corners == step_line(plot)


@given(st.lists(st.tuples(st.integers(1, 30), st.integers(1, 30)), min_size=1, max_size=9))
@settings(max_examples=15)
def test_what_is_drawn_is_the_front_of_the_library(
    qapp: object, pairs: list[tuple[int, int]]
) -> None:
    values = [(float(x), float(y)) for x, y in pairs]
    plot = FrontPlot("front", "Front")
    plot.set_log(False, False)
    plot.set_log(True, False)
    plot.show_points(points(values), MONEY)
    members = [one for one, kept in zip(values, pareto_front(values), strict=True) if kept]
    assert plot.corners == steps(members)
    on_front = next(one for one in plot.series if one.name == ON_FRONT)
    assert sorted(zip(on_front.x, on_front.y, strict=True)) == sorted(members)
    assert sorted(dots(plot)) == sorted(values)
    plot.close()


def test_plans_at_one_point_share_a_name(plot: FrontPlot) -> None:
    plot.show_points(points([(1.0, 5.0), (1.0, 5.0), (2.0, 9.0)]), MONEY)
    assert sorted(labelled(plot)) == ["plan 0, plan 1", "plan 2"]
    plot.show_points(points([(1.0, 5.0)] * 4), MONEY)
    assert labelled(plot) == ["plan 0 and 3 more"]


def test_no_name_lies_on_another(plot: FrontPlot) -> None:
    plot.show_points(points([(1.0 + k % 40, 9.0 - 0.01 * k) for k in range(80)]), MONEY)
    labelled(plot)
    boxes = [QRectF(label.sceneBoundingRect()) for label in plot.labels]
    assert 10 < len(boxes) < 80
    assert not any(
        one.adjusted(1, 1, -1, -1).intersects(other) for one, other in combinations(boxes, 2)
    )


def test_a_click_on_a_point_tells_its_plans(qtbot: QtBot, plot: FrontPlot) -> None:
    told: list[object] = []
    plot.chosen.connect(told.append)
    viewport = plot.canvas.viewport()
    at = plot.position_of(4.0, 30.0).toPoint()
    qtbot.mouseClick(viewport, Qt.MouseButton.LeftButton, pos=at)
    assert told == [("plan 1",)]
    beside = plot.area().center().toPoint()
    qtbot.mouseClick(viewport, Qt.MouseButton.LeftButton, pos=beside)
    assert told == [("plan 1",)]


def test_the_pointer_is_told_the_plan_and_its_figures(plot: FrontPlot) -> None:
    text = plot.hint_at(plot.position_of(3.0, 95.0))
    assert text == "beaten\nplan 2\nmoney: 3\nmakespan: 95 s"


def test_what_is_selected_has_a_ring(plot: FrontPlot) -> None:
    plot.select(frozenset({"plan 2"}))
    assert labelled(plot)[0] == "plan 2"  # it is named before the others
    (ring,) = plot.rings
    away = ring.sceneBoundingRect().center() - plot.position_of(3.0, 95.0)
    assert away.manhattanLength() < 1.0
    assert ring.pen().color() == QColor(theme().colours.accent)
    plot.select(frozenset())
    labelled(plot)
    assert plot.rings == []


def test_the_table_has_one_row_a_plan(plot: FrontPlot) -> None:
    assert plot.table().headings == ("plan", "money", "makespan (s)", "front")
    assert plot.table().rows[2] == ("plan 2", 3.0, 95.0, BEATEN)


def test_counts_have_whole_ticks(plot: FrontPlot) -> None:
    plot.show_points(points([(2.0, 9.0), (4.0, 5.0)]), MACHINES)
    assert [text for _, text in plot.axes[0].marks()] == ["2", "3", "4"]
    assert plot.axes[0].title == "machines used"
    assert whole_ticks(0.7, 1.3, 900.0) == [(1.0, "1")]


def test_energy_takes_its_prefix(plot: FrontPlot) -> None:
    plot.show_points(points([(2000.0, 9.0), (4000.0, 5.0)]), Across("energy", "Wh"))
    assert plot.axes[0].title == "energy (kWh)"


def test_without_plans_it_says_why(plot: FrontPlot) -> None:
    plot.show_points([], MONEY, "M1 has no price")
    assert not plot.is_filled
    assert not plot.canvas.isVisible()
    assert plot.legend.entries == ()
    plot.show_points(THREE, MONEY)
    assert plot.canvas.isVisible()


def test_exports_carry_the_names_as_text(plot: FrontPlot) -> None:
    plot.select(frozenset({"plan 1"}))
    root = check(picture(plot, ".svg"))
    texts = {one.text for one in root.iter() if one.text and one.text.strip()}
    assert {"plan 0", "plan 1", "plan 2", "makespan", "money"} <= texts
    assert_shown_alike(plot)

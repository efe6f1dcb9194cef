"""The trade-off on the Compare page: which measure, which plans, and the row behind a point."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import replace

import pytest
from PySide6.QtCore import QPoint, Qt
from PySide6.QtWidgets import QToolButton
from pytestqt.qtbot import QtBot

from advisor.allocation.measures import MEASURES, front
from advisor.allocation.plan import Plan
from advisor.project.project import Pin, Project
from gui.document.document import Document, Outcome
from gui.panels.compare_columns import CURRENT
from gui.panels.compare_panel import ComparePanel
from machines.default_spreads import EXACT
from tests.conftest import two_machines
from tests.gui.panels.adopting import choose_entry, open_menu

Predicted = Callable[[Document], Outcome]
Prices = tuple[float | None, float | None]


def priced(prices: Prices, watts: Prices = (None, None)) -> Project:
    """Both tasks on M1 now (48 s); pinned are A on M2 (38 s) and both on M2 (48 s)."""
    project = two_machines(2)
    machines = tuple(
        replace(machine, price_per_hour=price, watts=watt)
        for machine, price, watt in zip(project.platform.machines, prices, watts, strict=True)
    )
    pins = (Pin("split", Plan((1, 0))), Pin("M2 alone", Plan((1, 1))))
    return replace(project, platform=replace(project.platform, machines=machines), pins=pins)


@pytest.fixture
def show(qtbot: QtBot, qapp: object, predicted: Predicted) -> Iterator[Callable[..., ComparePanel]]:
    shown: list[ComparePanel] = []

    def of(project: Project) -> ComparePanel:
        document = Document(project)
        panel = ComparePanel(document)
        qtbot.addWidget(panel)
        panel.resize(1100, 700)
        panel.show()
        predicted(document)
        qtbot.waitUntil(lambda: panel.comparison is not None)
        button = panel.findChild(QToolButton, "compare_plot_trade-off")
        qtbot.mouseClick(button, Qt.MouseButton.LeftButton)
        assert panel.trade_off.isVisible()
        shown.append(panel)
        return panel

    yield of
    for panel in shown:
        panel.close_jobs()


def choose(qtbot: QtBot, panel: ComparePanel, name: str) -> None:
    """Go to a measure with the arrow keys."""
    box = panel.trade_off.chooser
    box.setFocus()
    place = box.findData(name)
    while box.currentIndex() != place:
        down = box.currentIndex() < place
        qtbot.keyClick(box, Qt.Key.Key_Down if down else Qt.Key.Key_Up)


def click(qtbot: QtBot, panel: ComparePanel, name: str) -> None:
    plot = panel.trade_off.plot
    (point,) = (one for one in plot.points if one.name == name)
    at: QPoint = plot.position_of(point.x, point.y).toPoint()
    qtbot.mouseClick(plot.canvas.viewport(), Qt.MouseButton.LeftButton, pos=at)


def headings(panel: ComparePanel) -> list[str]:
    return [column.heading for column in panel.table.columns_model.columns]


def cells(panel: ComparePanel, heading: str) -> list[str]:
    model, column = panel.table.columns_model, headings(panel).index(heading)
    return [str(model.data(model.index(row, column))) for row in range(model.rowCount())]


@pytest.mark.parametrize("name", MEASURES)
def test_the_points_are_the_librarys_front(
    qtbot: QtBot, show: Callable[..., ComparePanel], name: str
) -> None:
    panel = show(priced((3600.0, 7200.0), (100.0, 5.0)))
    choose(qtbot, panel, name)
    assert panel.comparison is not None
    rows = [row for _, row in panel.comparison.rows if row is not None]
    measure = MEASURES[name]
    assert [one.on_front for one in panel.trade_off.plot.points] == front(rows, measure)
    values = [(one.x, one.y) for one in panel.trade_off.plot.points]
    assert values == [(measure.trait.number(row), row.makespan_s) for row in rows]
    members = {value for value, kept in zip(values, front(rows, measure), strict=True) if kept}
    assert members <= set(panel.trade_off.plot.corners)


def test_the_measure_that_is_chosen_is_in_the_table(
    qtbot: QtBot, show: Callable[..., ComparePanel]
) -> None:
    panel = show(priced((3600.0, 7200.0)))
    assert cells(panel, "front, total time") == ["beaten", "on the front", "beaten"]
    choose(qtbot, panel, "money")
    assert "front, total time" not in headings(panel)
    assert cells(panel, "money") == ["48", "114", "96"]
    assert cells(panel, "front, money") == ["on the front", "on the front", "beaten"]
    assert panel.trade_off.plot.axes[0].title == "money"


def test_a_click_on_a_point_selects_its_row_which_can_be_adopted_and_undone(
    qtbot: QtBot, show: Callable[..., ComparePanel]
) -> None:
    panel = show(priced((3600.0, 7200.0)))
    choose(qtbot, panel, "money")
    click(qtbot, panel, "split")
    assert panel.selected_name() == "split"
    assert panel.table.selected() == (1,)
    assert panel.two.second.currentText() == "split"
    assert panel.commands["adopt"].isEnabled()
    open_menu(qtbot, panel)
    choose_entry(panel, "all")
    document = panel._document
    assert document.project.plan == Plan((1, 0))
    document.undo_stack.undo()
    assert document.project.plan == Plan((0, 0))
    click(qtbot, panel, CURRENT)
    assert not panel.commands["adopt"].isEnabled()


def test_a_row_that_is_selected_is_marked_in_the_plot(
    qtbot: QtBot, show: Callable[..., ComparePanel]
) -> None:
    panel = show(priced((3600.0, 7200.0)))
    panel.table.selectRow(2)
    plot = panel.trade_off.plot
    plot.canvas.grab()
    (ring,) = plot.rings
    point = next(one for one in plot.points if one.name == "M2 alone")
    away = ring.sceneBoundingRect().center() - plot.position_of(point.x, point.y)
    assert away.manhattanLength() < 1.0


def test_the_ring_follows_the_selection_when_plans_are_unpinned(
    qtbot: QtBot, show: Callable[..., ComparePanel], predicted: Predicted
) -> None:
    panel = show(priced((3600.0, 7200.0)))
    panel.table.selectRow(1)
    assert panel.trade_off.plot.selected == {"split"}
    panel.commands["unpin"].trigger()
    document = panel._document
    predicted(document)
    qtbot.waitUntil(
        lambda: (
            panel.comparison is not None and panel.comparison.outcome.project is document.project
        )
    )
    assert panel.selected_name() == "M2 alone"  # the row that is there now
    assert panel.trade_off.plot.selected == {"M2 alone"}


def test_plans_on_a_machine_without_a_price_are_left_out_and_said(
    qtbot: QtBot, show: Callable[..., ComparePanel]
) -> None:
    panel = show(priced((3600.0, None)))
    choose(qtbot, panel, "money")
    assert [one.name for one in panel.trade_off.plot.points] == [CURRENT]
    assert panel.trade_off.note.text() == "Not shown: split, M2 alone. M2 has no price."
    asked: list[object] = []
    panel.trade_off.machine_asked.connect(asked.append)
    assert panel.trade_off.sheet_button.text() == "Sheet of M2"
    qtbot.mouseClick(panel.trade_off.sheet_button, Qt.MouseButton.LeftButton)
    assert asked == ["M2"]
    assert cells(panel, "front, money")[1] == "not known: M2 has no price"
    choose(qtbot, panel, "machines")
    assert not panel.trade_off.note.isVisible()
    assert len(panel.trade_off.plot.points) == 3


def test_without_any_price_the_plot_says_what_it_needs(
    qtbot: QtBot, show: Callable[..., ComparePanel]
) -> None:
    panel = show(priced((None, None)))
    choose(qtbot, panel, "energy")
    plot = panel.trade_off.plot
    assert plot.points == ()
    assert plot.empty == "M1 and M2 have no watts."
    assert panel.trade_off.sheet_button.isVisible()


def test_fast_is_set_against_safe_where_times_are_spread(
    qtbot: QtBot, show: Callable[..., ComparePanel]
) -> None:
    panel = show(priced((None, None)))
    choose(qtbot, panel, "p90")
    late = [one.x for one in panel.trade_off.plot.points]
    assert panel.comparison is not None
    assert late == [panel.comparison.odds[name][0].p90_s for name, _ in panel.comparison.rows]
    assert all(one.x > one.y for one in panel.trade_off.plot.points)


def test_where_all_is_exact_there_is_nothing_to_set_it_against(
    qtbot: QtBot, show: Callable[..., ComparePanel]
) -> None:
    project = priced((None, None))
    exact = replace(project.platform, spread=project.platform.spread.over(EXACT))
    panel = show(replace(project, platform=exact))
    choose(qtbot, panel, "p90")
    assert panel.trade_off.plot.empty.startswith("The workload has no odds: all is exact")
    assert not panel.trade_off.sheet_button.isVisible()


def test_a_new_price_moves_the_points(
    qtbot: QtBot, show: Callable[..., ComparePanel], predicted: Predicted
) -> None:
    panel = show(priced((3600.0, 7200.0)))
    choose(qtbot, panel, "money")
    document = panel._document
    project = document.project
    first = replace(project.platform.machines[0], price_per_hour=36_000.0)
    platform = replace(project.platform, machines=(first, project.platform.machines[1]))
    document.apply(replace(project, platform=platform), "Dearer M1")
    predicted(document)
    qtbot.waitUntil(
        lambda: (
            panel.comparison is not None and panel.comparison.outcome.project is document.project
        )
    )
    assert [one.x for one in panel.trade_off.plot.points] == pytest.approx([480.0, 456.0, 96.0])
    assert cells(panel, "front, money") == ["beaten", "on the front", "on the front"]


def test_every_measure_says_what_it_is(show: Callable[..., ComparePanel]) -> None:
    box = show(priced((None, None))).trade_off.chooser
    assert [box.itemData(k) for k in range(box.count())] == list(MEASURES)
    for place in range(box.count()):
        assert box.itemData(place, Qt.ItemDataRole.ToolTipRole) in box.toolTip()
    assert "from the start to the makespan" in box.toolTip()

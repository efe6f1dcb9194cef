"""The bars of *What if*: selected for a map, set to a border, gone with their project."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from pytestqt.qtbot import QtBot

from advisor.advice.explain import explain
from advisor.search import advise
from gui.document.advise import Advice
from gui.document.document import Document, Outcome
from gui.panels.what_if import WhatIfPanel
from tests.conftest import two_machines

Predicted = Callable[[Document], Outcome]

pytestmark = pytest.mark.usefixtures("unasked")


@pytest.fixture
def panel(qtbot: QtBot, loaded_document: Document, predicted: Predicted) -> WhatIfPanel:
    panel = WhatIfPanel(loaded_document, points=9)
    qtbot.addWidget(panel)
    panel.resize(800, 600)
    panel.show()
    outcome = predicted(loaded_document)
    found = advise(outcome.problem)
    why = explain(outcome.problem, found, outcome.project.plan)
    panel.show_advice(Advice(outcome, found, why))
    qtbot.waitUntil(lambda: bool(panel.chart.bars))
    return panel


def place(panel: WhatIfPanel, key: str) -> int:
    """Where the bar of an assumption is."""
    return [bar.assumption.key for bar in panel.chart.bars].index(key)


def click(panel: WhatIfPanel, key: str) -> None:
    at = panel.chart.row_middle(place(panel, key)).toPoint()
    QTest.mouseClick(panel.chart, Qt.MouseButton.LeftButton, pos=at)


def test_two_bars_of_loads_open_their_map_and_the_button_leads_back(
    qtbot: QtBot, panel: WhatIfPanel
) -> None:
    click(panel, "contenders:M1")
    assert panel.chart.selected == (place(panel, "contenders:M1"),)
    click(panel, "contenders:M2")

    assert panel.stack.currentWidget() is panel.map_panel
    chosen = (panel.map_panel.across.choice, panel.map_panel.up.choice)
    assert [one.key for one in chosen if one] == ["contenders:M1", "contenders:M2"]
    qtbot.waitUntil(lambda: panel.map_panel.map.picture is not None)
    panel.back_button.click()
    assert panel.stack.currentWidget() is panel.bars
    assert panel.chart.selected == ()


def test_a_task_has_no_axis_and_the_panel_says_so(panel: WhatIfPanel) -> None:
    click(panel, "task time:A")

    assert "no axis for the time of A" in panel.hint.text()
    assert panel.stack.currentWidget() is panel.bars


def test_a_double_click_sets_the_border_in_one_step(
    panel: WhatIfPanel, loaded_document: Document
) -> None:
    where = place(panel, "contenders:M1")
    bar = panel.chart.bars[where]
    border = [side.flip for side in (bar.low, bar.high) if side.flip is not None]
    assert border
    before = loaded_document.project
    at = panel.chart.row_middle(where).toPoint()
    QTest.mouseDClick(panel.chart, Qt.MouseButton.LeftButton, pos=at)
    QTest.mouseRelease(panel.chart, Qt.MouseButton.LeftButton, pos=at)

    load = bar.assumption.load
    assert load is not None
    now = load.value(loaded_document.project.platform, before.reading)
    assert min(abs(now - value) for value in border) < 1e-6
    assert panel.chart.dimmed
    loaded_document.undo_stack.undo()
    assert loaded_document.project.platform == before.platform


def test_keys_walk_and_select(panel: WhatIfPanel) -> None:
    panel.chart.setFocus()
    QTest.keyClick(panel.chart, Qt.Key.Key_Down)
    QTest.keyClick(panel.chart, Qt.Key.Key_Space)
    assert panel.chart.selected == (1,)


def test_every_bar_says_what_it_is_and_the_table_has_both_ends(panel: WhatIfPanel) -> None:
    for row, bar in enumerate(panel.chart.bars):
        panel.chart.grab()
        said = panel.chart.hint_at(panel.chart.row_middle(row))
        assert bar.assumption.title in said
    assert len(panel.chart.table().rows) == 2 * len(panel.chart.bars)


def test_nothing_is_left_of_the_bars_of_another_project(
    panel: WhatIfPanel, loaded_document: Document
) -> None:
    loaded_document.load(two_machines())

    assert panel.chart.bars == ()
    assert not panel.sentence.isVisible()


def test_the_legend_explains_every_mark_and_bars_with_room_name_their_plan(
    panel: WhatIfPanel,
) -> None:
    chart = panel.chart
    entries = [entry.name for entry in chart._entries()]
    assert entries[2].startswith("the plan advised")
    assert entries[:2] == ["the long line: now", "a tick: beyond it another plan is best"]
    named = sum(entry.startswith("best there: ") for entry in entries)
    assert named == len(entries) - 3 > 0
    chart.resize(2000, chart.minimumHeight())
    chart.grab()
    assert chart._written >= {0}
    assert len(chart._written) == named + 1

"""The bars of *What if*: selected for a map, set to a border, gone with their project."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from pytestqt.qtbot import QtBot

from advisor.advice.explain import explain
from advisor.search import advise
from gui.document.advise import Advice, Phase
from gui.document.document import Document, Outcome
from gui.panels import decision_map
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
    panel.show_advice(advised(predicted(loaded_document)))
    qtbot.waitUntil(lambda: panel.result is not None and panel.result.complete)
    return panel


def advised(outcome: Outcome) -> Advice:
    """The answer to the question of an outcome."""
    found = advise(outcome.problem)
    return Advice(outcome, found, explain(outcome.problem, found, outcome.project.plan))


def place(panel: WhatIfPanel, key: str) -> int:
    """Where the bar of an assumption is."""
    return [bar.assumption.key for bar in panel.chart.bars].index(key)


def wait_for_map(qtbot: QtBot, panel: WhatIfPanel) -> None:
    """Until the map is whole."""
    mapped = panel.map_panel
    qtbot.waitUntil(lambda: mapped.map.picture is not None and not mapped.cancel_button.isVisible())


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


def test_two_bars_of_tasks_open_their_map_and_a_point_of_it_sets_both_times(
    qtbot: QtBot, panel: WhatIfPanel, loaded_document: Document
) -> None:
    before = loaded_document.project
    click(panel, "task time:A")
    assert panel.stack.currentWidget() is panel.bars
    click(panel, "task time:B")

    mapped = panel.map_panel
    wait_for_map(qtbot, panel)
    mapped.map.chosen.emit((2.0, 1.5))
    times = [dict(task.seconds)["M1"] for task in loaded_document.project.workload.tasks]
    were = [dict(task.seconds)["M1"] for task in before.workload.tasks]
    assert times == pytest.approx([2.0 * were[0], 1.5 * were[1]])
    loaded_document.undo_stack.undo()
    assert loaded_document.project == before


def test_every_bar_shows_the_plans_that_it_is_about(panel: WhatIfPanel) -> None:
    found = panel.chart.found
    assert found is not None
    assert [board.machine for board in found.boards] == [plan.allocation for plan in found.plans]
    assert found.boards[0].moved == frozenset()
    assert all(board.moved for board in found.boards[1:])
    tip = panel.chart.hint_at(panel.chart.row_middle(0))
    assert tip.count("<img") == 1
    assert found.names[0] in tip


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


def test_what_is_undone_is_not_dimmed_though_it_was_answered_out_of_sight(
    qtbot: QtBot, panel: WhatIfPanel, loaded_document: Document, predicted: Predicted
) -> None:
    first, bars, doubt = panel._advice, panel.chart, panel.doubt.bars
    panel.show_map()
    wait_for_map(qtbot, panel)
    panel.map_panel.map.chosen.emit((4.0, 5.0))
    assert bars.dimmed
    assert doubt.dimmed
    panel.show_advice(advised(predicted(loaded_document)))
    assert bars.dimmed  # they are still the old ones
    assert not doubt.dimmed
    loaded_document.undo_stack.undo()
    assert not bars.dimmed
    assert doubt.dimmed
    panel.show_advice(first)
    panel.show_bars()
    assert not bars.dimmed
    assert not doubt.dimmed


def test_the_map_compares_the_plans_of_the_bars_while_they_answer_the_question(
    qtbot: QtBot, panel: WhatIfPanel, loaded_document: Document
) -> None:
    found, advice = panel.chart.found, panel._advice
    assert found is not None
    assert advice is not None
    met = {(plan.allocation, plan.variants) for plan in found.plans}
    flips = advice.explanation.flips
    beyond = {(flip.plan.allocation, flip.plan.variants) for flip in flips}
    assert len(met) > 1
    assert beyond
    panel.show_map()
    assert panel.map_panel._given == met | beyond
    wait_for_map(qtbot, panel)
    panel.map_panel.map.chosen.emit((4.0, 5.0))
    panel.map_panel.refresh(asked=True)
    assert not panel.map_panel._given


def test_a_large_workload_says_that_the_bars_wait_for_the_button(
    panel: WhatIfPanel, monkeypatch: pytest.MonkeyPatch
) -> None:
    advice = panel._advice
    assert advice is not None
    panel.show_advice(None)
    monkeypatch.setattr(decision_map, "MOST_TASKS_UNASKED", 1)
    panel.show_phase(Phase.EXPLAINING)
    panel.show_advice(advice)
    panel.show_phase(Phase.IDLE)
    assert panel.compute_button.isVisible()
    said = "2 tasks: the bars are computed on demand. Press Compute, above."
    assert panel.chart._empty == said
    panel.show_phase(Phase.SEARCHING)
    panel.show_phase(Phase.IDLE)
    assert panel.chart._empty == said
    panel.show_advice(None)
    assert panel.chart._empty.startswith("After Advise")
    panel.show_advice(advice)
    assert panel.chart._empty == said
    panel.compute_button.click()
    panel.show_phase(Phase.IDLE)
    assert panel.chart._empty.startswith("After Advise")


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
    entries = [entry.name for entry in chart._entries()] + [name for name, *_ in chart._cards()]
    assert entries[2].startswith("the plan advised")
    assert entries[:2] == [
        "the long line: the plan advised, now",
        "a tick: beyond it another plan is best, further on by more than 3 %",
    ]
    named = sum(entry.startswith("best there: ") for entry in entries)
    assert named == len(entries) - 3 > 0
    chart.resize(2000, chart.minimumHeight())
    chart.grab()
    assert chart._written >= {0}
    assert len(chart._written) == named + 1


def test_without_bars_it_says_what_they_wait_for(panel: WhatIfPanel) -> None:
    panel.show_phase(Phase.SEARCHING)
    assert "searched first" in panel.chart._empty
    panel.show_phase(Phase.IDLE)
    assert panel.chart._empty.startswith("After Advise")


def test_the_doubt_of_the_answer_is_shared_out_and_the_button_leads_back(
    panel: WhatIfPanel, loaded_document: Document
) -> None:
    panel.doubt_button.click()
    assert panel.stack.currentWidget() is panel.doubt
    (group,) = panel.doubt.bars.groups
    assert [bar.label for bar in group.bars][-1] == "several together"
    lengths = [bar.value for bar in group.bars]
    assert sum(lengths) == pytest.approx(100.0)
    assert lengths[:-1] == sorted(lengths[:-1], reverse=True)
    assert f"{group.bars[0].text} of the doubt comes from the" in panel.doubt.sentence.text()
    assert "placewise" in panel.doubt.sentence.text()
    panel.doubt_back.click()
    assert panel.stack.currentWidget() is panel.bars
    panel.doubt_button.click()
    loaded_document.load(two_machines())
    assert panel.doubt.bars.groups == ()
    assert panel.stack.currentWidget() is panel.bars

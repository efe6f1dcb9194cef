"""The breakdown panel: causes of the current plan, beside those of the recommended one."""

from __future__ import annotations

from collections.abc import Callable
from itertools import combinations

import pytest
from PySide6.QtWidgets import QScrollArea, QToolButton
from pytestqt.qtbot import QtBot

from advisor.allocation.plan import Plan
from advisor.allocation.recommendation import Recommendation
from advisor.allocation.timeline_modes import NONE
from gui.document.document import Document, Outcome
from gui.panels.breakdown import BreakdownPanel, bars_unit
from tests.gui.panels.hub import hub_project

Predicted = Callable[[Document], Outcome]


@pytest.fixture
def known() -> list[Recommendation]:
    """What a search has told, the last one at the end."""
    return []


@pytest.fixture
def panel(
    qtbot: QtBot, loaded_document: Document, predicted: Predicted, known: list[Recommendation]
) -> BreakdownPanel:
    panel = BreakdownPanel(loaded_document, best=lambda: known[-1] if known else None)
    qtbot.addWidget(panel)
    panel.resize(700, 300)
    panel.show()
    predicted(loaded_document)
    return panel


def part(panel: BreakdownPanel, group: int, bar: int) -> dict[str, float]:
    return {one.name: one.value for one in panel.bars.groups[group].bars[bar].segments}


def test_the_makespan_is_split_by_cause_and_stands_in_the_title(panel: BreakdownPanel) -> None:
    assert panel.makespan.text() == "makespan 48.0 s"
    assert panel.total.text() == "total 48.0 s"
    assert part(panel, 0, 0) == pytest.approx(
        {"computing": 16.0, "waiting for the processor": 32.0}
    )


def test_every_machine_has_its_utilisation(panel: BreakdownPanel) -> None:
    bars = panel.bars.groups[2].bars
    assert [(bar.label, bar.value) for bar in bars] == [("M1", pytest.approx(100.0)), ("M2", 0.0)]


def test_the_recommended_plan_stands_beside_the_current_one(
    qtbot: QtBot, panel: BreakdownPanel
) -> None:
    panel.set_recommendation(Recommendation(Plan((1, 0)), "makespan", 38.0, 38.0, True, "chain"))
    qtbot.waitUntil(lambda: len(panel.bars.groups[0].bars) == 2)
    assert part(panel, 0, 1) == pytest.approx(
        {"computing": 22.0, "waiting for the processor": 8.0, "transferring": 8.0}
    )
    assert "→" in panel.bars.groups[2].bars[0].text
    panel.set_recommendation(None)
    assert len(panel.bars.groups[0].bars) == 1


def test_the_certainty_is_that_of_the_search(
    panel: BreakdownPanel, known: list[Recommendation]
) -> None:
    """Also while it runs, as in the answer above the board."""
    unproved = panel.gap.text()
    known.append(Recommendation(Plan((0, 0)), "makespan", 48.0, 40.0, True, "chain"))
    panel.show_progress()
    assert panel.gap.text() == "proved best" != unproved
    known.append(Recommendation(Plan((1, 0)), "makespan", 38.0, 30.0, True, "chain"))
    panel.show_progress()
    assert panel.gap.text() == "at most 26 % above the best"
    known.clear()  # another question
    panel.show_progress()
    assert panel.gap.text() == unproved


def test_an_edit_dims_until_the_next_prediction(
    panel: BreakdownPanel, loaded_document: Document, predicted: Predicted
) -> None:
    loaded_document.move_tasks(frozenset((0,)), 1)
    assert panel.chart.dimmed
    predicted(loaded_document)
    assert not panel.chart.dimmed
    assert panel.makespan.text() == "makespan 38.0 s"
    loaded_document.undo_stack.undo()
    predicted(loaded_document)
    assert panel.makespan.text() == "makespan 48.0 s"


def test_a_panel_closed_while_it_predicts_leaves_nothing_behind(
    panel: BreakdownPanel,
) -> None:
    panel.set_recommendation(Recommendation(Plan((1, 0)), "makespan", 38.0, 38.0, True, "chain"))
    panel.close()
    assert len(panel.bars.groups[0].bars) == 1


def test_the_endless_network_stands_beside_the_makespan(qtbot: QtBot, predicted: Predicted) -> None:
    document = Document(hub_project())
    panel = BreakdownPanel(document)
    qtbot.addWidget(panel)
    predicted(document)
    assert panel.makespan.text() == "makespan 45.0 s, contention-free 30.0 s"
    assert panel.timeline.text() == "contention-aware schedule"
    document.apply(hub_project(NONE), "Contention-free schedule")
    predicted(document)
    assert panel.makespan.text() == "makespan 30.0 s"
    assert panel.timeline.text() == "contention-free schedule"
    panel.close()


def digits(text: str) -> int:
    """After the point of the first figure."""
    return len(text.split(maxsplit=1)[0].partition(".")[2])


def test_figures_in_bars_and_at_their_ends_have_the_same_digits(
    qtbot: QtBot, panel: BreakdownPanel
) -> None:
    panel.set_recommendation(Recommendation(Plan((1, 0)), "makespan", 38.0, 38.0, True, "chain"))
    qtbot.waitUntil(lambda: len(panel.bars.groups[0].bars) == 2)
    for group in panel.bars.groups[:2]:
        texts = [text for bar in group.bars for text in (bar.text, *(p.text for p in bar.segments))]
        assert len({digits(text) for text in texts}) == 1, texts


def test_crumbs_ask_for_no_digits() -> None:
    unit = bars_unit([{"computing": 390.0, "transferring": 0.5}], [390.5])
    assert unit.text(390.5) == "6 min 30 s"


def test_many_parts_do_not_hide_the_differences_of_totals() -> None:
    totals = [20.0 + 0.001 * place for place in range(40)]
    unit = bars_unit([{"computing": 10.0, "transferring": one - 10.0} for one in totals], totals)
    assert len({unit.text(one) for one in totals}) == len(totals)


def test_figures_wrap_where_the_dock_is_narrow(qtbot: QtBot, predicted: Predicted) -> None:
    document = Document(hub_project())
    panel = BreakdownPanel(document)
    qtbot.addWidget(panel)
    predicted(document)
    heights = []
    for width in (1600, 640, 420):
        panel.resize(width, 200)
        panel.show()
        qtbot.waitExposed(panel)
        assert panel.width() == width
        places = [figure.geometry() for figure in panel.figures.labels]
        assert all(panel.figures.rect().contains(place) for place in places)
        assert not any(a.intersects(b) for a, b in combinations(places, 2))
        for figure in panel.figures.labels:
            assert figure.height() >= figure.heightForWidth(figure.width())
        export = panel.findChild(QToolButton, "breakdown_export")
        assert export is not None
        assert panel.rect().contains(export.geometry())
        heights.append(panel.figures.height())
    assert heights == sorted(heights)
    assert heights[0] < heights[-1]
    panel.close()


def test_in_a_low_dock_the_bars_scroll_alone(qtbot: QtBot, predicted: Predicted) -> None:
    document, dock = Document(hub_project()), QScrollArea()
    qtbot.addWidget(dock)
    predicted(document)
    panel = BreakdownPanel(document)
    dock.setWidgetResizable(True)
    dock.setWidget(panel)
    dock.resize(640, 200)
    dock.show()
    qtbot.waitExposed(dock)
    bars = panel.findChild(QScrollArea)
    assert bars is not None
    qtbot.waitUntil(lambda: bars.verticalScrollBar().maximum() > 0)
    assert dock.verticalScrollBar().maximum() == 0
    panel.close()

"""The breakdown panel: causes of the current plan, beside those of the recommended one."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from pytestqt.qtbot import QtBot

from advisor.allocation.plan import Plan
from advisor.allocation.recommendation import Recommendation
from advisor.allocation.sharing import NONE
from gui.document.document import Document, Outcome
from gui.panels.breakdown import BreakdownPanel
from tests.gui.panels.hub import hub_project

Predicted = Callable[[Document], Outcome]


@pytest.fixture
def panel(qtbot: QtBot, loaded_document: Document, predicted: Predicted) -> BreakdownPanel:
    panel = BreakdownPanel(loaded_document)
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
    assert panel.makespan.text() == "makespan 45.0 s, endless network 30.0 s"
    assert panel.timeline.text() == "transfers share links"
    document.apply(hub_project(NONE), "Each transfer alone")
    predicted(document)
    assert panel.makespan.text() == "makespan 30.0 s"
    assert panel.timeline.text() == "each transfer alone"
    panel.close()

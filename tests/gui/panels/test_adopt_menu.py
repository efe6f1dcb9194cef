"""A compared plan is adopted whole or by decision: what each gives, one undo step, and undo."""

from __future__ import annotations

from collections.abc import Callable, Iterator

import pytest
from PySide6.QtCore import QPoint, Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QMenu
from pytestqt.qtbot import QtBot

from advisor.allocation.predict import predict
from advisor.decisions.registry import known
from gui.document.document import Document, Outcome
from gui.panels.compare_columns import CURRENT
from gui.panels.compare_panel import ComparePanel
from tests.choosing_pin import with_pin
from tests.gui.panels.adopting import choose_entry, open_menu, texts

Predicted = Callable[[Document], Outcome]
LEFT = Qt.MouseButton.LeftButton


@pytest.fixture
def panel(qtbot: QtBot, qapp: object, predicted: Predicted) -> Iterator[ComparePanel]:
    """The current plan and pin A, whose row is selected by a click."""
    document = Document(with_pin())
    panel = ComparePanel(document)
    qtbot.addWidget(panel)
    panel.resize(1100, 700)
    with qtbot.waitExposed(panel):
        panel.show()
    predicted(document)
    qtbot.waitUntil(lambda: panel.comparison is not None)
    click_row(qtbot, panel, 1)
    yield panel
    panel.adopt_menu.close()
    panel.close_jobs()


def click_row(qtbot: QtBot, panel: ComparePanel, row: int) -> None:
    table = panel.table
    place = table.visualRect(table.columns_model.index(row, 0)).center()
    qtbot.mouseClick(table.viewport(), LEFT, pos=place)


def document_of(panel: ComparePanel) -> Document:
    return panel.pins._document


def test_the_menu_has_the_kinds_that_differ_and_what_each_gives(
    qtbot: QtBot, panel: ComparePanel
) -> None:
    project = document_of(panel).project
    problem, pin = project.problem(), project.pins[0].plan
    now_s = predict(problem, project.plan).makespan_s
    found = open_menu(qtbot, panel)
    assert list(found) == ["all", "allocation", "style", "block", "tree"]
    for name, kind in (("allocation", "Allocation"), ("style", "Message style"), ("tree", "Tree")):
        value_s = predict(problem, known()[name].taken(project.plan, pin)).makespan_s
        percent = abs(round(100 * (value_s - now_s) / now_s))
        sign = "▲ +" if value_s > now_s else "▼ \u2212"
        assert found[name].startswith(f"{kind}: {sign}")
        assert float(found[name].split(sign)[1].removesuffix(" %")) == pytest.approx(
            percent, abs=1.0
        )
    assert found["all"].startswith("All: ▼ \u2212")


def test_what_can_t_run_alone_is_disabled_and_says_why(qtbot: QtBot, panel: ComparePanel) -> None:
    found = open_menu(qtbot, panel)
    assert found["block"].startswith('Blocks: ▲ task "align": align can\'t run on alewife')
    block = next(one for one in panel.adopt_menu.actions() if one.objectName() == "adopt_block")
    assert not block.isEnabled()
    assert "B is too small" in block.toolTip()


def test_one_decision_is_adopted_in_one_step_and_undone(
    qtbot: QtBot, panel: ComparePanel, predicted: Predicted
) -> None:
    document = document_of(panel)
    before = document.project.plan
    pin = document.project.pins[0].plan
    open_menu(qtbot, panel)
    choose_entry(panel, "tree")
    assert document.project.plan.overlays == pin.overlays
    assert document.project.plan.allocation == before.allocation
    assert document.project.plan.choices == before.choices
    assert document.undo_stack.count() == 1
    assert document.undo_stack.undoText() == "Adopt tree of “pin A”"
    settle(qtbot, panel, predicted)
    headings = [column.heading for column in panel.table.columns_model.columns]
    assert "tree" not in headings  # both have it now
    assert list(open_menu(qtbot, panel)) == ["all", "allocation", "style", "block"]
    panel.adopt_menu.close()
    document.undo_stack.undo()
    assert document.project.plan == before
    settle(qtbot, panel, predicted)
    assert "tree" in [column.heading for column in panel.table.columns_model.columns]


def test_all_of_it_is_adopted_with_choices_and_trees(
    qtbot: QtBot, panel: ComparePanel, predicted: Predicted
) -> None:
    document = document_of(panel)
    before, pin = document.project.plan, document.project.pins[0].plan
    open_menu(qtbot, panel)
    choose_entry(panel, "all")
    assert document.project.plan == pin
    assert (len(pin.choices), len(pin.overlays)) == (2, 1)
    assert document.undo_stack.undoText() == "Adopt pin A"
    settle(qtbot, panel, predicted)
    click_row(qtbot, panel, 1)
    assert open_menu(qtbot, panel) == {"all": "All: 0 %"}
    panel.adopt_menu.close()
    document.undo_stack.undo()
    assert document.project.plan == before


def test_the_rows_own_menu_has_the_same_entries(qtbot: QtBot, panel: ComparePanel) -> None:
    adopt = panel.commands["adopt"]
    assert adopt in panel.table.actions()
    assert adopt.menu() is panel.adopt_menu
    menu = QMenu(panel)
    menu.addActions(panel.table.actions())
    menu.popup(panel.mapToGlobal(QPoint(50, 50)))
    menu.setActiveAction(adopt)
    QTest.keyClick(menu, Qt.Key.Key_Right)
    qtbot.waitUntil(lambda: QApplication.activePopupWidget() is panel.adopt_menu)
    qtbot.waitUntil(lambda: not any(text.endswith(": …") for text in texts(panel).values()))
    choose_entry(panel, "style")
    document = document_of(panel)
    assert document.undo_stack.undoText() == "Adopt message style of “pin A”"
    assert [one.name for one in document.project.plan.choices] == ["style"]


def test_the_current_plan_and_a_plan_that_is_gone_have_nothing_to_adopt(
    qtbot: QtBot, panel: ComparePanel, predicted: Predicted
) -> None:
    click_row(qtbot, panel, 0)
    assert panel.table.columns_model.index(0, 0).data() == CURRENT
    assert not panel.commands["adopt"].isEnabled()
    panel.adopt_menu.popup(panel.mapToGlobal(QPoint(0, 0)))
    assert panel.adopt_menu.actions() == []
    panel.adopt_menu.close()


def settle(qtbot: QtBot, panel: ComparePanel, predicted: Predicted) -> None:
    document = document_of(panel)
    predicted(document)
    qtbot.waitUntil(
        lambda: (
            panel.comparison is not None and panel.comparison.outcome.project is document.project
        )
    )

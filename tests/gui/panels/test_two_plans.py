"""Two plans on one time axis: which two, what is said of them, and that nothing moves."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import replace
from pathlib import Path

import pytest
from PySide6.QtCore import QPoint, QPointF, Qt
from PySide6.QtGui import QColor
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QToolButton
from pytestqt.qtbot import QtBot

from advisor.allocation.plan import Plan
from advisor.project.project import Pin
from gui.basics.figures import FIGURE
from gui.basics.theme import theme
from gui.board.board_folds import Folds
from gui.board.plan_view import PlanView
from gui.document.document import Document, Outcome, Selection
from gui.panels.compare_columns import CURRENT
from gui.panels.compare_panel import ComparePanel
from gui.panels.two_plans import EMPTY
from tests.choosing import ALIGN, REPORT, SPECTRA
from tests.choosing_pin import with_pin
from tests.gui.exporting import export_figure
from tests.gui.panels.hub import hub_project
from tests.gui.pointer import move
from tests.gui.stills import assert_drawn_alike

Predicted = Callable[[Document], Outcome]
LEFT = Qt.MouseButton.LeftButton
SPLIT, OTHER = Plan((1, 0)), Plan((1, 1))  # 38 and 48 s, beside 48 s now: Figueira & Berman


@pytest.fixture
def panel(qtbot: QtBot, loaded_document: Document, predicted: Predicted) -> Iterator[ComparePanel]:
    """Both tasks on M1, with two pins, as two schedules."""
    document = loaded_document
    pins = (Pin("other", OTHER), Pin("split", SPLIT))
    document.load(replace(document.project, pins=pins))
    panel = ComparePanel(document)
    qtbot.addWidget(panel)
    panel.resize(1000, 760)
    with qtbot.waitExposed(panel):
        panel.show()
    predicted(document)
    qtbot.waitUntil(lambda: panel.comparison is not None)
    button = panel.bars_panel.findChild(QToolButton, "compare_plot_two_schedules")
    qtbot.mouseClick(button, LEFT)
    drawn(qtbot, panel)
    yield panel
    panel.close_jobs()


def drawn(qtbot: QtBot, panel: ComparePanel) -> tuple[PlanView, PlanView]:
    """Wait until both schedules and the sentence are there."""
    plans = panel.two.plans

    def ready() -> bool:
        pair = plans.pair
        return (
            pair is not None
            and plans.difference is not None
            and plans.views[0].outcome is not None
            and plans.views[1].outcome is not None
            and plans.views[0].outcome.prediction is pair.first[1]
            and plans.views[1].outcome.prediction is pair.second[1]
        )

    qtbot.waitUntil(ready)
    return plans.views


def bar(view: PlanView, task: int) -> QPoint:
    return view.item_rect(view.item_of(task)).center().toPoint()


def test_at_first_the_current_plan_is_set_against_the_best_of_the_others(
    panel: ComparePanel,
) -> None:
    assert (panel.two.first.currentText(), panel.two.second.currentText()) == (CURRENT, "split")
    headline = panel.two.plans.headline.text()
    assert headline == "Now against “split”: 48.0 s → 38.0 s (−21 %)"
    assert panel.two.plans.detail.text().startswith("1 of 2 tasks moves; what limits: ")


def test_both_schedules_share_one_time_axis_zoomed_and_scrolled_together(
    qtbot: QtBot, panel: ComparePanel
) -> None:
    upper, lower = drawn(qtbot, panel)
    assert upper.px_per_s == lower.px_per_s
    assert upper.frame().x(48.0) == lower.frame().x(48.0) < upper.frame().width
    for one, other in ((upper, lower), (lower, upper)):
        before = other.px_per_s
        one.setFocus()
        QTest.keyClick(one, Qt.Key.Key_Plus)
        assert one.px_per_s == other.px_per_s > before
        one.horizontalScrollBar().setValue(40)
        assert other.horizontalScrollBar().value() == 40
        assert one.frame().x(20.0) == other.frame().x(20.0)
    QTest.keyClick(upper, Qt.Key.Key_F)
    assert upper.px_per_s == lower.px_per_s
    assert lower.horizontalScrollBar().value() == 0


def test_a_task_chosen_in_one_is_marked_in_the_other_and_moves_nowhere(
    qtbot: QtBot, panel: ComparePanel, loaded_document: Document
) -> None:
    upper, lower = drawn(qtbot, panel)
    steps = loaded_document.undo_stack.count()
    before = lower.viewport().grab().toImage()
    QTest.mouseClick(upper.viewport(), LEFT, pos=bar(upper, 0))
    assert loaded_document.selection == Selection(tasks=frozenset((0,)))
    assert lower.viewport().grab().toImage() != before
    ground = QPoint(upper.viewport().width() - 12, round(upper.card_rect(1).center().y()))
    at = bar(upper, 0)
    QTest.mousePress(upper.viewport(), LEFT, pos=at)
    move(upper.viewport(), at + QPoint(30, 0), ground)
    QTest.mouseRelease(upper.viewport(), LEFT, pos=ground)
    QTest.mouseClick(upper.viewport(), LEFT, pos=bar(upper, 0))
    QTest.mouseClick(upper.viewport(), LEFT, pos=ground)
    QTest.keyClick(upper, Qt.Key.Key_Return)
    assert not upper.carrying.tasks
    assert loaded_document.undo_stack.count() == steps


def test_moved_tasks_are_outlined_in_both(qtbot: QtBot, panel: ComparePanel) -> None:
    for view in drawn(qtbot, panel):
        moved = view.item_rect(view.item_of(0))
        stays = view.item_rect(view.item_of(1))
        image = view.viewport().grab().toImage()
        edges = [
            image.pixelColor(round(rect.center().x()), round(rect.top()) - 1).name()
            for rect in (moved, stays)
        ]
        assert edges[0] == view.ink.worse.name()
        assert edges[1] != view.ink.worse.name()


def test_rows_of_the_table_choose_and_so_do_the_boxes(qtbot: QtBot, panel: ComparePanel) -> None:
    panel.table.selectRow(1)
    drawn(qtbot, panel)
    assert panel.two.plans.headline.text().startswith("Now against “other”: ")
    place = panel.table.visualRect(panel.table.columns_model.index(2, 0)).center()
    QTest.mouseClick(panel.table.viewport(), LEFT, Qt.KeyboardModifier.ControlModifier, place)
    drawn(qtbot, panel)
    assert panel.two.plans.headline.text().startswith("“other” against “split”: ")
    panel.two.second.setFocus()
    QTest.keyClick(panel.two.second, Qt.Key.Key_Up)  # to the plan above: they trade places
    drawn(qtbot, panel)
    assert panel.two.plans.headline.text().startswith("“split” against “other”: ")


def test_adopt_takes_the_whole_plan_in_one_step(
    qtbot: QtBot, panel: ComparePanel, loaded_document: Document, predicted: Predicted
) -> None:
    steps = loaded_document.undo_stack.count()
    button = panel.two.findChild(QToolButton, "two_plans_panel_adopt")
    qtbot.mouseClick(button, LEFT)
    assert loaded_document.project.plan == SPLIT
    assert loaded_document.undo_stack.count() == steps + 1
    predicted(loaded_document)
    loaded_document.undo_stack.undo()
    assert loaded_document.project.plan == Plan((0, 0))


def test_the_table_has_machines_and_times_in_both(panel: ComparePanel) -> None:
    table = panel.two.plans.table()
    assert table.headings[2:5] == ("machine, now", "start, now (s)", "end, now (s)")
    assert table.rows[0] == ("A", "moves", "M1", 0.0, 36.0, "M2", 0.0, 18.0)
    assert table.rows[1][:2] == ("B", "")
    assert table.rows[1][4:] == (48.0, "M1", 26.0, 38.0)


def test_the_figure_holds_both_schedules_and_the_sentence(
    panel: ComparePanel, tmp_path: Path
) -> None:
    path = tmp_path / "two.svg"
    export_figure(panel.two.plans, path)
    text = path.read_text(encoding="utf-8")
    assert "Now against “split”" in text
    assert text.count("makespan ") >= 2
    assert panel.two.plans.figure_size().width() == FIGURE[0]


def test_loads_unfold_under_both(qtbot: QtBot, qapp: object, predicted: Predicted) -> None:
    document = Document(replace(hub_project(), pins=(Pin("alone", Plan((0, 0, 0, 0))),)))
    panel = ComparePanel(document)
    qtbot.addWidget(panel)
    panel.resize(1000, 760)
    panel.show()
    predicted(document)
    panel.pictures.show_picture(1)
    upper, lower = drawn(qtbot, panel)
    assert upper.frame().section == lower.frame().section > 0
    folded = upper.frame().section
    upper.setFocus()
    QTest.keyClick(upper, Qt.Key.Key_L, Qt.KeyboardModifier.ShiftModifier)
    assert upper.frame().section > folded
    assert lower.frame().section > folded
    panel.close_jobs()


def test_slack_and_utilisation_follow_the_boards(qtbot: QtBot, panel: ComparePanel) -> None:
    folds = Folds()
    panel.follow(folds)
    folds.set_extras(slack=True, utilisation=True)
    upper, lower = drawn(qtbot, panel)
    qtbot.waitUntil(lambda: upper.slack_s is not None and lower.slack_s is not None)
    assert lower.folds.utilisation
    folds.set_extras(slack=False, utilisation=False)
    qtbot.waitUntil(lambda: upper.slack_s is None and lower.slack_s is None)


def test_without_another_plan_it_says_what_it_needs(
    qtbot: QtBot, loaded_document: Document, predicted: Predicted
) -> None:
    panel = ComparePanel(loaded_document)
    qtbot.addWidget(panel)
    panel.show()
    predicted(loaded_document)
    qtbot.waitUntil(lambda: panel.comparison is not None)
    panel.pictures.show_picture(1)
    assert panel.two.plans.empty.isVisible()
    assert panel.two.plans.empty.text() == EMPTY
    assert not panel.two.adopt.isEnabled()
    panel.close_jobs()


def test_another_project_leaves_nothing_of_the_old_pair(
    qtbot: QtBot, panel: ComparePanel, loaded_document: Document
) -> None:
    loaded_document.load(replace(loaded_document.project, pins=()))
    assert panel.two.plans.pair is None
    assert panel.two.plans.headline.text() == ""


@pytest.fixture
def choosing_panel(qtbot: QtBot, qapp: object, predicted: Predicted) -> Iterator[ComparePanel]:
    """Beside the current plan one that moves all tasks and decides style, blocks and tree."""
    document = Document(with_pin())
    panel = ComparePanel(document)
    qtbot.addWidget(panel)
    panel.resize(1150, 740)
    with qtbot.waitExposed(panel):
        panel.show()
    predicted(document)
    qtbot.waitUntil(lambda: panel.comparison is not None)
    qtbot.mouseClick(panel.bars_panel.findChild(QToolButton, "compare_plot_two_schedules"), LEFT)
    drawn(qtbot, panel)
    yield panel
    panel.close_jobs()


def test_what_else_is_decided_otherwise_is_said_and_marked(
    qtbot: QtBot, choosing_panel: ComparePanel
) -> None:
    plans = choosing_panel.two.plans
    assert "3 of 3 tasks move; message style of spectra: asynchronous long" in plans.detail.text()
    assert "tree of monitor: " in plans.detail.text()
    assert plans.legend.text() == (
        "outlined: on another machine in the other  ·  ◥ decided otherwise in the other"
    )
    first, second = plans.views
    assert "Message style, “pin A”: asynchronous long non-blocking" in tip(first, SPECTRA)
    assert "Message style, now: asynchronous short" in tip(second, SPECTRA)
    assert "Blocks, “pin A”: 256 blocks" in tip(first, ALIGN)
    assert "pin A" not in tip(first, REPORT)
    for view in plans.views:
        assert corner(view, SPECTRA) == QColor(theme().colours.text)
        assert corner(view, REPORT) != QColor(theme().colours.text)
    table = plans.table()
    assert table.headings[-1] == "decided otherwise"
    assert table.rows[ALIGN][-1] == "Blocks, “pin A”: 256 blocks"
    assert table.rows[REPORT][-1] == ""


def tip(view: PlanView, task: int) -> str:
    return view.tip_at(view.item_rect(view.item_of(task)).center())


def corner(view: PlanView, task: int) -> QColor:
    """The colour in the middle of what a folded corner at a task's bar covers."""
    rect = view.item_rect(view.item_of(task))
    side = 0.29 * min(10.0, rect.height(), rect.width())  # to the centre of its inscribed circle
    at = rect.topRight() + QPointF(-side, side)
    return view.viewport().grab().toImage().pixelColor(int(at.x()), int(at.y()))


def test_a_thread_draws_both_as_they_were_when_they_were_asked_for(panel: ComparePanel) -> None:
    plans = panel.two.plans
    assert_drawn_alike(plans, plans.views[1].forget)

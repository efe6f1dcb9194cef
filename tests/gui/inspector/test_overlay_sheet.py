"""Overlays in the inspector: added, edited, their tree chosen, removed; what can't be says why."""

from __future__ import annotations

import threading
from collections.abc import Callable

import pytest
from PySide6.QtCore import QModelIndex, Qt
from PySide6.QtGui import QFontMetrics
from PySide6.QtWidgets import QApplication, QLineEdit, QPushButton, QTableView
from pytestqt.qtbot import QtBot

from advisor.decisions.tree import trees_of
from advisor.overlays.overlay import Overlay
from advisor.overlays.overlay_measures import overlay_measures
from advisor.project import overlay_edits
from gui.document.document import Document, Outcome, Selection
from gui.inspector import Inspector
from gui.inspector.overlay_table import BACK_ENDS, INTERNAL, OverlayMachines
from gui.inspector.plan_choices import LATENCY, OPTION, PRICE
from machines.errors import InputError
from tests.choosing import ALEWIFE, DIRECT, SERVICE, choosing
from tests.gui.inspector.hands import (
    choose_by_keys,
    error_under,
    labels,
    open_inspector,
    press,
    type_into,
    type_refused,
)
from tests.gui.inspector.test_plan_choices import click, item, section

Predicted = Callable[[Document], Outcome]


@pytest.fixture
def document(qapp: object) -> Document:
    return Document(choosing())


@pytest.fixture
def inspector(qtbot: QtBot, document: Document, predicted: Predicted) -> Inspector:
    """On the monitor, predicted."""
    found = open_inspector(qtbot, document)
    predicted(document)
    document.select(Selection(overlay=0))
    return found


def monitor(document: Document) -> Overlay:
    return document.project.workload.overlays[0]


def test_the_sheet_says_what_it_is_and_what_it_costs(
    inspector: Inspector, document: Document
) -> None:
    outcome = document.outcome
    assert outcome is not None
    (tree,) = trees_of(outcome.problem, document.project.plan)
    measures = overlay_measures(document.project.platform, monitor(document), tree)
    assert outcome.overlays == ((tree, measures),)
    text = labels(inspector)
    assert "64 back-ends on alewife and direct, 600 reductions a second" in text
    assert "Latency 546 µs an operation, period at least 1.23 ms" in text
    assert "alewife 147 %" in text
    assert measures.notes[0] in text


@pytest.mark.parametrize(
    ("key", "text", "value"),
    [
        ("name", "probe", "probe"),
        ("message_bytes", "1 KiB", 1024.0),
        ("rate_hz", "300", 300.0),
        ("filter_s", "2 µs", 2e-6),
        ("overhead_s", "5 µs", 5e-6),
    ],
)
def test_every_declared_field_is_edited_as_one_undo_step(
    qtbot: QtBot, inspector: Inspector, document: Document, key: str, text: str, value: object
) -> None:
    before = document.project
    type_into(qtbot, inspector, key, text)
    assert getattr(monitor(document), key) == pytest.approx(value)
    assert document.undo_stack.count() == 1
    document.undo_stack.undo()
    assert document.project is before


def test_operation_and_front_end_are_chosen(
    qtbot: QtBot, inspector: Inspector, document: Document
) -> None:
    combo = choose_by_keys(qtbot, inspector, "front_end", "svc")
    assert [combo.itemData(k) for k in range(combo.count())] == [
        "alewife",
        "direct",
        "login",
        "svc",
    ]
    assert monitor(document).front_end == "svc"
    choose_by_keys(qtbot, inspector, "operation", "broadcast")
    assert monitor(document).operation == "broadcast"


def test_a_shape_is_typed_and_the_step_is_called_after_it(
    qtbot: QtBot, inspector: Inspector, document: Document, predicted: Predicted
) -> None:
    line = inspector.findChild(QLineEdit, "field.tree")
    assert line.text() == "4x4x4"
    type_into(qtbot, inspector, "tree", "8x8")
    assert document.project.plan.overlays[0].shape == "8x8"  # type: ignore[union-attr]
    assert document.undo_stack.undoText().startswith("Tree of monitor: 8×8 tree")
    predicted(document)
    document.undo_stack.undo()
    assert document.project.plan.overlays == ()
    predicted(document)
    assert line.text() == "4x4x4"


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("eight", "this is no shape of a tree"),
        ("7x8", "back-ends"),
        ("64", "needs more than a processor to keep up"),
    ],
)
def test_a_shape_that_does_not_fit_stays_with_its_reason(
    qtbot: QtBot, inspector: Inspector, document: Document, text: str, reason: str
) -> None:
    type_refused(qtbot, inspector, "tree", text, reason)
    assert document.undo_stack.count() == 0


def test_internal_processes_are_placed_by_machine(
    qtbot: QtBot, inspector: Inspector, document: Document
) -> None:
    type_into(qtbot, inspector, "tree", "8x8")
    type_into(qtbot, inspector, "placement", "svc × 6; login × 2")
    tree = document.project.plan.overlays[0]
    assert tree is not None
    assert tree.machines == {"svc": 6, "login": 2}
    count = document.undo_stack.count()
    type_refused(qtbot, inspector, "placement", "svc × 3", "8 internal processes, and 3 are placed")
    type_refused(qtbot, inspector, "placement", "moon × 8", "moon")
    type_refused(qtbot, inspector, "placement", "svc 8", "no name with a number")
    assert document.undo_stack.count() == count


def test_every_word_of_a_tree_has_room_in_the_narrowest_inspector(
    qtbot: QtBot, inspector: Inspector
) -> None:
    found = section(qtbot, inspector)
    inspector.resize(inspector.minimumWidth(), 600)
    qtbot.settle()
    options = found.options
    rows = options.topLevelItem(0)
    for row in (rows.child(place) for place in range(rows.childCount())):
        room = options.columnWidth(OPTION) - options.indentation() - 8
        metrics = QFontMetrics(row.font(OPTION))
        parts = row.text(OPTION).replace("-", "- ").split()
        assert max(map(metrics.horizontalAdvance, parts)) <= room
        assert "latency" in row.toolTip(OPTION)
    inspector.resize(500, 600)
    assert not options.isColumnHidden(LATENCY)


def test_trees_are_chosen_from_a_list_with_prices_and_latencies(
    qtbot: QtBot, inspector: Inspector, document: Document, predicted: Predicted
) -> None:
    found = section(qtbot, inspector)
    (trees,) = found.shown
    assert [one.is_best for one in trees.options].count(True) == 1
    best = next(one for one in trees.options if one.is_best)
    assert best.value_s < trees.now_s
    row = item(found, "Tree", best.words)
    assert row.text(OPTION).endswith(" (best)")
    assert row.text(PRICE).startswith("▼ −")
    click(found, row)
    assert document.project.plan.overlays == (best.value,)
    assert document.undo_stack.undoText() == f"Tree of monitor: {best.words}"
    assert predicted(document).prediction.makespan_s == pytest.approx(best.value_s, rel=1e-12)
    qtbot.waitUntil(lambda: item(found, "Tree", best.words).text(OPTION).startswith("✓"))


def cell(table: QTableView, row: int, column: int) -> QModelIndex:
    return table.model().index(row, column)


def type_cell(qtbot: QtBot, table: QTableView, row: int, text: str) -> None:
    """Type a number of back-ends, with the keys alone."""
    table.setFocus()
    table.setCurrentIndex(cell(table, row, BACK_ENDS))
    qtbot.keyClick(table, Qt.Key.Key_F2)
    editor = QApplication.focusWidget()
    assert isinstance(editor, QLineEdit)
    editor.selectAll()
    qtbot.keyClicks(editor, text)
    qtbot.keyClick(editor, Qt.Key.Key_Return)
    qtbot.waitUntil(lambda: QApplication.focusWidget() is table)  # it is taken afterwards


def test_back_ends_are_typed_by_machine(
    qtbot: QtBot, inspector: Inspector, document: Document
) -> None:
    part = inspector.findChild(OverlayMachines)
    assert part is not None
    assert part.isVisible()
    type_cell(qtbot, part.table, ALEWIFE, "16")
    assert monitor(document).back_ends == (("alewife", 16), ("direct", 32))
    type_cell(qtbot, part.table, SERVICE, "4")
    assert dict(monitor(document).back_ends)["svc"] == 4
    type_cell(qtbot, part.table, ALEWIFE, "0")
    assert monitor(document).back_ends == (("direct", 32), ("svc", 4))
    assert document.undo_stack.count() == 3
    assert document.undo_stack.undoText() == "Back-ends of monitor"
    document.undo_stack.undo()
    assert part.model.data(cell(part.table, ALEWIFE, BACK_ENDS)) == "16"


def test_wrong_numbers_of_back_ends_are_refused_in_place(
    qtbot: QtBot, inspector: Inspector, document: Document
) -> None:
    part = inspector.findChild(OverlayMachines)
    assert part is not None
    type_cell(qtbot, part.table, ALEWIFE, "many")
    assert part.message.isVisible()
    assert document.undo_stack.count() == 0
    type_cell(qtbot, part.table, ALEWIFE, "0")
    type_cell(qtbot, part.table, DIRECT, "0")
    assert "no back-ends" in part.message.text().casefold()
    assert document.undo_stack.count() == 1


def test_ticks_say_where_internal_processes_may_run(
    qtbot: QtBot, inspector: Inspector, document: Document
) -> None:
    part = inspector.findChild(OverlayMachines)
    assert part is not None
    part.table.setFocus()
    part.table.setCurrentIndex(cell(part.table, SERVICE, INTERNAL))
    qtbot.keyClick(part.table, Qt.Key.Key_Space)
    assert monitor(document).internal_on == ("alewife", "direct", "login")
    qtbot.keyClick(part.table, Qt.Key.Key_Space)
    assert monitor(document).internal_on is None
    assert document.undo_stack.undoText() == "Internal processes of monitor"


def test_a_rate_that_no_tree_keeps_up_with_is_said_on_the_sheet(
    qtbot: QtBot, inspector: Inspector, document: Document
) -> None:
    type_into(qtbot, inspector, "rate_hz", "1e6")
    message = inspector.choices.message
    qtbot.waitUntil(message.isVisible)
    assert "to keep up" in message.text()


def test_prices_that_come_late_do_not_hide_why_nothing_can_be_priced(
    qtbot: QtBot, inspector: Inspector, document: Document
) -> None:
    late, choices = threading.Event(), inspector.choices

    def price(_should_stop: object) -> tuple[()]:
        late.wait(60)
        return ()

    choices._jobs.request(price)
    document.outcome_failed.emit(InputError("no tree keeps up"))
    late.set()
    qtbot.waitUntil(lambda: not choices.is_busy)
    assert choices.message.isVisible()
    assert choices.message.text() == "No tree keeps up."


def test_a_name_that_another_overlay_has_is_refused(
    qtbot: QtBot, inspector: Inspector, document: Document
) -> None:
    document.select(Selection())
    press(inspector, "add_overlay")
    qtbot.settle()  # the rows of the sheet before are gone
    type_into(qtbot, inspector, "name", "monitor")
    assert error_under(inspector, "name")
    assert monitor(document).name == "monitor"


def test_an_overlay_is_added_from_the_project_and_removed(
    qtbot: QtBot, inspector: Inspector, document: Document
) -> None:
    document.select(Selection())
    assert "Overlay monitor" in {button.text() for button in inspector.findChildren(QPushButton)}
    press(inspector, "add_overlay")
    added = document.project.workload.overlays[1]
    assert added.name == "monitor2"
    assert added.back_ends == (("direct", 1), ("login", 1), ("svc", 1))
    assert document.selection == Selection(overlay=1)
    assert document.undo_stack.undoText() == "Add overlay"
    press(inspector, "remove_overlay")
    assert len(document.project.workload.overlays) == 1
    assert document.selection == Selection()
    document.undo_stack.undo()
    document.undo_stack.undo()
    assert document.undo_stack.index() == 0


def test_a_selection_goes_with_its_overlay(document: Document) -> None:
    document.apply(
        overlay_edits.add_overlay(document.project, overlay_edits.first_overlay(document.project)),
        "add",
    )
    document.select(Selection(overlay=1))
    document.undo_stack.undo()
    assert document.selection == Selection()


def test_a_front_end_that_is_no_machine_is_refused_by_the_edit(document: Document) -> None:
    overlay = Overlay("probe", "moon", (("alewife", 4),))
    changed = overlay_edits.add_overlay(document.project, overlay)
    with pytest.raises(InputError, match="moon"):
        changed.problem()

"""The schedule tables: sorted, filtered, selected with the document, copied in full precision."""

from __future__ import annotations

import gc
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest
from PySide6.QtCore import QEvent, QItemSelection, QItemSelectionModel, QPoint, Qt, QTimer
from PySide6.QtGui import QGuiApplication, QKeyEvent, QRegion
from PySide6.QtWidgets import QToolButton
from pytestqt.qtbot import QtBot

from gui.basics.theme import GRID
from gui.board.board_folds import Folds
from gui.document.document import Document, Outcome, Selection
from gui.panels.schedule_table import ScheduleTable
from gui.tables.data_table import DataTable
from gui.tables.table_columns import Column, ColumnsModel, Texts
from tests.gui.exporting import export
from tests.gui.pointer import double_click

Predicted = Callable[[Document], Outcome]
ASCENDING, DESCENDING = Qt.SortOrder.AscendingOrder, Qt.SortOrder.DescendingOrder


def columns() -> list[Column]:
    names = [f"t{place}" for place in (10, 2, 1, 33)]
    times = np.array([3.0, 1.0, 1.0, 2.0])
    return [
        Column("name", "Name", Texts(names)),
        Column("time", "Time (s)", times, lambda value: f"{value:.1f}", "s"),
    ]


def shown(model: ColumnsModel, column: int = 0) -> list[str]:
    return [str(model.data(model.index(row, column))) for row in range(model.rowCount())]


def test_names_are_sorted_with_numbers_by_value(qapp: object) -> None:
    model = ColumnsModel(columns())
    model.sort(0, ASCENDING)
    assert shown(model) == ["t1", "t2", "t10", "t33"]


def test_headings_stand_on_the_side_of_what_is_below_them(qapp: object) -> None:
    model, role = ColumnsModel(columns()), Qt.ItemDataRole.TextAlignmentRole
    sides = [model.headerData(k, Qt.Orientation.Horizontal, role) for k in range(2)]
    assert sides[0] & Qt.AlignmentFlag.AlignLeft
    assert sides[1] & Qt.AlignmentFlag.AlignRight


def test_equal_values_keep_their_order_either_way(qapp: object) -> None:
    model = ColumnsModel(columns())
    model.sort(1, ASCENDING)
    assert shown(model) == ["t2", "t1", "t33", "t10"]
    model.sort(1, DESCENDING)
    assert shown(model) == ["t10", "t33", "t2", "t1"]
    model.sort(-1)
    assert shown(model) == ["t10", "t2", "t1", "t33"]


def test_a_filter_finds_any_part_of_a_name_whatever_its_case(qapp: object) -> None:
    model = ColumnsModel(columns())
    model.set_filter("T1")
    assert shown(model) == ["t10", "t1"]
    model.set_filter("  ")
    assert model.rowCount() == 4


def test_new_values_keep_the_sorting_and_the_filter(qapp: object) -> None:
    model = ColumnsModel(columns())
    model.sort(1, ASCENDING)
    model.set_filter("t1")
    model.set_columns(columns())
    assert shown(model) == ["t1", "t10"]


def test_sorting_follows_its_heading_when_columns_come_and_go(qtbot: QtBot) -> None:
    table = DataTable("table", "A table")
    qtbot.addWidget(table)
    table.set_columns(columns())
    table.resize(300, 200)
    table.show()
    header = table.horizontalHeader()
    at = QPoint(header.sectionViewportPosition(1) + 5, 5)
    qtbot.mouseClick(header.viewport(), Qt.MouseButton.LeftButton, pos=at)
    assert shown(table.columns_model) == ["t2", "t1", "t33", "t10"]
    more = Column("more", "", np.arange(4.0))
    table.set_columns([columns()[0], more, columns()[1]])
    assert shown(table.columns_model) == ["t2", "t1", "t33", "t10"]
    assert header.sortIndicatorSection() == 2
    table.set_columns([columns()[0], more])
    assert shown(table.columns_model) == ["t10", "t2", "t1", "t33"]
    assert header.sortIndicatorSection() == -1


def test_numbers_show_rounded_with_the_whole_value_in_the_tooltip(qapp: object) -> None:
    model = ColumnsModel([Column("time", "Time", np.array([1 / 3]), lambda v: f"{v:.1f} s", "s")])
    at = model.index(0, 0)
    assert model.data(at) == "0.3 s"
    assert model.data(at, Qt.ItemDataRole.ToolTipRole) == f"time: {1 / 3!r} s"
    assert model.table().headings == ("time (s)",)
    assert model.table().rows == ((1 / 3,),)


def test_headings_carry_hints_and_old_values_are_dimmed(qapp: object) -> None:
    model = ColumnsModel(columns())
    heading = model.headerData(1, Qt.Orientation.Horizontal, Qt.ItemDataRole.ToolTipRole)
    assert heading == "Time (s)"
    at = model.index(0, 0)
    assert model.data(at, Qt.ItemDataRole.ForegroundRole) is None
    model.set_dimmed(True)
    assert model.data(at, Qt.ItemDataRole.ForegroundRole) is not None


def test_thirty_thousand_rows_sort_and_filter(qapp: object) -> None:
    rows = 30_000
    names = [f"task_{(7919 * place) % rows:05d}" for place in range(rows)]
    model = ColumnsModel(
        [
            Column("name", "", Texts(names)),
            Column("time", "", np.random.default_rng(1).random(rows)),
        ]
    )
    model.sort(0, ASCENDING)
    model.sort(1, DESCENDING)
    model.set_filter("99")
    model.set_filter("")
    model.sort(0, ASCENDING)
    assert shown(model)[:2] == ["task_00000", "task_00001"]
    assert model.rowCount() == rows


def test_a_click_on_a_heading_sorts(qtbot: QtBot) -> None:
    table = DataTable("table", "A table")
    qtbot.addWidget(table)
    table.set_columns(columns())
    table.resize(300, 200)
    table.show()
    header = table.horizontalHeader()
    at = QPoint(header.sectionViewportPosition(0) + 5, 5)
    qtbot.mouseClick(header.viewport(), Qt.MouseButton.LeftButton, pos=at)
    assert shown(table.columns_model) == ["t1", "t2", "t10", "t33"]


def test_control_c_copies_the_selected_rows_as_shown(qtbot: QtBot) -> None:
    table = DataTable("table", "A table")
    qtbot.addWidget(table)
    table.set_columns(columns())
    table.show()
    table.columns_model.sort(0, ASCENDING)
    table.select_rows(frozenset((0, 1)))
    override = QKeyEvent(
        QEvent.Type.ShortcutOverride, Qt.Key.Key_C, Qt.KeyboardModifier.ControlModifier
    )
    override.ignore()
    assert table.event(override)
    assert override.isAccepted()
    qtbot.keyClick(table, Qt.Key.Key_C, Qt.KeyboardModifier.ControlModifier)
    assert QGuiApplication.clipboard().text() == "name\ttime (s)\nt2\t1.0\nt10\t3.0\n"


@pytest.fixture
def schedule(qtbot: QtBot, cluster_document: Document, predicted: Predicted) -> ScheduleTable:
    table = ScheduleTable(cluster_document)
    qtbot.addWidget(table)
    table.resize(800, 300)
    table.show()
    predicted(cluster_document)
    qtbot.waitUntil(lambda: table.tasks.columns_model.rowCount() == 57)
    qtbot.waitUntil(lambda: table.flows.columns_model.rowCount() > 0)
    return table


def test_every_task_has_a_row_with_its_machine_and_times(
    schedule: ScheduleTable, cluster_document: Document
) -> None:
    outcome = cluster_document.outcome
    assert outcome is not None
    table = schedule.tasks.columns_model.table()
    assert len(table.rows) == 57
    first = dict(zip(table.headings, table.rows[0], strict=True))
    assert first["task"] == "split"
    assert first["machine"] == "node0"
    assert first["end (s)"] == outcome.prediction.end_s[0]
    last = dict(zip(table.headings, table.rows[-1], strict=True))
    assert last["end (s)"] == outcome.prediction.makespan_s
    assert last["critical"] is True


def test_a_task_on_a_shared_machine_shows_its_slowdown(
    schedule: ScheduleTable, cluster_document: Document
) -> None:
    table = schedule.tasks.columns_model.table()
    place, machine = table.headings.index("slowdown"), table.headings.index("machine")
    by_machine = {row[machine]: row[place] for row in table.rows}
    assert by_machine["node0"] == 1.0
    prediction = cluster_document.outcome.prediction  # type: ignore[union-attr]
    shared = next(row for row in table.rows if row[machine] == "node1")
    task = table.rows.index(shared)
    expected = prediction.task_s[task] / prediction.task_dedicated_s[task]
    assert shared[place] == pytest.approx(expected)


def test_every_flow_has_a_row_and_costs_nothing_on_one_machine(
    qtbot: QtBot, schedule: ScheduleTable, cluster_document: Document
) -> None:
    button = schedule.findChild(QToolButton, "schedule_flows")
    qtbot.mouseClick(button, Qt.MouseButton.LeftButton)
    assert schedule.current is schedule.flows
    table = schedule.flows.columns_model.table()
    flows = cluster_document.project.workload.flows
    assert len(table.rows) == len(flows)
    assert schedule.shown.text() == f"{len(flows)} flows"
    names = table.headings
    for row in table.rows:
        if row[names.index("from machine")] == row[names.index("to machine")]:
            assert row[names.index("time (s)")] == 0.0
        else:
            assert row[names.index("time (s)")] > 0.0


def test_typing_a_machine_filters_and_says_how_many(qtbot: QtBot, schedule: ScheduleTable) -> None:
    qtbot.keyClicks(schedule.filter, "NODE3")
    assert schedule.shown.text() == "11 of 57 tasks"
    assert set(shown(schedule.tasks.columns_model, 2)) == {"node3"}


def test_a_selected_row_selects_its_task_in_the_document(
    qtbot: QtBot, schedule: ScheduleTable, cluster_document: Document
) -> None:
    table = schedule.tasks
    table.columns_model.sort(3, DESCENDING)
    place = table.visualRect(table.columns_model.index(0, 0)).center()
    qtbot.mouseClick(table.viewport(), Qt.MouseButton.LeftButton, pos=place)
    assert cluster_document.selection.tasks == {56}
    qtbot.keyClick(table, Qt.Key.Key_Down, Qt.KeyboardModifier.ShiftModifier)
    assert len(cluster_document.selection.tasks) == 2


def test_the_documents_selection_is_selected_in_the_table_also_after_sorting(
    schedule: ScheduleTable, cluster_document: Document
) -> None:
    cluster_document.select(Selection(tasks=frozenset((3, 7))))
    assert set(schedule.tasks.selected()) == {3, 7}
    schedule.tasks.columns_model.sort(3, DESCENDING)
    assert set(schedule.tasks.selected()) == {3, 7}
    assert cluster_document.selection.tasks == {3, 7}
    cluster_document.select(Selection())
    assert schedule.tasks.selected() == ()


def test_selecting_many_rows_looks_up_none_of_them(
    qtbot: QtBot, monkeypatch: pytest.MonkeyPatch
) -> None:
    class Looked(DataTable):
        regions = 0

        def visualRegionForSelection(self, selection: QItemSelection) -> QRegion:
            self.regions += 1
            return super().visualRegionForSelection(selection)

    table = Looked("rows", "Rows")
    qtbot.addWidget(table)
    table.set_columns([Column("time", "Time", np.arange(2000.0))])
    table.show()
    asked: list[object] = []
    monkeypatch.setattr(ColumnsModel, "rowCount", lambda model, *_: asked.append(0) or 2000)
    table.select_rows(frozenset(range(0, 2000, 2)))
    assert table.selected() == tuple(range(0, 2000, 2))
    assert table.regions == 0
    assert len(asked) < 100  # of 1,000 parts with two corners each
    assert table.updatesEnabled()


def test_the_collector_does_not_look_into_the_texts_of_a_column(qapp: object) -> None:
    texts = Texts([f"task {number}" for number in range(99)]).prepare()
    gc.collect(0)
    assert not gc.is_tracked(texts._names)
    assert not gc.is_tracked(texts._lowered)


CHOOSE = QItemSelectionModel.SelectionFlag.ClearAndSelect


def scattered(qtbot: QtBot) -> tuple[DataTable, frozenset[int], list[int]]:
    """A table, every other row of it to be selected, and the parts that its views hear of."""
    table, parts = DataTable("rows", "Rows"), list[int]()
    qtbot.addWidget(table)
    table.set_columns([Column("time", "Time", np.arange(9000.0))])
    table.selectionModel().selectionChanged.connect(lambda new, _old: parts.append(new.count()))
    return table, frozenset(range(0, 9000, 2)), parts


def test_thousands_of_scattered_rows_are_selected_with_other_events_between(qtbot: QtBot) -> None:
    table, wanted, parts = scattered(qtbot)
    turns: list[bool] = []
    timer = QTimer(table, interval=0)
    timer.timeout.connect(lambda: turns.append(True))
    timer.start()
    table.select_rows(wanted)
    assert not parts and not turns
    qtbot.waitUntil(lambda: bool(parts))
    timer.stop()
    assert parts == [4500]
    assert len(turns) >= 3
    assert frozenset(table.selected()) == wanted


def test_what_is_still_to_be_selected_counts_as_selected(qtbot: QtBot) -> None:
    table, wanted, _ = scattered(qtbot)
    table.select_rows(wanted)
    assert frozenset(table.selected()) == wanted
    assert len(table.chosen_table().rows) == 4500


def test_the_newest_selection_wins_over_one_that_is_under_way(qtbot: QtBot) -> None:
    table, wanted, parts = scattered(qtbot)
    table.select_rows(wanted)
    table.select_rows(frozenset((3,)))
    assert table.selected() == (3,) and parts == [1]
    table.select_rows(wanted)
    row = table.columns_model.rows_from(5, 6)  # what a click on it does
    table.selectionModel().select(QItemSelection(row.topLeft(), row.bottomRight()), CHOOSE)
    qtbot.settle()
    assert table.selected() == (5,)


def test_a_selected_flow_is_the_documents(
    qtbot: QtBot, schedule: ScheduleTable, cluster_document: Document
) -> None:
    qtbot.mouseClick(schedule.findChild(QToolButton, "schedule_flows"), Qt.MouseButton.LeftButton)
    schedule.flows.selectRow(4)
    assert cluster_document.selection.flow == 4
    cluster_document.select(Selection(flow=2))
    assert schedule.flows.selected() == (2,)


def test_enter_or_a_double_click_asks_to_see_the_task(
    qtbot: QtBot, schedule: ScheduleTable
) -> None:
    schedule.tasks.columns_model.sort(3, DESCENDING)
    place = schedule.tasks.visualRect(schedule.tasks.columns_model.index(0, 0)).center()
    viewport = schedule.tasks.viewport()
    qtbot.mouseClick(viewport, Qt.MouseButton.LeftButton, pos=place)
    with qtbot.waitSignal(schedule.task_activated) as asked:
        double_click(viewport, place)
    assert asked.args == [56]


def test_a_moved_task_dims_the_table_until_its_prediction_comes_and_undo_restores_it(
    qtbot: QtBot, schedule: ScheduleTable, cluster_document: Document, predicted: Predicted
) -> None:
    model = schedule.tasks.columns_model
    before = model.table()
    cluster_document.move_tasks(frozenset((0,)), 4)
    assert model.dimmed
    predicted(cluster_document)
    qtbot.waitUntil(lambda: not model.dimmed)
    assert model.table().rows[0][2] == "node4"
    cluster_document.undo_stack.undo()
    predicted(cluster_document)
    qtbot.waitUntil(lambda: model.table() == before)
    assert not model.dimmed


def test_the_table_in_sight_is_exported(
    qtbot: QtBot, schedule: ScheduleTable, tmp_path: Path
) -> None:
    export(qtbot, schedule.exports, tmp_path / "schedule.csv")
    lines = (tmp_path / "schedule.csv").read_text().splitlines()
    assert lines[0].startswith("task,kind,machine,start (s),end (s)")
    assert len([line for line in lines if line]) == 58


def rows(count: int) -> list[Column]:
    """A plan a row, the later the better."""
    names = [f"plan {place}" for place in range(count)]
    return [
        Column("name", "Name", Texts(names)),
        Column("time", "Time (s)", np.arange(count, 0, -1, dtype=np.float64), str, "s"),
    ]


def test_rows_that_come_in_leave_the_view_where_it_is(qtbot: QtBot) -> None:
    table = DataTable("table", "Plans")
    qtbot.addWidget(table)
    table.resize(300, 120)
    table.show()
    table.set_columns(rows(30))
    table.selectRow(1)
    table.verticalScrollBar().setValue(14)
    table.set_columns(rows(31))
    assert table.verticalScrollBar().value() == 14
    assert table.selected() == (1,)


def test_held_rows_keep_their_places_and_new_ones_follow(qapp: object) -> None:
    model = ColumnsModel(rows(3))
    model.sort(1, ASCENDING)
    assert shown(model) == ["plan 2", "plan 1", "plan 0"]
    model.hold(True)
    model.set_columns(rows(4))
    assert shown(model) == ["plan 2", "plan 1", "plan 0", "plan 3"]
    model.set_columns(rows(2))
    assert shown(model) == ["plan 1", "plan 0"]
    model.sort(0, ASCENDING)  # who asks for another order gets it
    assert shown(model) == ["plan 0", "plan 1"]
    model.set_columns(rows(3))
    model.sort(1, ASCENDING)
    model.set_columns(rows(4))
    model.hold(False)
    assert shown(model) == ["plan 3", "plan 2", "plan 1", "plan 0"]


def test_slack_is_a_column_while_it_is_asked_for(
    qtbot: QtBot, loaded_document: Document, predicted: Predicted
) -> None:
    panel = ScheduleTable(loaded_document)
    qtbot.addWidget(panel)
    panel.show()
    predicted(loaded_document)
    model = panel.tasks.columns_model
    folds = Folds()
    panel.follow(folds)
    assert "slack" not in [column.heading for column in model.columns]
    folds.set_extras(slack=True, utilisation=False)
    qtbot.waitUntil(lambda: "slack" in [column.heading for column in model.columns])
    place = [column.heading for column in model.columns].index("slack")
    assert np.asarray(model.columns[place].values).tolist() == [0.0, 0.0]
    folds.set_extras(slack=False, utilisation=False)
    qtbot.waitUntil(lambda: "slack" not in [column.heading for column in model.columns])
    panel.close()


def test_columns_grow_with_their_texts_and_never_shrink(qtbot: QtBot) -> None:
    table = DataTable("table", "Plans")
    qtbot.addWidget(table)
    table.set_columns([Column("name", "Name", Texts(["a", "b"]))])
    narrow = table.columnWidth(0)
    table.set_columns([Column("name", "Name", Texts(["a", "a name that is rather long"]))])
    wide = table.columnWidth(0)
    assert wide > narrow
    table.set_columns([Column("name", "Name", Texts(["a", "b"]))])
    assert table.columnWidth(0) == wide
    table.setColumnWidth(0, narrow)  # by hand
    table.set_columns(
        [Column("name", "Name", Texts(["a", "a name that is even longer than that"]))]
    )
    assert table.columnWidth(0) == narrow
    table.set_columns([Column("title", "Title", Texts(["a"]))])
    assert table.columnWidth(0) < wide


MESSAGE = "there is no machine on which this task can run, because " + "of its memory " * 9


@pytest.fixture
def failures(qtbot: QtBot) -> DataTable:
    """A narrow column, and two that are too long: by a little and by much."""
    table = DataTable("table", "Failures")
    qtbot.addWidget(table)
    table.resize(1200, 300)
    table.show()
    table.set_columns(
        [
            Column("case", "Case", Texts(["a", "b"])),
            Column("why", "Why", Texts([MESSAGE[:75], "b"])),
            Column("message", "Message", Texts([MESSAGE, "b"])),
        ]
    )
    return table


def widths(table: DataTable) -> list[int]:
    return [table.columnWidth(section) for section in range(3)]


def needed(table: DataTable) -> list[int]:
    """The widths in which all texts are seen whole."""
    return [
        max(table.sizeHintForColumn(place), table.fontMetrics().horizontalAdvance(text))
        for place, text in enumerate(("a", MESSAGE[:75], MESSAGE))
    ]


def test_long_texts_have_what_the_table_has_room_for(failures: DataTable) -> None:
    before, most = widths(failures), needed(failures)
    assert before[1] >= most[1]  # the shorter one is seen whole, and the longer has the rest
    assert sum(before) == failures.viewport().width() and before[2] < most[2]
    failures.resize(3000, 300)
    after = widths(failures)
    assert after[:2] == before[:2] and most[2] <= after[2] < most[2] + 3 * GRID
    failures.resize(400, 300)
    assert widths(failures)[1:] == [320, 320]
    assert failures.horizontalScrollBar().maximum() > 0
    failures.resize(3000, 300)
    assert widths(failures) == after


def test_texts_with_room_never_make_a_scroll_bar_necessary(failures: DataTable) -> None:
    for width in range(760, 1800, 65):
        failures.resize(width, 300)
        assert failures.horizontalScrollBar().maximum() == 0
    many = Texts([MESSAGE] * 100)  # with a scroll bar for rows there is less room
    failures.set_columns([Column("message", "Message", many), Column("n", "N", np.arange(100))])
    failures.resize(600, 300)
    assert failures.verticalScrollBar().maximum() > 0
    assert failures.horizontalScrollBar().maximum() == 0
    assert failures.columnWidth(0) > 320


def test_a_width_that_the_user_set_stays_and_the_others_have_the_rest(
    qtbot: QtBot, failures: DataTable
) -> None:
    case, why, message = widths(failures)
    failures.horizontalHeader().resizeSection(0, case + 40)  # as a drag does
    assert widths(failures) == [case + 40, why, message - 40]
    qtbot.waitUntil(lambda: failures.horizontalScrollBar().maximum() == 0)
    failures.horizontalHeader().resizeSection(2, 150)
    for width in (1500, 1250, 3000):
        failures.resize(width, 300)
        assert widths(failures)[::2] == [case + 40, 150]
    columns = [*failures.columns_model.columns]
    failures.set_columns([*columns[:2], Column("message", "Message", Texts([MESSAGE * 2, "b"]))])
    assert widths(failures)[::2] == [case + 40, 150]


def test_a_table_that_nearly_fits_has_less_room_around_its_texts_and_no_scroll_bar(
    qtbot: QtBot,
) -> None:
    table = DataTable("table", "Laws")
    qtbot.addWidget(table)
    table.resize(2000, 300)
    table.show()
    names = ["law", "recipe", "evidence", "residual error"]
    table.set_columns([Column(name, name, Texts([f"{name} of a law", "b"])) for name in names])
    comfortable = sum(table.columnWidth(place) for place in range(4))
    frame = table.width() - table.viewport().width()
    table.resize(comfortable + frame - 3 * GRID, 300)
    assert table.horizontalScrollBar().maximum() == 0
    for place in range(4):  # no text is cut off
        heading = table.horizontalHeader().sectionSizeHint(place)
        assert table.columnWidth(place) >= max(table.sizeHintForColumn(place), heading)
    table.resize(comfortable + frame - 8 * GRID, 300)  # much is missing: nothing is squeezed
    assert sum(table.columnWidth(place) for place in range(4)) == comfortable
    table.resize(2000, 300)
    assert sum(table.columnWidth(place) for place in range(4)) == comfortable


def test_a_number_may_have_a_text_of_its_own_and_sorts_by_its_value(qapp: object) -> None:
    values, said = np.array([10.0, 4.0, np.nan, 4.5]), Texts(["10", "4.0", "none", "9/2"])
    model = ColumnsModel([Column("printed", "Printed", values, said=said)])
    model.sort(0, ASCENDING)
    assert shown(model) == ["4.0", "9/2", "10", "none"]
    assert [model.cell(row, 0)[:2] for row in (0, 1)] == [("4.0", True), ("9/2", True)]
    assert model.data(model.index(1, 0), Qt.ItemDataRole.ToolTipRole) == "printed: 4.5"
    assert model.table().rows[1] == (4.5,)

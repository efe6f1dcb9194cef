"""Rows in a table: filtered, sorted, counted, opened, copied; more are put in as they come."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import replace

import numpy as np
import pytest
from PySide6.QtCore import Qt
from PySide6.QtGui import QGuiApplication
from pytestqt.qtbot import QtBot

from advisor.campaigns.results import Results
from advisor.campaigns.row_columns import Numbered, Row, Rows
from gui.campaign.rows_table_columns import case_columns, failed_columns
from gui.campaign.rows_view import RowsView
from tests.gui.campaign.synthetic import synthetic
from tests.gui.pointer import double_click

MANY = 600  # of which 12 failed


@pytest.fixture(scope="module")
def results() -> Results:
    return synthetic(MANY)


@pytest.fixture
def made(qtbot: QtBot) -> Iterator[Callable[..., RowsView]]:
    """Makes views, shown."""
    views: list[RowsView] = []

    def make(results: Results, failed: bool = False) -> RowsView:
        columns = failed_columns if failed else case_columns
        view = RowsView("rows", "Rows", columns, failed=failed, empty="none")
        qtbot.addWidget(view)
        view.resize(1100, 500)
        view.show()
        views.append(view)
        shown(qtbot, view, results)
        return view

    yield make
    for view in views:
        view.close()


def shown(qtbot: QtBot, view: RowsView, results: Results) -> None:
    view.show_results(results)
    qtbot.waitUntil(lambda: not view.is_busy)


def settled(qtbot: QtBot, view: RowsView) -> None:
    qtbot.waitUntil(lambda: not view.is_busy)


def column(view: RowsView, heading: str) -> list[object]:
    """The values that are shown, in full."""
    table = view.table.columns_model.table()
    places = [at for at, name in enumerate(table.headings) if name.startswith(heading)]
    return [row[places[0]] for row in table.rows]


def headings(view: RowsView) -> list[str]:
    return [one.heading for one in view.model.columns]


def test_all_rows_are_there_in_the_order_of_their_cases(
    made: Callable[..., RowsView], results: Results
) -> None:
    view = made(results)
    assert column(view, "Case") == list(range(MANY))
    assert view.amount.text() == f"{MANY} cases"
    assert headings(view)[:4] == ["Case", "Strategy", "Workload", "Platform"]
    assert "Load" not in headings(view)  # no row has any
    assert "Study" not in headings(view)  # all have the same


def test_words_choices_and_failures_filter_together(
    qtbot: QtBot, made: Callable[..., RowsView], results: Results
) -> None:
    view = made(results)
    qtbot.keyClicks(view.filter, "tasks=50 HEFT")
    settled(qtbot, view)
    wanted = [row.case for row in results.rows if row.tasks == 50 and row.strategy == "heft"]
    assert column(view, "Case") == wanted
    assert view.amount.text() == f"{len(wanted)} of {MANY}"
    box = view.choosers["platform"]
    box.setCurrentIndex(box.findText("star"))
    settled(qtbot, view)
    assert column(view, "Case") == [n for n in wanted if results.rows[n].platform == "star"]
    view.filter.clear()
    box.setCurrentIndex(0)
    view.failed_only.click()
    settled(qtbot, view)
    assert column(view, "Case") == list(range(49, MANY, 50))
    assert not view.choosers["study"].isVisible()  # there is but one


def test_strategies_have_their_titles_and_copies_their_names(
    qtbot: QtBot, made: Callable[..., RowsView], results: Results
) -> None:
    view = made(results)
    box = view.choosers["strategy"]
    assert [box.itemText(at) for at in range(1, box.count())] == [
        "HEFT", "Min-Min", "PEFT", "Refinement",
    ]  # fmt: skip
    box.setCurrentIndex(box.findText("Min-Min"))
    settled(qtbot, view)
    assert view.model.index(0, headings(view).index("Strategy")).data() == "Min-Min"
    assert set(column(view, "Strategy")) == {"min-min"}
    box.setCurrentIndex(0)
    qtbot.keyClicks(view.filter, "refinement")
    settled(qtbot, view)
    assert set(column(view, "Strategy")) == {"refine"}


def test_timelines_are_said_in_words_and_found_by_them(
    qtbot: QtBot, made: Callable[..., RowsView], results: Results
) -> None:
    sharing = Numbered(np.arange(MANY) % 2, ("fair", "none"))
    columns = results.columns.columns | {"sharing": sharing}
    view = made(replace(results, rows=Rows(columns)))
    place = headings(view).index("Timeline")
    assert view.model.index(0, place).data() == "contention-aware schedule"
    qtbot.keyClicks(view.filter, "-free")
    settled(qtbot, view)
    assert set(column(view, "Timeline")) == {"none"}
    assert view.model.index(0, place).data() == "contention-free schedule"


def test_rows_without_a_generator_can_be_chosen(
    qtbot: QtBot, made: Callable[..., RowsView], results: Results
) -> None:
    view = made(results)
    box = view.choosers["generator"]
    assert [box.itemText(at) for at in range(1, box.count())] == ["files", "Layered graphs"]
    box.setCurrentIndex(box.findText("files"))
    settled(qtbot, view)
    assert column(view, "Case") == [row.case for row in results.rows if not row.generator]


@pytest.mark.parametrize("order", list(Qt.SortOrder))
def test_a_heading_sorts_and_rows_without_a_value_are_not_in_the_way(
    qtbot: QtBot, made: Callable[..., RowsView], results: Results, order: Qt.SortOrder
) -> None:
    view = made(results)
    view.table.sortByColumn(headings(view).index("Value"), order)
    settled(qtbot, view)
    values = np.array([v for v in column(view, "Value") if v == v])  # noqa: PLR0124 - NaN
    falls = order == Qt.SortOrder.DescendingOrder
    assert (np.diff(values) <= 0 if falls else np.diff(values) >= 0).all()
    assert len(values) == MANY - 12
    view.table.sortByColumn(headings(view).index("Strategy"), order)
    settled(qtbot, view)
    names = [str(name) for name in column(view, "Strategy")]
    assert names == sorted(names, reverse=falls)


def test_more_rows_follow_and_the_keyboard_stays_where_it_is(
    qtbot: QtBot, made: Callable[..., RowsView], results: Results
) -> None:
    view = made(results.where(np.arange(MANY) < 100))
    resets: list[None] = []
    view.model.modelReset.connect(lambda: resets.append(None))
    view.table.setCurrentIndex(view.model.index(40, 0))
    shown(qtbot, view, results)
    assert column(view, "Case") == list(range(MANY))
    assert view.table.currentIndex().row() == 40
    assert not resets


def test_enter_double_click_and_the_button_open_the_row_that_is_shown(
    qtbot: QtBot, made: Callable[..., RowsView], results: Results
) -> None:
    view = made(results)
    opened: list[Row] = []
    view.open_asked.connect(opened.append)
    view.table.sortByColumn(headings(view).index("Case"), Qt.SortOrder.DescendingOrder)
    settled(qtbot, view)
    assert not view.open_button.isEnabled()
    view.table.setFocus()
    view.table.selectRow(2)
    qtbot.keyClick(view.table, Qt.Key.Key_Return)
    qtbot.mouseClick(view.open_button, Qt.MouseButton.LeftButton)
    at = view.table.visualRect(view.model.index(0, 0)).center()
    qtbot.mouseClick(view.table.viewport(), Qt.MouseButton.LeftButton, pos=at)
    double_click(view.table.viewport(), at)
    assert opened == [results.rows[MANY - 3], results.rows[MANY - 3], results.rows[MANY - 1]]


def test_failures_stand_alone_with_their_message_first(
    qtbot: QtBot, made: Callable[..., RowsView], results: Results
) -> None:
    view = made(results, failed=True)
    assert column(view, "Case") == list(range(49, MANY, 50))
    assert headings(view)[:2] == ["Case", "Message"]
    assert "Value" not in headings(view)
    assert view.amount.text() == "12 cases"
    assert not view.failed_only.isVisible()


def test_without_a_row_it_says_so(
    qtbot: QtBot, made: Callable[..., RowsView], results: Results
) -> None:
    view = made(results.where(results.answered), failed=True)
    assert view.empty.isVisible()
    assert view.empty.text() == "none"
    assert not view.table.isVisible()
    assert not any(box.isVisible() for box in view.choosers.values())


def test_what_is_hidden_is_worked_out_when_it_is_looked_at(
    qtbot: QtBot, made: Callable[..., RowsView], results: Results
) -> None:
    view = made(results.where(np.arange(MANY) < 10))
    view.hide()
    view.show_results(results)
    assert len(column(view, "Case")) == 10
    view.show()
    settled(qtbot, view)
    assert len(column(view, "Case")) == MANY


def test_a_selection_or_all_is_copied_in_full(
    qtbot: QtBot, made: Callable[..., RowsView], results: Results
) -> None:
    view = made(results)
    view.table.selectRow(0)
    view.table.copy()
    head, line = QGuiApplication.clipboard().text().splitlines()
    assert head.startswith("Case\tStrategy\tWorkload\tPlatform\tSeed\tValue (s)\tBound (s)")
    assert line.split("\t")[5] == str(results.rows[0].value)


def test_values_of_several_units_have_a_column_for_theirs(
    qtbot: QtBot, made: Callable[..., RowsView], results: Results
) -> None:
    rows = list(results.rows[:4])
    rows[3] = replace(rows[3], study="mapping", strategy="", unit="cycle", value=1234.0)
    view = made(Results(rows, results.took_s[:4]))
    assert column(view, "Unit") == ["s", "s", "s", "cycle"]
    assert column(view, "Study")[3] == "mapping"
    assert view.choosers["study"].isVisible()
    place = headings(view).index("Value")
    assert view.model.data(view.model.index(3, place)) == "1,230"

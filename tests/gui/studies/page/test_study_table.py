"""A table of a study: rows that can be adopted, by mouse and by keyboard."""

from __future__ import annotations

import pytest
from PySide6.QtCore import Qt
from pytestqt.qtbot import QtBot

from advisor.studies.study import Table
from gui.studies.page.study_table import StudyTable
from tests.gui.pointer import double_click

COLUMNS = (("latency", "s"), ("internal", ""))
ROWS = ((1e-5, 3), (2e-5, 1), (3e-5, 0))


def shown(qtbot: QtBot, *, adoptable: bool) -> StudyTable:
    table = StudyTable("front", "Front")
    qtbot.addWidget(table)
    settings = tuple({"max_internal": row[1]} for row in ROWS) if adoptable else ()
    table.set_table(Table("Front", COLUMNS, ROWS, settings))
    table.show()
    return table


@pytest.mark.parametrize("key", [Qt.Key.Key_Return, Qt.Key.Key_Enter])
def test_enter_adopts_the_row_that_is_chosen_also_when_sorted(qtbot: QtBot, key: Qt.Key) -> None:
    table = shown(qtbot, adoptable=True)
    table.sortByColumn(1, Qt.SortOrder.AscendingOrder)
    table.setCurrentIndex(table.columns_model.index(1, 0))
    with qtbot.waitSignal(table.adopted) as told:
        qtbot.keyClick(table, key)
    assert told.args == [{"max_internal": 1}]


def test_a_double_click_and_the_menu_adopt_a_row(qtbot: QtBot) -> None:
    table = shown(qtbot, adoptable=True)
    place = table.visualRect(table.columns_model.index(2, 0)).center()
    qtbot.mouseClick(table.viewport(), Qt.MouseButton.LeftButton, pos=place)
    with qtbot.waitSignal(table.adopted) as told:
        double_click(table.viewport(), place)
    assert told.args == [{"max_internal": 0}]
    with qtbot.waitSignal(table.adopted) as told:
        table.adopt_action.trigger()
    assert told.args == [{"max_internal": 0}]
    assert "Double-click" in table.toolTip()


def test_rows_without_settings_offer_nothing(qtbot: QtBot) -> None:
    table = shown(qtbot, adoptable=False)
    assert not table.adopt_action.isVisible()
    assert table.toolTip() == ""
    table.setCurrentIndex(table.columns_model.index(0, 0))
    with qtbot.assertNotEmitted(table.adopted):
        qtbot.keyClick(table, Qt.Key.Key_Return)


def test_rows_of_unlike_quantities_have_digits_of_their_own(qtbot: QtBot) -> None:
    table = StudyTable("fitted", "Parameters")
    qtbot.addWidget(table)
    rows = (("D", 5.412e-4, 5.0e-4, 5.82e-4), ("gamma", 46.7312, 44.1, 48.9))
    columns = (("parameter", ""), ("value", ""), ("95 % from", ""), ("95 % to", ""))
    table.set_table(Table("Parameters", columns, rows, unlike=True))
    shown = [
        [str(table.columns_model.index(row, column).data()) for column in (1, 2, 3)]
        for row in range(2)
    ]
    assert shown == [
        ["5.412·10⁻⁴", "5.000·10⁻⁴", "5.820·10⁻⁴"],
        ["46.73", "44.10", "48.90"],
    ]


def test_a_column_has_one_prefix_of_its_unit_and_exports_the_unit_itself(qtbot: QtBot) -> None:
    table = shown(qtbot, adoptable=False)
    model = table.columns_model
    assert [str(model.index(row, 0).data()) for row in range(3)] == [
        "10.0 µs",
        "20.0 µs",
        "30.0 µs",
    ]
    assert model.headerData(0, Qt.Orientation.Horizontal) == "latency"
    assert model.table().headings[0] == "latency (s)"

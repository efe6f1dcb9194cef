"""The tables of transfers and of what they share: hand-computed values, selection both ways."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest
from pytestqt.qtbot import QtBot

from advisor.allocation.timeline_modes import NONE
from gui.document.document import Document, Outcome, Selection
from gui.panels.outcome_table import OutcomeTable
from gui.panels.schedule_table import ScheduleTable
from tests.gui.exporting import export
from tests.gui.panels.hub import hub_project

Predicted = Callable[[Document], Outcome]


@pytest.fixture
def document(qapp: object) -> Document:
    return Document(hub_project())


@pytest.fixture
def schedule(qtbot: QtBot, document: Document, predicted: Predicted) -> ScheduleTable:
    table = ScheduleTable(document)
    qtbot.addWidget(table)
    table.show()
    predicted(document)
    qtbot.waitUntil(lambda: table.resources.columns_model.rowCount() > 0)
    qtbot.waitUntil(lambda: table.transfers.columns_model.rowCount() > 0)
    return table


def rows(table: OutcomeTable) -> list[dict[str, object]]:
    plain = table.columns_model.table()
    return [dict(zip(plain.headings, row, strict=True)) for row in plain.rows]


def test_transfers_are_as_long_as_they_take(schedule: ScheduleTable) -> None:
    found = {str(row["item"]): row for row in rows(schedule.transfers)}
    assert set(found) == {"a", "b", "c", "t2 → t4"}
    times = {
        name: (row["departs (s)"], row["arrives (s)"], row["alone (s)"], row["× alone"])
        for name, row in found.items()
    }
    assert times["a"] == pytest.approx((0.0, 20.0, 10.0, 2.0))
    assert times["b"] == pytest.approx((0.0, 20.0, 10.0, 2.0))
    assert times["c"] == pytest.approx((25.0, 35.0, 5.0, 2.0))
    assert times["t2 → t4"] == pytest.approx((25.0, 40.0, 10.0, 1.5))
    assert (found["a"]["from"], found["a"]["to"]) == ("files", "m1")
    assert found["c"]["data (B)"] == 50.0
    assert found["t2 → t4"]["critical"] is True


def test_a_column_of_times_has_one_unit(schedule: ScheduleTable) -> None:
    model = schedule.transfers.columns_model
    texts = [model.data(model.index(row, 4)) for row in range(4)]
    assert sorted(texts) == ["20.0 s", "20.0 s", "35.0 s", "40.0 s"]


def test_links_switches_and_stores_say_what_moved_and_how_busy_they_were(
    schedule: ScheduleTable,
) -> None:
    found = {str(row["name"]): row for row in rows(schedule.resources)}
    hub = found["hub"]
    assert (hub["kind"], hub["moved (B)"], hub["capacity (B/s)"]) == ("switch", 350.0, 10.0)
    assert hub["busy"] == pytest.approx(350.0 / (10.0 * 45.0))
    assert hub["busiest moment"] == pytest.approx(1.0)
    assert found["files"]["kind"] == "store"
    assert found["files"]["moved (B)"] == 200.0
    assert found["files→hub"]["moved (B)"] == 200.0
    assert found["files→hub"]["kind"] == "direction of a link"


def test_a_selected_transfer_selects_what_it_carries(
    schedule: ScheduleTable, document: Document
) -> None:
    place = {str(row["item"]): number for number, row in enumerate(rows(schedule.transfers))}
    schedule.transfers.selectRow(place["t2 → t4"])
    assert document.selection == Selection(flow=0)
    schedule.transfers.selectRow(place["c"])
    assert document.selection == Selection(flow=1)
    assert schedule.transfers.selected() == (place["c"],)
    schedule.transfers.selectRow(place["a"])  # no task made it: its reader
    assert document.selection == Selection(tasks=frozenset({0}))
    document.select(Selection(flow=0))
    assert schedule.transfers.selected() == (place["t2 → t4"],)


def test_a_selected_resource_selects_its_part_of_the_platform(
    schedule: ScheduleTable, document: Document
) -> None:
    place = {str(row["name"]): number for number, row in enumerate(rows(schedule.resources))}
    schedule.resources.selectRow(place["hub"])
    assert document.selection == Selection(switch=0)
    schedule.resources.selectRow(place["files"])
    assert document.selection == Selection(store=0)
    schedule.resources.selectRow(place["files→hub"])
    assert document.selection == Selection(link=2)
    assert {place["files→hub"], place["hub→files"]} == set(schedule.resources.selected())


def test_without_sharing_there_are_only_tasks_and_flows(
    qtbot: QtBot, document: Document, predicted: Predicted, schedule: ScheduleTable
) -> None:
    buttons = {button.text(): button for button in schedule._choice.buttons()}
    assert buttons["Transfers"].isVisible()
    buttons["Transfers"].click()
    assert schedule.current is schedule.transfers
    document.apply(hub_project(NONE), "Contention-free schedule")
    predicted(document)
    assert schedule.current is schedule.flows
    assert not buttons["Transfers"].isVisible()
    assert not buttons["Network"].isVisible()


def test_the_table_of_transfers_is_exported(
    qtbot: QtBot, schedule: ScheduleTable, tmp_path: Path
) -> None:
    next(one for one in schedule._choice.buttons() if one.text() == "Transfers").click()
    export(qtbot, schedule.exports, tmp_path / "transfers.csv")
    lines = (tmp_path / "transfers.csv").read_text().splitlines()
    assert lines[0].startswith("item,from,to,departs (s),arrives (s),data (B),alone (s)")
    assert len([line for line in lines if line]) == 5


def test_times_that_are_read_one_against_the_other_have_one_unit(
    qtbot: QtBot, loaded_document: Document, predicted: Predicted
) -> None:
    table = ScheduleTable(loaded_document)
    qtbot.addWidget(table)
    table.show()
    predicted(loaded_document)
    model = table.tasks.columns_model
    qtbot.waitUntil(lambda: model.rowCount() == 2)
    told = {one.heading: [one.text(value) for value in one.values] for one in model.columns[3:8]}
    # Figueira & Berman 1996, Table 2: M1 slowed × 3
    assert told["dedicated"] == ["12.00 s", "4.00 s"]
    assert told["time"] == ["36.00 s", "12.00 s"]
    assert told["end"] == ["36.0 s", "48.0 s"]
    table.close()

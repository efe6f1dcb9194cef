"""Switches, stores, sharing and the runtime in the inspector, and what crosses a link and when."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

import pytest
from PySide6.QtCore import Qt
from PySide6.QtWidgets import QPushButton
from pytestqt.qtbot import QtBot

from advisor.basics.quantities import duration
from advisor.project.examples import load_example
from gui.document.document import Document, Outcome, Selection
from gui.inspector import Inspector
from gui.inspector import traffic_table as traffic
from gui.inspector.project_sheet import project_sheet
from gui.inspector.traffic_table import Traffic
from machines import Runtime
from machines.catalogue.runtimes import RUNTIMES
from tests.gui.inspector.hands import (
    choice,
    choose_by_keys,
    error_under,
    labels,
    open_inspector,
    press,
    type_into,
    type_refused,
)


@pytest.fixture
def survey() -> Document:
    """Six searches that read files over one hub."""
    return Document(load_example("survey"))


@pytest.fixture
def sheet(qtbot: QtBot, survey: Document) -> Inspector:
    return open_inspector(qtbot, survey)


def test_a_switch_is_renamed_limited_and_freed_one_step_each(
    qtbot: QtBot, survey: Document, sheet: Inspector
) -> None:
    survey.select(Selection(switch=0))
    assert "Switch, 8 links" in labels(sheet)
    type_into(qtbot, sheet, "bandwidth", "1 MB/s")
    assert survey.project.platform.switches[0].bandwidth == 1e6
    type_into(qtbot, sheet, "name", "cable")
    assert survey.project.platform.links[0].second == "cable"
    assert survey.undo_stack.count() == 2
    type_refused(qtbot, sheet, "bandwidth", "0", "out of range")
    line = type_into(qtbot, sheet, "bandwidth", "1")
    line.selectAll()
    qtbot.keyClick(line, Qt.Key.Key_Delete)
    qtbot.keyClick(line, Qt.Key.Key_Return)
    assert survey.project.platform.switches[0].bandwidth is None
    for _ in range(4):
        survey.undo_stack.undo()
    assert survey.project.platform.switches[0].bandwidth == 12_500_000.0


def test_a_name_that_another_part_has_is_refused(
    qtbot: QtBot, survey: Document, sheet: Inspector
) -> None:
    survey.select(Selection(switch=0))
    qtbot.settle()  # the project's own name goes
    type_into(qtbot, sheet, "name", "n3")
    assert "n3" in error_under(sheet, "name")
    assert survey.undo_stack.count() == 0


def test_a_removed_switch_takes_its_links_with_it(survey: Document, sheet: Inspector) -> None:
    survey.select(Selection(switch=0))
    press(sheet, "remove_switch")
    platform = survey.project.platform
    assert (platform.switches, platform.links, survey.selection) == ((), (), Selection())
    survey.undo_stack.undo()
    assert len(survey.project.platform.links) == 8


def test_a_store_is_added_found_again_and_removed(survey: Document, sheet: Inspector) -> None:
    press(sheet, "add_store")
    assert survey.selection == Selection(store=0)
    assert survey.project.platform.links[-1].ends == {"store 1", "hub"}
    assert "Store, 1 link" in labels(sheet)
    assert "Holds 0 files" in labels(sheet)
    press(sheet, "remove_store")
    assert survey.selection == Selection()
    assert survey.project.platform.stores == ()


def test_the_sharing_of_a_link_is_chosen(qtbot: QtBot, survey: Document, sheet: Inspector) -> None:
    survey.select(Selection(link=2))
    assert choice(sheet, "sharing").currentText() == "Free"
    choose_by_keys(qtbot, sheet, "sharing", "shared")
    assert survey.project.platform.links[2].sharing == "shared"
    buttons = [one for one in sheet.findChildren(QPushButton) if one.text() == "Switch hub"]
    buttons[0].click()
    assert survey.selection == Selection(switch=0)


def test_the_runtime_is_edited_with_the_project(
    qtbot: QtBot, survey: Document, sheet: Inspector
) -> None:
    fetch = choose_by_keys(qtbot, sheet, "fetch", "slot")
    assert fetch.currentText() == "In the task's slot"
    choose_by_keys(qtbot, sheet, "copies", "each")
    type_into(qtbot, sheet, "task_overhead_s", "2 s")
    runtime = survey.project.platform.runtime
    assert (runtime.fetch, runtime.copies, runtime.task_overhead_s) == ("slot", "each", 2.0)


def test_a_runtime_that_ships_is_taken_over_as_one_undo_step(
    qtbot: QtBot, survey: Document, sheet: Inspector
) -> None:
    choose_by_keys(qtbot, sheet, "runtime_preset", "dask")
    assert survey.project.platform.runtime == RUNTIMES.load("dask").runtime
    assert survey.undo_stack.count() == 1
    type_into(qtbot, sheet, "task_overhead_s", "2 s")
    fields = {field.key: field for field in project_sheet(survey.project).fields}
    assert fields["runtime_preset"].value == "own"
    survey.undo_stack.undo()
    survey.undo_stack.undo()
    assert survey.project.platform.runtime == Runtime()


def test_what_crosses_a_part_is_listed_with_its_times(
    survey: Document, sheet: Inspector, predicted: Callable[[Document], Outcome]
) -> None:
    project = survey.project
    survey.apply(replace(project, plan=project.plan.moved((1,), 2)), "Move")
    outcome = predicted(survey)
    shown = sheet.findChild(Traffic)
    assert isinstance(shown, Traffic)
    assert not shown.isVisible()
    survey.select(Selection(switch=0))
    assert shown.isVisible()
    columns = {one.heading: one for one in shown.table.columns_model.columns}
    moved = outcome.prediction.transfers
    assert moved is not None
    assert columns["arrives"].values.tolist() == moved.arrived_s.tolist()
    assert columns["data"].values.tolist() == [150e6, 5e6]
    time, hub = shown.words.text().splitlines()
    assert time == f"In the {duration(outcome.prediction.makespan_s)} of the plan:"
    assert hub.startswith("hub: 155 MB, ")
    survey.select(Selection(link=2))
    assert shown.table.columns_model.rowCount() == 2
    assert shown.words.text().startswith("2 transfers: they don't share it")
    survey.select(Selection(link=5))
    assert shown.words.text() == "Nothing crosses it in this plan."
    assert not shown.table.isVisible()
    survey.select(Selection(machine=0))
    assert not shown.isVisible()


def test_of_very_many_transfers_the_first_are_listed(
    survey: Document,
    sheet: Inspector,
    predicted: Callable[[Document], Outcome],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(traffic, "_MOST_ROWS", 1)
    survey.apply(replace(survey.project, plan=survey.project.plan.moved((1,), 2)), "Move")
    predicted(survey)
    survey.select(Selection(switch=0))
    shown = sheet.findChild(Traffic)
    assert isinstance(shown, Traffic)
    assert shown.table.columns_model.rowCount() == 1
    assert "The first 1 of 2 transfers" in shown.words.text()

"""The shared memory of a machine: chosen, changed and removed by keyboard, each one undo step."""

from __future__ import annotations

import math

import pytest
from PySide6.QtCore import Qt
from PySide6.QtWidgets import QLineEdit
from pytestqt.qtbot import QtBot

from advisor.programs.shared_memory_program import SharedMemoryProgram
from advisor.project.examples import load_example
from advisor.shared_memory.application_file import application_names, shipped_application
from advisor.shared_memory.network_file import dvsm_network, dvsm_network_names
from advisor.shared_memory.shared_memory_costs import shared_memory_of
from gui.document.document import Document, Selection
from gui.inspector import Inspector
from machines import SharedMemory
from tests.gui.inspector.hands import (
    choice,
    choose_by_keys,
    error_under,
    keys,
    labels,
    open_inspector,
    type_into,
    type_refused,
)

ALIGN = 2


def memory(document: Document) -> SharedMemory | None:
    return document.project.platform.machines[1].shared_memory


def test_a_published_network_is_chosen_and_undone(
    qtbot: QtBot, inspector: Inspector, document: Document
) -> None:
    combo = choice(inspector, "shared_memory")
    assert [combo.itemData(k) for k in range(combo.count())] == ["none", *dvsm_network_names()]
    assert combo.currentText() == "None"
    choose_by_keys(qtbot, inspector, "shared_memory", "fast-ethernet")
    published = shared_memory_of(dvsm_network("fast-ethernet"), 8)
    assert memory(document) == published
    assert document.undo_stack.count() == 1
    assert "Shared memory: 8 workstations on Fast Ethernet" in labels(inspector)
    assert f"Source: {published.source}" in labels(inspector)
    document.undo_stack.undo()
    assert memory(document) is None
    assert keys(inspector)[-1] == "shared_memory"


@pytest.mark.parametrize(
    ("key", "text", "name", "value"),
    [
        ("workstations", "16", "workstations", 16),
        ("software_small.base", "120 µs", "software_small", 120.0),
        ("software_large.per_byte", "0.5", "software_large", 0.5),
        ("knee", "2 kB", "knee", 2000.0),
        ("knee", "", "knee", math.inf),
        ("wire_per_byte", "0.0008 µs/B", "wire_per_byte", 0.0008),
        ("interface_latency", "3", "interface_latency", 3.0),
        ("switch_latency", "0.5", "switch_latency", 0.5),
        ("signal", "1.5", "signal", 1.5),
        ("system_benefit", "0.5", "system_benefit", 0.5),
        ("protocol", "0.25", "protocol", 0.25),
        ("fault", "0.1", "fault", 0.1),
        ("lock", "0.9", "lock", 0.9),
    ],
)
def test_every_number_is_typed_with_its_unit_as_one_step(
    qtbot: QtBot,
    inspector: Inspector,
    document: Document,
    key: str,
    text: str,
    name: str,
    value: float,
) -> None:
    choose_by_keys(qtbot, inspector, "shared_memory", "oc3-atm")
    before, steps = memory(document), document.undo_stack.count()
    line = inspector.findChild(QLineEdit, f"field.shared_memory.{key}")
    line.setFocus()
    line.selectAll()
    qtbot.keyClick(line, Qt.Key.Key_Backspace)
    type_into(qtbot, inspector, f"shared_memory.{key}", text)
    after = memory(document)
    assert after is not None
    found = getattr(after, name)
    part = {"base": 0, "per_byte": 1}.get(key.rpartition(".")[2])
    assert (found if part is None else found[part]) == value
    assert line.toolTip()
    if after != before:
        assert document.undo_stack.count() == steps + 1
        document.undo_stack.undo()
    assert memory(document) == before


def test_what_is_changed_no_longer_claims_to_be_published_but_workstations_do(
    qtbot: QtBot, inspector: Inspector, document: Document
) -> None:
    choose_by_keys(qtbot, inspector, "shared_memory", "fast-ethernet")
    type_into(qtbot, inspector, "shared_memory.workstations", "4")
    type_into(qtbot, inspector, "shared_memory.protocol", "0.5")
    assert choice(inspector, "shared_memory").text() == "fast-ethernet"
    type_into(qtbot, inspector, "shared_memory.signal", "7")
    type_into(qtbot, inspector, "shared_memory.signal", "8")
    assert choice(inspector, "shared_memory").text() == "own values"
    source = dvsm_network("fast-ethernet").source
    assert f"Source: Changed from: {source}" in labels(inspector)
    choose_by_keys(qtbot, inspector, "shared_memory", "oc3-atm")
    found = memory(document)
    assert found is not None
    assert (found.workstations, found.protocol) == (4, 0.5)
    assert found.source == dvsm_network("oc3-atm").source


@pytest.mark.parametrize(
    ("key", "text", "reason"),
    [
        ("workstations", "0", "whole number"),
        ("workstations", "2.5", "whole number"),
        ("software_small.base", "0", "out of range"),
        ("signal", "-1", "out of range"),
        ("signal", "soon", "not a number"),
        ("lock", "1.5", "out of range"),
        ("system_benefit", "0", "out of range"),
        ("network", " ", "empty"),
    ],
)
def test_wrong_text_stays_with_its_reason(
    qtbot: QtBot, inspector: Inspector, document: Document, key: str, text: str, reason: str
) -> None:
    choose_by_keys(qtbot, inspector, "shared_memory", "fast-ethernet")
    type_refused(qtbot, inspector, f"shared_memory.{key}", text, reason)
    assert memory(document) == shared_memory_of(dvsm_network("fast-ethernet"), 8)


def test_a_task_takes_an_application_where_a_machine_shares_memory(qtbot: QtBot) -> None:
    document = Document(load_example("multicomputer"))
    widget = open_inspector(qtbot, document)
    document.select(Selection(tasks=frozenset({ALIGN})))
    combo = choose_by_keys(qtbot, widget, "program", "shared-memory")
    assert "Give a machine shared memory" in error_under(widget, "program")
    qtbot.keyClick(combo, Qt.Key.Key_Escape)
    document.select(Selection(machine=1))
    choose_by_keys(qtbot, widget, "shared_memory", "fast-ethernet")
    document.select(Selection(tasks=frozenset({ALIGN})))
    choose_by_keys(qtbot, widget, "program", "shared-memory")
    assert keys(widget).count("program.mapping") == 0
    found = choice(widget, "program.application")
    assert found.text() == "water"
    assert tuple(found.itemData(k) for k in range(found.count())) == application_names()
    choose_by_keys(qtbot, widget, "program.application", "barnes")
    barnes = SharedMemoryProgram(shipped_application("barnes"))
    assert document.project.workload.tasks[ALIGN].program == barnes
    assert "shares memory among 8 processors" in labels(widget)
    while choice(widget, "program.application").text() != "water":
        document.undo_stack.undo()
    water = SharedMemoryProgram(shipped_application("water"))
    assert document.project.workload.tasks[ALIGN].program == water

"""A new property of a machine is one field: read, written, checked, costed, shown and edited."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace

import pytest
from PySide6.QtCore import Qt
from PySide6.QtWidgets import QLineEdit
from pytestqt.qtbot import QtBot

from advisor.allocation.predict import predict
from advisor.allocation.problem import Problem
from advisor.project.project import Project
from advisor.project.project_file import dump_project, parse_project
from gui.document.document import Document, Selection
from gui.form.editors import YesNoBox
from machines import InputError, Machine
from machines.formats.platform_toml import dump_platform, parse_platform
from machines.parameters import parameter
from tests.conftest import two_machines
from tests.dummies.machine_property.heat import HotMachine, declared
from tests.gui.inspector.hands import (
    choice,
    choose_by_keys,
    error_under,
    keys,
    labels,
    open_inspector,
    type_into,
)


@pytest.fixture(autouse=True)
def property_declared() -> Iterator[None]:
    with declared():
        yield


def hot_text(heat: str) -> str:
    """The platform of two machines, M1 with that heat."""
    text = dump_platform(two_machines().platform)
    return text.replace('name = "M1"\n', f'name = "M1"\nheat = {heat}\n')


def hot(heat: str = "2.5") -> Project:
    return replace(two_machines(), platform=parse_platform(hot_text(heat)))


def makespan_s(project: Project) -> float:
    problem = Problem.of(project.platform, project.workload, project.reading)
    return predict(problem, project.plan).makespan_s


def test_it_is_read_and_written_in_platforms_and_projects() -> None:
    first, second = hot().platform.machines
    assert isinstance(first, HotMachine)
    assert isinstance(second, HotMachine)
    assert (first.heat, second.heat) == (2.5, None)
    text = dump_platform(hot().platform)
    assert "heat = 2.5" in text
    assert text.count("heat") == 1  # a machine without it is written as before
    assert parse_platform(text) == hot().platform
    assert parse_project(dump_project(hot())).platform == hot().platform


@pytest.mark.parametrize(
    ("heat", "message"),
    [
        ("0.5", r'machine "M1": heat is out of range \(got 0.5\). Allowed: finite, ≥ 1 and ≤ 10'),
        ("11", r'machine "M1": heat is out of range \(got 11\)'),
        ('"warm"', r"machine \"M1\": heat must be a number \(got 'warm'\)"),
    ],
)
def test_a_wrong_value_is_refused_with_its_place_and_what_is_allowed(
    heat: str, message: str
) -> None:
    with pytest.raises(InputError, match=message):
        hot(heat)


def test_a_misspelt_one_is_refused_and_the_right_one_offered() -> None:
    with pytest.raises(InputError, match=r'unknown key "haet"\. Did you mean "heat"'):
        parse_platform(hot_text("2").replace("heat", "haet"))


def test_it_changes_what_is_predicted() -> None:
    assert makespan_s(hot("1")) == pytest.approx(makespan_s(two_machines()))
    assert makespan_s(hot("2.5")) == pytest.approx(2.5 * makespan_s(two_machines()))


def test_it_is_shown_and_edited_in_the_inspector_as_one_step(qtbot: QtBot) -> None:
    document = Document(hot())
    inspector = open_inspector(qtbot, document)
    document.select(Selection(machine=0))
    assert keys(inspector)[:14] == [
        "name", "cores", "speed", "memory_bytes", "load", "slowdown", "price_per_hour", "watts",
        "co2_g_per_kwh", "up_s", "memory", "holds", "memory_bandwidth", "heat",
    ]  # fmt: skip
    line = inspector.findChild(QLineEdit, "field.heat")
    assert line.text() == "2.5"
    assert line.accessibleName() == "Heat (×)"
    assert "Heat h" in line.toolTip()
    assert "Allowed: 1 to 10 ×.\nEmpty: cool." in line.toolTip()
    type_into(qtbot, inspector, "heat", "20")
    assert "“Heat” is out of range" in error_under(inspector, "heat")
    assert document.undo_stack.count() == 0
    type_into(qtbot, inspector, "heat", "4")
    assert document.undo_stack.count() == 1
    assert makespan_s(document.project) == pytest.approx(4 * makespan_s(two_machines()))
    assert "× 4 by Heat" in labels(inspector)
    line.selectAll()
    qtbot.keyClick(line, Qt.Key.Key_Delete)
    qtbot.keyClick(line, Qt.Key.Key_Return)
    assert document.project.platform.machines[0] == HotMachine("M1")
    document.undo_stack.undo()
    document.undo_stack.undo()
    assert line.text() == "2.5"


@dataclass(frozen=True)
class CooledMachine(Machine):
    """Properties that are ticked and chosen."""

    boost: bool = parameter(False, title="Boost", help="Runs faster for a while")
    cooling: str | None = parameter(
        None, title="Cooling", choices=("air", "water"), empty="unknown", help="What cools it"
    )


def test_yes_or_no_and_a_choice_are_ticked_and_chosen_as_one_step_each(qtbot: QtBot) -> None:
    project = two_machines()
    cooled = (CooledMachine("M1", boost=True), project.platform.machines[1])
    document = Document(replace(project, platform=replace(project.platform, machines=cooled)))
    inspector = open_inspector(qtbot, document)
    document.select(Selection(machine=0))
    box = inspector.findChild(YesNoBox, "field.boost")
    assert box.isChecked()
    qtbot.keyClick(box, Qt.Key.Key_Space)
    assert document.project.platform.machines[0] == CooledMachine("M1")
    combo = choice(inspector, "cooling")
    assert [combo.itemText(k) for k in range(combo.count())] == ["unknown", "air", "water"]
    assert combo.text() == "unknown"
    choose_by_keys(qtbot, inspector, "cooling", "air")
    assert document.project.platform.machines[0] == CooledMachine("M1", cooling="air")
    choose_by_keys(qtbot, inspector, "cooling", "unknown")
    assert document.undo_stack.count() == 3
    for _ in range(3):
        document.undo_stack.undo()
    assert (box.isChecked(), combo.text()) == (True, "unknown")

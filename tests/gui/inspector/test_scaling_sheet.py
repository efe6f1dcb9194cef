"""How a task scales, and on how many processors it runs: written, slid, chosen, refused, undone."""

from __future__ import annotations

from dataclasses import fields, replace

import pytest
from PySide6.QtCore import Qt
from PySide6.QtWidgets import QLineEdit, QSlider
from pytestqt.qtbot import QtBot

from advisor.project.examples import load_example
from advisor.scaling.law import Scaling
from gui.document.document import Document
from gui.inspector import Inspector
from gui.inspector.scaling_sheet import FIT, QUEUE
from gui.inspector.sheet import NONE
from tests.gui.inspector.hands import (
    choice,
    choose_by_keys,
    choose_by_mouse,
    error_under,
    keys,
    labels,
    open_inspector,
    press,
    select,
    type_into,
)

MESH, FLOW, STRUCTURE = 0, 1, 2


@pytest.fixture
def solvers(qapp: object) -> Document:
    """The example: flow scales by sigma and kappa, structure by Z and D_k, mesh not."""
    return Document(load_example("solvers"))


@pytest.fixture
def inspector(qtbot: QtBot, solvers: Document) -> Inspector:
    return open_inspector(qtbot, solvers, 360, 1000)


def scaling(document: Document, task: int) -> Scaling:
    found = document.project.workload.tasks[task].scaling
    assert found is not None
    return found


def taken(document: Document, task: int) -> int:
    counts = document.project.plan.counts(document.project.workload)
    return counts[document.project.workload.tasks[task].name]


def shown(inspector: Inspector, key: str) -> str:
    line = inspector.findChild(QLineEdit, f"field.{key}")
    assert isinstance(line, QLineEdit)
    return line.text()


def tooltip(inspector: Inspector) -> str:
    """Of the processors; rows of another sheet may still wait for their deletion."""
    lines = inspector.findChildren(QLineEdit, "field.processors")
    (line,) = (line for line in lines if line.isVisible())
    return line.toolTip()


def slider(inspector: Inspector) -> QSlider:
    found = inspector.findChild(QSlider, "slider.processors")
    assert isinstance(found, QSlider)
    return found


def test_every_field_of_a_law_has_a_row_with_its_meaning(
    solvers: Document, inspector: Inspector
) -> None:
    seen: set[str] = set()
    for task in (FLOW, STRUCTURE):
        select(solvers, task)
        rows = {key for key in keys(inspector) if key.startswith("scaling.")}
        seen |= {key.removeprefix("scaling.") for key in rows}
        for key in rows:
            editor = inspector.findChild(QLineEdit, f"field.{key}") or choice(inspector, key)
            assert len(editor.toolTip()) > 20
            assert editor.accessibleName()
    assert seen == {field.name for field in fields(Scaling)}


def test_processors_are_written_and_undone(
    qtbot: QtBot, solvers: Document, inspector: Inspector
) -> None:
    select(solvers, FLOW)
    type_into(qtbot, inspector, "processors", "12")
    assert taken(solvers, FLOW) == 12
    assert solvers.undo_stack.count() == 1
    assert "On 12 of 128 processors of cpu-1: speedup 10.9, efficiency 91 %" in labels(inspector)
    solvers.undo_stack.undo()
    assert taken(solvers, FLOW) == 1
    assert shown(inspector, "processors") == "1"


def test_the_tooltip_names_range_knee_and_peak(solvers: Document, inspector: Inspector) -> None:
    select(solvers, FLOW)
    assert "1 to 128 here, knee 49.9, peak 49.9" in tooltip(inspector)
    select(solvers, STRUCTURE)
    assert "1 to 64 here, knee 126" in tooltip(inspector)
    assert "peak" not in tooltip(inspector)


def test_arrow_keys_on_the_slider_are_one_processor_each_and_one_undo_step_each(
    qtbot: QtBot, solvers: Document, inspector: Inspector
) -> None:
    select(solvers, STRUCTURE)
    assert (slider(inspector).minimum(), slider(inspector).maximum()) == (0, 63)
    slider(inspector).setFocus()
    for _ in range(3):
        qtbot.keyClick(slider(inspector), Qt.Key.Key_Right)
    assert taken(solvers, STRUCTURE) == 4
    assert shown(inspector, "processors") == "4"
    solvers.undo_stack.undo()
    assert taken(solvers, STRUCTURE) == 3


def test_a_slide_by_mouse_is_one_undo_step(
    qtbot: QtBot, solvers: Document, inspector: Inspector
) -> None:
    select(solvers, FLOW)
    bar = slider(inspector)
    inspector.ensureWidgetVisible(bar)
    bar.setSliderDown(True)
    for step in (10, 30, 49):
        bar.setSliderPosition(step)
    assert taken(solvers, FLOW) == 50
    bar.setSliderDown(False)
    assert solvers.undo_stack.count() == 1
    solvers.undo_stack.undo()
    assert taken(solvers, FLOW) == 1
    assert bar.value() == 0


@pytest.mark.parametrize(
    ("text", "complaint"), [("129", "fewer cores"), ("0", "≥ 1"), ("2.5", "whole number")]
)
def test_numbers_that_the_machine_lacks_are_refused_in_place(
    qtbot: QtBot, solvers: Document, inspector: Inspector, text: str, complaint: str
) -> None:
    select(solvers, FLOW)
    line = type_into(qtbot, inspector, "processors", text)
    assert error_under(inspector, "processors")
    assert complaint in error_under(inspector, "processors") or text == "0"
    assert line.text() == text
    assert solvers.undo_stack.count() == 0


def test_a_law_is_chosen_by_mouse_and_taken_away_by_keys(
    qtbot: QtBot, solvers: Document, inspector: Inspector
) -> None:
    select(solvers, MESH)
    assert "processors" not in keys(inspector)
    law = choice(inspector, "scaling")
    assert [law.itemText(k) for k in range(law.count())] == [
        "None", "By a fit: σ, κ", "By a queue: Z, D_k"
    ]  # fmt: skip
    choose_by_mouse(qtbot, inspector, "scaling", FIT)
    assert scaling(solvers, MESH).sigma == 0.05
    assert "cores" not in keys(inspector)
    assert "program" not in keys(inspector)
    assert taken(solvers, MESH) == 4  # its cores
    choose_by_keys(qtbot, inspector, "scaling", NONE)
    assert solvers.project.workload.tasks[MESH].scaling is None
    assert "cores" in keys(inspector)
    while solvers.undo_stack.canUndo():
        solvers.undo_stack.undo()
    assert solvers.project == load_example("solvers")


def test_the_other_law_keeps_the_range(
    qtbot: QtBot, solvers: Document, inspector: Inspector
) -> None:
    select(solvers, STRUCTURE)
    choose_by_keys(qtbot, inspector, "scaling", FIT)
    assert (scaling(solvers, STRUCTURE).sigma, scaling(solvers, STRUCTURE).most) == (0.05, 64)
    choose_by_keys(qtbot, inspector, "scaling", QUEUE)
    assert scaling(solvers, STRUCTURE).think_time_s == 0.019
    assert scaling(solvers, STRUCTURE).most == 64


def test_fields_of_the_laws_are_edited(
    qtbot: QtBot, solvers: Document, inspector: Inspector
) -> None:
    select(solvers, FLOW)
    type_into(qtbot, inspector, "scaling.sigma", "0.1")
    type_into(qtbot, inspector, "scaling.kappa", "0")
    type_into(qtbot, inspector, "scaling.least", "2")
    assert scaling(solvers, FLOW) == Scaling(sigma=0.1, least=2)
    assert taken(solvers, FLOW) == 2  # pushed up by the range
    select(solvers, STRUCTURE)
    type_into(qtbot, inspector, "scaling.think_time_s", "20 ms")
    type_into(qtbot, inspector, "scaling.demands_s", "0.001; 0.003")
    most = type_into(qtbot, inspector, "scaling.most", "65")
    most.selectAll()
    qtbot.keyClick(most, Qt.Key.Key_Delete)
    qtbot.keyClick(most, Qt.Key.Key_Return)
    choose_by_keys(qtbot, inspector, "scaling.completion", "synchronous")
    assert scaling(solvers, STRUCTURE) == Scaling(think_time_s=0.02, demands_s=(0.001, 0.003))


@pytest.mark.parametrize(
    ("task", "key", "text"),
    [
        (FLOW, "scaling.sigma", "1.5"),
        (FLOW, "scaling.kappa", "-1"),
        (STRUCTURE, "scaling.demands_s", "0"),
        (STRUCTURE, "scaling.think_time_s", "-1"),
        (STRUCTURE, "scaling.least", "100"),
    ],
)
def test_wrong_values_are_refused_in_place(
    qtbot: QtBot, solvers: Document, inspector: Inspector, task: int, key: str, text: str
) -> None:
    select(solvers, task)
    line = type_into(qtbot, inspector, key, text)
    assert error_under(inspector, key)
    assert line.text() == text
    assert solvers.undo_stack.count() == 0


def test_times_by_machine_of_a_scalable_task_are_those_on_one_processor(
    qtbot: QtBot, solvers: Document, inspector: Inspector
) -> None:
    select(solvers, FLOW)
    type_into(qtbot, inspector, "processors", "8")
    press(inspector, "by_machine")
    seconds = dict(solvers.project.workload.tasks[FLOW].seconds)
    assert seconds["cpu-1"] == 20000.0
    assert taken(solvers, FLOW) == 8


def test_a_task_with_a_program_has_no_law(qtbot: QtBot) -> None:
    document = Document(load_example("multicomputer"))
    widget = Inspector(document)
    qtbot.addWidget(widget)
    widget.show()
    spectra = document.project.workload.index["spectra"]
    select(document, spectra)
    assert "program" in keys(widget)
    assert "scaling" not in keys(widget)


def test_on_a_machine_with_one_core_there_is_nothing_to_slide(
    qtbot: QtBot, solvers: Document, inspector: Inspector
) -> None:
    project = solvers.project
    machines = (replace(project.platform.machines[0], cores=8), *project.platform.machines[1:])
    solvers.load(replace(project, platform=replace(project.platform, machines=machines)))
    select(solvers, FLOW)
    assert slider(inspector).maximum() == 7
    single = (replace(project.platform.machines[0], cores=1), *project.platform.machines[1:])
    solvers.load(replace(project, platform=replace(project.platform, machines=single)))
    select(solvers, FLOW)
    qtbot.waitUntil(lambda: inspector.findChild(QSlider, "slider.processors") is None)
    assert "1 to 1 here" in tooltip(inspector)

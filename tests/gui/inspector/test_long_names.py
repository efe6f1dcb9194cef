"""However long a name is, no sheet grows wider than the inspector."""

from __future__ import annotations

from dataclasses import replace

import pytest
from PySide6.QtWidgets import QWidget
from pytestqt.qtbot import QtBot

from advisor.project.examples import load_example
from advisor.project.project_edits import with_machine, with_task
from gui.document.document import Document, Selection
from gui.form.shortened import breakable
from gui.inspector import Inspector

pytestmark = pytest.mark.usefixtures("unasked")

NAME = "preprocess_" * 14


@pytest.fixture
def document() -> Document:
    """The monitored campaign with very long names, with which tasks have flows and machines."""
    project = load_example("monitored")
    for place, machine in enumerate(project.platform.machines):
        project = with_machine(project, place, replace(machine, name=f"{machine.name}-{NAME}"))
    for place, task in enumerate(project.workload.tasks):
        name = NAME if place == 2 else f"{NAME}-{task.name}"
        project = with_task(project, place, replace(task, name=name))
    return Document(project)


def test_sheets_of_tasks_and_flows_with_long_names_stay_as_narrow_as_the_inspector(
    qtbot: QtBot, document: Document
) -> None:
    inspector = Inspector(document)
    qtbot.addWidget(inspector)
    inspector.resize(336, 700)
    inspector.show()
    page = inspector.findChild(QWidget, "inspector.page")
    assert page is not None
    workload = document.project.workload
    chosen = [Selection(tasks=frozenset({task})) for task in range(len(workload.tasks))]
    chosen += [Selection(flow=flow) for flow in range(len(workload.flows))]
    chosen += [Selection(machine=one) for one in range(len(document.project.platform.machines))]
    for selection in chosen:
        document.select(selection)
        layout = page.layout()
        assert layout is not None
        layout.activate()
        assert layout.minimumSize().width() <= 336, selection


def test_only_words_that_are_too_long_get_places_to_break() -> None:
    assert breakable("read and plot") == "read and plot"
    assert breakable("x" * 50).replace("\u200b", "") == "x" * 50
    assert max(map(len, breakable("x" * 50).split("\u200b"))) == 24

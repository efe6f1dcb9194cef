"""However long a name is, no sheet grows wider than the inspector."""

from __future__ import annotations

from dataclasses import replace

import pytest
from PySide6.QtWidgets import QWidget
from pytestqt.qtbot import QtBot

from advisor.project.examples import load_example
from gui.document.document import Document, Selection
from gui.inspector import Inspector
from gui.inspector.long_names import breakable

pytestmark = pytest.mark.usefixtures("unasked")

NAME = "preprocess_" * 14


@pytest.fixture
def document() -> Document:
    """The monitored campaign with a task of a very long name, which others have flows with."""
    project = load_example("monitored")
    workload = project.workload
    old = workload.tasks[2].name
    task = replace(workload.tasks[2], name=NAME)
    flows = tuple(
        replace(
            flow,
            source=NAME if flow.source == old else flow.source,
            target=NAME if flow.target == old else flow.target,
        )
        for flow in workload.flows
    )
    tasks = (*workload.tasks[:2], task, *workload.tasks[3:])
    return Document(replace(project, workload=replace(workload, tasks=tasks, flows=flows)))


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

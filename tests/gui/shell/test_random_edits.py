"""No order of edits, selections and late predictions ends in an error, whatever panels are open."""

from __future__ import annotations

import random

import pytest
from pytestqt.qtbot import QtBot

from gui.board.board_view import VIEWS
from gui.document.document import Outcome, Selection
from gui.inspector.inspector import sheet_of
from gui.shell.main_window import MainWindow
from machines.errors import PlacewiseError
from tests.gui.panels.hub import hub_project

STEPS = 60
DOCKS = ("reasons", "inspector", "what_if", "breakdown", "schedule", "check")


class Walk:
    """Edits as the inspector offers them; predictions come when the walk says so, or too late."""

    def __init__(self, window: MainWindow, qtbot: QtBot, seed: int) -> None:
        self.window, self.qtbot, self.random = window, qtbot, random.Random(seed)
        self.document = window.document
        self.waiting: list[Outcome] = []
        self.steps = (self.edit, self.select, self.undo, self.click_row, self.move, self.receive)

    def step(self) -> None:
        self.random.choice(self.steps)()
        if self.random.random() < 0.5:  # what threads made meanwhile arrives
            self.qtbot.wait(1)
        if self.random.random() < 0.3:
            self.window.handlers.board.show_view(self.random.choice(VIEWS))

    def edit(self) -> None:
        """Press a button of the inspector's sheet, or write another value into a field."""
        sheet = sheet_of(self.document.project, self.document.selection, self.document.outcome)
        offers = [*sheet.actions, *(field for field in sheet.fields if field.parameter.choices)]
        if not offers:
            return
        one = self.random.choice(offers)
        try:
            if hasattr(one, "run"):
                changed = one.run(self.document.project)
                self.document.apply(changed, one.text)
                if one.select is not None:
                    self.document.select(one.select(self.document.project))
            else:
                choice = self.random.choice(one.parameter.choices)
                self.document.apply(one.write(self.document.project, choice), "Choose")
        except PlacewiseError:
            pass  # it is refused with a reason

    def select(self) -> None:
        project = self.document.project
        counts = {
            "machine": len(project.platform.machines),
            "link": len(project.platform.links),
            "switch": len(project.platform.switches),
            "flow": project.workload.sources.size,
        }
        tasks = range(len(project.workload.tasks))
        found = [Selection(), Selection(tasks=frozenset(self.random.sample(tasks, 1)))]
        found.append(Selection(tasks=frozenset(self.random.sample(tasks, min(2, len(tasks))))))
        found += [
            Selection(**{kind: self.random.randrange(count)})
            for kind, count in counts.items()
            if count
        ]
        self.document.select(self.random.choice(found))

    def undo(self) -> None:
        stack = self.document.undo_stack
        self.random.choice((stack.undo, stack.undo, stack.redo))()

    def click_row(self) -> None:
        table = self.random.choice(self.window.panel("schedule").tables)
        if rows := table.columns_model.rowCount():
            table.selectRow(self.random.randrange(rows))

    def move(self) -> None:
        project = self.document.project
        tasks = frozenset({self.random.randrange(len(project.workload.tasks))})
        machine = self.random.randrange(len(project.platform.machines))
        self.window.handlers.board.schedule.carrying.assign(tasks, machine)

    def receive(self) -> None:
        """One of the predictions that were made arrives, the latest or one of before."""
        if self.waiting:
            outcome = self.random.choice((self.waiting[-1], self.random.choice(self.waiting)))
            self.document.receive(outcome)


@pytest.fixture
def open_window(window: MainWindow) -> MainWindow:
    """The window with all docks open."""
    window.resize(1280, 900)
    for dock in DOCKS:
        window.show_dock(dock)
        window.panel(dock)
    window.show_page("allocation")
    return window


def new_file(window: MainWindow, qtbot: QtBot) -> None:
    with qtbot.waitSignal(window.document.loaded):
        window.commands["new"].trigger()


def hub(window: MainWindow, qtbot: QtBot) -> None:
    window.document.load(hub_project())


def test_a_flow_between_the_tasks_of_a_new_project_is_selected_in_every_panel(
    open_window: MainWindow, qtbot: QtBot
) -> None:
    window, document = open_window, open_window.document
    new_file(window, qtbot)
    qtbot.waitUntil(lambda: document.outcome is not None)
    window.handlers._act("add_task", Selection())
    document.select(Selection(tasks=frozenset({0, 1})))
    window.handlers._act("flow", document.selection)
    assert [flow.name for flow in document.project.workload.flows] == ["task 1 → task 2"]
    assert document.selection == Selection(flow=0)
    flows = window.panel("schedule").flows
    qtbot.waitUntil(lambda: flows.selectionModel().selectedRows() != [])


@pytest.mark.parametrize("seed", (4, 21))
@pytest.mark.parametrize("begin", [new_file, hub])
def test_edits_selections_and_late_predictions_in_any_order_show_no_error(
    open_window: MainWindow, qtbot: QtBot, seed: int, begin: object
) -> None:
    assert callable(begin)
    begin(open_window, qtbot)
    walk = Walk(open_window, qtbot, seed)
    open_window.predictions._jobs.done.disconnect()
    open_window.predictions._jobs.done.connect(
        lambda found: walk.waiting.append(found) if isinstance(found, Outcome) else None
    )
    for _ in range(STEPS):
        walk.step()
    if walk.waiting:  # the last of them is taken, whatever came before
        open_window.document.load(walk.waiting[-1].project)
        open_window.document.receive(walk.waiting[-1])
        assert open_window.document.outcome is walk.waiting[-1]

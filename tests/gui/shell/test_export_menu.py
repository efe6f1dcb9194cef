"""The export menu says what its files are for, and a project is called as its file."""

from __future__ import annotations

from pathlib import Path

import pytest
from PySide6.QtWidgets import QToolButton
from pytestqt.qtbot import QtBot

from advisor.project import project_edits as edits
from advisor.project.opening import UNTITLED, first_project
from gui.shell.main_window import MainWindow

pytestmark = pytest.mark.usefixtures("unasked")


def test_the_export_menu_is_grouped_by_what_files_are_for(window: MainWindow) -> None:
    button = window.toolbar.findChild(QToolButton, "toolbar_export")
    assert button is not None
    groups: dict[str, list[str]] = {}
    for action in button.menu().actions():
        if action.isSeparator():
            groups[action.text()] = []
        else:
            list(groups.values())[-1].append(action.objectName())
    assert list(groups) == ["Run", "Share", "Pictures"]
    assert groups["Run"][0] == "run_plan"
    assert "export_as_bash" in groups["Run"]
    assert groups["Share"][0] == "report"
    assert groups["Pictures"] == ["export_board", "copy_board"]
    exports = {spec.id for spec in window.commands if spec.id.startswith("export_as_")}
    assert exports <= {name for names in groups.values() for name in names}


def test_a_new_project_takes_the_name_of_its_file(
    qtbot: QtBot, window: MainWindow, tmp_path: Path
) -> None:
    before = window.document.project
    window.commands["new"].trigger()
    qtbot.waitUntil(lambda: window.document.project is not before)
    assert window.document.project.name == UNTITLED
    with qtbot.waitSignal(window.document.path_changed):
        window.files.save_to(tmp_path / "night run.placewise")
    assert window.document.project.name == "night run"
    assert window.document.project.platform.name == "night run"
    assert not window.document.modified
    text = (tmp_path / "night run.placewise").read_text(encoding="utf-8")
    assert text.count('"name": "night run"') == 2


def test_naming_at_saving_is_no_step_and_loses_none(
    qtbot: QtBot, window: MainWindow, tmp_path: Path
) -> None:
    document = window.document
    document.load(first_project())
    for cores in (2, 3):
        changed = edits.with_property(document.project, 0, "cores", cores)
        document.apply(changed, f"{cores} cores")
    document.undo_stack.undo()
    with qtbot.waitSignal(document.path_changed):
        window.files.save_to(tmp_path / "mine.placewise")
    qtbot.waitUntil(lambda: not document.modified)
    assert (document.undo_stack.count(), document.undo_stack.redoText()) == (2, "3 cores")
    document.undo_stack.redo()
    assert (document.project.name, document.project.platform.machines[0].cores) == ("mine", 3)
    workload = document.project.workload
    for _ in range(2):
        document.undo_stack.undo()
    assert document.project.name == document.project.platform.name == "mine"
    assert document.project.platform.machines[0].cores == 1
    assert document.project.workload is workload  # shared, as before


def test_a_project_that_could_not_be_saved_has_no_name(
    qtbot: QtBot, window: MainWindow, tmp_path: Path
) -> None:
    window.document.load(first_project())
    window.files.failed.disconnect()
    with qtbot.waitSignal(window.files.failed):
        window.files.save_to(tmp_path / "no" / "mine.placewise")
    assert window.document.project.name == UNTITLED

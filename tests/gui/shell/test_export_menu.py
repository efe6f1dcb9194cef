"""The export menu says what its files are for, and a project is called as its file."""

from __future__ import annotations

from pathlib import Path

import pytest
from PySide6.QtWidgets import QToolButton
from pytestqt.qtbot import QtBot

from advisor.project.opening import UNTITLED
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

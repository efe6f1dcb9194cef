"""Exports and importers that are a file and a line are in the window by themselves."""

from __future__ import annotations

from pathlib import Path

import pytest
from PySide6.QtGui import QAction
from PySide6.QtWidgets import QFileDialog
from pytestqt.qtbot import QtBot

from advisor.export.registry import EXPORTS
from advisor.project import kinds
from gui.shell.main_window import MainWindow
from tests.dummies.export import plan_text
from tests.dummies.importer.hosts_text import READER


@pytest.fixture(autouse=True)
def registered(monkeypatch: pytest.MonkeyPatch) -> None:
    """The two lines, before the window is made."""
    monkeypatch.setitem(EXPORTS, "plan-text", plan_text.EXPORT)
    monkeypatch.setattr(kinds, "KINDS", (*kinds.KINDS, READER))


@pytest.fixture
def site(tmp_path: Path) -> Path:
    path = tmp_path / "site.hosts"
    path.write_text("#hosts\nM1 3\nM2 1\n", encoding="utf-8")
    return path


def asked(window: MainWindow) -> QFileDialog:
    dialog = window.findChild(QFileDialog)
    assert isinstance(dialog, QFileDialog)
    return dialog


def test_a_new_export_of_plans_is_in_the_menu(
    qtbot: QtBot, window: MainWindow, tmp_path: Path
) -> None:
    action = window.commands["export_as_plan-text"]
    assert isinstance(action, QAction)
    assert action.text() == "Makespan (text)…"
    qtbot.waitUntil(action.isEnabled)
    action.trigger()
    dialog = asked(window)
    assert dialog.nameFilters() == ["Makespan (text) (*.makespan)"]
    with qtbot.waitSignal(window.files.told):
        dialog.fileSelected.emit(str(tmp_path / "plan"))
    dialog.close()
    written = (tmp_path / "plan.makespan").read_text(encoding="utf-8")
    assert window.document.outcome is not None
    assert float(written) == window.document.outcome.prediction.makespan_s


def test_a_new_kind_of_platform_is_imported_and_its_notes_are_shown(
    qtbot: QtBot, window: MainWindow, site: Path
) -> None:
    window.commands["import_platform"].trigger()
    dialog = asked(window)
    assert "*.hosts" in dialog.nameFilters()[0]
    with qtbot.waitSignal(window.files.noted) as noted:
        dialog.fileSelected.emit(str(site))
    dialog.close()
    assert noted.args == [("A text of hosts says no speeds.",)]
    assert [machine.cores for machine in window.document.project.platform.machines] == [3, 1]
    assert [task.name for task in window.document.project.workload.tasks] == ["A", "B"]
    window.document.undo_stack.undo()
    assert window.document.project.platform.machines[0].cores == 1


def test_a_new_kind_of_platform_opens(qtbot: QtBot, window: MainWindow, site: Path) -> None:
    with qtbot.waitSignal(window.document.loaded):
        window.files.open_now(site)
    assert window.document.project.platform.name == "hosts"
    assert len(window.document.project.workload.tasks) == 1

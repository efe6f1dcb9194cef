"""What a plan decides is exported from the window: a mapping, a tree, or everything at once."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest
from PySide6.QtCore import Qt
from PySide6.QtWidgets import QComboBox, QFileDialog, QPlainTextEdit, QPushButton
from pytestqt.qtbot import QtBot

from gui.shell.main_window import MainWindow
from gui.shell.part_dialog import PartDialog
from tests.advisor.export.decided import decided
from tests.choosing import choosing
from tests.gui.studies.export_hands import host_box, settled, type_hosts


@pytest.fixture
def deciding(qtbot: QtBot, window: MainWindow) -> MainWindow:
    """The window on a plan that decides nodes and a tree."""
    window.document.load(replace(choosing(), plan=decided().plan))
    qtbot.waitUntil(window.commands["export_all"].isEnabled)
    return window


def opened(qtbot: QtBot, window: MainWindow, action: str) -> PartDialog:
    window.commands[action].trigger()
    dialog = window.findChild(PartDialog)
    assert dialog is not None
    qtbot.waitUntil(lambda: dialog.rendered is not None and not dialog.is_busy)
    return dialog


def preview(dialog: PartDialog) -> list[str]:
    box = dialog.findChild(QPlainTextEdit, f"{dialog.objectName().removesuffix('_dialog')}_preview")
    assert box is not None
    return box.toPlainText().splitlines()


def test_what_a_plan_does_not_have_can_not_be_exported(window: MainWindow, qtbot: QtBot) -> None:
    qtbot.waitUntil(window.commands["export_all"].isEnabled)
    assert not window.commands["export_mapping"].isEnabled()
    assert not window.commands["export_tree"].isEnabled()


def test_a_mapping_is_shown_on_the_nodes_of_the_plan_and_saved(
    qtbot: QtBot, deciding: MainWindow, tmp_path: Path
) -> None:
    dialog = opened(qtbot, deciding, "export_mapping")
    assert dialog.heading.text() == "Mapping of “spectra”, as planned"
    assert preview(dialog)[0] == "rank 0=alewife-31 slot=0"
    assert "made up after the machine: name your own under Hosts" in dialog.message.text()
    dialog.save_to(tmp_path / "a.rankfile")
    settled(qtbot, dialog)
    assert (tmp_path / "a.rankfile").read_text().splitlines() == preview(dialog)


def test_another_task_is_chosen_by_key_and_hosts_are_typed(
    qtbot: QtBot, deciding: MainWindow
) -> None:
    dialog = opened(qtbot, deciding, "export_mapping")
    box = dialog.findChild(QComboBox, "mapping_export_of")
    assert box is not None
    qtbot.keyClick(box, Qt.Key.Key_Down)
    qtbot.waitUntil(lambda: dialog.rendered is not None and not dialog.is_busy)
    assert dialog.heading.text() == "Mapping of “align”, as planned"
    assert preview(dialog)[8] == "rank 8=direct-15 slot=0"  # a snake turns back
    type_hosts(qtbot, host_box(dialog), "node[01-32]")
    qtbot.waitUntil(lambda: dialog.rendered is not None and not dialog.is_busy)
    assert preview(dialog)[8] == "rank 8=node16 slot=0"
    close = dialog.findChild(QPushButton, "mapping_export_close")
    assert close is not None
    qtbot.mouseClick(close, Qt.MouseButton.LeftButton)
    deciding.commands["export_mapping"].trigger()
    qtbot.waitUntil(lambda: dialog.rendered is not None and not dialog.is_busy)
    assert preview(dialog)[8] == "rank 8=node16 slot=0"  # task and hosts stay


def test_a_tree_is_on_the_machines_of_the_plan_without_hosts(
    qtbot: QtBot, deciding: MainWindow
) -> None:
    dialog = opened(qtbot, deciding, "export_tree")
    text = "\n".join(preview(dialog))
    assert "login:0 =>" in text
    assert text.count("svc:") == 2 * 8


def test_a_changed_plan_is_what_the_dialog_exports_next(qtbot: QtBot, deciding: MainWindow) -> None:
    dialog = opened(qtbot, deciding, "export_mapping")
    dialog.reject()
    deciding.document.move_tasks(frozenset({0}), 1)
    qtbot.waitUntil(deciding.commands["export_mapping"].isEnabled)
    again = opened(qtbot, deciding, "export_mapping")
    assert again is dialog
    qtbot.waitUntil(lambda: "=direct-" in preview(dialog)[0])


def test_everything_goes_into_the_chosen_folder_and_then_into_new_ones_there(
    qtbot: QtBot, deciding: MainWindow, tmp_path: Path
) -> None:
    for place in (".", "choosing", "choosing 2"):
        deciding.commands["export_all"].trigger()
        dialog = deciding.findChild(QFileDialog, "export_all_dialog")
        assert dialog is not None
        with qtbot.waitSignal(deciding.files.told) as told:
            dialog.fileSelected.emit(str(tmp_path))
            dialog.close()
        assert told.args == [f"Exported {tmp_path / place}"]
        names = {path.name for path in (tmp_path / place).iterdir()}
        assert {"contents.txt", "plan.json", "spectra-slurm.hosts", "monitor-mrnet.top"} <= names


def test_the_exports_are_in_the_menus_with_what_they_do(deciding: MainWindow) -> None:
    for name in ("export_mapping", "export_tree", "export_all"):
        action = deciding.commands[name]
        assert action.isEnabled()
        assert action.toolTip().startswith("Write ")
        assert action in deciding.toolbar.findChildren(type(action)) or action.associatedObjects()

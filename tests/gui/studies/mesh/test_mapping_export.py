"""Mappings leave the window as files that launchers read: preview, errors in place, save."""

from __future__ import annotations

from pathlib import Path

import pytest
from PySide6.QtCore import Qt
from PySide6.QtGui import QGuiApplication
from PySide6.QtWidgets import QFileDialog
from pytestqt.qtbot import QtBot

from advisor.basics.host_list import parse_hosts
from advisor.export import mapping_csv, openmpi
from advisor.export.process_placement import MAPPING, place
from advisor.export.registry import EXPORTS, exports_of
from advisor.messages.mapping.mapping_file import NamedMapping
from gui.studies.mesh.mapping_view import MappingExport, MappingView
from tests.dummies.export import mapping_text
from tests.gui.studies.export_hands import host_box, settled, type_hosts

LAUNCHERS = exports_of(MAPPING)
LEFT = Qt.MouseButton.LeftButton
HOSTS = "\n".join(f"node{number:02}" for number in range(12))


@pytest.fixture
def dialog(qtbot: QtBot, view: MappingView) -> MappingExport:
    qtbot.mouseClick(view.bar.export, LEFT)
    dialog = view.export_dialog
    assert dialog is not None
    assert dialog.isVisible()
    return dialog


def typed(qtbot: QtBot, dialog: MappingExport, hosts: str) -> None:
    """Replace the hosts by typing, and wait for the answer."""
    type_hosts(qtbot, host_box(dialog), hosts)
    settled(qtbot, dialog)


def named(view: MappingView) -> NamedMapping:
    assert view.picture is not None
    assert view.shown is not None
    return NamedMapping(view.picture.network, view.shown.mapping)


def test_without_hosts_the_dialog_says_what_it_needs(dialog: MappingExport) -> None:
    assert "10 processes on the 4 × 3 mesh" in dialog.heading.text()
    assert "12 cores" in dialog.fields["hosts"].label.text()
    assert "Name the hosts" in dialog.message.text()
    assert not dialog.save_button.isEnabled()
    assert not dialog.copy_button.isEnabled()


@pytest.mark.parametrize("name", LAUNCHERS)
def test_the_preview_is_what_the_export_writes(
    qtbot: QtBot, view: MappingView, dialog: MappingExport, name: str
) -> None:
    typed(qtbot, dialog, HOSTS)
    dialog.format.setCurrentIndex(dialog.format.findData(name))
    settled(qtbot, dialog)
    placement = place(named(view), parse_hosts(HOSTS))
    assert dialog.preview.toPlainText() == LAUNCHERS[name].text(placement).replace("\r\n", "\n")
    commands = LAUNCHERS[name].commands(placement, f"mapping{LAUNCHERS[name].suffix}")
    assert dialog.command.toPlainText().splitlines() == list(commands)
    assert dialog.save_button.isEnabled()


def test_a_short_list_says_how_much_is_missing_until_there_are_more_cores(
    qtbot: QtBot, dialog: MappingExport
) -> None:
    typed(qtbot, dialog, "a\nb:4\nc\n")
    assert "6 cores on 3 hosts for 12 nodes" in dialog.message.text()
    assert "6 cores missing" in dialog.message.text()
    assert dialog.preview.toPlainText() == ""
    assert not dialog.save_button.isEnabled()
    qtbot.keyClick(dialog.fields["cores"].widget, Qt.Key.Key_Up)
    settled(qtbot, dialog)
    assert "4 cores missing" in dialog.message.text()
    for _ in range(2):
        qtbot.keyClick(dialog.fields["cores"].widget, Qt.Key.Key_Up)
    settled(qtbot, dialog)
    assert "10 processes on 3 hosts" in dialog.message.text()
    assert dialog.save_button.isEnabled()


def test_hosts_of_more_cores_than_the_mapping_is_for_are_told_with_what_goes_between_them(
    qtbot: QtBot, dialog: MappingExport
) -> None:
    typed(qtbot, dialog, "a:4\nb:4\nc:4\n")
    assert "for nodes of 1 core, your hosts have 4" in dialog.message.text()
    assert "Map with cores=4" in dialog.message.text()
    assert dialog.save_button.isEnabled()


def test_a_line_that_is_no_host_is_told_with_its_number(
    qtbot: QtBot, dialog: MappingExport
) -> None:
    typed(qtbot, dialog, "a\nnode[1-\n")
    assert "line 2" in dialog.message.text()
    assert "node[1-" in dialog.message.text()
    assert host_box(dialog).toPlainText() == "a\nnode[1-\n"


def test_saving_writes_the_file_and_names_it_in_the_command(
    qtbot: QtBot, view: MappingView, dialog: MappingExport, tmp_path: Path
) -> None:
    typed(qtbot, dialog, HOSTS)
    qtbot.mouseClick(dialog.save_button, LEFT)
    chooser = dialog.findChild(QFileDialog, "mapping_export_save_dialog")
    assert isinstance(chooser, QFileDialog)
    path = tmp_path / "ranks.rankfile"
    chooser.fileSelected.emit(str(path))
    chooser.close()
    settled(qtbot, dialog)
    slots = openmpi.parse_rankfile(path.read_text(encoding="utf-8"))
    assert [slot.host for slot in slots] == [f"node{node:02}" for node in named(view).mapping]
    assert f"Saved {path}" in dialog.message.text()
    assert str(path) in dialog.command.toPlainText()
    qtbot.mouseClick(dialog.copy_button, LEFT)
    assert QGuiApplication.clipboard().text() == dialog.command.toPlainText()


def test_a_file_that_cant_be_written_is_told_in_place(
    qtbot: QtBot, dialog: MappingExport, tmp_path: Path
) -> None:
    typed(qtbot, dialog, HOSTS)
    dialog.save_to(tmp_path / "missing" / "ranks")
    settled(qtbot, dialog)
    assert "missing" in dialog.message.text()
    assert "Saved" not in dialog.message.text()
    assert dialog.preview.toPlainText().startswith("rank 0=")
    assert dialog.save_button.isEnabled()


def test_hosts_come_from_a_file_and_stay_for_the_next_mapping(
    qtbot: QtBot, view: MappingView, dialog: MappingExport, tmp_path: Path
) -> None:
    (tmp_path / "hosts").write_text(f"# ours\n{HOSTS}\n", encoding="utf-8")
    dialog.read_into(dialog.fields["hosts"], tmp_path / "hosts")
    qtbot.waitUntil(lambda: dialog.rendered is not None)
    dialog.format.setCurrentIndex(dialog.format.findData("mapping-csv"))
    settled(qtbot, dialog)
    assert mapping_csv.parse(dialog.preview.toPlainText()).nodes == named(view).mapping
    qtbot.mouseClick(dialog.close_button, LEFT)
    combo = view.bar.choice
    combo.setCurrentIndex(combo.findData("row-major"))
    combo.activated.emit(combo.currentIndex())
    qtbot.waitUntil(lambda: not view.is_preparing)
    qtbot.mouseClick(view.bar.export, LEFT)
    settled(qtbot, dialog)
    assert dialog.heading.text().startswith("Row-major")
    assert mapping_csv.parse(dialog.preview.toPlainText()).nodes == tuple(range(10))


def test_a_file_of_hosts_that_is_missing_is_told(
    qtbot: QtBot, dialog: MappingExport, tmp_path: Path
) -> None:
    dialog.read_into(dialog.fields["hosts"], tmp_path / "nowhere")
    settled(qtbot, dialog)
    assert "nowhere" in dialog.message.text()


def test_a_new_export_of_mappings_is_offered_with_its_fields_and_notes(
    qtbot: QtBot, view: MappingView, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(EXPORTS, "mapping-text", mapping_text.EXPORT)
    qtbot.mouseClick(view.bar.export, LEFT)
    dialog = view.export_dialog
    assert dialog is not None
    dialog.format.setCurrentIndex(dialog.format.findText("Hosts on one line"))
    typed(qtbot, dialog, HOSTS)
    placement = place(named(view), parse_hosts(HOSTS))
    assert dialog.preview.toPlainText() == mapping_text.render(placement)
    assert dialog.command.toPlainText() == "dummyrun --line mapping.line"
    assert "dummyrun knows 10 ranks." in dialog.message.text()
    dialog.save_to(tmp_path / "x.line")
    settled(qtbot, dialog)
    assert (tmp_path / "x.line").read_text(encoding="utf-8") == mapping_text.render(placement)
    assert dialog.command.toPlainText() == f"dummyrun --line {tmp_path / 'x.line'}"

"""Trees leave the window as files that MRNet reads: preview, warnings, errors in place, save."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest
from PySide6.QtCore import Qt
from PySide6.QtWidgets import QFileDialog, QLineEdit, QPushButton, QSpinBox
from pytestqt.qtbot import QtBot

from advisor.export.registry import EXPORTS
from advisor.models.process_tree import balanced, flat, kary
from advisor.trees.topology_file import parse_topology, read_topology
from advisor.trees.tree_picture import TreePicture
from gui.studies.tree.tree_view import TreeExport, TreeView
from tests.dummies.export import tree_text
from tests.gui.studies.export_hands import host_box, settled, type_hosts
from tests.gui.studies.tree_pictures import tree_picture

LEFT = Qt.MouseButton.LeftButton
HOSTS = "\n".join(f"node{number:02}" for number in range(8))
Shown = Callable[[TreePicture], TreeView]


@pytest.fixture
def dialog(qtbot: QtBot, tree_shown: Shown) -> TreeExport:
    """For balanced(16, 4)."""
    view = tree_shown(tree_picture(own=balanced(16, 4)))
    qtbot.mouseClick(view.bar.export, LEFT)
    dialog = view.export_dialog
    assert dialog is not None
    assert dialog.isVisible()
    return dialog


def processes(dialog: TreeExport) -> QSpinBox:
    number = dialog.fields["cores"].widget
    assert isinstance(number, QSpinBox)
    return number


def check(qtbot: QtBot, dialog: TreeExport, name: str) -> None:
    """Click on the box, and wait for the answer."""
    box = dialog.fields[name].widget
    qtbot.mouseClick(box, LEFT, pos=box.rect().center() / 2)
    settled(qtbot, dialog)


def typed(
    qtbot: QtBot, dialog: TreeExport, hosts: str, front_end: str = "login", internal: str = ""
) -> None:
    """Fill the fields in and wait for the answer."""
    line = dialog.fields["front_end"].widget
    assert isinstance(line, QLineEdit)
    line.clear()
    qtbot.keyClicks(line, front_end)
    for name, text in (("hosts", hosts), ("internal_hosts", internal)):
        type_hosts(qtbot, host_box(dialog, name), text)
    settled(qtbot, dialog)


def test_without_hosts_the_dialog_says_what_it_needs(qtbot: QtBot, dialog: TreeExport) -> None:
    assert dialog.heading.text() == "Own: 16 back-ends, 4 internal processes"
    assert "for 16 in all" in dialog.fields["hosts"].label.text()
    assert "Name the hosts of the back-ends" in dialog.message.text()
    typed(qtbot, dialog, HOSTS, front_end="")
    assert "Name the host of the front-end" in dialog.message.text()
    assert not dialog.save_button.isEnabled()


def test_the_preview_is_a_topology_of_this_tree(qtbot: QtBot, dialog: TreeExport) -> None:
    processes(dialog).setValue(3)
    typed(qtbot, dialog, HOSTS)
    found = parse_topology(dialog.preview.toPlainText())
    assert found.tree is not None
    assert found.tree.is_like(balanced(16, 4))
    assert dict(found.names)["login"] == 0
    assert "21 processes on 9 hosts" in dialog.message.text()
    assert "mrnet_topgen -f HOST -h HOSTS -o FILE -t b:4^2" in dialog.command.toPlainText()
    assert dialog.save_button.isEnabled()


def test_too_few_hosts_say_how_many_are_missing(qtbot: QtBot, dialog: TreeExport) -> None:
    typed(qtbot, dialog, HOSTS)
    assert "12 places missing" in dialog.message.text()
    assert dialog.preview.toPlainText() == ""
    assert not dialog.save_button.isEnabled()
    processes(dialog).setFocus()
    for _ in range(2):
        qtbot.keyClick(processes(dialog), Qt.Key.Key_Up)
    settled(qtbot, dialog)
    assert dialog.save_button.isEnabled()


def test_internal_processes_get_hosts_of_their_own(qtbot: QtBot, dialog: TreeExport) -> None:
    processes(dialog).setValue(2)
    typed(qtbot, dialog, HOSTS, internal="inner:4")
    assert dialog.rendered is not None
    placed = dialog.rendered.subject.placed
    names = placed.names()
    assert names[1:5] == ["inner:0", "inner:1", "inner:2", "inner:3"]
    assert placed.shared == ()
    assert "shared" not in dialog.message.text()


def test_shared_hosts_and_ranks_out_of_order_are_told(qtbot: QtBot, dialog: TreeExport) -> None:
    typed(qtbot, dialog, "node01:20")
    assert "1 host shared by back-ends" in dialog.message.text()
    assert "another rank" in dialog.message.text()
    check(qtbot, dialog, "first_index")
    assert "another rank" not in dialog.message.text()
    assert "node01:10" in dialog.preview.toPlainText()


def test_attach_mode_leaves_the_back_ends_out(qtbot: QtBot, dialog: TreeExport) -> None:
    processes(dialog).setValue(3)
    typed(qtbot, dialog, HOSTS)
    check(qtbot, dialog, "attach")
    found = parse_topology(dialog.preview.toPlainText())
    assert found.tree is not None
    assert found.tree.is_like(flat(4))


@pytest.mark.parametrize(
    ("hosts", "front_end", "fault"),
    [
        ("a\nnode[1-:20\n", "login", "line 2"),
        ("me@node01:20", "login", "user@host"),
        ("node01:20", "localhost", "could not reach it"),
    ],
)
def test_what_mrnet_can_not_use_is_refused_in_place(
    qtbot: QtBot, dialog: TreeExport, hosts: str, front_end: str, fault: str
) -> None:
    typed(qtbot, dialog, hosts, front_end)
    assert fault in dialog.message.text()
    assert not dialog.save_button.isEnabled()


def test_a_tree_of_too_many_parents_says_which_fan_out_fits(
    qtbot: QtBot, tree_shown: Shown
) -> None:
    view = tree_shown(tree_picture(2**14, own=kary(2, 14)))
    view.open_export()
    dialog = view.export_dialog
    assert dialog is not None
    processes(dialog).setValue(4000)
    typed(qtbot, dialog, HOSTS + "\nmore:4000")
    assert "at most 9993 statements" in dialog.message.text()
    assert "from fan-out 3" in dialog.message.text()


def test_saving_writes_the_file_and_names_it_in_the_command(
    qtbot: QtBot, dialog: TreeExport, tmp_path: Path
) -> None:
    processes(dialog).setValue(3)
    typed(qtbot, dialog, HOSTS)
    qtbot.mouseClick(dialog.save_button, LEFT)
    chooser = dialog.findChild(QFileDialog, "tree_export_save_dialog")
    assert isinstance(chooser, QFileDialog)
    path = tmp_path / "ours.top"
    chooser.fileSelected.emit(str(path))
    chooser.close()
    settled(qtbot, dialog)
    found = read_topology(path)
    assert found.tree is not None
    assert found.tree.is_like(balanced(16, 4))
    assert f"Saved {path}" in dialog.message.text()
    assert str(path) in dialog.command.toPlainText()


def test_hosts_come_from_files_into_their_boxes(
    qtbot: QtBot, dialog: TreeExport, tmp_path: Path
) -> None:
    processes(dialog).setValue(3)
    (tmp_path / "hosts").write_text(HOSTS, encoding="utf-8")
    for name, box in (
        ("hosts", host_box(dialog, "hosts")),
        ("internal_hosts", host_box(dialog, "internal_hosts")),
    ):
        button = dialog.findChild(QPushButton, f"tree_export_{name}_file")
        assert isinstance(button, QPushButton)
        qtbot.mouseClick(button, LEFT)
        chooser = dialog.findChild(QFileDialog, "tree_export_hosts_dialog")
        assert isinstance(chooser, QFileDialog)
        chooser.fileSelected.emit(str(tmp_path / "hosts"))
        chooser.close()
        chooser.deleteLater()
        chooser.setObjectName("")
        settled(qtbot, dialog)
        assert box.toPlainText() == HOSTS


def test_a_long_preview_is_cut_and_says_so(qtbot: QtBot, tree_shown: Shown) -> None:
    view = tree_shown(tree_picture(5000, own=flat(5000)))
    view.open_export()
    dialog = view.export_dialog
    assert dialog is not None
    typed(qtbot, dialog, "node01:4000\nnode02:4000")
    assert "more lines" in dialog.preview.toPlainText().splitlines()[-1]
    assert not host_box(dialog, "internal_hosts").isEnabled()


def test_a_tree_goes_to_stat_from_the_same_dialog(
    qtbot: QtBot, dialog: TreeExport, tmp_path: Path
) -> None:
    processes(dialog).setValue(3)
    typed(qtbot, dialog, HOSTS)
    dialog.format.setCurrentIndex(dialog.format.findData("stat"))
    settled(qtbot, dialog)
    line = "stat-cl --usertopology 4 --nodes node00,node01 --procs 3"
    assert dialog.preview.toPlainText() == line + "\n"
    assert dialog.command.toPlainText() == f"STAT: {line} PID_OF_LAUNCHER"
    assert "STAT deals communication processes" in dialog.message.text()
    assert not dialog.fields["attach"].widget.isEnabled()
    dialog.save_to(tmp_path / "stat.txt")
    settled(qtbot, dialog)
    assert (tmp_path / "stat.txt").read_text(encoding="utf-8") == line + "\n"


def test_a_new_export_of_trees_is_offered_with_its_fields(
    qtbot: QtBot, tree_shown: Shown, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(EXPORTS, "tree-text", tree_text.EXPORT)
    view = tree_shown(tree_picture(own=balanced(16, 4)))
    view.open_export()
    dialog = view.export_dialog
    assert dialog is not None
    processes(dialog).setValue(3)
    typed(qtbot, dialog, HOSTS)
    dialog.format.setCurrentIndex(dialog.format.findText("Fan-outs (text)"))
    settled(qtbot, dialog)
    text = " ".join(["4"] * 5 + ["0"] * 16) + "\n"
    assert dialog.preview.toPlainText() == text
    assert not dialog.copy_button.isEnabled()
    assert not dialog.fields["attach"].widget.isEnabled()
    assert dialog.fields["hosts"].widget.isEnabled()
    dialog.save_to(tmp_path / "t")
    settled(qtbot, dialog)
    assert (tmp_path / "t").read_text(encoding="utf-8") == text
    assert f"Saved {tmp_path / 't'}." in dialog.message.text()
    assert "read back" not in dialog.message.text()

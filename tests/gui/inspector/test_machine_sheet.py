"""The sheet of a machine: its price and watts."""

from __future__ import annotations

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QLabel, QLineEdit
from pytestqt.qtbot import QtBot

from advisor.allocation.workload import Task, Workload
from advisor.project.project import new_project
from advisor.project.project_file import dump_project, parse_project
from gui.document.document import Document, Selection
from machines import Machine, Platform
from tests.conftest import two_machines
from tests.gui.inspector.hands import error_under, open_inspector, press, type_into


def test_price_and_watts_are_edited_as_one_step_each_and_kept_in_files(qtbot: QtBot) -> None:
    document = Document(two_machines())
    inspector = open_inspector(qtbot, document)
    document.select(Selection(machine=0))
    line = inspector.findChild(QLineEdit, "field.price_per_hour")
    assert (line.text(), line.accessibleName()) == ("", "Price (per hour)")
    assert "from the start to the makespan" in line.toolTip()
    assert "Empty: not known." in line.toolTip()
    type_into(qtbot, inspector, "price_per_hour", "-1")
    assert "“Price” is out of range" in error_under(inspector, "price_per_hour")
    assert document.undo_stack.count() == 0
    type_into(qtbot, inspector, "price_per_hour", "1.36")
    type_into(qtbot, inspector, "watts", "560")
    assert document.undo_stack.count() == 2
    first = document.project.platform.machines[0]
    assert (first.price_per_hour, first.watts) == (1.36, 560.0)
    assert parse_project(dump_project(document.project)) == document.project
    line.selectAll()
    qtbot.keyClick(line, Qt.Key.Key_Delete)
    qtbot.keyClick(line, Qt.Key.Key_Return)
    assert document.project.platform.machines[0].price_per_hour is None
    for _ in range(3):
        document.undo_stack.undo()
    assert document.project.platform.machines[0].watts is None
    assert line.text() == ""


def test_fields_of_contenders_stand_below_their_heading_in_words(qtbot: QtBot) -> None:
    document = Document(two_machines(contenders=2))
    inspector = open_inspector(qtbot, document)
    document.select(Selection(machine=0))
    shown = [label.text() for label in inspector.findChildren(QLabel) if label.isVisible()]
    assert [text for text in shown if text.startswith("Contender ")] == [
        "Contender 1", "Contender 2",
    ]  # fmt: skip
    for title in ("Computing, share of its time", "Communicating, share of its time"):
        assert shown.count(title) == 2
    line = inspector.findChild(QLineEdit, "field.contender0.message_words")
    assert line.accessibleName() == "largest message (words)"
    type_into(qtbot, inspector, "contender0.message_words", "1000")
    assert document.project.platform.machines[0].contenders[0].message_words == 1000.0


def test_entries_of_a_sheet_begin_in_one_column_whatever_their_units(qtbot: QtBot) -> None:
    document = Document(two_machines())
    for width in (280, 340, 480):
        inspector = open_inspector(qtbot, document, width)
        for selection in (Selection(machine=0), Selection(link=0), Selection()):
            document.select(selection)
            qtbot.settle()
            lines = [one for one in inspector.findChildren(QLineEdit) if one.isVisible()]
            assert len(lines) >= 3
            assert len({line.mapTo(inspector, line.rect().topLeft()).x() for line in lines}) == 1
        document.select(Selection())


def test_large_amounts_have_a_prefix_or_groups_and_are_taken_either_way(qtbot: QtBot) -> None:
    document = Document(two_machines())
    inspector = open_inspector(qtbot, document)
    document.select(Selection(machine=0))
    for text in ("8000000000", "8 000 000 000", "8 GB"):
        line = type_into(qtbot, inspector, "memory_bytes", text)
        assert document.project.platform.machines[0].memory_bytes == 8_000_000_000
        assert line.text() == "8 GB"
        type_into(qtbot, inspector, "memory_bytes", "1")
    line = type_into(qtbot, inspector, "memory_bytes", "8 GB")
    line = type_into(qtbot, inspector, "memory_bytes", "8 000 000 001")
    assert document.project.platform.machines[0].memory_bytes == 8_000_000_001
    assert line.text() == "8\u202f000\u202f000\u202f001 B"
    line.home(False)
    qtbot.keyClick(line, Qt.Key.Key_Delete)
    qtbot.keyClicks(line, "9")
    qtbot.keyClick(line, Qt.Key.Key_Return)
    assert document.project.platform.machines[0].memory_bytes == 9_000_000_001


def test_buttons_are_about_the_machine_as_it_is_called_now(qtbot: QtBot) -> None:
    platform = Platform("p", (Machine("machine 1"), Machine("laptop")))
    document = Document(new_project(platform, Workload("w", (Task("t", 1.0),))))
    inspector = open_inspector(qtbot, document)
    document.select(Selection(machine=0))
    type_into(qtbot, inspector, "name", "zed")
    press(inspector, "link_to_laptop")
    assert [link.name for link in document.project.platform.links] == ["zed–laptop"]


def test_a_new_thing_shows_its_top_with_its_name_selected(qtbot: QtBot) -> None:
    document = Document(two_machines())
    inspector = open_inspector(qtbot, document)
    inspector.resize(320, 300)
    inspector.verticalScrollBar().setValue(inspector.verticalScrollBar().maximum())
    document.select(Selection())
    press(inspector, "add_machine")
    name = inspector.findChild(QLineEdit, "field.name")
    assert isinstance(name, QLineEdit)
    assert name.selectedText() == name.text() == document.project.platform.machines[-1].name
    assert inspector.verticalScrollBar().value() == 0

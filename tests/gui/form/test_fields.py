"""Fields of a form: what is wrong is said when the typing ends, by title, to eyes and ears."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

import pytest
from PySide6.QtCore import QEvent, QMimeData, QObject, Qt, Signal
from PySide6.QtGui import QGuiApplication, QHelpEvent
from PySide6.QtWidgets import (
    QApplication,
    QComboBox,
    QLabel,
    QLineEdit,
    QPlainTextEdit,
    QToolTip,
    QWidget,
)
from pytestqt.qtbot import QtBot

from advisor.studies.mapping.parameters import MappingParameters
from advisor.studies.network_settings import NetworkSettings
from advisor.studies.parameters import parameter
from gui.basics.theme import theme
from gui.basics.validation_style import mark_wrong
from gui.form.editors import ChoiceList
from gui.form.field import FormField
from gui.form.form import ParameterForm
from machines.catalogue import NETWORKS
from machines.errors import InputError
from tests.gui.keyboard import take_keys


@dataclass(frozen=True)
class _Asked:
    gap_per_byte: float = parameter(1.0, title="gap per byte G", low=0.0, help="G.")
    count: int = parameter(8, low=1, high=99, help="Count.")
    file: str = parameter("", title="data file", path=True, help="File.")
    text: str = parameter("", lines=3, path=True, help="Text.")
    clock: str = parameter("s", choices=("s", "ms"), help="Clock.")
    span: float = parameter(1.0, unit_of="clock", help="Span.")
    late: float = parameter(1.0, only={"gap_per_byte": ("none",)}, help="Late.")


@pytest.fixture
def form(qtbot: QtBot) -> ParameterForm:
    form = ParameterForm(_Asked)
    qtbot.addWidget(form)
    form.show()
    take_keys(qtbot, form)
    return form


def line(form: ParameterForm, name: str) -> QLineEdit:
    editor = form.editor(name)
    assert isinstance(editor, QLineEdit)
    return editor


def field(form: ParameterForm, name: str) -> FormField:
    return next(one for one in form.findChildren(FormField) if one.parameter.name == name)


def write(qtbot: QtBot, editor: QLineEdit, text: str) -> None:
    editor.setFocus()
    editor.selectAll()
    for letter in text:
        qtbot.keyClicks(editor, letter)


@pytest.mark.parametrize("half", ["-", "1e", "0x", "."])
def test_a_half_typed_number_is_no_error_until_the_typing_pauses(
    qtbot: QtBot, form: ParameterForm, half: str
) -> None:
    editor = line(form, "gap_per_byte")
    write(qtbot, editor, half)
    assert form.message("gap_per_byte") == ""
    assert form.values() is None  # and nothing is computed from it
    field(form, "gap_per_byte").pause.timeout.emit()
    assert form.message("gap_per_byte") == "This is no number."
    assert editor.hasFocus()
    write(qtbot, editor, "12")
    assert form.message("gap_per_byte") == ""


@pytest.mark.parametrize("key", [Qt.Key.Key_Return, Qt.Key.Key_Tab])
def test_leaving_the_field_ends_the_typing(qtbot: QtBot, form: ParameterForm, key: Qt.Key) -> None:
    editor = line(form, "count")
    write(qtbot, editor, "500")
    qtbot.keyClick(editor, key)
    assert form.message("count") == "The value is out of range. Allowed: 1 to 99."
    assert editor.text() == "500"


def test_an_error_is_seen_heard_and_taken_back(qtbot: QtBot, form: ParameterForm) -> None:
    editor = line(form, "count")
    before = editor.grab().toImage()
    write(qtbot, editor, "x")
    qtbot.keyClick(editor, Qt.Key.Key_Return)
    label = form.findChild(QLabel, "message_count")
    assert label is not None
    assert label.isVisible()
    assert label.text().startswith("⚠ ")  # not by colour alone
    assert label.palette().windowText().color().name() == theme().colours.worse.lower()
    assert editor.accessibleDescription().startswith("Wrong: This is no whole number.")
    assert editor.grab().toImage() != before
    assert editor.property("wrong")
    write(qtbot, editor, "9")
    assert not label.isVisible()
    assert editor.accessibleDescription() == "Count."
    assert not editor.property("wrong")


def test_the_mark_of_an_error_is_painted_at_once(qtbot: QtBot, form: ParameterForm) -> None:
    editor = line(form, "count")
    plain = editor.grab().toImage()
    for wrong in (True, False):
        qtbot.settle()  # what was asked to be painted before
        with qtbot.waitSignal(_Painted(editor).seen):
            mark_wrong(editor, wrong)
        assert (editor.grab().toImage() == plain) is not wrong


class _Painted(QObject):
    """Tells of every painting of a widget."""

    seen = Signal()

    def __init__(self, widget: QWidget) -> None:
        super().__init__(widget)
        widget.installEventFilter(self)

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        if event.type() == QEvent.Type.Paint:
            self.seen.emit()
        return super().eventFilter(watched, event)


def test_escape_brings_back_what_counted(qtbot: QtBot, form: ParameterForm) -> None:
    editor = line(form, "count")
    write(qtbot, editor, "x")
    qtbot.keyClick(editor, Qt.Key.Key_Return)
    qtbot.keyClick(editor, Qt.Key.Key_Escape)
    assert (editor.text(), form.message("count")) == ("8", "")


def test_escape_takes_free_text_back_too(qtbot: QtBot, form: ParameterForm) -> None:
    for name in ("file", "text"):
        editor = form.editor(name)
        assert isinstance(editor, QLineEdit | QPlainTextEdit)
        editor.setFocus()
        qtbot.keyClicks(editor, "abc")
        field(form, name).pause.timeout.emit()
        qtbot.keyClicks(editor, "d")
        qtbot.keyClick(editor, Qt.Key.Key_Escape)
        assert field(form, name).editor.text() == ""
        values = form.values()
        assert values is not None
        assert values[name] == ""


def test_a_path_counts_when_it_is_whole(qtbot: QtBot, form: ParameterForm, tmp_path: Path) -> None:
    told: list[object] = []
    form.changed.connect(told.append)
    editor, path = line(form, "file"), str(tmp_path / "data.csv")
    write(qtbot, editor, path)
    assert told == []
    values = form.values()
    assert values is not None
    assert values["file"] == ""
    qtbot.keyClick(editor, Qt.Key.Key_Tab)
    assert [one["file"] for one in told if isinstance(one, dict)] == [path]
    write(qtbot, editor, path[:-4])
    field(form, "file").pause.timeout.emit()
    assert len(told) == 2


def test_what_is_pasted_counts_at_once(qtbot: QtBot, form: ParameterForm) -> None:
    editor = line(form, "file")
    editor.setFocus()
    QGuiApplication.clipboard().setText("/a/b.csv")
    with qtbot.waitSignal(form.changed) as told:
        qtbot.keyClick(editor, Qt.Key.Key_V, Qt.KeyboardModifier.ControlModifier)
    assert told.args[0]["file"] == "/a/b.csv"
    area = form.editor("text")
    assert isinstance(area, QPlainTextEdit)
    source = QMimeData()
    source.setText("P,s\n1,2")
    with qtbot.waitSignal(form.changed) as told:
        area.insertFromMimeData(source)
    assert told.args[0]["text"] == "P,s\n1,2"


def test_text_of_several_lines_counts_when_it_is_left(qtbot: QtBot, form: ParameterForm) -> None:
    area = form.editor("text")
    area.setFocus()
    qtbot.keyClicks(area, "P,s")
    values = form.values()
    assert values is not None
    assert values["text"] == ""
    with qtbot.waitSignal(form.changed) as told:
        qtbot.keyClick(area, Qt.Key.Key_Tab)
    assert told.args[0]["text"] == "P,s"
    assert QApplication.focusWidget() is not area


def test_what_a_run_refuses_is_said_under_its_field_until_something_changes(
    qtbot: QtBot, form: ParameterForm
) -> None:
    error = InputError(
        "the file has no line",
        where="setting file: data.csv",
        remedy="Give gap_per_byte=, or file=FILE",
    )
    said = form.refuse(error)
    assert said == ("data.csv: the file has no line. Give “gap per byte G”, or “data file”.")
    assert form.message("file") == said
    write(qtbot, line(form, "count"), "9")
    assert form.message("file") == ""


def test_an_error_of_a_file_is_said_under_the_field_that_names_it(form: ParameterForm) -> None:
    form.set_values({"file": "/a/b.csv"})
    form.refuse(InputError("can't be read", where="/a/b.csv"))
    assert form.message("file") == "/a/b.csv: can't be read."


def test_units_follow_the_field_that_names_them(qtbot: QtBot, form: ParameterForm) -> None:
    assert field(form, "span").beside.text() == "s"
    clock = form.editor("clock")
    assert isinstance(clock, QComboBox)
    clock.setCurrentText("ms")
    assert field(form, "span").beside.text() == "ms"
    assert form.editor("span").accessibleName() == "span (ms)"


def test_why_a_field_is_not_used_is_said_by_titles(form: ParameterForm) -> None:
    assert "Only used with gap per byte G none." in form.editor("late").toolTip()


def test_what_ships_is_offered_under_its_title_and_kept_by_its_name(qtbot: QtBot) -> None:
    form = ParameterForm(NetworkSettings)
    qtbot.addWidget(form)
    networks = form.editor("network")
    assert isinstance(networks, QComboBox)
    shown = [networks.itemText(place) for place in range(networks.count())]
    assert "Intel Paragon" in shown
    assert not set(shown) & set(NETWORKS.names())
    networks.setCurrentText("Intel Paragon")
    values = form.values()
    assert values is not None
    assert values["network"] == "paragon"


def test_a_title_without_room_is_cut_so_that_it_is_told_apart_and_whole_in_its_tooltip(
    qtbot: QtBot,
) -> None:
    form = ParameterForm(NetworkSettings)
    qtbot.addWidget(form)
    form.show()
    box = form.editor("network")
    assert isinstance(box, ChoiceList)
    titles = [box.itemText(place) for place in range(box.count())]
    longest = max(titles, key=len)
    box.setCurrentIndex(titles.index(longest))
    box.setFixedWidth(box.full_width)
    box.grab()
    assert box.closed_text == longest
    box.setFixedWidth(3 * box.full_width // 4)
    box.grab()
    seen = []
    for place, title in enumerate(titles):
        box.setCurrentIndex(place)
        seen.append(box.closed_text)
        assert title == seen[-1] or "…" in seen[-1]
    assert len(set(seen)) == len(titles)
    box.setCurrentIndex(titles.index(longest))
    assert box.closed_text != longest
    at = box.rect().center()
    QApplication.sendEvent(box, QHelpEvent(QEvent.Type.ToolTip, at, box.mapToGlobal(at)))
    assert QToolTip.text().startswith(longest)
    assert QToolTip.text().endswith(box.toolTip())
    QToolTip.hideText()


def test_an_empty_entry_of_the_mapping_study_says_what_it_means(qtbot: QtBot) -> None:
    form = ParameterForm(MappingParameters)
    qtbot.addWidget(form)
    form.show()
    empty = [one for one in form.findChildren(QLineEdit) if one.isVisible() and not one.text()]
    assert len(empty) > 2
    assert all(one.placeholderText() for one in empty)

"""What is typed into a box of a number is taken as it is, or refused with a word."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from PySide6.QtCore import QLocale, Qt
from PySide6.QtGui import QValidator
from PySide6.QtWidgets import QDialog, QDialogButtonBox, QLineEdit, QToolTip, QVBoxLayout
from pytestqt.qtbot import QtBot

from gui.basics.wheel import NumberBox
from tests.gui.keyboard import take_keys


@pytest.fixture
def dialog(qtbot: QtBot) -> Iterator[QDialog]:
    """A box of seconds, a line, and a button that Enter presses."""
    made = QDialog()
    qtbot.addWidget(made)
    box = NumberBox()
    box.setRange(1, 3600)
    box.setValue(10)
    box.setSuffix(" s")
    box.setKeyboardTracking(False)
    buttons = QDialogButtonBox(QDialogButtonBox.StandardButton.Ok)
    buttons.accepted.connect(made.accept)
    column, other = QVBoxLayout(made), QLineEdit()
    other.setObjectName("other")
    for widget in (box, other, buttons):
        column.addWidget(widget)
    made.show()
    take_keys(qtbot, made)
    box.setFocus()
    yield made
    QToolTip.hideText()


def box_of(dialog: QDialog) -> NumberBox:
    box = dialog.findChild(NumberBox)
    assert isinstance(box, NumberBox)
    return box


def test_numbers_are_read_alike_in_every_language(qtbot: QtBot) -> None:
    before = QLocale()
    QLocale.setDefault(QLocale(QLocale.Language.German))  # "2.5" is 25 there
    try:
        box = NumberBox()
        qtbot.addWidget(box)
        box.setRange(1, 3600)
        assert box.validate("2.5", 0)[0] != QValidator.State.Acceptable
    finally:
        QLocale.setDefault(before)


@pytest.mark.parametrize("text", ["-5", "1e400", "99999999", "2.5", "0", "3601", "ten"])
@pytest.mark.parametrize("way", ["enter", "leave"])
def test_another_text_is_refused_as_a_whole(
    qtbot: QtBot, dialog: QDialog, text: str, way: str
) -> None:
    box, told = box_of(dialog), list[str]()
    box.refused.connect(told.append)
    box.selectAll()
    qtbot.keyClicks(box, text)
    assert box.cleanText() == text
    if way == "enter":
        qtbot.keyClick(box, Qt.Key.Key_Return)
    else:
        other = dialog.findChild(QLineEdit, "other")
        assert isinstance(other, QLineEdit)
        other.setFocus()
    assert (box.value(), box.text()) == (10, "10 s")
    said = f"“{text}” is not taken: write a whole number from 1 to 3,600. It is still 10 s."
    assert set(told) == {said}
    qtbot.waitUntil(lambda: QToolTip.text() == said)
    assert dialog.isVisible()


@pytest.mark.parametrize("text", ["1", "3600", "42 s"])
def test_a_number_in_range_is_taken(qtbot: QtBot, dialog: QDialog, text: str) -> None:
    box, told = box_of(dialog), list[str]()
    box.refused.connect(told.append)
    box.selectAll()
    qtbot.keyClicks(box, text)
    qtbot.keyClick(box, Qt.Key.Key_Tab)
    assert box.value() == int(text.removesuffix(" s"))
    assert told == []


def test_nothing_typed_is_no_error(qtbot: QtBot, dialog: QDialog) -> None:
    box, told = box_of(dialog), list[str]()
    box.refused.connect(told.append)
    box.selectAll()
    qtbot.keyClick(box, Qt.Key.Key_Delete)
    qtbot.keyClick(box, Qt.Key.Key_Tab)
    assert (box.value(), told) == (10, [])

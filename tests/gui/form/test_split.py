"""A form gets the width that its choices would like, where there is room, or what users give it."""

from __future__ import annotations

from PySide6.QtCore import QPoint, Qt
from PySide6.QtWidgets import QWidget
from pytestqt.qtbot import QtBot

from advisor.studies import STUDIES
from gui.form.editors import ChoiceList
from gui.form.form import ParameterForm
from gui.form.split import FormSplit


def shown(qtbot: QtBot, width: int) -> tuple[FormSplit, ChoiceList]:
    form = ParameterForm(STUDIES["mapping"].record)
    split = FormSplit(form)
    qtbot.addWidget(split)
    split.put_beside(QWidget())
    split.resize(width, 800)
    split.show()
    box = form.editor("network")
    assert isinstance(box, ChoiceList)
    box.setCurrentText("MIT Alewife, messages without arguments")
    return split, box


def is_whole(box: ChoiceList) -> bool:
    box.grab()
    return box.closed_text == box.currentText()


def test_a_wide_page_shows_the_longest_title_and_a_narrow_one_leaves_the_room_to_the_answer(
    qtbot: QtBot,
) -> None:
    split, box = shown(qtbot, 2400)
    qtbot.waitUntil(lambda: is_whole(box))
    wide = split.sizes()
    split.resize(1100, 800)
    qtbot.waitUntil(lambda: not is_whole(box))
    assert split.sizes()[0] == split.area.usual_width
    split.resize(2400, 800)
    qtbot.waitUntil(lambda: is_whole(box))
    assert split.sizes() == wide


def test_a_line_that_the_user_drew_stays(qtbot: QtBot) -> None:
    split, _box = shown(qtbot, 2400)
    handle = split.handle(1)
    at = handle.rect().center()
    qtbot.mousePress(handle, Qt.MouseButton.LeftButton, pos=at)
    qtbot.mouseMove(handle, at + QPoint(200, 0))
    qtbot.mouseRelease(handle, Qt.MouseButton.LeftButton, pos=at + QPoint(200, 0))
    drawn = split.sizes()[0]
    assert drawn > split.area.full_width
    split.resize(2000, 800)
    assert split.sizes()[0] == drawn

"""The wheel scrolls what is around an input, and changes it only while it has the keyboard."""

from __future__ import annotations

import ast
from pathlib import Path

import pytest
from PySide6.QtCore import QPoint, QPointF
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QScrollArea, QVBoxLayout, QWidget
from pytestqt.qtbot import QtBot

from gui.basics.wheel import ChoiceBox, NumberBox, ValueSlider
from tests.gui.keyboard import take_keys

GUI = Path(__file__).parents[3] / "gui"
OWN = {"QSlider", "QComboBox", "QSpinBox", "QDoubleSpinBox", "QDial"}


def turn(widget: QWidget, window: QWidget) -> None:
    at = QPointF(widget.mapTo(window, widget.rect().center()))
    QTest.wheelEvent(window.windowHandle(), at, QPoint(0, -120))


@pytest.mark.parametrize("kind", [ValueSlider, ChoiceBox, NumberBox])
def test_an_input_under_the_pointer_keeps_its_value_while_its_page_scrolls(
    qtbot: QtBot, kind: type[QWidget]
) -> None:
    page, scrolled = QWidget(), QScrollArea()
    qtbot.addWidget(scrolled)
    column = QVBoxLayout(page)
    inputs = [kind() for _ in range(40)]
    for one in inputs:
        column.addWidget(one)
        if isinstance(one, ChoiceBox):
            one.addItems(["a", "b", "c"])
        else:
            one.setRange(0, 9)  # type: ignore[attr-defined]
            one.setValue(5)  # type: ignore[attr-defined]
    scrolled.setWidget(page)
    scrolled.resize(200, 200)
    scrolled.show()
    take_keys(qtbot, scrolled)
    scrolled.setFocus()

    def value(of: QWidget) -> int:
        return of.currentIndex() if isinstance(of, ChoiceBox) else of.value()  # type: ignore[attr-defined,no-any-return]

    before = [value(one) for one in inputs]
    turn(inputs[1], scrolled)
    assert [value(one) for one in inputs] == before
    assert scrolled.verticalScrollBar().value() > 0
    scrolled.verticalScrollBar().setValue(0)
    inputs[1].setFocus()
    turn(inputs[1], scrolled)
    assert value(inputs[1]) != before[1]


def test_every_input_of_the_window_is_one_of_these() -> None:
    made = [
        f"{path.name}: {node.func.id}"
        for path in GUI.rglob("*.py")
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8")))
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id in OWN
    ]
    assert made == []

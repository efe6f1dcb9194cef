"""Errors as the window says them."""

from __future__ import annotations

import pytest
from PySide6.QtCore import Qt
from PySide6.QtGui import QGuiApplication
from PySide6.QtWidgets import QPushButton, QWidget
from pytestqt.qtbot import QtBot

from gui.basics.error_messages import sentence, show_error
from machines.errors import PlacewiseError


@pytest.mark.parametrize(
    ("where", "said"),
    [
        ("", "The search process ended unexpectedly (got 3). Start it again"),
        ("cluster.toml", "cluster.toml: the search process ended unexpectedly (got 3)."),
    ],
)
def test_an_error_begins_with_a_capital_unless_it_begins_with_a_name(where: str, said: str) -> None:
    what = "the search process ended unexpectedly"
    error = PlacewiseError(what, where=where, value=3, remedy="Start it again")
    assert sentence(error).startswith(said)
    assert str(error).endswith(f"{what} (got 3). Start it again")  # as the command line says it


def test_return_closes_the_dialog_of_an_error_and_copies_nothing(qtbot: QtBot) -> None:
    window = QWidget()
    qtbot.addWidget(window)
    window.show()
    QGuiApplication.clipboard().setText("mine")
    dialog = show_error(window, "This can't be opened", PlacewiseError("the file is empty"))
    focus = dialog.focusWidget()
    assert isinstance(focus, QPushButton)
    assert "Close" in focus.text()
    qtbot.waitUntil(focus.hasFocus)
    with qtbot.waitSignal(dialog.finished):
        qtbot.keyClick(focus, Qt.Key.Key_Return)
    assert QGuiApplication.clipboard().text() == "mine"

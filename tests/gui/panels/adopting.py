"""What tests of adopting a plan by decision share: the open menu, and its entries by keys."""

from __future__ import annotations

from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QToolButton
from pytestqt.qtbot import QtBot

from gui.basics.literal_menu import plain
from gui.panels.compare_panel import ComparePanel


def open_menu(qtbot: QtBot, panel: ComparePanel) -> dict[str, str]:
    """Open the button's menu, without its loop; {entry: text} once all gains are there."""
    button = next(
        one
        for one in panel.findChildren(QToolButton)
        if one.defaultAction() is panel.commands["adopt"]
    )
    assert button.isEnabled()
    assert button.popupMode() is QToolButton.ToolButtonPopupMode.InstantPopup
    menu = panel.adopt_menu
    assert button.defaultAction().menu() is menu
    menu.popup(button.mapToGlobal(button.rect().bottomLeft()))
    qtbot.waitUntil(panel.adopt_menu.isVisible)
    qtbot.waitUntil(lambda: not any(text.endswith(": …") for text in texts(panel).values()))
    return texts(panel)


def texts(panel: ComparePanel) -> dict[str, str]:
    """{name of an entry: its text}"""
    return {
        one.objectName().removeprefix("adopt_"): plain(one.text()).replace("\t", ": ")
        for one in panel.adopt_menu.actions()
        if not one.isSeparator()
    }


def choose_entry(panel: ComparePanel, name: str) -> None:
    """Go down to an entry of the open menu and choose it, by keys."""
    menu = panel.adopt_menu
    wanted = next(one for one in menu.actions() if one.objectName() == f"adopt_{name}")
    for _ in menu.actions():
        QTest.keyClick(menu, Qt.Key.Key_Down)
        if menu.activeAction() is wanted:
            QTest.keyClick(menu, Qt.Key.Key_Return)
            return
    raise AssertionError(name)

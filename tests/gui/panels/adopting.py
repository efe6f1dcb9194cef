"""What tests of adopting a plan by decision share: a project with such a plan, and the menu."""

from __future__ import annotations

from dataclasses import replace

from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QToolButton
from pytestqt.qtbot import QtBot

from advisor.allocation.plan import Plan
from advisor.decisions.registry import known
from advisor.programs.choices.style import style_named
from advisor.project.project import Pin, Project
from gui.basics.menu import plain
from gui.panels.compare import ComparePanel
from tests.choosing import ALIGN, DIRECT, SPECTRA, choosing

LONG = style_named("asynchronous-long-non-blocking")


def with_pin() -> Project:
    """Pinned: all on the second machine, long messages, 256 blocks, the monitor's tree on svc.

    So many blocks leave align no room on the first machine.
    """
    project, kinds = choosing(), known()
    problem, plan = project.problem(), Plan((DIRECT, DIRECT, DIRECT))
    plan = kinds["style"].put(problem, plan, SPECTRA, LONG)
    plan = kinds["block"].put(problem, plan, ALIGN, 256)
    apart = next(
        one for one in kinds["tree"].options(problem, plan, 0) if set(one.internal) == {"svc"}
    )
    plan = kinds["tree"].put(problem, plan, 0, apart)
    return replace(project, pins=(Pin("pin A", plan),))


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

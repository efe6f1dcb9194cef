"""Plan › Check with SimGrid: found, worked by keys, seen in the status bar, and ended."""

from __future__ import annotations

from pathlib import Path

import pytest
from PySide6.QtCore import Qt
from pytestqt.qtbot import QtBot

from gui.basics.literal_menu import plain
from gui.shell.main_window import MainWindow
from tests.gui.endless_simgrid import EndlessSimGrid, ended
from tests.simgrid_python import simgrid_here


@pytest.fixture
def endless(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> EndlessSimGrid:
    return EndlessSimGrid(tmp_path, monkeypatch)


def test_it_is_in_the_plan_menu_and_found_by_its_name(window: MainWindow) -> None:
    assert window.commands["check_simgrid"].isEnabled()
    menus = {plain(menu.text()): menu.menu() for menu in window.menuBar().actions()}
    assert window.commands["check_simgrid"] in menus["Plan"].actions()
    found = window.toolbar.search._find("simgrid")
    assert "Check with SimGrid" in [finding.text for finding in found]


def test_its_key_opens_the_dock_with_the_result(qtbot: QtBot, window: MainWindow) -> None:
    simgrid_here()
    with qtbot.waitSignal(window.checker.checked):
        qtbot.keyClick(
            window,
            Qt.Key.Key_G,
            Qt.KeyboardModifier.ControlModifier | Qt.KeyboardModifier.ShiftModifier,
        )
    assert window.docks["check"].isVisible()
    assert "agrees" in window.panel("check").sentence.text()  # type: ignore[attr-defined]
    assert window.commands["check_simgrid"].isEnabled()


@pytest.mark.usefixtures("unasked")
def test_the_status_bar_shows_how_far_it_is_and_cancels_it(
    qtbot: QtBot, window: MainWindow, endless: EndlessSimGrid
) -> None:
    # the search for this small workload is a job, too
    qtbot.waitUntil(lambda: window.advisor.advice is not None)
    with qtbot.waitSignal(window.checker.progress):
        window.commands["check_simgrid"].trigger()
    assert not window.commands["check_simgrid"].isEnabled()
    qtbot.waitUntil(window.line.bar.isVisible)
    assert "SimGrid" in window.line.job.text()
    assert window.line.bar.value() == 500
    process = endless.process(qtbot)
    qtbot.mouseClick(window.line.cancel_button, Qt.MouseButton.LeftButton)
    qtbot.waitUntil(lambda: ended(process))
    assert not window.line.job.isVisible()
    assert window.commands["check_simgrid"].isEnabled()


def test_closing_the_window_ends_it(
    qtbot: QtBot, window: MainWindow, endless: EndlessSimGrid
) -> None:
    window.commands["check_simgrid"].trigger()
    process = endless.process(qtbot)
    window.document.undo_stack.setClean()
    window.close()
    assert not window.checker.is_busy
    qtbot.waitUntil(lambda: ended(process))

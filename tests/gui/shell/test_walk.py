"""The first hour: from File › New to an answer, what if, scripts and a report, in forty clicks."""

from __future__ import annotations

from pathlib import Path

import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QFileDialog, QMenu, QToolButton, QWidget
from pytestqt.qtbot import QtBot

from gui.basics.error_messages import ErrorDialog
from gui.panels.answer_strip import AnswerStrip
from gui.panels.what_if import WhatIfPanel
from gui.shell.main_window import MainWindow
from tests.gui.keyboard import take_keys
from tests.gui.model.conftest import CTRL, LEFT, Hand
from tests.gui.model.test_model_tables import NINE

pytestmark = pytest.mark.usefixtures("unasked")

MOST_CLICKS = 40
INSERT, TAB, RETURN = Qt.Key.Key_Insert, Qt.Key.Key_Tab, Qt.Key.Key_Return


class Walker:
    """Works the window, counts clicks, and stops at an error dialog."""

    def __init__(self, qtbot: QtBot, window: MainWindow) -> None:
        self.qtbot, self.window, self.clicks = qtbot, window, 0

    def click(self, widget: QWidget) -> None:
        assert widget.isVisible(), widget.objectName()
        assert widget.isEnabled(), widget.objectName()
        self.clicks += 1
        QTest.mouseClick(widget, LEFT)
        self.no_error()

    def choose(self, menu: QMenu, name: str) -> None:
        """Open a menu and click an entry: two clicks."""
        action = self.window.commands[name]
        assert action in menu.actions()
        self.qtbot.waitUntil(action.isEnabled)
        menu.popup(self.window.mapToGlobal(self.window.rect().topLeft()))
        self.clicks += 2
        QTest.mouseClick(menu, LEFT, pos=menu.actionGeometry(action).center())
        self.no_error()

    def menu(self, name: str) -> QMenu:
        found = self.window.findChild(QMenu, f"menu_{name}")
        assert found is not None, name
        return found

    def save(self, name: str, path: Path) -> None:
        """Export by the menu of the toolbar's button, into a file."""
        button = self.window.findChild(QToolButton, "toolbar_export")
        assert button is not None
        self.choose(button.menu(), name)
        dialog = self.window.findChild(QFileDialog)
        assert dialog is not None
        self.clicks += 1  # its Save
        dialog.fileSelected.emit(str(path))
        dialog.close()
        dialog.setParent(None)
        dialog.deleteLater()
        self.qtbot.waitUntil(lambda: any(path.parent.glob(f"{path.stem}*")))
        self.no_error()

    def no_error(self) -> None:
        error = self.window.findChild(ErrorDialog)
        assert error is None, error and error.text()


def three_machines(walker: Walker, hand: Hand) -> None:
    """Two more machines, faster ones, and links between all, by keys."""
    for kind, rows in (
        ("machines", (("n1", "2", "2"), ("n2", "4", "0.5"))),
        ("links", (("", "", "1 ms", "10 MB/s"),) * 3),
    ):
        walker.clicks += 1
        hand.tab(kind)
        for row in rows:
            hand.key(INSERT)
            for text in row[:-1]:
                hand.write(text)
                hand.key(TAB)
            hand.write(row[-1])
            hand.key(RETURN)
    walker.no_error()


def nine_tasks(walker: Walker, hand: Hand) -> None:
    """One table, pasted."""
    walker.clicks += 1
    hand.tab("tasks")
    QApplication.clipboard().setText(NINE)
    hand.key(Qt.Key.Key_V, CTRL)
    dialog = hand.panel.dialog
    assert dialog is not None
    walker.click(dialog.add)


def answered(walker: Walker) -> None:
    """The advice is asked for, and taken where it is better."""
    window, advisor = walker.window, walker.window.advisor
    strip = window.panel("answer")
    assert isinstance(strip, AnswerStrip)
    walker.qtbot.waitUntil(
        lambda: (
            advisor.advice is not None
            and advisor.advice.answers(window.document.project)
            and not advisor.is_busy
        )
    )
    if strip.apply.isEnabled():
        walker.click(strip.apply)
    assert "<b>" in strip.result.text()


def asks_what_if(walker: Walker) -> None:
    """The bars, two of them as a map, and back."""
    walker.choose(walker.menu("analyse"), "panel_what_if")
    panel = walker.window.panel("what_if")
    assert isinstance(panel, WhatIfPanel)
    walker.qtbot.waitUntil(lambda: bool(panel.chart.bars) and not panel.chart.dimmed)
    loads = [place for place, bar in enumerate(panel.chart.bars) if bar.assumption.load]
    for place in loads[:2]:
        walker.clicks += 1
        QTest.mouseClick(panel.chart, LEFT, pos=panel.chart.row_middle(place).toPoint())
    assert panel.stack.currentWidget() is panel.map_panel
    walker.qtbot.waitUntil(lambda: panel.map_panel.map.picture is not None)
    walker.click(panel.back_button)


def test_from_new_to_scripts_and_a_report_in_forty_clicks_and_one_paste(
    qtbot: QtBot, window: MainWindow, tmp_path: Path
) -> None:
    window.resize(1280, 800)
    walker, before = Walker(qtbot, window), window.document.project
    walker.choose(walker.menu("file"), "new")
    qtbot.waitUntil(lambda: window.document.project is not before)
    walker.choose(walker.menu("analyse"), "panel_model_tables")
    qtbot.waitUntil(lambda: window.lazy["model_tables"].widget is not None)
    take_keys(qtbot, window)
    hand = Hand(qtbot, window)
    qtbot.waitUntil(hand.panel.isVisible)

    three_machines(walker, hand)
    nine_tasks(walker, hand)
    project = window.document.project
    assert [len(project.platform.machines), len(project.platform.links)] == [3, 3]
    assert [len(project.workload.tasks), len(project.workload.flows)] == [9, 13]
    answered(walker)
    asks_what_if(walker)
    walker.save("export_as_slurm", tmp_path / "job.sh")
    walker.save("export_as_dask", tmp_path / "flow.py")
    walker.save("report", tmp_path / "answer.html")

    assert "sbatch" in (tmp_path / "job.sh").read_text(encoding="utf-8")
    assert "dask" in (tmp_path / "flow.py").read_text(encoding="utf-8")
    qtbot.waitUntil((tmp_path / "answer.html").exists)
    assert walker.clicks <= MOST_CLICKS

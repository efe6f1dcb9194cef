"""The trees study in its panel: what is changed in the picture goes through the form and back."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from PySide6.QtCore import QPoint, Qt
from pytestqt.qtbot import QtBot

from advisor.studies.trees.study import STUDY
from advisor.trees.topgen_spec import parse_spec
from advisor.trees.tree_picture import OWN
from gui.document.document import Document
from gui.studies.page.study_panel import StudyPanel
from gui.studies.tree.tree_view import TreeView
from tests.gui.pointer import move
from tests.gui.studies.hands import settled

LEFT = Qt.MouseButton.LeftButton


@pytest.fixture
def panel(qtbot: QtBot, document: Document) -> Iterator[StudyPanel]:
    panel = StudyPanel(document, STUDY)
    qtbot.addWidget(panel)
    panel.form.set_values({"back_ends": 16})
    panel.resize(1200, 700)
    panel.show()
    answered(qtbot, panel)
    yield panel
    panel.close()


def answered(qtbot: QtBot, panel: StudyPanel) -> None:
    qtbot.waitUntil(lambda: panel.result is not None and not panel.running.is_busy)
    settled(qtbot, view_of(panel))


def view_of(panel: StudyPanel) -> TreeView:
    view = panel.findChild(TreeView)
    assert isinstance(view, TreeView)
    return view


def test_a_tree_of_ones_own_goes_through_the_form_and_keeps_its_steps(
    qtbot: QtBot, panel: StudyPanel
) -> None:
    view, canvas = view_of(panel), view_of(panel).canvas
    start, end = canvas.place_of(2), canvas.place_of(1)
    assert start is not None
    assert end is not None
    qtbot.mousePress(canvas, LEFT, pos=start.center().toPoint())
    move(canvas, start.center().toPoint() + QPoint(15, 15), end.center().toPoint())
    qtbot.mouseRelease(canvas, LEFT, pos=end.center().toPoint())
    settled(qtbot, view)
    own = view.shown
    assert own is not None
    values = panel.form.values()
    assert values is not None
    assert parse_spec(str(values["own"])).is_like(own.tree)
    answered(qtbot, panel)
    assert view.picture is not None
    assert view.picture.own is not None
    assert view.picture.own.tree.is_like(own.tree)
    assert view.bar.choice.currentData() == OWN
    qtbot.mouseClick(view.bar.undo, LEFT)
    answered(qtbot, panel)
    values = panel.form.values()
    assert values is not None
    assert values["own"] == ""
    assert view.own is None
    assert view.undo_stack.canRedo()


def test_a_tree_written_into_the_form_is_shown(qtbot: QtBot, panel: StudyPanel) -> None:
    panel.form.set_values({"own": "b:4^2"})
    answered(qtbot, panel)
    qtbot.waitUntil(lambda: view_of(panel).bar.choice.currentData() == OWN)
    assert view_of(panel).undo_stack.count() == 0

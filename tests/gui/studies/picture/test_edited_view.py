"""What every picture that is edited does alike, tried on both."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import pytest
from PySide6.QtCore import QEvent, Qt
from PySide6.QtGui import QKeyEvent
from PySide6.QtWidgets import QApplication
from pytestqt.qtbot import QtBot

from gui.studies.picture.picture_cases import Own
from tests.gui.exporting import export
from tests.gui.studies.conftest import SMALL, picture_of
from tests.gui.studies.hands import LEFT, View, choose, settled, told_by
from tests.gui.studies.tree_pictures import tree_picture

KEYS = [Qt.Key.Key_Return, Qt.Key.Key_Right, Qt.Key.Key_Return]


@dataclass(frozen=True)
class Kind:
    """A picture, the fixture that shows it, a case that is not its best."""

    fixture: str
    picture: Callable[[], object]
    other: str
    with_own: Callable[[Own[Any]], object]  # the same with an own case


@pytest.fixture(
    params=[
        Kind(
            "shown",
            lambda: picture_of(SMALL),
            "row-major",
            lambda own: picture_of(replace(SMALL, own=own.text)),
        ),
        Kind(
            "tree_shown",
            tree_picture,
            "balanced 4-way",
            lambda own: tree_picture(own=own.case.tree),
        ),
    ],
    ids=["mapping", "tree"],
)
def kind(request: pytest.FixtureRequest) -> Kind:
    return request.param  # type: ignore[no-any-return]


@pytest.fixture
def view(kind: Kind, request: pytest.FixtureRequest) -> View:
    return request.getfixturevalue(kind.fixture)(kind.picture())  # type: ignore[no-any-return]


@pytest.mark.parametrize("key", [Qt.Key.Key_Z, Qt.Key.Key_Y])
def test_undo_and_redo_in_the_picture_are_not_the_windows(view: View, key: Qt.Key) -> None:
    event = QKeyEvent(QEvent.Type.ShortcutOverride, key, Qt.KeyboardModifier.ControlModifier)
    event.ignore()
    QApplication.sendEvent(view.canvas, event)
    assert event.isAccepted()


def test_who_chooses_the_best_follows_it(qtbot: QtBot, view: View, kind: Kind) -> None:
    best = view.bar.choice.currentData()
    choose(qtbot, view, kind.other)
    assert view.shown is not None
    assert (view.chosen, view.shown.name) == (kind.other, kind.other)
    assert view.bar.best.isEnabled()
    qtbot.mouseClick(view.bar.best, LEFT)
    settled(qtbot, view)
    assert (view.chosen, view.shown.name) == ("", best)
    assert view.undo_stack.count() == 0
    choose(qtbot, view, kind.other)
    choose(qtbot, view, best)
    assert view.chosen == ""


def edit(qtbot: QtBot, view: View, kind: Kind) -> None:
    """Make an own case of another one."""
    choose(qtbot, view, kind.other)
    view.canvas.setFocus()
    view.canvas.set_cursor(1)
    for key in KEYS:
        qtbot.keyClick(view.canvas, key)
    settled(qtbot, view)


def test_an_edit_becomes_the_own_case_and_undo_tells_the_form(
    qtbot: QtBot, view: View, kind: Kind
) -> None:
    told = told_by(view)
    edit(qtbot, view, kind)
    assert view.bar.choice.currentData() == view.own_name
    assert view.own is not None
    assert told == [{"own": view.own.text}]
    qtbot.mouseClick(view.bar.undo, LEFT)
    settled(qtbot, view)
    assert view.bar.choice.currentData() == kind.other
    assert told[1:] == [{"own": ""}]


def test_an_answer_that_comes_while_a_step_is_undone_brings_nothing_back(
    qtbot: QtBot, view: View, kind: Kind
) -> None:
    edit(qtbot, view, kind)
    assert view.own is not None
    late = kind.with_own(view.own)
    view.edited.connect(lambda _values: view.set_picture(late))
    view.undo_stack.undo()
    settled(qtbot, view)
    assert view.own is None
    assert view.undo_stack.canRedo()
    view.undo_stack.redo()
    settled(qtbot, view)
    assert view.bar.choice.currentData() == view.own_name


def test_an_old_picture_is_dimmed(view: View) -> None:
    view.set_dimmed(True)
    assert view.canvas.dimmed
    view.set_dimmed(False)
    assert not view.canvas.dimmed


def test_a_picture_of_another_kind_is_not_taken(view: View) -> None:
    before = view.newest
    view.set_picture(object())
    assert view.newest is before


@pytest.mark.parametrize("suffix", ["svg", "pdf", "png"])
def test_the_picture_is_exported(qtbot: QtBot, view: View, tmp_path: Path, suffix: str) -> None:
    path = tmp_path / f"picture.{suffix}"
    export(qtbot, view.exports, path)
    assert len(path.read_bytes()) > 300

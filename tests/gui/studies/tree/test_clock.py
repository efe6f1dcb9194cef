"""Operations on a tree, played and dragged through in model time."""

from __future__ import annotations

from collections.abc import Callable
from itertools import count

import numpy as np
import pytest
from PySide6.QtCore import Qt
from pytestqt.qtbot import QtBot

from advisor.trees.tree_picture import TreePicture
from gui.basics.settings import Settings
from gui.studies.tree import clock as tree_clock
from gui.studies.tree.tree_drawing import REDUCTION
from gui.studies.tree.tree_painter import shares_done
from gui.studies.tree.tree_view import TreeView
from tests.gui.studies.tree_pictures import tree_picture

LEFT = Qt.MouseButton.LeftButton
Shown = Callable[[TreePicture], TreeView]


@pytest.fixture(autouse=True)
def quick(monkeypatch: pytest.MonkeyPatch) -> None:
    """An operation runs in 0.1 s, of which each look takes 0.02."""
    looks = count()
    monkeypatch.setattr(tree_clock, "RUN_S", 0.1)
    monkeypatch.setattr(tree_clock, "now_s", lambda: 0.02 * next(looks))


def test_an_operation_is_played_to_its_end_and_the_timer_stops(
    qtbot: QtBot, tree_view: TreeView
) -> None:
    seen: list[float] = []
    tree_view.clock.moved.connect(seen.append)
    qtbot.mouseClick(tree_view.clock.play, LEFT)
    assert tree_view.clock.is_playing
    assert tree_view.clock.play.text() == "Pause"
    qtbot.waitUntil(lambda: not tree_view.clock.is_playing)
    assert seen == pytest.approx([7.2, 14.4, 21.6, 28.8, 36.0])
    assert tree_view.clock.label.text() == "36.0 µs of 36.0 µs"
    assert tree_view.canvas.time == 36.0
    assert tree_view.clock.play.text() == "Play"


def test_space_in_the_picture_plays_and_pauses(qtbot: QtBot, tree_view: TreeView) -> None:
    qtbot.keyClick(tree_view.canvas, Qt.Key.Key_Space)
    assert tree_view.clock.is_playing
    qtbot.keyClick(tree_view.canvas, Qt.Key.Key_Space)
    assert not tree_view.clock.is_playing


def test_the_slider_shows_any_moment_with_the_keyboard(qtbot: QtBot, tree_view: TreeView) -> None:
    assert tree_view.clock.label.text() == "0 of 36.0 µs"
    slider = tree_view.clock.slider
    slider.setFocus()
    for _ in range(10):
        qtbot.keyClick(slider, Qt.Key.Key_PageUp)
    assert tree_view.clock.time == pytest.approx(18.0)
    assert tree_view.clock.label.text() == "18.0 µs of 36.0 µs"
    assert tree_view.canvas.time == tree_view.clock.time


def test_another_operation_shows_its_own_path_from_the_start(
    qtbot: QtBot, tree_view: TreeView
) -> None:
    tree_view.clock.slider.setValue(500)
    combo = tree_view.clock.operation
    combo.setFocus()
    qtbot.keyClick(combo, Qt.Key.Key_Down)
    assert tree_view.clock.time == 0.0
    assert tree_view.canvas.operation == REDUCTION
    assert "Delivered" in tree_view.canvas.hint_at(
        tree_view.canvas.place_of(1).center()  # type: ignore[union-attr]
    )


def test_where_motion_is_off_only_the_slider_is_left(tree_shown: Shown) -> None:
    Settings().animations = False
    view = tree_shown(tree_picture())
    assert not view.clock.play.isVisible()
    assert view.clock.slider.isVisible()
    view.clock.toggle()
    assert not view.clock.is_playing


def test_what_is_hidden_does_not_play(tree_view: TreeView) -> None:
    tree_view.clock.toggle()
    assert tree_view.clock.is_playing
    tree_view.hide()
    assert not tree_view.clock.is_playing


def test_bundles_fill_by_the_exact_share_of_their_back_ends(tree_shown: Shown) -> None:
    view = tree_shown(tree_picture(512, fanout=8))
    scene, drawing = view.canvas.scene, view.drawing
    assert scene is not None
    assert drawing is not None
    for run in (drawing.broadcast, drawing.reduction):
        for time in np.linspace(0.0, run.times.latency, 7):
            shares = shares_done(run, scene, float(time))
            for (start, end), share in zip(scene.back_ends, shares, strict=True):
                processes = drawing.layout.back_ends[start:end]
                informed = [run.times.done[each] <= time for each in processes]
                assert share == pytest.approx(np.mean(informed))
        assert (shares_done(run, scene, run.times.latency) == 1.0).all()


def test_every_moment_is_painted(qtbot: QtBot, tree_view: TreeView) -> None:
    canvas = tree_view.canvas
    before = canvas.grab().toImage()
    for operation in (0, 1):
        tree_view.clock.operation.setCurrentIndex(operation)
        tree_view.clock.slider.setValue(600)
        assert canvas.grab().toImage() != before

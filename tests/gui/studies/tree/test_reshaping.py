"""Fan-outs and levels of a tree, changed from the bar and the context menu."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from PySide6.QtCore import QPoint, Qt
from PySide6.QtWidgets import QMenu
from pytestqt.qtbot import QtBot

from advisor.models.process_tree import Tree, balanced, flat, kary
from advisor.trees.tree_edits import merge_level, refan, refan_level, split_level
from advisor.trees.tree_picture import OWN, TreePicture
from gui.basics.literal_menu import plain
from gui.studies.tree.reshaping import LEVEL
from gui.studies.tree.tree_view import TreeView
from tests.gui.studies.hands import settled
from tests.gui.studies.tree_pictures import tree_picture

LEFT = Qt.MouseButton.LeftButton
Shown = Callable[[TreePicture], TreeView]


@pytest.fixture
def deep(qtbot: QtBot, tree_shown: Shown) -> TreeView:
    """kary(4, 3), process 1 chosen."""
    view = tree_shown(tree_picture(64, own=kary(4, 3)))
    assert view.bar.choice.currentData() == OWN
    place = view.canvas.place_of(1)
    assert place is not None
    qtbot.mouseClick(view.canvas, LEFT, pos=place.center().toPoint())
    return view


def tree(view: TreeView) -> Tree:
    assert view.shown is not None
    return view.shown.tree


def choices(menu: QMenu) -> dict[str, object]:
    """Its actions by their text, menus within it opened."""
    found: dict[str, object] = {}
    for action in menu.actions():
        inner = action.menu()
        if isinstance(inner, QMenu):
            for each in inner.actions():
                found[f"{plain(action.text())}: {plain(each.text())}"] = each
        else:
            found[plain(action.text())] = action
    return found


def test_the_fan_out_below_a_process_is_changed_with_the_keyboard(
    qtbot: QtBot, deep: TreeView
) -> None:
    spin = deep.reshaping.number
    assert spin.value() == 4
    spin.setFocus()
    spin.selectAll()
    qtbot.keyClicks(spin, "16")
    qtbot.keyClick(spin, Qt.Key.Key_Return)
    settled(qtbot, deep)
    assert tree(deep).is_like(refan(kary(4, 3), 1, 16).tree)
    assert deep.canvas.cursor_node == 1
    assert deep.undo_stack.undoText() == "fan-out 16 below process 1"


def test_each_step_of_the_number_is_one_edit_and_the_number_stays(
    qtbot: QtBot, deep: TreeView
) -> None:
    spin = deep.reshaping.number
    spin.setFocus()
    for wanted in (5, 6):
        qtbot.keyClick(spin, Qt.Key.Key_Up)
        settled(qtbot, deep)
        assert spin.value() == wanted
    assert deep.undo_stack.count() in {1, 2}  # 5 and 6 make fan-outs 4 and 3 of 16 back-ends
    assert tree(deep).is_like(refan(kary(4, 3), 1, 6).tree)
    deep.undo_stack.undo()
    settled(qtbot, deep)
    assert spin.value() == 4


def test_the_fan_out_of_a_whole_level(qtbot: QtBot, deep: TreeView) -> None:
    deep.reshaping.scope.setFocus()
    qtbot.keyClick(deep.reshaping.scope, Qt.Key.Key_Down)
    assert deep.reshaping.scope.currentData() == LEVEL
    deep.reshaping.number.setFocus()
    deep.reshaping.number.selectAll()
    qtbot.keyClicks(deep.reshaping.number, "16")
    qtbot.keyClick(deep.reshaping.number, Qt.Key.Key_Return)
    settled(qtbot, deep)
    assert tree(deep).is_like(refan_level(kary(4, 3), 1, 16).tree)


def test_a_level_is_split_and_merged_from_the_bar(qtbot: QtBot, deep: TreeView) -> None:
    qtbot.mouseClick(deep.reshaping.split_button, LEFT)
    settled(qtbot, deep)
    assert tree(deep).is_like(split_level(kary(4, 3), 1, 2).tree)
    qtbot.mouseClick(deep.reshaping.merge_button, LEFT)
    settled(qtbot, deep)
    assert tree(deep).is_like(merge_level(split_level(kary(4, 3), 1, 2).tree, 1).tree)
    assert deep.canvas.cursor_node == 0
    assert deep.undo_stack.count() == 2
    for _ in range(2):
        deep.undo_stack.undo()
        settled(qtbot, deep)
    assert tree(deep).is_like(kary(4, 3))


def test_the_menu_does_the_same(qtbot: QtBot, deep: TreeView) -> None:
    menu = deep.reshaping.menu(deep)
    found = choices(menu)
    assert "Split level 1 into groups of 2" in found
    found["Fan-out below process 1: 2"].trigger()  # type: ignore[attr-defined]
    settled(qtbot, deep)
    assert tree(deep).is_like(refan(kary(4, 3), 1, 2).tree)
    menu.deleteLater()


def test_the_menu_opens_in_the_picture(qtbot: QtBot, deep: TreeView) -> None:
    deep.canvas.customContextMenuRequested.emit(QPoint(20, 20))
    menu = deep.findChild(QMenu, "tree_menu")
    assert isinstance(menu, QMenu)
    qtbot.waitUntil(menu.isVisible)
    assert "Export picture…" in [plain(action.text()) for action in menu.actions()]
    menu.close()


def test_what_a_back_end_can_not_do_is_off(qtbot: QtBot, deep: TreeView) -> None:
    deep.canvas.setFocus()
    for _ in range(2):
        qtbot.keyClick(deep.canvas, Qt.Key.Key_Down)
    assert tree(deep).fanouts[deep.canvas.cursor_node] == 0
    for widget in (
        deep.reshaping.number,
        deep.reshaping.scope,
        deep.reshaping.split_button,
        deep.reshaping.merge_button,
    ):
        assert not widget.isEnabled()
    assert [action.isEnabled() for action in deep.reshaping.menu(deep).actions()] == [False]


def test_the_front_ends_level_is_split_but_not_merged(tree_shown: Shown) -> None:
    view = tree_shown(tree_picture(16, own=flat(16)))
    assert view.reshaping.split_button.isEnabled()
    assert "groups of at most 4" in view.reshaping.split_button.toolTip()
    assert not view.reshaping.merge_button.isEnabled()


def test_an_edit_that_changes_nothing_is_no_step(qtbot: QtBot, tree_shown: Shown) -> None:
    view = tree_shown(tree_picture(16, own=balanced(16, 4)))
    view.reshaping.refan(5, level=False)  # makes fan-outs of 4
    settled(qtbot, view)
    assert view.undo_stack.count() == 0
    assert "already" in view.readout.text()

"""What the keyboard does on a board view: move the focus, open, select, pick up, aim and drop."""

from __future__ import annotations

from PySide6.QtCore import Qt
from PySide6.QtGui import QKeyEvent

from gui.board.items import ItemView
from gui.document.document import Selection

Key = Qt.Key
_ENTER = (Key.Key_Return, Key.Key_Enter)
_MOVES = (
    *(Key.Key_Left, Key.Key_Right, Key.Key_Up, Key.Key_Down),
    *(Key.Key_Home, Key.Key_End),
)
_SHIFT = Qt.KeyboardModifier.ShiftModifier
_CTRL = Qt.KeyboardModifier.ControlModifier
_STEP = 1.25


def handle(surface: ItemView, event: QKeyEvent) -> bool:
    """Do what a key press asks for; False leaves the event to others."""
    key = Key(event.key())
    if key == Key.Key_Escape:
        return _escape(surface)
    if surface.carrying.active:
        return _aim(surface, key)
    if key in _MOVES and not event.modifiers() & _CTRL:
        return _go(surface, key, extend=bool(event.modifiers() & _SHIFT))
    if key in _ENTER and surface.current is not None:
        return _pick_up(surface, surface.current)
    if key == Key.Key_L:
        return surface.toggle_loads(everything=bool(event.modifiers() & _SHIFT))
    return _view(surface, key)


def toggle_current(surface: ItemView) -> None:
    """Select the task in focus, or take it out of the selection."""
    if surface.ready and surface.current is not None and not surface.carrying.active:
        tasks = frozenset(surface.item_tasks(surface.item_of(surface.current)).tolist())
        chosen = surface.document.selection.tasks
        chosen = chosen - tasks if tasks <= chosen else chosen | tasks
        surface.document.select(Selection(tasks=chosen))


def _escape(surface: ItemView) -> bool:
    if not surface.cancel_gesture():
        if surface.carrying.active:
            surface.carrying.cancel()
        elif surface.current is not None and surface.close_item(surface.item_of(surface.current)):
            pass
        elif surface.document.selection != Selection():
            surface.document.select(Selection())
        else:
            return False
    surface.viewport().update()
    return True


def _aim(surface: ItemView, key: Qt.Key) -> bool:
    """With tasks in hand: up and down choose the machine, Enter drops."""
    carrying = surface.carrying
    if key in _ENTER:
        carrying.drop()
        return True
    machines = len(surface.document.project.platform.machines)
    at = carrying.target
    if at is None:
        at = surface.document.project.plan.allocation[carrying.lead or 0]
    steps = {Key.Key_Up: -1, Key.Key_Down: 1, Key.Key_Home: -machines, Key.Key_End: machines}
    if key not in steps:
        return key in _MOVES
    target = surface.lane_beside(at, steps[key])
    carrying.aim(target)
    surface.reveal_lane(target)
    return True


def _go(surface: ItemView, key: Qt.Key, extend: bool) -> bool:
    """Move the focus to a neighbour; with Shift it joins the selection."""
    if not surface.ready:
        return False
    if surface.current is None:
        item: int | None = surface.first_item()
    else:
        item = surface.neighbour(surface.item_of(surface.current), key)
    if item is None:
        return True
    tasks = surface.item_tasks(item)
    surface.set_current(int(tasks[0]), announce=True)
    surface.reveal(item)
    if extend:
        chosen = surface.document.selection.tasks | frozenset(tasks.tolist())
        surface.document.select(Selection(tasks=chosen))
    return True


def _pick_up(surface: ItemView, current: int) -> bool:
    if not surface.ready or not surface.movable:
        return False
    if surface.open_item(surface.item_of(current)):
        return True
    chosen = surface.document.selection.tasks
    if current not in chosen:
        chosen = frozenset(surface.item_tasks(surface.item_of(current)).tolist())
    surface.carrying.pick_up(chosen, current)
    return True


def _view(surface: ItemView, key: Qt.Key) -> bool:
    if key == Key.Key_F:
        surface.fit()
    elif key in (Key.Key_Plus, Key.Key_Equal):
        surface.zoom(_STEP)
    elif key == Key.Key_Minus:
        surface.zoom(1 / _STEP)
    else:
        return False
    return True

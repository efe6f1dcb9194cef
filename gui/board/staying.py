"""Cards that stay where they are while a graph is drawn: places by task, pure arrays without Qt.

After an edit, tasks that were there keep their places; new ones lie where they were drawn, else
beside the tasks that they follow, where there is room. `Layers` as laid out come with *Tidy*.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace

import numpy as np

from gui.board.layers import Layers
from machines.arrays import Flags, Floats

Place = tuple[float, float]  # column and row
_ACROSS, _DOWN = 0.85, 0.9  # nearer in both, two cards would cover each other
_MOST_NEW = 0.5  # of all tasks: beyond it is another graph


def renamed(before: Sequence[str], after: Sequence[str]) -> dict[str, str]:
    """New names of tasks that only have another name: name after → name before."""
    if len(before) != len(after):
        return {}
    known = set(before)
    return {
        new: old
        for old, new in zip(before, after, strict=True)
        if new != old and new not in known and old not in after
    }


def stay(
    layers: Layers, names: Sequence[str], kept: Mapping[str, Place], wished: Place | None
) -> Layers:
    """The layers with the places that tasks had.

    `layers`: a card for each task. `kept`: places by task, also of tasks that are gone, which may
    come back. `wished`: where the first new task is to lie; others without flows lie below it.
    """
    fresh = [task for task, name in enumerate(names) if name not in kept]
    if len(fresh) > _MOST_NEW * len(names):
        return layers
    column, place = layers.column.copy(), layers.place.copy()
    for task, name in enumerate(names):
        if name in kept:
            column[task], place[task] = kept[name]
    lying = np.ones(len(names), dtype=np.bool_)
    lying[fresh] = False
    last: Place | None = None
    for task in fresh:
        if wished is not None:
            column[task], place[task] = last = wished
            wished = None
        else:
            column[task], place[task] = last = _beside(layers, task, column, place, lying, last)
        lying[task] = True
    return replace(layers, column=column, place=place, starts=np.unique(column))


def below(layers: Layers, cards: Sequence[int]) -> Place:
    """Room below these cards, in the column of the first of them."""
    column, place = layers.column, layers.place
    wanted = float(column[cards].min()), float(place[cards].max()) + 1.0
    return _free(*wanted, column, place)


def _beside(
    layers: Layers, task: int, column: Floats, place: Floats, lying: Flags, last: Place | None
) -> Place:
    """Behind the tasks that it follows, near their middle; else below `last` or the first column.

    `last`: where the new task before it lies.
    """
    before = layers.sources[(layers.targets == task) & lying[layers.sources]]
    after = layers.targets[(layers.sources == task) & lying[layers.targets]]
    if before.size:
        wanted = float(column[before].max()) + 1.0, float(place[before].mean())
    elif after.size:
        wanted = float(column[after].min()) - 1.0, float(place[after].mean())
    elif last is not None:
        wanted = last[0], last[1] + 1.0
    elif lying.any():
        wanted = float(column[lying].min()), float(place[lying].max()) + 1.0
    else:
        return float(column[task]), float(place[task])
    return _free(*wanted, column[lying], place[lying])


def _free(at: float, row: float, column: Floats, place: Floats) -> Place:
    """The row of a column that is nearest to the wanted one, among cards that lie there."""
    near = place[np.abs(column - at) < _ACROSS]
    step = 0.0
    while np.abs(near - (row + step)).min(initial=np.inf) < _DOWN:
        step = -step if step > 0.0 else 1.0 - step
    return at, row + step

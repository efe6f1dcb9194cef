"""The task graph in layers: which card lies where, pure arrays without Qt.

Layer: longest path from a source. Within a layer cards are ordered by the barycentre of their
neighbours (Sugiyama, Tagawa & Toda 1981), a few sweeps forth and back. In large graphs the tasks
of a kind in a layer are one group; a group that is opened shows its tasks in place.
"""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np

from advisor.allocation.workload import Workload
from advisor.basics.stop_rule import ShouldStop
from gui.board.groups import Groups
from gui.board.lanes import Kinds
from machines.arrays import Flags, Floats, Ints

MOST_CARDS = 150
HEADING = 0.75  # rows that the name of an open group takes above its tasks
_ALONE = 8  # tasks of an open group that lie in one column
_ROOM = 0.2  # columns between the layers of groups, for words on the curves
_SWEEPS = 4
_ASPECT = 2.0  # tasks of an open group: rows² to their number, so that it is as wide as high


@dataclass(frozen=True, eq=False)
class Units:
    """What the layout orders: groups of tasks, or tasks where the graph is small."""

    of_task: Ints  # shape (tasks,); the unit of a task
    layer: Ints  # shape (units,); column, 0 for the sources
    kind: Ints  # shape (units,); position in the workload's `Kinds`
    size: Ints  # shape (units,); tasks
    order: tuple[Ints, ...]  # the units of every layer, from the top down


@dataclass(frozen=True)
class OpenGroup:
    """A group whose tasks are shown: its unit, and its place in columns and rows of cards."""

    unit: int
    column: float
    columns: int
    top: float
    rows: float


@dataclass(frozen=True, eq=False)
class Layers(Groups):
    """Cards of the graph view and their places.

    `column`: shape (cards,); its column; a layer with an open group takes several, and beside
        groups there is more room.
    `sources`, `targets`: shape (curves,); cards joined by flows, each pair once.
    """

    unit: Ints  # shape (cards,); the unit of a card
    column: Floats
    place: Floats  # shape (cards,); its row, centred around 0
    card_of: Ints  # shape (tasks,); the card of a task
    sources: Ints
    targets: Ints
    flow_of: Ints  # shape (flows,); the curve that a flow is part of, −1 within one card
    starts: Floats  # shape (layers,); the first column of every layer
    opened: tuple[OpenGroup, ...] = ()  # groups that are open, from the left

    def group_at(self, column: float, row: float) -> OpenGroup | None:
        """The open group around a place, in columns and rows."""
        return next(
            (
                group
                for group in self.opened
                if group.column - 0.2 <= column <= group.column + group.columns
                and group.top <= row <= group.top + group.rows
            ),
            None,
        )


def units_of(workload: Workload, kinds: Kinds, should_stop: ShouldStop = lambda: False) -> Units:
    """Groups of a workload: a unit for each task up to `MOST_CARDS`, else for a kind in a layer.

    Where a kind comes again and again, so that even these are too many, it is one unit in the
    layer of its first task.
    """
    tasks, depth = len(workload.tasks), _depths(workload)
    of_task, layer = np.arange(tasks, dtype=np.int64), depth
    if tasks > MOST_CARDS:
        wide = len(kinds.names)
        keys, of_task = np.unique(depth * wide + kinds.of_task, return_inverse=True)
        if len(keys) > MOST_CARDS >= wide:
            of_task = kinds.of_task
            first = np.full(wide, depth.max(), dtype=np.int64)
            np.minimum.at(first, kinds.of_task, depth)
            layer = np.unique(first, return_inverse=True)[1][kinds.of_task]
    units = int(of_task.max()) + 1
    one = np.zeros(units, dtype=np.int64)
    one[of_task] = np.arange(tasks)  # any task of the unit: its layer and kind are the unit's
    ends = _curves(of_task, workload)[0]
    return Units(
        of_task=of_task.astype(np.int64),
        layer=layer[one],
        kind=kinds.of_task[one],
        size=np.bincount(of_task, minlength=units).astype(np.int64),
        order=_ordered(layer[one], ends[0], ends[1], should_stop),
    )


def lay_out(workload: Workload, units: Units, opened: frozenset[int] = frozenset()) -> Layers:
    """Cards and their places: one for a unit, and one for each task of the units `opened`."""
    shown = np.zeros(len(units.layer), dtype=np.bool_)
    shown[sorted(opened)] = True
    shown &= units.size > 1
    tasks = np.arange(len(units.of_task))
    key = np.where(shown[units.of_task], len(units.layer) + tasks, units.of_task)
    _, card_of = np.unique(key, return_inverse=True)
    cards = int(card_of.max()) + 1
    members = np.argsort(card_of, kind="stable")
    member_from = np.searchsorted(card_of[members], np.arange(cards + 1))
    unit = units.of_task[members[member_from[:-1]]]
    column, place, groups = _places(units, shown, unit)
    (sources, targets), flow_of = _curves(card_of, workload)
    starts = np.full(len(units.order), np.inf)
    np.minimum.at(starts, units.layer[unit], column)
    return Layers(
        unit=unit,
        column=column,
        place=place,
        card_of=card_of.astype(np.int64),
        member_from=member_from.astype(np.int64),
        members=members.astype(np.int64),
        kind=units.kind[unit],
        sources=sources,
        targets=targets,
        flow_of=flow_of,
        starts=starts,
        opened=groups,
    )


def _curves(card_of: Ints, workload: Workload) -> tuple[tuple[Ints, Ints], Ints]:
    """(sources, targets) of every pair of cards with a flow, and the pair of every flow or −1."""
    wide = int(card_of.max()) + 1
    begin, end = card_of[workload.sources], card_of[workload.targets]
    pairs, part = np.unique(begin.astype(np.int64) * wide + end, return_inverse=True)
    sources, targets = pairs // wide, pairs % wide
    across = sources != targets
    number = np.where(across, np.cumsum(across) - 1, -1)
    return (sources[across], targets[across]), number[part]


def _places(units: Units, shown: Flags, unit: Ints) -> tuple[Floats, Floats, tuple[OpenGroup, ...]]:
    """Column and row of every card, and where the open groups lie."""
    rows = np.ones(len(units.layer))
    columns = np.ones(len(units.layer), dtype=np.int64)
    for one in np.flatnonzero(shown).tolist():
        size = int(units.size[one])
        high = size if size <= _ALONE else math.ceil(math.sqrt(_ASPECT * size))
        rows[one], columns[one] = high + HEADING, -(-size // high)
    column = np.zeros(len(units.layer))
    top = np.zeros(len(units.layer))
    begin, room = 0.0, _ROOM if units.size.max() > 1 else 0.0
    for layer in units.order:
        ends = np.cumsum(rows[layer])
        column[layer], top[layer] = begin, ends - rows[layer] - ends[-1] / 2
        begin += float(columns[layer].max()) + room
    at, place = column[unit], top[unit] + 0.5
    groups = []
    for one in np.flatnonzero(shown).tolist():
        mine = np.flatnonzero(unit == one)
        high = round(rows[one] - HEADING)
        at[mine] = column[one] + np.arange(len(mine)) // high
        place[mine] = top[one] + HEADING + 0.5 + np.arange(len(mine)) % high
        groups.append(
            OpenGroup(one, float(column[one]), int(columns[one]), float(top[one]), float(rows[one]))
        )
    return at, place, tuple(sorted(groups, key=lambda group: (group.column, group.top)))


def _depths(workload: Workload) -> Ints:
    """Longest path, in flows, from a source to every task."""
    after: list[list[int]] = [[] for _ in workload.tasks]
    for source, target in zip(workload.sources.tolist(), workload.targets.tolist(), strict=True):
        after[source].append(target)
    depth = [0] * len(workload.tasks)
    for task in workload.topological_order.tolist():
        for child in after[task]:
            depth[child] = max(depth[child], depth[task] + 1)
    return np.array(depth, dtype=np.int64)


def _ordered(
    layer: Ints, sources: Ints, targets: Ints, should_stop: ShouldStop
) -> tuple[Ints, ...]:
    """Every layer from the top down: barycentre sweeps, forth by predecessors, back by others."""
    cards, layers = len(layer), int(layer.max()) + 1
    by_layer = np.argsort(layer, kind="stable")
    edges = np.searchsorted(layer[by_layer], np.arange(layers + 1))
    columns = [by_layer[edges[index] : edges[index + 1]] for index in range(layers)]
    place = np.zeros(cards)
    for column in columns:
        place[column] = _centred(len(column))
    forth, back = _Neighbours(cards, targets, sources), _Neighbours(cards, sources, targets)
    for sweep in range(_SWEEPS):
        neighbours = forth if sweep % 2 == 0 else back
        for column in columns if sweep % 2 == 0 else columns[::-1]:
            if should_stop():
                break
            if len(column) > 1:
                wanted = neighbours.mean(place, column)
                order = np.lexsort((column, place[column], wanted))
                place[column[order]] = _centred(len(column))
    return tuple(column[np.argsort(place[column], kind="stable")] for column in columns)


class _Neighbours:
    """Each card's neighbours on one side, as ranges of one array."""

    def __init__(self, cards: int, owner: Ints, other: Ints) -> None:
        order = np.argsort(owner, kind="stable")
        self._other = other[order]
        self._from = np.searchsorted(owner[order], np.arange(cards + 1))

    def mean(self, place: Floats, cards: Ints) -> Floats:
        """Mean place of the neighbours of `cards`; a card without any wants to stay."""
        total = np.concatenate(([0.0], np.cumsum(place[self._other])))
        first, last = self._from[cards], self._from[cards + 1]
        count = last - first
        mean: Floats = (total[last] - total[first]) / np.maximum(count, 1)
        mean[count == 0] = place[cards][count == 0]
        return mean


def _centred(count: int) -> Floats:
    return np.arange(count, dtype=np.float64) - (count - 1) / 2

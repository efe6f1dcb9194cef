"""The task graph in layers: which card lies where, pure arrays without Qt.

Layer: longest path from a source. Within a layer cards are ordered by the barycentre of their
neighbours (Sugiyama, Tagawa & Toda 1981), a few sweeps forth and back. Large graphs are drawn
as one card for the tasks of one kind in one layer.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from advisor.allocation.workload import Workload
from advisor.basics.stopping import ShouldStop
from gui.board.groups import Groups
from gui.board.lanes import Kinds
from machines.arrays import Floats, Ints

MOST_CARDS = 2000
_SWEEPS = 4


@dataclass(frozen=True, eq=False)
class Layers(Groups):
    """Cards of the graph view and their places.

    Attributes
    ----------
    layer : int64 array (cards,)
        Column, 0 for the sources.
    place : array (cards,)
        Row within the layer, centred around 0.
    card_of : int64 array (tasks,)
        The card of a task.
    sources, targets : int64 arrays (curves,)
        Cards joined by flows, each pair once.
    flow_of : int64 array (flows,)
        The curve that a flow is part of, −1 within one card.
    """

    layer: Ints
    place: Floats
    card_of: Ints
    sources: Ints
    targets: Ints
    flow_of: Ints


def lay_out(workload: Workload, kinds: Kinds, should_stop: ShouldStop = lambda: False) -> Layers:
    """Cards of a workload, one for each task up to `MOST_CARDS`, else one for a kind in a layer."""
    tasks = len(workload.tasks)
    depth = _depths(workload)
    if tasks <= MOST_CARDS:
        card_of = np.arange(tasks, dtype=np.int64)
    else:
        _, card_of = np.unique(depth * len(kinds.names) + kinds.of_task, return_inverse=True)
    cards = int(card_of.max()) + 1
    members = np.argsort(card_of, kind="stable")
    member_from = np.searchsorted(card_of[members], np.arange(cards + 1))
    first = members[member_from[:-1]]
    ends = np.stack((card_of[workload.sources], card_of[workload.targets]), axis=1)
    pairs, part = np.unique(ends.reshape(-1, 2), axis=0, return_inverse=True)
    across = pairs[:, 0] != pairs[:, 1]
    number = np.where(across, np.cumsum(across) - 1, -1)
    layer, pairs = depth[first], pairs[across]
    place = _places(layer, pairs[:, 0], pairs[:, 1], should_stop)
    return Layers(
        layer=layer,
        place=place,
        card_of=card_of.astype(np.int64),
        member_from=member_from.astype(np.int64),
        members=members.astype(np.int64),
        kind=kinds.of_task[first],
        sources=pairs[:, 0].astype(np.int64),
        targets=pairs[:, 1].astype(np.int64),
        flow_of=number[part.ravel()] if number.size else np.zeros(0, dtype=np.int64),
    )


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


def _places(layer: Ints, sources: Ints, targets: Ints, should_stop: ShouldStop) -> Floats:
    """Rows of all cards: barycentre sweeps, forth by predecessors and back by successors."""
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
                return place
            if len(column) > 1:
                wanted = neighbours.mean(place, column)
                order = np.lexsort((column, place[column], wanted))
                place[column[order]] = _centred(len(column))
    return place


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

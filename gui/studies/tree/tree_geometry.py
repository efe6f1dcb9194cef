"""Which processes of a tree are in sight, and where they are drawn.

x runs over the back-ends from left to right, depth downwards. A process whose span is too narrow
joins its narrow siblings in one bundle, so that as much is drawn of a million back-ends as of a
hundred. Only what is in sight is walked, level by level and by bisection.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

import numpy as np
from PySide6.QtCore import QPointF, QRectF

from advisor.trees.layout import TreeLayout
from machines.arrays import Floats, Ints

OPEN = 20.0  # pixels from which a process is drawn on its own
BLOCK = 240.0  # pixels of a long bundle's pieces
MARGIN = 12.0
WIDEST_NODE = 132.0
_LEAST_ROW, _MOST_ROW = 28.0, 150.0
_GAP = 2.0
_CLOSEST = 160.0  # pixels of a back-end


@dataclass(frozen=True)
class Sight:
    """Which part of the tree is seen: x = scale · back-ends + left, y = row · depth + top.

    `top` is the middle of the front-end, `high` the height of a process, pixels.
    """

    scale: float
    left: float
    row: float
    top: float
    high: float

    def x(self, place: Floats | Ints) -> Floats:
        """The pixel of a place among the back-ends."""
        return np.asarray(place * self.scale + self.left)

    def zoomed(self, factor: float, at: float, back_ends: int, width: float) -> Sight:
        """Zoomed so that the pixel `at` stays; from a quarter of `width` to single back-ends."""
        scale = min(max(self.scale * factor, width / (4.0 * back_ends)), _CLOSEST)
        left = at + scale / self.scale * (self.left - at)
        return Sight(scale, left, self.row, self.top, self.high)

    def moved(self, dx: float, dy: float) -> Sight:
        """Moved by so many pixels."""
        return Sight(self.scale, self.left + dx, self.row, self.top + dy, self.high)


def fitted(layout: TreeLayout, area: QRectF, line: float) -> Sight:
    """The sight of the whole tree; `line` is the height of a line of text."""
    scale = min((area.width() - 2 * MARGIN) / int(layout.below[0]), _CLOSEST)
    depth = layout.tree.depth
    high = 2.0 * line + 6.0
    row = (area.height() - high - 2 * MARGIN) / depth
    if row < high + 20.0:  # one line of text
        high = line + 6.0
        row = (area.height() - high - 2 * MARGIN) / depth
    row = min(max(row, _LEAST_ROW), _MOST_ROW)
    spare = max(area.height() - high - row * depth, 2 * MARGIN)
    left = area.center().x() - scale * int(layout.below[0]) / 2
    return Sight(scale, left, row, area.top() + spare / 2 + high / 2, high)


@dataclass(frozen=True, eq=False)
class Scene:
    """What is drawn of a tree.

    `first`, `last`: shape (m,); bundles: siblings from `first` up to but not with `last`, rising.
    """

    layout: TreeLayout
    sight: Sight
    area: QRectF
    nodes: Ints  # shape (n,); processes drawn on their own, their numbers rising
    boxes: Floats  # shape (n, 4); their left, top, right, bottom, pixels
    rooms: Floats  # shape (n,); pixels across that each may take
    first: Ints
    last: Ints
    packs: Floats  # shape (m, 4); their rectangles, down to the lowest level below them
    back_ends: Ints  # shape (m, 2); the back-ends of each: from, up to but not with

    def place_of(self, process: int) -> int | None:
        """Which of `nodes` a process is."""
        place = int(np.searchsorted(self.nodes, process))
        return place if place < self.nodes.size and self.nodes[place] == process else None

    def places_of(self, processes: Ints) -> Ints:
        """Which of `nodes` the processes are; all are among them."""
        return np.searchsorted(self.nodes, processes)

    def pack_of(self, process: int) -> int | None:
        """Which bundle a process is in."""
        parents = self.layout.path_to(process)
        for each in reversed(parents):
            at = int(np.searchsorted(self.first, each, side="right")) - 1
            if at >= 0 and each < self.last[at]:
                return at
        return None

    def rect_of(self, process: int) -> QRectF | None:
        """Where a process is drawn; None where it is in a bundle or out of sight."""
        place = self.place_of(process)
        return None if place is None else rect(self.boxes[place])

    def node_at(self, point: QPointF) -> int | None:
        """The process under a point."""
        place = _under(self.boxes, point, 3.0)
        return None if place is None else int(self.nodes[place])

    def pack_at(self, point: QPointF) -> int | None:
        """The bundle under a point."""
        return _under(self.packs, point, 0.0)

    @cached_property
    def parent_places(self) -> Ints:
        """Which of `nodes` the parent of each is; −1 for the front-end."""
        parents = self.layout.tree.parent[self.nodes]
        return np.where(parents < 0, -1, self.places_of(np.maximum(parents, 0)))

    @cached_property
    def pack_parents(self) -> Ints:
        """Which of `nodes` the parent of each bundle is."""
        return self.places_of(self.layout.tree.parent[self.first])

    @cached_property
    def edges(self) -> Floats:
        """The lines from the parents down to `nodes`, (n, 4); the front-end's is a point."""
        ends = np.column_stack(((self.boxes[:, 0] + self.boxes[:, 2]) / 2, self.boxes[:, 1]))
        above = self.boxes[np.maximum(self.parent_places, 0)]
        starts = np.column_stack(((above[:, 0] + above[:, 2]) / 2, above[:, 3]))
        starts[self.parent_places < 0] = ends[self.parent_places < 0]
        return np.hstack((starts, ends))


def scene_of(layout: TreeLayout, sight: Sight, area: QRectF) -> Scene:
    """Walk what is in sight."""
    tree, reach = layout.tree, OPEN / sight.scale
    low, high = (area.left() - sight.left) / sight.scale, (area.right() - sight.left) / sight.scale
    points = np.arange(max(low, 0.0), min(high, float(layout.below[0])), 0.99 * reach)
    points = np.append(points, max(min(high, float(layout.below[0])) - 1e-6, 0.0))
    nodes, firsts, lasts = [np.zeros(1, np.int64)], [], []
    opened = nodes[0]
    for depth in range(1, tree.depth + 1):
        parents = opened[tree.fanouts[opened] > 0]
        if not parents.size:
            break
        level = layout.level(depth)
        lefts, below = layout.left[level], layout.below[level]
        # whatever is wide enough and in sight covers one of the points
        found = np.maximum(np.searchsorted(lefts, points, side="right") - 1, 0)
        found = found[np.diff(found, prepend=-1) > 0]
        ends = lefts[found] + below[found]
        found = found[(below[found] >= reach) & (ends > low) & (lefts[found] < high)]
        opened = found + level.start
        nodes.append(opened)
        cuts = _block_cuts(layout, sight, parents, level, (low, high))
        children = tree.first_child[parents]
        starts = np.sort(np.concatenate((children, opened + 1, cuts)))
        stops = np.sort(np.concatenate((children + tree.fanouts[parents], opened, cuts)))
        some = starts < stops
        firsts.append(starts[some])
        lasts.append(stops[some])
    first, last = _joined(firsts), _joined(lasts)
    spans = np.column_stack((layout.left[first], layout.left[last - 1] + layout.below[last - 1]))
    seen = (spans[:, 1] > low) & (spans[:, 0] < high)
    first, last, spans = first[seen], last[seen], spans[seen]
    shown = np.concatenate(nodes)
    boxes, rooms = _boxes(layout, sight, area, shown)
    packs = _packs(layout, sight, first, last, spans)
    return Scene(layout, sight, area, shown, boxes, rooms, first, last, packs, spans)


def rect(box: Floats) -> QRectF:
    """A rectangle from its left, top, right, bottom."""
    left, top, right, bottom = box.tolist()
    return QRectF(left, top, right - left, bottom - top)


def _block_cuts(
    layout: TreeLayout, sight: Sight, parents: Ints, level: slice, seen: tuple[float, float]
) -> Ints:
    """Where the bundles of very wide parents are cut into pieces of much the same width.

    The pieces lie still when the picture is moved, and what is out of sight is in few of them.
    """
    widths = layout.below[parents] * sight.scale
    found = []
    for parent in parents[widths >= 2 * BLOCK].tolist():
        left, n = int(layout.left[parent]), int(layout.below[parent])
        pieces = int(n * sight.scale / BLOCK)
        low = max(int((seen[0] - left) * pieces / n), 0)
        high = min(int((seen[1] - left) * pieces / n) + 1, pieces)
        places = left + np.arange(low, high + 1) * n / pieces
        cuts = np.searchsorted(layout.left[level], places) + level.start
        start = int(layout.tree.first_child[parent])
        found.append(cuts[(cuts > start) & (cuts < start + int(layout.tree.fanouts[parent]))])
    return _joined(found)


def _boxes(layout: TreeLayout, sight: Sight, area: QRectF, nodes: Ints) -> tuple[Floats, Floats]:
    """The rectangles of processes: in the middle of what is in sight of their spans."""
    left = sight.x(layout.left[nodes])
    right = sight.x(layout.left[nodes] + layout.below[nodes])
    rooms = right - left - 2 * _GAP
    half = np.minimum(rooms, WIDEST_NODE) / 2
    middle = (left + right) / 2
    # a span wider than the canvas carries its process along, but not out of itself
    near = np.clip(middle, area.left() + half + MARGIN / 2, area.right() - half - MARGIN / 2)
    middle = np.clip(near, left + half + _GAP, np.maximum(right - half - _GAP, left + half + _GAP))
    depths = np.searchsorted(layout.tree.levels, nodes, side="right") - 1
    y = sight.top + sight.row * depths
    low, high = y - sight.high / 2, y + sight.high / 2
    return np.column_stack((middle - half, low, middle + half, high)), rooms


def _packs(layout: TreeLayout, sight: Sight, first: Ints, last: Ints, spans: Ints) -> Floats:
    """The rectangles of bundles."""
    left, right = sight.x(spans[:, 0]), sight.x(spans[:, 1])
    gap = np.minimum(_GAP, (right - left) / 4)
    depths = np.searchsorted(layout.tree.levels, first, side="right") - 1
    ranges = zip(first.tolist(), last.tolist(), strict=True)
    lowest = np.array([int(layout.lowest[a:b].max()) for a, b in ranges], np.int64)
    top = sight.top + sight.row * depths - sight.high / 2
    bottom = sight.top + sight.row * lowest + sight.high / 2
    return np.column_stack((left + gap, top, right - gap, bottom)).reshape(-1, 4)


def _joined(parts: list[Ints]) -> Ints:
    return np.concatenate(parts) if parts else np.zeros(0, np.int64)


def _under(boxes: Floats, point: QPointF, reach: float) -> int | None:
    """Which of the rectangles is under a point; of several the smallest."""
    x, y = point.x(), point.y()
    hit = (
        (boxes[:, 0] - reach <= x) & (x <= boxes[:, 2] + reach)
        & (boxes[:, 1] - reach <= y) & (y <= boxes[:, 3] + reach)
    )  # fmt: skip
    found = np.flatnonzero(hit)
    if not found.size:
        return None
    widths = boxes[found, 2] - boxes[found, 0]
    return int(found[np.argmin(widths)])

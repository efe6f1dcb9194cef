"""The numbers behind the picture of a tree: one row a process, or one a level of a large tree."""

from __future__ import annotations

from itertools import pairwise

import numpy as np

from gui.basics.figures import Table
from gui.studies.tree.tree_drawing import TreeDrawing

MOST_ROWS = 20_000
_PROCESSES = (
    "process", "depth", "parent", "fan-out", "back-ends below",
    "broadcast: informed (µs)", "reduction: delivered (µs)", "processor share",
)  # fmt: skip
_LEVELS = (
    "depth", "processes", "internal processes", "back-ends", "least fan-out", "largest fan-out",
    "first informed (µs)", "last informed (µs)",
)  # fmt: skip


def table_of(drawing: TreeDrawing | None) -> Table:
    """The table of a tree; times from the start of the operation."""
    if drawing is None:
        return Table(_PROCESSES, ())
    return _processes(drawing) if drawing.tree.size <= MOST_ROWS else _levels(drawing)


def _processes(drawing: TreeDrawing) -> Table:
    tree, layout = drawing.tree, drawing.layout
    depths = np.repeat(np.arange(tree.depth + 1), np.diff(tree.levels))
    numbers = drawing.identities.numbers
    columns = (
        numbers.tolist(), depths.tolist(), numbers[tree.parent].tolist(), tree.fanouts.tolist(),
        layout.below.tolist(), drawing.broadcast.times.done.tolist(),
        drawing.reduction.times.done.tolist(), [drawing.share(each) for each in range(tree.size)],
    )  # fmt: skip
    rows = [list(row) for row in zip(*columns, strict=True)]
    rows[0][2] = None
    return Table(_PROCESSES, tuple(tuple(row) for row in rows))


def _levels(drawing: TreeDrawing) -> Table:
    tree, done = drawing.tree, drawing.broadcast.times.done
    rows: list[tuple[object, ...]] = []
    for depth, (start, end) in enumerate(pairwise(tree.levels.tolist())):
        fanouts = tree.fanouts[start:end]
        inner = fanouts[fanouts > 0]
        fans = (int(inner.min()), int(inner.max())) if inner.size else (None, None)
        among = 0 if depth == 0 else int(inner.size)
        counts = (end - start, among, int((fanouts == 0).sum()))
        times = (float(done[start:end].min()), float(done[start:end].max()))
        rows.append((depth, *counts, *fans, *times))
    return Table(_LEVELS, tuple(rows))

"""What of a tree is drawn, and where."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from PySide6.QtCore import QPointF, QRectF

from advisor.models.process_tree import Tree, balanced, flat, kary, knomial
from advisor.trees.layout import layout_of
from gui.studies.tree.tree_geometry import BLOCK, OPEN, Scene, fitted, scene_of
from gui.studies.tree.tree_painter import plate_beside
from tests.advisor.random_trees import trees

AREA = QRectF(0.0, 4.0, 800.0, 400.0)
LINE = 15.0


def scene(tree: Tree, zoom: float = 1.0, at: float = 400.0) -> Scene:
    layout = layout_of(tree)
    sight = fitted(layout, AREA, LINE).zoomed(zoom, at, tree.back_ends, AREA.width())
    return scene_of(layout, sight, AREA)


def drawn(found: Scene) -> list[int]:
    """How often each back-end is drawn: as a process or in a bundle."""
    layout = found.layout
    times = np.zeros(layout.back_ends.size, np.int64)
    leaves = found.nodes[layout.tree.fanouts[found.nodes] == 0]
    np.add.at(times, layout.left[leaves], 1)
    for start, end in found.back_ends.tolist():
        times[start:end] += 1
    return times.tolist()


def in_sight(found: Scene) -> range:
    """The back-ends that touch the canvas."""
    sight, n = found.sight, found.layout.back_ends.size
    low = int(np.floor((AREA.left() - sight.left) / sight.scale + 1e-9))
    high = int(np.ceil((AREA.right() - sight.left) / sight.scale - 1e-9))
    return range(max(low, 0), min(high, n))


SHAPES = [flat(3), flat(5000), kary(8, 3), balanced(7000, 16), knomial(2048, 2, 1), kary(2, 10)]


@pytest.mark.parametrize("tree", SHAPES)
@pytest.mark.parametrize("zoom", [1.0, 3.0, 77.0, 1e5])
def test_every_back_end_in_sight_is_drawn_once(tree: Tree, zoom: float) -> None:
    found = scene(tree, zoom, at=300.0)
    times = drawn(found)
    assert max(times) <= 1
    assert all(times[each] for each in in_sight(found))


@given(trees(40), st.floats(1.0, 30.0), st.floats(0.0, 800.0))
def test_any_tree_is_drawn_once_at_any_zoom(tree: Tree, zoom: float, at: float) -> None:
    found = scene(tree, zoom, at)
    times = drawn(found)
    assert max(times) <= 1
    assert all(times[each] for each in in_sight(found))
    parents = tree.parent[found.nodes[1:]]
    assert np.isin(parents, found.nodes).all()
    assert np.isin(tree.parent[found.first], found.nodes).all()


@pytest.mark.parametrize("tree", SHAPES)
@pytest.mark.parametrize("zoom", [1.0, 5.0, 300.0])
def test_processes_and_bundles_never_overlap(tree: Tree, zoom: float) -> None:
    found = scene(tree, zoom)
    boxes = np.concatenate((found.boxes, found.packs))
    for place, box in enumerate(boxes):
        apart = (
            (boxes[:, 0] >= box[2]) | (boxes[:, 2] <= box[0])
            | (boxes[:, 1] >= box[3]) | (boxes[:, 3] <= box[1])
        )  # fmt: skip
        apart[place] = True
        assert apart.all()


def test_all_of_a_small_tree_is_drawn_process_by_process_inside_the_canvas() -> None:
    found = scene(balanced(16, 4))
    assert found.nodes.tolist() == list(range(21))
    assert found.first.size == 0
    assert found.boxes[:, 0].min() >= AREA.left()
    assert found.boxes[:, 2].max() <= AREA.right()
    assert found.boxes[:, 1].min() >= AREA.top()
    assert found.boxes[:, 3].max() <= AREA.bottom()


def test_narrow_siblings_are_one_bundle_down_to_their_lowest_level() -> None:
    found = scene(kary(8, 3))
    assert found.nodes.tolist() == list(range(9))
    assert found.back_ends.tolist() == [[64 * place, 64 * (place + 1)] for place in range(8)]
    bottom = found.sight.top + 3 * found.sight.row + found.sight.high / 2
    assert found.packs[:, 3].tolist() == pytest.approx([bottom] * 8)


def test_zooming_in_opens_bundles_at_the_pointer() -> None:
    closer = scene(kary(8, 3), 4.0, at=10.0)
    assert {9, 10, 11} <= set(closer.nodes.tolist())
    assert closer.node_at(QPointF(*closer.boxes[1, :2])) == int(closer.nodes[1])


def test_a_wide_parent_in_part_in_sight_is_drawn_there() -> None:
    found = scene(kary(8, 3), 40.0, at=100.0)
    assert 0 in found.nodes
    assert found.boxes[0, 0] >= AREA.left()
    assert found.boxes[0, 2] <= AREA.right()


def test_bundles_lie_still_while_the_tree_is_moved() -> None:
    layout = layout_of(flat(100_000))
    sight = fitted(layout, AREA, LINE).zoomed(50.0, 400.0, 100_000, 800.0)
    before = scene_of(layout, sight, AREA)
    after = scene_of(layout, sight.moved(37.0, 0.0), AREA)
    common = set(before.first.tolist()) & set(after.first.tolist())
    assert len(common) >= before.first.size - 1
    widths = before.packs[:, 2] - before.packs[:, 0]
    assert (widths > BLOCK / 2).all()


def test_a_process_knows_its_bundle() -> None:
    found = scene(kary(8, 3))
    for process in (9, 73, 584):
        pack = found.pack_of(process)
        assert pack is not None
        start, end = found.back_ends[pack]
        assert start <= found.layout.left[process] < end
    assert found.pack_of(3) is None
    assert found.place_of(3) == 3
    assert found.place_of(9) is None


def test_a_hundred_thousand_back_ends_are_walked_as_far_as_they_are_seen() -> None:
    layout = layout_of(balanced(100_000, 16))
    sight = fitted(layout, AREA, LINE)
    for zoom in (1.0, 10.0, 1e3, 1e5):
        closer = sight.zoomed(zoom, 500.0, 100_000, 800.0)
        found = scene_of(layout, closer, AREA)
        assert found.nodes.size + found.first.size < 40 * AREA.width() / OPEN


def test_the_label_of_an_edge_is_beside_it_and_on_it_where_only_that_has_room() -> None:
    found = scene(flat(5), at=0.0)
    below = found.sight.high + 60.0

    def plate(x: float) -> QRectF | None:
        return plate_beside(np.array([x, below - 40.0, x, below]), 50.0, LINE, found)

    right, left = plate(400.0), plate(AREA.right() - 1.0)
    assert right is not None and right.left() == 406.0
    assert left is not None and left.right() == AREA.right() - 7.0
    # no room at the right of it, nor wholly at its left
    blocked = replace(found, packs=np.array([[10.0, 0.0, 800.0, 400.0]]))
    assert plate_beside(np.array([20.0, 0.0, 20.0, below]), 50.0, LINE, blocked) is None
    narrow = replace(found, packs=np.array([[60.0, 0.0, 800.0, 400.0]]))
    on = plate_beside(np.array([20.0, 0.0, 20.0, below]), 50.0, LINE, narrow)
    assert on is not None and on.left() == AREA.left()

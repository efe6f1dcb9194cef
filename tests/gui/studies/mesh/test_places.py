"""Hosts of several cores and networks of switches on the picture: no channels, and that is said."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from pytestqt.qtbot import QtBot

from advisor.messages.mapping.mapping_picture import node_positions
from advisor.messages.mapping.orders import checked
from advisor.studies.mapping.parameters import OWN, MappingParameters
from gui.studies.mesh.mapping_view import MappingView
from gui.studies.mesh.mesh_geometry import HALF_NODE, geometry_of
from gui.studies.mesh.mesh_painter import busiest_texts
from machines import Crossbar, Dragonfly, FatTree, Mesh, MultiCore
from machines.network import Network
from tests.gui.studies import hands
from tests.gui.studies.conftest import Shown, picture_of
from tests.gui.studies.hands import choose

CORES = MappingParameters(dims="3x2", cores=2, pattern="ring", processes=10, seconds=0.01)
TREE = MappingParameters(network="infiniband", dims="4x2 fat tree", pattern="ring", seconds=0.01)
NETWORKS: list[Network] = [
    FatTree((4, 3)),
    FatTree((4, 2, 2), 2),
    Dragonfly((2, 3, 4)),
    MultiCore(Mesh((4, 3)), 5),
    MultiCore(Mesh((3, 3, 2), wrap=True), 4),
    MultiCore(Crossbar(7), 8),
    MultiCore(FatTree((4, 3)), 3),
]


@pytest.mark.parametrize("network", NETWORKS, ids=lambda one: f"{one.kind} {one.dims}")
def test_no_two_places_lie_on_each_other_and_no_channel_is_drawn(network: Network) -> None:
    geometry = geometry_of(network, node_positions(network))
    assert geometry.nodes.shape == (network.size, 2)
    apart = np.abs(geometry.nodes[:, None] - geometry.nodes[None]).max(axis=2)
    np.fill_diagonal(apart, np.inf)
    assert apart.min() > 2 * HALF_NODE
    assert not len(geometry.lines)
    assert len(geometry.ends) == len(network.channels)


def test_cores_of_one_node_are_nearer_than_those_of_others() -> None:
    places = node_positions(MultiCore(Mesh((4, 3)), 2))
    inside = np.abs(places[0] - places[1]).max()
    assert inside < np.abs(places[1] - places[2]).max()


def test_a_process_dragged_to_another_node_names_the_node_in_the_form(
    qtbot: QtBot, shown: Shown
) -> None:
    view = shown(picture_of(CORES))
    edits = hands.told_by(view)
    choose(qtbot, view, "row-major")
    start, end = (view.canvas.node_rect(place).center().toPoint() for place in (0, 11))
    hands.drag(qtbot, view, start, end)  # process 0 from node 0 to the second core of node 5
    assert edits == [{"own": "5,0,1,1,2,2,3,3,4,4"}]
    assert view.shown is not None
    assert view.shown.name == OWN
    assert view.shown.mapping == checked(view.picture.network, 10, [5, 0, 1, 1, 2, 2, 3, 3, 4, 4])  # type: ignore[union-attr]
    assert "core" in view.canvas.facts.node_tip(0)  # type: ignore[union-attr]


def test_a_process_dragged_to_a_core_keeps_it_where_cores_differ(
    qtbot: QtBot, shown: Shown
) -> None:
    asked = replace(CORES, per_core=2, work="100", core_speeds="1, 0.5")
    view = shown(picture_of(asked))
    edits = hands.told_by(view)
    choose(qtbot, view, "row-major")
    start, end = (view.canvas.node_rect(place).center().toPoint() for place in (0, 22))
    hands.drag(qtbot, view, start, end)  # process 0 to the second core of node 5
    assert edits == [{"own": "5:1,0:1,1:0,1:1,2:0,2:1,3:0,3:1,4:0,4:1"}]
    assert view.shown is not None
    assert view.shown.measures.computing == view.picture.orders[0].measures.computing  # type: ignore[union-attr]
    assert "core 1" in view.canvas.facts.node_tip(22)  # type: ignore[union-attr]


def test_places_of_a_core_lie_side_by_side() -> None:
    places = node_positions(MultiCore(Mesh((2,)), 12), 3)  # four cores of three
    for core in range(8):
        mine = places[3 * core : 3 * core + 3]
        assert np.ptp(mine[:, 1]) == 0.0
        assert np.ptp(np.diff(mine[:, 0])) < 1e-9


def test_switches_have_names_in_words_and_table(shown: Shown) -> None:
    view = shown(picture_of(TREE))
    drawing = view.canvas.drawing
    assert drawing is not None
    assert "A row shares a switch" in drawing.undrawn
    assert all("switch" in text for text in busiest_texts(drawing))
    ends = {end for row in view.canvas.table().rows for end in row[:2]}
    assert {"0", "7", "switch 8", "switch 13"} <= ends
    assert len(view.canvas.table().rows) == len(drawing.loads)


@pytest.mark.parametrize("parameters", [CORES, TREE])
def test_the_picture_is_painted_with_its_processes(
    shown: Shown, parameters: MappingParameters
) -> None:
    view: MappingView = shown(picture_of(parameters))
    image = view.canvas.grab().toImage()
    middle = view.canvas.node_rect(0)
    edge = image.pixelColor(middle.left().__round__(), middle.center().y().__round__())
    assert edge != image.pixelColor(2, 2)

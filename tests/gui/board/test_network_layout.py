"""Where the parts of a network lie: every catalogue platform apart, large ones in few symbols."""

from __future__ import annotations

from itertools import combinations

import numpy as np
import pytest

from gui.board.network_layout import MACHINE, MOST, STORE, SWITCH, NetworkLayout, network_layout
from machines import Direction, Link, Machine, Platform
from machines.catalogue import switched
from machines.platform import Switch
from tests.conftest import cluster

BOTH = Direction(1e-5, 1e8)
CATALOGUE = (
    switched.star,
    switched.bus,
    switched.two_level_tree,
    switched.fat_tree,
    switched.dragonfly_group,
    switched.lab_file_server,
)


def racks(count: int, size: int) -> Platform:
    """Racks of machines under one core."""
    machines = tuple(Machine(f"r{r}n{n}") for r in range(count) for n in range(size))
    links = [Link(f"r{r}n{n}", f"rack{r}", BOTH, BOTH) for r in range(count) for n in range(size)]
    links += [Link(f"rack{r}", "core", BOTH, BOTH) for r in range(count)]
    switches = tuple(Switch(f"rack{r}") for r in range(count))
    return Platform("racks", machines, tuple(links), switches=(*switches, Switch("core")))


def of(layout: NetworkLayout, kind: str) -> list[int]:
    return [i for i, node in enumerate(layout.nodes) if node.kind == kind]


@pytest.mark.parametrize("make", CATALOGUE, ids=lambda make: str(make.__name__))
def test_all_parts_lie_inside_and_no_two_in_one_place(make: object) -> None:
    platform = make()  # type: ignore[operator]
    layout = network_layout(platform)
    assert ((layout.x >= 0) & (layout.x <= 1) & (layout.y >= 0) & (layout.y <= 1)).all()
    places = list(zip(layout.x.tolist(), layout.y.tolist(), strict=True))
    apart = [np.hypot(a[0] - b[0], a[1] - b[1]) for a, b in combinations(places, 2)]
    assert min(apart) > 0.5 / len(places)
    drawn = sorted(link for edge in layout.edges for link in edge.links)
    assert drawn == list(range(len(platform.links)))
    names = sorted(name for node in layout.nodes for name in (*node.names, *node.inside))
    assert names == sorted([*platform.hosts, *(one.name for one in platform.switches)])


@pytest.mark.parametrize("make", CATALOGUE, ids=lambda make: str(make.__name__))
def test_the_same_platform_always_looks_the_same(make: object) -> None:
    first, again = (network_layout(make()) for _ in range(2))  # type: ignore[operator]
    assert first.nodes == again.nodes
    assert np.array_equal(first.x, again.x)
    assert np.array_equal(first.y, again.y)


def test_in_a_tree_hosts_are_at_the_right_and_lines_do_not_cross() -> None:
    layout = network_layout(switched.two_level_tree())
    assert {float(layout.x[i]) for i in of(layout, MACHINE)} == {1.0}
    core = next(i for i in of(layout, SWITCH) if layout.nodes[i].names == ("core",))
    assert layout.x[core] == 0.0
    for one, other in combinations(layout.edges, 2):
        first, second = (
            sorted((e.first, e.second), key=lambda n: layout.x[n]) for e in (one, other)
        )
        if layout.x[first[0]] == layout.x[second[0]] and first[0] != second[0]:
            above = layout.y[first[0]] - layout.y[second[0]]
            assert above * (layout.y[first[1]] - layout.y[second[1]]) > 0


def test_a_store_has_a_symbol_of_its_own() -> None:
    layout = network_layout(switched.lab_file_server())
    assert [layout.nodes[i].names for i in of(layout, STORE)] == [("files",)]


def test_of_many_the_machines_of_a_rack_are_one_symbol_with_a_count() -> None:
    layout = network_layout(racks(6, 16))
    assert len(layout.nodes) <= MOST
    symbols = [layout.nodes[i] for i in of(layout, MACHINE)]
    assert [len(node.names) for node in symbols] == [16] * 6
    assert symbols[0].label == "16 machines"
    lines = [edge for edge in layout.edges if len(edge.links) == 16]
    assert len(lines) == 6


def test_of_very_many_racks_go_into_their_switches() -> None:
    layout = network_layout(racks(50, 8))
    assert len(layout.nodes) <= MOST
    assert sum(len(n.names) + len(n.inside) for n in layout.nodes) == 50 * 8 + 51


def test_machines_linked_among_themselves_stand_in_a_circle() -> None:
    layout = network_layout(cluster(machines=6).platform)
    assert not layout.layered
    radius = np.hypot(layout.x - 0.5, layout.y - 0.5)
    assert radius == pytest.approx([0.5] * 6)

"""Options of STAT for a tree, and what STAT makes of it."""

from __future__ import annotations

import pytest

from advisor.models.process_tree import Tree, balanced, flat, kary, knomial
from advisor.trees.hosts import Hosts, place_tree
from advisor.trees.stat_options import stat_options


@pytest.mark.parametrize(
    ("tree", "options"),
    [
        (flat(512), ("--depth", "1")),
        (kary(8, 3), ("--usertopology", "8-64")),
        (balanced(100, 5), ("--usertopology", "4-20")),
        (balanced(7, 4), ("--usertopology", "2")),
        (kary(1, 3), ("--usertopology", "1-1")),
    ],
)
def test_an_even_tree_needs_its_layers_alone(tree: Tree, options: tuple[str, ...]) -> None:
    found = stat_options(tree)
    assert found.options == options
    assert found.differences == ()


def test_an_uneven_tree_is_dealt_evenly_and_that_is_said() -> None:
    found = stat_options(knomial(4, 2, 4))
    assert found.options == ("--usertopology", "2-1")
    assert found.differences == (
        "STAT deals evenly: fan-out at most 16, all daemons at depth 3; this tree has 6 and 3, "
        "so its times differ.",
    )


def test_hosts_of_their_own_are_named_in_order() -> None:
    placed = place_tree(kary(2, 3), Hosts("fe", (("n", 8),), (("c2", 2), ("c1", 4))))
    found = stat_options(placed.tree, placed)
    assert found.options == ("--usertopology", "2-4", "--nodes", "c1,c2", "--procs", "4")
    assert "in turn, by name" in found.differences[0]


def test_hosts_of_the_application_are_shared() -> None:
    hosts = Hosts("fe", tuple((f"n{number}", 4) for number in range(9)))
    placed = place_tree(Tree((3, 2, 2, 2, 0, 0, 0, 0, 0, 0)), hosts)
    assert stat_options(placed.tree, placed).options[2:] == ("--appnodes", "--procs", "3")

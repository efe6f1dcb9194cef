"""STAT's trees: the same where its dealing makes it, else the nearest that MRNet accepts."""

from __future__ import annotations

import pytest
from hypothesis import given

from advisor.models.process_tree import Tree, balanced, flat, kary, knomial
from advisor.trees.stat_layers import (
    childless,
    dealt_tree,
    parse_layers,
    stat_nodes,
    stat_tree,
)
from advisor.trees.topgen_spec import same_shape
from advisor.trees.tree_hosts import Hosts, place_tree
from machines import InputError
from tests.advisor.random_trees import trees


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
    found = stat_tree(tree)
    assert found.options == options
    assert found.like
    assert same_shape(found.made, tree)


def test_processes_of_shrinking_layers_join_the_last_that_grows() -> None:
    found = stat_tree(knomial(4, 2, 4))  # layers 2 and 1
    assert (found.text, found.like) == ("3", False)
    assert found.made.fanouts[:4].tolist() == [3, 6, 5, 5]


@given(trees())
def test_the_nearest_tree_has_the_back_ends_and_nobody_without_a_child(tree: Tree) -> None:
    found = stat_tree(tree)
    assert found.made.back_ends == tree.back_ends
    assert found.made.internal <= tree.internal
    assert parse_layers(found.options) == found.layers
    assert childless([*found.layers, tree.back_ends]) == 0
    assert dealt_tree(list(found.layers), tree.back_ends).is_like(found.made)
    assert found.like == same_shape(found.made, tree)


@pytest.mark.parametrize(
    ("layers", "message"),
    [
        ("3-7-6-2", r"leave 5 processes without a child.*3-7-6-2"),
        ("3-x", "these are no layers"),
        ("3-0", "these are no layers"),
    ],
)
def test_layers_that_mrnet_rejects_are_refused(layers: str, message: str) -> None:
    with pytest.raises(InputError, match=message):
        parse_layers(("stat-cl", "--usertopology", layers))


def test_hosts_of_their_own_are_named_in_order() -> None:
    placed = place_tree(kary(2, 3), Hosts("fe", (("n", 8),), (("c2", 2), ("c1", 4))))
    assert stat_nodes(placed, 6) == ("--nodes", "c1,c2", "--procs", "4")


def test_hosts_of_the_application_are_shared() -> None:
    hosts = Hosts("fe", tuple((f"n{number}", 4) for number in range(9)))
    placed = place_tree(Tree((3, 2, 2, 2, 0, 0, 0, 0, 0, 0)), hosts)
    assert stat_nodes(placed, 3) == ("--appnodes", "--procs", "3")

"""Topology configurations: what is written, refused beforehand, and the ranks of the back-ends."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from advisor.models.process_tree import Tree, balanced, flat, kary, knomial
from advisor.trees import mrnet_trees as mrnet
from advisor.trees.topology_file import parse_topology
from advisor.trees.tree_hosts import Hosts, PlacedTree, place_tree
from machines import InputError
from tests.advisor.random_trees import trees


def local(N: int) -> PlacedTree:
    return place_tree(flat(N), Hosts("localhost", (("localhost", N + 1),)))


def test_one_statement_a_parent_breadth_first() -> None:
    placed = place_tree(Tree((2, 0, 2, 0, 0)), Hosts("a", (("b", 3),), (("c", 1),)))
    assert mrnet.render(placed) == (
        "# 3 back-ends, depth 2\na:0 =>\n\tb:0\n\tc:0 ;\n\nc:0 =>\n\tb:1\n\tb:2 ;\n"
    )
    assert mrnet.render(placed, attach=True) == (
        "# 3 back-ends, depth 2; they attach to the leaves\na:0 =>\n\tc:0 ;\n"
    )


@given(trees(), st.integers(1, 9), st.sampled_from([0, 10]))
def test_any_tree_is_parsed_back(tree: Tree, each: int, first_index: int) -> None:
    hosts = tuple((f"n{number}", each) for number in range(tree.size))
    placed = place_tree(tree, Hosts("n0", hosts), first_index)
    text = mrnet.render(placed)
    assert text.isascii()
    assert "\r" not in text
    topology = parse_topology(text)
    assert topology.tree is not None
    assert topology.tree.is_like(tree)
    assert [f"{host}:{index}" for host, index in topology.names] == placed.names()


@given(trees())
def test_attach_mode_leaves_out_the_back_ends_alone(tree: Tree) -> None:
    placed = place_tree(tree)
    topology = parse_topology(mrnet.render(placed, attach=True))
    assert len(topology.names) == tree.size - tree.back_ends
    inner = np.flatnonzero(tree.fanouts).tolist()
    expected = [placed.names()[process] for process in inner]
    assert [f"{host}:{index}" for host, index in topology.names] == expected
    if topology.tree is not None:
        parents = [expected[parent] for parent in topology.tree.parent[1:].tolist()]
        assert parents == [placed.names()[tree.parent[process]] for process in inner[1:]]


def test_too_many_statements_are_refused_with_the_fanout_that_fits() -> None:
    chain = place_tree(kary(1, 9993))
    assert mrnet.render(chain).count("=>") == 9993
    with pytest.raises(InputError, match=r"at most 9993 statements, one a parent \(got 9994\)"):
        mrnet.render(place_tree(kary(1, 9994)))
    with pytest.raises(InputError, match="a balanced one over 20000 back-ends fits from fan-out 4"):
        mrnet.render(place_tree(balanced(20_000, 2)))
    assert balanced(20_000, 3).internal > 9992 >= balanced(20_000, 4).internal
    assert mrnet.smallest_fanout(1_000_000) == 102
    assert mrnet.smallest_fanout(16) == 2


def test_attach_mode_counts_only_the_statements_that_are_written() -> None:
    assert mrnet.render(place_tree(balanced(16_384, 2)), attach=True).count("=>") == 8191


@pytest.mark.parametrize(
    ("names", "message"),
    [
        ([("a", 0), ("b", 0), ("b", 0)], "two processes have one name .*b:0"),
        ([("a", 0), ("me@b", 0), ("c", 0)], "hosts have no user.*me@b"),
        ([("a", 0), ("fe80::1", 0), ("c", 0)], "no IPv6 address fits"),
        ([("a", 0), ("17", 0), ("c", 0)], "can't be a plain number"),
        ([("a", 0), ("-b", 0), ("c", 0)], "begins with a letter or digit"),
        ([("a", 0), ("bä", 0), ("c", 0)], "a host has letters, digits"),
        ([("a", 0), ("b", -1), ("c", 0)], "an index of a host is out of range"),
        ([("a", 0), ("b", 2**32), ("c", 0)], "an index of a host is out of range"),
        ([("localhost", 0), ("b", 0), ("c", 0)], "children on b could not reach it"),
        ([("127.0.0.1", 0), ("localhost", 0), ("c", 0)], "children on c could not reach it"),
    ],
)
def test_what_mrnet_could_not_use_is_refused(names: list[tuple[str, int]], message: str) -> None:
    with pytest.raises(InputError, match=message):
        mrnet.render(PlacedTree.of(flat(2), names))


def test_an_unusable_name_among_back_ends_that_are_left_out_does_not_matter() -> None:
    placed = PlacedTree.of(kary(1, 2), [("a", 0), ("b", 0), ("me@c", 0)])
    assert "me@c" not in mrnet.render(placed, attach=True)


def test_ranks_go_by_the_text_of_the_name() -> None:
    placed = local(16)
    assert mrnet.ranks(placed).tolist() == [0, *range(8, 16), *range(1, 8)]
    (doubt,) = mrnet.doubts(placed)
    assert "15 back-ends get another rank" in doubt
    assert "first localhost:2, rank 8" in doubt
    assert "indices from 10 keep the order" in doubt


@given(trees(), st.integers(1, 200))
def test_indices_of_equal_length_give_ranks_in_order(tree: Tree, each: int) -> None:
    hosts = Hosts("n00", tuple((f"n{number:02}", each) for number in range(tree.size)))
    first = mrnet.even_index(place_tree(tree, hosts))
    placed = place_tree(tree, hosts, first)
    assert len({len(str(index)) for index in placed.index.tolist()}) == 1
    assert mrnet.ranks(placed).tolist() == list(range(tree.back_ends))


@given(trees())
def test_ranks_are_a_permutation_sorted_by_name(tree: Tree) -> None:
    hosts = Hosts("n9", tuple((f"n{number}", 3) for number in range(5, 30)))
    placed = place_tree(tree, hosts)
    names = [n for n, k in zip(placed.names(), tree.fanouts.tolist(), strict=True) if not k]
    by_rank = dict(zip(mrnet.ranks(placed).tolist(), names, strict=True))
    assert [by_rank[rank] for rank in range(tree.back_ends)] == sorted(names)


def test_the_first_index_grows_with_the_processes_of_a_host() -> None:
    assert [mrnet.even_index(local(N)) for N in (8, 9, 89, 90)] == [1, 10, 10, 100]


def test_long_names_and_mixed_children_are_said() -> None:
    long = PlacedTree.of(flat(1), [("a", 0), ("b" * 62, 0)])
    assert any("62 characters; mrnet_topgen would cut it" in one for one in mrnet.doubts(long))
    assert not any("cut" in one for one in mrnet.doubts(place_tree(flat(1))))
    mixed = mrnet.doubts(place_tree(knomial(4, 2, 4)), attach=True)
    assert any("2 processes with back-ends and internal processes below" in one for one in mixed)
    assert not any("below" in one for one in mrnet.doubts(place_tree(kary(2, 2)), attach=True))

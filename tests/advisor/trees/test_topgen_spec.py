"""Specifications: the trees of mrnet_topgen, any tree as text and back, every refusal."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from advisor.models.process_tree import Tree, balanced, flat, kary, knomial
from advisor.trees.topgen_spec import (
    LONGEST,
    is_spec,
    parse_spec,
    same_shape,
    spec_text,
    topgen_spec,
)
from machines import InputError
from tests.advisor.random_trees import large_tree, shuffled, trees


@pytest.mark.parametrize(
    ("spec", "fanouts"),
    [
        ("b:3", [3, 0, 0, 0]),
        ("b:2^2", [2, 2, 2, 0, 0, 0, 0]),
        ("b:1x3", [1, 3, 0, 0, 0]),
        ("g:3:2,0,1", [3, 2, 0, 1, 0, 0, 0]),
        ("g:3:2", [3, 2, 0, 0, 0, 0]),
        ("g:3:2x1,0:1x2", [3, 1, 1, 0, 2, 0, 0, 0]),
        ("g:2:2x2\n", [2, 2, 2, 0, 0, 0, 0]),
        ("k:2@2", [1, 0]),
        # rounds of doubling: 0 has 1, 2, 4, 8; 1 has 3, 5, 9; 2 has 6, 10; 3 has 7, 11
        ("k:2@12", [4, 3, 2, 0, 0, 2, 0, 0, 0, 0, 0, 0]),
    ],
)
def test_a_specification_says_this_tree(spec: str, fanouts: list[int]) -> None:
    assert parse_spec(spec).fanouts.tolist() == fanouts


@pytest.mark.parametrize(("processes", "k"), [(16, 2), (27, 3), (64, 4), (25, 5)])
def test_doubling_makes_the_knomial_tree_of_a_power(processes: int, k: int) -> None:
    tree = parse_spec(f"k:{k}@{processes}")
    assert same_shape(tree, knomial(processes, k))
    assert tree.back_ends == processes * (k - 1) // k


def test_doubling_differs_from_the_knomial_tree_between_powers() -> None:
    assert parse_spec("k:2@12").back_ends == 8
    assert knomial(12, 2).back_ends == 6


@pytest.mark.parametrize(
    ("tree", "spec"),
    [
        (flat(512), "b:512^1"),
        (kary(8, 3), "b:8^3"),
        (balanced(512, 16), "b:2x16x16"),
        (balanced(64, 4), "b:4^3"),
        (balanced(6, 3), "b:2x3"),
        (knomial(16), "k:2@16"),
        (knomial(27, 3), "k:3@27"),
        (knomial(4, 2, 4), "g:6:4,5:4x0,4"),
        (balanced(5, 3), "g:2:3,2"),
    ],
)
def test_the_shortest_kind_of_specification_is_found(tree: Tree, spec: str) -> None:
    assert topgen_spec(tree) == spec
    assert same_shape(parse_spec(spec), tree)


@given(st.integers(2, 6), st.integers(3, 200))
def test_a_knomial_tree_is_found_for_any_number_of_processes(k: int, processes: int) -> None:
    tree = parse_spec(f"k:{k}@{processes}")
    found = topgen_spec(tree)
    assert found is not None
    assert found[0] in "bk"
    assert same_shape(parse_spec(found), tree)


@given(trees())
def test_any_tree_round_trips(tree: Tree) -> None:
    assert parse_spec(spec_text(tree)).is_like(tree)
    found = topgen_spec(tree)
    assert found is not None
    assert same_shape(parse_spec(found), tree)


def test_a_chain_round_trips() -> None:
    chain = kary(1, 1000)
    assert parse_spec(spec_text(chain)).is_like(chain)


def test_a_large_tree_without_short_specification_round_trips() -> None:
    tree = large_tree(200_000)
    text = spec_text(tree)
    assert parse_spec(text).is_like(tree)
    assert len(text) > LONGEST
    assert topgen_spec(tree) is None


@pytest.mark.parametrize(
    ("spec", "message"),
    [
        ("", "no specification of a tree"),
        ("4^2", r"no specification of a tree \(got '4\^2'\). Forms: b:4\^3"),
        ("x:4", "no specification of a tree"),
        ("b:", "no specification of a tree"),
        ("b:abc", "no balanced tree"),
        ("b:2x", "no balanced tree"),
        ("b:2^-1", "no balanced tree"),
        ("b:4^0", "a depth of 0: mrnet_topgen crashes"),
        ("b:0^2", "level 1: a fan-out of 0: mrnet_topgen writes an empty file"),
        ("b:2x0x3", "level 2: a fan-out of 0"),
        ("b:9^99", "too many processes"),
        ("b:1^99999999", "too many processes"),
        ("b:1^999999999", "too many processes"),
        ("k:8", "no k-nomial tree"),
        ("k:1@8", "no k-nomial tree"),
        ("k:2@1", "no k-nomial tree"),
        ("k:2@99999999", "too many processes"),
        ("g:2,3", "level 1: the front-end is one process"),
        ("g:2x3", "level 1: the front-end is one process"),
        ("g:0", "level 1: the front-end has no children"),
        ("g:2:2,2,2", "level 2: 3 entries for 2 processes: mrnet_topgen crashes"),
        ("g:2:0:1", "level 3: 1 entries for 0 processes"),
        ("g:2:1,y", r"level 2, entry 2: this is no number of children \(got 'y'\)"),
        ("g:2::1", "level 2, entry 1: this is no number"),
        ("g:2:1x2x3", "level 2, entry 1: this is no number"),
        ("g:2:1,", "level 2, entry 2: this is no number"),
        ("g:٣", "level 1, entry 1: this is no number"),
        ("g:999999999", "too many processes"),
        ("g:2:" + ",".join(["999999999x999999999"] * 40), "too many processes"),
    ],
)
def test_what_is_no_tree_is_refused_with_its_place(spec: str, message: str) -> None:
    with pytest.raises(InputError, match=message):
        parse_spec(spec, "s")


@given(st.text("gbk:,x0123^@", max_size=12))
def test_any_text_is_a_tree_or_refused(text: str) -> None:
    try:
        tree = parse_spec(text)
    except InputError:
        return
    assert tree.size >= 2


def test_a_specification_is_told_by_its_beginning() -> None:
    assert [is_spec(text) for text in ("b:4", " g:x", "k:", "x:4", "tree.top", "b")] == [
        True, True, True, False, False, False,
    ]  # fmt: skip


@given(trees(), st.integers(0, 99))
def test_the_order_of_siblings_does_not_count(tree: Tree, seed: int) -> None:
    assert same_shape(tree, shuffled(tree, seed))


def nested(tree: Tree, process: int = 0) -> tuple[object, ...]:
    """The tree as sorted nested tuples."""
    first = int(tree.first_child[process])
    children = range(first, first + int(tree.fanouts[process]))
    return tuple(sorted((nested(tree, child) for child in children), key=repr))


@given(trees(9), trees(9))
def test_shapes_are_equal_when_the_nested_tuples_are(one: Tree, other: Tree) -> None:
    assert same_shape(one, other) == (nested(one) == nested(other))


def test_equal_fanouts_in_each_level_are_not_enough() -> None:
    one = Tree((2, 2, 2, 1, 1, 0, 0, 0, 0))
    other = Tree((2, 2, 2, 1, 0, 1, 0, 0, 0))
    assert not same_shape(one, other)
    assert same_shape(one, Tree((2, 2, 2, 0, 0, 1, 1, 0, 0)))
    assert not same_shape(balanced(16, 4), knomial(21, 4))

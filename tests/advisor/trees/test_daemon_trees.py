"""Trees of daemons: Flux's k-ary one and PRRTE's radix tree, made, recognised and refused."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from advisor.models.process_tree import flat, kary
from advisor.trees.daemon_trees import (
    is_daemon_spec,
    kary_of,
    kary_tree,
    parse_daemon_spec,
    radix_of,
    radix_tree,
)
from advisor.trees.topgen_spec import parse_spec, same_shape
from machines import InputError


def test_flux_fills_one_parent_after_the_other() -> None:
    tree = parse_daemon_spec("kary:2@8")
    assert tree.parent[1:].tolist() == [0, 0, 1, 1, 2, 2, 3]
    assert kary_of(tree) == 2


def test_prrte_deals_the_last_level_round_robin() -> None:
    tree = parse_daemon_spec("radix:2@9")  # 7 and 8 go below 3 and 4, each of another parent
    assert tree.fanouts.tolist() == [2, 2, 2, 1, 0, 1, 0, 0, 0]
    assert parse_daemon_spec("radix:3@8").fanouts.tolist() == [3, 2, 1, 1, 0, 0, 0, 0]
    assert same_shape(radix_tree(9, 2), parse_spec("g:2:2,2:1,0,1"))


def test_full_trees_of_both_are_the_same() -> None:
    for k in (2, 3, 5):
        full = kary(k, 3)
        assert same_shape(kary_tree(full.size, k), full)
        assert same_shape(radix_tree(full.size, k), full)


@given(st.integers(2, 300), st.integers(2, 20))
def test_the_number_that_made_a_tree_is_found_again(processes: int, k: int) -> None:
    found = kary_of(kary_tree(processes, k))
    assert found is not None
    assert kary_tree(processes, found).is_like(kary_tree(processes, k))
    _, made = radix_of(radix_tree(processes, k))
    assert same_shape(made, radix_tree(processes, k))


def test_another_tree_has_no_k_and_the_nearest_radix() -> None:
    tree = parse_spec("g:2:8,4")
    assert kary_of(tree) is None
    k, made = radix_of(tree)
    assert (k, made.size, made.depth) == (4, tree.size, 2)
    assert radix_tree(tree.size, k - 1).depth == 3
    assert radix_of(flat(9))[0] == 9


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("kary:0@4", "Write kary:K@N"),
        ("radix:1@4", "K from 2"),
        ("radix:x", "no radix tree"),
        ("kary:2@1", "N from 2"),
        ("kary:2@999999999", "too many processes"),
    ],
)
def test_a_specification_that_is_none_is_refused(text: str, message: str) -> None:
    assert is_daemon_spec(text)
    with pytest.raises(InputError, match=message):
        parse_daemon_spec(text)

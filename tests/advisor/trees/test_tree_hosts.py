"""Placing trees on hosts: filled as mrnet_topgen fills them, refused with what would fit."""

from __future__ import annotations

import pickle

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from advisor.models.process_tree import Tree, balanced, flat, kary, knomial
from advisor.trees.topgen_spec import parse_spec
from advisor.trees.tree_hosts import Hosts, PlacedTree, least_fanout, place_tree
from machines import InputError
from tests.advisor.random_trees import trees


def listed(first: int, last: int, each: int) -> tuple[tuple[str, int], ...]:
    return tuple((f"n{number:02}", each) for number in range(first, last + 1))


def names(tree: Tree, hosts: Hosts | None = None, first_index: int = 0) -> list[str]:
    return place_tree(tree, hosts, first_index).names()


def test_shared_hosts_are_filled_one_after_another() -> None:
    # mrnet_topgen -f n00 -h (16 hosts of 8) -t b:4^2
    found = names(kary(4, 2), Hosts("n00", listed(0, 15, 8)))
    assert found[:5] == ["n00:0", "n00:1", "n00:2", "n00:3", "n00:4"]
    assert found[5:9] == ["n00:5", "n00:6", "n00:7", "n01:0"]
    assert found[-1] == "n02:4"


def test_a_front_end_shares_a_host_of_one_process() -> None:
    # mrnet_topgen -f n00 -h (16 hosts of 1) -t b:2^3
    found = names(kary(2, 3), Hosts("n00", listed(0, 15, 1)))
    assert found[:5] == ["n00:0", "n00:1", "n01:0", "n02:0", "n03:0"]


def test_a_front_end_takes_a_place_on_a_host_of_several() -> None:
    # mrnet_topgen -f n00 -h (16 hosts of 8) -p 2 -t b:2x4
    found = names(Tree((2, 4, 4) + (0,) * 8), Hosts("n00", listed(0, 15, 2)))
    assert found[:7] == ["n00:0", "n00:1", "n01:0", "n01:1", "n02:0", "n02:1", "n03:0"]
    again = Hosts("a", (("a", 1), ("b", 1), ("a", 1)))
    assert names(flat(2), again) == ["a:0", "b:0", "a:1"]


def test_internal_processes_may_have_hosts_of_their_own() -> None:
    # mrnet_topgen -f n00 -c (3 hosts) -b (8 hosts) -q 2 -r 1 -t b:2x4
    hosts = Hosts("n00", listed(4, 11, 2), listed(1, 3, 1))
    placed = place_tree(balanced(8, 4), hosts)
    assert placed.names() == [
        "n00:0", "n01:0", "n02:0",
        "n04:0", "n04:1", "n05:0", "n05:1", "n06:0", "n06:1", "n07:0", "n07:1",
    ]  # fmt: skip
    assert placed.front_end == "n00"
    assert placed.shared == ()


def test_back_ends_above_internal_processes_come_in_the_order_of_the_tree() -> None:
    hosts = Hosts("fe", (("b", 4),), (("c", 4),))
    assert names(Tree((3, 0, 2, 0, 0, 0)), hosts) == ["fe:0", "b:0", "c:0", "b:1", "b:2", "b:3"]


def test_shared_hosts_are_filled_level_by_level() -> None:
    # mrnet_topgen -f localhost -h (200 on localhost) -t g:3:2,0,5
    placed = place_tree(parse_spec("g:3:2,0,5"), Hosts("localhost", (("localhost", 200),)))
    assert placed.index.tolist() == list(range(11))
    assert placed.shared == ("localhost",)


def test_a_host_of_both_kinds_counts_on() -> None:
    placed = place_tree(balanced(4, 2), Hosts("a", (("a", 2), ("b", 2)), (("a", 2),)), 10)
    assert placed.names() == ["a:10", "a:11", "a:12", "a:13", "a:14", "b:10", "b:11"]
    assert placed.shared == ("a",)


def test_without_hosts_every_process_has_one_whose_name_sorts() -> None:
    found = names(flat(12))
    assert found[0] == "node00001:0"
    assert found == sorted(found)
    assert names(flat(100_000))[0] == "node000001:0"


@given(trees(), st.lists(st.tuples(st.sampled_from("abc"), st.integers(1, 30)), min_size=1))
def test_every_name_is_given_once(tree: Tree, capacities: list[tuple[str, int]]) -> None:
    room = sum(many for _, many in capacities)
    hosts = Hosts("a", tuple(capacities))
    if room < tree.size - 1:
        with pytest.raises(InputError, match="missing"):
            place_tree(tree, hosts)
    elif room >= tree.size:
        placed = place_tree(tree, hosts)
        assert len(set(placed.names())) == tree.size
        assert placed.names()[0] == "a:0"
        for number, host in enumerate(placed.hosts):
            index = np.sort(placed.index[placed.host == number])
            assert index.tolist() == list(range(index.size))
            assert index.size <= sum(many for name, many in capacities if name == host) or (
                host == "a"
            )


def test_too_few_hosts_say_what_is_missing_and_what_fits() -> None:
    with pytest.raises(InputError, match=r"take 72 internal processes, not 170. 98 places missing"):
        place_tree(balanced(512, 4), Hosts("fe", (("a", 600),), (("b", 72),)))
    with pytest.raises(InputError, match="a balanced tree fits from fan-out 8; without hosts of"):
        place_tree(balanced(512, 4), Hosts("fe", (("a", 600),), (("b", 72),)))
    assert balanced(512, 8).internal == 72
    with pytest.raises(InputError, match=r"take 5 back-ends, not 6\. 1 place missing"):
        place_tree(balanced(6, 3), Hosts("fe", (("a", 5),), (("b", 72),)))
    with pytest.raises(InputError, match="take 7 internal processes and back-ends, not 8"):
        place_tree(balanced(6, 3), Hosts("fe", (("a", 7),)))


@pytest.mark.parametrize(
    ("front_end", "back_ends", "message"),
    [
        ("", (("a", 1),), "front-end's host must be a non-empty text"),
        ("a", (), "no host for the back-ends"),
        ("a", (("a", 0),), "hosts: a: processes must be a whole number"),
        ("a", (("", 1),), "host must be a non-empty text"),
    ],
)
def test_hosts_without_room_are_refused(
    front_end: str, back_ends: tuple[tuple[str, int], ...], message: str
) -> None:
    with pytest.raises(InputError, match=message):
        Hosts(front_end, back_ends)
    with pytest.raises(InputError, match="first_index"):
        place_tree(flat(2), None, -1)


def test_a_placed_tree_travels() -> None:
    placed = pickle.loads(pickle.dumps(PlacedTree.of(flat(2), [("a", 0), ("b", 3), ("b", 1)])))
    assert placed.names() == ["a:0", "b:3", "b:1"]
    assert placed.hosts == ("a", "b")


@pytest.mark.parametrize("N", [1, 2, 7, 64, 100])
@pytest.mark.parametrize("parents", [1, 2, 3, 9, 40])
def test_the_least_fanout_is_the_first_that_fits(N: int, parents: int) -> None:
    fits = [k for k in range(2, N + 2) if balanced(N, k).internal + 1 <= parents]
    assert least_fanout(N, parents) == fits[0]


def test_a_large_tree_is_placed() -> None:
    hosts = Hosts("fe", tuple((f"n{number:05}", 32) for number in range(7_000)))
    placed = place_tree(knomial(200_000), hosts)
    assert np.bincount(placed.host).tolist() == [1, *[32] * 6249, 31]

"""Placements of internal processes: packed, spread, beside their back-ends."""

from __future__ import annotations

from collections import Counter

import pytest
from hypothesis import given
from hypothesis import strategies as st

from advisor.models.process_tree import flat, levelled
from advisor.overlays.overlay_options import allowed, beside, packed, placements, spread
from machines import Machine
from tests.advisor.overlays.monitored import cluster, monitor, placed, star, workers
from tests.advisor.random_trees import trees

EIGHT = levelled(64, (8, 8))
N8 = tuple(f"n{number}" for number in range(1, 9))


def test_beside_their_back_ends_each_machine_holds_its_own_parent() -> None:
    assert beside(cluster(), monitor(), EIGHT) == N8


def test_where_back_ends_may_hold_none_the_others_take_turns_by_cores() -> None:
    overlay = monitor(internal_on=("login", "svc"))
    found = beside(cluster(), overlay, EIGHT)
    assert Counter(found) == {"svc": 7, "login": 1}
    assert beside(cluster(), monitor(internal_on=()), EIGHT) == ()
    assert beside(cluster(), monitor(internal_on=("gone",)), EIGHT) == ()


def test_upper_levels_take_the_least_used_machines_below_them() -> None:
    found = beside(cluster(), monitor(8, 1), levelled(8, (2, 2, 2)))
    assert found[2:] == ("n1", "n3", "n5", "n7")
    assert found[:2] == ("n2", "n6")


def test_placements_of_a_cluster_with_a_spare_machine() -> None:
    assert list(placements(cluster(), monitor(), EIGHT)) == [
        N8, ("svc",) * 8, ("login",) * 8,
    ]  # fmt: skip
    assert list(placements(cluster(), monitor(internal_on=("svc",)), EIGHT)) == [("svc",) * 8]
    assert list(placements(cluster(), monitor(internal_on=()), EIGHT)) == []
    assert list(placements(cluster(), monitor(), flat(64))) == [()]


def test_packed_fills_core_by_core_and_spread_divides_by_cores() -> None:
    spare = [Machine("a", cores=2), Machine("b", cores=4), Machine("c", cores=2)]
    assert packed(spare, 4) == ("a", "a", "b", "b")
    assert spread(spare, 4) == ("a", "b", "b", "c")
    assert Counter(packed(spare, 16)) == {"a": 4, "b": 8, "c": 4}


@given(cores=st.lists(st.integers(1, 9), min_size=1, max_size=6), processes=st.integers(0, 60))
def test_spread_is_within_one_process_of_even(cores, processes) -> None:
    machines = [Machine(f"m{number}", cores=many) for number, many in enumerate(cores)]
    found = Counter(spread(machines, processes))
    assert found.total() == processes
    for machine in machines:
        even = processes * machine.cores / sum(cores)
        assert abs(found[machine.name] - even) < 1.0 + 1e-9


@given(placed())
def test_every_placement_holds_every_internal_process_where_it_may_be(drawn) -> None:
    platform, overlay, plan = drawn
    may = {machine.name for machine in allowed(platform, overlay)}
    found = list(placements(platform, overlay, plan.tree))
    assert len(found) == len(set(found)) >= 1
    assert all(len(one) == plan.tree.internal and may >= set(one) for one in found)


@given(trees(30))
def test_beside_is_on_a_machine_of_a_back_end_below(tree) -> None:
    count = tree.back_ends
    platform = star(*workers(count), Machine("login"))
    found = beside(platform, monitor(count, 1), tree)
    above = tree.parent.tolist()
    leaves = [process for process, below in enumerate(tree.fanouts.tolist()) if not below]
    inner = [process for process, below in enumerate(tree.fanouts.tolist()) if below][1:]
    below: dict[int, set[str]] = {process: set() for process in inner}
    for number, leaf in enumerate(leaves, 1):
        process = above[leaf]
        while process > 0:
            below[process].add(f"n{number}")
            process = above[process]
    assert all(machine in below[process] for process, machine in zip(inner, found, strict=True))


@pytest.mark.parametrize("each", [1, 3])
def test_machines_that_share_a_subtree_are_used_evenly(each: int) -> None:
    tree = levelled(16 * each, (4, 4, each)) if each > 1 else levelled(16, (4, 4))
    used = Counter(beside(cluster(16), monitor(16, each), tree))
    assert max(used.values()) <= 2

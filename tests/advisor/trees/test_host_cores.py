"""Processes that share cores: against the model where they don't, and against processor sharing.

`advisor.trees.cores_simulation` knows no list, no order by urgency and no bound: all processes of
a host that have something to do run at once.
"""

from __future__ import annotations

import itertools
from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from advisor.models.mrnet import BROADCAST, OPERATIONS, REDUCTION, balanced, flat
from advisor.models.process_tree import Tree
from advisor.trees.cores_simulation import simulate_on_cores
from advisor.trees.search import Limits, optimum
from advisor.trees.shapes import spread_knomial
from advisor.trees.tree_costs import ROUND_TRIP, TreeCosts, measure, times_of
from advisor.trees.tree_hosts import Hosts, place_tree
from machines import InputError
from tests.advisor.random_trees import loggp, trees

COSTS = TreeCosts(loggp(6.0, 2.0, 4.0), filter_cost=1.0, create=50.0, report=5.0)
N = 48


def on_hosts(
    costs: TreeCosts, hosts: int, each: int, cores: int, front_end: str = "h0"
) -> TreeCosts:
    named = tuple((f"h{number}", each) for number in range(hosts))
    return replace(costs, hosts=Hosts(front_end, named), cores=cores)


def seventeen() -> list[Tree]:
    """Flat, balanced, binomial and optimal trees of one number of back-ends."""
    wide = [balanced(N, k) for k in (2, 3, 4, 5, 6, 7, 8, 12, 16, 24)]
    binomial = [spread_knomial(N, 2, own) for own in (2, 4, 8, 16)]
    best = [optimum(N, COSTS, Limits(max_internal=m)).tree for m in (1, 4)]
    return [flat(N), *wide, *binomial, *best]


def in_order(one: list[float], other: list[float]) -> float:
    """Share of the pairs whose order agrees; equal ones in either do not count."""
    signs = [
        (a - b) * (c - d)
        for (a, c), (b, d) in itertools.combinations(zip(one, other, strict=True), 2)
        if abs(a - b) > 1e-9 and abs(c - d) > 1e-9
    ]
    return sum(sign > 0 for sign in signs) / len(signs)


@given(trees(), st.booleans())
def test_with_a_core_for_each_process_on_a_host_of_its_own_nothing_changes(
    tree: Tree, many: bool
) -> None:
    shared = on_hosts(COSTS, tree.size, 1, 8 if many else 1, "front")
    for operation in (BROADCAST, REDUCTION, ROUND_TRIP):
        asked = replace(COSTS, operation=operation)
        alone = measure(tree, asked)
        found = measure(tree, replace(shared, operation=operation))
        for name in ("broadcast", "reduction", "period", "start_up"):
            assert getattr(found, name) == pytest.approx(getattr(alone, name))
    for operation in OPERATIONS:
        assert simulate_on_cores(tree, shared, operation) == pytest.approx(
            measure(tree, COSTS).latency(operation)
        )


@given(trees(), st.integers(1, 4), st.integers(1, 3))
def test_no_latency_is_less_than_the_work_of_a_host_over_its_cores(
    tree: Tree, each: int, cores: int
) -> None:
    costs = on_hosts(COSTS, tree.size, each, cores)
    placed, o, c = place_tree(tree, costs.hosts), 2.0, 1.0
    received = np.where(np.arange(tree.size) > 0, o, 0.0)
    for operation, own in ((BROADCAST, o), (REDUCTION, o + c)):
        work = np.bincount(placed.host, weights=tree.fanouts * own + received)
        asked = replace(costs, operation=operation)
        least = work.max() / cores
        simulated = simulate_on_cores(tree, costs, operation)
        assert simulated is not None
        assert measure(tree, asked).latency(operation) >= least - 1e-9
        assert measure(tree, asked).period >= least - 1e-9
        assert simulated >= least - 1e-6
        times = times_of(tree, asked, operation)
        assert times.latency == pytest.approx(measure(tree, asked).latency(operation))
        assert times.path[0] == 0
        assert (times.done[1:] - times.sent[1:] >= 2 * o + 6.0 - 1e-9).all()


def test_on_two_cores_the_flat_tree_is_first_and_the_order_is_that_of_the_simulation() -> None:
    compared, costs = seventeen(), on_hosts(COSTS, 1, 200, 2)
    assert len(compared) == 17
    simulated = [simulate_on_cores(one, costs) or 0.0 for one in compared]
    predicted = [measure(one, costs).broadcast for one in compared]
    alone = [measure(one, COSTS).broadcast for one in compared]
    assert min(range(17), key=simulated.__getitem__) == 0
    assert min(range(17), key=predicted.__getitem__) == 0
    assert predicted == pytest.approx(simulated, rel=0.02)
    assert in_order(predicted, simulated) > 0.95
    assert in_order(alone, simulated) < 0.4  # what it said when cores were left out
    assert alone[0] > 3.0 * min(alone)


@pytest.mark.parametrize(("cores", "share"), [(1, 0.95), (2, 0.95), (4, 0.9)])
def test_reductions_on_shared_cores_keep_the_order_of_the_simulation(
    cores: int, share: float
) -> None:
    compared = seventeen()
    costs = on_hosts(replace(COSTS, filter_cost=0.0), 1, 200, cores)
    simulated = [simulate_on_cores(one, costs, REDUCTION) or 0.0 for one in compared]
    predicted = [measure(one, costs).reduction for one in compared]
    assert in_order(predicted, simulated) > share
    assert predicted == pytest.approx(simulated, rel=0.18)


def test_starting_processes_takes_the_processors_of_their_parents() -> None:
    tree = balanced(16, 4)
    crowded = measure(tree, on_hosts(COSTS, 1, 30, 1))
    assert crowded.start_up >= 20 * 50.0
    assert measure(tree, COSTS).start_up == pytest.approx(2 * (4 * 50.0 + 5.0))


def test_a_tree_that_is_too_large_crowds_its_hosts() -> None:
    placed = place_tree(flat(10), Hosts("a", (("a", 1), ("b", 2))), crowd=True)
    assert np.bincount(placed.host).tolist() == [5, 6]
    with pytest.raises(InputError, match="missing"):
        place_tree(flat(10), Hosts("a", (("a", 1), ("b", 2))))


def test_without_hosts_nothing_can_be_shared() -> None:
    with pytest.raises(InputError, match="without hosts and cores"):
        simulate_on_cores(flat(2), COSTS)
    assert (
        simulate_on_cores(flat(900), on_hosts(COSTS, 1, 999, 1), should_stop=lambda: True) is None
    )

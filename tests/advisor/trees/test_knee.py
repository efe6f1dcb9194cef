"""Far fewer processes for a little latency: the least number, against trying all of them."""

from __future__ import annotations

import random

import pytest

from advisor.trees.costs import TreeCosts
from advisor.trees.knee import rungs, thinnest
from advisor.trees.search import Limits, optimum
from tests.advisor.random_trees import loggp

PUBLISHED = TreeCosts(loggp(6.0, 2.0, 4.0))


@pytest.mark.parametrize(
    ("latency", "internal"), [(68.0, 163), (71.9, 115), (72.0, 94), (74.8, 82), (2054.0, 0)]
)
def test_512_back_ends_of_the_published_example(latency: float, internal: int) -> None:
    found = thinnest(512, PUBLISHED, Limits(), latency)
    assert found.internal == internal
    assert found.latency <= latency


@pytest.mark.parametrize("seed", range(12))
def test_no_smaller_number_of_processes_is_as_fast(seed: int) -> None:
    rng = random.Random(seed)
    costs = TreeCosts(loggp(rng.uniform(0, 9), rng.uniform(0.1, 4), rng.uniform(0.1, 6)))
    N = rng.randint(2, 60)
    most = optimum(N, costs, Limits()).latency * rng.uniform(1.0, 1.5)
    every = [optimum(N, costs, Limits(max_internal=m)) for m in range(N)]
    fewest = min(one.internal for one in every if one.latency <= most)
    assert thinnest(N, costs, Limits(), most).internal == fewest


def test_the_ladder_leads_from_the_optimum_to_the_flat_tree() -> None:
    counts = [tree.internal for tree in rungs(512, PUBLISHED, Limits())]
    assert counts[0] == 163
    assert counts[-1] == 0
    assert counts == sorted(counts, reverse=True)

"""Trees for attach mode: the least latency, against all trees of small numbers of back-ends."""

from __future__ import annotations

from functools import cache

import pytest

from advisor.models.process_tree import Tree, balanced, flat, knomial
from advisor.trees.attachable import attachable_trees, fastest, is_attachable, mixed_processes
from advisor.trees.search import Limits, optimum
from advisor.trees.tree_costs import TreeCosts, measure
from advisor.trees.tree_file import attached
from machines import InputError
from tests.advisor.random_trees import loggp

PUBLISHED = TreeCosts(loggp(6.0, 2.0, 4.0))
COSTS = [PUBLISHED, TreeCosts(loggp(1.0, 1.0, 0.5)), TreeCosts(loggp(13.5, 2.25, 3.75))]


def least(N: int, step: float, delay: float) -> float:
    """Over all attachable trees: only back-ends below, or shares of 1 … N − 1 for each child."""

    @cache
    def of(n: int) -> float:
        inner = (max(delay + of(share), others(n - share, 1)) for share in range(1, n))
        return min([(n - 1) * step + delay, *inner])

    @cache
    def others(n: int, turn: int) -> float:
        """The children from this turn on, all internal."""
        begin = turn * step + delay
        more = (max(begin + of(share), others(n - share, turn + 1)) for share in range(1, n))
        return min([begin + of(n), *more])

    return of(N)


@pytest.mark.parametrize("costs", COSTS)
@pytest.mark.parametrize("N", [1, 2, 3, 5, 7, 12, 16, 30])
def test_no_attachable_tree_is_faster(costs: TreeCosts, N: int) -> None:
    tree = fastest(N, costs, Limits())
    message = costs.search_message
    assert tree.back_ends == N
    assert is_attachable(tree)
    assert measure(tree, costs).broadcast == pytest.approx(
        least(N, message.step, message.delay), rel=1e-9
    )


def test_the_unlimited_optimum_of_5000_is_not_attachable_and_every_tree_of_the_ladder_is() -> None:
    best = optimum(5000, PUBLISHED, Limits())
    assert mixed_processes(best.tree).size > 400
    ladder = list(attachable_trees(5000, PUBLISHED, Limits()))
    assert all(is_attachable(one) and one.back_ends == 5000 for one in ladder)
    fast = min(measure(one, PUBLISHED).broadcast for one in ladder)
    assert best.latency <= fast <= 1.05 * best.latency


def test_fan_outs_keep_their_limit() -> None:
    assert fastest(100, PUBLISHED, Limits(max_fanout=5)).max_fanout <= 5
    with pytest.raises(InputError, match="no tree of 9 back-ends"):
        fastest(9, PUBLISHED, Limits(max_fanout=1))


def test_the_binomial_tree_of_the_paper_is_mixed() -> None:
    assert mixed_processes(knomial(4, 2, 4)).tolist() == [0, 2]
    assert is_attachable(flat(5))


def test_back_ends_attach_to_the_leaves_of_a_file_evenly() -> None:
    tree = attached(7, balanced(3, 3))
    assert tree.fanouts.tolist() == [3, 3, 2, 2, *[0] * 7]
    assert attached(7, None).is_like(flat(7))
    uneven = attached(5, Tree((2, 0, 1, 0)))
    assert uneven.back_ends == 5
    assert is_attachable(uneven)
    with pytest.raises(InputError, match="can't attach to 3 leaves"):
        attached(2, flat(3))

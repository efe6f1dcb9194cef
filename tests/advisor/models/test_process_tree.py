"""Shapes of process trees: counts, numbering, and what is refused."""

from __future__ import annotations

import itertools

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from advisor.models.process_tree import Tree, balanced, flat, kary, knomial, levelled
from machines import InputError

PARENTS = (
    st.integers(1, 60)
    .flatmap(lambda size: st.tuples(*(st.integers(0, place) for place in range(size))))
    .map(lambda above: np.array([-1, *above]))
)


@given(PARENTS, st.randoms(use_true_random=False))
def test_a_parent_list_in_any_order_makes_the_same_tree(parents, random) -> None:
    names = list(range(parents.size))
    random.shuffle(names)
    shuffled = np.empty_like(parents)
    for old, new in enumerate(names):
        shuffled[new] = -1 if parents[old] < 0 else names[parents[old]]
    tree, order = Tree.of(shuffled)
    place = np.empty(tree.size, dtype=int)
    place[order] = np.arange(tree.size)
    for process in range(1, tree.size):
        assert place[shuffled[order[process]]] == tree.parent[process]


@given(PARENTS)
def test_numbers_of_children_say_the_whole_tree(parents) -> None:
    tree, _ = Tree.of(parents)
    assert Tree(tree.fanouts).is_like(tree)
    assert tree.back_ends + tree.internal + 1 == tree.size
    assert (np.diff(tree.parent[1:]) >= 0).all()
    for process in range(tree.size):
        first = tree.first_child[process]
        children = np.flatnonzero(tree.parent == process)
        assert children.tolist() == list(range(first, first + tree.fanouts[process]))
    depths = np.zeros(tree.size, dtype=int)
    for process in range(1, tree.size):
        depths[process] = depths[tree.parent[process]] + 1
    assert depths.max() == tree.depth
    starts = [np.flatnonzero(depths == depth)[0] for depth in range(tree.depth + 1)]
    assert tree.levels.tolist() == [*starts, tree.size]


@pytest.mark.parametrize(
    "fanouts", [[], [0], [2, 0], [1, 0, 0], [0, 1], [1, -1, 1], [2, 0, 1, 0, 0], [1, 0, 1, 1, 0]]
)
def test_numbers_that_make_no_tree_are_refused(fanouts) -> None:
    with pytest.raises(InputError, match="make no tree"):
        Tree(np.array(fanouts, dtype=int))


def test_of_all_short_lists_those_are_trees_whose_processes_are_there_when_their_turn_comes() -> (
    None
):
    for size in range(1, 5):
        for fanouts in itertools.product(range(-1, size + 1), repeat=size):
            there = [1 + sum(fanouts[:process]) for process in range(size + 1)]
            in_time = all(process < there[process] for process in range(size))
            if size > 1 and min(fanouts) >= 0 and in_time and there[-1] == size:
                assert Tree(np.array(fanouts)).fanouts.tolist() == list(fanouts)
            else:
                with pytest.raises(InputError, match="make no tree"):
                    Tree(np.array(fanouts))


@given(PARENTS)
def test_processes_with_children_know_their_parents_and_turns_among_each_other(parents) -> None:
    tree, _ = Tree.of(parents)
    inner, numbers = tree.inner, np.flatnonzero(tree.fanouts).tolist()
    above = [tree.parent[one] for one in numbers]
    assert inner.fanouts.tolist() == [tree.fanouts[one] for one in numbers]
    assert inner.parent.tolist() == [-1, *(numbers.index(one) for one in above[1:])]
    assert inner.turn.tolist() == [above[:at].count(one) for at, one in enumerate(above)]
    assert inner.eldest.tolist() == [at for at, turn in enumerate(inner.turn) if not turn]
    assert inner.levels.tolist() == [sum(n < start for n in numbers) for start in tree.levels]


@pytest.mark.parametrize("parents", [[0, 0], [-1, -1], [-1, 7], [-1, 2, 1], [-1, 0, 2]])
def test_parents_that_make_no_tree_are_refused(parents) -> None:
    with pytest.raises(InputError):
        Tree.of(parents)


def test_a_tree_can_not_be_changed() -> None:
    tree = flat(3)
    for array in (tree.fanouts, tree.parent, tree.first_child, tree.levels):
        with pytest.raises(ValueError, match="read-only"):
            array[0] = 5


@given(st.integers(1, 500), st.integers(2, 12))
def test_a_balanced_tree_divides_its_back_ends_evenly_at_one_depth(N, fanout) -> None:
    tree = balanced(N, fanout)
    assert tree.back_ends == N
    assert tree.max_fanout <= fanout
    assert fanout ** (tree.depth - 1) < N or tree.depth == 1
    below = np.ones(tree.size, dtype=int)
    below[tree.fanouts > 0] = 0
    for process in range(tree.size - 1, 0, -1):
        below[tree.parent[process]] += below[process]
    for first, end in zip(tree.levels[1:-1], tree.levels[2:], strict=True):
        assert (np.diff(tree.levels) > 0).all()
        assert np.ptp(below[first:end]) <= 1 or tree.depth > 2
    leaves = np.flatnonzero(tree.fanouts == 0)
    assert leaves.min() == tree.levels[-2]


@given(st.integers(1, 200), st.lists(st.integers(1, 8), min_size=1, max_size=5))
def test_levels_hold_what_they_can_and_no_more(N, fanouts) -> None:
    if np.prod(fanouts) < N:
        with pytest.raises(InputError, match="hold fewer"):
            levelled(N, fanouts)
        return
    tree = levelled(N, fanouts)
    assert tree.back_ends == N
    assert tree.depth == len(fanouts)
    for level, most in enumerate(fanouts):
        first, end = tree.levels[level : level + 2]
        assert tree.fanouts[first:end].max() <= most


@given(st.integers(2, 200), st.integers(2, 5))
def test_a_k_nomial_tree_is_connected_as_its_definition_says(processes, k) -> None:
    span = 1
    while span < processes:
        span *= k
    parents = {0: -1}

    def grow(process: int, span: int) -> None:
        step = span // k
        while step >= 1:
            for j in range(1, k):
                child = process + j * step
                if child < processes:
                    parents[child] = process
                    grow(child, step)
            step //= k

    grow(0, span)
    wanted, _ = Tree.of([parents[process] for process in range(processes)])
    assert knomial(processes, k).is_like(wanted)


@pytest.mark.parametrize(
    "make",
    [
        lambda: flat(10**9),
        lambda: kary(10, 9),
        lambda: kary(1, 10**8),
        lambda: knomial(10**9),
        lambda: balanced(10**9, 2),
    ],
)
def test_a_tree_beyond_memory_is_refused_before_it_is_built(make) -> None:
    with pytest.raises(InputError, match="too many processes"):
        make()

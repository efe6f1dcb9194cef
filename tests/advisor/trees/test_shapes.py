"""Trees for any number of back-ends: the best level by level, and spread k-nomial ones."""

from __future__ import annotations

from itertools import combinations_with_replacement
from math import prod

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from advisor.models.mrnet import Message, broadcast_message, knomial
from advisor.models.process_tree import Tree, knomial_parents, levelled
from advisor.models.tree_times import latencies
from advisor.trees.shapes import best_levels, spread_knomial
from machines import InputError, LogGP

TEXTBOOK = broadcast_message(LogGP(L=6.0, o_s=2.0, o_r=2.0, g=4.0))


def bound(fanouts, message) -> float:
    return sum((k - 1) * message.step + message.delay for k in fanouts)


@given(
    st.integers(2, 60),
    st.sampled_from([0.5, 1.0, 4.0]),
    st.sampled_from([0.3, 2.5, 10.0, 50.0]),
    st.none() | st.integers(2, 7),
)
def test_no_fan_outs_by_level_take_less(N, step, delay, most) -> None:
    message, high = Message(step, delay, 0.0), N if most is None else min(N, most)
    found = best_levels(N, message, most)
    tried = [
        bound(fanouts, message)
        for depth in range(1, 7)
        for fanouts in combinations_with_replacement(
            range(2, min(high, 60 if depth < 3 else 8) + 1), depth
        )
        if prod(fanouts) >= N
    ]
    assert bound(found, message) <= min(tried) + 1e-9
    assert prod(found) >= N
    assert max(found) <= high
    assert latencies(levelled(N, found), message)[0][0] <= bound(found, message) + 1e-9


@pytest.mark.parametrize(
    ("N", "fanouts", "latency"),
    [(16, (4, 4), 44), (512, (2, 4, 4, 4, 4), 102), (10**6, (4,) * 10, 220)],
)
def test_levels_of_the_textbook_machine(N, fanouts, latency) -> None:
    assert best_levels(N, TEXTBOOK) == fanouts
    assert bound(fanouts, TEXTBOOK) == latency


def test_one_back_end_needs_one_level() -> None:
    assert best_levels(1, TEXTBOOK) == (1,)
    with pytest.raises(InputError, match="one back-end only"):
        best_levels(2, TEXTBOOK, 1)


@given(st.integers(1, 40), st.integers(2, 4), st.integers(1, 6))
def test_back_ends_that_divide_evenly_make_the_models_k_nomial_tree(processes, k, own) -> None:
    assert spread_knomial(processes * own, k, own).is_like(knomial(processes, k, own))


@given(st.integers(1, 300), st.integers(2, 4), st.integers(1, 20))
def test_spread_back_ends_are_all_there(N, k, own) -> None:
    tree = spread_knomial(N, k, own)
    assert tree.back_ends == N
    assert tree.internal == -(-N // own) - 1


@given(st.integers(2, 200), st.integers(2, 5), st.integers(1, 9))
def test_every_process_of_a_spread_tree_has_its_share_behind_its_k_nomial_children(N, k, own):
    processes = -(-N // own)
    parents = knomial_parents(processes, k)
    share = np.arange(processes) < N % processes
    owners = np.repeat(np.arange(processes), N // processes + share)
    expected = Tree.of(np.concatenate((parents, owners)))[0]
    assert spread_knomial(N, k, own).is_like(expected)

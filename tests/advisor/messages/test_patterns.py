"""Traffic patterns: probabilities that sum to one, no message to oneself, the right receivers."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from advisor.messages.patterns import (
    KINDS,
    Pattern,
    all_to_all,
    destinations,
    em3d,
    hotspot,
    neighbours,
    permutation,
    shift,
)
from machines import InputError, Mesh


def hops_of(mesh: Mesh) -> np.ndarray:
    nodes = range(mesh.size)
    return np.array([[mesh.distance(i, j) for j in nodes] for i in nodes])


patterns = st.builds(
    Pattern,
    kind=st.sampled_from(KINDS),
    reach=st.integers(1, 5),
    share=st.floats(0.0, 1.0),
    node=st.integers(0, 5),
    seed=st.integers(0, 9),
)
meshes = st.builds(Mesh, st.sampled_from([(6,), (3, 2), (4, 3), (2, 2, 2)]), st.booleans())


@given(patterns, meshes)
def test_every_row_is_a_distribution_that_leaves_the_sender_out(
    pattern: Pattern, mesh: Mesh
) -> None:
    if pattern.kind == "shift" and pattern.reach % mesh.size == 0:
        return
    matrix = destinations(pattern, hops_of(mesh))
    assert matrix.shape == (mesh.size, mesh.size)
    assert (matrix >= 0).all()
    assert np.diag(matrix).max() == 0
    assert matrix.sum(axis=1) == pytest.approx(1.0)


@given(patterns)
def test_the_same_pattern_gives_the_same_matrix(pattern: Pattern) -> None:
    if pattern.kind == "shift" and pattern.reach % 6 == 0:
        return
    hops = hops_of(Mesh((3, 2)))
    assert np.array_equal(destinations(pattern, hops), destinations(pattern, hops))


def test_a_remap_spreads_over_all_others() -> None:
    assert all_to_all(5)[2].tolist() == [0.25, 0.25, 0.0, 0.25, 0.25]


def test_a_shift_wraps_round() -> None:
    matrix = shift(4, 3)
    assert matrix[0, 3] == matrix[1, 0] == matrix[2, 1] == matrix[3, 2] == 1.0


@given(st.integers(2, 20), st.integers(0, 99))
def test_a_permutation_gives_everyone_one_sender(P: int, seed: int) -> None:
    matrix = permutation(P, seed)
    assert matrix.sum(axis=0).tolist() == [1.0] * P
    assert set(np.unique(matrix)) == {0.0, 1.0}


def test_neighbours_are_fewer_at_the_edge() -> None:
    matrix = neighbours(hops_of(Mesh((3, 3))), 1)
    assert sorted((matrix > 0).sum(axis=1).tolist()) == [2, 2, 2, 2, 3, 3, 3, 3, 4]
    assert matrix[4, 1] == 0.25


@given(st.integers(2, 40), st.floats(0.0, 1.0))
def test_the_hot_node_receives_what_the_guard_counts(P: int, share: float) -> None:
    node = P - 1
    matrix = hotspot(P, share, node)
    assert matrix[:, node].sum() == pytest.approx(1 + (P - 2) * share)
    assert matrix[:, node].sum() == pytest.approx(matrix.sum(axis=0).max())


def test_em3d_sends_both_ways_round_the_ring() -> None:
    row = em3d(8, 2)[0]
    assert np.flatnonzero(row).tolist() == [1, 2, 6, 7]
    assert em3d(4, 9) == pytest.approx(all_to_all(4))


@given(st.integers(2, 12), st.integers(1, 13))
def test_em3d_sends_to_all_that_are_as_near_on_the_ring(P: int, span: int) -> None:
    every = range(P)
    near = [[0 < min((i - j) % P, (j - i) % P) <= span for j in every] for i in every]
    assert em3d(P, span).tolist() == [[one / sum(row) for one in row] for row in near]


@pytest.mark.parametrize(
    ("make", "message"),
    [
        (lambda: Pattern("ring"), "all-to-all"),
        (lambda: Pattern("hotspot", share=1.5), "share"),
        (lambda: Pattern("shift", reach=0), "reach"),
        (lambda: shift(4, 8), "multiple of 4"),
        (lambda: all_to_all(1), "two processes"),
        (lambda: hotspot(4, 0.1, 4), "0 to 3"),
        (lambda: neighbours(np.full((3, 3), 5), 2), "within reach"),
    ],
)
def test_what_is_no_pattern_is_refused(make: object, message: str) -> None:
    with pytest.raises(InputError, match=message):
        make()  # type: ignore[operator]

"""Matrices whose rows run backwards, or whose diagonal is not empty, are named."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from advisor.messages.mapping.communication_file import matrix_doubts, read_communication


def doubts(matrix: np.ndarray) -> tuple[str, ...]:
    at, to = np.nonzero(matrix)
    return matrix_doubts(len(matrix), at, to, matrix[at, to])


def neighbours(processes: int, seed: int = 0) -> np.ndarray:
    """What all send to each other, nothing to themselves; symmetric."""
    half = np.triu(np.random.default_rng(seed).integers(1, 900, (processes, processes)), 1)
    return half + half.T


def test_rows_that_run_backwards_are_asked_about() -> None:
    (said,) = doubts(neighbours(8)[::-1])
    assert "from the last process to the first" in said
    assert "rows=reversed" in said


def test_a_matrix_in_order_is_in_no_doubt() -> None:
    assert doubts(neighbours(8)) == ()


def test_bytes_on_the_diagonal_are_named() -> None:
    matrix = neighbours(6) + np.diag([2_000, 0, 0, 3_000, 0, 0])
    (said,) = doubts(matrix)
    assert said.startswith("5.00 kB on the diagonal")


@pytest.mark.parametrize("shift", [1, 3])
def test_rows_in_another_order_are_not_taken_for_reversed(shift: int) -> None:
    assert not any("reversed" in one for one in doubts(np.roll(neighbours(8), shift, axis=0)))


def test_reversed_rows_are_read_from_the_last(tmp_path: Path) -> None:
    matrix = neighbours(5)
    path = tmp_path / "m.csv"
    path.write_text("\n".join(",".join(map(str, row)) for row in matrix[::-1].tolist()))
    found = read_communication(path, reversed_rows=True)
    assert np.array_equal(found.traffic(range(5), 5), matrix)
    assert found.doubts == ()
    assert read_communication(path).doubts

"""Equal rows of flags, against numpy's own comparison of rows."""

from __future__ import annotations

import numpy as np
import pytest

from advisor.allocation.equivalence_classes import alike, alike_rows


@pytest.mark.parametrize("shape", [(1, 1), (7, 3), (50, 8), (200, 33), (40, 70), (5, 0)])
def test_rows_are_grouped_and_sorted_as_by_comparing_them(shape: tuple[int, int]) -> None:
    flags = np.random.default_rng(shape[1]).random(shape) < 0.8
    rows, which = alike_rows(flags)
    expected, expected_which = np.unique(flags, axis=0, return_inverse=True)
    assert rows.tolist() == expected.tolist()
    assert which.tolist() == expected_which.reshape(-1).tolist()


def test_no_row_is_compared_as_a_whole(monkeypatch: pytest.MonkeyPatch) -> None:
    unique, seen = np.unique, []

    def watched(values: np.ndarray, **options: object) -> object:
        seen.append(values.dtype)
        return unique(values, **options)

    monkeypatch.setattr(np, "unique", watched)
    alike_rows(np.ones((9, 70), np.bool_))
    assert seen == [np.dtype(np.int64)] * 3


@pytest.mark.parametrize("shape", [(1, 1), (7, 3), (50, 8), (300, 2)])
def test_columns_of_numbers_are_grouped_and_sorted_as_by_comparing_rows(
    shape: tuple[int, int],
) -> None:
    values = np.random.default_rng(shape[1]).integers(-1, 2, shape) / 3.0
    first, which = alike(values.T)
    expected, expected_which = np.unique(values, axis=0, return_inverse=True)
    assert values[first].tolist() == expected.tolist()
    assert which.tolist() == expected_which.reshape(-1).tolist()


def test_columns_without_rows_have_no_kinds() -> None:
    first, which = alike((np.zeros(0), np.zeros(0)))
    assert (first.tolist(), which.tolist()) == ([], [])

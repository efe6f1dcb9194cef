"""Several runs together: which is the middle one, and the seconds of every task."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from advisor.runs.actual import Actual, middle, task_seconds
from advisor.runs.run_record import Run


def actual(*seconds: float) -> Actual:
    """Tasks that begin together and take so long; nan: one did not run."""
    end = np.array(seconds)
    ran, zero = np.isfinite(end), np.zeros(end.size)
    return Actual(Run("r", ()), zero.astype(np.int32), zero, zero, zero, end, zero, ran)


def test_the_middle_run_has_the_median_makespan_the_lower_one_of_two() -> None:
    runs = [actual(5.0), actual(9.0), actual(7.0), actual(8.0)]
    assert middle(runs[:3]) == 2
    assert middle(runs) == 2
    assert middle(runs[:1]) == 0


def test_a_run_that_broke_off_counts_only_where_none_is_complete() -> None:
    cut = actual(1.0, np.nan)
    assert middle([cut, actual(5.0, 5.0), cut, actual(6.0, 6.0)]) == 1
    assert middle([cut, actual(2.0, np.nan)]) == 0


def test_seconds_are_medians_with_extremes_over_the_runs_that_tell() -> None:
    found = task_seconds(
        [actual(1.0, 4.0, np.nan), actual(3.0, np.nan, np.nan), actual(2.0, 6.0, np.nan)]
    )
    np.testing.assert_array_equal(found.median, [2.0, 5.0, np.nan])
    np.testing.assert_array_equal(found.least, [1.0, 4.0, np.nan])
    np.testing.assert_array_equal(found.most, [3.0, 6.0, np.nan])


@pytest.mark.parametrize(("untold", "makespan_s"), [(0, 218.0), (1, 218.0), (2, 0.0)])
def test_a_stated_makespan_counts_if_nearly_all_tasks_are_told(
    untold: int, makespan_s: float
) -> None:
    found = actual(*[1.0] * (12 - untold), *[np.nan] * untold)
    found = replace(found, run=Run("r", (), timed=False, stated_s=218.0))
    assert found.makespan_s == makespan_s

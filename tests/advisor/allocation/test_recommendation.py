"""How sure a value is."""

from __future__ import annotations

from dataclasses import replace

from advisor.allocation.plan import Plan
from advisor.allocation.recommendation import Recommendation


def test_where_no_task_takes_any_time_nothing_is_called_best() -> None:
    best = Recommendation(Plan((0,)), "makespan", 0.0, 0.0, True, "heft")
    assert best.certainty(0.0) == "no task takes any time"
    proved = replace(best, value_s=2.0, lower_bound_s=1.5)
    assert proved.certainty(2.0) == "proved best"
    assert proved.certainty(3.0) == "at most 50 % above the best"
    assert replace(proved, proved_optimal=False).certainty(1.8) == "at most 20 % above the best"

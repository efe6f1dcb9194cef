"""The words of the strip about how sure a value is."""

from __future__ import annotations

from dataclasses import replace

from advisor.allocation.plan import Plan
from advisor.allocation.recommendation import Recommendation
from gui.panels import answer_strip


def test_where_no_task_takes_any_time_nothing_is_called_best() -> None:
    best = Recommendation(Plan((0,)), "makespan", 0.0, 0.0, True, "heft")
    assert answer_strip._sure(best, 0.0) == "no task takes any time"
    assert answer_strip._sure(replace(best, value_s=2.0, lower_bound_s=2.0), 2.0) == "proved best"

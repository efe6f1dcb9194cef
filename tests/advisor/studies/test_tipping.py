"""The assumed figure that is nearest to making another plan best is named, and no other."""

from __future__ import annotations

import re

from advisor.allocation.plan import Plan
from advisor.allocation.problem import Problem
from advisor.allocation.workload import Task, Workload
from advisor.studies.what_if.tipping import tipping
from machines import Machine, Platform


def of_speeds(first: float, second: float) -> Problem:
    """One task on either of two machines."""
    platform = Platform("pair", (Machine("M1", speed=first), Machine("M2", speed=second)))
    return Problem.of(platform, Workload("one", (Task("A", work=10.0),), ()))


def test_the_nearest_border_is_named_with_what_is_best_beyond() -> None:
    said = tipping(of_speeds(1.0, 0.8), Plan((0,)), ["speed"])
    assert said == (
        "Assumed, and decisive: speed of M1 (1). Below 0.8 another plan is best: A on M2; "
        "1 more assumed figure could, too."
    )


def test_a_tie_now_names_the_direction() -> None:
    said = tipping(of_speeds(1.0, 1.0), Plan((0,)), ["speed"])
    assert re.search("With any (lower|higher) value another plan is best: A on M2", said)


def test_figures_that_tip_nothing_are_cleared() -> None:
    assert tipping(of_speeds(1.0, 0.1), Plan((0,)), ["speed"]) == (
        "None of the assumed figures (speed) tips the plan, halved or doubled."
    )
    assert tipping(of_speeds(1.0, 0.8), Plan((0,)), []) == ""
    assert tipping(of_speeds(1.0, 0.8), Plan((0,)), ["startup"]) == ""


def test_nothing_is_cleared_that_was_not_tried() -> None:
    said = tipping(of_speeds(1.0, 0.1), Plan((0,)), ["speed"], should_stop=lambda: True)
    assert said == ""

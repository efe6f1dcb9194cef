"""The odds of a decision map: even on borders, sure far from them, against a direct simulation."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from advisor.allocation.loads import LoadParameter
from advisor.allocation.predict import predict
from advisor.allocation.problem import Problem
from advisor.allocation.workload import Task, Workload
from advisor.odds.drawn_plan import Sampler
from advisor.odds.draws import draws_of
from advisor.studies.decision_map.map_axes import DecisionMapParameters
from advisor.studies.decision_map.map_picture import DecisionMap
from advisor.studies.decision_map.run import run
from machines import Contender, Machine, Platform
from machines.default_spreads import EXACT


def problem(spread: object = None) -> Problem:
    """One task on either of two machines, of which each may have contenders."""
    machines = tuple(Machine(name, contenders=(Contender("c", 1.0),)) for name in ("M", "N"))
    platform = Platform("p", machines)
    if spread is not None:
        platform = replace(platform, spread=spread)
    return Problem.of(platform, Workload("w", (Task("a", 10.0),)))


def mapped(asked: Problem, points: int = 9) -> DecisionMap:
    found = run(DecisionMapParameters(asked, points=points)).picture(DecisionMap)
    assert found is not None
    return found


def test_odds_are_even_on_the_border_and_sure_far_from_it() -> None:
    found = mapped(problem())
    assert found.odds is not None
    assert found.odds.shape == found.region.shape
    assert len(found.plans) == 2
    assert found.odds.min() == pytest.approx(0.5, abs=0.15)
    assert found.odds.max() > 0.99
    assert (found.odds >= 0.5 - 1e-9).all()


def test_they_are_those_of_draws_at_a_point() -> None:
    asked = problem()
    found = mapped(asked)
    assert found.odds is not None
    assert isinstance(found.x, LoadParameter)
    assert isinstance(found.y, LoadParameter)
    near = np.argwhere((found.odds > 0.6) & (found.odds < 0.97))
    assert near.size
    row, column = near[len(near) // 2].tolist()
    platform = found.x.applied(asked.platform, float(found.x_values[column]))
    there = asked.on(found.y.applied(platform, float(found.y_values[row])))
    sampler = Sampler(there, draws_of(there, 4096))
    here = int(found.region[row, column])
    best, other = (sampler.makespans_s(found.plans[one]) for one in (here, 1 - here))
    assert predict(there, found.plans[here]).makespan_s == pytest.approx(
        found.values_s[row, column]
    )
    assert (best < other).mean() == pytest.approx(found.odds[row, column], abs=0.08)


def test_exact_times_have_no_doubt_but_on_borders() -> None:
    found = mapped(problem(EXACT))
    assert found.odds is not None
    assert set(np.round(found.odds, 6).ravel().tolist()) <= {0.5, 1.0}

"""Bands and odds against truths that are known in closed form, and by many more draws."""

from __future__ import annotations

import math
from dataclasses import replace
from statistics import NormalDist

import numpy as np
import pytest

from advisor.advice.how_sure import odds_of
from advisor.allocation.plan import Plan
from advisor.allocation.problem import Problem
from advisor.allocation.workload import Flow, Task, Workload
from advisor.odds import band, drawn_makespans, draws_of, duel
from advisor.odds.spread_words import rests_on
from machines import Contender, Direction, Link, Machine, Platform
from machines.default_spreads import EXACT, Spreads
from machines.uncertain import Spread, Uncertain

WAY = Direction(0.0, 1.0)


def independent(tasks: int, cores: int, spread: Spreads) -> Problem:
    """Tasks of different kinds on one machine."""
    made = tuple(Task(chr(97 + i) * 3, work=10.0) for i in range(tasks))
    return Problem.of(Platform("p", (Machine("m", cores),), spread=spread), Workload("w", made))


def test_one_task_is_spread_as_stated() -> None:
    problem = independent(1, 1, Spreads(0.2, 0.0, 0.0))
    found = band(10.0, drawn_makespans(problem, Plan((0,)), draws_of(problem, 8192)))
    sigma = math.sqrt(math.log1p(0.04))
    for share, value in ((0.1, found.p10_s), (0.5, found.p50_s), (0.9, found.p90_s)):
        expected = 10.0 * math.exp(sigma * NormalDist().inv_cdf(share) - sigma**2 / 2)
        assert value == pytest.approx(expected, rel=0.02)
    assert found.expected_s == pytest.approx(10.0, abs=4.0 * found.error_s)


def test_the_error_is_as_large_as_it_says() -> None:
    problem = independent(6, 6, Spreads(0.15, 0.07, 0.0))
    plan = Plan((0,) * 6)
    truth = drawn_makespans(problem, plan, draws_of(problem, 20_000, 99)).mean()
    off = []
    for seed in range(40):
        found = band(10.0, drawn_makespans(problem, plan, draws_of(problem, 512, seed)))
        off.append((found.expected_s - truth) / found.error_s)
    assert 0.5 < float(np.std(off)) < 1.7
    assert abs(float(np.mean(off))) < 0.6


def test_a_band_covers_what_happens() -> None:
    # other draws of the same truth: nine of ten below p90, one of ten below p10
    problem = independent(8, 4, Spreads(0.15, 0.07, 0.0))
    plan = Plan((0,) * 8)
    found = band(20.0, drawn_makespans(problem, plan, draws_of(problem, 2048)))
    fresh = drawn_makespans(problem, plan, draws_of(problem, 20_000, 7))
    assert (fresh <= found.p90_s).mean() == pytest.approx(0.9, abs=0.02)
    assert (fresh <= found.p10_s).mean() == pytest.approx(0.1, abs=0.02)


def test_the_maximum_of_ends_is_later_than_the_end_of_means() -> None:
    problem = independent(10, 10, Spreads(0.15, 0.0, 0.0))
    found = odds_of(problem, Plan((0,) * 10), 10.0)
    assert found is not None
    assert found.band.expected_s > 11.0


def test_tasks_of_a_kind_share_half_of_their_variance() -> None:
    tasks = tuple(Task(f"t{i}", work=1.0) for i in range(2))
    problem = Problem.of(Platform("p", (Machine("m", 2),)), Workload("w", tasks))
    draws = draws_of(problem, 20_000)
    assert np.corrcoef(draws.task.T)[0, 1] == pytest.approx(0.5, abs=0.03)


def test_a_number_elsewhere_is_priced_anew_in_every_draw() -> None:
    user = Contender("u", compute=Uncertain(0.5, Spread(0.2, 0.8, kind="uniform")))
    platform = Platform("p", (Machine("m", contenders=(user,)),), spread=EXACT)
    problem = Problem.of(platform, Workload("w", (Task("t", work=10.0),)))
    draws = draws_of(problem, 64)
    (place,) = draws.places
    assert place.title == "contender u of m: compute"
    found = drawn_makespans(problem, Plan((0,)), draws)
    for draw in range(5):
        share = float(place.spread.at(place.value, draws.other[draw])[0])
        there = replace(platform, machines=(Machine("m", contenders=(Contender("u", share),)),))
        exact = Problem.of(there, problem.workload)
        assert found[draw] == pytest.approx(float(exact.instance.task_s[0, 0]), rel=1e-9)


def test_data_of_unknown_size_are_priced_anew() -> None:
    size = Uncertain(10.0, Spread(5.0, 20.0))
    platform = Platform(
        "p", (Machine("a"), Machine("b")), (Link("a", "b", WAY, WAY),), spread=EXACT
    )
    tasks = (Task("x", work=1.0), Task("y", work=1.0))
    problem = Problem.of(platform, Workload("w", tasks, (Flow("x", "y", ((1, size),)),)))
    draws = draws_of(problem, 64)
    found = drawn_makespans(problem, Plan((0, 1)), draws)
    expected = 2.0 + draws.places[0].spread.at(10.0, draws.other[:, 0])
    assert found == pytest.approx(expected)


def test_the_same_plan_is_even_and_a_better_one_wins() -> None:
    same = np.linspace(1.0, 2.0, 128)
    assert duel(same, same).odds == 0.5
    assert duel(same, same).is_even
    won = duel(same, same + 0.1)
    assert (won.odds, won.regret_s) == (1.0, 0.0)
    lost = duel(same + 0.1, same)
    assert lost.odds == 0.0
    assert lost.worst_regret_s == pytest.approx(0.1)


def test_what_odds_rest_on_is_said() -> None:
    problem = independent(2, 1, Spreads(task_cv=0.1))
    assert rests_on(problem, ()) == "assumed ±7 % on speeds; stated ±10 % on task times"
    assert odds_of(independent(2, 1, EXACT), Plan((0, 0)), 20.0) is None

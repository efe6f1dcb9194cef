"""Shares of variance against sums whose variances are known, and against nested draws."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from advisor.allocation.plan import Plan
from advisor.allocation.problem import Problem
from advisor.allocation.workload import Flow, Task, Workload
from advisor.odds import drawn_makespans, draws_of
from advisor.odds.shares import settled, shares
from machines import Direction, Link, Machine, Platform
from machines.default_spreads import Spreads
from machines.uncertain import Spread, Uncertain


def chain(*cvs: float) -> Problem:
    """Tasks of 10 s one after the other on one machine, each with its spread."""
    tasks = tuple(
        Task(chr(97 + at) * 3, work=Uncertain(10.0, Spread(cv=cv, kind="normal")))
        for at, cv in enumerate(cvs)
    )
    platform = Platform("p", (Machine("m"),), spread=Spreads(0.0, 0.0, 0.0))
    return Problem.of(platform, Workload("w", tasks))


def test_the_variances_of_a_sum() -> None:
    problem = chain(0.1, 0.2, 0.4)
    draws = draws_of(problem, 4096)
    found = shares(problem, draws, drawn_makespans(problem, Plan((0, 0, 0)), draws))
    assert [one.title for one in found] == ["times of ccc", "times of bbb", "times of aaa"]
    total = 0.01 + 0.04 + 0.16
    for one, cv in zip(found, (0.4, 0.2, 0.1), strict=True):
        assert one.share == pytest.approx(cv**2 / total, abs=0.03)


def test_tasks_that_nobody_named_are_called_tasks() -> None:
    tasks = tuple(Task(f"task {at}", work=10.0) for at in range(3))
    platform = Platform("p", (Machine("m"),), spread=Spreads(0.2, 0.0, 0.0))
    problem = Problem.of(platform, Workload("w", tasks))
    draws = draws_of(problem, 256)
    (found,) = shares(problem, draws, drawn_makespans(problem, Plan((0,) * 3), draws))
    assert found.title == "times of tasks"


def test_alike_tasks_are_one_source() -> None:
    tasks = tuple(Task(f"t{at}", work=10.0) for at in range(6))
    platform = Platform("p", (Machine("m"),), spread=Spreads(0.2, 0.0, 0.0))
    problem = Problem.of(platform, Workload("w", tasks))
    draws = draws_of(problem, 1024)
    (found,) = shares(problem, draws, drawn_makespans(problem, Plan((0,) * 6), draws))
    assert found.share == pytest.approx(1.0, abs=0.05)


def test_they_are_what_nested_draws_say() -> None:
    # first-order index: variance of the mean over all else, where one number is fixed
    way = Direction(0.0, 1.0)
    platform = Platform(
        "p", (Machine("a"), Machine("b")), (Link("a", "b", way, way),),
        spread=Spreads(0.15, 0.1, 0.3),
    )  # fmt: skip
    tasks = (Task("xxx", work=10.0), Task("yyy", work=10.0))
    problem = Problem.of(platform, Workload("w", tasks, (Flow("xxx", "yyy", ((1, 10.0),)),)))
    plan, draws = Plan((0, 1)), draws_of(problem, 2048)
    makespans_s = drawn_makespans(problem, plan, draws)
    found = {one.title: one.share for one in shares(problem, draws, makespans_s)}
    for title, name, column in (
        ("bandwidth of a–b", "link", 0),
        ("speed of b", "machine", 1),
        ("times of xxx", "task", 0),
    ):
        means = []
        for z in np.linspace(-3.6, 3.6, 13):
            normals = getattr(draws, name).copy()
            normals[:, column] = z
            means.append(drawn_makespans(problem, plan, replace(draws, **{name: normals})).mean())
        density = np.exp(-0.5 * np.linspace(-3.6, 3.6, 13) ** 2)
        density /= density.sum()
        middle = float((density * means).sum())
        nested = float((density * (np.array(means) - middle) ** 2).sum()) / makespans_s.var()
        assert found[title] == pytest.approx(nested, abs=0.06)


def test_nothing_that_varies_has_no_shares() -> None:
    problem = chain(0.1)
    draws = draws_of(problem, 64)
    assert shares(problem, draws, np.full(64, 3.0)) == ()


def test_what_would_settle_a_choice() -> None:
    random = np.random.default_rng(1)
    deciding, noise = random.standard_normal((2, 200_000))
    gain = deciding + 0.2 * noise
    assert (gain > 0).mean() == pytest.approx(0.5, abs=0.01)
    # knowing it, the sign of the gain is that of a normal of ratio 5: 1/2 + atan(5)/π
    assert settled(gain, deciding) == pytest.approx(0.5 + np.arctan(5.0) / np.pi, abs=0.01)
    assert settled(gain, noise) == pytest.approx(0.5 + np.arctan(0.2) / np.pi, abs=0.01)

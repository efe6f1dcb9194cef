"""What tells plans apart: a column where they differ, and those that stay."""

from __future__ import annotations

import math
from dataclasses import replace

import pytest

from advisor.allocation.choices import TaskChoice
from advisor.allocation.comparison import Row, compare
from advisor.allocation.measures import MEASURES, find_measure, front
from advisor.allocation.plan import Plan
from advisor.allocation.problem import Problem
from advisor.allocation.timeline_modes import NONE
from advisor.allocation.traits import FIGURES, Trait, differ
from advisor.allocation.workload import Flow, Task, Workload
from advisor.decisions import decision_traits as traits
from advisor.decisions.decision_traits import shown
from advisor.decisions.tree import TREE
from advisor.overlays.overlay_options import candidates
from advisor.overlays.overlay_words import tree_words
from advisor.programs.choices.style import STYLE
from machines import Direction, InputError, Link, Machine, Platform
from tests.advisor.search.test_joint import a_case
from tests.conftest import two_machines

STAY = ["makespan", "total", "utilisation"]


def rows(*plans: Plan, prices: tuple[float | None, ...] = (None, None)) -> tuple[Row, ...]:
    project = two_machines(2)
    machines = tuple(
        replace(machine, price_per_hour=price)
        for machine, price in zip(project.platform.machines, prices, strict=True)
    )
    platform = replace(project.platform, machines=machines)
    problem = Problem.of(platform, project.workload, sharing=NONE)
    return compare(problem, [(f"plan {k}", plan) for k, plan in enumerate(plans)])


def keys(found: tuple[Row, ...]) -> list[str]:
    return [trait.key for trait in shown(found)]


def test_a_plan_alone_has_what_stays() -> None:
    assert keys(rows(Plan((0, 0)))) == STAY
    assert keys(()) == []


def test_equal_plans_have_no_more_than_one() -> None:
    assert keys(rows(Plan((0, 0)), Plan((0, 0)))) == STAY


def test_every_difference_has_its_column() -> None:
    found = rows(Plan((0, 0)), Plan((1, 0)))
    assert keys(found) == [
        "makespan", "total", "machines", "processors", "utilisation", "gap", "allocation",
    ]  # fmt: skip
    assert [shown(found)[-1].of(row) for row in found] == [0.0, 1.0]


def test_money_that_only_some_plans_have_is_a_difference() -> None:
    found = rows(Plan((0, 0)), Plan((1, 0)), prices=(36.0, None))
    assert "money" in keys(found)
    money = MEASURES["money"]
    assert [money.trait.of(found[0]), money.lack(found)] == [
        pytest.approx(48.0 / 100.0),
        "M2 has no price",
    ]
    assert math.isnan(money.trait.number(found[1]))
    assert front(found, money) == [True, False]  # what is not known is not on it


def test_what_transfers_share_stays_where_they_share() -> None:
    way = Direction(0.0, 100.0)
    platform = Platform("p", (Machine("M1"), Machine("M2")), (Link("M1", "M2", way, way),))
    tasks = (Task("a", work=1.0), Task("b", work=1.0))
    workload = Workload("w", tasks, (Flow("a", "b", ((1, 100.0),)),))
    for sharing, found in (("fair", [*STAY, "busiest", "busy"]), (NONE, STAY)):
        problem = Problem.of(platform, workload, sharing=sharing)
        assert keys(compare(problem, [("apart", Plan((0, 1)))])) == found
        assert keys(compare(problem, [("together", Plan((0, 0)))])) == STAY


def test_every_decision_that_differs_is_a_column_of_what_differs() -> None:
    problem = a_case(3, overlay=True)
    overlay = problem.workload.overlays[0]
    flat, other = candidates(problem.platform, overlay)[:2]
    program, machine = problem.workload.tasks[0].program, problem.platform.machines[0]
    one, another = STYLE.options(program, machine)[:2]
    first = Plan((0, 1, 2), choices=(TaskChoice(0, "style", one),), overlays=(flat,))
    style = replace(first, choices=(TaskChoice(0, "style", another),))
    found = compare(problem, [("now", first), ("style", style)])
    decided = {trait.key: trait for trait in shown(found) if trait not in FIGURES}
    assert list(decided) == ["style"]
    words = [f"remap: {STYLE.words(value)}" for value in (one, another)]
    assert [decided["style"].of(row) for row in found] == words
    tree = replace(style, overlays=(other,))
    found = compare(problem, [("now", first), ("style", style), ("tree", tree)])
    decided = {trait.key: trait for trait in shown(found) if trait not in FIGURES}
    assert list(decided) == ["style", "tree"]
    assert [str(decided["tree"].of(row)) for row in found] == [
        f"monitor: {tree_words(overlay, each)}" for each in (flat, flat, other)
    ]


def test_a_new_kind_of_decision_is_a_column_without_a_line_here(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    colour = replace(
        TREE,
        name="colour",
        title="Colour",
        values=lambda _problem, plan: dict(enumerate(plan.allocation)),
        subject=lambda problem, subject: problem.workload.tasks[subject].name,
        words=lambda _problem, _subject, value: ["red", "blue"][int(str(value))],
    )
    monkeypatch.setattr(traits, "DECISIONS", (colour,))
    found = rows(Plan((0, 0)), Plan((1, 0)))
    column = shown(found)[-1]
    assert (column.title, column.help) == ("colour", TREE.help)
    assert [column.of(row) for row in found] == ["A: red", "A: blue"]  # B is red in both


def test_of_many_differences_the_first_are_told_and_the_rest_counted(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    kind = replace(
        TREE,
        values=lambda _problem, plan: dict.fromkeys(range(5), plan.allocation[0]),
        subject=lambda _problem, subject: f"t{subject}",
        words=lambda _problem, _subject, value: str(value),
    )
    monkeypatch.setattr(traits, "DECISIONS", (kind,))
    found = rows(Plan((0, 0)), Plan((1, 0)))
    assert [shown(found)[-1].of(row) for row in found] == [
        "t0: 0; t1: 0; t2: 0",
        "t0: 1; t1: 1; t2: 1; 2 more differ",
    ]


def test_rounding_is_no_difference() -> None:
    one, other = rows(Plan((0, 0)), Plan((0, 0)))
    trait = Trait("x", "x", "", lambda row: 1.0 if row is one else 1.0 + 1e-13)
    assert not differ(trait, (one, other))


def test_every_trait_has_a_name_of_its_own_and_says_what_it_is() -> None:
    for part in ("key", "title", "help"):
        said = [getattr(trait, part) for trait in FIGURES]
        assert all(said)
        assert len(set(said)) == len(said)


def test_less_than_all_machines_are_named_where_many_lack_a_price() -> None:
    money = MEASURES["money"]
    named = rows(Plan((0, 0)), Plan((1, 1)))
    assert money.lack(named) == "M1 and M2 have no price"
    many = replace(money, lacking=lambda _row: tuple(f"n{k}" for k in range(9)))
    assert many.lack(named) == "n0, n1, n2 and 6 more have no price"
    assert MEASURES["total"].lack(named) == ""


def test_an_unknown_measure_is_refused_with_those_there_are() -> None:
    assert find_measure("energy").title == "energy"
    with pytest.raises(InputError, match="total, machines, processors, money, energy"):
        find_measure("beauty")

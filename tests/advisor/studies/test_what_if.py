"""Every assumption is varied by itself; borders are where two plans are equal."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from advisor.advice.assumptions import TIME, UNITS, assumptions_of
from advisor.advice.held_limits import held_sentence
from advisor.advice.plan_names import names_beside
from advisor.allocation.evaluation import reached_s
from advisor.allocation.objectives import MAKESPAN, TOTAL
from advisor.allocation.placement import ordered
from advisor.allocation.plan import Plan
from advisor.allocation.predict import predict
from advisor.allocation.problem import Problem
from advisor.allocation.task import Variant
from advisor.allocation.timeline_modes import FAIR, NONE
from advisor.allocation.workload import Flow, Task, Workload
from advisor.project.examples import load_example
from advisor.search import advise
from advisor.studies.what_if.competing_plans import Contest
from advisor.studies.what_if.run import Tornado, WhatIfParameters, run
from advisor.studies.what_if.sides import Bar
from machines import Direction, InfeasibleError, Link, Machine, Platform
from machines.resources import Resource
from tests.advisor.random_variants import random_choice, random_variants


def _problem(**of_second: object) -> Problem:
    """A takes 16 s on M1 and 20 s on M2, in which nothing else costs anything."""
    second = Machine("M2", **of_second)
    link = Link("M1", "M2", Direction(1e-3, 1e6), Direction(1e-3, 1e6))
    platform = Platform("pair", (Machine("M1"), second), (link,))
    task = Task("A", seconds=(("M1", 16.0), ("M2", 20.0)))
    return Problem.of(platform, Workload("one", (task,), ()))


def _tornado(problem: Problem, **settings: object) -> Tornado:
    found = run(WhatIfParameters(problem, **{"seconds": 0.1, **settings})).picture(Tornado)
    assert found is not None
    return found


def _bar(found: Tornado, key: str) -> Bar:
    return next(bar for bar in found.bars if bar.assumption.key == key)


def test_a_border_is_where_both_plans_take_as_long() -> None:
    found = _tornado(_problem())

    bar = _bar(found, "contenders:M1")
    assert bar.high.flip == pytest.approx(0.25, abs=1e-3)  # 16 (1 + x) = 20
    assert bar.high.value_s == pytest.approx(48.0)
    assert bar.high.best_s == pytest.approx(20.0)
    assert found.names[bar.high.takeovers[0].best] == "A on M2"
    assert bar.low.flip is None
    assert _bar(found, "task time:A").high.value_s == pytest.approx(32.0)


def test_plans_that_follow_each_other_are_named_where_each_of_them_is_best() -> None:
    platform = Platform("pair", (Machine("M1", speed=4.0), Machine("M2")))
    tasks = tuple(Task(name, work=10.0) for name in "AB")
    asked = Problem.of(platform, Workload("two", tasks))
    # at speed s of M1: both there 20 / s, one each max(10 / s, 10), both on M2 20 s
    result = run(WhatIfParameters(asked, factor=16.0, kinds=("speed",)))
    found = result.picture(Tornado)
    assert found is not None

    low = _bar(found, "speed:M1").low
    assert low.flip == pytest.approx(2.0, rel=1e-2)
    assert [one.start for one in low.takeovers] == pytest.approx([2.0, 0.5], rel=1e-2)
    assert [one.kept_s for one in low.takeovers] == pytest.approx([10.0, 40.0], rel=1e-2)
    assert [sum(found.plans[one.best].allocation) for one in low.takeovers] == [1, 2]
    assert (low.value_s, low.best_s) == (pytest.approx(80.0), pytest.approx(20.0))
    first, last = (found.names[one.best] for one in low.takeovers)
    row = next(row for row in result.tables[0].rows if row[4])
    assert row[4:6] == ("below 2", f"{first}; below 0.5: {last}")


def test_the_headline_says_of_each_end_what_it_makes() -> None:
    found = run(WhatIfParameters(_problem(), kinds=("speed",)))
    assert found.headline == "No assumption that was varied changes the makespan."
    work = Problem.of(
        Platform("one", (Machine("M", speed=2.0),)), Workload("w", (Task("A", work=8.0),))
    )
    said = run(WhatIfParameters(work, kinds=("speed",))).headline
    assert "speed of M (1 to 4), makespan from 8.00 s to 2.00 s" in said


def test_tasks_without_a_bar_of_their_own_are_counted() -> None:
    tasks = tuple(Task(f"t{at}", work=1.0 + at) for at in range(15))
    many = Problem.of(Platform("one", (Machine("M"),)), Workload("w", tasks))
    notes = " ".join(one.text for one in run(WhatIfParameters(many, seconds=0.2)).notes)
    assert (
        "12 tasks on the critical path and then the longest have bars of their own; 3 mo" in notes
    )
    assert "of their own" not in " ".join(
        one.text for one in run(WhatIfParameters(_problem())).notes
    )


def test_what_changes_nothing_never_claims_a_border() -> None:
    found = _tornado(_problem())

    bar = _bar(found, "speed:M2")  # its seconds are stated, so that its speed is of no account
    assert bar.swing_s(found.present_s) == 0.0
    assert (bar.low.flip, bar.high.flip) == (None, None)


def test_a_tie_now_is_named_so_and_a_plan_within_the_error_is_no_other() -> None:
    problem = _problem()
    task = Task("A", seconds=(("M1", 16.0), ("M2", 16.0)))
    tie = Problem.of(problem.platform, Workload("one", (task,), ()))

    result = run(WhatIfParameters(tie))
    assert "now: a tie" in {row[4] for row in result.tables[0].rows}
    near = _tornado(_problem(), factor=1.02)
    assert _bar(near, "task time:A").high.flip is None


def test_too_little_memory_stops_the_plan_and_gives_the_task_to_another_machine() -> None:
    first = Machine("M1", memory_bytes=1000, speed=2.0)
    platform = Platform("pair", (first, Machine("M2", memory_bytes=10_000)))
    workload = Workload("one", (Task("A", work=10.0, memory_bytes=600),), ())

    bar = _bar(_tornado(Problem.of(platform, workload)), "memory:M1")

    assert bar.low.flip == pytest.approx(600.0, rel=1e-2)
    assert bar.low.value_s == float("inf")
    assert bar.low.best_s == pytest.approx(10.0)


def test_names_tell_plans_apart_by_what_a_machine_takes() -> None:
    machines = tuple(Machine(f"M{n}") for n in (1, 2))
    tasks = tuple(Task(f"t{n}", work=1.0) for n in range(8))
    flows = (Flow("t0", "t1", ((1, 10.0),)),)
    problem = Problem.of(Platform("p", machines), Workload("w", tasks, flows))
    first = Plan((0, 0, 0, 0, 1, 1, 1, 1))
    others = [(0, 0, 0, 0, 0, 1, 1, 1), (1, 1, 1, 1, 1, 1, 1, 0), (1, 1, 1, 1, 1, 1, 0, 1)]

    plans = (first, *(replace(first, allocation=one) for one in others))
    names = names_beside(problem, plans)

    assert names[1] == "M1 takes t4"
    assert len(set(names)) == len(names)


def test_a_stopped_run_says_so() -> None:
    result = run(WhatIfParameters(_problem()), should_stop=lambda: True)

    assert not result.complete


def test_one_unit_more_or_less_of_a_resource_is_an_assumption() -> None:
    machine = Machine("M", cores=4, resources=(Resource("gpu", 2),))
    held = Task("a", seconds=(("M", 6.0),), resources=(("gpu", 1),))
    tasks = tuple(replace(held, name=name) for name in "abcdef")
    asked = Problem.of(Platform("one", (machine,)), Workload("six", tasks))
    (bar,) = (one for one in _tornado(asked).bars if one.assumption.kind == UNITS)
    assert bar.assumption.title == "gpu units of M"
    assert (bar.low.end, bar.high.end) == (1, 3)
    assert (bar.low.value_s, bar.high.value_s) == pytest.approx((36.0, 12.0))
    assert bar.low.flip is None
    assert bar.high.flip is None


def test_what_one_more_unit_saves_is_what_the_reasons_tell() -> None:
    machine = Machine("M", cores=8, resources=(Resource("gpu"),))
    ways = (Variant("cpu", work=10.0), Variant("gpu", work=4.0, resources=(("gpu", 1),)))
    tasks = tuple(Task(f"t {i}", variants=ways) for i in range(4))
    asked = Problem.of(Platform("one", (machine,)), Workload("four", tasks))
    best = Plan((0,) * 4, (0, 1, 2, 3), variants=(0, 0, 1, 1))  # 10 s; on two GPUs all take 8 s
    told = held_sentence(asked, predict(asked, best))
    assert told.endswith("one more would save 2.00 s (20 %).")

    found = _tornado(asked, known=(best,))
    high = _bar(found, "units:M:gpu").high
    assert (high.value_s, high.best_s, high.flip) == (pytest.approx(10.0), pytest.approx(8.0), 2)
    assert "gpu for " in found.names[high.takeovers[0].best]


def test_an_allocation_competes_in_the_order_that_suits_the_change() -> None:
    machine = Machine("M", cores=4, resources=(Resource("gpu"),))
    ways = (Variant("cpu", work=18.0), Variant("gpu", work=10.0, resources=(("gpu", 1),)))
    held = [Task(name, work=6.0, resources=(("licence", 1),)) for name in "de"]
    tasks = (*(Task(name, variants=ways) for name in "ab"), *held)
    lab = Platform("one", (machine,), resources=(Resource("licence"),))
    asked = Problem.of(lab, Workload("four", tasks))
    best = Plan((0,) * 4, (0, 1, 2, 3), variants=(1, 0, 0, 0))  # 18 s
    late = Plan((0,) * 4, (0, 2, 3, 1), variants=(1, 1, 0, 0))  # b waits behind e: 20 s, then 16 s
    contest = Contest(asked, MAKESPAN, (best, late))
    (more,) = (
        one for one in assumptions_of(asked, predict(asked, best), 2.0) if one.key == "units:M:gpu"
    )
    assert contest.at(more, 2.0).tolist() == pytest.approx([18.0, 16.0])
    contest.search(more, 2.0, 0.2, lambda: False)
    assert len(contest.plans) == 2
    assert contest.at(more, 2.0).tolist() == pytest.approx([18.0, 12.0])
    assert contest.at(more, more.present).tolist() == pytest.approx([18.0, 20.0])


def test_times_of_variants_are_varied() -> None:
    machine = Machine("M", cores=2, resources=(Resource("gpu"),))
    ways = (Variant("cpu", work=9.0), Variant("gpu", work=4.0, resources=(("gpu", 1),)))
    asked = Problem.of(Platform("one", (machine,)), Workload("one", (Task("a", variants=ways),)))
    (bar,) = (one for one in _tornado(asked).bars if one.assumption.kind == TIME)
    assert (bar.low.value_s, bar.high.value_s) == pytest.approx((2.0, 8.0))


@pytest.mark.parametrize("sharing", [FAIR, NONE])
def test_plans_in_variants_take_what_they_take_in_the_changed_problem(sharing: str) -> None:
    for seed in (1, 4, 6):  # with licences, with unequal cores, with both; all with flows
        asked = random_variants(seed, most_tasks=6, sharing=sharing)
        plans = tuple(ordered(asked, random_choice(asked, one)) for one in range(3))
        contests = {each: Contest(asked, each, plans) for each in (MAKESPAN, TOTAL)}
        for one in assumptions_of(asked, predict(asked, plans[0]), 2.0):
            for value in (one.low, one.present, 0.7 * one.low + 0.3 * one.high, one.high):
                try:
                    changed = one.applied(asked, value)
                except InfeasibleError:
                    changed = None
                for objective, contest in contests.items():
                    values = [
                        np.inf if changed is None else reached_s(changed, objective, plan)
                        for plan in plans
                    ]
                    assert contest.at(one, value) == pytest.approx(values, rel=1e-9), one.title


def test_many_tasks_with_variants_are_compared_by_the_plans_that_are_known(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr("advisor.advice.kept_decisions.MOST_VARIED", 1)
    asked = random_variants(0, most_tasks=6)
    found = run(WhatIfParameters(asked, known=(random_choice(asked, 1),), seconds=0.1))
    assert any("none is searched" in note.text for note in found.notes)
    assert any(note.text.startswith("Compared 1 plan,") for note in found.notes)


def test_tasks_of_a_kind_are_named_once() -> None:
    def titles(*names: str) -> list[str]:
        tasks = tuple(Task(name, work=1.0) for name in names)
        asked = Problem.of(Platform("one", (Machine("M"),)), Workload("w", tasks))
        every = assumptions_of(asked, predict(asked, Plan((0,) * len(tasks))), 2.0)
        return [one.title for one in every if "all" in one.title]

    assert titles("task 1", "task 2") == ["time of all tasks"]
    assert titles("task 1", "task 2", "x") == ["time of all tasks named task"]
    assert titles("read 1", "read 2") == ["time of all read tasks"]


@pytest.mark.parametrize("name", ["monitored", "solvers"])
def test_plans_that_decide_more_than_places_compete_with_what_they_decide(name: str) -> None:
    project = load_example(name)
    problem = Problem.of(project.platform, project.workload)
    best = advise(problem, seconds=0.1).plan
    found = _tornado(problem, known=(best, project.plan), seconds=0.1, kinds=(TIME,))
    assert found.bars
    assert found.present_s <= predict(problem, best).makespan_s * (1.0 + 1e-9)

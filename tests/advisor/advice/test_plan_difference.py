"""Two plans in one sentence: networks whose truth is known by construction."""

from __future__ import annotations

import pytest

from advisor.advice.plan_difference import NOW, PlanDifference, plan_difference
from advisor.allocation.plan import Plan
from advisor.allocation.predict import predict
from advisor.allocation.problem import Problem
from advisor.allocation.timeline_modes import FAIR, NONE
from advisor.allocation.workload import Flow, Task, Workload
from advisor.decisions.registry import known
from advisor.scaling.law import Scaling
from machines import Machine, Platform
from tests.advisor.advice.test_limits import FOUR, bus, spread
from tests.choosing import ALIGN, SPECTRA
from tests.choosing_pin import with_pin


def difference(
    platform: Platform, workload: Workload, before: Plan, after: Plan, sharing: str = FAIR
) -> PlanDifference:
    problem = Problem.of(platform, workload, sharing=sharing)
    return plan_difference(
        problem, (NOW, predict(problem, before)), ("HEFT", predict(problem, after))
    )


def test_what_limits_is_named_once_where_it_is_the_same_in_both() -> None:
    # over the bus of 100 B/s 4 · 10 s of 42 s, or with two at home 2 · 10 s of 22 s
    found = difference(bus(5, 100.0), spread(), FOUR, Plan((0, 1, 2, 0, 0)))
    assert found.sentence == (
        "Now against “HEFT”: 42.0 s → 22.0 s (−48 %); 2 of 5 tasks move; "
        "what limits: bus 95 % utilised → 91 %."
    )
    assert found.moved == (3, 4)
    assert found.makespan_s == pytest.approx((42.0, 22.0))


def test_what_limits_is_named_twice_where_it_changes() -> None:
    # all at home: 5 s on one machine, and no network
    found = difference(bus(5, 100.0), spread(), FOUR, Plan((0,) * 5))
    assert found.detail == "4 of 5 tasks move; what limits: bus 95 % utilised → n0 100 % utilised"
    back = difference(bus(5, 100.0), spread(), Plan((0,) * 5), FOUR)
    assert back.headline == "Now against “HEFT”: 5.00 s → 42.00 s (+740 %)"
    assert back.detail.endswith("what limits: n0 100 % utilised → bus 95 % utilised")


def test_startups_limit_without_a_load() -> None:
    slow = bus(5, None, link=1e9, startup_s=10.0)
    found = difference(slow, spread(), FOUR, Plan((0, 1, 2, 3, 3)))
    assert found.detail == "1 of 5 tasks moves; what limits: the startups of transfers"


def test_on_the_classical_timeline_transfers_or_processors_limit() -> None:
    found = difference(bus(5, 100.0), spread(), FOUR, Plan((0,) * 5), NONE)
    assert found.detail.endswith("what limits: transfers → n0 100 % utilised")


def test_long_times_keep_their_difference_and_alike_plans_say_so() -> None:
    platform = Platform("two", (Machine("P"), Machine("Q")))
    workload = Workload("rows", (Task("A", work=718.3), Task("B", work=1.1)))
    found = difference(platform, workload, Plan((0, 0)), Plan((0, 1)))
    assert found.headline == (
        "Now against “HEFT”: 11 min 59.4 s → 11 min 58.3 s (−0.15 %, a tie within the model's 3 %)"
    )


def test_without_moves_it_says_what_else_differs() -> None:
    platform = Platform("one", (Machine("P"),))
    workload = Workload("rows", (Task("A", work=2.0), Task("B", work=1.0)))
    found = difference(platform, workload, Plan((0, 0), (0, 1)), Plan((0, 0), (1, 0)))
    assert found.headline.endswith("(no change)")
    assert found.detail.startswith("no task moves, the order differs; ")
    same = difference(platform, workload, Plan((0, 0)), Plan((0, 0)))
    assert same.detail.startswith("no task moves, the order is unchanged; ")


def test_names_are_quoted_and_now_is_not() -> None:
    problem = Problem.of(bus(2, 100.0), Workload("w", (Task("A", work=1.0),), ()))
    one = predict(problem, Plan((0,)))
    assert plan_difference(problem, ("PEFT", one), (NOW, one)).headline.startswith(
        "“PEFT” against now: "
    )


def test_a_workload_with_flows_of_nothing_is_compared() -> None:
    workload = Workload("w", (Task("A", work=0.0), Task("B", work=0.0)), (Flow("A", "B", ()),))
    found = difference(bus(2, 100.0), workload, Plan((0, 0)), Plan((1, 1)))
    assert "(no change)" in found.headline


def test_what_else_is_decided_otherwise_is_said_and_listed() -> None:
    project = with_pin()
    problem = project.problem()
    one, other = predict(problem, project.plan), predict(problem, project.pins[0].plan)
    found = plan_difference(problem, (NOW, one), ("pin A", other))
    assert found.detail.startswith(
        "3 of 3 tasks move; message style of spectra: asynchronous long non-blocking; "
        "blocks of align: 256 blocks; tree of monitor: 2×32 tree, internal processes on svc; "
        "what limits: "
    )
    assert [(one.kind, one.task, one.subject) for one in found.changes] == [
        ("style", SPECTRA, "spectra"),
        ("block", ALIGN, "align"),
        ("tree", None, "monitor"),
    ]
    assert (found.changes[0].before, found.changes[0].after) == (
        "asynchronous short",
        "asynchronous long non-blocking",
    )


def test_a_choice_alone_is_said_without_a_word_of_the_order() -> None:
    project = with_pin()
    problem = project.problem()
    other = known()["tree"].taken(project.plan, project.pins[0].plan)
    pair = (NOW, predict(problem, project.plan)), ("tree", predict(problem, other))
    assert plan_difference(problem, *pair).detail.startswith(
        "no task moves; tree of monitor: 2×32 tree, internal processes on svc; what limits: "
    )


def test_other_numbers_of_processors_are_counted_beside_moves() -> None:
    scaling = Scaling(sigma=0.0)
    workload = Workload("w", (Task("A", work=8.0, scaling=scaling), Task("B", work=1.0)))
    platform = Platform("two", (Machine("P", cores=4), Machine("Q", cores=4)))
    found = difference(platform, workload, Plan((0, 0)), Plan((0, 1), processors=(4, 1)))
    assert found.detail.startswith(
        "1 of 2 tasks moves, 1 task takes another number of processors; what limits: "
    )

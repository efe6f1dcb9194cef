"""What each decision saves in turn and alone, where decisions help or stand in each other's way."""

from __future__ import annotations

import pytest
from hypothesis import given, settings

from advisor.advice.gains_by_decision import (
    DecisionGain,
    gains_by_decision,
    gains_sentence,
    takings,
)
from advisor.allocation.choices import TaskChoice
from advisor.allocation.evaluation import reached_s
from advisor.allocation.plan import Plan
from advisor.allocation.predict import predict
from advisor.allocation.problem import Problem
from advisor.allocation.workload import Task, Workload
from advisor.basics.quantities import percent
from advisor.decisions.registry import differing, known
from advisor.messages.styles import ASYNCHRONOUS, NON_BLOCKING, SHORT, Style
from advisor.programs.remap import Remap
from advisor.scaling.law import Scaling
from machines import Crossbar, Direction, Interconnect, Link, LogGP, Machine, Platform
from tests.advisor.decided import everything, plans
from tests.choosing_pin import with_pin

SHORTLY, LONG = Style(ASYNCHRONOUS, SHORT), Style(ASYNCHRONOUS, NON_BLOCKING)
WAY = Direction(1e-6, 1e9)
MESSAGES = 1000


def _network(short_s: float, long_s: float) -> Interconnect:
    """Messages that take the sender and receiver so long, in all, and nothing else."""
    short, long = (LogGP(L=0.0, o_s=s / 2, o_r=s / 2, g=0.0, G=1e-15) for s in (short_s, long_s))
    return Interconnect("net", Crossbar(4), short, long, "made up", 1.0)


def _problem(*networks: tuple[float, float]) -> Problem:
    """One program that may run on machines of these costs a message, long ones free of bytes."""
    machines = tuple(
        Machine(f"m{place}", network=_network(*costs)) for place, costs in enumerate(networks)
    )
    links = tuple(Link("m0", one.name, WAY, WAY) for one in machines[1:])
    program = Remap(MESSAGES, 8.0, pattern="shift", completion=ASYNCHRONOUS, transport=SHORT)
    workload = Workload("w", (Task("t", program=program),))
    return Problem.of(Platform("p", machines, links), workload)


def _plan(machine: int, style: Style) -> Plan:
    return Plan((machine,), choices=(TaskChoice(0, "style", style),))


def _gains(problem: Problem, now: Plan, then: Plan) -> tuple[tuple[DecisionGain, ...], str]:
    gains = gains_by_decision(problem, "makespan", now, then)
    return gains, gains_sentence(gains, reached_s(problem, "makespan", now))


def test_the_case_takes_what_its_messages_take() -> None:
    problem = _problem((1e-3, 2e-3), (3e-3, 5e-4))
    for machine, style, seconds in (
        (0, SHORTLY, 1.0), (0, LONG, 2.0), (1, SHORTLY, 3.0), (1, LONG, 0.5),
    ):  # fmt: skip
        found = reached_s(problem, "makespan", _plan(machine, style))
        assert found == pytest.approx(seconds, rel=1e-6)


def test_decisions_that_each_cost_and_together_save_are_told_together() -> None:
    problem = _problem((1e-3, 2e-3), (3e-3, 5e-4))
    (gain,), sentence = _gains(problem, _plan(0, SHORTLY), _plan(1, LONG))
    assert gain.names == ("allocation", "style")
    assert gain.gain_s == pytest.approx(0.5, rel=1e-6)
    assert gain.alone_s is None
    assert sentence == "By decision: allocation and style together −50 % (none of them alone)."


def test_a_decision_that_costs_alone_and_saves_after_another_says_both() -> None:
    # long messages save at home already; the other machine only beside them
    problem = _problem((1e-3, 0.8e-3), (1.4e-3, 0.2e-3))
    (first, second), sentence = _gains(problem, _plan(0, SHORTLY), _plan(1, LONG))
    assert (first.names, second.names) == (("style",), ("allocation",))
    assert first.gain_s == first.alone_s == pytest.approx(0.2, rel=1e-6)
    assert second.gain_s == pytest.approx(0.6, rel=1e-6)
    assert second.alone_s == pytest.approx(-0.4, rel=1e-6)
    assert sentence == "By decision: style −20 %, allocation −60 % (alone +40 %)."


def test_decisions_that_stand_in_each_others_way_save_less_together() -> None:
    problem = _problem((1e-3, 0.6e-3), (0.5e-3, 0.45e-3))
    (first, second), sentence = _gains(problem, _plan(0, SHORTLY), _plan(1, LONG))
    assert (first.names, second.names) == (("allocation",), ("style",))
    assert second.gain_s == pytest.approx(0.05, rel=1e-6)
    assert second.alone_s == pytest.approx(0.4, rel=1e-6)
    assert sentence == "By decision: allocation −50 %, style −5.0 % (alone −40 %)."


def test_a_decision_that_costs_in_the_end_is_told_as_that() -> None:
    problem = _problem((1e-3, 0.6e-3), (0.5e-3, 0.7e-3))
    (first, second), sentence = _gains(problem, _plan(0, SHORTLY), _plan(1, LONG))
    assert second.gain_s == pytest.approx(-0.2, rel=1e-6)
    assert (first.names, second.names) == (("allocation",), ("style",))
    assert sentence == "By decision: allocation −50 %, style +20 % (alone −40 %)."


def test_a_decision_that_can_not_run_alone_says_so() -> None:
    """8 processors need the machine that has them; on one of its processors it saves a bit."""
    task = Task("solve", work=10.0, scaling=Scaling(sigma=0.0))
    machines = Machine("few", cores=2), Machine("many", cores=8, speed=1.25)
    platform = Platform("p", machines, (Link("few", "many", WAY, WAY),))
    problem = Problem.of(platform, Workload("w", (task,)))
    (first, second), sentence = _gains(problem, Plan((0,)), Plan((1,), processors=(8,)))
    assert (first.names, second.names) == (("allocation",), ("processors",))
    assert (first.gain_s, second.gain_s) == pytest.approx((2.0, 7.0))
    assert second.alone_s is None
    assert sentence == "By decision: allocation −20 %, processors −70 % (alone it can't run)."


def test_one_decision_alone_needs_no_sentence() -> None:
    problem = _problem((1e-3, 0.6e-3))
    gains, sentence = _gains(problem, _plan(0, SHORTLY), _plan(0, LONG))
    assert [one.names for one in gains] == [("style",)]
    assert gains[0].words == "Message style: t: asynchronous long non-blocking"
    assert sentence == ""
    assert gains_sentence(gains * 2, 0.0) == ""


def test_nothing_is_told_of_a_present_plan_that_can_not_run() -> None:
    task = Task("solve", work=10.0, scaling=Scaling(sigma=0.0))
    problem = Problem.of(Platform("p", (Machine("few", cores=2),)), Workload("w", (task,)))
    assert gains_by_decision(problem, "makespan", Plan((0,), processors=(8,)), Plan((0,))) == ()


@settings(max_examples=10)
@given(plans(), plans())
def test_gains_sum_to_what_the_plan_saves_and_name_every_kind_once(now: Plan, then: Plan) -> None:
    problem, _ = everything()
    now_s, then_s = (reached_s(problem, "makespan", one) for one in (now, then))
    gains = gains_by_decision(problem, "makespan", now, then)
    if now_s == float("inf") or then_s == float("inf"):
        return
    assert sum(one.gain_s for one in gains) == pytest.approx(now_s - then_s, abs=1e-9 * now_s)
    names = [name for one in gains for name in one.names]
    assert sorted(names) == sorted(one.name for one in differing(problem, now, then))
    for one in gains:
        assert one.words
        if len(one.names) == 1 and one is gains[0]:
            assert one.alone_s == one.gain_s
    sentence = gains_sentence(gains, now_s)
    assert bool(sentence) == (len(names) > 1)
    assert all(name in sentence for name in names if len(names) > 1)
    if gains and sentence:
        assert percent(abs(gains[0].gain_s / now_s)) in sentence


def test_words_name_two_subjects_and_count_the_rest() -> None:
    problem, plan = everything()
    there = problem.platform.index["n2"]
    (gain,) = gains_by_decision(problem, "makespan", plan, plan.moved((0,), there))
    assert gain.words == "Allocation: prepare: n2"
    names = [problem.workload.index[name] for name in ("prepare", "combine", "report")]
    (gain,) = gains_by_decision(problem, "makespan", plan, plan.moved(names, there))
    assert gain.words == "Allocation: prepare: n2; combine: n2; 1 more"


def test_each_kind_that_differs_is_taken_over_alone() -> None:
    project = with_pin()
    problem, now, other = project.problem(), project.plan, project.pins[0].plan
    found = {one.kind.name: one for one in takings(problem, "makespan", now, other, lambda: False)}
    assert list(found) == ["allocation", "style", "block", "tree"]
    for name in ("allocation", "style", "tree"):
        alone = predict(problem, known()[name].taken(now, other))
        assert found[name].value_s == alone.makespan_s
    assert found["block"].value_s is None
    assert "align can't run on alewife" in found["block"].reason


def test_they_are_what_the_gain_by_decision_calls_alone() -> None:
    project = with_pin()
    problem, now, other = project.problem(), project.plan, project.pins[0].plan
    now_s = predict(problem, now).makespan_s
    alone = {
        one.names[0]: one.alone_s
        for one in gains_by_decision(problem, "makespan", now, other)
        if len(one.names) == 1
    }
    assert {"style", "tree"} & set(alone)
    for one in takings(problem, "makespan", now, other, lambda: False):
        if one.kind.name not in alone:  # it saves only with another one
            continue
        saved_s = None if one.value_s is None else now_s - one.value_s
        assert alone[one.kind.name] == (None if saved_s is None else pytest.approx(saved_s))


def test_between_equal_plans_there_is_nothing_to_take_and_a_stop_ends_it() -> None:
    project = with_pin()
    problem, now, other = project.problem(), project.plan, project.pins[0].plan
    assert takings(problem, "makespan", now, now, lambda: False) == ()
    assert takings(problem, "makespan", now, other, lambda: True) == ()

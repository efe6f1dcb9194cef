"""Why a recommendation: savings, proof, ties and flips."""

from __future__ import annotations

import re
from dataclasses import replace

import numpy as np
import pytest

from advisor.advice.chain_sums import is_chain, shortest_chain
from advisor.advice.contest import candidates, exact_judge, pool_judge
from advisor.advice.explain import explain, headline, proof_sentence, saving, ties_sentence
from advisor.advice.flips import Flip, find_flips
from advisor.allocation.comparison import label, moves_in_words
from advisor.allocation.loads import CONTENDERS, LINK_SLOWDOWN, find_parameter
from advisor.allocation.plan import Plan
from advisor.allocation.predict import predict
from advisor.allocation.problem import Problem
from advisor.allocation.recommendation import Recommendation
from advisor.allocation.workload import Flow, Task, Workload
from advisor.project.project import Project
from advisor.search import advise
from machines import Direction, Link, Machine, Platform
from tests.conftest import cluster, two_machines


def question(project: Project, reading: str = "exact") -> Problem:
    return Problem.of(project.platform, project.workload, reading)


def slowed() -> Problem:
    """Table 3: M1 slowed three times by two CPU-bound contenders."""
    return question(two_machines(contenders=2))


def with_link_slowdown(project: Project, slowdown: float) -> Project:
    (link,) = project.platform.links
    links = (replace(link, slowdown=slowdown),)
    return replace(project, platform=replace(project.platform, links=links))


def flips_of(problem: Problem, recommendation: Recommendation) -> dict[tuple[str, bool], Flip]:
    """Flips by (parameter, whether above the present value)."""
    prediction = predict(problem, recommendation.plan)
    found = find_flips(problem, recommendation, prediction).flips
    return {(flip.parameter.key, flip.value > flip.present): flip for flip in found}


@pytest.mark.parametrize("reading", ["exact", "published"])
def test_the_published_example_flips_where_its_sums_cross(reading: str) -> None:
    problem = question(two_machines(contenders=2), reading)
    flips = flips_of(problem, advise(problem))
    # 16 s = 18 + 8 + 4 s at s = 26/12, one less than that in contenders
    lighter = flips["contenders:M1", False]
    assert lighter.value == pytest.approx(26 / 12 - 1, abs=1e-6)
    assert lighter.present == pytest.approx(2.0)
    assert lighter.plan.allocation == (0, 0)
    assert lighter.exact
    # 18 + 8 x + 12 = 48 at x = 2.25
    slower = flips["link slowdown:M1–M2", True]
    assert slower.value == pytest.approx(2.25, abs=1e-6)
    assert slower.plan.allocation in {(0, 0), (1, 1)}
    # 18 s' + 8 + 12 = 48 at s' = 28/18
    busier = flips["contenders:M2", True]
    assert busier.value == pytest.approx(28 / 18 - 1, abs=1e-6)
    assert busier.plan.allocation == (0, 0)
    # 18 + 8 + 4 s = 48 at s = 5.5
    heavier = flips["contenders:M1", True]
    assert heavier.value == pytest.approx(4.5, abs=1e-6)
    assert heavier.plan.allocation == (1, 1)
    assert len(flips) == 4


def test_a_flip_reads_as_a_sentence() -> None:
    problem = slowed()
    flips = flips_of(problem, advise(problem))
    assert flips["contenders:M1", False].sentence == (
        "Break-even at 1.17 CPU-bound contenders on M1 (now 2); below, the best plan is both on "
        "M1; "
        "staying costs 14.0 s (47 %) at 0."  # 18 + 8 + 4 s against 12 + 4 s
    )
    assert flips["link slowdown:M1–M2", True].sentence.startswith(
        "Break-even at link slowdown 2.25 of M1–M2 (now 1); above, the best plan is both on M"
    )


def test_beyond_a_flip_the_other_plan_is_better_and_before_it_not() -> None:
    problem = slowed()
    recommendation = advise(problem)
    for flip in flips_of(problem, recommendation).values():
        side = 1 if flip.value > flip.present else -1
        for step, expected in ((1e-3, True), (-1e-3, False)):
            platform = flip.parameter.applied(problem.platform, flip.value + side * step)
            there = Problem.of(platform, problem.workload)
            ours = predict(there, recommendation.plan).makespan_s
            theirs = predict(there, flip.plan).makespan_s
            assert (theirs < ours) == expected


def test_a_tie_flips_at_the_present_load() -> None:
    problem = question(with_link_slowdown(two_machines(contenders=2), 3.0))
    recommendation = advise(problem)
    assert {recommendation.plan.allocation, *recommendation.ties} == {(0, 0), (1, 1)}
    flips = flips_of(problem, recommendation)
    others = [flip for flip in flips.values() if flip.value == pytest.approx(flip.present)]
    assert others
    assert "Break-even at the present" in others[0].sentence


def test_the_explanation_of_the_published_example() -> None:
    problem = slowed()
    explanation = explain(problem, advise(problem), Plan((0, 0)))
    assert explanation.headline == "Move A to M2: saves 10.0 s (21 %)."
    assert explanation.proof.startswith("Proved best of 4 allocations")
    assert explanation.ties == ""
    against = explanation.against_current
    assert against is not None
    assert against.saved_s == pytest.approx(10.0)
    causes = dict(against.by_cause_s)
    assert causes == pytest.approx(
        {"computing": -6.0, "waiting for the processor": 24.0, "transferring": -8.0}
    )
    assert against.sentence == (
        "Saves 10.0 s against the present allocation: waiting for the processor 24.0 s less, "
        "transferring 8.00 s more, computing 6.00 s more."
    )
    assert explanation.against_runner_up is not None
    assert explanation.against_runner_up.saved_s == pytest.approx(10.0)
    assert explanation.headline not in explanation.reasons
    assert explanation.proof in explanation.reasons


def test_the_tie_of_the_published_example_is_told() -> None:
    problem = question(with_link_slowdown(two_machines(contenders=2), 3.0))
    recommendation = advise(problem)
    text = ties_sentence(problem, recommendation)
    other = {(0, 0): "both on M2", (1, 1): "both on M1"}[recommendation.plan.allocation]
    assert text == f"Equally good: {other}."


def test_savings_sum_to_what_is_saved_for_either_objective() -> None:
    project = cluster(width=4, stages=3)
    problem = question(project)
    now = predict(problem, project.plan)
    other = predict(problem, Plan((4,) * len(project.workload.tasks)))
    for objective in ("makespan", "total"):
        found = saving("it", objective, other, now)
        expected = now.value_s(objective) - other.value_s(objective)
        assert found.saved_s == pytest.approx(expected)
        assert sum(gain for _, gain in found.by_cause_s) == pytest.approx(expected)
        back = saving("it", objective, now, other)
        assert back.saved_s == pytest.approx(-expected)


def test_a_plan_saves_nothing_against_itself() -> None:
    problem = slowed()
    one = predict(problem, Plan((0, 0)))
    found = saving("itself", "makespan", one, one)
    assert found.by_cause_s == ()
    assert found.sentence == "Ties with itself."


def test_headlines_say_what_to_do() -> None:
    problem = slowed()
    best = predict(problem, Plan((1, 0)))
    assert headline(problem, "makespan", best) == "Run A on M2, B on M1: makespan 38.0 s."
    assert headline(problem, "makespan", best, Plan((1, 0))).startswith("Keep A on M2, B on M1: ")
    assert "none is better" in headline(problem, "makespan", best, Plan((1, 0)), proved=True)
    assert headline(problem, "makespan", best, Plan((0, 1))).startswith(
        "Move A to M2, B to M1: saves 35.0 s"
    )
    both = predict(problem, Plan((0, 0)))
    assert headline(problem, "total", both) == "Run both on M1: total 48.0 s."


def test_headlines_of_many_moves_count_them() -> None:
    project = cluster()
    problem = question(project)
    chosen = predict(problem, Plan((4,) * 57))
    now = Plan((0,) * 57)
    assert headline(problem, "total", chosen, now).startswith(
        "Move all 57 tasks to node4 (11 prepare, 11 fit, 35 others): saves"
    )
    spread = headline(problem, "makespan", predict(problem, project.plan))
    assert re.match(r"Run \d+ tasks on node\d \(.*\), \d+ on node\d \(.*\) and ", spread)
    assert " more on 3 other machines: makespan" in spread


def test_another_order_alone_is_advised_as_such() -> None:
    platform = Platform("one", (Machine("M1"), Machine("M2")), ())
    tasks = tuple(Task(name, work=1.0, allowed=("M1",)) for name in "abc")
    late = Task("d", work=5.0, allowed=("M2",))
    wire = Direction(0.0, 1e9)
    platform = replace(platform, links=(Link("M1", "M2", wire, wire),))
    workload = Workload("w", (*tasks, late), (Flow("c", "d", ((1, 1.0),)),))
    problem = Problem.of(platform, workload)
    slow, fast = Plan((0, 0, 0, 1), (0, 1, 2, 3)), Plan((0, 0, 0, 1), (2, 3, 0, 1))
    text = headline(problem, "makespan", predict(problem, fast), slow)
    assert text.startswith("Start the tasks in another order: saves 2.00 s")


def test_a_present_plan_that_is_the_best_is_not_compared_with_itself() -> None:
    problem = slowed()
    explanation = explain(problem, advise(problem), Plan((1, 0)))
    assert explanation.headline == "Keep A on M2, B on M1: none is better (makespan 38.0 s)."
    assert explanation.against_current is None
    assert explanation.against_runner_up is not None


def test_a_present_plan_that_cannot_run_is_said_to() -> None:
    project = two_machines()
    tasks = (replace(project.workload.tasks[0], allowed=("M1",)), project.workload.tasks[1])
    problem = Problem.of(project.platform, replace(project.workload, tasks=tasks))
    explanation = explain(problem, advise(problem), Plan((1, 0)))
    assert "can't run" in explanation.headline
    assert explanation.against_current is None


def test_what_is_not_proved_is_said_with_its_bound() -> None:
    problem = slowed()
    recommendation = Recommendation(Plan((1, 0)), "makespan", 38.0, 36.0, False, "heft")
    assert proof_sentence(problem, recommendation) == "Within 5.6 % of the bound 36.0 s (HEFT)."
    kept = replace(recommendation, plan=Plan((1, 0), strategy="start"), strategy="start")
    assert proof_sentence(problem, kept).endswith(
        "of the bound 36.0 s (the plan before the search)."
    )
    unbounded = replace(recommendation, lower_bound_s=0.0)
    assert "no bound is known" in proof_sentence(problem, unbounded)
    many = question(cluster())
    proved = replace(recommendation, proved_optimal=True)
    assert "all allocations" in proof_sentence(many, proved)


def test_many_ties_are_counted() -> None:
    problem = slowed()
    ties = ((0, 0), (0, 1), (1, 1), (0, 0), (0, 1))
    recommendation = Recommendation(
        Plan((1, 0)), "makespan", 38.0, 38.0, True, "exact", ties=ties, ties_complete=False
    )
    text = ties_sentence(problem, recommendation)
    assert text.startswith("Equally good: at least both on M1; A on M1, B on M2; both on M2")
    assert text.endswith("2 more.")


def test_a_stopped_search_for_flips_says_so() -> None:
    problem = slowed()
    explanation = explain(problem, advise(problem), should_stop=lambda: True)
    assert explanation.flips == ()
    assert "stopped" in explanation.flips_searched


def test_progress_rises() -> None:
    problem = slowed()
    shares: list[float] = []
    explain(problem, advise(problem), on_progress=shares.append)
    assert shares == sorted(shares)
    assert shares[0] == 0.0


def test_a_better_plan_that_is_met_is_the_one_whose_flips_are_told() -> None:
    problem = slowed()
    poor = Recommendation(Plan((0, 1)), "makespan", 73.0, 0.0, False, "manual")
    found = find_flips(problem, poor, predict(problem, poor.plan))
    assert found.plan.allocation == (1, 0)
    assert found.proved
    assert len(found.flips) == 4
    explanation = explain(problem, poor, Plan((0, 0)))
    assert explanation.recommendation.plan.allocation == (1, 0)
    assert explanation.recommendation.value_s == pytest.approx(38.0)
    assert explanation.recommendation.proved_optimal
    assert explanation.recommendation.alternatives[-1][2] == 73.0
    assert explanation.headline == "Move A to M2: saves 10.0 s (21 %)."


def test_a_graph_is_judged_among_candidates() -> None:
    project = cluster(machines=3, width=3, stages=2)
    problem = question(project)
    recommendation = advise(problem, seconds=0.2)
    prediction = predict(problem, recommendation.plan)
    found = find_flips(problem, recommendation, prediction, project.plan)
    assert "candidate plans" in found.sentence
    for flip in found.flips:
        assert not flip.exact
        assert flip.plan.allocation != recommendation.plan.allocation
        platform = flip.parameter.applied(
            problem.platform, flip.value + 1e-3 * (flip.at - flip.value)
        )
        there = Problem.of(platform, problem.workload)
        ours = predict(there, replace(recommendation.plan, order=None)).makespan_s
        kept = predict(there, recommendation.plan).makespan_s
        theirs = [predict(there, replace(flip.plan, order=None)).makespan_s]
        theirs.append(predict(there, flip.plan).makespan_s)
        assert min(theirs) < min(ours, kept)


def test_too_large_a_workload_is_not_searched(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("advisor.advice.competition._BUDGET_S", 1e-3)
    project = cluster(machines=3, width=3, stages=2)
    problem = question(project)
    plan = project.plan
    recommendation = Recommendation(plan, "makespan", 1.0, 0.0, False, "manual")
    found = find_flips(problem, recommendation, predict(problem, plan))
    assert found.flips == ()
    assert "too large" in found.sentence


def test_the_total_of_few_tasks_is_judged_exactly() -> None:
    project = cluster(machines=3, width=2, stages=1)
    problem = question(project)
    judge = exact_judge(problem, "total")
    assert judge is not None
    assert judge.exact
    verdict = judge(problem.platform, project.plan)
    assert verdict.value_s == pytest.approx(predict(problem, project.plan).total_s)
    assert verdict.best_s == pytest.approx(predict(problem, verdict.best).total_s)
    assert verdict.best_s == pytest.approx(advise(problem, "total").value_s)
    assert exact_judge(problem, "makespan") is None


def chain(tasks: int) -> Problem:
    rng = np.random.default_rng(3)
    platform = cluster(machines=3).platform
    items = tuple(Task(f"t{i}", work=float(rng.uniform(1, 9))) for i in range(tasks))
    flows = tuple(
        Flow(f"t{i}", f"t{i + 1}", ((1, float(rng.uniform(1e5, 1e7))),)) for i in range(tasks - 1)
    )
    return Problem.of(platform, Workload("chain", items, flows))


def test_a_long_chain_is_judged_by_its_shortest_path() -> None:
    problem = chain(10)
    assert is_chain(problem.workload)
    judge = exact_judge(problem, "makespan")
    assert judge is not None
    verdict = judge(problem.platform, Plan((0,) * 10))
    assert verdict.best_s == pytest.approx(advise(problem).value_s)
    assert verdict.best_s == pytest.approx(predict(problem, verdict.best).makespan_s)
    assert judge(problem.platform, verdict.best).best is verdict.best


def test_the_shortest_path_agrees_with_enumeration() -> None:
    problem = chain(5)
    enumerated = exact_judge(problem, "makespan")
    assert enumerated is not None
    _, value_s = shortest_chain(problem.costs)
    assert enumerated(problem.platform, Plan((0,) * 5)).best_s == pytest.approx(value_s)


def test_branches_are_no_chain() -> None:
    assert not is_chain(cluster().workload)
    tasks = tuple(Task(name, work=1.0) for name in "abc")
    assert not is_chain(Workload("w", tasks, (Flow("a", "c"), Flow("b", "c"))))
    assert is_chain(Workload("w", tasks[:1]))


def test_a_pool_without_a_better_plan_keeps_the_plan() -> None:
    problem = slowed()
    judge = pool_judge(problem, "makespan", [Plan((0, 1))])
    verdict = judge(problem.platform, Plan((1, 0)))
    assert not verdict.beaten
    assert verdict.best == Plan((1, 0))


def test_candidates_differ_in_their_allocation() -> None:
    problem = slowed()
    recommendation = advise(problem)
    plans = candidates(problem, recommendation, Plan((0, 0)))
    assert plans[0] == recommendation.plan
    assert sorted(plan.allocation for plan in plans) == [(0, 0), (0, 1), (1, 0), (1, 1)]


def test_labels_are_short() -> None:
    problem = slowed()
    assert label(problem, (0, 0)) == "both on M1"
    assert label(problem, (1, 0)) == "A on M2, B on M1"
    many = question(cluster())
    ones = (1,) * 57
    assert label(many, ones) == "all on node1"
    assert label(many, (0, *ones[1:])) == "57 tasks on 2 machines"
    assert label(many, (0, *ones[1:]), ones) == "split to node0"
    assert label(many, (0, *ones[1:]), (0, *ones[1:])) == "the same allocation"
    assert label(many, (0, 0, 0, 0, *ones[4:]), ones) == "4 of 57 tasks to node0"
    assert label(many, (0, 0, 0, 2, *ones[4:]), ones) == "4 of 57 tasks moved"
    names = "split and prepare_000 to node0"
    assert moves_in_words(many, (0, 1), (0, 0, *ones[2:])) == names
    single = Problem.of(problem.platform, Workload("w", (Task("A", work=1.0),)))
    assert label(single, (1,)) == "A on M2"


def test_flip_parameters_are_the_loads_of_others() -> None:
    problem = slowed()
    kinds = {flip.parameter.kind for flip in flips_of(problem, advise(problem)).values()}
    assert kinds == {CONTENDERS, LINK_SLOWDOWN}
    assert find_parameter(problem.platform, "contenders:M1").kind in kinds


def test_the_plan_before_is_named_as_such_once_another_is_applied() -> None:
    problem = slowed()
    before = Plan((0, 0), strategy="start")
    found = Recommendation(Plan((1, 0)), "makespan", 38.0, 36.0, False, "heft",
                           alternatives=(("start", before, 48.0),))  # fmt: skip
    kept = explain(problem, found, found.plan)
    assert kept.headline.startswith("Keep ")
    assert kept.against_runner_up is not None
    assert kept.against_runner_up.against == (
        "the runner-up (both on M1; the plan before the search)"
    )


def test_without_alternatives_a_tie_is_the_runner_up() -> None:
    problem = question(with_link_slowdown(two_machines(contenders=2), 3.0))
    recommendation = replace(advise(problem), alternatives=())
    against = explain(problem, recommendation).against_runner_up
    assert against is not None
    assert against.saved_s == pytest.approx(0.0)
    alone = replace(recommendation, ties=())
    assert explain(problem, alone).against_runner_up is None


def test_where_no_task_takes_any_time_there_is_no_advice() -> None:
    machines = (Machine("M1"), Machine("M2"))
    workload = Workload("w", (Task("A", work=0.0), Task("B", work=0.0)))
    problem = Problem.of(Platform("p", machines), workload)
    found = explain(problem, advise(problem))
    assert found.headline.startswith("No task takes any time: give tasks their work")
    assert found.proof == ""

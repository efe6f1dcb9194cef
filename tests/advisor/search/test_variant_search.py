"""Variants, machines and orders chosen together: against all plans of small cases."""

from __future__ import annotations

from dataclasses import replace

import pytest

from advisor.advice.held_limits import held_sentence
from advisor.allocation.evaluation import reached_s
from advisor.allocation.objectives import MAKESPAN, TOTAL
from advisor.allocation.plan import Plan
from advisor.allocation.predict import predict
from advisor.allocation.problem import Problem
from advisor.allocation.task import Task, Variant
from advisor.allocation.timeline_modes import FAIR, NONE
from advisor.allocation.variants import variants_from
from advisor.allocation.workload import Workload
from advisor.project.workload_file import workload_from
from advisor.search.portfolio import advise
from machines import InputError, Machine, Platform, Resource
from machines.resources import MOST_UNITS
from tests.advisor.random_variants import every_plan, random_choice, random_variants

pytestmark = pytest.mark.usefixtures("compiled")


@pytest.mark.parametrize("sharing", [FAIR, NONE])
@pytest.mark.parametrize("objective", [MAKESPAN, TOTAL])
def test_no_plan_of_a_small_case_is_better_and_none_undercuts_the_bound(
    sharing: str, objective: str
) -> None:
    for seed in range(12):
        problem = random_variants(seed, most_tasks=3, sharing=sharing)
        least_s = min(reached_s(problem, objective, plan) for plan in every_plan(problem))
        found = advise(problem, objective, seconds=0.05, clocked=False)
        assert found.value_s == pytest.approx(least_s, rel=1e-9), seed
        assert found.lower_bound_s <= least_s * (1 + 1e-9)
        assert problem.lower_bounds_s[objective] <= least_s * (1 + 1e-9)
        assert reached_s(problem, objective, found.plan) == pytest.approx(found.value_s)
        assert predict(problem, found.plan).makespan_s > 0.0


def test_the_quick_unit_is_shared_out_when_it_is_the_bottleneck() -> None:
    """Twelve tasks of 10 s on the one GPU and a core, or 30 s on a core: 8 and 4 take 80 s."""
    both = (
        Variant("cpu", work=30.0),
        Variant("gpu", seconds=(("node", 10.0),), resources=(("gpu", 1),)),
    )
    tasks = tuple(Task(f"t{i}", variants=both) for i in range(12))
    node = Machine("node", cores=3, resources=(Resource("gpu"),))
    problem = Problem.of(Platform("p", (node,)), Workload("w", tasks))
    found = advise(problem, seconds=0.3, clocked=False)
    assert found.value_s == pytest.approx(80.0)
    assert sum(found.plan.variants or ()) == 8
    # by parts of tasks: 7.2 of them on the GPU keep it and the three cores busy for 72 s
    assert found.lower_bound_s == pytest.approx(72.0, rel=1e-6)
    all_there = Plan((0,) * 12, variants=(1,) * 12)
    assert predict(problem, all_there).makespan_s == pytest.approx(120.0)
    assert predict(problem, Plan((0,) * 12)).makespan_s == pytest.approx(120.0)  # quickest alone


def test_a_further_unit_of_anything_never_makes_the_best_plan_worse() -> None:
    """Of equal cores: a further slow one is taken at once, where waiting may be better."""
    for seed in range(12):
        problem = random_variants(seed, most_tasks=3)
        platform = problem.platform
        first, *rest = platform.machines
        first = replace(first, core_groups=())
        equal = Problem.of(replace(platform, machines=(first, *rest)), problem.workload)
        before = min(reached_s(equal, MAKESPAN, plan) for plan in every_plan(equal))
        (gpu,) = first.resources
        for better in (
            replace(first, cores=first.cores + 1),
            replace(first, memory_bytes=(first.memory_bytes or 0) + 8),
            replace(first, resources=(replace(gpu, count=gpu.count + 1),)),
        ):
            more = equal.on(replace(platform, machines=(better, *rest)))
            after = min(reached_s(more, MAKESPAN, plan) for plan in every_plan(more))
            assert after <= before * (1 + 1e-9), seed


def test_memory_that_is_reserved_bars_plans_of_variants_too() -> None:
    ways = (Variant("small", work=9.0, memory_bytes=1), Variant("large", work=4.0, memory_bytes=6))
    tasks = tuple(Task(f"t{i}", variants=ways) for i in range(2))
    machine = Machine("M", cores=1, memory_bytes=10, memory="reserved")
    found = advise(Problem.of(Platform("p", (machine,)), Workload("w", tasks)), seconds=0.05)
    assert found.value_s == pytest.approx(13.0)
    assert sorted(found.plan.variants or ()) == [0, 1]


def test_the_present_plan_is_never_better_than_the_advice() -> None:
    for seed in range(8):
        problem = random_variants(seed, most_tasks=7)
        start = random_choice(problem, seed)
        for objective in (MAKESPAN, TOTAL):
            found = advise(problem, objective, seconds=0.02, start=start, clocked=False)
            assert found.value_s <= reached_s(problem, objective, start) * (1 + 1e-9)


def test_advice_needs_no_unit_beyond_the_most_that_a_machine_has() -> None:
    node = Machine("node", 2, resources=(Resource("gpu", MOST_UNITS),))
    tasks = tuple(Task(name, work=4.0, resources=(("gpu", MOST_UNITS),)) for name in "AB")
    problem = Problem.of(Platform("p", (node,)), Workload("w", tasks))
    assert "one more would save nothing" in held_sentence(problem, predict(problem, Plan((0, 0))))


def test_more_variants_than_a_search_can_price_are_refused_with_their_number() -> None:
    ways = [{"name": f"v{at}", "work": 1.0} for at in range(17)]
    document = {"format": "placewise-workload", "version": 1, "name": "w",
                "task": [{"name": "A", "variant": ways}]}  # fmt: skip
    with pytest.raises(InputError, match=r'task "A": too many variants \(got 17\)'):
        workload_from(document)


@pytest.mark.parametrize("variant", [{}, [], None, 3, "fast"])
def test_a_plan_with_another_variant_than_there_is_is_refused(variant: object) -> None:
    task = Task("A", variants=(Variant("cpu", work=1.0), Variant("gpu", work=2.0)))
    with pytest.raises(InputError, match="unknown variant"):
        variants_from({"A": variant}, Workload("w", (task,)), (0,))


@pytest.mark.parametrize("strategy", ["heft", "min-min"])
@pytest.mark.parametrize("seed", range(6))
def test_a_heuristic_that_is_named_answers_by_itself(strategy: str, seed: int) -> None:
    problem = random_variants(seed, 4, NONE)
    found = advise(problem, strategy=strategy, seconds=0.1)
    assert (found.strategy, found.plan.strategy) == (strategy, strategy)
    assert found.value_s == pytest.approx(reached_s(problem, MAKESPAN, found.plan))
    best = advise(problem, seconds=0.1)
    assert found.lower_bound_s <= best.value_s * (1 + 1e-9)
    assert best.value_s <= found.value_s * (1 + 1e-9)

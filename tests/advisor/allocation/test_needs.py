"""Memory over time, resources and unequal cores in schedules, by hand."""

from __future__ import annotations

import numpy as np
import pytest

from advisor.allocation.assignment_bound import MOST_PLACES
from advisor.allocation.feasibility import why_not
from advisor.allocation.needs import needs_of
from advisor.allocation.peaks import peak_words, peaks
from advisor.allocation.plan import Plan
from advisor.allocation.predict import predict
from advisor.allocation.problem import Problem
from advisor.allocation.task import Flow, Task, Variant
from advisor.allocation.timeline_modes import FAIR, NONE
from advisor.allocation.workload import Workload
from advisor.search.portfolio import advise
from machines import (
    CoreGroup,
    Direction,
    InfeasibleError,
    InputError,
    Link,
    Machine,
    Platform,
    Resource,
)

BOTH = pytest.mark.parametrize("sharing", [FAIR, NONE])
WAY = Direction(0.0, 1e9)


def problem_of(machine: Machine, *tasks: Task, flows: tuple[Flow, ...] = (), **more) -> Problem:  # type: ignore[no-untyped-def]
    sharing = more.pop("sharing", FAIR)
    return Problem.of(
        Platform("p", (machine,), **more), Workload("w", tasks, flows), sharing=sharing
    )


def ends(problem: Problem, **decided) -> list[float]:  # type: ignore[no-untyped-def]
    return predict(problem, Plan((0,) * len(problem.workload.tasks), **decided)).end_s.tolist()


@BOTH
def test_what_never_runs_together_needs_memory_one_after_the_other(sharing: str) -> None:
    first, second = Task("A", work=2.0, memory_bytes=6), Task("B", work=3.0, memory_bytes=6)
    machine = Machine("M", cores=2, memory_bytes=8)
    assert ends(problem_of(machine, first, second, sharing=sharing), order=(0, 1)) == [2.0, 5.0]
    after = problem_of(machine, first, second, flows=(Flow("A", "B"),), sharing=sharing)
    assert ends(after) == [2.0, 5.0]


def test_reserved_memory_is_that_of_all_tasks_together() -> None:
    tasks = (Task("A", work=2.0, memory_bytes=6), Task("B", work=3.0, memory_bytes=6))
    problem = problem_of(Machine("M", memory_bytes=8, memory="reserved"), *tasks)
    with pytest.raises(InfeasibleError, match="its tasks need 12 B of memory, it has 8 B"):
        ends(problem)


def test_a_task_that_alone_is_too_large_says_both_amounts() -> None:
    with pytest.raises(InfeasibleError, match="A needs 9 bytes of memory, M has 8"):
        problem_of(Machine("M", memory_bytes=8), Task("A", work=1.0, memory_bytes=9))


@BOTH
def test_units_are_held_by_as_many_tasks_as_there_are(sharing: str) -> None:
    tasks = [Task(f"t{i}", work=2.0, resources=(("gpu", 1),)) for i in range(3)]
    machine = Machine("M", cores=8, resources=(Resource("gpu", 2),))
    assert ends(problem_of(machine, *tasks, sharing=sharing), order=(0, 1, 2)) == [2.0, 2.0, 4.0]


@BOTH
def test_a_licence_is_held_wherever_a_task_runs(sharing: str) -> None:
    tasks = tuple(Task(f"t{i}", work=2.0, resources=(("licence", 1),)) for i in range(2))
    machines = (Machine("M"), Machine("N"))
    platform = Platform(
        "p", machines, (Link("M", "N", WAY, WAY),), resources=(Resource("licence"),)
    )
    problem = Problem.of(platform, Workload("w", tasks), sharing=sharing)
    assert predict(problem, Plan((0, 1), (0, 1))).end_s.tolist() == [2.0, 4.0]


def test_a_task_takes_the_fastest_free_cores_and_keeps_them() -> None:
    machine = Machine("M", cores=2, core_groups=(CoreGroup("E", 1, 0.5), CoreGroup("P", 1)))
    tasks = [Task(f"t{i}", work=2.0) for i in range(3)]
    assert ends(problem_of(machine, *tasks), order=(0, 1, 2)) == [2.0, 4.0, 4.0]
    assert ends(problem_of(machine, Task("both", work=3.0, cores=2))) == [4.0]  # at 0.75


def test_groups_of_one_speed_change_nothing() -> None:
    tasks = [Task(f"t{i}", work=0.7 * (i + 1), cores=1 + i % 3) for i in range(7)]
    plain = Machine("M", cores=4, speed=0.7)
    split = Machine("M", cores=4, core_groups=(CoreGroup("a", 3, 0.7), CoreGroup("b", 1, 0.7)))
    assert ends(problem_of(split, *tasks)) == ends(problem_of(plain, *tasks))


def test_a_resource_that_no_machine_has_is_said() -> None:
    task = Task("A", work=1.0, resources=(("gpu", 2),))
    with pytest.raises(InfeasibleError, match="A needs 2 gpu, M has 1"):
        problem_of(Machine("M", resources=(Resource("gpu"),)), task)


def test_what_the_platform_lacks_is_said_once() -> None:
    task = Task("A", work=1.0, resources=(("licence", 2),))
    link = (Link("M", "N", WAY, WAY),)
    lab = Platform("p", (Machine("M"), Machine("N")), link, resources=(Resource("licence"),))
    with pytest.raises(InfeasibleError, match=r"A needs 2 licence, the platform has 1$"):
        Problem.of(lab, Workload("w", (task,)))


def test_a_variant_that_runs_on_no_machine_is_said_with_the_reason() -> None:
    ways = (Variant("cpu", 1.0), Variant("gpu", None, (("N", 1.0),)))
    named = [Task(name, variants=ways) for name in "AB"]
    found = problem_of(Machine("M"), *named).costs.warnings
    assert found == ("2 tasks can run as gpu on no machine: A has no time on M.",)
    assert problem_of(Machine("N"), *named).costs.warnings == ()


def on_gpus(name: str, needed: int, **more) -> Task:  # type: ignore[no-untyped-def]
    return Task(name, resources=(("gpu", 1),), unit_memory=(("gpu", needed),), **more)


def test_units_whose_memory_is_too_small_say_both_amounts() -> None:
    small = Machine("M", resources=(Resource("gpu", 2, memory_bytes=16),))
    with pytest.raises(
        InfeasibleError, match="A needs 17 bytes of memory of each gpu, those of M have 16"
    ):
        problem_of(small, on_gpus("A", 17, work=1.0))
    licence = Task("A", 1.0, resources=(("licence", 1),), unit_memory=(("licence", 1),))
    with pytest.raises(InfeasibleError, match="needs memory of each licence, the platform's have"):
        problem_of(Machine("M"), licence, resources=(Resource("licence"),))
    with pytest.raises(InputError, match='task "A": memory of a resource that it does not hold'):
        Task("A", 1.0, unit_memory=(("gpu", 1),))


@BOTH
def test_a_task_runs_only_where_the_memory_of_units_suffices(sharing: str) -> None:
    gpus = [Resource("gpu", 2, memory_bytes=size) for size in (16, 40, None)]
    machines = tuple(Machine(f"M{at}", resources=(gpu,)) for at, gpu in enumerate(gpus))
    tasks = (on_gpus("fits", 16, work=1.0), on_gpus("large", 40, work=1.0))
    problem = Problem.of(Platform("p", machines), Workload("w", tasks), sharing=sharing)
    legal = [[not why_not(problem, task, on) for on in range(3)] for task in range(2)]
    assert legal == [[True, True, True], [False, True, True]]
    assert np.isfinite(problem.costs.task_s).tolist() == legal
    with pytest.raises(InfeasibleError, match="large needs 40 bytes of memory of each gpu"):
        predict(problem, Plan((1, 0)))


def test_a_variant_runs_only_where_the_memory_of_units_suffices() -> None:
    gpu = Variant("gpu", 1.0, resources=(("gpu", 1),), unit_memory=(("gpu", 20),))
    task = Task("A", variants=(Variant("cpu", 4.0), gpu), unit_memory=(("gpu", 8),),
                resources=(("gpu", 1),))  # fmt: skip
    assert task.in_variant(1).holds == ((("gpu", 2),), (("gpu", 20),))
    for size, seconds in ((16, 4.0), (20, 1.0)):
        machine = Machine("M", resources=(Resource("gpu", 2, memory_bytes=size),))
        problem = problem_of(machine, task)
        assert ends(problem) == [seconds]
        assert advise(problem, seconds=0.1).value_s == seconds
        assert problem.lower_bounds_s["makespan"] == pytest.approx(seconds)


def test_variants_that_no_machine_can_run_are_said_each() -> None:
    ways = (Variant("gpu", work=1.0, resources=(("gpu", 1),)), Variant("wide", work=1.0, cores=9))
    with pytest.raises(InfeasibleError, match=r"none of its variants.*gpu: .*wide: .*9 cores"):
        problem_of(Machine("M"), Task("A", variants=ways))


def test_without_a_word_of_variants_the_quickest_alone_runs() -> None:
    ways = (Variant("slow", work=4.0), Variant("quick", work=1.0, resources=(("gpu", 1),)))
    problem = problem_of(Machine("M", resources=(Resource("gpu"),)), Task("A", variants=ways))
    assert ends(problem) == [1.0]
    assert ends(problem, variants=(0,)) == [4.0]


def test_kinds_that_nobody_needs_have_no_arrays() -> None:
    platform = Platform("p", (Machine("M", memory_bytes=100, resources=(Resource("gpu"),)),))
    workload = Workload("w", (Task("A", work=1.0, memory_bytes=50),))
    assert needs_of(platform, workload).kinds == ()


def test_peaks_tell_what_is_held_at_most_and_since_when() -> None:
    tasks = [Task(f"t{i}", work=2.0, memory_bytes=6, resources=(("gpu", 1),)) for i in range(2)]
    machine = Machine("M", cores=2, memory_bytes=12, resources=(Resource("gpu", 2),))
    late = Task("late", work=1.0, memory_bytes=1)
    problem = problem_of(machine, *tasks, late, flows=(Flow("t0", "late"),))
    found = peaks(problem, predict(problem, Plan((0, 0, 0))))
    assert [(one.kind, one.held, one.count, one.at_s) for one in found] == [
        ("cores", 2.0, 2.0, 0.0), ("memory", 12.0, 12.0, 0.0), ("gpu", 2.0, 2.0, 0.0),
    ]  # fmt: skip
    assert [peak_words(one) for one in found] == ["", "memory 12 of 12 B", "2 of 2 gpu"]


def test_large_problems_are_bounded_without_the_relaxation() -> None:
    tasks = [Task(f"t{i}", work=1.0, resources=(("gpu", 1),)) for i in range(MOST_PLACES + 1)]
    problem = problem_of(Machine("M", cores=4, resources=(Resource("gpu", 2),)), *tasks)
    assert problem.lower_bounds_s["makespan"] == pytest.approx((MOST_PLACES + 1) / 2)

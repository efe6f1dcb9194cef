"""Who runs where, in a line that stays short."""

from __future__ import annotations

from advisor.advice.places import places_of, places_sentence
from advisor.allocation.plan import Plan
from advisor.allocation.problem import Problem
from advisor.allocation.task import Variant
from advisor.allocation.workload import Task, Workload
from machines import Machine, Platform


def problem(tasks: list[str], machines: int) -> Problem:
    platform = Platform("lab", tuple(Machine(f"M{place + 1}") for place in range(machines)))
    return Problem.of(platform, Workload("w", tuple(Task(name, work=1.0) for name in tasks)))


def test_tasks_of_a_kind_are_counted_and_idle_machines_named() -> None:
    asked = problem(["read", "analyse_1", "analyse_2", "analyse_3", "plot"], 3)
    assert (
        places_sentence(places_of(asked, Plan((0, 0, 0, 1, 0))))
        == "M1: read, 2 analyse, plot · M2: analyse_3 · M3: idle."
    )


def test_many_kinds_and_machines_are_summed_up() -> None:
    asked = problem([f"{letter}x" for letter in "abcdefgh"], 1)
    assert places_sentence(places_of(asked, Plan((0,) * 8))) == "M1: ax, bx, cx, dx, ex, 3 more."
    asked = problem([f"t{number}" for number in range(20)], 30)
    told = places_sentence(places_of(asked, Plan(tuple(place % 10 for place in range(20)))))
    assert told.endswith("M6: t5, t15 · 4 more machines: 8 tasks · 20 machines idle.")


def test_the_variant_of_every_task_is_told() -> None:
    ways = (Variant("cpu", work=2.0), Variant("gpu", work=1.0))
    tasks = tuple(Task(f"fit {i}", variants=ways) for i in range(5))
    platform = Platform("lab", (Machine("M1"), Machine("M2")))
    asked = Problem.of(platform, Workload("w", tasks))
    plan = Plan((0, 0, 0, 0, 1), variants=(1, 1, 1, 0, 0))
    assert places_sentence(places_of(asked, plan)) == "M1: 4 fit; 3 gpu, 1 cpu · M2: fit 4 (cpu)."


def test_tasks_that_nobody_named_are_counted_in_words() -> None:
    asked = problem([f"task {number}" for number in range(1, 6)], 1)
    assert places_sentence(places_of(asked, Plan((0,) * 5))) == "M1: 5 tasks."

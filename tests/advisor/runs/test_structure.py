"""Tasks without names: known by dependencies, alike ones by their order, strangers not at all."""

from __future__ import annotations

import pytest

from advisor.runs.matching import matched
from advisor.runs.record import Run
from advisor.runs.structure import by_structure
from machines import InputError
from tests.advisor.runs.diamond import diamond, run_of, task_run

CHAIN = diamond(("a", "b", "c"), (("a", "b"), ("b", "c")))


def numbered(*after: tuple[int, ...], function: str = "body") -> Run:
    """Task by task, the numbers that it waited for."""
    names = [f"{function} #{at}" for at in range(len(after))]
    return run_of(*(
        task_run(name, "M1", at, at + 1, after=tuple(names[place] for place in after[at]))
        for at, name in enumerate(names)
    ))  # fmt: skip


def test_a_chain_is_known_in_whatever_order_it_was_submitted() -> None:
    found, said = by_structure(numbered((2,), (), (1,)), {}, CHAIN.workload)
    assert found == {"body #1": 0, "body #2": 1, "body #0": 2}
    assert "3 are known by their dependencies" in said[0]
    assert "distinguished" not in said[0]


def test_twins_are_taken_in_the_workloads_order_and_that_is_said() -> None:
    found, said = by_structure(numbered((), (0,), (0,), (1, 2)), {}, diamond().workload)
    assert found == {"body #0": 0, "body #1": 1, "body #2": 2, "body #3": 3}
    assert "2 of which can't be distinguished" in said[0]


def test_tasks_that_nothing_depends_on_stay_unknown() -> None:
    loose = diamond(("a", "b"), ()).workload
    found, _ = by_structure(numbered((), ()), {}, loose)
    assert found == {}


@pytest.mark.parametrize("after", [((), (), (0, 1)), ((), (0,))])
def test_another_graph_is_another_workload(after: tuple[tuple[int, ...], ...]) -> None:
    with pytest.raises(InputError, match="another workload"):
        matched(numbered(*after), CHAIN)


def test_names_are_believed_before_dependencies() -> None:
    assert by_structure(numbered((), (0,), (1,)), {"a": 0}, CHAIN.workload) == ({}, ())
    named = run_of(task_run("x", "M1", 0, 1), task_run("y #1", "M1", 0, 1))
    assert by_structure(named, {}, CHAIN.workload) == ({}, ())


def test_branches_exchanged_in_one_level_only_are_not_guessed() -> None:
    names = ("a1", "a2", "b1", "b2")
    pairs = diamond(names, (("a1", "b1"), ("a2", "b2")))
    found, said = by_structure(numbered((), (), (1,), (0,)), {}, pairs.workload)
    assert found == {}
    assert "distinguished" in said[0]

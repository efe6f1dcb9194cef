"""A run on a problem: who is who, which try counts, what lacks, and what is another workload."""

from __future__ import annotations

import numpy as np
import pytest

from advisor.runs.matching import by_structure, matched, matched_runs
from advisor.runs.run_record import FAILED, Run
from machines import InputError
from tests.advisor.runs.diamond import NAMES, diamond, plain_run, run_of, task_run


def said(notes: tuple[str, ...], *words: str) -> bool:
    return any(all(word in note for word in words) for note in notes)


def test_a_whole_run_is_matched_without_a_word() -> None:
    found = matched(plain_run(), diamond())
    assert found.machine.tolist() == [0, 0, 1, 0]
    assert found.start_s.tolist() == [0.0, 2.0, 2.5, 6.5]
    assert found.ready_s.tolist() == [0.0, 2.0, 2.0, 6.0]
    assert found.makespan_s == 8.0
    assert found.complete
    assert (found.failed, found.missing, found.unknown, found.renamed) == ((), (), (), ())
    assert found.notes == ()


def test_what_was_fetched_and_the_slot_stay_with_the_task() -> None:
    run = run_of(task_run("split", "M1", 1.0, 2.0, fetch_start_s=0.25, bytes_in=10.0))
    found = matched(run, diamond())
    assert found.taken_s[0] == 0.0
    assert found.fetch_s[0] == 0.75
    assert found.bytes_in[0] == 10.0
    assert np.isnan(found.bytes_in[1])


def test_of_several_tries_the_last_that_ended_well_counts_and_it_is_said() -> None:
    run = run_of(
        task_run("split", "M2", 0.0, 1.0, status=FAILED),
        task_run("split", "M1", 1.0, 3.0),
        task_run("split", "M2", 1.5, 4.0, status=FAILED),
    )
    found = matched(run, diamond())
    assert found.ran[0]
    assert (found.machine[0], found.start_s[0], found.end_s[0]) == (0, 1.0, 3.0)
    assert said(found.notes, "several times", "split", "ended well")


def test_a_task_that_never_ended_well_is_listed_and_what_came_after_it_is_missing() -> None:
    run = run_of(task_run("split", "M1", 0.0, 1.0), task_run("left", "M1", 1, 2, status=FAILED))
    found = matched(run, diamond())
    assert found.failed == (1,)
    assert found.missing == (2, 3)
    assert not found.complete
    assert found.makespan_s == 1.0
    assert np.isnan(found.ready_s[3])
    assert said(found.notes, "Never ended well", "left")
    assert said(found.notes, "Not in the log", "right, join")


def test_names_that_engines_bent_are_matched_and_said_and_strangers_are_listed() -> None:
    run = run_of(
        task_run("split-1f2e3d4c5b6a", "m1", 0, 1), task_run("LEFT", "m1", 1, 2),
        task_run("cleanup", "m1", 2, 3),
    )  # fmt: skip
    found = matched(run, diamond())
    assert sorted(found.renamed) == [("LEFT", 1), ("split-1f2e3d4c5b6a", 0)]
    assert found.unknown == ("cleanup",)
    assert found.machine[:2].tolist() == [0, 0]
    assert said(found.notes, "by pattern", "LEFT is left")
    assert said(found.notes, "no task of the workload", "cleanup")
    assert said(found.notes, "m1 is M1")


def test_several_workers_may_be_of_one_machine() -> None:
    run = run_of(task_run("split", "M1-0", 0, 1), task_run("left", "M1-1", 1, 2),
                 task_run("right", "M2.site.org", 1, 2))  # fmt: skip
    found = matched(run, diamond())
    assert found.machine[:3].tolist() == [0, 0, 1]
    assert said(found.notes, "M1-0 is M1", "M1-1 is M1", "M2.site.org is M2")


def test_machines_that_the_platform_lacks_are_unknown_and_said() -> None:
    found = matched(run_of(task_run("split", "n77", 0, 1), task_run("left", "", 1, 2)), diamond())
    assert found.machine[:2].tolist() == [-1, -1]
    assert said(found.notes, "n77", "M1, M2")
    assert said(found.notes, "does not say where")


def test_the_log_of_another_workload_is_refused_with_examples_of_both() -> None:
    run = run_of(*(task_run(f"other{one}", "M1", one, one + 1) for one in range(20)))
    with pytest.raises(InputError, match="another workload") as error:
        matched(run, diamond())
    assert "other0" in str(error.value)
    assert "split" in str(error.value)


def test_a_name_in_common_by_chance_makes_no_run_of_this_workload() -> None:
    many = diamond(tuple(f"t{one}" for one in range(30)), ())
    others = [task_run(f"other{one}", "M1", one, one + 1) for one in range(20)]
    with pytest.raises(InputError, match="3 of its 23 tasks"):
        matched(run_of(*others, *(task_run(f"t{at}", "M1", 0, 1) for at in range(3))), many)


def test_tasks_among_thousands_of_other_lines_are_found() -> None:
    noise = (task_run(f"gc {one}", "M1", one / 100, one / 100) for one in range(2000))
    found = matched(run_of(*noise, *plain_run().tasks), diamond())
    assert found.complete
    assert len(found.unknown) == 2000
    assert max(map(len, found.notes)) < 300


def test_time_begins_with_the_first_task_of_the_workload() -> None:
    run = run_of(task_run("boot", "M1", -50.0, -40.0), *plain_run().tasks)
    found = matched(run, diamond())
    assert found.start_s.tolist() == [0.0, 2.0, 2.5, 6.5]


def test_an_empty_run_is_refused() -> None:
    with pytest.raises(InputError, match="no task"):
        matched(run_of(), diamond())


@pytest.mark.parametrize("skew_s", [3.0, -3.0])
def test_a_clock_that_is_off_is_put_right_and_the_seconds_are_said(skew_s: float) -> None:
    found = matched(plain_run(skew_s), diamond())
    assert found.start_s == pytest.approx([0.0, 2.0, 2.5, 6.5], abs=0.51)
    assert found.start_s[2] >= found.end_s[0] - 0.006
    assert found.start_s[3] >= found.end_s[2] - 0.006
    assert found.makespan_s == pytest.approx(8.0)
    assert said(found.notes, "Clocks disagree", "M2", "ahead" if skew_s > 0 else "behind")
    by_name = {one.task: one for one in found.run.tasks}
    assert by_name["right"].start_s == found.start_s[2]


def test_durations_alone_have_no_order_and_their_clocks_are_not_touched() -> None:
    run = run_of(*(task_run(name, "M1", 0.0, 1.0) for name in NAMES), timed=False)
    found = matched(run, diamond())
    assert found.task_s.tolist() == [1.0] * 4
    assert found.makespan_s == 0.0
    assert np.isnan(found.ready_s).all()
    assert found.notes == ()


def test_runs_of_other_workloads_are_left_out_and_said_unless_all_are() -> None:
    other = Run("other", (task_run("hostname", "M1", 0, 1),))
    found, left_out = matched_runs([other, plain_run()], diamond())
    assert [one.run.name for one in found] == ["one"]
    assert "other" in left_out[0]
    with pytest.raises(InputError, match="another workload"):
        matched_runs([other], diamond())
    with pytest.raises(InputError, match="no runs"):
        matched_runs([], diamond())


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

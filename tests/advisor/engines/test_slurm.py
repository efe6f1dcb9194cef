"""The Slurm script: what it says, what is one job, and that grouping changes nothing else."""

from __future__ import annotations

import subprocess
from dataclasses import replace
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from advisor.allocation.plan_jobs import Job, Jobs
from advisor.engines import slurm
from advisor.engines.slurm import ARRAY_FROM, JOB_OVERHEAD_S, Unit, units_of
from machines import InputError
from tests.advisor.engines.dozen import jobs as dozen
from tests.advisor.engines.scripted import chain, written

SHORT, LONG = JOB_OVERHEAD_S / 10.0, JOB_OVERHEAD_S * 10.0


def plan_of(
    tasks: list[tuple[int, float, tuple[int, ...]]], cores: tuple[int, ...] = (1, 1, 4)
) -> Jobs:
    """Tasks of (machine, seconds, what it needs), each of one core, in their order."""
    on: dict[int, list[int]] = {}
    found = []
    for at, (machine, seconds, after) in enumerate(tasks):
        ahead = on.setdefault(machine, [])
        behind = ahead[-cores[machine]] if len(ahead) >= cores[machine] else None
        ahead.append(at)
        found.append(Job(f"t{at}", "k", f"m{machine}", f"t{at}", f"echo {at}", 1, after, behind,
                         len(tasks) - at, seconds))  # fmt: skip
    names = tuple((f"m{at}", f"m{at}", count) for at, count in enumerate(cores))
    return Jobs("plan", tuple(found), names, 1.0)


def rows(plan: Jobs) -> list[tuple[int, ...]]:
    return [unit.jobs for unit in units_of(plan)]


@st.composite
def plans(draw: st.DrawFn) -> Jobs:
    tasks = []
    for at in range(draw(st.integers(1, 14))):
        after = draw(st.sets(st.integers(0, at - 1), max_size=2)) if at else set()
        seconds = draw(st.sampled_from([SHORT, SHORT, SHORT, LONG]))
        tasks.append((draw(st.integers(0, 2)), seconds, tuple(sorted(after))))
    return plan_of(tasks)


def ancestors(before: dict[int, set[int]], order: list[int]) -> dict[int, set[int]]:
    found: dict[int, set[int]] = {}
    for at in order:
        found[at] = set().union(*({one} | found[one] for one in before[at]))
    return found


@given(plans())
def test_every_task_waits_for_what_the_plan_says_and_for_nothing_else(plan: Jobs) -> None:
    place = {job.slug: at for at, job in enumerate(plan.jobs)}
    units = units_of(plan)
    assert sorted(at for unit in units for at in unit.jobs) == list(range(len(plan.jobs)))
    whole: dict[int, Unit] = {at: unit for unit in units for at in unit.jobs}
    before: dict[int, set[int]] = {}
    well: dict[int, set[int]] = {}
    for unit in units:
        waits: dict[str, set[int]] = {"afterok": set(), "afterany": set()}
        for kind, slug in unit.waits:
            other = whole[place[slug]]
            assert units.index(other) < units.index(unit)  # it is submitted before
            waits[kind] |= {place[slug]} if other.array else set(other.jobs)
        for count, at in enumerate(unit.jobs):
            row = set() if unit.array else set(unit.jobs[:count])
            before[at] = waits["afterok"] | waits["afterany"] | row
            well[at] = waits["afterok"] | row
    planned = {at: {*job.after, *(() if job.behind is None else (job.behind,))}
               for at, job in enumerate(plan.jobs)}  # fmt: skip
    order = [at for unit in units for at in unit.jobs]
    assert ancestors(before, order) == ancestors(planned, list(range(len(plan.jobs))))
    assert all(set(job.after) <= well[at] for at, job in enumerate(plan.jobs))


@given(plans())
def test_the_text_says_what_the_plan_says(plan: Jobs) -> None:
    assert slurm.parse(slurm.render(plan)) == slurm.says(plan)


def test_short_tasks_in_a_row_are_one_job_where_nobody_waits_longer() -> None:
    assert rows(plan_of([(0, SHORT, ()), (0, SHORT, (0,)), (0, SHORT, ())])) == [(0, 1, 2)]
    # another machine waits for the first
    assert rows(plan_of([(0, SHORT, ()), (0, SHORT, (0,)), (1, SHORT, (0,))])) == [(0,), (1,), (2,)]
    # the second waits for another machine
    assert rows(plan_of([(1, SHORT, ()), (0, SHORT, ()), (0, SHORT, (0,))])) == [(0,), (1,), (2,)]
    # one is long
    assert rows(plan_of([(0, SHORT, ()), (0, LONG, ()), (0, SHORT, ())])) == [(0,), (1,), (2,)]
    # the other machine waits for both: for the last one anyway
    assert rows(plan_of([(0, SHORT, ()), (0, SHORT, ()), (1, LONG, (0, 1))])) == [(0, 1), (2,)]


def test_alike_tasks_side_by_side_are_an_array() -> None:
    four = [(2, LONG, ())] * ARRAY_FROM
    plan = plan_of([(0, LONG, ()), *four, (2, LONG, (2,))])
    assert rows(plan) == [(0,), (1, 2, 3, 4), (5,)]
    assert units_of(plan)[1].array
    assert units_of(plan)[2].waits == (("afterok", "t2"), ("afterany", "t1"))
    assert "array m2 1 ''\ntask t1 t1 'echo 1'\n" in slurm.render(plan)
    assert rows(plan_of(four[1:])) == [(0,), (1,), (2,)]


def test_hostile_names_and_commands_are_words() -> None:
    plan = dozen()
    text = slurm.render(plan)
    assert slurm.parse(text) == slurm.says(plan)
    assert subprocess.run(["bash", "-n"], input=text.encode(), check=False).returncode == 0


@pytest.mark.parametrize(
    ("this", "other"),
    [("SIGNS", "sings"), ("afterok", "afterany"), ("afterok", "singleton"),
     ("job M1 1", "job M1 2"), ("job", "array"), ("afterok:t_0", "afterok:t_1"),
     ("node M1 M1 M1\n", ""), ("submit\n", ""), ("--hold", "--help"),
     ("task t_1 't 1'", "task t_1 't 2'"), ("echo SIGNS", "$(rm)"), ("'echo SIGNS'", '"$(rm)"')],
)  # fmt: skip
def test_a_changed_text_is_noticed(this: str, other: str) -> None:
    plan = chain("echo SIGNS", "true")
    plan = replace(plan, jobs=tuple(replace(job, seconds=LONG) for job in plan.jobs))
    head, found, last = slurm.render(plan).rpartition(this)
    assert found
    try:
        assert slurm.parse(head + other + last) != slurm.says(plan)
    except InputError:
        return


def test_nothing_is_submitted_without_commands_or_with_names_that_no_node_has(
    tmp_path: Path,
) -> None:
    plan = chain("", "true", machine="$(touch pwned)")
    file = written(slurm.ENGINE, tmp_path, plan)
    found = subprocess.run(["bash", file.name], cwd=tmp_path, capture_output=True, text=True,
                           check=False)  # fmt: skip
    assert found.returncode == 2
    assert 'no node "$(touch pwned)"' in found.stderr
    assert "no command is stated for task t 0" in found.stderr
    assert [one.name for one in tmp_path.iterdir()] == [file.name]


def test_what_is_not_kept_is_said() -> None:
    short = plan_of([(0, SHORT, ()), (0, SHORT, ())], cores=(1,))
    (said,) = slurm.ENGINE.notes(short)
    assert said.startswith("2 tasks shorter than 1 s, ")
    odd, cores = slurm.ENGINE.notes(dozen())[::-1]
    assert odd.startswith("Slurm can have no node “M'1 $(x)”")
    assert "chooses which cores" in cores

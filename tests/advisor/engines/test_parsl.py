"""Plans for Parsl: the script is Python, and Parsl runs it."""

from __future__ import annotations

import ast
from dataclasses import replace
from pathlib import Path

import pytest

from advisor.engines import parsl
from advisor.runs import run_record as record_csv
from tests.advisor.engines.dozen import MACHINES, jobs
from tests.advisor.engines.running import check, logged, most_at_once, run
from tests.engines import program


def test_the_script_is_python_and_its_tables_alone_hold_names() -> None:
    text = parsl.render(jobs())
    tree = ast.parse(text)
    own = [node for node in tree.body if isinstance(node, ast.Assign)]
    tables = {node.targets[0].id for node in own if isinstance(node.targets[0], ast.Name)}
    assert tables == {"MACHINES", "JOBS", "ADDRESS"}
    body = text.partition("\ndef provider_of")[2]
    assert not [
        name for name in (*MACHINES, *(job.name for job in jobs().jobs[:4])) if name in body
    ]


def test_an_app_a_kind_and_priorities_in_the_plans_order() -> None:
    _, rows = parsl.says(jobs())
    apps = [dict(row)["app"] for row in rows]
    assert len(set(apps)) == len({job.kind for job in jobs().jobs})
    assert [dict(row)["priority"] for row in rows] == list(range(12))  # low goes first in Parsl


def test_what_is_not_kept_of_cores_is_said_where_tasks_have_several() -> None:
    one = replace(jobs(), jobs=tuple(replace(job, cores=1) for job in jobs().jobs))
    assert not any("several cores" in note for note in parsl.notes(one))
    assert any("several cores" in note for note in parsl.notes(jobs()))


def test_tasks_that_hold_gpus_have_an_executor_and_each_worker_its_own() -> None:
    first, second, *others = (replace(job, cores=1) for job in jobs().jobs)
    there = first.machine
    held = (replace(first, resources=(("gpu", 2),)), replace(second, memory_bytes=3 * 10**9))
    own = [replace(job, machine=there, memory_bytes=10**9) for job in others]
    room = ((there, (("memory", 7 * 10**9), ("gpu", 4))),)
    plan = replace(
        jobs(),
        jobs=(held[0], replace(held[1], machine=there), *own),
        machines=((there, "m", 8),),
        room=room,
    )
    machines, rows = parsl.says(plan)
    told = [(dict(one)["cores"], dict(one)["gpus"]) for one in machines]
    assert told == [(2, ["0,1", "2,3"]), (2, [])]  # of 7 GB two tasks of 3 GB
    labels = [dict(row)["label"] for row in rows]
    assert labels[0] != labels[1]
    assert len(set(labels)) == 2
    assert parsl.parse(parsl.render(plan)) == (machines, rows)
    assert any("executor of their own" in note for note in parsl.notes(plan))


@pytest.mark.engines
def test_parsl_carries_a_plan_out_and_writes_its_record(tmp_path: Path) -> None:
    plan = jobs()
    (tmp_path / "plan.py").write_text(parsl.render(plan), "utf-8")
    run(tmp_path, program("parsl-perf").replace("parsl-perf", "python"), "plan.py", "record.csv")
    found = check(plan, tmp_path)
    assert most_at_once(found, MACHINES[0], of_cores=False) == 1
    assert most_at_once(found, MACHINES[1], of_cores=False) <= 2
    (told,) = record_csv.parse((tmp_path / "record.csv").read_text("utf-8"), "record")
    by_task = {one.task: one for one in told.tasks}
    zero = min(one.began for one in found) - min(one.start_s for one in told.tasks)
    for one in logged(tmp_path):
        record = by_task[one.task]
        assert (record.machine, record.status) == (one.machine, "ok")
        # around what the command itself saw: a shell starts before its first clock
        assert zero + record.start_s <= one.began + 0.5
        assert zero + record.end_s >= one.ended - 0.5
        assert record.end_s - record.start_s >= one.ended - one.began


@pytest.mark.engines
def test_what_needs_a_failed_task_is_left_out_and_what_was_fetched_is_told(tmp_path: Path) -> None:
    plan = jobs(work=":")
    failing = replace(plan.jobs[0], command="echo why it failed; exit 3")
    fetching = replace(plan.jobs[1], command='sleep 0.2; echo 4096 0.125 > "$PLACEWISE_FETCHED"')
    text = parsl.render(replace(plan, jobs=(failing, fetching, *plan.jobs[2:])))
    (tmp_path / "plan.py").write_text(text, "utf-8")
    python = program("parsl-perf").replace("parsl-perf", "python")
    said = run(tmp_path, python, "plan.py", fails=True)
    assert "failed: why it failed" in said
    after = [job.name for job in plan.jobs if 0 in job.after]
    assert after
    assert f"{after[0]} left out: what it needs failed" in said
    (record,) = record_csv.parse((tmp_path / "run.csv").read_text("utf-8"), "record")
    assert [one.task for one in record.tasks if one.status == "failed"] == [failing.name]
    assert not set(after) & {one.task for one in record.tasks}
    (told_of,) = [one for one in record.tasks if one.task == fetching.name]
    assert told_of.bytes_in == 4096
    assert told_of.start_s - told_of.taken_s == pytest.approx(0.125, abs=1e-3)
    assert [one.task for one in record.tasks if one.bytes_in is not None] == [fetching.name]


@pytest.mark.engines
def test_a_script_that_would_hide_parsl_says_so(tmp_path: Path) -> None:
    (tmp_path / "parsl.py").write_text(parsl.render(jobs()), "utf-8")
    python = program("parsl-perf").replace("parsl-perf", "python")
    assert "call this file otherwise" in run(tmp_path, python, "parsl.py", fails=True)

"""Plans as WfFormat: the schema's rules, and what our own readers make of them."""

from __future__ import annotations

import json
import re
from dataclasses import replace
from pathlib import Path

import pytest

from advisor.allocation.data_files import DataFile
from advisor.allocation.plan import Plan
from advisor.allocation.plan_jobs import Jobs, jobs_of
from advisor.allocation.predict import predict
from advisor.allocation.problem import Problem
from advisor.allocation.workload import Flow, Task, Workload
from advisor.engines import wfformat_engine as wfformat
from advisor.project.wfformat.wfformat_reader import workload_from
from advisor.runs.logs.reading import read_runs
from machines import Direction, InputError, Link, Machine, Platform
from tests.advisor.engines.dozen import jobs

IDENT = re.compile(r"[0-9a-zA-Z._-]+")  # of the schema of 1.5, without the empty one


def with_files() -> Jobs:
    """A writes two files for B, whose names differ in signs alone, and sends C data twice."""
    both = Direction(0.5, 1000.0)
    platform = Platform("p", (Machine("n1"), Machine("n2", speed=2.0)),
                        (Link("n1", "n2", both, both),))  # fmt: skip
    files = (DataFile("a b", 100.0), DataFile("a-b.npy", 200.4), DataFile("in", 50.0, at="n1"))
    tasks = (Task("A", work=1.0, writes=("a b", "a-b.npy"), reads=("in",)),
             Task("B", work=2.0, reads=("a b", "a-b.npy")), Task("C", work=3.0))  # fmt: skip
    flows = (Flow("A", "C", ((2, 30.0), (1, 5.0))), Flow("B", "C"))
    problem = Problem.of(platform, Workload("w", tasks, flows, files))
    plan = Plan((0, 1, 0))
    return jobs_of(problem, plan, predict(problem, plan))


def test_ids_are_those_that_the_schema_takes_and_each_is_declared() -> None:
    for plan in (jobs(), with_files()):
        workflow = json.loads(wfformat.render(plan))["workflow"]
        specification, execution = workflow["specification"], workflow["execution"]
        idents = [task["id"] for task in specification["tasks"]]
        files = [file["id"] for file in specification["files"]]
        assert all(IDENT.fullmatch(one) for one in (*idents, *files))
        assert len(set(idents)) == len(idents) == len(execution["tasks"])
        assert len(set(files)) == len(files)
        for task in specification["tasks"]:
            assert set(task["inputFiles"] + task["outputFiles"]) <= set(files)
            for child in task["children"]:
                (other,) = [one for one in specification["tasks"] if one["id"] == child]
                assert task["id"] in other["parents"]
        nodes = {machine["nodeName"] for machine in execution["machines"]}
        assert {name for task in execution["tasks"] for name in task["machines"]} <= nodes


def test_the_workload_comes_back_with_its_data() -> None:
    workload = workload_from(json.loads(wfformat.render(with_files()))).workload
    assert [task.name for task in workload.tasks] == ["A", "B", "C"]
    sizes = {file.name: file.size_bytes for file in workload.files}
    assert sizes == {"a_b": 100.0, "a-b.npy": 200.0, "in": 50.0, "A_to_C": 65.0}
    assert {(edge.source, edge.target) for edge in workload.edges} == {
        ("A", "B"), ("A", "C"), ("B", "C"),
    }  # fmt: skip
    assert [task.work for task in workload.tasks] == pytest.approx(
        [1.0, 1.0, 3.0]
    )  # seconds on their machines


def test_the_execution_is_read_as_the_run_that_was_predicted(tmp_path: Path) -> None:
    plan = with_files()
    (tmp_path / "plan.json").write_text(wfformat.render(plan), "utf-8")
    (run,) = read_runs([tmp_path / "plan.json"])
    told = {one.task: one for one in run.tasks}
    for job in plan.jobs:
        assert told[job.name].machine == job.machine
        assert told[job.name].start_s == pytest.approx(job.start_s, abs=1e-5)
        assert told[job.name].end_s == pytest.approx(job.start_s + job.seconds, abs=1e-5)
    assert run.makespan_s == pytest.approx(plan.makespan_s, abs=1e-5)


def test_names_that_are_no_hosts_and_files_that_are_renamed_are_said() -> None:
    assert any("M'1" in note for note in wfformat.notes(jobs()))
    notes = wfformat.notes(with_files())
    assert not any("nodeName" in note for note in notes)
    assert any("Files are called by ids" in note for note in notes)


def test_starts_beyond_every_date_are_refused() -> None:
    plan = with_files()
    late = tuple(replace(job, start_s=1e12) for job in plan.jobs)
    with pytest.raises(InputError, match="later than any date"):
        wfformat.render(replace(plan, jobs=late))

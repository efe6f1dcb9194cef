"""Readers of files that lie beside others: results of a campaign, records, what runs teach."""

from __future__ import annotations

import tempfile
from functools import cache
from pathlib import Path

from advisor.allocation.plan import Plan
from advisor.campaigns.campaign_cases import Cases, planned
from advisor.campaigns.campaign_file import (
    campaign_path,
    dump_campaign,
    parse_campaign,
    read_campaign,
)
from advisor.campaigns.findings import findings
from advisor.campaigns.lines import JSONL, KINDS, Kind
from advisor.campaigns.open_campaign import read_folder
from advisor.campaigns.reopened import said
from advisor.campaigns.run_campaign import run_campaign
from advisor.campaigns.writing import writing
from advisor.learning.calibrations import calibrated, calibrations, learnt_texts
from advisor.project.workload_file import parse_workload
from advisor.running.run_plan import recording
from advisor.runs.logs.reading import read_runs
from advisor.runs.matching import matched_runs
from advisor.runs.run_record import Run, TaskRun, render
from machines.formats.platform_toml import parse_platform
from tests.advisor.campaigns.small import Plain, campaign
from tests.advisor.runs.diamond import diamond, plain_run, task_run
from tests.advisor.runs.logs import small_logs as logs

_FEW = """
workloads = [{ generate = "layered", tasks = 4, machines = 2, ccr = [0.1, 1.0], seeds = 2 }]
strategies = ["heft", "min-min"]
plans = true
"""
_PLAN = Plan((0, 0, 1, 0))


@cache
def _cases() -> Cases:
    return campaign(_FEW)


@cache
def _results() -> dict[str, bytes]:
    """The files of a campaign that was carried out."""
    with tempfile.TemporaryDirectory() as folder:
        run_campaign(_cases(), folder, Plain())
        return {one.name: one.read_bytes() for one in Path(folder).iterdir()}


def results() -> tuple[bytes, ...]:
    """A file of each kind: rows twice, and the seconds that they took."""
    return tuple(_results()[kind.name] for kind in KINDS)


def read_results(path: Path) -> None:
    """A file as one of the results, beside the others whole: what they show, and gone on with."""
    content = path.read_bytes()
    folder = path.parent / "results"
    folder.mkdir(exist_ok=True)
    for name, whole in _results().items():
        (folder / name).write_bytes(content if name == _kind(content).name else whole)
    with writing(folder, _cases()):
        pass
    found = read_folder(folder)
    findings(found.results)
    for row in found.results.rows:
        said(row)


def _kind(content: bytes) -> Kind:
    """Which file it is meant to be, by how it begins."""
    begun = (one for one in KINDS if one.header and content.startswith(one.header[:7]))
    return next(begun, JSONL)


def read_planned(path: Path) -> None:
    """What is read can be written and is read back; its cases are those that it says."""
    found = read_campaign(path)
    assert parse_campaign(dump_campaign(found)) == found
    planned(found, campaign_path("lists").parent)


def records() -> tuple[bytes, ...]:
    """Records of several runs, with all columns in use."""
    told = (*(task_run(one.task, one.machine, one.start_s, one.end_s, ready_s=one.start_s,
                       fetch_start_s=one.start_s, bytes_in=1000.0) for one in plain_run().tasks),
            task_run("join", "M1", 9.0, 9.5, status="failed"))  # fmt: skip
    return (logs.RECORD.encode(), render([Run("a", told), _slower("b"), _slower("c")]).encode())


def _slower(name: str) -> Run:
    tasks = (
        TaskRun(one.task, one.machine, 2 * one.start_s, 2.5 * one.end_s)
        for one in plain_run().tasks
    )
    return Run(name, tuple(tasks))


def go_on(path: Path) -> None:
    """A run is added to a record, which is read again."""
    with recording(path) as record:
        record.add(task_run("split", "M1", 0.0, 1.0))
    assert read_runs([path])


def learn(path: Path) -> None:
    """What runs teach can be written, and is read back."""
    problem, runs = diamond(), read_runs([path])
    actuals, _ = matched_runs(runs, problem)
    found = calibrations(problem, _PLAN, actuals)
    texts = learnt_texts(*calibrated(problem, found), found, runs)
    parse_platform(texts["platform.toml"])
    parse_workload(texts["workload.toml"])


def learnt() -> tuple[tuple[bytes, ...], tuple[bytes, ...]]:
    """Workload and platform files of what was learnt."""
    problem, runs = diamond(), (plain_run(), _slower("b"))
    actuals, _ = matched_runs(runs, problem)
    found = calibrations(problem, _PLAN, actuals)
    texts = learnt_texts(*calibrated(problem, found), found, runs)
    return (texts["workload.toml"].encode(),), (texts["platform.toml"].encode(),)


def read_workers(path: Path) -> None:
    """A scheduler's list of workers, given with a log and lying beside it."""
    stream = logs.write(path.parent, "stream.log", logs.dask_stream())
    beside = path.with_name("beside.json")
    beside.write_bytes(path.read_bytes())
    try:
        read_runs([stream, path])
    finally:
        read_runs([stream])
        beside.unlink()

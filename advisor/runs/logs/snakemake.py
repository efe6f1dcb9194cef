"""Runs of Snakemake: its metadata, benchmarks and logger database, each or together.

They tell one run from several sides. Starts are those of the metadata (when the job was handed
out), else of the database; what a command took is its benchmark's, where that fits in; ends follow
from both. Benchmarks alone tell durations and no times of day.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace
from pathlib import Path

from advisor.basics.content import read_head
from advisor.runs.logs import snakemake_benchmarks, snakemake_database, snakemake_metadata
from advisor.runs.logs.instants import stretches
from advisor.runs.logs.reader import LogReader
from advisor.runs.logs.snakemake_benchmarks import Benchmark, Benchmarks
from advisor.runs.logs.snakemake_database import Workflow
from advisor.runs.logs.snakemake_jobs import SnakemakeJob
from advisor.runs.logs.snakemake_runs import ENGINE, run_of, untimed
from advisor.runs.record import Run
from machines.errors import InputError
from machines.files import is_folder, refusal

GAP_S = 60.0  # nothing running for longer: another run
_LAG_S = 5.0  # of the logger behind the jobs
_DATABASES = (".sqlite", ".sqlite3", ".db")


def _holds(path: Path, head: bytes) -> bool:
    is_benchmark, is_snkmt = snakemake_benchmarks.is_benchmark, snakemake_database.is_snkmt
    try:
        if not is_folder(path):
            return is_benchmark(head) or is_snkmt(path, head)
        parts = _metadata(path), _databases(path), snakemake_benchmarks.folders(path, deep=False)
    except OSError:
        return False
    return any(parts)


def _read(path: Path) -> tuple[Run, ...]:
    """The runs of a working directory, a folder of any of the three, a database or a benchmark."""
    try:
        return _folder(path) if path.is_dir() else _file(path)
    except OSError as error:
        raise refusal("can't be read", path, error) from error


def _file(path: Path) -> tuple[Run, ...]:
    if snakemake_benchmarks.is_benchmark(read_head(path)):
        return (untimed(path.stem, [snakemake_benchmarks.read_one(path, path.name)], []),)
    runs = [
        run_of(one.started_s, one.jobs, Benchmarks(()), one.notes)
        for one in snakemake_database.read(path)
    ]
    return _some(runs, path)


def _folder(path: Path) -> tuple[Run, ...]:
    notes: list[str] = []
    told: list[Benchmark] = []
    place = _metadata(path)
    for folder in snakemake_benchmarks.folders(path, deep=place is not None):
        told += snakemake_benchmarks.read(folder, notes)
    jobs = snakemake_metadata.read(place, notes) if place else []
    jobs.sort(key=lambda one: (one.start_s, one.rule))
    workflows = [one for file in _databases(path) for one in snakemake_database.read(file)]
    benchmarks, runs = Benchmarks(told), []
    for one in sorted(workflows, key=lambda one: one.started_s, reverse=True):
        merged, jobs = _merged(one, jobs)
        runs.append(run_of(one.started_s, merged, benchmarks, [*one.notes, *notes]))
    runs += _by_stretches(jobs, benchmarks, notes)
    if not runs and told:
        runs = [untimed(path.name, told, notes)]
    return _some(sorted(runs, key=lambda one: one.name), path)


def _some(runs: list[Run], path: Path) -> tuple[Run, ...]:
    if not runs:
        raise InputError(
            "Snakemake tells of no job that ended", where=str(path),
            remedy="Metadata is written when a job ends well; keep it (no --drop-metadata)",
        )  # fmt: skip
    return tuple(runs)


def _metadata(path: Path) -> Path | None:
    places = (path / ".snakemake" / "metadata", path / "metadata", path)
    return next(
        (one for one in places if one.is_dir() and snakemake_metadata.is_metadata(one)), None
    )


def _databases(path: Path) -> list[Path]:
    files = sorted(one for one in path.iterdir() if one.suffix in _DATABASES and one.is_file())
    return [one for one in files if snakemake_database.is_snkmt(one, read_head(one))]


def _merged(
    workflow: Workflow, jobs: list[SnakemakeJob]
) -> tuple[list[SnakemakeJob], list[SnakemakeJob]]:
    """The database's jobs with what the metadata tells of them, and what is left of that."""
    by_output = {(one.rule, output): one for one in jobs for output in one.outputs}
    found, used = [], set()
    for job in workflow.jobs:
        named = (
            by_output.get((job.rule, tail)) for output in job.outputs for tail in _tails(output)
        )
        other = next((one for one in named if one is not None and _same(job, one)), None)
        if other is None:
            found.append(job)
            continue
        used.add(id(other))
        near = other.start_known and abs(other.start_s - job.start_s) <= _LAG_S
        start_s = min(other.start_s, job.end_s) if near else job.start_s
        command = job.command or other.command
        found.append(replace(job, start_s=start_s, params=other.params, command=command))
    return found, [one for one in jobs if id(one) not in used]


def _same(job: SnakemakeJob, other: SnakemakeJob) -> bool:
    """Whether metadata is of this job of the database, and not of the same job in another run."""
    if other.end_known and job.start_s - _LAG_S <= other.end_s <= job.end_s + _LAG_S:
        return True
    return other.start_known and abs(other.start_s - job.start_s) <= _LAG_S


def _tails(path: str) -> Iterable[str]:
    """A path as the metadata may name it: whole, or without the folders above."""
    yield path
    parts = path.split("/")
    for at in range(1, len(parts)):
        yield "/".join(parts[at:])


def _by_stretches(jobs: list[SnakemakeJob], told: Benchmarks, notes: list[str]) -> list[Run]:
    """The runs of a folder of metadata: it keeps what ran last of every output."""
    numbers = stretches([(one.start_s, one.end_s) for one in jobs], GAP_S)
    many = max(numbers, default=-1) + 1
    said = list(notes)
    if many > 1:
        said.append(
            f"The metadata holds what is left of {many} runs, between which nothing ran for more "
            f"than {GAP_S:g} s; what ran again later is not in the earlier ones"
        )
    runs = []
    for number in reversed(range(many)):
        mine = [job for job, one in zip(jobs, numbers, strict=True) if one == number]
        runs.append(run_of(mine[0].start_s, mine, told, said))
    return runs


READER = LogReader("Snakemake", ENGINE, _holds, _read)

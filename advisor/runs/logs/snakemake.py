"""Runs of Snakemake: its metadata, benchmarks and logger database, each or together.

They tell one run from several sides. Starts are those of the metadata (when the job was handed
out), else of the database; what a command took is its benchmark's, where that fits in; ends follow
from both. Benchmarks alone tell durations and no times of day.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Hashable, Iterable
from dataclasses import replace
from pathlib import Path
from statistics import median

from advisor.basics.content import read_head
from advisor.basics.quantities import count
from advisor.runs.logs import snakemake_benchmarks, snakemake_database, snakemake_metadata
from advisor.runs.logs.instants import day_and_time, stretches
from advisor.runs.logs.reader import LogReader
from advisor.runs.logs.snakemake_benchmarks import Benchmark
from advisor.runs.logs.snakemake_database import Workflow
from advisor.runs.logs.snakemake_jobs import SnakemakeJob, machines, names, names_by_rule, words
from advisor.runs.record import Run, TaskRun
from machines.errors import InputError, visible
from machines.files import refusal

ENGINE = "snakemake"
GAP_S = 60.0  # nothing running for longer: another run
_BENCHMARK_S = 0.01  # benchmarks are rounded to it
_LATE_S, _LATE_SHARE = 1.0, 0.1  # by which a job may be longer than its benchmark
_DATABASES = (".sqlite", ".sqlite3", ".db")


def _holds(path: Path, head: bytes) -> bool:
    is_benchmark, is_snkmt = snakemake_benchmarks.is_benchmark, snakemake_database.is_snkmt
    try:
        if not path.is_dir():
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
        return (_untimed(path.stem, [snakemake_benchmarks.read_one(path, path.name)], []),)
    runs = [
        _run(day_and_time(one.started_s), one.jobs, [], one.notes)
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
    runs = []
    for file in _databases(path):
        for one in snakemake_database.read(file):
            merged, jobs = _merged(one, jobs)
            runs.append(_run(day_and_time(one.started_s), merged, told, [*one.notes, *notes]))
    runs += _by_stretches(jobs, told, notes)
    if not runs and told:
        runs = [_untimed(path.name, told, notes)]
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
        other = next(
            (
                one
                for output in job.outputs
                for tail in _tails(output)
                if (one := by_output.get((job.rule, tail))) is not None
                and one.start_s < job.end_s + GAP_S and job.start_s < one.end_s + GAP_S
            ),
            None,
        )  # fmt: skip
        if other is None or other.start_s > job.end_s:
            found.append(job)
            continue
        used.add(id(other))
        found.append(
            replace(
                job, start_s=other.start_s, params=other.params,
                command=job.command or other.command,
            )
        )  # fmt: skip
    return found, [one for one in jobs if id(one) not in used]


def _tails(path: str) -> Iterable[str]:
    """A path as the metadata may name it: whole, or without the folders above."""
    yield path
    parts = path.split("/")
    for at in range(1, len(parts)):
        yield "/".join(parts[at:])


def _by_stretches(jobs: list[SnakemakeJob], told: list[Benchmark], notes: list[str]) -> list[Run]:
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
    for number in range(many):
        mine = [job for job, one in zip(jobs, numbers, strict=True) if one == number]
        runs.append(_run(day_and_time(mine[0].start_s), mine, told, said))
    return runs


def _run(name: str, jobs: list[SnakemakeJob], told: list[Benchmark], notes: list[str]) -> Run:
    """The run of some jobs, each with its benchmark."""
    called = names(jobs)
    places, how = machines(jobs)
    tasks: list[TaskRun] = []
    late, repeated, unfit, turned = [], [], [], []
    measured = _benchmarks(jobs, told)
    for job, task, machine, seconds in zip(jobs, called, places, measured, strict=True):
        start_s, rounds = _rounds(job, seconds)
        if not rounds:
            turned.append(task)
        elif seconds and rounds != seconds:
            unfit.append(task)
        elif len(rounds) > 1:
            repeated.append(task)
        if start_s > job.start_s:
            late.append(task)
        for taken_s in rounds:
            end_s = start_s + taken_s
            message = visible(job.message)
            tasks.append(TaskRun(task, machine, start_s, end_s, status=job.status, output=message))
            start_s = end_s
    said = [
        *notes,
        how,
        *_said(late, "{} were handed out more than 1 s before their command ran ({}): their "
               "benchmarks count, from the end"),
        *_said(repeated, "{} ran several times in a row for their benchmarks ({})"),
        *_said(unfit, "The benchmarks of {} are of another run ({}): not used"),
        *_said(turned, "{} end before they start, as files that keep old times do ({}): left out"),
    ]  # fmt: skip
    lacking = [task for task, seconds in zip(called, measured, strict=True) if not seconds]
    if told:
        said += _said(lacking, "No benchmark is named like {} ({})")
    resolution_s = _BENCHMARK_S if any(measured) else 0.0
    return Run(name, tuple(tasks), ENGINE, resolution_s, tuple(filter(None, said))).from_zero()


def _rounds(job: SnakemakeJob, seconds: tuple[float, ...]) -> tuple[float, tuple[float, ...]]:
    """When a job's command began, and how long it took each time; none: nobody knows.

    A benchmark counts from the start that is told, and from the end if the job took much longer:
    it was handed out, and waited. Without one the job's own time counts. An end that Snakemake saw
    bounds it; that of a file does not, which may be written early.
    """
    taken, told = job.end_s - job.start_s, sum(seconds)
    slack = max(_LATE_S, _LATE_SHARE * told)
    if not seconds or (job.end_seen and told > taken + slack):
        return job.start_s, (taken,) if taken >= 0.0 else ()
    if taken > told + slack:
        return job.end_s - told, seconds
    return job.start_s, seconds


def _benchmarks(jobs: list[SnakemakeJob], told: list[Benchmark]) -> list[tuple[float, ...]]:
    """The seconds of each job's benchmark; none where none or several are named like it.

    By rule and wildcards in that order, or in any order, or by the wildcards alone.
    """
    named: dict[Hashable, list[Benchmark]] = defaultdict(list)
    for one in told:
        named[one.words].append(one)
        named[frozenset(one.words)].append(one)
    found = []
    for job, name in zip(jobs, names_by_rule(jobs), strict=True):
        own = words(" ".join((job.rule, *job.values)))
        keys = (
            own,
            words(name),
            frozenset(own),
            frozenset(words(name)),
            words(" ".join(job.values)),
        )
        alike = next((named[key] for key in keys if key and len(named[key]) == 1), None)
        found.append(alike[0].seconds if alike else ())
    return found


def _said(tasks: list[str], sentence: str) -> list[str]:
    if not tasks:
        return []
    few = ", ".join(tasks[:3]) + (", …" if len(tasks) > 3 else "")
    return [sentence.format(count(len(tasks), "task"), few)]


def _untimed(name: str, told: list[Benchmark], notes: list[str]) -> Run:
    """Benchmarks alone: of several repeats the median."""
    tasks = [TaskRun(visible(one.name), "", 0.0, median(one.seconds)) for one in told]
    repeated = [one.name for one in told if len(one.seconds) > 1]
    said = [
        *notes,
        "Benchmarks tell neither start times nor machines: only durations are known",
        *_said(repeated, "{} ran several times ({}): the median counts"),
    ]
    tasks.sort(key=lambda one: (one.end_s, one.task))
    return Run(name, tuple(tasks), ENGINE, _BENCHMARK_S, tuple(said), timed=False)


READER = LogReader("Snakemake", ENGINE, _holds, _read)

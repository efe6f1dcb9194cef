"""Runs of Snakemake: its metadata, benchmarks and logger database, each or together.

They tell one run from several sides. Starts are those of the metadata (when the job was handed
out), else of the database; what a command took is its benchmark's, where that fits in; ends follow
from both. Benchmarks alone tell durations and no times of day.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace
from pathlib import Path
from statistics import median

from advisor.basics.content import read_head
from advisor.basics.quantities import count
from advisor.runs.logs import snakemake_benchmarks, snakemake_database, snakemake_metadata
from advisor.runs.logs.log_lines import day_and_time, stretches
from advisor.runs.logs.log_reader import LogReader
from advisor.runs.logs.snakemake_benchmarks import Benchmark, Benchmarks
from advisor.runs.logs.snakemake_database import Workflow
from advisor.runs.logs.snakemake_jobs import SnakemakeJob, machines, names, names_by_rule, words
from advisor.runs.run_record import OK, Run, TaskRun
from machines.errors import InputError, visible
from machines.files import is_folder, refusal

# Jobs of Snakemake and their benchmarks as a run: when each command began and ended.

ENGINE = "snakemake"
_BENCHMARK_S = 0.01  # benchmarks are rounded to it
_LATE = (
    "{} were handed out more than 1 s before their commands ran ({}): their benchmarks count, from "
    "the end"
)
_AGAIN = "{} ran several times in a row, for their benchmarks ({})"
_UNFIT = "The benchmarks of {} are of another run ({}): not used"
_UNKNOWN = (
    "When {} began or ended is unknown ({}), as of outputs with old times and rules in Python: "
    "left out"
)
_LACKING = "There is no benchmark of {} ({})"
_LATE_S, _LATE_SHARE = 1.0, 0.1  # by which a job may be longer than its benchmark


def run_of(
    began_s: float, jobs: Sequence[SnakemakeJob], told: Benchmarks, notes: Sequence[str]
) -> Run:
    """The run of some jobs, each with its benchmark, which no earlier run then has.

    `began_s`: since 1970: what the run is called by. `notes`: what was noticed of them.
    """
    called = names(jobs)
    places, how = machines(jobs)
    made = {output: task for job, task in zip(jobs, called, strict=True) for output in job.outputs}
    measured = _benchmarks(jobs, told)
    tasks: list[TaskRun] = []
    noticed: dict[str, list[str]] = {sentence: [] for sentence in (_LATE, _AGAIN, _UNFIT, _UNKNOWN)}
    for job, task, machine, benchmark in zip(jobs, called, places, measured, strict=True):
        seconds = () if benchmark is None else benchmark.seconds
        peak_bytes = None if benchmark is None else benchmark.peak_bytes
        start_s, rounds = _rounds(job, seconds)
        if not rounds:
            noticed[_UNKNOWN].append(task)
        elif seconds and rounds != seconds:
            noticed[_UNFIT].append(task)
        elif len(rounds) > 1:
            noticed[_AGAIN].append(task)
        if job.start_known and start_s > job.start_s:
            noticed[_LATE].append(task)
        for taken_s in rounds:
            end_s, output = start_s + taken_s, visible(job.message)
            needs = dict.fromkeys(made[one] for one in job.inputs if made.get(one, task) != task)
            tasks.append(TaskRun(task, machine, start_s, end_s, status=job.status, output=output,
                                 after=tuple(needs), peak_bytes=peak_bytes))  # fmt: skip
            start_s = end_s
    if any(measured):
        pairs = zip(called, measured, strict=True)
        noticed[_LACKING] = [task for task, benchmark in pairs if benchmark is None]
    if told.unused:
        notes = [*notes, "No benchmark is named like a rule and its wildcards: none is used"]
    said = [*notes, how, *(_few(some, sentence) for sentence, some in noticed.items())]
    resolution_s = _BENCHMARK_S if any(measured) else 0.0
    found = tuple(tasks), ENGINE, resolution_s, tuple(filter(None, said))
    return Run(day_and_time(began_s), *found).from_zero()


def _rounds(job: SnakemakeJob, seconds: tuple[float, ...]) -> tuple[float, tuple[float, ...]]:
    """When a job's command began, and how long it took each time; none: nobody knows.

    A benchmark counts from the start that is told, and from the end if the job took much longer:
    it was handed out, and waited. Without one the job's own time counts. An end that Snakemake saw
    bounds it; that of a file does not, which may be written early.
    """
    taken, told = job.end_s - job.start_s, sum(seconds)
    slack = max(_LATE_S, _LATE_SHARE * told)
    if not job.start_known:
        return job.end_s - told, seconds
    if not job.end_known:
        return job.start_s, seconds
    if not seconds or (job.end_seen and told > taken + slack):
        return job.start_s, (taken,)
    if taken > told + slack:
        return job.end_s - told, seconds
    return job.start_s, seconds


def _benchmarks(jobs: Sequence[SnakemakeJob], told: Benchmarks) -> list[Benchmark | None]:
    """Each job's benchmark: of those that ran well, of several tries the last.

    Called by rule and wildcards in that order, or in any order, or by the wildcards alone.
    """
    found: list[Benchmark | None] = [None] * len(jobs)
    own_names = names_by_rule(jobs)
    for at in reversed(range(len(jobs))):
        job = jobs[at]
        own, other = words(" ".join((job.rule, *job.values))), words(own_names[at])
        keys = own, other, frozenset(own), frozenset(other), words(" ".join(job.values))
        if job.status == OK:
            found[at] = told.taken(keys)
    return found


def untimed(name: str, told: Sequence[Benchmark], notes: Sequence[str]) -> Run:
    """The run of benchmarks alone: of several repeats the median."""
    tasks = [
        TaskRun(visible(one.name), "", 0.0, median(one.seconds), peak_bytes=one.peak_bytes)
        for one in told
    ]
    repeated = [one.name for one in told if len(one.seconds) > 1]
    said = [
        *notes,
        "Benchmarks tell neither start times nor machines: only durations are known",
        _few(repeated, "{} ran several times ({}): the median counts"),
    ]
    tasks.sort(key=lambda one: (one.end_s, one.task))
    return Run(name, tuple(tasks), ENGINE, _BENCHMARK_S, tuple(filter(None, said)), timed=False)


def _few(tasks: Sequence[str], sentence: str) -> str:
    """A sentence about some tasks, their number and the first of them; nothing without any."""
    few = ", ".join(tasks[:3]) + (", …" if len(tasks) > 3 else "")
    return sentence.format(count(len(tasks), "task"), few) if tasks else ""


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


READER = LogReader("Snakemake", ENGINE, _holds, _read, (".sqlite", ".tsv"))

"""Jobs of Snakemake and their benchmarks as a run: when each command began and ended."""

from __future__ import annotations

from collections.abc import Sequence
from statistics import median

from advisor.basics.quantities import count
from advisor.runs.logs.instants import day_and_time
from advisor.runs.logs.snakemake_benchmarks import Benchmark, Benchmarks
from advisor.runs.logs.snakemake_jobs import SnakemakeJob, machines, names, names_by_rule, words
from advisor.runs.record import OK, Run, TaskRun
from machines.errors import visible

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

    Parameters
    ----------
    began_s : float
        Since 1970: what the run is called by.
    notes : sequence of str
        What was noticed of them.
    """
    called = names(jobs)
    places, how = machines(jobs)
    measured = _benchmarks(jobs, told)
    tasks: list[TaskRun] = []
    noticed: dict[str, list[str]] = {sentence: [] for sentence in (_LATE, _AGAIN, _UNFIT, _UNKNOWN)}
    for job, task, machine, seconds in zip(jobs, called, places, measured, strict=True):
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
            tasks.append(TaskRun(task, machine, start_s, end_s, status=job.status, output=output))
            start_s = end_s
    if any(measured):
        pairs = zip(called, measured, strict=True)
        noticed[_LACKING] = [task for task, seconds in pairs if not seconds]
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


def _benchmarks(jobs: Sequence[SnakemakeJob], told: Benchmarks) -> list[tuple[float, ...]]:
    """The seconds of each job's benchmark: of those that ran well, of several tries the last.

    Called by rule and wildcards in that order, or in any order, or by the wildcards alone.
    """
    found: list[tuple[float, ...]] = [()] * len(jobs)
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
    tasks = [TaskRun(visible(one.name), "", 0.0, median(one.seconds)) for one in told]
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

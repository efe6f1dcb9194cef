"""Lesson: what tasks take, on the machines where they were measured and on the others."""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np

from advisor.allocation.workload import Task, Workload
from advisor.basics.quantities import count, duration, few, percent, slowdown
from advisor.learning.calibration import Calibration
from advisor.learning.estimates import Estimate, estimates, estimates_sentence
from advisor.learning.kind_time import Expected
from advisor.learning.ratios import Ratios, ratios
from advisor.learning.robust import Summary, summary
from advisor.learning.run_evidence import Evidence
from advisor.learning.speeds import with_speeds
from advisor.learning.unseen import Factors, factors, reference_seconds, unseen_note
from advisor.scaling.law import speedups
from machines.arrays import Flags, Floats
from machines.stopping import ask

NAME, TITLE = "times", "Task times"
HEADER = ("Task", "Machine", "Time", "Low", "High", "Runs", "From")
_EXPLAINED = 0.10  # residuals up to which one factor a machine explains the times
_SHOWN = 3
_MOST_ROWS = 20_000  # with those that were not measured

Row = tuple[str, ...]


@dataclass(frozen=True, eq=False)
class _Learnt:
    """Seconds of every task on every machine, shape (tasks, machines), and whence."""

    seconds: Floats
    sources: dict[tuple[int, int], str]


def times(evidence: Evidence) -> Calibration:
    """Medians over runs; machines without a measurement by speeds; tasks without one by kind.

    Where one factor a machine explains the times of all kinds within 10 %, tasks get `work` and
    machines their speeds; else every task gets `seconds` by machine.
    """
    problem = evidence.problem
    cells = cells_of(evidence)
    if not np.isfinite(cells.median).any():
        text = "No task times: nothing ended well on a known machine"
        return Calibration(NAME, TITLE, text, HEADER, (), problem.platform, problem.workload,
                      evidence.left_out, learnt=False)  # fmt: skip
    learnt = ratios(evidence)
    own = np.array([task.program is None for task in problem.workload.tasks])
    cells = replace(cells, median=np.where(own[:, None], cells.median, np.nan))
    factor = factors(evidence, learnt)
    reference_s = reference_seconds(cells.median, factor.factor)
    guessed = {
        task: one for task, one in estimates(problem.workload, reference_s).items() if own[task]
    }
    residual = _residual(cells.median, learnt.factor)
    as_work = _explains(learnt, residual) and not factor.by_benchmarks
    found = _filled(evidence, cells, factor, guessed)
    tasks, platform = problem.workload.tasks, problem.platform
    if as_work:
        platform = with_speeds(platform, learnt)
        reference_s = reference_seconds(cells.median, learnt.factor)
    works = _works(evidence, learnt, reference_s, guessed) if as_work else [None] * len(tasks)
    changed = tuple(
        _task(evidence, task, place, found, works[place]) for place, task in enumerate(tasks)
    )
    return Calibration(
        NAME,
        TITLE,
        _sentence(evidence, cells, learnt, residual, as_work, guessed),
        HEADER,
        _rows(evidence, cells, found, factor, guessed),
        platform,
        problem.workload.repriced(changed, problem.workload.flows),
        _notes(evidence, cells, own, reference_s, guessed, unseen_note(evidence, learnt, factor)),
    )


def _residual(median: Floats, factor: Floats) -> float | None:
    """Median relative deviation of times from work × factor, of tasks on several machines."""
    scaled = np.where(median > 0.0, median, np.nan) / factor
    several = np.isfinite(scaled).sum(axis=1) >= 2
    if not several.any():
        return None
    part = scaled[several]
    off = np.abs(part / np.nanmedian(part, axis=1)[:, None] - 1.0)
    return float(np.nanmedian(off))


def _explains(learnt: Ratios, residual: float | None) -> bool:
    """Whether work × speed tells the times: no kind of its own factor, small residuals."""
    return (
        residual is not None
        and residual <= _EXPLAINED
        and not learnt.unreached
        and not any(one.odd for one in learnt.known)
    )


def _filled(
    evidence: Evidence, cells: Cells, factor: Factors, guessed: dict[int, Estimate]
) -> _Learnt:
    """Every cell of the tasks that are known: as measured, or by what is known of the machine."""
    can_run = np.isfinite(evidence.here.costs.task_dedicated_s)
    seconds = np.full(cells.median.shape, np.nan)
    sources: dict[tuple[int, int], str] = {}
    for task, can in enumerate(can_run):
        ask()
        own, times = cells.median[task], factor.factor[task]
        measured = np.isfinite(own)
        if measured.any():
            rest = times * np.median(own[measured] / times[measured])
            seconds[task] = np.where(measured, own, rest)
            for machine in np.flatnonzero(can).tolist():
                how = "measured" if measured[machine] else _by(factor, task, machine)
                sources[task, machine] = how
        elif task in guessed:
            seconds[task] = guessed[task].expected.seconds * times
            sources |= dict.fromkeys(
                ((task, int(k)) for k in np.flatnonzero(can)), guessed[task].how
            )
        seconds[task, ~can] = np.nan
    return _Learnt(seconds, sources)


def _works(
    evidence: Evidence, learnt: Ratios, reference_s: Floats, guessed: dict[int, Estimate]
) -> list[float | None]:
    """Seconds on the reference machine, measured or estimated, times its speed."""
    speed = evidence.problem.platform.machines[learnt.reference].speed
    works: list[float | None] = [speed * one for one in reference_s.tolist()]
    for task, one in guessed.items():
        works[task] = speed * one.expected.seconds
    return works


def _by(factor: Factors, task: int, machine: int) -> str:
    if machine not in factor.unseen:
        return "by the calibrated speed"
    if factor.benchmarked[task, machine]:
        return "as stated, scaled"
    by_kinds = factor.unseen[machine].kinds
    return "by the stated times of others" if by_kinds else "by the platform's speed"


def _task(evidence: Evidence, task: Task, place: int, found: _Learnt, work: float | None) -> Task:
    """The task with what was learnt, as work or, without it, as seconds; itself if nothing was."""
    seconds = found.seconds[place]
    can = np.flatnonzero(np.isfinite(seconds)).tolist()
    if not can:
        return task
    speedup = 1.0
    if task.scaling is not None:
        (speedup,) = speedups(task.scaling, [evidence.here.workload.tasks[place].cores]).tolist()
    names = evidence.names
    if work is None:
        by_name = tuple((names[machine], float(seconds[machine]) * speedup) for machine in can)
        return replace(task, work=None, seconds=by_name)
    # `work` may run anywhere: a task that named its machines stays with them
    named = tuple(names[machine] for machine in can)
    allowed = named if task.seconds and len(named) < len(names) else task.allowed
    return replace(task, work=work * speedup, seconds=(), allowed=allowed)


def _rows(
    evidence: Evidence, cells: Cells, found: _Learnt, factor: Factors, guessed: dict[int, Estimate]
) -> tuple[Row, ...]:
    rows = []
    tasks = evidence.problem.workload.tasks
    # how far off times on the reference machine are: by the doubt of where they were measured
    base = np.where(np.isfinite(cells.median), factor.doubt, np.inf).min(axis=1)
    many = len(found.sources) > _MOST_ROWS
    for (task, machine), source in found.sources.items():
        said = cells.said.get((task, machine))
        if many and said is None:  # what follows from the rest
            continue
        if said:
            low, high = said.low, said.high
        elif task in guessed:
            times, doubt = factor.factor[task, machine], factor.doubt[task, machine]
            low, high = guessed[task].expected.range(float(times), float(doubt))
        else:
            doubt = float(np.hypot(factor.doubt[task, machine], base[task]))
            low, high = Expected(found.seconds[task, machine], 0.0, 1.0).range(1.0, doubt)
        rows.append(
            (
                tasks[task].name,
                evidence.names[machine],
                duration(float(found.seconds[task, machine])),
                duration(float(low)),
                duration(float(high)),
                str(said.count) if said else "0",
                source,
            )
        )
    return tuple(rows)


def _sentence(
    evidence: Evidence, cells: Cells, learnt: Ratios, residual: float | None, as_work: bool,
    guessed: dict[int, Estimate],
) -> str:  # fmt: skip
    measured = int(np.isfinite(cells.median).any(axis=1).sum())
    runs = np.unique(evidence.run[evidence.typical]).size
    text = f"{count(measured, 'task')} measured in {count(runs, 'run')}"
    spread = cells.spread
    if spread is not None:
        text += f", within {percent(spread)} of their medians (median over tasks)"
    stated = evidence.here.costs.task_dedicated_s[np.isfinite(cells.median)]
    ratio = cells.median[np.isfinite(cells.median)] / np.where(stated > 0.0, stated, np.nan)
    if np.isfinite(ratio).any():
        times = slowdown(float(np.nanmedian(ratio)))
        text += f"; {times} what the workload said (median over tasks)"
    if residual is not None and as_work:
        text += (
            f"; work × speed explains the machines within {percent(residual)} (median), so tasks "
            "get work and machines speeds"
        )
    elif residual is not None:
        text += f"; {_against(evidence, learnt, residual)}, so tasks get seconds by machine"
    told = estimates_sentence(evidence.problem.workload, guessed)
    return f"{text}; {told}" if told else text


def _against(evidence: Evidence, learnt: Ratios, residual: float) -> str:
    """Why one factor a machine does not do."""
    for one in learnt.known:
        if one.odd:
            kind, own = max(one.odd, key=lambda pair: abs(np.log(pair[1] / one.factor)))
            return (
                f"{evidence.names[one.machine]} takes {slowdown(one.factor)} as long, but "
                f"{slowdown(own)} for {kind}"
            )
    return f"one factor a machine leaves {percent(residual)}"


def _notes(
    evidence: Evidence, cells: Cells, own: Flags, reference_s: Floats, guessed: dict[int, Estimate],
    unseen: str,
) -> tuple[str, ...]:  # fmt: skip
    workload = evidence.problem.workload
    notes = [*cells.notes(evidence), *evidence.left_out, *([unseen] if unseen else [])]
    unknown = [
        place
        for place in range(len(workload.tasks))
        if own[place] and np.isnan(reference_s[place]) and place not in guessed
    ]
    if unknown:
        some = _named(workload, unknown)
        notes.append(f"As they were, no task of their kind ran: {some}")
    if not own.all():
        some = _named(workload, np.flatnonzero(~own).tolist())
        notes.append(f"As they were, their programs say what they take: {some}")
    return tuple(notes)


def _named(workload: Workload, places: list[int]) -> str:
    return few(places, _SHOWN, lambda place: workload.tasks[place].name)


# What every task took on every machine, over runs.

_FEW = 3


@dataclass(frozen=True, eq=False)
class Cells:
    """Medians by task and machine."""

    median: Floats  # shape (tasks, machines); seconds on the empty machine; nan: not measured there
    said: dict[tuple[int, int], Summary]  # (task, machine) → what its runs say

    @property
    def spread(self) -> float | None:
        """Median over cells of half their range over their median; None: all ran once."""
        halves = [
            (one.high - one.low) / 2.0 / one.middle
            for one in self.said.values()
            if one.count > 1 and one.middle > 0.0
        ]
        return float(np.median(halves)) if halves else None

    def notes(self, evidence: Evidence) -> list[str]:
        """Sentences about what contradicts the medians, and what they contain."""
        tasks, names = evidence.problem.workload.tasks, evidence.names
        notes = []
        heaps = [(at, one.modes) for at, one in self.said.items() if one.modes is not None]
        if heaps:
            (task, machine), (low, high) = heaps[0]
            more = f" (and {len(heaps) - 1} more)" if len(heaps) > 1 else ""
            notes.append(
                f"{tasks[task].name} on {names[machine]} took about {duration(low)} or about "
                f"{duration(high)}{more}: their median is neither"
            )
        few = [(at, one) for at, one in self.said.items() if one.few_and_apart]
        if few:
            (task, machine), one = few[0]
            more = f" (and {len(few) - 1} more)" if len(few) > 1 else ""
            notes.append(
                f"{tasks[task].name} on {names[machine]} took {duration(one.low)} to "
                f"{duration(one.high)} in {one.count} runs{more}: too few to tell which is usual"
            )
        odd = [(at, one.outliers) for at, one in self.said.items() if one.outliers]
        if odd:
            some = "; ".join(
                f"{tasks[task].name} on {names[machine]} once {duration(far[-1])}"
                for (task, machine), far in odd[:_FEW]
            )
            number = count(sum(len(far) for _, far in odd), "outlier")
            notes.append(f"{number} are left out of the ranges: {some}")
        return notes + _contained(evidence)


def cells_of(evidence: Evidence) -> Cells:
    """What the typical entries say of every task on every machine."""
    rows: dict[tuple[int, int], list[int]] = {}
    for row in np.flatnonzero(evidence.typical).tolist():
        rows.setdefault((int(evidence.task[row]), int(evidence.machine[row])), []).append(row)
    step = evidence.resolution_s
    said = {}
    for at, some in sorted(rows.items()):
        ask()
        said[at] = summary(evidence.alone_s[some], step)
    return Cells(evidence.median_s, said)


def _contained(evidence: Evidence) -> list[str]:
    """What the measured times contain beside computing on the empty machine."""
    notes = []
    skipped = int((evidence.factors.contenders[evidence.run, evidence.machine] > 0).sum())
    if skipped:
        entries = count(skipped, "entry", "entries")
        notes.append(f"{entries} of runs with contenders are left out")
    if (evidence.alone_s < evidence.seconds).any():
        notes.append("What the platform's contenders and slowdowns take is taken out of the times")
    mixed = int((evidence.with_fetching & evidence.typical).sum())
    if mixed:
        notes.append(f"{count(mixed, 'time')} may contain fetching: the log does not tell it apart")
    if evidence.resolution_s > 0.0:
        notes.append(
            f"The clock of a log steps by {duration(evidence.resolution_s)}: each time is that "
            "uncertain"
        )
    return notes

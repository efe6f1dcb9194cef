"""Lesson: other applications that must have been on a machine in some runs."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from advisor.basics.quantities import count, percent, slowdown
from advisor.learning.calibration import Calibration, some_of
from advisor.learning.run_evidence import SLOWEST, Evidence
from machines.platform import Contender, Machine

NAME, TITLE = "contenders", "Contenders"
HEADER = ("Run", "Machine", "Factor", "Scatter", "Tasks", "Contenders")
_ODD = 0.08  # a run's factor that far from 1 is worth a word
_MANY = 0.5  # of a run's machines, in time beyond what is stated
_ALIKE = 2.0  # between the slowest run of a machine and the quickest


def contenders(evidence: Evidence) -> Calibration:
    """CPU-bound contenders, k where all tasks took 1 + k/c as long as in other runs.

    Speed is known from the machine's quick runs, so that only runs that differ can tell: a machine
    that was slow in all of them may as well be a slow one.
    """
    problem, found = evidence.problem, evidence.factors
    rows, said, against = [], [], []
    machines = list(problem.platform.machines)
    for machine in range(len(machines)):
        slow = np.flatnonzero(found.contenders[:, machine])
        known = np.flatnonzero(np.isfinite(found.factor[:, machine]))
        rows += [_row(evidence, int(run), machine) for run in known]
        against += _contradicted(evidence, machine)
        if not slow.size:
            continue
        last = int(slow[-1])
        said.append(_said(evidence, machine, last, slow.size, known.size))
        if known[-1] > last:
            after = evidence.actuals[int(known[-1])].run.name
            said[-1] += f"; it was free of them in the last run, {after}, so none is added"
        else:
            machines[machine] = _with(machines[machine], int(found.contenders[last, machine]))
    platform = replace(problem.platform, machines=tuple(machines))
    learnt = platform.machines != problem.platform.machines
    text = some_of(said, "machine") or _none(evidence, differ=bool(against))
    return Calibration(NAME, TITLE, text, HEADER, tuple(rows), platform, problem.workload,
                  tuple(against), learnt=learnt)  # fmt: skip


def _with(machine: Machine, number: int) -> Machine:
    """Those that are stated, and the new ones; a stated slowdown gives way to them."""
    taken = {one.name for one in machine.contenders}
    names = (f"calibrated {place}" for place in range(1, number + len(taken) + 1))
    new = [name for name in names if name not in taken][:number]
    added = tuple(Contender(name, 1.0) for name in new)
    return replace(machine, contenders=(*machine.contenders, *added), slowdown=None)


def _row(evidence: Evidence, run: int, machine: int) -> tuple[str, ...]:
    found = evidence.factors
    return (
        evidence.actuals[run].run.name,
        evidence.names[machine],
        slowdown(float(found.factor[run, machine])),
        f"± {percent(float(found.scatter[run, machine]))}",
        str(int(found.tasks[run, machine])),
        str(int(found.contenders[run, machine])),
    )


def _said(evidence: Evidence, machine: int, run: int, slow: int, known: int) -> str:
    found = evidence.factors
    number = int(found.contenders[run, machine])
    tasks = count(int(found.tasks[run, machine]), "task")
    return (
        f"{count(number, 'CPU-bound contender')} must have been on {evidence.names[machine]} in "
        f"{evidence.actuals[run].run.name}: its {tasks} took "
        f"{slowdown(float(found.factor[run, machine]))} (± "
        f"{percent(float(found.scatter[run, machine]))}) as long as in other runs "
        f"({count(slow, 'run')} of {known})"
    )


def _contradicted(evidence: Evidence, machine: int) -> list[str]:
    """Runs that were slower by a factor that no whole number of contenders explains."""
    found, notes = evidence.factors, []
    for run in np.flatnonzero(np.isfinite(found.factor[:, machine])).tolist():
        factor, scatter = float(found.factor[run, machine]), float(found.scatter[run, machine])
        if found.contenders[run, machine] or abs(factor - 1.0) <= _ODD:
            continue
        where = f"{evidence.names[machine]} in {evidence.actuals[run].run.name}"
        common = "one factor" if scatter <= abs(factor - 1.0) / 2 else "no common factor"
        why = "no whole number of contenders explains"
        if factor > SLOWEST:
            why = "is too much for contenders: times in another unit, or other inputs"
        notes.append(f"{where}: {slowdown(factor)} (± {percent(scatter)}, {common}), which {why}")
    return notes


def _none(evidence: Evidence, *, differ: bool) -> str:
    """Why no contender is proposed."""
    if not np.isfinite(evidence.factors.factor).any():
        text = "Contenders can't be determined: no machine ran three tasks in two runs"
    elif differ:
        text = "No contenders: machines were faster in some runs, by no whole number of contenders"
    else:
        text = "No contenders: machines were about as quick in all runs"
    whole = _beyond(evidence)
    return f"{text}; {whole}" if whole else text


def _beyond(evidence: Evidence) -> str:
    """Machines whose tasks took longer than stated in every run: speed or contention, unknown."""
    stated = evidence.here.costs.task_dedicated_s[evidence.task, evidence.machine]
    use = evidence.clear & np.isfinite(stated) & (stated > 0.0)
    for machine, name in enumerate(evidence.names):
        rows = use & (evidence.machine == machine)
        if rows.sum() < 3:
            continue
        ratio = evidence.alone_s[rows] / stated[rows]
        by_run = [np.median(ratio[evidence.run[rows] == run]) for run in set(evidence.run[rows])]
        factor = float(np.median(ratio))
        if min(by_run) >= 1.0 + _MANY and max(by_run) <= _ALIKE * min(by_run):
            return (
                f"on {name} tasks took {slowdown(factor)} the workload's time in all runs: a "
                "slower machine and contention can't be told apart"
            )
    return ""

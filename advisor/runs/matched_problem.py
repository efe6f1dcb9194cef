"""The question that a run answers: its tasks alone, on the machines where they ran.

What is decided about programs, overlays and processors is settled as the plan has it. Tasks that
did not run are left out of the prediction too, with all that they would have handed on.
"""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np

from advisor.allocation.costs import misfit
from advisor.allocation.plan import Plan
from advisor.allocation.problem import Problem
from advisor.allocation.workload import Task, Workload
from advisor.basics.quantities import count
from advisor.runs.actual import Actual
from advisor.runs.run_record import Run
from machines.arrays import Floats, Indices, Ints
from machines.errors import InputError

_MOST_EARLY = 0.5  # of the dependencies that a run turns round: it is not one of this workload


@dataclass(frozen=True, eq=False)
class Question:
    """The tasks of a run that ended well; arrays (tasks that ran,).

    `problem`, `plan`: nothing left to decide; of these tasks alone.
    `begin_s`, `start_s`, `end_s`: when each took its slot, computed and ended; from the first slot
        taken.
    `names`: task (of those that ran) → what the run calls it, where that is not its name.
    """

    problem: Problem
    plan: Plan
    tasks: Ints  # their positions in the whole workload
    machine: Indices  # where each ran; where it was planned, if the run does not say
    begin_s: Floats
    start_s: Floats
    end_s: Floats
    notes: tuple[str, ...]  # what was assumed, in sentences
    run: Run  # with all tries
    names: dict[int, str]

    def later(self, by_s: float) -> Question:
        """The same run, so many seconds later."""
        return replace(
            self,
            begin_s=self.begin_s + by_s,
            start_s=self.start_s + by_s,
            end_s=self.end_s + by_s,
            run=replace(self.run, tasks=tuple(one.shifted(by_s) for one in self.run.tasks)),
        )


def question(problem: Problem, plan: Plan, actual: Actual, *, timed: bool = True) -> Question:
    """What the prediction of a plan is set against.

    `timed`: whether it matters when tasks ran; else only how long they took.
    """
    if actual.ran.size != len(problem.workload.tasks):
        raise InputError(
            "the run is matched onto another workload", where=f'run "{actual.run.name}"',
            value=actual.ran.size, remedy=f"It has {count(len(problem.workload.tasks), 'task')}",
        )  # fmt: skip
    tasks = np.flatnonzero(actual.ran)
    _check_times(problem.workload, actual, tasks, timed)
    here, bare, notes = problem.settled(plan), plan.bare(), []
    if tasks.size < actual.ran.size:
        here, bare = _only(here, bare, tasks)
        lost = actual.ran.size - tasks.size
        notes.append(f"{count(lost, 'task')} failed or did not run: all figures are of the others")
    planned = np.array(bare.allocation, np.int32)
    told = actual.machine[tasks]
    if (told < 0).any():
        unsaid = count(int((told < 0).sum()), "task")
        notes.append(f"The run does not say where {unsaid} ran: taken to be as planned")
    machine = np.where(told >= 0, told, planned).astype(np.int32)
    place = {int(task): row for row, task in enumerate(tasks)}
    here, priced = _priced(here, machine, actual.task_s[tasks])
    found = Question(
        here,
        bare,
        tasks,
        machine,
        actual.taken_s[tasks],
        actual.start_s[tasks],
        actual.end_s[tasks],
        (*notes, *priced),
        actual.run,
        {place[task]: name for name, task in actual.renamed if task in place},
    )
    return found.later(-float(found.begin_s.min()))


def _check_times(workload: Workload, actual: Actual, tasks: Ints, timed: bool) -> None:
    """Refuse a run in which nothing ended well, or that does not say when."""
    where = f'run "{actual.run.name}"'
    if not tasks.size:
        raise InputError("no task of the workload ended well in it", where=where)
    if not timed:
        return
    times = actual.taken_s[tasks], actual.start_s[tasks], actual.end_s[tasks]
    if not actual.run.timed or not np.isfinite(times).all():
        raise InputError(
            "its log does not say when tasks began", where=where,
            remedy="It can calibrate task times; start times can't be compared",
        )  # fmt: skip
    both = actual.ran[workload.sources] & actual.ran[workload.targets]
    sources, targets = workload.sources[both], workload.targets[both]
    early = actual.taken_s[targets] < 0.5 * (actual.start_s + actual.end_s)[sources]
    if sources.size and early.mean() > _MOST_EARLY:
        first = int(np.argmax(early))
        names = [workload.tasks[one[first]].name for one in (targets, sources)]
        raise InputError(
            "most tasks began long before what they need had ended", where=where,
            value=f"{names[0]} before {names[1]}",
            remedy="It may be a run of another workload, or its clock is another one",
        )  # fmt: skip


def _only(problem: Problem, plan: Plan, tasks: Ints) -> tuple[Problem, Plan]:
    """The problem and plan of some tasks; files that the others would make are not read."""
    workload, names = problem.workload, {problem.workload.tasks[one].name for one in tasks}
    made = {file for task in workload.tasks if task.name not in names for file in task.writes}
    kept = tuple(
        replace(
            workload.tasks[one],
            reads=tuple(file for file in workload.tasks[one].reads if file not in made),
        )
        for one in tasks
    )
    flows = tuple(one for one in workload.flows if {one.source, one.target} <= names)
    files = tuple(one for one in workload.files if one.name not in made)
    smaller = Workload(workload.name, kept, flows, files)
    place = np.full(len(workload.tasks), -1)
    place[tasks] = np.arange(tasks.size)
    order = plan.order and tuple(int(place[one]) for one in plan.order if place[one] >= 0)
    allocation = tuple(plan.allocation[one] for one in tasks)
    return problem.about(smaller), replace(plan, allocation=allocation, order=order or None)


def _priced(problem: Problem, machine: Indices, task_s: Floats) -> tuple[Problem, tuple[str, ...]]:
    """Tasks that ran where the workload gives them no time take there what they took."""
    each = np.arange(machine.size)
    rows = np.flatnonzero(np.isinf(problem.costs.task_s[each, machine]))
    if not rows.size:
        return problem, ()
    tasks, hosts, notes = list(problem.workload.tasks), problem.platform.machines, []
    for row in rows.tolist():
        task, host = tasks[row], hosts[machine[row]]
        tasks[row] = _allowed(task, host.name, float(task_s[row]))
        if why := misfit(tasks[row], host):
            raise InputError(
                "it ran where the platform has no place for it", where=f'task "{task.name}"',
                value=why, remedy="Describe the machines as they are: cores, memory",
            )  # fmt: skip
        notes.append(f"{task.name} ran on {host.name}, where the workload does not foresee it")
    return problem.about(replace(problem.workload, tasks=tuple(tasks))), tuple(notes)


def _allowed(task: Task, machine: str, seconds: float) -> Task:
    """The same task, which may run on one more machine."""
    allowed = task.allowed
    if allowed is not None and machine not in allowed:
        allowed = (*allowed, machine)
    stated = task.seconds
    if task.work is None and all(name != machine for name, _ in stated):
        stated = (*stated, (machine, seconds))
    return replace(task, allowed=allowed, seconds=stated)

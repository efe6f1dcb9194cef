"""A plan as jobs: what engines are told, in the words that all of them share.

One job a task, in the order in which the plan starts them. Names of tasks and machines may hold
whatever a line can (quotes, ``$()``): `Job.slug` is what formats with narrow names take, everything
else is data that every format quotes by itself. Commands may hold line breaks, too.

Which tasks a rule or process of a workflow of one's own may be, by its name.

Such a workflow has a rule for a task, or a rule for a kind of tasks. What it is called is not
known: the name of a kind means its tasks, any other name of a task means that one.
"""

from __future__ import annotations

import re
import shlex
from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from advisor.allocation.needs import units
from advisor.allocation.plan import Plan
from advisor.allocation.prediction import Prediction
from advisor.allocation.problem import Problem
from advisor.allocation.workload import Workload
from advisor.basics.ordering import after_needs
from advisor.basics.slugs import unique_slugs
from machines import Machine, Platform
from machines.resources import MEMORY
from machines.runtime import PLAN

TASK_VARIABLE, MACHINE_VARIABLE, CORES_VARIABLE, VARIANT_VARIABLE = (
    "PLACEWISE_TASK", "PLACEWISE_MACHINE", "PLACEWISE_CORES", "PLACEWISE_VARIANT",
)  # fmt: skip

GPU = "gpu"  # the kind of resource that engines know as accelerators


@dataclass(frozen=True, slots=True)
class Job:
    """One task as an engine sees it.

    `name`, `kind`, `machine`: of the task, of its group, and where it runs.
    `slug`: its name in letters, digits and underscores, begins with a letter, unique without case.
    `command`: what a shell runs; empty: the workload does not say, and the format marks the place.
    `behind`: the last job before it, in the plan's order, whose cores, memory or resources it can't
        do without: where a machine is full it starts when that one ends; on a machine of one core
        its predecessor. None, too, where machines start what is ready first.
    `over`: all jobs whose cores or other things it takes over, the last to end last.
    `reads`, `writes`: names of the workload's files.
    """

    name: str
    kind: str
    machine: str
    slug: str
    command: str
    cores: int  # that it holds
    after: tuple[int, ...]  # positions of the jobs whose data it needs; all before its own
    behind: int | None
    priority: int  # the higher, the sooner: jobs − place in the plan's order
    seconds: float  # predicted, without what it fetches and the runtime's overhead
    reads: tuple[str, ...] = ()
    writes: tuple[str, ...] = ()
    over: tuple[int, ...] = ()
    start_s: float = 0.0  # predicted, when it begins to compute
    memory_bytes: int = 0  # that it holds; 0: not stated
    resources: tuple[tuple[str, int], ...] = ()  # units that it holds of its machine's
    licences: tuple[tuple[str, int], ...] = ()  # and of the whole platform's
    among: tuple[str, ...] = ()  # the plan's machines that can run it

    @property
    def held(self) -> dict[str, int]:
        """What it holds of its machine beside cores, by kind; memory in bytes."""
        return ({MEMORY: self.memory_bytes} if self.memory_bytes else {}) | dict(self.resources)

    @property
    def environment(self) -> tuple[tuple[str, str], ...]:
        """Variables that every engine gives its command."""
        return (
            (TASK_VARIABLE, self.name),
            (MACHINE_VARIABLE, self.machine),
            (CORES_VARIABLE, str(self.cores)),
        )


@dataclass(frozen=True)
class Jobs:
    """A plan as engines see it.

    `machines`: each (name, slug, cores); those that the plan uses, in the platform's order.
    `order`: {"plan", "ready"}; as of the platform's runtime: whether a job waits for the one that
        it is `behind`.
    `flows`: each (source, target, bytes); data without a name, between positions of jobs.
    """

    name: str  # of the workload
    jobs: tuple[Job, ...]  # in the plan's order: whatever a job needs comes before it
    machines: tuple[tuple[str, str, int], ...]
    makespan_s: float  # predicted
    order: str = PLAN
    files: tuple[tuple[str, float], ...] = ()  # pairs (name, bytes); of the workload
    flows: tuple[tuple[int, int, float], ...] = ()
    # by machine: memory in bytes and units of resources, as far as they are limited and held
    room: tuple[tuple[str, tuple[tuple[str, int], ...]], ...] = ()
    shared: tuple[tuple[str, int], ...] = ()  # units of the platform's resources

    @property
    def room_by_machine(self) -> dict[str, dict[str, int]]:
        """`room` as a table."""
        return {name: dict(room) for name, room in self.room}

    @property
    def without_command(self) -> tuple[Job, ...]:
        """Jobs whose command is not stated."""
        return tuple(job for job in self.jobs if not job.command)


def jobs_of(problem: Problem, plan: Plan, prediction: Prediction) -> Jobs:
    """The jobs of a plan.

    `problem`, `plan`, `prediction`: the plan may leave its order open: the predicted starts tell
    it.
    """
    settled = problem.settled(plan)
    workload, platform = settled.workload, settled.platform
    order = _order(prediction, workload)
    place = {task: at for at, task in enumerate(order)}
    needs: list[set[int]] = [set() for _ in order]
    for source, target in workload.ends():
        needs[place[target]].add(place[source])
    slugs = unique_slugs([workload.tasks[task].name for task in order])
    over = _all_over(order, prediction, settled, plan)
    shared = {one.kind for one in platform.resources}
    able, used = able_on(settled), [platform.machines[one] for one in sorted(set(plan.allocation))]
    names = {one.name for one in used}
    jobs = tuple(
        Job(
            workload.tasks[task].name,
            workload.tasks[task].group,
            platform.machines[plan.allocation[task]].name,
            slugs[at],
            _command(problem, plan, task),
            workload.tasks[task].cores,
            tuple(sorted(needs[at])),
            over[at][-1] if over[at] and platform.runtime.order == PLAN else None,
            len(order) - at,
            float(prediction.task_s[task]) - prediction.overhead_s,
            workload.tasks[task].reads,
            workload.tasks[task].writes,
            tuple(sorted(over[at])),
            start_s=float(prediction.start_s[task]),
            memory_bytes=workload.tasks[task].memory_bytes or 0,
            resources=tuple(one for one in workload.tasks[task].resources if one[0] not in shared),
            licences=tuple(one for one in workload.tasks[task].resources if one[0] in shared),
            among=tuple(one for one in able[workload.tasks[task].name] if one in names),
        )
        for at, task in enumerate(order)
    )
    machine_slugs = unique_slugs([one.name for one in used])
    machines = tuple(
        (one.name, slug, one.cores) for one, slug in zip(used, machine_slugs, strict=True)
    )
    return Jobs(
        workload.name,
        jobs,
        machines,
        prediction.makespan_s,
        platform.runtime.order,
        tuple((file.name, file.size_bytes) for file in workload.files),
        tuple(
            (place[workload.index[flow.source]], place[workload.index[flow.target]],
             flow.size_bytes)
            for flow in workload.flows
        ),
        tuple((one.name, _room(one, jobs)) for one in used),
        tuple((one.kind, one.count) for one in platform.resources),
    )  # fmt: skip


def able_on(problem: Problem) -> dict[str, list[str]]:
    """By task: the machines that can run it."""
    names = [one.name for one in problem.platform.machines]
    can = np.isfinite(problem.costs.task_s)
    return {
        task.name: [names[at] for at in np.flatnonzero(row).tolist()]
        for task, row in zip(problem.workload.tasks, can, strict=True)
    }


def room_of(platform: Platform, jobs: Jobs) -> dict[str, dict[str, int]]:
    """By machine: what each has of what any of the jobs holds beside cores."""
    return {one.name: dict(_held_of(one, jobs.jobs)) for one in platform.machines}


def _room(machine: Machine, jobs: Sequence[Job]) -> tuple[tuple[str, int], ...]:
    """What a machine has of what jobs on it hold beside cores."""
    return _held_of(machine, [job for job in jobs if job.machine == machine.name])


def _held_of(machine: Machine, here: Sequence[Job]) -> tuple[tuple[str, int], ...]:
    kinds = sorted({kind for job in here for kind, _ in job.resources})
    found = [(kind, units(machine, kind)) for kind in kinds]
    if machine.memory_bytes is not None and any(job.memory_bytes for job in here):
        found.insert(0, (MEMORY, machine.memory_bytes))
    return tuple(found)


def _over_held(
    order: Sequence[int], prediction: Prediction, problem: Problem, plan: Plan
) -> list[list[int]]:
    """By place in the order: the jobs whose memory and resources each takes over.

    Of those that hold a kind before it, the first to end, until what is left suffices.
    """
    needs = problem.costs.needs
    holders: list[list[tuple[float, int]]] = [[] for _ in needs.room]
    found: list[list[int]] = []
    for at, task in enumerate(order):
        found.append([])
        for kind in range(len(needs.kinds)):
            wanted, room = needs.amount[task, kind], int(needs.place[kind, plan.allocation[task]])
            if not wanted:
                continue
            held = sorted(holders[room])
            left = needs.room[room] - sum(needs.amount[order[one], kind] for _, one in held)
            while held and left < wanted:
                _, one = held.pop(0)
                left += needs.amount[order[one], kind]
                found[-1].append(one)
            holders[room] = [*held, (float(prediction.end_s[task]), at)]
    return found


def _order(prediction: Prediction, workload: Workload) -> tuple[int, ...]:
    """Tasks by when they take their cores; what a task needs comes before it in any case."""
    taken_s = prediction.start_s if prediction.taken_s is None else prediction.taken_s
    depth = np.empty(len(taken_s), dtype=np.int64)
    depth[workload.topological_order] = np.arange(len(taken_s))
    keys = zip(taken_s.tolist(), prediction.end_s.tolist(), depth.tolist(), strict=True)
    return after_needs(list(keys), workload.ends())


def _command(problem: Problem, plan: Plan, task: int) -> str:
    """What a shell runs of a task, which finds its variant's name among its variables."""
    declared = problem.workload.tasks[task]
    if not (declared.variants and declared.command):
        return declared.command
    variant = declared.variants[problem.variants_of(plan)[task]].name
    return f"export {VARIANT_VARIABLE}={shlex.quote(variant)}; {declared.command}"


def _all_over(
    order: Sequence[int], prediction: Prediction, problem: Problem, plan: Plan
) -> list[list[int]]:
    """By place in the order: the jobs whose cores or else each takes over, by their ends."""
    workload, platform = problem.workload, problem.platform
    over = _over(order, prediction, plan, [task.cores for task in workload.tasks],
                 [machine.cores for machine in platform.machines])  # fmt: skip
    for at, more in enumerate(_over_held(order, prediction, problem, plan)):
        if more:
            ends = prediction.end_s
            over[at] = sorted({*over[at], *more}, key=lambda one: (ends[order[one]], one))
    return over


def _over(
    order: Sequence[int],
    prediction: Prediction,
    plan: Plan,
    cores: list[int],
    machine_cores: list[int],
) -> list[list[int]]:
    """By place in the order: the jobs whose cores each takes over, in the order of their ends."""
    holders: list[list[int]] = [[-1] * count for count in machine_cores]
    found: list[list[int]] = []
    for at, task in enumerate(order):
        held = holders[plan.allocation[task]]
        held.sort(key=lambda one: prediction.end_s[order[one]] if one >= 0 else -1.0)
        taken = min(cores[task], len(held))
        found.append(list(dict.fromkeys(one for one in held[:taken] if one >= 0)))
        held[:taken] = [at] * taken
    return found


# Machines as hosts: where a format wants a host's name, and a machine's name may be anything.

_LABEL = r"(?!-)[0-9A-Za-z_-]{1,63}(?<!-)"
_HOST = re.compile(rf"{_LABEL}(\.{_LABEL})*")


def is_host(name: str) -> bool:
    """Whether a name is one that a host may have."""
    return _HOST.fullmatch(name) is not None


def hosts_of(jobs: Jobs) -> dict[str, str]:
    """By machine: its name where that is a host's, else one like it, for the user to put right."""
    found = {name: name for name, _, _ in jobs.machines if is_host(name)}
    for name, slug, _ in jobs.machines:
        if name not in found:
            found[name] = slug if slug not in found.values() else f"{slug}_other"
    return found


def said_of_hosts(jobs: Jobs) -> tuple[str, ...]:
    """A sentence where names of hosts are made up."""
    hosts = hosts_of(jobs)
    other = [name for name in hosts if hosts[name] != name]
    if not other:
        return ()
    return (f'No host is called "{other[0]}": the file says {hosts[other[0]]} instead',)


def said_of_ssh(jobs: Jobs) -> tuple[str, ...]:
    """A sentence where ssh can't be told the names of machines."""
    odd = [name for name, _, _ in jobs.machines if not is_host(name)]
    if not odd:
        return ()
    return (f"No host is called “{odd[0]}”: write its host into the file, or run it with LOCAL=1",)


def rules_of(jobs: Jobs) -> dict[str, tuple[Job, ...]]:
    """The jobs of each name that a rule may have, kinds first."""
    kinds: dict[str, list[Job]] = defaultdict(list)
    for job in jobs.jobs:
        kinds[job.kind].append(job)
    names = unique_slugs(kinds)
    found = {name: tuple(alike) for name, alike in zip(names, kinds.values(), strict=True)}
    for job in jobs.jobs:
        found.setdefault(job.slug, (job,))
    return found

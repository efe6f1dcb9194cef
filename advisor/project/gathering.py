"""A project from several files together: tasks, machines, sites, logs, each told by its content.

Rules of merging: one file gives the tasks; machines of a platform beat those that a site's files
list, and these beat those that a workflow or a log names; a task whose file tells no time takes
that of the log. Nothing is taken by halves: a file that adds nothing is refused by name.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

import numpy as np

from advisor.allocation.problem import Problem
from advisor.allocation.workload import Task, Workload
from advisor.basics.content import read_head
from advisor.basics.entries import real
from advisor.basics.ordering import after_needs
from advisor.basics.quantities import duration
from advisor.basics.scheduler_address import address_of
from advisor.project.answers import Answers, Question
from advisor.project.kinds import RUNS, TABLE, Found, Kind, kind_of_file
from advisor.project.other_machines import at, fitted, on_platform
from advisor.project.platforms import PlatformFile
from advisor.project.preset_machines import named_machines, preset_for
from advisor.project.project import Project, new_project
from advisor.project.run_edits import add_runs
from advisor.project.run_start import Start, plan_as_run, start_of
from advisor.project.sources.site import Node, Site, joined, platform_of
from advisor.project.sources.source import plain
from advisor.project.stages import is_of_stages, with_stages
from advisor.project.unnamed_nodes import is_of_kinds, with_nodes
from advisor.project.wfformat.machines import NO_NETWORK
from advisor.project.workload_file import WorkloadFile
from advisor.runs.logs.reading import read_runs
from advisor.runs.logs.wfformat_log import PREDICTED
from advisor.runs.logs.wfformat_log import READER as EXECUTION
from advisor.runs.matching import matched_runs
from advisor.runs.run_record import Run
from machines import InputError, Platform
from machines.catalogue import site_networks
from machines.errors import PlacewiseError
from machines.files import is_folder, is_there

PRESET = "cluster"
_TELLS_NONE = re.compile(r"^The file tells no run time|^Runtimes are missing")


@dataclass(frozen=True)
class Gathered:
    """What files became: a project, what was assumed, a sentence each, and what is open.

    `saved`: one of them is a project, so that its plan is the present one.
    """

    project: Project
    notes: tuple[str, ...] = ()
    questions: tuple[Question, ...] = ()
    saved: bool = False


@dataclass
class _Parts:
    """What the files hold, by kind."""

    projects: list[Project]
    tasks: list[WorkloadFile]
    platforms: list[tuple[Platform, tuple[str, ...]]]
    sites: list[Found]
    logs: list[Path]
    names: dict[str, Path]  # the file of each half


def gather(
    paths: Sequence[Path], given: Mapping[str, str] | None = None,
    machines: PlatformFile | None = None,
) -> Gathered:  # fmt: skip
    """The project that files make together, in any order.

    Parameters
    ----------
    paths : sequence of Path
        Files and folders of any kind in `advisor.project.kinds.KINDS`.
    given : mapping of str
        Answers to questions, by key.
    machines : PlatformFile or None
        Machines that take the place of those in the files.

    Raises
    ------
    InputError, InfeasibleError
        Naming the file, the place, the value and what to do.
    """
    answers = Answers(given or {})
    parts = _read(paths)
    if machines is not None:
        parts.platforms = [(machines.platform, machines.warnings)]
    if parts.projects:
        found = _into_project(parts, answers)
    elif parts.tasks:
        found = _of_tasks(parts, answers)
    elif parts.logs:
        found = _of_logs(parts, answers)
    else:
        raise InputError(
            "these files describe machines and no tasks",
            where=", ".join(path.name for path in paths),
            remedy="Add a workload, a workflow or a log",
        )
    answers.check()
    return replace(found, questions=answers.ordered())


def gather_machines(
    paths: Sequence[Path], given: Mapping[str, str] | None = None
) -> tuple[PlatformFile, tuple[Question, ...]]:
    """The platform that files of machines make together, and what is open."""
    answers = Answers(given or {})
    stated = _stated(_read(paths), answers)
    assert stated is not None
    answers.check()
    return PlatformFile(*stated), tuple(answers.questions)


def _of_sites(sites: Sequence[Site], answers: Answers) -> tuple[Platform, tuple[str, ...]]:
    """The platform that files of one site make together."""
    site = joined(sites)
    network = site_networks.DEFAULT
    if site.asks_for_network:
        network = _network(answers)
    return platform_of(site, network)


def _network(answers: Answers) -> str:
    options = site_networks.names()
    return answers.ask("network", "Which network joins the machines?", site_networks.DEFAULT,
                       lambda name: site_networks.network(name).name, options)  # fmt: skip


def _read(paths: Sequence[Path]) -> _Parts:
    first: dict[str, Path] = {}
    parts = _Parts([], [], [], [], [], first)

    def alone(what: str, path: Path) -> None:
        if what in first:
            raise InputError(f"two files give the {what}", where=f"{first[what].name}, {path.name}",
                             remedy="Open one of them")  # fmt: skip
        first[what] = path

    for path in paths:
        kind = _kind(path)
        if is_folder(path) or (kind is not None and RUNS in kind.gives):
            parts.logs.append(path)
            continue
        found = (kind or TABLE).read(path)  # which names an unknown one for what it looks like
        if found.project is not None:
            alone("project", path)
            parts.projects.append(found.project)
        elif found.workload is not None:
            alone("tasks", path)
            parts.tasks.append(found.workload)
        elif found.site is not None:
            parts.sites.append(found)
        elif found.platform is not None:
            alone("machines", path)
            parts.platforms.append((found.platform, found.machine_notes))
    if parts.projects and parts.tasks:
        alone("tasks", first["project"])
    return parts


def _kind(path: Path) -> Kind | None:
    """The kind of a file or address; InputError: there is none."""
    if not is_there(path) and not address_of(path):
        raise InputError("there is no such file", where=str(path),
                         remedy="Check the folder and the spelling")  # fmt: skip
    return None if is_folder(path) else kind_of_file(path)


def _stated(
    parts: _Parts, answers: Answers, log: Site | None = None
) -> tuple[Platform, tuple[str, ...]] | None:
    """The machines that a platform or a site's files give; None: there are neither.

    `log`: the machines that a run saw, whose speeds a site's listing lacks.
    """
    sites = [one.site for one in parts.sites if one.site is not None]
    if parts.platforms:
        if sites:
            raise InputError(
                "a platform takes no more machines or networks",
                where=f"{parts.platforms[0][0].name}, {sites[0].name}",
                remedy="Open either the platform or the files of the site",
            )
        return parts.platforms[0]
    if sites and parts.logs and not any(one.whole for one in sites):
        return None  # the log has the nodes
    speeds = [] if log is None else [log.beside()]
    return _of_sites([*sites, *speeds], answers) if sites else None


def _into_project(parts: _Parts, answers: Answers) -> Gathered:
    project, notes = parts.projects[0], tuple[str, ...]()
    stated = _stated(parts, answers)
    if stated is not None:
        _, lost = fitted(project.workload, stated[0])
        project = on_platform(project, stated[0], parts.names["project"])
        notes = (*stated[1], *lost)
    return replace(_with_runs(project, parts.logs, notes), saved=True)


def _of_tasks(parts: _Parts, answers: Answers) -> Gathered:
    file = parts.tasks[0]
    notes = file.warnings
    workload = file.workload
    runs = read_runs(parts.logs) if parts.logs else ()
    if runs and all(map(_lacks, workload.tasks)) and is_of_stages(workload, runs):
        return _of_logs(parts, answers, with_stages(workload, runs))
    if runs and all(map(_lacks, workload.tasks)) and is_of_kinds(workload, runs):
        return _of_logs(parts, answers, with_nodes(workload, runs))
    stated = _stated(parts, answers)
    if stated is None and file.platform is not None:
        stated = _linked(file, answers)
    if stated is None and runs and not named_machines(workload):
        start = start_of(runs, answers)
        stated = _of_start(start, parts, answers)
        runs = start.runs
    if stated is None:
        stated = preset_for(workload, answers)
    platform = stated[0]
    workload, lost = fitted(workload, platform)
    notes = (*notes, *stated[1], *lost)
    workload, said = _with_times(workload, platform, runs, answers)
    if said is not None:
        notes = (*(note for note in notes if not _TELLS_NONE.search(note)), said)
    project = at(parts.names["tasks"], lambda: new_project(platform, workload))
    if not runs:
        project = _as_it_ran(project, parts.names["tasks"], file.ran_on)
    return _with_runs(project, parts.logs, notes, runs)


def _as_it_ran(project: Project, path: Path, ran_on: Sequence[str]) -> Project:
    """The project of a workflow's execution with that as its plan, where the file tells it.

    Where the file tells all starts, too, the execution is the project's run. Predictions of ours
    are neither. `ran_on`: the machine of every task.
    """
    plan = plan_as_run(project.platform, ran_on)
    head = read_head(path)
    if plan is None or PREDICTED.encode() in head:
        return project
    tasks = project.workload.tasks
    if b'"executedAt"' in head and EXECUTION.holds(path, head):
        (run,) = EXECUTION.read(path)
        last = {one.task: one for one in run.tasks}
        if run.timed and len(last) == len(tasks):
            taken = [last[task.name].taken_s for task in tasks]
            plan = replace(plan, order=after_needs(taken, project.workload.ends()))
            return add_runs(replace(project, plan=plan), [run])
    return replace(project, plan=plan)


def _of_logs(parts: _Parts, answers: Answers, runs: Sequence[Run] = ()) -> Gathered:
    start = start_of(runs or read_runs(parts.logs), answers)
    stated = _stated(parts, answers, start.site) or _of_start(start, parts, answers)
    name = parts.logs[0].resolve().name.lstrip(".").partition(".")[0]
    workload, platform = replace(start.workload, name=plain(name) or "run"), stated[0]
    project = new_project(platform, workload)
    plan = start.plan(workload, platform)
    if plan is not None:
        project = replace(project, plan=plan)
    project = add_runs(project, start.runs)
    return Gathered(project, tuple(dict.fromkeys((*start.notes, *stated[1]))))


def _linked(file: WorkloadFile, answers: Answers) -> tuple[Platform, tuple[str, ...]]:
    """The machines of a workflow's own file, with a network where it knows none."""
    platform, notes = file.platform, file.platform_warnings
    assert platform is not None
    if platform.links or len(platform.machines) < 2:
        return platform, notes
    nodes = tuple(
        Node(one.name, one.cores, one.memory_bytes, speed=one.speed) for one in platform.machines
    )
    kept = tuple(note for note in notes if NO_NETWORK not in note)
    return _of_sites([Site(platform.name, nodes, notes=kept)], answers)


def _of_start(start: Start, parts: _Parts, answers: Answers) -> tuple[Platform, tuple[str, ...]]:
    """The machines that a log saw, with what other files tell of their network."""
    site = joined([start.site, *(one.site for one in parts.sites if one.site is not None)])
    moved = any(flow.data_sets for flow in start.workload.flows)  # else no network matters
    network = _network(answers) if site.asks_for_network and moved else site_networks.DEFAULT
    return platform_of(site, network)


def _timed(
    workload: Workload, platform: Platform, runs: Sequence[Run]
) -> tuple[Workload, str | None]:
    """The tasks without a time with the middle one of the runs, on a machine of speed 1."""
    lacking = [place for place, task in enumerate(workload.tasks) if _lacks(task)]
    if not lacking:
        return workload, None
    actuals, _ = matched_runs(runs, Problem.of(platform, workload))
    tasks = list(workload.tasks)
    filled = 0
    for place in lacking:
        found = [
            float(one.task_s[place]) * _speed(platform, int(one.machine[place]))
            for one in actuals if one.ran[place]
        ]  # fmt: skip
        if found:
            tasks[place] = replace(tasks[place], work=float(np.median(found)))
            filled += 1
    return replace(workload, tasks=tuple(tasks)), (
        f"The log tells the run time of {filled} of {len(lacking)} tasks without one"
    )


def _lacks(task: Task) -> bool:
    """Whether no run time of it is told."""
    untimed = not task.seconds and task.work == 0.0
    return untimed and task.program is None and task.scaling is None


def _speed(platform: Platform, machine: int) -> float:
    return platform.machines[machine].speed if machine >= 0 else 1.0


def _with_times(
    workload: Workload, platform: Platform, runs: Sequence[Run], answers: Answers
) -> tuple[Workload, str | None]:
    """The tasks without a time with that of the runs, or all with the one that is answered."""
    workload, said = _timed(workload, platform, runs) if runs else (workload, None)
    if not all(map(_lacks, workload.tasks)):
        return workload, said
    seconds = answers.ask("task_time", "How long does a task take? No file tells a run time.",
                          "1 min", lambda text: real(text, "s"))  # fmt: skip
    tasks = tuple(replace(task, work=seconds) for task in workload.tasks)
    said = f"Assumed: every task takes {duration(seconds)} on a core of speed 1"
    return replace(workload, tasks=tasks), said


def _with_runs(
    project: Project, logs: Sequence[Path], notes: tuple[str, ...], runs: Sequence[Run] = ()
) -> Gathered:
    """The project with the runs of its workload in the logs, and what was said of the others."""
    if not logs:
        return Gathered(project, tuple(dict.fromkeys(notes)))
    runs = runs or read_runs(logs)
    problem, kept, said = project.problem(), [], list[str]()
    for run in runs:
        try:
            _ = matched_runs([run], problem)
        except PlacewiseError as error:
            said.append(f"{error}")
            continue
        kept.append(run)
        said += [f"{run.name}: {note}" for note in run.notes]
    if not kept:
        raise InputError(said[0] if said else "no run is of these tasks")
    return Gathered(add_runs(project, kept), tuple(dict.fromkeys((*notes, *said))))

"""Opening files as a project: projects, workflows, sites, platforms, logs, several together.

What a file is, is told by its content. A workload needs machines and a platform needs tasks; what
the files do not bring is taken from a preset or from what is open, and the notes say so.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from advisor.allocation.plan import Plan
from advisor.allocation.workload import Workload
from advisor.project.answers import Question
from advisor.project.gathering import gather, gather_machines
from advisor.project.graph_edits import FIRST_MACHINE, new_task
from advisor.project.kinds import MACHINES, kind_of_file
from advisor.project.kinds import PROJECT as PROJECT_KIND
from advisor.project.other_machines import asking_as, at, fitted, on_platform
from advisor.project.platforms import read_machines
from advisor.project.project import Project, new_project
from advisor.project.project_file import read_project
from advisor.project.workload_file import read_workload
from machines import Platform
from machines.files import kept_inputs
from machines.local import this_machine

PROJECT, PLATFORM, WORKLOAD = "project", "platform", "workload"
UNTITLED = "untitled"  # a project that was begun here, until its file has a name


@dataclass(frozen=True)
class Opened:
    """What files became.

    Attributes
    ----------
    kind : str
        "project", "workload" (tasks, from whatever file) or "platform" (machines and no tasks).
    notes : tuple of str
        What was assumed, in sentences for the user.
    questions : tuple of Question
        What no file tells, with what is taken; an answer takes its place.
    """

    project: Project
    kind: str
    notes: tuple[str, ...] = ()
    questions: tuple[Question, ...] = ()


def open_file(path: str | Path, answers: Mapping[str, str] | None = None) -> Opened:
    """The project that a file or folder of any known kind makes; as `open_files`."""
    return open_files((Path(path),), answers)


@kept_inputs()
def open_files(paths: Sequence[Path], answers: Mapping[str, str] | None = None) -> Opened:
    """The project that files of any known kinds make together, in any order.

    Parameters
    ----------
    paths : sequence of Path
    answers : mapping of str
        Answers to questions, by key.

    Raises
    ------
    InputError, InfeasibleError
        Naming the file, the place, the value and what to do.
    """
    kinds = list(map(kind_of, paths))
    if kinds == [PROJECT] and not answers:
        return Opened(read_project(paths[0]), PROJECT)
    if set(kinds) != {PLATFORM}:
        found = gather(paths, answers)
        kind = PROJECT if PROJECT in kinds else WORKLOAD
        return Opened(found.project, kind, found.notes, found.questions)
    machines, asked = gather_machines(paths, answers)
    note = "The file describes machines only: import a workload, or add tasks."
    if len(paths) > 1:
        note = "The files describe machines only: add a workload, a workflow or a log."
    made = at(paths[0], lambda: new_project(machines.platform, first_workload()))
    return Opened(made, PLATFORM, (*machines.warnings, note), asked)


def kind_of(path: str | Path) -> str:
    """What a file would open as: "project", "platform" or, of anything else, "workload"."""
    kind = kind_of_file(path)
    if kind is PROJECT_KIND:
        return PROJECT
    return PLATFORM if kind is not None and kind.gives == (MACHINES,) else WORKLOAD


def whole(project: Project) -> Opened:
    """A project that nothing had to be added to."""
    return Opened(project, PROJECT)


def with_workload(project: Project, path: str | Path) -> Opened:
    """The machines of `project` with the tasks of a file, and a first plan for them."""
    file = read_workload(path)
    workload, lost = fitted(file.workload, project.platform)
    made = at(path, lambda: new_project(project.platform, workload))
    return Opened(asking_as(made, project), WORKLOAD, (*file.warnings, *lost))


def with_platform(project: Project, path: str | Path) -> Opened:
    """The tasks of `project` on the machines of a file of any kind that describes some.

    Tasks stay where the new platform has a machine of the same name; if one has not, there is a
    new first plan and the pins are dropped. Plans keep those of their choices that are possible.
    """
    found = read_machines(path)
    _, lost = fitted(project.workload, found.platform)
    notes = (*found.warnings, *lost)
    return Opened(on_platform(project, found.platform, path), PLATFORM, notes)


def first_workload() -> Workload:
    """One task, as every new one is, to begin with."""
    return Workload(UNTITLED, (new_task("task 1"),))


def naming(name: str) -> Callable[[Project], Project]:
    """What names projects and platforms that have no name; what these share stays shared."""
    made: dict[int, tuple[Any, Any]] = {}

    def part(old: Any) -> Any:
        if old.name != UNTITLED:
            return old
        if id(old) not in made:
            made[id(old)] = old, replace(old, name=name)
        return made[id(old)][1]

    def change(project: Project) -> Project:
        if project.name != UNTITLED:
            return project
        return replace(project, platform=part(project.platform), workload=part(project.workload))

    return change


def first_project() -> Project:
    """One machine and one task, to begin with."""
    return Project(Platform(UNTITLED, (FIRST_MACHINE,)), first_workload(), Plan((0,)))


def local_project() -> Project:
    """The computer that this runs on, with one task to begin with."""
    return Project(this_machine(), first_workload(), Plan((0,)))

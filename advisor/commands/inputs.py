"""What the subcommands read: platforms, workloads, plans and projects, by path or name."""

from __future__ import annotations

import sys
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from advisor import kernels
from advisor.allocation.choices import check_chosen
from advisor.allocation.costs import EXACT
from advisor.allocation.objectives import MAKESPAN, OBJECTIVES
from advisor.allocation.plan import Plan
from advisor.allocation.problem import Problem
from advisor.allocation.timeline_modes import FAIR
from advisor.basics.content import read_content
from advisor.basics.json_text import parse
from advisor.decisions.plan_table import plan_from as read_plan
from advisor.export.json_answer import PLAN_FORMAT, VERSION
from advisor.project.answers import Question as Open
from advisor.project.assumed import assumed
from advisor.project.gathering import gather
from advisor.project.kinds import TABLE, WFFORMAT, WORKLOAD, kind_of_file
from advisor.project.platforms import find_machines
from advisor.project.project import Project, new_project
from advisor.project.project_file import FORMAT as PROJECT_FORMAT
from advisor.project.project_file import read_project
from advisor.project.run_start import AS_RUN
from advisor.project.workload_file import read_workload
from machines import InputError
from machines.catalogue.runtimes import RUNTIMES
from machines.errors import LONGEST_LINE, readable
from machines.files import STANDARD_INPUT, is_folder, is_there, kept_inputs
from machines.formats.fields import Table, place, text

_COMPILED_TASKS = 30  # below, loading the compiled kernels takes longer than it saves
_WORTH_COMPILING = 1000  # below, compiling them takes longer than the plain ones do


@dataclass(frozen=True, eq=False)
class Question:
    """A problem with what was noticed while reading it, and the names it was read by."""

    problem: Problem
    warnings: tuple[str, ...]
    sources: dict[str, str]
    project: Project | None = None  # that several files, or one that is no workload, make
    present: Plan | None = None  # as a project states it, or as what ran did
    assumed: tuple[str, ...] = ()  # kinds of figures that nobody told

    @property
    def objective(self) -> str:
        """What a project asks for; else the makespan."""
        return MAKESPAN if self.project is None else self.project.objective


def read_question(
    workload: str | Sequence[str],
    platform: str | None,
    reading: str | None = None,
    folder: Path | None = None,
    sharing: str | None = None,
    runtime: str | None = None,
    answers: Mapping[str, str] | None = None,
) -> Question:
    """The problem of a workload file and a platform, or of whatever files make a project.

    `workload`: path of a workload file, or paths of any files (`advisor.project.gathering`).
    `platform`: path of a platform file or name in the catalogue; None: the workload file's
        machines.
    `reading`, `sharing`: contention reading and timeline; None: those of a project, else exact and
        fair.
    `folder`: where relative paths are looked for when the present folder lacks them.
    `runtime`: name of a preset that takes the place of the platform's own.
    `answers`: to questions that the files leave open, by key.
    """
    files = [workload] if isinstance(workload, str) else list(workload)
    first = _near(files[0], folder)
    if len(files) > 1 or answers or not _is_of_tasks(first, alone=platform is None):
        return _gathered(files, platform, (reading, sharing), folder, runtime, answers)
    workload = files[0]
    found = read_workload(_near(workload, folder))
    warnings = list(found.warnings)
    if platform is not None:
        machines = find_machines(platform, _near(platform, folder))
        hardware = machines.platform
        warnings += machines.warnings
    elif found.platform is not None:
        hardware = found.platform
        warnings += found.platform_warnings
    else:
        raise _no_platform(files)
    if runtime is not None:
        hardware = replace(hardware, runtime=RUNTIMES.load(runtime).runtime)
    named = {"workload": workload, "platform": platform}
    sources = {key: name for key, name in named.items() if name is not None and _lasts(name)}
    sources |= {} if runtime is None else {"runtime": runtime}
    problem = Problem.of(hardware, found.workload, reading or EXACT, sharing or FAIR)
    return Question(problem, tuple(warnings), sources)


def _is_of_tasks(path: Path, *, alone: bool) -> bool:
    """Whether it has tasks as we write them; `alone`: no WfFormat, which lacks a network."""
    if is_folder(path):
        return False
    kind = kind_of_file(path)
    return kind in (None, WORKLOAD, TABLE) or (kind is WFFORMAT and not alone)


def _gathered(
    files: list[str], platform: str | None, readings: tuple[str | None, str | None],
    folder: Path | None, runtime: str | None, answers: Mapping[str, str] | None,
) -> Question:  # fmt: skip
    """The problem of the project that files make together."""
    machines = None if platform is None else find_machines(platform, _near(platform, folder))
    found = gather([_near(one, folder) for one in files], answers, machines)
    if any(one.key == "machines" and not one.answered for one in found.questions):
        raise _no_platform(files)
    project = found.project
    if runtime is not None:
        hardware = replace(project.platform, runtime=RUNTIMES.load(runtime).runtime)
        project = replace(project, platform=hardware)
    reading, sharing = readings
    problem = Problem.of(
        project.platform, project.workload, reading or project.reading, sharing or project.sharing
    )
    saved = len(files) == 1 and kind_of_file(_near(files[0], folder)) is PROJECT
    stated = (saved and platform is None) or project.plan.strategy == AS_RUN
    key = "workload" if len(files) == 1 and not answers else "files"
    sources = {key: "\n".join(files)} if all(map(_lasts, files)) else {}
    sources |= {} if platform is None or not _lasts(platform) else {"platform": platform}
    sources |= {} if runtime is None else {"runtime": runtime}
    sources |= {f"answer {key}": value for key, value in (answers or {}).items()}
    notes = (*found.notes, *map(asked, found.questions))
    present = project.plan if stated else None
    told = assumed(found.questions, found.notes)
    return Question(problem, notes, sources, project, present, told)

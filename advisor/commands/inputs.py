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
from advisor.project.run_start import AS_RUN, plan_as_run
from advisor.project.workload_file import read_workload
from machines import InputError
from machines.catalogue.runtimes import find_preset
from machines.errors import LONGEST_LINE, readable
from machines.files import STANDARD_INPUT, is_folder, is_there, kept_inputs
from machines.formats.fields import Table, place, text

# below, loading the compiled kernels takes longer than it saves
_COMPILED_TASKS, _COMPILED_MACHINES = 30, 100
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
        hardware = replace(hardware, runtime=find_preset(runtime).runtime)
    named = {"workload": workload, "platform": platform}
    sources = {key: name for key, name in named.items() if name is not None and _lasts(name)}
    sources |= {} if runtime is None else {"runtime": runtime}
    problem = Problem.of(hardware, found.workload, reading or EXACT, sharing or FAIR)
    present = plan_as_run(hardware, found.ran_on)
    return Question(problem, tuple(warnings), sources, present=present)


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
        hardware = replace(project.platform, runtime=find_preset(runtime).runtime)
        project = replace(project, platform=hardware)
    reading, sharing = readings
    problem = Problem.of(
        project.platform, project.workload, reading or project.reading, sharing or project.sharing
    )
    alone = len(files) == 1 and platform is None
    stated = (found.saved and alone) or project.plan.strategy == AS_RUN
    key = "workload" if len(files) == 1 and not answers else "files"
    sources = {key: "\n".join(files)} if all(map(_lasts, files)) else {}
    sources |= {} if platform is None or not _lasts(platform) else {"platform": platform}
    sources |= {} if runtime is None else {"runtime": runtime}
    sources |= {f"answer {key}": value for key, value in (answers or {}).items()}
    notes = (*found.notes, *map(asked, found.questions))
    present = project.plan if stated else None
    told = assumed(found.questions, found.notes)
    return Question(problem, notes, sources, project, present, told)


def _no_platform(files: list[str]) -> InputError:
    return InputError(
        "no platform",
        where=", ".join(files),
        remedy="No file names machines; give --platform FILE or a name of `placewise catalogue`",
    )


def asked(question: Open) -> str:
    """A question that files leave open, and how to answer it."""
    if question.answered:
        return f"{question.text} {question.value}, as answered"
    options = f" ({', '.join(question.options)})" if question.options else ""
    return f"{question.text} Taken: {question.value}; --answer {question.key}=…{options}"


def read_answers(given: Sequence[str]) -> dict[str, str]:
    """The answers of ``--answer KEY=VALUE`` by key; InputError: one has no =."""
    pairs = [one.partition("=") for one in given]
    for key, sign, _ in pairs:
        if not sign or not key.strip():
            raise InputError("an answer is KEY=VALUE", where="--answer", value=key)
    return {key.strip(): value.strip() for key, _, value in pairs}


def read_allocation(path: str, problem: Problem) -> Plan:
    """The plan of a JSON file: {task: machine}, or what `advise` printed."""
    content, _ = read_content(path)
    return plan_from(parse(content, path), path, problem)


def plan_from(document: object, where: str, problem: Problem) -> Plan:
    """The plan that a parsed JSON document holds."""
    if not isinstance(document, dict):
        raise InputError("not an allocation", where=where, remedy='Expected {"task": "machine", …}')
    if not is_plan(document):
        return _read({"allocation": document}, where, problem)
    if document.get("version", VERSION) != VERSION:
        raise InputError(
            "the plan was written by another version", where=where, value=document.get("version")
        )
    return _read(document, where, problem)


def is_plan(document: object) -> bool:
    """Whether a parsed JSON document is what `advise` prints."""
    return isinstance(document, dict) and (
        document.get("format") == PLAN_FORMAT or isinstance(document.get("allocation"), dict)
    )


def is_planned(document: object) -> bool:
    """Whether a parsed JSON document is what `read_planned` takes: a plan or a project."""
    return is_plan(document) or _is_project(document)


def _is_project(document: object) -> bool:
    return isinstance(document, dict) and document.get("format") == PROJECT_FORMAT


@kept_inputs()
def read_planned(path: str, workload: str | None, platform: str | None) -> tuple[Problem, Plan]:
    """Problem and plan of what `export` is given: a project, or the JSON of `advise`.

    `path`: the file. `workload`, `platform`: take the place of those that the plan's `sources`
    name.
    """
    document = _document(path)
    if _is_project(document):
        project = read_project(Path(path))
        return project.problem(), project.plan
    question = _question_of(document, path, workload, platform)
    return question.problem, plan_from(document, path, question.problem)


@kept_inputs()
def read_reported(
    path: str, workload: str | None, platform: str | None
) -> tuple[Project, tuple[str, ...]]:
    """The project of what `report` is given, and what was noticed.

    A project, a plan as of `read_planned`, or a workload: that begins with the simplest plan.
    """
    if _is_workload(path):
        found = read_question(path, platform)
        return new_project(found.problem.platform, found.problem.workload), found.warnings
    document = _document(path)
    if _is_project(document):
        return read_project(Path(path)), ()
    question = _question_of(document, path, workload, platform)
    problem = question.problem
    objective = text({"objective": MAKESPAN, **document}, "objective", path)
    if objective not in OBJECTIVES:
        raise InputError(
            "unknown objective", where=path, value=objective, remedy="Use makespan or total"
        )
    project = Project(
        problem.platform,
        problem.workload,
        plan_from(document, path, problem),
        objective,
        problem.reading,
        sharing=problem.sharing,
    )
    return project, question.warnings


def _document(path: str) -> dict[str, object]:
    """The JSON object of a project or plan."""
    content, _ = read_content(path)
    document = parse(content, path)
    if isinstance(document, dict) and is_planned(document):
        return document
    raise InputError(
        "neither a plan nor a project",
        where=path,
        remedy="Give what `placewise advise --json` printed, or a .placewise file",
    )


def _is_workload(path: str) -> bool:
    """Whether a file is TOML, or a workflow in JSON: no plan and no project."""
    content, _ = read_content(path)
    if not content.lstrip().startswith(b"{"):
        return True
    document = parse(content, path)
    return isinstance(document, dict) and "workflow" in document


def _question_of(
    document: dict[str, object], path: str, workload: str | None, platform: str | None
) -> Question:
    """The question that a plan answers: its sources, or what takes their place."""
    sources = document.get("sources", {})
    named = sources if isinstance(sources, dict) else {}
    files = _name(named, "files", path)
    workload = workload or (None if files else _name(named, "workload", path))
    if workload is None and files is None:
        raise InputError(
            "the plan doesn't say which workload it is for", where=path, remedy="Give --workload"
        )
    runtime = None if platform else _name(named, "runtime", path)
    platform = platform or _name(named, "platform", path)
    choices = {"model": EXACT, "sharing": FAIR, **document}
    reading, sharing = text(choices, "model", path), text(choices, "sharing", path)
    answers = {
        key.removeprefix("answer "): str(value)
        for key, value in named.items() if key.startswith("answer ")
    }  # fmt: skip
    asked_of = workload or (files or "").split("\n")
    return read_question(
        asked_of, platform, reading, Path(path).parent, sharing, runtime,
        answers if workload is None else None,
    )  # fmt: skip


def _name(source: Table, key: str, where: str) -> str | None:
    """The name at `key`; None: nothing is said."""
    return None if source.get(key) is None else text(source, key, where)


def load_kernels(problem: Problem | Project) -> None:
    """Compile, or take from the cache, what searches large workloads a hundred times faster."""
    tasks, machines = len(problem.workload.tasks), len(problem.platform.machines)
    large = tasks >= _COMPILED_TASKS or machines >= _COMPILED_MACHINES
    if large and (max(tasks, machines) >= _WORTH_COMPILING or kernels.ready()):
        kernels.load()


def warn(texts: tuple[str, ...]) -> None:
    """Print warnings on standard error, each once."""
    for note in dict.fromkeys(texts):
        sys.stderr.write(f"placewise: note: {readable(note, LONGEST_LINE)}\n")


def _near(name: str, folder: Path | None) -> Path:
    path = Path(name)
    if folder is not None and not is_there(path) and is_there(folder / path):
        return folder / path
    return path


def _lasts(name: str) -> bool:
    """Whether a file or a name of the catalogue can be read again, as a pipe can't."""
    return name != STANDARD_INPUT and (
        Path(name).is_file() or is_folder(name) or not is_there(name)
    )


def _read(source: Table, where: str, problem: Problem) -> Plan:
    """The plan, if its decisions can be carried out: what a file says is told with its name."""
    platform = problem.platform
    with place(where):
        plan = read_plan(source, problem.workload, platform)
        machines = [platform.machines[machine] for machine in plan.allocation]
        check_chosen(plan.choices, problem.workload, machines)
        if plan.overlays:
            _ = problem.settled(plan)
    return plan

"""The project file (`.placewise`): platform, workload, plan, pins, cases, runs in a JSON object.

Platform and workload are objects with the keys of their own files, so that they can be lifted out
and used alone. Plans are by name, not by position.

Runs as tables of a project file, a compact row a task; both functions are exact inverses.

A row has the columns of a run record in their order, but for the run, and last the names of what it
waited for; what is missing at its end is not told, a status: ok.
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from pathlib import Path

from advisor.allocation.costs import CONTENTION_READINGS
from advisor.allocation.objectives import OBJECTIVES
from advisor.allocation.timeline_modes import SHARINGS
from advisor.allocation.workload import Workload
from advisor.basics import json_text
from advisor.basics.content import JSON, read_content
from advisor.basics.json_text import Written
from advisor.decisions.plan_table import KEYS, plan_from, plan_table
from advisor.project.project import Pin, Project
from advisor.project.questions import QUESTIONS
from advisor.project.study_case import KINDS, Figure, StudyCase, Subject, settings_of
from advisor.project.workload_file import workload_from, workload_table
from advisor.runs.run_record import OK, Run, TaskRun
from machines import InputError, Platform
from machines.checks import flag, number, plain_name, text
from machines.files import write_text
from machines.formats.fields import (
    Table,
    entry,
    names,
    place,
    required,
    rows,
    suggestion,
    table,
    whole_document,
)
from machines.formats.platform_toml import platform_from, platform_table

FORMAT = "placewise-project"
VERSION = 1
SUFFIX = ".placewise"

_PROJECT = (
    "format",
    "version",
    "objective",
    "reading",
    "sharing",
    "platform",
    "workload",
    "plan",
    "pins",
    "cases",
    "runs",
)


def read_project(path: str | Path) -> Project:
    """The project in a file."""
    where = str(path)
    content, syntax = read_content(path)
    if syntax != JSON:
        raise InputError(
            "this is not a Placewise project",
            where=where,
            remedy="A project is a JSON object; open platforms and workloads with New",
        )
    with json_text.collector_paused():
        return parse_project(content, where)


def write_project(project: Project, path: str | Path) -> None:
    """Write the project to a file, atomically."""
    write_text(path, dump_project(project))


def parse_project(content: bytes | str, where: str = "project") -> Project:
    """The project in JSON text; `where` names the text in errors."""
    data = content.encode("utf-8") if isinstance(content, str) else content
    document = json_text.parse(data, where)
    with place(where):
        return project_from(document)


class ProjectTexts:
    """The texts of one project after the other: what they share is written once.

    Most edits change the plan alone, and most of a large file is its workload and runs.
    """

    def __init__(self) -> None:
        self._platform: tuple[Platform, Written] | None = None
        self._workload: tuple[Workload, Written] | None = None
        self._runs: tuple[tuple[Run, ...], Written] | None = None

    def text(self, project: Project) -> str:
        """As `dump_project`."""
        platform, workload = project.platform, project.workload
        if self._platform is None or self._platform[0] is not platform:
            self._platform = platform, json_text.written(platform_table(platform))
        if self._workload is None or self._workload[0] is not workload:
            self._workload = workload, json_text.written(workload_table(workload))
        if self._runs is None or self._runs[0] is not project.runs:
            self._runs = project.runs, json_text.written(runs_table(project.runs))
        return _text_of(project, self._platform[1], self._workload[1], self._runs[1])


def dump_project(project: Project) -> str:
    """JSON text that `parse_project` reads back to an equal project."""
    return ProjectTexts().text(project)


def _text_of(
    project: Project, platform_text: Written, workload_text: Written, runs_text: Written
) -> str:
    workload, platform = project.workload, project.platform
    document: dict[str, object] = {
        "format": FORMAT,
        "version": VERSION,
        "objective": project.objective,
        "reading": project.reading,
        "sharing": project.sharing,
        "platform": platform_text,
        "workload": workload_text,
        "plan": plan_table(project.plan, workload, platform),
        "pins": [
            {"name": pin.name} | plan_table(pin.plan, workload, platform) for pin in project.pins
        ],
    }
    if project.cases:
        document["cases"] = cases_table(project.cases)
    if project.runs:
        document["runs"] = runs_text
    return json_text.dump_rows(document)


def project_from(document: object) -> Project:
    """The project described by nested dicts with the file's keys.

    Raises
    ------
    InputError
        Unknown keys, wrong types, values out of range, or a plan that does not fit.
    """
    source = whole_document(document, _PROJECT, FORMAT, VERSION)
    with place("platform"):
        platform = platform_from(required(source, "platform", ""))
    with place("workload"):
        workload = workload_from(required(source, "workload", ""))
    with place("plan"):
        plan = plan_from(table(required(source, "plan", ""), KEYS, ""), workload, platform)
    pins = []
    for position, row in enumerate(rows(source, "pins")):
        with place(entry("pin", row, position)):
            inner = table(row, ("name", *KEYS), "")
            pins.append(Pin(_text(inner, "name"), plan_from(inner, workload, platform)))
    return Project(
        platform=platform,
        workload=workload,
        plan=plan,
        objective=_choice(source, "objective", OBJECTIVES),
        reading=_choice(source, "reading", CONTENTION_READINGS),
        sharing=_choice(source, "sharing", SHARINGS),
        pins=tuple(pins),
        cases=cases_from(source),
        runs=runs_from(source),
    )


def _text(source: Table, key: str, default: str | None = None) -> str:
    value = source.get(key, default)
    if not isinstance(value, str):
        raise InputError(f"{key} must be a text", value=value)
    return value


def _choice(source: Table, key: str, known: tuple[str, ...]) -> str:
    value = source.get(key, known[0])
    if not isinstance(value, str) or value not in known:
        raise InputError(
            f"unknown {key}", where=key, value=value, remedy=suggestion(str(value), known)
        )
    return value


# Cases of studies as tables of a project file; both functions are exact inverses.

_CASE = ("name", "study", "settings", "subject", "figures")
_FIGURE = ("name", "value", "unit")


def cases_from(source: Table) -> tuple[StudyCase, ...]:
    """The cases under the key ``cases``; none where it is absent.

    Raises
    ------
    InputError
        Naming the case: an unknown study, a name twice, or a value of another kind.
    """
    found: dict[tuple[str, str], StudyCase] = {}
    for position, row in enumerate(rows(source, "cases")):
        with place(entry("case", row, position)):
            case = _case(table(row, _CASE, ""))
            if (case.study, case.name) in found:
                raise InputError("two cases of a study have one name", value=case.name)
            found[case.study, case.name] = case
    return tuple(found.values())


def cases_table(cases: tuple[StudyCase, ...]) -> list[Table]:
    """What a file holds of them."""
    return [_table(case) for case in cases]


def _case(row: Table) -> StudyCase:
    study = required(row, "study", "")
    if not isinstance(study, str) or study not in QUESTIONS:
        remedy = suggestion(str(study), QUESTIONS)
        raise InputError("unknown study", where="study", value=study, remedy=remedy)
    settings = row.get("settings", {})
    if not isinstance(settings, dict):
        raise InputError("settings must be a table of texts", where="settings", value=settings)
    given = {
        str(key): text(str(key), value, where="settings", empty=True)
        for key, value in settings.items()
    }
    return StudyCase(
        name=plain_name("name", required(row, "name", "")),
        study=study,
        settings=settings_of(given),
        subject=_subject(row["subject"]) if "subject" in row else None,
        figures=tuple(_figure(one) for one in rows(row, "figures")),
    )


def _subject(value: object) -> Subject:
    """Of a table with one key, its kind: {"task": "A"}."""
    with place("subject"):
        named = table(value, KINDS, "")
        if len(named) != 1:
            remedy = f'Write {{"{KINDS[0]}": "its name"}}; kinds: {", ".join(KINDS)}'
            raise InputError("a subject is one thing", value=value, remedy=remedy)
        ((kind, name),) = named.items()
        return Subject(kind, plain_name(kind, name))


def _figure(row: object) -> Figure:
    with place("figures"):
        source = table(row, _FIGURE, "")
        return Figure(
            text("name", required(source, "name", "")),
            number("value", required(source, "value", ""), low=-math.inf),
            text("unit", source.get("unit", ""), empty=True),
        )


def _table(case: StudyCase) -> Table:
    result: Table = {"name": case.name, "study": case.study}
    if case.settings:
        result["settings"] = dict(case.settings)
    if case.subject is not None:
        result["subject"] = {case.subject.kind: case.subject.name}
    if case.figures:
        result["figures"] = [
            {"name": one.name, "value": one.value} | ({"unit": one.unit} if one.unit else {})
            for one in case.figures
        ]
    return result


_RUN = ("name", "engine", "resolution_s", "notes", "timed", "tasks")
_ROW = (
    "task", "machine", "ready_s", "fetch_start_s", "start_s", "end_s", "bytes_in", "status",
    "after", "peak_bytes",
)  # fmt: skip
_LEAST = 6  # up to when it ended


def runs_from(source: Table) -> tuple[Run, ...]:
    """The runs under the key ``runs``; none where it is absent.

    Raises
    ------
    InputError
        Naming the run and the row: a name twice, a row too short or long, times out of order.
    """
    found: dict[str, Run] = {}
    for position, row in enumerate(rows(source, "runs")):
        with place(entry("run", row, position)):
            run = _run(table(row, _RUN, ""))
            if run.name in found:
                raise InputError("two runs have one name", value=run.name)
            found[run.name] = run
    return tuple(found.values())


def runs_table(runs: tuple[Run, ...]) -> list[Table]:
    """What a file holds of them."""
    return [_run_table(run) for run in runs]


def _run(row: Table) -> Run:
    return Run(
        name=plain_name("name", required(row, "name", "")),
        tasks=tuple(_tasks(rows(row, "tasks"))),
        engine=text("engine", row.get("engine", ""), empty=True),
        resolution_s=number("resolution_s", row.get("resolution_s", 0.0)),
        notes=names(row.get("notes", []), "notes", ""),
        timed=flag("timed", row.get("timed", True)),
    )


def _tasks(listed: list[object]) -> Iterator[TaskRun]:
    for position, row in enumerate(listed, 1):
        with place(f"task run {position}"):
            yield _task(row)


def _task(row: object) -> TaskRun:
    if not isinstance(row, list) or not _LEAST <= len(row) <= len(_ROW):
        raise InputError("a task run is a list", value=row, remedy=f"In order: {', '.join(_ROW)}")
    filled = [*row, *[None] * (len(_ROW) - len(row))]
    task, machine, ready, fetch, start, end, received, status, after, peak = filled
    return TaskRun(
        text("task", task, empty=True),
        text("machine", machine, empty=True),
        _seconds("start_s", start),
        _seconds("end_s", end),
        None if ready is None else _seconds("ready_s", ready),
        None if fetch is None else _seconds("fetch_start_s", fetch),
        None if received is None else number("bytes_in", received, high=math.inf),
        OK if status is None else text("status", status),
        after=() if after is None else names(after, "after", ""),
        peak_bytes=None if peak is None else number("peak_bytes", peak, high=math.inf),
    )


def _seconds(name: str, value: object) -> float:
    return number(name, value, low=-math.inf, high=math.inf)


def _run_table(run: Run) -> Table:
    result: Table = {"name": run.name}
    if run.engine:
        result["engine"] = run.engine
    if run.resolution_s:
        result["resolution_s"] = run.resolution_s
    if run.notes:
        result["notes"] = list(run.notes)
    if not run.timed:
        result["timed"] = False
    result["tasks"] = [_row(one) for one in run.tasks]
    return result


def _row(one: TaskRun) -> list[object]:
    row: list[object] = [
        one.task, one.machine, one.ready_s, one.fetch_start_s, one.start_s, one.end_s,
        one.bytes_in, None if one.status == OK else one.status,
        list(one.after) or None, one.peak_bytes,
    ]  # fmt: skip
    while row[-1] is None:
        row.pop()
    return row

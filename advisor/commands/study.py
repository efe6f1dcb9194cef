"""The subcommand `study`: one of the other questions, alone or about a thing of a project."""

from __future__ import annotations

from argparse import Namespace
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path

from advisor import kernels
from advisor.allocation.costs import EXACT
from advisor.allocation.problem import Problem
from advisor.allocation.timeline_modes import FAIR
from advisor.basics.quantities import duration, number, percent, with_unit
from advisor.basics.units import Unit
from advisor.commands.inputs import load_kernels, read_question, warn
from advisor.commands.interrupts import INTERRUPTED, interruptible
from advisor.commands.text import columns, said_before, say, say_json
from advisor.commands.worker_options import computing_as_asked
from advisor.project.case_edits import case_of
from advisor.project.project import Project
from advisor.project.project_file import read_project, write_project
from advisor.project.questions import QUESTIONS, file_options
from advisor.project.study_case import Subject
from advisor.studies import (
    STUDIES,
    Check,
    Study,
    StudyResult,
    Table,
    parameters_of,
    parse_settings,
)
from advisor.studies.network_source import answered
from advisor.studies.of_project import opening, parameters_for, subject_of, used
from advisor.studies.study_json import facts_line, study_report
from machines import InputError
from machines.files import expect_writable

_FILES = ("workload", "platform", "model", "sharing")


@dataclass(frozen=True, eq=False)
class _Asked:
    """A study with its parameters, the project and the subject that it is about, and a problem."""

    study: Study
    parameters: object
    project: Project | None = None
    subject: Subject | None = None
    problem: Problem | None = None
    warnings: tuple[str, ...] = ()


def run_study(arguments: Namespace) -> int:
    """Run a study with ``--set key=value`` and its own file; simulate its case if asked.

    With ``--use`` the answer goes into the project, once it is complete.
    """
    study = STUDIES.get(arguments.name) or STUDIES.get(arguments.name.replace("-", "_"))
    if study is None:
        raise InputError(
            "no such study", value=arguments.name, remedy="Studies: " + ", ".join(STUDIES)
        )
    settings = [*arguments.set, *_file_settings(study, arguments)]
    if arguments.project is None:
        _refuse_without_project(study, arguments)
        asked = _asked_alone(study, settings)
    else:
        if arguments.use:
            expect_writable(_written_to(arguments))
        asked = _asked_of_project(study, settings, arguments)
    simulate = None if arguments.check is None else _simulation(study, arguments.check)
    if simulate is not None:
        kernels.load()
    elif asked.problem is not None:
        load_kernels(asked.problem)
    with interruptible() as stopped, computing_as_asked(arguments, stopped):
        result = answered(study, asked.parameters, None, stopped)
        check = None if simulate is None or stopped() else simulate(asked.parameters, None, stopped)
        status = INTERRUPTED if stopped() else 0
    done, write = _use(asked, result, arguments) if arguments.use and not status else ("", _nothing)
    with said_before(write):
        if arguments.json:
            report = study_report(study, result, asked.problem, check)
            say_json(report | {"used": done} if done else report)
            return status
        say_result(result, check, asked.warnings)
    if done:
        say("", done)
    return status


def say_result(
    result: StudyResult,
    check: Check | None = None,
    warnings: tuple[str, ...] = (),
    most: int | None = None,
) -> None:
    """The answer, its (first) tables and what a simulation says; doubts on standard error."""
    say(result.sentence, *filter(None, (facts_line(result),)), *result.reasons)
    for table in result.tables[:most]:
        say("", table.title, _aligned(table))
    doubts = tuple(note.text for note in result.notes if not note.inside_domain)
    if check is not None:
        say("", check.sentence, _aligned(check.table))
        doubts += tuple(note.text for note in check.notes)
    warn((*warnings, *doubts))


def _asked_alone(study: Study, settings: list[str]) -> _Asked:
    """By settings and files alone."""
    own, problem, warnings = _study_inputs(study, settings)
    inputs: dict[str, object] = {} if problem is None else {"problem": problem}
    parameters: object = parse_settings(study.record, own, **inputs)
    return _Asked(study, parameters, problem=problem, warnings=warnings)


def _asked_of_project(study: Study, settings: list[str], arguments: Namespace) -> _Asked:
    """By what a project says of a subject, or by one of its cases; stated settings come first."""
    project = read_project(arguments.project)
    subject: Subject | None = None
    if arguments.case is not None:
        case = case_of(project, study.name, arguments.case)
        subject, given = case.subject, dict(case.settings)
    else:
        if arguments.subject is not None:
            subject = subject_of(project, study, arguments.subject)
        given = opening(project, study, subject)
    stated = {setting.partition("=")[0].strip() for setting in settings}
    kept = [f"{key}={value}" for key, value in given.items() if key not in stated]
    problem = project.problem() if study.needs_problem else None
    parameters = parameters_for(study, [*kept, *settings], project, problem)
    return _Asked(study, parameters, project, subject, problem)


def _use(
    asked: _Asked, result: StudyResult, arguments: Namespace
) -> tuple[str, Callable[[], None]]:
    """What is done with the answer, in words, and what writes the project with it."""
    assert asked.project is not None
    done = used(asked.project, asked.study, asked.subject, asked.parameters, result)
    path = _written_to(arguments)
    return f"{done.text}: written to {path}.", partial(write_project, done.project, path)


def _written_to(arguments: Namespace) -> Path:
    return Path(arguments.project if arguments.out is None else arguments.out)


def _nothing() -> None:
    """No project is written."""


def _refuse_without_project(study: Study, arguments: Namespace) -> None:
    for name in ("subject", "case", "use", "out"):
        if getattr(arguments, name):
            raise InputError(
                f"--{name} needs a project", where=f"study {study.name}",
                remedy="Give --project FILE.placewise",
            )  # fmt: skip


def _simulation(study: Study, times: int) -> Callable[..., Check]:
    if study.check is None:
        checked = ", ".join(one.name for one in QUESTIONS.values() if one.simulated)
        raise InputError(
            "this study has nothing to simulate",
            where=f"study {study.name} --check",
            remedy=f"Studies with a check: {checked}",
        )
    if times == 1:
        return study.check
    if not getattr(study.check, "repeats", False):
        raise InputError(
            "its simulation has no interval that more of it would narrow",
            where=f"study {study.name} --check", value=times, remedy="Give --check alone",
        )  # fmt: skip
    return partial(study.check, times=times)


def _file_settings(study: Study, arguments: Namespace) -> list[str]:
    """``--data FILE`` and the like as settings of the studies that take them."""
    asked = []
    for option in file_options():
        files = getattr(arguments, option.name)
        if files is None:
            continue
        own = next((one for one in study.asks.files if one.name == option.name), None)
        if own is None:
            takers = [
                one.name
                for one in QUESTIONS.values()
                if option.name in {taken.name for taken in one.files}
            ]
            raise InputError(
                f"this study takes no {option.holds}", where=f"study {study.name}", value=files[0],
                remedy=f"Leave --{option.name} out, or ask study {' or '.join(takers)}",
            )  # fmt: skip
        most = 2 if own.again else 1
        if len(files) > most:
            times = "twice" if own.again else "once"
            raise InputError(
                f"too many files of {own.holds}", where=f"study {study.name}", value=files[most],
                remedy=f"Give --{option.name} {times} at most",
            )  # fmt: skip
        for place, file in enumerate(files):
            asked += own.settings_for(file, second=place > 0)
        asked += [one for one in own.implied if one not in arguments.set]
    return asked


def _study_inputs(
    study: Study, settings: list[str]
) -> tuple[list[str], Problem | None, tuple[str, ...]]:
    """(the study's own settings, the problem that the others name, warnings of reading it)."""
    if not study.needs_problem:
        return settings, None, ()
    files = {}
    own = []
    for setting in settings:
        key, _, value = setting.partition("=")
        if key.strip() in _FILES:
            files[key.strip()] = value.strip()
        else:
            own.append(setting)
    if "workload" not in files:
        keys = [one.name for one in parameters_of(study.record) if one.is_setting]
        raise InputError(
            "this study needs a workload",
            where=f"study {study.name}",
            remedy="Give --set workload=FILE --set platform=FILE; other settings: "
            + ", ".join(keys),
        )
    reading = files.get("model", EXACT)
    sharing = files.get("sharing", FAIR)
    question = read_question(files["workload"], files.get("platform"), reading, sharing=sharing)
    return own, question.problem, question.warnings


def _aligned(table: Table) -> str:
    """The table with one unit a column, and digits that tell its numbers apart.

    Rows that are unlike have digits of their own.
    """
    header = [name for name, _ in table.columns]
    told = [
        _cells([row[place] for row in table.rows], unit, apart=table.unlike)
        for place, (_, unit) in enumerate(table.columns)
    ]
    rows = list(zip(*told, strict=True))
    numeric = "".join(
        "r" if any(isinstance(row[index], float) for row in table.rows) else "l"
        for index in range(len(header))
    )
    return columns(header, rows, numeric)


def _cells(values: Sequence[object], unit: str, *, apart: bool) -> list[str]:
    numbers = [one for one in values if isinstance(one, float)]
    if apart or len(numbers) < 2:
        return [_cell(one, unit) for one in values]
    text = Unit.of(unit, *numbers).text
    return [text(one) if isinstance(one, float) else _cell(one) for one in values]


def _cell(value: object, unit: str = "") -> str:
    """A value that stands alone in its column."""
    if not isinstance(value, float):
        return "" if value is None else str(value)
    if unit == "s":
        return duration(value)
    if unit == "%":
        return percent(value / 100.0)
    # a prefix belongs to a symbol, not to a word: no "mcycle"
    return number(value, unit) if unit == "B" else with_unit(number(value), unit)

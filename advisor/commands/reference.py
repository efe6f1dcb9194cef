"""The subcommands beside placing tasks: `study` and `validate`."""

from __future__ import annotations

from argparse import Namespace
from collections.abc import Callable
from dataclasses import asdict, fields

from advisor import kernels
from advisor.allocation.costs import EXACT
from advisor.allocation.problem import Problem
from advisor.allocation.sharing import FAIR
from advisor.basics.quantities import duration, number, percent, with_unit
from advisor.commands.inputs import load_kernels, read_question, warn
from advisor.commands.interrupts import INTERRUPTED, interruptible
from advisor.commands.text import columns, say, say_json
from advisor.published.validate import Figure, published_figures
from advisor.studies import (
    QUESTIONS,
    STUDIES,
    Check,
    Study,
    StudyResult,
    Table,
    parameters_of,
    parse_settings,
)
from advisor.studies.questions import file_options
from advisor.studies.report import facts_line, study_report
from machines import InputError

_FILES = ("workload", "platform", "model", "sharing")


def run_study(arguments: Namespace) -> int:
    """Run a study with ``--set key=value`` and its own file; simulate its case if asked."""
    study = STUDIES.get(arguments.name) or STUDIES.get(arguments.name.replace("-", "_"))
    if study is None:
        raise InputError(
            "no such study", value=arguments.name, remedy="Studies: " + ", ".join(STUDIES)
        )
    asked = [*arguments.set, *_file_settings(study, arguments)]
    settings, problem, warnings = _study_inputs(study, asked)
    inputs: dict[str, object] = {} if problem is None else {"problem": problem}
    parameters: object = parse_settings(study.record, settings, **inputs)
    simulate = _simulation(study) if arguments.check else None
    if simulate is not None:
        kernels.load()
    elif problem is not None:
        load_kernels(problem)
    with interruptible() as stopped:
        result: StudyResult = study.run(parameters, None, stopped)
        check = None if simulate is None or stopped() else simulate(parameters, None, stopped)
        status = INTERRUPTED if stopped() else 0
    if arguments.json:
        say_json(study_report(study, result, problem, check))
        return status
    say(result.sentence, *filter(None, (facts_line(result),)), *result.reasons)
    for table in result.tables:
        say("", table.title, _aligned(table))
    doubts = tuple(note.text for note in result.notes if not note.inside_domain)
    if check is not None:
        say("", check.sentence, _aligned(check.table))
        doubts += tuple(note.text for note in check.notes)
    warn((*warnings, *doubts))
    return status


def _simulation(study: Study) -> Callable[..., Check]:
    if study.check is None:
        checked = ", ".join(one.name for one in QUESTIONS.values() if one.simulated)
        raise InputError(
            "this study has nothing to simulate",
            where=f"study {study.name} --check",
            remedy=f"Studies with a check: {checked}",
        )
    return study.check


def run_validate(arguments: Namespace) -> int:
    """Set every published number against what the models give."""
    figures = published_figures()
    if arguments.json:
        say_json({"figures": [asdict(figure) for figure in figures]})
        return 0
    kinds = dict.fromkeys(figure.status for figure in figures)
    counts = [f"{sum(one.status == kind for one in figures)} {kind}" for kind in kinds]
    say(f"{len(figures)} published figures: {', '.join(counts)}.", "")
    names = [field.name for field in fields(Figure) if field.name in _SHOWN]
    rows = [tuple(_figure_cell(getattr(figure, name)) for name in names) for figure in figures]
    say(columns(names, rows))
    return 0


_SHOWN = ("model", "figure", "where", "printed", "obtained", "status")


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
    header = [name for name, _ in table.columns]
    rows = [
        tuple(_cell(cell, unit) for cell, (_, unit) in zip(row, table.columns, strict=True))
        for row in table.rows
    ]
    numeric = "".join(
        "r" if any(isinstance(row[index], float) for row in table.rows) else "l"
        for index in range(len(header))
    )
    return columns(header, rows, numeric)


def _figure_cell(value: object) -> str:
    """Published numbers stay as they are printed: no prefixes."""
    if isinstance(value, float):
        return f"{value:.6g}"
    return "" if value is None else str(value)


def _cell(value: object, unit: str = "") -> str:
    if not isinstance(value, float):
        return "" if value is None else str(value)
    if unit == "s":
        return duration(value)
    if unit == "%":
        return percent(value / 100.0)
    # a prefix belongs to a symbol, not to a word: no "mcycle"
    return number(value, unit) if unit == "B" else with_unit(number(value), unit)

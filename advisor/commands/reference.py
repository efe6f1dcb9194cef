"""The subcommands beside placing tasks: `study`, `catalogue` and `validate`."""

from __future__ import annotations

from argparse import Namespace
from collections.abc import Callable
from dataclasses import asdict, fields

from advisor import kernels
from advisor.allocation.costs import EXACT
from advisor.allocation.problem import Problem
from advisor.basics.quantities import duration, number, percent
from advisor.commands.inputs import load_kernels, read_question, warn
from advisor.commands.interrupts import INTERRUPTED, interruptible
from advisor.commands.text import columns, say, say_json
from advisor.messages.networks import shape
from advisor.published.validate import Figure, published_figures
from advisor.shared_memory.application_file import (
    application_names,
    dump_application,
    shipped_application,
)
from advisor.shared_memory.costs import shared_memory_of
from advisor.shared_memory.network_file import NetworkPreset, dvsm_network, dvsm_network_names
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
from advisor.studies.report import study_report
from machines import InputError, Interconnect, Machine, Platform
from machines.catalogue import Entry, entries, entry, interconnect, interconnect_names, load
from machines.formats.platform_toml import dump_platform

_FILES = ("workload", "platform", "model")
_WORKSTATIONS = 8  # as many as the paper's


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
    say(result.sentence, *result.reasons)
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


def run_catalogue(arguments: Namespace) -> int:
    """List the machines, networks and applications that ship, or print one with its source."""
    shipped = {entry.name: entry.title for entry in entries()}
    networks = {name: interconnect(name) for name in interconnect_names()}
    workstations = {name: dvsm_network(name) for name in dvsm_network_names()}
    programs = {name: shipped_application(name) for name in application_names()}
    name = arguments.name
    if name is None:
        say(columns(("platform", "title"), list(shipped.items())), "")
        rows = [(key, shape(one.network), one.name) for key, one in networks.items()]
        say(columns(("network inside a machine", "shape", "title"), rows), "")
        titles = [(key, one.network.name) for key, one in workstations.items()]
        say(columns(("network of workstations that share memory", "title"), titles), "")
        titles = [(key, one.name) for key, one in programs.items()]
        say(columns(("shared-memory application", "title"), titles), "")
        say("placewise catalogue NAME prints one with its source and what is assumed.")
        return 0
    if name in shipped:
        say(*_described(entry(name)), dump_platform(load(name)).rstrip("\n"))
    elif name in networks:
        say(*_network_file(name, networks[name]))
    elif name in workstations:
        say(*_workstations_file(workstations[name]))
    elif name in programs:
        say(dump_application(programs[name]).rstrip("\n"))
    else:
        names = ", ".join((*shipped, *networks, *workstations, *programs))
        raise InputError("not in the catalogue", value=name, remedy=f"Names: {names}")
    return 0


def _described(preset: Entry) -> list[str]:
    """Title, source and assumptions as comments."""
    assumed = [f"# Assumed: {one}" for one in preset.assumed]
    return [f"# {preset.title}", f"# Source: {preset.source}", *assumed]


def _network_file(name: str, net: Interconnect) -> list[str]:
    """A platform of one machine with that network inside, which carries source and assumptions."""
    platform = Platform(name, (Machine(name, network=net),))
    head = f"# {net.name}: {shape(net.network)}; its table goes into any [[machine]]"
    return [head, dump_platform(platform).rstrip("\n")]


def _workstations_file(preset: NetworkPreset) -> list[str]:
    """A platform of one machine: workstations that share memory over that network."""
    memory = shared_memory_of(preset, _WORKSTATIONS)
    platform = Platform(preset.key, (Machine(preset.key, shared_memory=memory),))
    head = f"# {preset.network.name}: {_WORKSTATIONS} workstations that share memory; times in µs"
    return [head, dump_platform(platform).rstrip("\n")]


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
        file = getattr(arguments, option.name)
        if file is None:
            continue
        own = next((one for one in study.asks.files if one.name == option.name), None)
        if own is None:
            takers = [
                one.name
                for one in QUESTIONS.values()
                if option.name in {taken.name for taken in one.files}
            ]
            raise InputError(
                f"this study takes no {option.holds}", where=f"study {study.name}", value=file,
                remedy=f"Leave --{option.name} out, or ask study {' or '.join(takers)}",
            )  # fmt: skip
        asked += own.settings_for(file)
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
    question = read_question(files["workload"], files.get("platform"), reading)
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
    return number(value, unit) if unit == "B" else f"{number(value)} {unit}".rstrip()

"""The subcommand `open`: a project from what there is; what was read, assumed and left open."""

from __future__ import annotations

from argparse import Namespace
from dataclasses import asdict
from pathlib import Path

from advisor.basics.quantities import count, few
from advisor.basics.scheduler_address import address_of
from advisor.commands.inputs import asked, read_answers, warn
from advisor.commands.text import said_before, say, say_json
from advisor.project.kinds import kind_of_file
from advisor.project.opening import PLATFORM, Opened, open_files
from advisor.project.project_file import SUFFIX, write_project
from machines import InputError
from machines.files import expect_writable, is_folder
from machines.formats.platform_toml import write_platform

_FEW = 8


def run_open(arguments: Namespace) -> int:
    """Open the files, write the project or its machines, say what they rest on."""
    out = None if arguments.out is None else Path(arguments.out)
    if out is not None:
        if out.suffix not in {SUFFIX, ".toml"}:
            raise InputError("--out ends in .placewise or .toml", value=arguments.out)
        expect_writable(out)
    paths = [Path(one) for one in arguments.file]
    opened = open_files(paths, read_answers(arguments.answer))
    project = opened.project

    def write() -> None:
        if out is not None and out.suffix == SUFFIX:
            write_project(project, out)
        elif out is not None:
            write_platform(project.platform, out)

    with said_before(write):
        if arguments.json:
            say_json(_report(opened, paths))
            return 0
        for path in paths:
            say(f"{address_of(path) or path.name}: {_title(path)}")
        say("", *_holds(opened))
        warn(opened.notes)
        for question in opened.questions:
            say(asked(question))
    if out is not None:
        say(f"Written: {out}")
    return 0


def _title(path: Path) -> str:
    kind = None if is_folder(path) else kind_of_file(path)
    return kind.title if kind is not None else "Folder of logs" if is_folder(path) else "Table"


def _holds(opened: Opened) -> list[str]:
    """What the project has, a line each for tasks, machines and runs."""
    project = opened.project
    machines = project.platform.machines
    named = few(machines, _FEW, lambda one: f"{one.name} ({count(one.cores, 'core')})")
    lines = [f"{count(len(machines), 'machine')}: {named}"]
    if opened.kind != PLATFORM:
        edges = count(len(project.workload.edges), "dependency", "dependencies")
        lines.insert(0, f"{count(len(project.workload.tasks), 'task')}, {edges}")
    if project.runs:
        runs = few([one.name for one in project.runs], _FEW)
        lines.append(f"{count(len(project.runs), 'run')}: {runs}")
    return lines


def _report(opened: Opened, paths: list[Path]) -> dict[str, object]:
    project = opened.project
    return {
        "read": [{"file": str(path), "kind": _title(path)} for path in paths],
        "kind": opened.kind,
        "name": project.name,
        "tasks": 0 if opened.kind == PLATFORM else len(project.workload.tasks),
        "dependencies": len(project.workload.edges),
        "machines": [
            {"name": one.name, "cores": one.cores, "speed": one.speed,
             "memory_bytes": one.memory_bytes}
            for one in project.platform.machines
        ],
        "links": len(project.platform.links),
        "runs": [run.name for run in project.runs],
        "assumed": list(opened.notes),
        "questions": [asdict(question) for question in opened.questions],
    }  # fmt: skip

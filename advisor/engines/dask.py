"""A plan as a Python script for Dask: its tasks as a table, and what carries them out.

The script needs dask and distributed, nothing of this product: it holds the text of the files with
which `advisor.running` carries plans out, which are read here and never imported.
"""

from __future__ import annotations

import ast
import re
from pathlib import Path
from shlex import quote

from advisor.allocation.plan_jobs import Jobs
from advisor.engines.engine import Engine
from advisor.engines.python_table import read, read_mapping
from machines.errors import InputError
from machines.runtime import READY

_SOURCES = ("shell.py", "on_dask.py", "dask_script.py")
_FOR_CHECKERS = re.compile(r"  # (?:type: ignore|noqa|fmt: skip)[^\n]*")
_VALUES = ("WORKLOAD", "PREDICTED_S", "ORDER", "MACHINES", "ROOM")
_VALUE = re.compile(rf"^({'|'.join(_VALUES)}) = (.+)$", re.MULTILINE)
_HEAD = '''#!/usr/bin/env python3
"""A plan of Placewise, run by Dask.

    python THIS_FILE [--scheduler tcp://host:8786] [--record RUN.csv] [--folder DIR]

Without a scheduler it starts a worker for each machine on this computer, which listens to nobody
else. A running cluster has a worker of each machine's name (dask worker ADDRESS --name M1), or one
with a resource of that name. Each task runs on its machine, or on one of those that it is "among",
in the order of TASKS as far as data allow; none is tried again. The exit status is 0 if every task
ended well.

COMMANDS says what each task runs: a command line for /bin/sh, or a function without arguments,
which may be defined above it. Commands find PLACEWISE_TASK, PLACEWISE_MACHINE and PLACEWISE_CORES
among their variables. One that fetches its inputs itself may write "BYTES SECONDS" of that into
the file that PLACEWISE_FETCHED names.
"""
'''


def _render(tables: dict[str, object]) -> str:
    commands = [
        f"    {name!r}: {command!r},"
        + ("" if command else "  # FILL IN: a command line, or a function")
        for name, command in tables["COMMANDS"].items()  # type: ignore[attr-defined]
    ]
    imports, bodies = _sources()
    return "\n".join((
        _HEAD,
        imports,
        "",
        "# Names and numbers of the plan",
        f"WORKLOAD = {tables['WORKLOAD']!r}",
        f"PREDICTED_S = {tables['PREDICTED_S']!r}",
        '# "plan": a task waits for the one on whose cores it follows; "ready": for its data alone',
        f"ORDER = {tables['ORDER']!r}",
        f"MACHINES = {tables['MACHINES']!r}  # name: cores",
        f"ROOM = {tables['ROOM']!r}  # name: memory in bytes and units of resources",
        "TASKS = [",
        *(f"    {one!r}," for one in tables["TASKS"]),  # type: ignore[attr-defined]
        "]",
        "",
        "# What each task runs",
        "COMMANDS = {",
        *commands,
        "}",
        "",
        "",
        "# How they run",
        *bodies,
        'if __name__ == "__main__":',
        "    sys.exit(main(TASKS, MACHINES, ROOM, COMMANDS, ORDER, PREDICTED_S))",
        "",
    ))  # fmt: skip


def _says(jobs: Jobs) -> dict[str, object]:
    return {
        "WORKLOAD": jobs.name,
        "PREDICTED_S": float(jobs.makespan_s),
        "ORDER": jobs.order,
        "MACHINES": {name: cores for name, _, cores in jobs.machines},
        "ROOM": jobs.room_by_machine,
        "TASKS": [
            {
                "task": job.name,
                "machine": job.machine,
                "cores": job.cores,
                "after": [jobs.jobs[one].name for one in job.after],
                "behind": None if job.behind is None else jobs.jobs[job.behind].name,
                "held": job.held,
            }
            for job in jobs.jobs
        ],
        "COMMANDS": {job.name: job.command or None for job in jobs.jobs},
    }


def _parse(text: str) -> dict[str, object]:
    """The tables of a script, as data."""
    found: dict[str, object] = {}
    for name, line in _VALUE.findall(text):
        try:
            found[name] = ast.literal_eval(line)
        except (SyntaxError, ValueError) as error:
            raise InputError(f"not a script for Dask: {error}", where=name) from None
    lacking = [name for name in _VALUES if name not in found]
    if lacking:
        raise InputError(f"not a script for Dask: it lacks {lacking[0]}")
    return found | {"TASKS": read(text, "TASKS"), "COMMANDS": read_mapping(text, "COMMANDS")}


def _sources() -> tuple[str, list[str]]:
    """The imports of all files, once each, and what else is in them."""
    plain: set[str] = set()
    named: dict[str, set[str]] = {}
    bodies = []
    for source in _SOURCES:
        text = (Path(__file__).parent / source).read_text(encoding="utf-8")
        head, *rest = ast.parse(text).body
        end = head.end_lineno or 0
        for node in rest:
            if isinstance(node, ast.Import):
                plain.add(ast.unparse(node))
            elif not isinstance(node, ast.ImportFrom):
                break
            elif node.module and not node.module.startswith("advisor."):
                named.setdefault(node.module, set()).update(one.name for one in node.names)
            end = node.end_lineno or 0
        body = "\n".join(text.splitlines()[end:]).strip("\n")
        bodies.append(_FOR_CHECKERS.sub("", body) + "\n\n")
    lines = [f"from {module} import {', '.join(sorted(named[module]))}" for module in sorted(named)]
    return "\n".join((*lines, *sorted(plain))), bodies  # __future__ sorts first


def _commands(_jobs: Jobs, file: str) -> tuple[str, ...]:
    return (
        f"python {quote(file)} --record run.csv",
        f"python {quote(file)} --scheduler tcp://HOST:8786 --record run.csv",
    )


def _notes(jobs: Jobs) -> tuple[str, ...]:
    if all(cores == 1 for _, _, cores in jobs.machines):
        return ()
    return (
        "On machines of several cores a task waits for the one whose cores it takes over in the "
        "prediction, even where another ends sooner",
    )


def _left_open(jobs: Jobs) -> dict[str, object]:
    """The same without places and order: Dask chooses among the plan's machines, by priority."""
    tables = _says(jobs)
    more = [{"behind": None, "among": list(job.among), "priority": job.priority}
            for job in jobs.jobs]  # fmt: skip
    tasks: list[dict[str, object]] = tables["TASKS"]  # type: ignore[assignment]
    return tables | {
        "ORDER": READY,
        "TASKS": [one | other for one, other in zip(tasks, more, strict=True)],
    }


ENGINE = Engine(
    "dask",
    "Dask script",
    ".py",
    lambda jobs: _render(_says(jobs)),
    _parse,
    _says,
    _commands,
    _notes,
    stem="run_on_dask",
)
LEFT_OPEN = Engine(
    "dask-anywhere",
    "Dask script, machines left open",
    ".py",
    lambda jobs: _render(_left_open(jobs)),
    _parse,
    _left_open,
    _commands,
    lambda _jobs: (
        "Dask chooses the machine of each task and keeps the plan's priorities alone: for a plan "
        "whose answer says that this ends earlier",
    ),
    stem="run_on_dask_anywhere",
)

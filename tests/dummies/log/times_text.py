"""A made-up log: a text of tasks. `READER` is its line in `READERS` of `runs.logs.registry`."""

from __future__ import annotations

from pathlib import Path

from advisor.runs.logs.log_lines import Gathering
from advisor.runs.logs.log_reader import LogReader
from advisor.runs.run_record import Run

_MAGIC = b"#times\n"


def _holds(path: Path, head: bytes) -> bool:
    del path
    return head.startswith(_MAGIC)


def _read(path: Path) -> tuple[Run, ...]:
    """One task a line: its name, machine, start and end."""
    found = Gathering(str(path))
    for line in path.read_text(encoding="utf-8").splitlines()[1:]:
        task, machine, start_s, end_s = line.split()
        found.add(task, machine, float(start_s), float(end_s))
    return (found.run("", "shell"),)


READER = LogReader("text of times", "shell", _holds, _read)

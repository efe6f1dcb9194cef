"""What an engine's export is: one record turns a plan's jobs into what the engine carries out.

`advisor.export.of_engines` makes an export of each; a new engine is its file and a line in
`advisor.engines.registry`.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from advisor.allocation.plan_jobs import Jobs

Lines = tuple[str, ...]


def _no_lines(*_of: object) -> Lines:
    return ()


@dataclass(frozen=True)
class Engine:
    """One way to carry a plan out with another program.

    `render`: jobs → the file's text: complete but for marked places where a command is not stated.
    `parse`: text → what it says, as of `says`; InputError where it is not what `render` writes.
    `says`: jobs → what the text must say: at least each job's name, machine, command and what it
        waits for, as far as the format holds them.
    `commands`: (jobs, file) → the command lines that carry it out.
    `notes`: jobs → what the engine can't keep of the plan, in sentences; empty: all is kept.
    `has_commands`: whether the file runs commands, so that one that is not stated must be filled
        in.
    """

    name: str  # of the export: "dask", "slurm", …
    title: str  # what the window shows
    suffix: str  # of the file's name, with its dot
    render: Callable[[Jobs], str]
    parse: Callable[[str], object]
    says: Callable[[Jobs], object]
    commands: Callable[[Jobs, str], Lines] = _no_lines
    notes: Callable[[Jobs], Lines] = _no_lines
    stem: str = ""  # of the file's name where all exports are in one folder; default the name
    has_commands: bool = True

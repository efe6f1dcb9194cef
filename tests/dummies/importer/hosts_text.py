"""A made-up importer: a text of hosts. `READER` is its line in `READERS` of `project.platforms`."""

from __future__ import annotations

from pathlib import Path

from advisor.project.platforms import PlatformFile, PlatformReader
from machines import InputError, Machine, Platform

_MAGIC = b"#hosts\n"


def read(path: str | Path) -> PlatformFile:
    """One machine a line: its name and cores."""
    machines = []
    for number, line in enumerate(Path(path).read_text(encoding="utf-8").splitlines()[1:], 2):
        name, _, cores = line.partition(" ")
        if not cores.isdecimal():
            raise InputError("expected NAME CORES", where=f"{path}: line {number}", value=line)
        machines.append(Machine(name, int(cores)))
    return PlatformFile(Platform("hosts", tuple(machines)), ("A text of hosts says no speeds.",))


READER = PlatformReader(
    "hosts", "Text of hosts", (".hosts",), lambda head: head.startswith(_MAGIC), read
)

"""A made-up importer: a text of hosts. `READER` is its line in `KINDS` of `project.kinds`."""

from __future__ import annotations

from pathlib import Path

from advisor.project.kinds import MACHINES, Found, Kind
from machines import InputError, Machine, Platform

_MAGIC = b"#hosts\n"


def read(path: Path) -> Found:
    """One machine a line: its name and cores."""
    machines = []
    for number, line in enumerate(path.read_text(encoding="utf-8").splitlines()[1:], 2):
        name, _, cores = line.partition(" ")
        if not cores.isdecimal():
            raise InputError("expected NAME CORES", where=f"{path}: line {number}", value=line)
        machines.append(Machine(name, int(cores)))
    platform = Platform("hosts", tuple(machines))
    return Found(platform=platform, machine_notes=("A text of hosts says no speeds.",))


READER = Kind(
    "hosts", "Text of hosts", (".hosts",), (MACHINES,),
    lambda _path, head: head.startswith(_MAGIC), read,
)  # fmt: skip

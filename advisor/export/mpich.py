"""MPICH (Hydra): a hostfile that deals ranks to hosts in order and binds each to its core.

Facts of Hydra 4.0: ranks go to the lines in order and a host may come again; adjacent lines of
one host merge, so they are written as one; cores are the system's numbers. Comments stand on lines
of their own, and nothing but ``HOST:N binding=user:LIST`` is understood.
"""

from __future__ import annotations

import re
import shlex
from itertools import groupby

from advisor.basics.host_list import Slot
from advisor.export.export_record import Export
from advisor.export.process_placement import MAPPING, OPTIONS, Placement, slots_of
from machines.errors import InputError

_LINE = re.compile(r"([^\s:]+):([1-9]\d*) binding=user:(\d+(?:[,+]\d+)*)")


def hostfile(placement: Placement) -> str:
    """The text of a hostfile: one line for each run of ranks on one host."""
    lines = []
    for host, run in groupby(placement.slots, lambda slot: slot.host):
        cores = ["+".join(map(str, slot.cores)) for slot in run]
        lines.append(f"{host}:{len(cores)} binding=user:{','.join(cores)}\n")
    return "".join(lines)


def parse_hostfile(text: str) -> tuple[Slot, ...]:
    """Host and core of every rank; InputError: a line that Hydra would refuse or merge."""
    slots: list[Slot] = []
    for number, line in enumerate(text.split("\n"), 1):
        if not line or line.startswith("#"):
            continue
        found = _LINE.fullmatch(line)
        cores = found[3].split(",") if found else []
        if found is None or len(cores) != int(found[2]):
            raise InputError(
                "expected HOST:N binding=user:CORE,…", where=f"line {number}", value=line
            )
        if slots and slots[-1].host == found[1]:
            raise InputError(
                "adjacent lines of one host would merge", where=f"line {number}", value=line
            )
        for one in cores:
            numbers = [int(core) for core in one.split("+")]
            slots.append(Slot(found[1], numbers[0], len(numbers)))
            if numbers != list(slots[-1].cores):
                raise InputError("cores of a rank follow each other", where=f"line {number}",
                                 value=one)  # fmt: skip
    return tuple(slots)


def command(placement: Placement, file: str) -> tuple[str, ...]:
    """How to run a program with the hostfile."""
    ranks, threads = len(placement.slots), placement.threads
    told = f"-genv OMP_NUM_THREADS {threads} " if threads > 1 else ""
    return (f"MPICH: mpiexec.hydra -n {ranks} -f {shlex.quote(file)} {told}PROGRAM",)


EXPORT = Export(
    "mpich-hostfile", "MPICH hostfile", ".hostfile", MAPPING,
    hostfile, parse_hostfile, slots_of, command, options=OPTIONS, stem="mpich",
)  # fmt: skip

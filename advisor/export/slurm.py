"""Slurm: a host list for the arbitrary distribution, task i on the i-th name.

Facts of srun 22.05: one name a line, no ranges; a node list given with ``-w`` and a count given
with ``-N`` override or refuse the file; without ``--exclusive`` tasks get the CPUs of other nodes
when hosts do not first appear in sorted order.
"""

from __future__ import annotations

import re
import shlex

from advisor.export.export import Export
from advisor.export.placement import MAPPING, OPTIONS, Placement, hosts_of
from machines.errors import InputError

_NAME = re.compile(r"[A-Za-z0-9][A-Za-z0-9._-]*")


def hostlist(placement: Placement) -> str:
    """The text of a host list, a line for each task."""
    return "".join(f"{host}\n" for host in placement.hosts)


def parse_hostlist(text: str) -> tuple[str, ...]:
    """The host of every task; InputError: ranges, carriage returns or anything but a name."""
    hosts = []
    for number, line in enumerate(text.split("\n"), 1):
        if not line or line.startswith("#"):
            continue
        if not _NAME.fullmatch(line):
            raise InputError("expected one host name, no range", where=f"line {number}", value=line)
        hosts.append(line)
    return tuple(hosts)


def command(placement: Placement, file: str) -> tuple[str, ...]:
    """How to run a program with the host list, inside an allocation that holds the hosts."""
    name = shlex.quote(file if "/" in file else f"./{file}")
    return (
        f"Slurm: SLURM_HOSTFILE={name} srun --ntasks={len(placement.slots)} "
        "--distribution=arbitrary --exclusive PROGRAM   (no -w and no -N)",
    )


EXPORT = Export(
    "slurm-hostlist", "Slurm host list (arbitrary distribution)", ".hosts", MAPPING,
    hostlist, parse_hostlist, hosts_of, command, options=OPTIONS, stem="slurm",
)  # fmt: skip

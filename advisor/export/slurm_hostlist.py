"""Slurm: a host list for the arbitrary distribution, task i on the i-th name.

Facts of srun 22.05: one name a line, no ranges; a node list given with ``-w`` and a count given
with ``-N`` override or refuse the file; without ``--exclusive`` tasks get the CPUs of other nodes
when hosts do not first appear in sorted order, and ``--cpu-bind`` fails. With it the k-th rank of a
host gets its k-th core, and a list of ``map_cpu`` fails where a host has fewer ranks than the list.
A rank with threads gets as many cores by ``--cpus-per-task``.
"""

from __future__ import annotations

import re
import shlex

from advisor.export.export_record import Export
from advisor.export.process_placement import MAPPING, OPTIONS, Placement, hosts_of
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
    """How to run a program with the host list, every rank bound to a core of its own.

    By ranks in their order, the cores of a host are those that Slurm gives: 0, 1, …. Other ones can
    be told if they are the same on all hosts, inside an allocation of whole nodes.
    """
    name = shlex.quote(file if "/" in file else f"./{file}")
    ranks = len(placement.slots)
    run = f"SLURM_HOSTFILE={name} srun --ntasks={ranks} --distribution=arbitrary"
    if placement.threads > 1:
        run = f"OMP_NUM_THREADS={placement.threads} {run} --cpus-per-task={placement.threads}"
    if placement.shared:  # more tasks than cores are refused otherwise, and are not bound
        return (f"Slurm: {run} --exclusive --overcommit --cpu-bind=none PROGRAM   (no -w, no -N)",)
    own = f"Slurm: {run} --exclusive --cpu-bind=cores PROGRAM   (no -w and no -N)"
    cores = _common_cores(placement)
    if cores is None or cores == list(range(len(cores))) or placement.threads > 1:
        return (own,)
    listed = ",".join(map(str, cores))
    told = f"Slurm, on the mapping's cores, inside salloc --exclusive: {run}"
    return own, f"{told} --cpu-bind=map_cpu:{listed} PROGRAM"


def _common_cores(placement: Placement) -> list[int] | None:
    """The cores of every host's ranks in their order, where one list tells it of all hosts."""
    lists: dict[str, list[int]] = {}
    for slot in placement.slots:
        lists.setdefault(slot.host, []).append(slot.core)
    longest = max(lists.values(), key=len, default=[])
    same = all(longest[: len(one)] == one for one in lists.values())
    return longest if same else None


EXPORT = Export(
    "slurm-hostlist", "Slurm host list (arbitrary distribution)", ".hosts", MAPPING,
    hostlist, parse_hostlist, hosts_of, command, options=OPTIONS, stem="slurm",
)  # fmt: skip

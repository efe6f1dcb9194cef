"""The hosts that a user gives: one a line, with how many cores each offers to processes.

``node01``, ``node01:4``, ``node01 4`` or ``node01 slots=4``; comments after ``#``. A host that is
named again offers as many cores more, as in the node files of batch systems.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path

from machines.checks import whole
from machines.errors import InputError
from machines.files import MIB, decoded, read_bytes

_LIMIT_BYTES = 16 * MIB
_LINE = re.compile(r"(\S+?)(?:\s*:\s*(\d+)|\s+(?:slots\s*=\s*)?(\d+))?")
_NAME = re.compile(r"[A-Za-z0-9](?:[A-Za-z0-9._-]*[A-Za-z0-9])?")
_MOST_CORES = 4096


@dataclass(frozen=True)
class Slot:
    """One core of one host, which takes one process; cores are numbered from 0 on each host."""

    host: str
    core: int


def read_hosts(path: str | Path, cores: int = 1) -> tuple[Slot, ...]:
    """The slots of a file of hosts, in its order.

    Parameters
    ----------
    path : str or Path
        One host a line.
    cores : int
        Of hosts whose line does not say.

    Raises
    ------
    InputError
        Naming the file, the line and the value.
    """
    where = str(path)
    return parse_hosts(decoded(read_bytes(path, _LIMIT_BYTES), where), cores, where)


def parse_hosts(text: str, cores: int = 1, where: str = "hosts") -> tuple[Slot, ...]:
    """The slots that a text of hosts offers: see `read_hosts`."""
    return slots_on(parse_capacities(text, cores, where))


def slots_on(capacities: Iterable[tuple[str, int]]) -> tuple[Slot, ...]:
    """The slots of hosts with so many cores each; a host that comes again offers more."""
    used: dict[str, int] = {}
    found: list[Slot] = []
    for host, many in capacities:
        first = used.get(host, 0)
        used[host] = first + many
        found += [Slot(host, core) for core in range(first, first + many)]
    return tuple(found)


def read_capacities(path: str | Path, cores: int = 1) -> tuple[tuple[str, int], ...]:
    """The hosts of a file with the cores of each line, in its order: see `read_hosts`."""
    where = str(path)
    return parse_capacities(decoded(read_bytes(path, _LIMIT_BYTES), where), cores, where)


def parse_capacities(
    text: str, cores: int = 1, where: str = "hosts"
) -> tuple[tuple[str, int], ...]:
    """The hosts of a text with the cores of each line: see `read_hosts`."""
    whole("cores", cores, low=1, where=where)
    found: list[tuple[str, int]] = []
    for number, line in enumerate(text.splitlines(), 1):
        content = line.partition("#")[0].strip()
        if not content:
            continue
        place = f"{where}: line {number}"
        parts = _LINE.fullmatch(content)
        if parts is None or not _NAME.fullmatch(parts[1]):
            raise InputError(
                "this is no host",
                where=place,
                value=content,
                remedy="One host a line, e.g. node01 or node01:4; no ranges, commas, users "
                "(user@host) or IPv6 addresses",
            )
        many = int((parts[2] or parts[3] or str(cores))[:9])
        if not 1 <= many <= _MOST_CORES:
            raise InputError(
                "the cores are out of range",
                where=place,
                value=many,
                remedy=f"Allowed: 1 to {_MOST_CORES}",
            )
        found.append((parts[1], many))
    if not found:
        raise InputError("there is no host in it", where=where, remedy="One host a line")
    return tuple(found)

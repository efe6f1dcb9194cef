"""The hosts that a user gives: one a line, with how many cores each offers to processes.

``node01``, ``node01:4``, ``node01 4`` or ``node01 slots=4``; comments after ``#``. In place of a
name there may be ranges and lists of them, ``node[01-08]:16,login1:4``. A host that is named again
offers as many cores more, as in the node files of batch systems.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path

from advisor.basics.host_ranges import MOST_HOSTS, expand_hosts, host_entries, no_host
from machines.checks import whole
from machines.errors import InputError
from machines.files import MIB, decoded, read_bytes

_LIMIT_BYTES = 16 * MIB
_SLOTS = re.compile(r"(?:slots=)?([0-9]+)")
_MOST_CORES = 4096


@dataclass(frozen=True)
class Slot:
    """One core of one host, which takes one process; cores are numbered from 0 on each host."""

    host: str
    core: int


def read_hosts(path: str | Path, cores: int = 1) -> tuple[Slot, ...]:
    """The slots of a file of hosts, in its order.

    `path`: one host a line. `cores`: of hosts whose line does not say.
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
        if content:
            found += _of_line(content, cores, f"{where}: line {number}", MOST_HOSTS - len(found))
    if not found:
        raise InputError("there is no host in it", where=where, remedy="One host a line")
    return tuple(found)


def _of_line(content: str, cores: int, place: str, room: int) -> list[tuple[str, int]]:
    """The hosts of one line; its slots are those of entries that have none of their own."""
    tight = " ".join(content.split())
    for mark in ",:=":
        tight = tight.replace(f" {mark}", mark).replace(f"{mark} ", mark)
    names, _, rest = tight.partition(" ")
    slots = _SLOTS.fullmatch(rest) if rest else None
    if rest and slots is None:
        raise no_host(content, place)
    found: list[tuple[str, int]] = []
    for entry in host_entries(names):
        name, colon, own = entry.rpartition(":") if ":" in entry else (entry, "", "")
        if colon and not (own.isascii() and own.isdigit()):
            raise no_host(entry, place)
        hosts = expand_hosts(name, place, room - len(found))
        many = _cores(own or (slots[1] if slots else str(cores)), place)
        found += [(host, many) for host in hosts]
    return found


def _cores(digits: str, place: str) -> int:
    """A number of cores; one of more digits than any allowed is refused, not cut."""
    kept = digits.lstrip("0")
    many = int(kept) if 0 < len(kept) <= len(str(_MOST_CORES)) else 0
    if not 1 <= many <= _MOST_CORES:
        remedy = f"Allowed: 1 to {_MOST_CORES}"
        value = many or (digits if kept else 0)
        raise InputError("the cores are out of range", where=place, value=value, remedy=remedy)
    return many

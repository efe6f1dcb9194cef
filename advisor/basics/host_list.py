"""The hosts that a user gives: one a line, with how many cores each offers to processes.

``node01``, ``node01:4``, ``node01 4`` or ``node01 slots=4``, which ``max_slots=8`` may follow as in
Open MPI: it counts no cores; comments after ``#``. In place of a
name there may be ranges and lists of them, ``node[01-08]:16,login1:4``. A host that is named again
offers as many cores more, as in the node files of batch systems.

Lists of hosts as Slurm writes them: ``node[01-08]``, ``node[1-3,7],login1``, ``r[1-2]n[01-04]``.

A number keeps the width of the first of its range; of several brackets the last counts fastest.
"""

from __future__ import annotations

import itertools
import re
from collections.abc import Iterable
from dataclasses import dataclass
from math import prod
from pathlib import Path

from machines.checks import whole
from machines.errors import InputError
from machines.files import MIB, decoded, read_bytes

_LIMIT_BYTES = 16 * MIB
_SLOTS = re.compile(r"(?:slots=)?([0-9]+)(?: max[_-]slots=[0-9]+)?")
_MOST_CORES = 4096


@dataclass(frozen=True)
class Slot:
    """Cores of one host that take one process: from `core` on, one for each of its threads.

    Cores are numbered from 0 on each host.
    """

    host: str
    core: int
    threads: int = 1

    @property
    def cores(self) -> range:
        """All its cores."""
        return range(self.core, self.core + self.threads)


def read_hosts(path: str | Path, cores: int = 1) -> tuple[Slot, ...]:
    """The slots of a file of hosts, in its order.

    `path`: one host a line. `cores`: of hosts whose line does not say.
    """
    where = str(path)
    return parse_hosts(decoded(read_bytes(path, _LIMIT_BYTES), where), cores, where)


def parse_hosts(text: str, cores: int = 1, where: str = "hosts") -> tuple[Slot, ...]:
    """The slots that a text of hosts offers: see `read_hosts`."""
    return slots_on(parse_capacities(text, cores, where))


def slots_on(capacities: Iterable[tuple[str, int]], threads: int = 1) -> tuple[Slot, ...]:
    """The slots of hosts with so many cores each; a host that comes again offers more.

    `threads`: cores of a slot; those that are left on a line take no process.
    """
    used: dict[str, int] = {}
    found: list[Slot] = []
    for host, many in capacities:
        first = used.get(host, 0)
        used[host] = first + many
        last = first + many - threads
        found += [Slot(host, core, threads) for core in range(first, last + 1, threads)]
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


MOST_HOSTS = 100_000
_NAME = re.compile(r"[A-Za-z0-9](?:[A-Za-z0-9._-]*[A-Za-z0-9])?")
_OTHER = re.compile(r"[^A-Za-z0-9.]+")
_RANGE = re.compile(r"([0-9]{1,9})(?:-([0-9]{1,9}))?")
_BRACKETS = re.compile(r"\[([^\[\]]*)\]")
_MARKS = re.compile(r"[\[\],]")
_REMEDY = (
    "Hosts are names like node01, or ranges like node[01-08,12] with numbers from low to high; "
    "no users (user@host) or IPv6 addresses"
)

Span = tuple[int, int, int]  # first, last, digits


def plain_host(name: str) -> str:
    """A name that hosts and files can have: all else than letters, digits and dots is a hyphen."""
    return _OTHER.sub("-", name).strip("-.") or "node"


def host_entries(text: str) -> list[str]:
    """The entries of a list, at commas that are in no bracket."""
    found, start, inside = [], 0, False
    for mark in _MARKS.finditer(text):
        if mark[0] != ",":
            inside = mark[0] == "["
        elif not inside:
            found.append(text[start : mark.start()])
            start = mark.end()
    return [entry.strip() for entry in (*found, text[start:])]


def expand_hosts(entry: str, where: str, room: int = MOST_HOSTS) -> list[str]:
    """The hosts that one entry of a list names, in its order.

    `entry`: a name, perhaps with ranges in brackets. `where`: the place that messages name. `room`:
    how many there may be; more are refused before they are made.
    """
    parts = _BRACKETS.split(entry)  # text, ranges, text, ranges, …, text
    spans = [_spans(ranges, entry, where) for ranges in parts[1::2]]
    many = prod(sum(last - first + 1 for first, last, _ in each) for each in spans)
    if many > room:
        remedy = f"Allowed: {MOST_HOSTS:,} in all"
        raise InputError("too many hosts", where=where, value=entry, remedy=remedy)
    if not _NAME.fullmatch("0".join(parts[::2])):  # any number stands for all
        raise no_host(entry, where)
    numbers = [
        [
            f"{number:0{digits}d}"
            for first, last, digits in each
            for number in range(first, last + 1)
        ]
        for each in spans
    ]
    return [
        "".join(a + b for a, b in zip(parts[::2], (*chosen, ""), strict=True))
        for chosen in itertools.product(*numbers)
    ]


def first_host(entry: str, where: str) -> tuple[str, bool]:
    """The first host that an entry of a list names, and whether it names more."""
    parts = _BRACKETS.split(entry)
    spans = [_spans(ranges, entry, where) for ranges in parts[1::2]]
    only = "".join(
        text + (f"{span[0][0]:0{span[0][2]}d}" if span else "")
        for text, span in itertools.zip_longest(parts[::2], spans)
    )
    (first,) = expand_hosts(only, where)
    return first, any(len(each) > 1 or each[0][0] < each[0][1] for each in spans)


def _spans(ranges: str, entry: str, where: str) -> list[Span]:
    found = []
    for one in ranges.split(","):
        match = _RANGE.fullmatch(one.strip())
        if match is None:
            raise no_host(entry, where)
        first, last = int(match[1]), int(match[2] or match[1])
        if last < first:
            raise InputError(
                f"the range {one.strip()} falls", where=where, value=entry, remedy=_REMEDY
            )
        found.append((first, last, len(match[1])))
    return found


def no_host(entry: str, where: str) -> InputError:
    """The error of a text that names no host."""
    return InputError("this is no host", where=where, value=entry, remedy=_REMEDY)

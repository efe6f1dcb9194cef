"""Lists of hosts as Slurm writes them: ``node[01-08]``, ``node[1-3,7],login1``, ``r[1-2]n[01-04]``.

A number keeps the width of the first of its range; of several brackets the last counts fastest.
"""

from __future__ import annotations

import itertools
import re
from math import prod

from machines.errors import InputError

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

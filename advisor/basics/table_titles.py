"""What a column of a table of tasks is taken for, by its title: "Runtime (min)", "ReqMem", "after".

A title is split into words; units stand in brackets or as a word of their own. A column whose title
names none of the roles is left out.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import cache, lru_cache

NAME, NUMBER, TIME, CORES, MEMORY = "name", "number", "time", "cores", "memory"
AFTER, DATA, MACHINE, LEFT_OUT = "after", "data", "machine", ""

ROLES: dict[str, str] = {
    NAME: "Name",
    TIME: "Time",
    CORES: "Cores",
    MEMORY: "Memory",
    AFTER: "Runs after",
    DATA: "Data to successors",
    MACHINE: "Machine",
    NUMBER: "Number",
    LEFT_OUT: "Leave out",
}
"""What a column can be taken for → its name on screen."""

SECONDS = {
    "ms": 1e-3, "s": 1.0, "sec": 1.0, "secs": 1.0, "second": 1.0, "seconds": 1.0,
    "min": 60.0, "mins": 60.0, "minute": 60.0, "minutes": 60.0,
    "h": 3600.0, "hr": 3600.0, "hrs": 3600.0, "hour": 3600.0, "hours": 3600.0,
    "day": 86400.0, "days": 86400.0,
}  # fmt: skip
BYTES = {
    "b": 1.0, "byte": 1.0, "bytes": 1.0, "kb": 1e3, "mb": 1e6, "gb": 1e9, "tb": 1e12,
    "kib": 2.0**10, "mib": 2.0**20, "gib": 2.0**30, "tib": 2.0**40,
}  # fmt: skip

_NOT = frozenset(
    [
        "start",
        "started",
        "end",
        "ended",
        "begin",
        "finish",
        "finished",
        "submit",
        "submitted",
        "queue",
        "queued",
        "wait",
        "user",
        "group",
        "date",
        "status",
        "state",
        "exit",
        "code",
        "partition",
        "account",
        "priority",
    ]
)
_WORDS: tuple[tuple[str, frozenset[str]], ...] = (  # the first that has a word of the title
    (
        AFTER,
        frozenset(
            [
                "after",
                "depend",
                "depends",
                "dependency",
                "dependencies",
                "deps",
                "parent",
                "parents",
                "predecessor",
                "predecessors",
                "requires",
                "needs",
                "prerequisite",
                "prerequisites",
            ]
        ),
    ),
    (MEMORY, frozenset(["memory", "mem", "ram", "rss"])),
    (
        TIME,
        frozenset(
            ["time", "runtime", "duration", "walltime", "elapsed", "timelimit", "cputime", "work"]
        ),
    ),
    (
        CORES,
        frozenset(
            [
                "cores",
                "core",
                "cpus",
                "cpu",
                "ncpus",
                "ncores",
                "threads",
                "procs",
                "nprocs",
                "processors",
            ]
        ),
    ),
    (DATA, frozenset(["data", "output", "outputs", "size", "traffic", "transfer", "volume"])),
    (MACHINE, frozenset(["machine", "host", "hostname", "node", "nodelist", "server"])),
)
_NAMES = ("name", "task", "job", "activity", "step", "rule")
_NUMBERS = frozenset(["id", "no", "nr", "number", "#"])
_BRACKETS = re.compile(r"[(\[{]([^()\[\]{}]*+)[)\]}]")
_CAMEL = re.compile(r"[A-Z]+(?=[A-Z][a-z])|[A-Z]?[a-z]+|[A-Z]+|[0-9]+|#")


@dataclass(frozen=True)
class Title:
    """What a title says: the role of its column and its unit ("min", "GB"; "" if none)."""

    role: str
    unit: str = ""
    rank: int = 0  # of several columns of one role the least is taken


@lru_cache(1024)  # a sheet has many columns without a title
def understood(title: str) -> Title:
    """The role and unit that a title names."""
    words, units = _split(title)
    unit = next((one for one in units if one.lower() in SECONDS or one.lower() in BYTES), "")
    amount = unit.lower() in BYTES
    if _NOT & set(words):
        return Title(LEFT_OUT)
    if not words and unit:
        return Title(DATA if amount else TIME, unit)
    for role, known in _WORDS:
        if known & set(words):
            return Title(role, unit if (role == TIME) != amount else "")
    if words and set(words) <= _NUMBERS | set(_NAMES):
        if _NUMBERS & set(words):
            return Title(NUMBER)
        return Title(NAME, rank=min(map(_NAMES.index, words)))
    return Title(LEFT_OUT)


def _split(title: str) -> tuple[list[str], list[str]]:
    """The words of a title in lower case, and what may be a unit, bracketed ones first."""
    units = [found.strip() for found in _BRACKETS.findall(title)]
    words: list[str] = []
    for part in re.split(r"[^A-Za-z0-9#]+", _BRACKETS.sub(" ", title)):
        if part.lower() in SECONDS or part.lower() in BYTES:
            units.append(part)
            continue
        split = [word.lower() for word in _CAMEL.findall(part)]
        words += split if part.lower() not in _plain() else [part.lower()]
    return [word for word in words if word != "in"], units


@cache
def _plain() -> frozenset[str]:
    """All known words."""
    return frozenset().union(*(known for _, known in _WORDS), _NAMES, _NUMBERS, _NOT)

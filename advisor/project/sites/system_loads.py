"""How busy the processors of a host are: sadf -j with -u and -q, as contenders.

Where processors are idle at times, what was used is what was wanted: u processors, as equal
contenders of at most one each. Where they never are, the mean length of the run queue says how many
computed or waited; without it nobody knows. Load averages count what waits for disks, too, and are
not read.
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from statistics import fmean

from advisor.basics import json_text
from advisor.basics.quantities import number
from advisor.project.sources.site import Node, Site
from advisor.project.sources.source import plain
from machines import Contender, InputError

_Table = dict[str, object]
_BUSY = 0.95  # of all processors: above, more may have been wanted than there are
_LEAST = 0.02  # of a processor
_MOST = 64
_REMEDY = "sadf -j -- -u ALL -q"


def sadf(text: str, where: str) -> Site:
    """The mean over the intervals of every host."""
    document = json_text.parse(text.encode(), where)
    hosts = json_text.objects(_table(_table(document).get("sysstat")), "hosts")
    found = [_host(one, where) for one in hosts]
    if not found:
        raise InputError("it names no host", where=where, remedy=_REMEDY)
    nodes, notes = zip(*found, strict=True)
    return Site("the load of a host", nodes, notes=notes, whole=False)


def _host(row: _Table, where: str) -> tuple[Node, str]:
    name = plain(str(row.get("nodename") or ""))
    if not name:
        raise InputError("a host has no name", where=where, remedy=_REMEDY)
    place = f'{where}, host "{name}"'
    cores = row.get("number-of-cpus")
    if isinstance(cores, bool) or not isinstance(cores, int) or not 1 <= cores <= 1_000_000:
        raise InputError("number-of-cpus is no number of processors", where=place, value=cores)
    samples = json_text.objects(row, "statistics")
    used = [_used(one, place) for sample in samples for one in _all_cpus(sample)]
    if not used:
        raise InputError("it tells nothing of the processors", where=place, remedy=_REMEDY)
    wanted = fmean(used) * cores
    if wanted < _BUSY * cores:
        many = min(math.ceil(wanted), _MOST) if wanted >= _LEAST else 0
        each = min(wanted / many, 1.0) if many else 0.0
        note = (
            f"Contenders of {name} stand for the {number(wanted)} processors that were used; how "
            "many processes that is, is assumed: pidstat tells it; leave out your own"
        )
    else:
        many, each = min(_queue(samples, place), _MOST), 1.0
        note = f"Contenders of {name} are its mean run queue; leave out your own"
    contenders = tuple(Contender(f"load {one + 1}", compute=each) for one in range(many))
    return Node(name, contenders=contenders), note


def _queue(samples: list[_Table], place: str) -> int:
    """How many computed or waited for a processor, on average."""
    rows = [_table(one["queue"]) for one in samples if "queue" in one]
    if not rows:
        raise InputError(
            "its processors were always busy, and the length of the run queue is not told",
            where=place, remedy=f"{_REMEDY}, or pidstat -u -h 2 5",
        )  # fmt: skip
    return round(fmean(_number(row, "runq-sz", place) for row in rows))


def _all_cpus(sample: _Table) -> Iterator[_Table]:
    return (one for one in json_text.objects(sample, "cpu-load") if one.get("cpu") == "all")


def _used(row: _Table, place: str) -> float:
    """The share that was computed; stolen time is the hypervisor's, waiting for disks is idle."""
    idle = sum(_number(row, name, place) for name in ("idle", "iowait", "steal") if name in row)
    if "idle" not in row or not 0.0 <= idle <= 100.5:
        raise InputError("idle is no percentage", where=place, value=row.get("idle"))
    return max(0.0, 1.0 - idle / 100.0)


def _number(row: _Table, name: str, place: str) -> float:
    value = row.get(name)
    if isinstance(value, bool) or not isinstance(value, int | float) or not 0 <= value <= 1e9:
        raise InputError(f"{name} is no number", where=place, value=value)
    return float(value)


def _table(value: object) -> _Table:
    return value if isinstance(value, dict) else {}

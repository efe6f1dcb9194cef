"""Who uses the processors of a host: pidstat -u, process by process, as contenders.

Under contention a process computes less than it would alone: of u of a processor while it waited w
of the time for one, it would take u / (1 − w) alone. Load averages and sums over processors tell
neither who waits nor how many they are, and are not read.
"""

from __future__ import annotations

import re
from collections import defaultdict

from advisor.basics.quantities import count, percent
from advisor.project.sources.site import Node, Site
from advisor.project.sources.source import plain, quantity
from machines import Contender, InputError

_HOST = re.compile(r"\ALinux \S+ \(([^)]+)\)")
_LEAST = 0.02  # of a processor: below, all together are one sentence
_MOST = 64


def pidstat(text: str, where: str) -> Site:
    """The mean shares of every process over the intervals of pidstat."""
    host = _HOST.match(text)
    titles: list[str] = []
    shares: dict[tuple[str, str], list[tuple[float, float]]] = defaultdict(list)
    intervals = 0
    for number, line in enumerate(text.splitlines(), start=1):
        cells = line.lstrip("# ").split()
        if "%CPU" in cells and "PID" in cells:
            titles, intervals = cells, intervals + 1
        elif titles and cells and cells[0] != "Average:" and len(cells) >= len(titles):
            row = dict(zip(titles, cells, strict=False))
            place = f"{where}, line {number}"
            used = quantity(row["%CPU"], "%CPU", place) / 100
            waited = quantity(row.get("%wait", "0"), "%wait", place) / 100
            name = plain(" ".join(cells[len(titles) - 1 :]))
            shares[row["PID"], name].append((used, waited))
    if host is None or not shares:
        raise InputError("pidstat lists no processes", where=where, remedy="pidstat -u -h 2 5")
    alone = {key: _alone(found, intervals) for key, found in shares.items()}
    kept = sorted((one for one in alone if alone[one] >= _LEAST), key=lambda one: -alone[one])
    contenders = tuple(
        Contender(f"{name} {pid}", compute=alone[pid, name]) for pid, name in kept[:_MOST]
    )
    rest = sum(alone.values()) - sum(one.compute for one in contenders)
    notes = [
        f"Contenders of {plain(host[1])} are the processes that pidstat saw; leave out your own"
    ]
    if len(alone) > len(contenders):
        left = count(len(alone) - len(contenders), "process", "processes")
        notes.append(f"{left} of {percent(rest)} of a processor together are left out")
    node = Node(plain(host[1]), contenders=contenders)
    return Site("the load of a host", (node,), notes=tuple(notes), whole=False)


def _alone(found: list[tuple[float, float]], intervals: int) -> float:
    """The mean share of a processor that it would take alone; 0 in intervals without it."""
    taken = (used / max(1.0 - waited, used, 1e-3) for used, waited in found)
    return min(sum(taken) / max(intervals, len(found)), 1.0)

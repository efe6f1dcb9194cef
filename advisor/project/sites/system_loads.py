"""How busy the processors of a host are: sadf, /proc/stat, node_exporter (`node_loads`).

Stolen time is the hypervisor's, waiting for disks is idle: neither is anybody's computing here.
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterator, Mapping
from statistics import fmean

from advisor.basics import json_text
from advisor.project.sources.node_loads import Load
from advisor.project.sources.site import Site
from advisor.project.sources.source import plain, quantity
from machines import InputError

_Table = dict[str, object]
_SADF = "sadf -j -- -u ALL -q"
_CSV = "sadf -d -- -u ALL"
_NOT_USED = ("idle", "iowait", "steal")
_MOST_PROCESSORS = 1_000_000


def _site(loads: list[Load]) -> Site:
    return Site("the load of a host", loads=tuple(loads), whole=False)


# sadf: the mean over its intervals.


def sadf(text: str, where: str) -> Site:
    """The mean over the intervals of every host."""
    document = json_text.parse(text.encode(), where)
    hosts = json_text.objects(_table(_table(document).get("sysstat")), "hosts")
    if not hosts:
        raise InputError("it names no host", where=where, remedy=_SADF)
    return _site([_host(one, where) for one in hosts])


def _host(row: _Table, where: str) -> Load:
    name = plain(str(row.get("nodename") or ""))
    if not name:
        raise InputError("a host has no name", where=where, remedy=_SADF)
    place = f'{where}, host "{name}"'
    cores = row.get("number-of-cpus")
    if isinstance(cores, bool) or not isinstance(cores, int) or not 1 <= cores <= _MOST_PROCESSORS:
        raise InputError("number-of-cpus is no number of processors", where=place, value=cores)
    samples = json_text.objects(row, "statistics")
    used = [_used(one, place) for sample in samples for one in _all_cpus(sample)]
    if not used:
        raise InputError("it tells nothing of the processors", where=place, remedy=_SADF)
    queues = [_number(_table(one["queue"]), "runq-sz", place) for one in samples if "queue" in one]
    queue = fmean(queues) if queues else None
    return Load(name, fmean(used), cores, queue, source=where, remedy=_SADF)


def _all_cpus(sample: _Table) -> Iterator[_Table]:
    return (one for one in json_text.objects(sample, "cpu-load") if one.get("cpu") == "all")


def _used(row: _Table, place: str) -> float:
    idle = sum(_number(row, name, place) for name in _NOT_USED if name in row)
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


def sadf_csv(text: str, where: str) -> Site:
    """The mean over the intervals of every host; processors are known where each has lines."""
    titles: list[str] = []
    used: dict[str, list[float]] = defaultdict(list)
    seen: dict[str, set[str]] = defaultdict(set)
    for number, line in enumerate(text.splitlines(), start=1):
        cells = line.lstrip("# ").split(";")
        if line.startswith("#"):
            titles = cells
        elif titles and len(cells) == len(titles):
            row, place = dict(zip(titles, cells, strict=True)), f"{where}, line {number}"
            name = plain(row.get("hostname", ""))
            if row.get("CPU") == "-1":
                shares = {one: quantity(row.get(f"%{one}", "0"), one, place) for one in _NOT_USED}
                used[name].append(_used(dict(shares), place))
            elif row.get("CPU", "").isdigit():
                seen[name].add(row["CPU"])
    if not used:
        raise InputError("it tells nothing of the processors", where=where, remedy=_CSV)
    return _site([
        Load(name, fmean(found), len(seen[name]) or None, source=where, remedy=_SADF)
        for name, found in used.items()
    ])  # fmt: skip


# Counters since the host's start: of two samples the difference counts.

_STAT = re.compile(r"^cpu(\d*)[ \t]+([\d \t]+)$", re.MULTILINE)
_RUNNING = re.compile(r"^procs_running[ \t]+(\d{1,9})$", re.MULTILINE)
_TICKS = 100.0  # a second, on every Linux of today
_SERIES = re.compile(
    r'^node_cpu_seconds_total\{cpu="(\d{1,7})",mode="(\w+)"\} (\S{1,40})$', re.MULTILINE
)
_NODE = re.compile(r'^node_uname_info\{[^}\n]{0,2000}nodename="([^"\n]{1,200})"', re.MULTILINE)
_RUNNABLE = re.compile(r"^node_procs_running (\S{1,40})$", re.MULTILINE)
_AGAIN = "Read it twice, some seconds apart"


def proc_stat(text: str, where: str) -> Site:
    """One reading of /proc/stat: user, nice, system, idle, iowait, irq, softirq, steal in ticks."""
    cores, modes = 0, dict[str, float]()
    for found in _STAT.finditer(text):
        ticks = [quantity(one, "ticks", where) for one in found[2].split()]
        if found[1]:
            cores += 1
        elif len(ticks) >= 4:
            names = ("user", "nice", "system", "idle", "iowait", "irq", "softirq", "steal")
            modes = dict(zip(names, (one / _TICKS for one in ticks), strict=False))
    running = _RUNNING.search(text)
    return _site([_reading("", modes, cores, running and running[1], where)])


def node_exporter(text: str, where: str) -> Site:
    """One scrape of node_exporter."""
    modes: dict[str, float] = defaultdict(float)
    cores: set[str] = set()
    for found in _SERIES.finditer(text):
        cores.add(found[1])
        modes[found[2]] += quantity(found[3], "node_cpu_seconds_total", where)
    name, running = _NODE.search(text), _RUNNABLE.search(text)
    called = plain(name[1]) if name else ""
    return _site([_reading(called, modes, len(cores), running and running[1], where)])


def _reading(
    name: str, modes: Mapping[str, float], cores: int, running: str | None, where: str
) -> Load:
    """Seconds by mode as a load since the start; who reads is one of those that run."""
    counted_s = sum(modes.values())
    if not cores or not counted_s > 0.0 or "idle" not in modes:
        raise InputError("it tells nothing of the processors", where=where, remedy=_AGAIN)
    used = 1.0 - sum(modes.get(one, 0.0) for one in _NOT_USED) / counted_s
    queue = None if running is None else max(0.0, quantity(running, "running", where) - 1.0)
    kind = "two samples of the load"
    return Load(name, used, cores, queue, counted_s, kind, _AGAIN)

"""One host as its own commands tell it: lscpu (text, JSON, one line a processor), /proc/cpuinfo.

Clock rates are those of a moment, and BogoMIPS is no speed: neither is read.
"""

from __future__ import annotations

import re

from advisor.basics import json_text
from advisor.project.sources.site import Node, Site
from advisor.project.sources.source import plain
from machines import InputError

_HOST = "this host"
_NO_MEMORY = "The listing does not state memory: not limited"


def lscpu(text: str, where: str) -> Site:
    """Of lscpu."""
    rows = (line.partition(":") for line in text.splitlines())
    return _of_fields({key.strip(): value.strip() for key, _, value in rows}, where)


def lscpu_json(text: str, where: str) -> Site:
    """Of lscpu -J, with fields, or one object a processor (-e)."""
    document = json_text.parse(text.encode(), where)
    if not isinstance(document, dict):
        raise InputError("not the output of lscpu -J", where=where)
    if isinstance(rows := document.get("cpus"), list):
        cores = {
            (row.get("node"), row.get("socket"), row.get("core"))
            for row in rows
            if isinstance(row, dict) and row.get("online", True) not in {False, "no"}
        }
        return _site(len(cores), "", where)
    found: dict[str, str] = {}
    _gather(document.get("lscpu"), found, 0)
    return _of_fields(found, where)


def cpuinfo(text: str, where: str) -> Site:
    """Of /proc/cpuinfo."""
    cores: set[tuple[str, str]] = set()
    model = ""
    for place, block in enumerate(re.split(r"\n[ \t]*\n", text.strip())):
        rows = (line.partition(":") for line in block.splitlines())
        found = {key.strip(): value.strip() for key, _, value in rows}
        if "processor" in found:
            cores.add((found.get("physical id", ""), found.get("core id", f"line {place}")))
            model = found.get("model name", model)
    return _site(len(cores), model, where)


def _gather(rows: object, found: dict[str, str], depth: int) -> None:
    """Fields of a list whose entries may have children."""
    if not isinstance(rows, list) or depth > 8:
        return
    for row in rows:
        if isinstance(row, dict):
            found[str(row.get("field", "")).rstrip(":")] = str(row.get("data", ""))
            _gather(row.get("children"), found, depth + 1)


def _of_fields(found: dict[str, str], where: str) -> Site:
    sockets, each = found.get("Socket(s)", ""), found.get("Core(s) per socket", "")
    clusters, of_cluster = found.get("Cluster(s)", ""), found.get("Core(s) per cluster", "")
    cpus, threads = found.get("CPU(s)", ""), found.get("Thread(s) per core", "1")
    if sockets.isdigit() and each.isdigit():
        cores = int(sockets) * int(each)
    elif clusters.isdigit() and of_cluster.isdigit():
        cores = int(clusters) * int(of_cluster)
    elif cpus.isdigit():
        cores = int(cpus) // max(int(threads) if threads.isdigit() else 1, 1)
    else:
        cores = 0
    return _site(cores, found.get("Model name", ""), where)


def _site(cores: int, model: str, where: str) -> Site:
    if not cores:
        raise InputError("the listing tells no cores", where=where,
                         remedy="It may be cut off; print it again")  # fmt: skip
    node = Node(_HOST, cores, processor=plain(model))
    return Site(_HOST, (node,), notes=(_NO_MEMORY,), now=True)

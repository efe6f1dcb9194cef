"""Nodes in the JSON of others: Kubernetes, OpenPBS, a Dask scheduler, machines of WfCommons."""

from __future__ import annotations

import math
import re

from advisor.basics import json_text
from advisor.project.sources.site import Node, Site
from advisor.project.sources.source import plain
from machines import InputError

_Table = dict[str, object]
_UNITS = {"": 1.0, "k": 1e3, "m": 1e-3, "M": 1e6, "G": 1e9, "T": 1e12, "P": 1e15, "Ki": 2.0**10,
          "Mi": 2.0**20, "Gi": 2.0**30, "Ti": 2.0**40, "Pi": 2.0**50}  # fmt: skip
_PBS_UNITS = {"b": 0, "kb": 1, "mb": 2, "gb": 3, "tb": 4}
_DASK_DEFAULT = 100_000_000  # bytes/s


def kubernetes(text: str, where: str) -> Site:
    """Of kubectl get nodes -o json: what pods may have; 1 CPU is a thread or a core."""
    document = _table(json_text.parse(text.encode(), where), "the document", where)
    items = document.get("items")
    rows = items if isinstance(items, list) else [document]
    nodes = []
    for row in rows:
        one = _table(row, "a node", where)
        if one.get("kind") != "Node":
            continue
        name = plain(str(_inner(one, "metadata", where).get("name", "")))
        place = f'{where}, node "{name}"'
        status, labels = (
            _inner(one, "status", where),
            _inner(_inner(one, "metadata", where), "labels", where),
        )
        free = _inner(status, "allocatable", place) or _inner(status, "capacity", place)
        gpus = [_amount(free[key], place) for key in free if key.endswith("/gpu")]
        ready = [
            one.get("status")
            for one in json_text.objects(status, "conditions")
            if one.get("type") == "Ready"
        ]
        closed = _inner(one, "spec", where).get("unschedulable") is True
        nodes.append(Node(
            name, max(math.floor(_amount(free.get("cpu", 0), place)), 1),
            int(_amount(free.get("memory", 0), place)) or None,
            plain(str(labels.get("node.kubernetes.io/instance-type", ""))),
            int(sum(gpus)) or None,
            "unschedulable" if closed else "not ready" if ready and ready[0] != "True" else "",
        ))  # fmt: skip
    _expect_some(nodes, "the list has no nodes", where, "kubectl get nodes -o json")
    return _cluster("Kubernetes", nodes, "CPUs")


def openpbs(text: str, where: str) -> Site:
    """Of pbsnodes -a -F json."""
    document = _table(json_text.parse(text.encode(), where), "the document", where)
    nodes = []
    for name, row in _inner(document, "nodes", where).items():
        place = f'{where}, node "{name}"'
        one = _table(row, "a node", place)
        has = _inner(one, "resources_available", place)
        cpus = has.get("ncpus", one.get("pcpus"))
        state = str(one.get("state", ""))
        away = any(word in state for word in ("down", "offline", "unknown", "stale", "maint"))
        nodes.append(Node(
            plain(name), _whole(cpus, "ncpus", place), _pbs_size(has.get("mem"), place),
            plain(str(has.get("cputype", ""))), _whole(has.get("ngpus"), "ngpus", place),
            state if away else "",
        ))  # fmt: skip
    _expect_some(nodes, "the listing has no nodes", where, "pbsnodes -a -F json")
    return _cluster("OpenPBS", nodes, "ncpus")


def dask(text: str, where: str) -> Site:
    """Of Client.scheduler_info(): workers are machines, their threads cores."""
    document = _table(json_text.parse(text.encode(), where), "the document", where)
    workers = _inner(document, "workers", where)
    nodes, notes = [], []
    for address, row in workers.items():
        one = _table(row, "a worker", where)
        name = str(one.get("name", address))
        place = f'{where}, worker "{name}"'
        named = f"worker {name}" if name.isdigit() else plain(name)
        memory = _whole(one.get("memory_limit"), "memory_limit", place)
        nodes.append(
            Node(named, _whole(one.get("nthreads"), "nthreads", place) or 1, memory or None)
        )
    _expect_some(nodes, "the scheduler has no workers", where,
                 "Save scheduler_info(n_workers=-1) of a running one")  # fmt: skip
    if document.get("n_workers", len(nodes)) != len(nodes):
        notes.append(f"The file lists {len(nodes)} of {document['n_workers']} workers: "
                     "save scheduler_info(n_workers=-1)")  # fmt: skip
    if f'"total": {_DASK_DEFAULT}' in text:
        notes.append("The bandwidth of 100 MB/s is Dask's default, no measurement: not read")
    return Site("Dask cluster", tuple(nodes), notes=tuple(notes), now=True)


def _expect_some(nodes: list[Node], lacking: str, where: str, remedy: str) -> None:
    if not nodes:
        raise InputError(lacking, where=where, remedy=remedy)


def _cluster(engine: str, nodes: list[Node], counted: str) -> Site:
    """The nodes of an engine that may count threads as its processors."""
    note = f"{counted} of {engine} count as cores; where they are threads, halve them"
    return Site(f"{engine} cluster", tuple(nodes), notes=(note,), now=True)


def _table(value: object, what: str, where: str) -> _Table:
    if not isinstance(value, dict):
        raise InputError(f"{what} must be an object", where=where, value=value)
    return value


def _inner(source: _Table, key: str, where: str) -> _Table:
    return _table(source.get(key, {}), key, where)


def _amount(value: object, where: str) -> float:
    """A quantity of Kubernetes: 223500m, 2113400832Ki."""
    found = re.fullmatch(r"(\d{1,18}(?:\.\d{1,9})?)([a-zA-Z]{0,2})", str(value))
    if found is None or found[2] not in _UNITS:
        raise InputError("not a quantity of Kubernetes", where=where, value=value)
    return float(found[1]) * _UNITS[found[2]]


def _pbs_size(value: object, where: str) -> int | None:
    if value is None:
        return None
    found = re.fullmatch(r"(\d{1,15})(b|kb|mb|gb|tb)", str(value))
    if found is None:
        raise InputError("not a size of OpenPBS", where=where, value=value)
    return int(found[1]) << 10 * _PBS_UNITS[found[2]]


def _whole(value: object, what: str, where: str) -> int | None:
    if value is None:
        return None
    if not isinstance(value, int) or isinstance(value, bool) or not 0 <= value < 1 << 60:
        raise InputError(f"{what} is no whole number", where=where, value=value)
    return value or None

"""Nodes as Slurm states them: slurm.conf, scontrol show node, sinfo's columns and JSON, gres.conf.

`CPUs` counts threads, so cores are sockets × cores of a socket; memory is in MiB. What is
reserved for the system (CoreSpecCount, MemSpecLimit) no task gets.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping

from advisor.basics import json_text
from advisor.basics.host_list import MOST_HOSTS, expand_hosts, host_entries
from advisor.project.sources.site import Node, Site
from machines import InputError

_MIB = 1 << 20
_NONE = ("(null)", "None")
_KEY = re.compile(r"(?<!\S)([A-Za-z]\w*)=")
_AWAY = ("down", "drain", "fail", "future", "maint", "power", "unknown", "not_resp", "no_respond")
_GPU = re.compile(r"(?:^|,)gpu(?::[^:,()]+)*?:(\d+)")
_Fields = Mapping[str, str]


def hosts(text: str, where: str) -> list[str]:
    """The names that a list of hosts means, counted before they are made."""
    found: list[str] = []
    if text and text not in _NONE:
        for entry in host_entries(text):
            found += expand_hosts(entry, where, MOST_HOSTS - len(found))
    return found


def lines_of(text: str) -> list[str]:
    """The lines of a configuration: without comments, continued lines as one."""
    whole = re.sub(r"\\\r?\n", " ", text)
    return [line for raw in whole.splitlines() if (line := raw.partition("#")[0].strip())]


def pairs(line: str) -> dict[str, str]:
    """The KEY=VALUE pairs of a line, keys in lower case; a value may hold blanks."""
    found: dict[str, str] = {}
    if '"' not in line:
        keys = list(_KEY.finditer(line))
        ends = [*(one.start() for one in keys[1:]), len(line)]
        for one, last in zip(keys, ends, strict=False):
            found[one[1].lower()] = line[one.end() : last].rstrip()
        return found
    key = _KEY.search(line)
    while key is not None:
        first = key.end()
        quoted = line.find('"', first + 1) if line.startswith('"', first) else -1
        following = _KEY.search(line, max(first, quoted))
        last = following.start() if following is not None else len(line)
        found[key[1].lower()] = line[first:last].rstrip().strip('"')
        key = following
    return found


def conf(text: str, where: str) -> Site:
    """Of slurm.conf: the nodes that its NodeName lines name."""
    nodes: list[Node] = []
    default: dict[str, str] = {}
    name, notes, away = "cluster", [], set[str]()
    for line in lines_of(text):
        key = line.partition("=")[0].strip().lower()
        found = pairs(line)
        if key == "clustername":
            name = found["clustername"]
        elif key == "nodename" and found["nodename"] == "DEFAULT":
            default |= found
        elif key == "nodename":
            stated = default | found
            unknown = stated.get("state") == "UNKNOWN"  # where all nodes begin
            nodes += _nodes(stated | ({"state": ""} if unknown else {}), where)
            if len(nodes) > MOST_HOSTS:
                raise InputError("the configuration names too many nodes", where=where,
                                 remedy=f"Allowed: {MOST_HOSTS:,}")  # fmt: skip
        elif key == "downnodes":
            away |= set(hosts(found["downnodes"], where))
        elif line.lower().startswith("include"):
            notes.append(f"The file includes another, which is not read: {line.split()[-1]}")
    if not nodes:
        raise InputError("this configuration of Slurm names no nodes", where=where,
                         remedy="Open the output of scontrol show node instead")  # fmt: skip
    kept = tuple(_with_state(one, "down") if one.name in away else one for one in nodes)
    return Site(name, _once(kept, where), notes=tuple(notes))


def scontrol(text: str, where: str) -> Site:
    """Of scontrol show node, plain or one line a node."""
    starts = [found.start() for found in re.finditer(r"^NodeName=", text, re.MULTILINE)]
    ends = [*starts[1:], len(text)]
    nodes = []
    for start, end in zip(starts, ends, strict=True):
        found: dict[str, str] = {}
        for line in text[start:end].splitlines():
            found |= pairs(line)
        if "cputot" not in found:
            raise InputError("this node has no CPUTot", where=f"{where}, {found['nodename']}",
                             remedy="The listing may be cut off; print it again")  # fmt: skip
        nodes += _nodes(found, where)
    notes = ("What jobs of others hold is left out: it is that of one moment",)
    return Site("Slurm cluster", _once(nodes, where), notes=notes, now=True)


def sinfo(text: str, where: str) -> Site:
    """Of sinfo with one line a node or kind, columns parted by | or blanks."""
    lines = [line for line in text.splitlines() if line.strip()]
    head = next(place for place, line in enumerate(lines) if re.search(r"\bNODELIST\b", line))
    parted: Callable[[str], list[str]] = str.split
    if "|" in lines[head]:
        parted = lambda line: [cell.strip() for cell in line.split("|")]  # noqa: E731
    titles = parted(lines[head])
    nodes: list[Node] = []
    for line in lines[head + 1 :]:
        cells = parted(line)
        if len(cells) < len(titles):
            raise InputError(f"{len(cells)} cells beside {len(titles)} titles", where=where,
                             value=line)  # fmt: skip
        row = dict(zip(titles, cells, strict=False))
        shape = row.get("S:C:T", "").split(":")
        if len(shape) == 3:
            row |= dict(zip(("SOCKETS", "CORES", "THREADS"), shape, strict=True))
        nodes += _nodes({_COLUMNS.get(key, key.lower()): cell for key, cell in row.items()}, where)
    known = {one.name: one for one in nodes}  # a node is listed once for each partition
    return Site("Slurm cluster", tuple(known.values()), now=True)


_COLUMNS = {"NODELIST": "nodename", "CPUS": "cputot", "CORES": "corespersocket",
            "THREADS": "threadspercore", "MEMORY": "realmemory"}  # fmt: skip


def sinfo_json(text: str, where: str) -> Site:
    """Of sinfo --json or scontrol show node --json: its list of nodes."""
    document = json_text.parse(text.encode(), where)
    rows = document.get("nodes") if isinstance(document, dict) else None
    if isinstance(rows, dict):
        rows = rows.get("nodes")
    if not isinstance(rows, list) or not rows:
        raise InputError("the listing has no nodes", where=where,
                         remedy="Print it with scontrol show node --json")  # fmt: skip
    nodes: list[Node] = []
    for row in rows:
        if not isinstance(row, dict) or not isinstance(row.get("name"), str):
            raise InputError("a node has no name", where=where)
        states = row.get("state")
        flags = [*(states if isinstance(states, list) else [states]), *_list(row, "state_flags")]
        named = {
            "nodename": row["name"], "sockets": row.get("sockets"), "cputot": row.get("cpus"),
            "corespersocket": row.get("cores"), "threadspercore": row.get("threads"),
            "realmemory": row.get("real_memory"), "gres": row.get("gres"),
            "state": "+".join(map(str, flags)), "activefeatures": row.get("active_features"),
        }  # fmt: skip
        nodes += _nodes({key: str(one) for key, one in named.items() if one is not None}, where)
    return Site("Slurm cluster", _once(nodes, where), now=True)


def gres(text: str, where: str) -> Site:
    """Of gres.conf: how many GPUs nodes have; no cores."""
    gpus: dict[str, int] = {}
    for line in lines_of(text):
        found = pairs(line)
        if found.get("name") == "gpu" and "nodename" in found:
            devices = re.search(r"\[([^\]]*)\]", found.get("file", ""))
            many = (
                len(expand_hosts(f"d[{devices[1]}]", where))
                if devices
                else _whole(found, "count", where) or 1
            )
            for name in hosts(found["nodename"], where):
                gpus[name] = gpus.get(name, 0) + many
    nodes = tuple(Node(name, gpus=many) for name, many in gpus.items())
    return Site("generic resources of nodes", nodes, whole=False)


def partitions(_text: str, _where: str) -> Site:
    """Of scontrol show partition: nothing but names, which other files have, too."""
    return Site("partitions", (), whole=False)


def _nodes(found: _Fields, where: str) -> list[Node]:
    place = f"{where}, {found.get('nodename', '')}"
    sockets = _whole(found, "sockets", place)
    if sockets is None and (of_board := _whole(found, "socketsperboard", place)) is not None:
        sockets = of_board * (_whole(found, "boards", place) or 1)
    each, threads = _whole(found, "corespersocket", place), _whole(found, "threadspercore", place)
    cpus = _whole(found, "cputot", place) or _whole(found, "cpus", place)
    cores = (sockets or 1) * each if each else cpus
    if cores and not each and threads:
        cores = max(cores // threads, 1)
    reserved = _whole(found, "corespeccount", place) or 0
    memory = _whole(found, "realmemory", place)
    if memory:
        memory -= min(_whole(found, "memspeclimit", place) or 0, memory - 1)
    features = (
        found.get("activefeatures") or found.get("avail_features") or found.get("feature", "")
    )
    gpus = sum(int(many) for many in _GPU.findall(re.sub(r"\([^)]*\)", "", found.get("gres", ""))))
    return [
        Node(name, max(cores - reserved, 1) if cores else None, memory * _MIB if memory else None,
             "" if features == "(null)" else features, gpus or None, _away(found.get("state", "")))
        for name in hosts(found.get("nodename", ""), where)
    ]  # fmt: skip


def _away(state: str) -> str:
    """The state, where no task may run."""
    plain = state.lower()
    return plain if any(one in plain for one in _AWAY) else ""


def _with_state(node: Node, state: str) -> Node:
    return Node(node.name, node.cores, node.memory_bytes, node.processor, node.gpus, state)


def _once(nodes: Iterable[Node], where: str) -> tuple[Node, ...]:
    found: dict[str, Node] = {}
    for node in nodes:
        if node.name in found:
            raise InputError("a node is described twice", where=where, value=node.name)
        found[node.name] = node
    if not found:
        raise InputError("the listing has no nodes", where=where)
    return tuple(found.values())


def _whole(found: _Fields, key: str, where: str) -> int | None:
    value = found.get(key, "").rstrip("+")
    if value in {"", "N/A", "(null)"}:
        return None
    if not value.isdigit() or not 0 <= int(value) < 1 << 40:
        raise InputError(f"{key} is no whole number", where=where, value=value)
    return int(value)


def _list(row: Mapping[str, object], key: str) -> list[object]:
    found = row.get(key)
    return found if isinstance(found, list) else []

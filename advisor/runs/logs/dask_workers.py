"""The names of Dask workers by address: `Client.scheduler_info()` saved as JSON.

Task streams and performance reports tell addresses alone, which differ from run to run.
"""

from __future__ import annotations

import re
from collections.abc import Set
from pathlib import Path

from advisor.basics import json_text
from advisor.basics.content import read_content, read_head
from machines.errors import InputError, PlacewiseError

_HEAD_BYTES = 64 * 1024
_MOST_BESIDE = 100  # files of a folder that are looked at
_WORKERS = re.compile(rb'"workers"\s*:\s*\{\s*"[a-z]+://')
_ADDRESS = re.compile(r"[a-z]+://[^\s]+")


def is_address(machine: str) -> bool:
    """Whether a machine's name is a worker's address ("tcp://127.0.0.1:38975")."""
    return _ADDRESS.fullmatch(machine) is not None


def holds(path: Path) -> bool:
    """Whether a file is a scheduler's list of workers."""
    head = read_head(path, _HEAD_BYTES)
    return head.lstrip()[:1] == b"{" and _WORKERS.search(head) is not None


def read(path: Path) -> dict[str, str]:
    """The name of each worker by its address; a worker without one keeps the address."""
    content, _ = read_content(path)
    document = json_text.parse(content, str(path))
    workers = document.get("workers") if isinstance(document, dict) else None
    if not isinstance(workers, dict):
        raise InputError("the list of workers is missing", where=str(path), value="workers")
    named = ((address, _name(worker)) for address, worker in workers.items())
    return {address: name for address, name in named if name}


def beside(path: Path, addresses: Set[str]) -> dict[str, str]:
    """The names that a list in the log's folder gives to any of these addresses; none without."""
    try:
        files = sorted(one for one in path.parent.glob("*.json") if one.is_file())
    except OSError:
        return {}
    for file in files[:_MOST_BESIDE]:
        if file != path and holds(file):
            try:
                names = read(file)
            except PlacewiseError:
                continue
            if addresses & names.keys():
                return names
    return {}


def _name(worker: object) -> str:
    """Workers have numbers where they were given no names."""
    name = worker.get("name") if isinstance(worker, dict) else None
    return str(name) if isinstance(name, str | int) else ""

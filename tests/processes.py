"""Processes of this machine, as Linux shows them: who started whom, who listens where."""

from __future__ import annotations

import os
from pathlib import Path


def listening() -> set[str]:
    """Addresses, as of /proc/net/tcp, on which this process and its children listen."""
    pids = [os.getpid(), *children(os.getpid())]
    sockets = set()
    for pid in pids:
        for link in Path(f"/proc/{pid}/fd").iterdir():
            try:
                target = str(link.readlink())
            except OSError:
                continue
            if target.startswith("socket:["):
                sockets.add(target[len("socket:[") : -1])
    found = set()
    for table in ("tcp", "tcp6"):
        path = Path("/proc/net") / table
        for line in path.read_text().splitlines()[1:] if path.exists() else []:
            cells = line.split()
            if cells[3] == "0A" and cells[9] in sockets:
                found.add(cells[1].partition(":")[0])
    return found


def children(pid: int) -> list[int]:
    """All that a process started, at first and second hand."""
    found = [
        int(one)
        for task in Path(f"/proc/{pid}/task").iterdir()
        for one in (task / "children").read_text().split()
    ]
    return found + [deeper for one in found for deeper in children(one)]

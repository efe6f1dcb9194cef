"""Processes of this machine: who started whom, who listens where."""

from __future__ import annotations

from contextlib import suppress

import psutil


def listening() -> set[str]:
    """Addresses on which this process and its children listen."""
    found = set()
    for process in (here := psutil.Process(), *here.children(recursive=True)):
        with suppress(psutil.NoSuchProcess):  # it may end while one looks
            links = process.net_connections("inet")
            found |= {link.laddr.ip for link in links if link.status == psutil.CONN_LISTEN}
    return found


def children(pid: int) -> list[int]:
    """All that a process started, and what they started."""
    return [process.pid for process in psutil.Process(pid).children(recursive=True)]

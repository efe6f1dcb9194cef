"""The machine that the program runs on, as a platform of one machine to begin with."""

from __future__ import annotations

import os
import platform

from machines.platform import Machine, Platform


def this_machine() -> Platform:
    """The computer that this runs on: its name, the cores that this process may use and its memory.

    Its speed is 1 by definition: other machines are measured against it. What else runs on it is
    not measured; add contenders where it is shared.

    Returns
    -------
    Platform
        One machine, no links; `memory_bytes` is None where the system does not tell.
    """
    name = platform.node().split(".")[0] or "this machine"
    machine = Machine(name, cores=max(1, len(usable_cores())), memory_bytes=_memory_bytes())
    return Platform(name, (machine,))


def usable_cores() -> list[int]:
    """The cores that this process may use, by number."""
    if hasattr(os, "sched_getaffinity"):
        return sorted(os.sched_getaffinity(0))
    return list(range(os.cpu_count() or 1))


def _memory_bytes() -> int | None:
    if not hasattr(os, "sysconf"):
        return None
    try:
        total = os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES")
    except (ValueError, OSError):  # the system does not know these names
        return None
    return total if total > 0 else None

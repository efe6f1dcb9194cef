"""What a reader of logs is: one record turns the log of an engine into runs."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

from advisor.runs.run_record import Run


@dataclass(frozen=True)
class LogReader:
    """One kind of log.

    `holds`: (path, head: its first 64 KiB; empty of a folder) → whether it is one: by content, not
        name.
    `read`: path → its runs, oldest first; InputError names the file and place.
    """

    name: str  # "run record", "Dask task stream", …: what the product calls it
    engine: str  # whose it is, as of `Run.engine`
    holds: Callable[[Path, bytes], bool]
    read: Callable[[Path], tuple[Run, ...]]
    suffixes: tuple[str, ...] = ()  # that such files often have: what the window offers first

"""Another Python that has SimGrid: which one, and a script run by it.

SimGrid is rarely where Placewise is installed: Debian and Ubuntu bring it to the system's Python.
`PLACEWISE_SIMGRID_PYTHON` names one that is to be asked alone.
"""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
import tempfile
import threading
from collections.abc import Callable, Sequence
from contextlib import suppress
from pathlib import Path
from time import monotonic
from typing import IO, Any, NamedTuple

from advisor.basics import json_text
from advisor.basics.stop_rule import ShouldStop
from machines.errors import InputError, PlacewiseError

VARIABLE = "PLACEWISE_SIMGRID_PYTHON"
HOW_TO_GET = (
    "Debian and Ubuntu: apt install python3-simgrid; elsewhere: pip install simgrid (it compiles "
    f"SimGrid), or a container; a Python that has it may be named by {VARIABLE}"
)
_PROBE = (
    "import simgrid; simgrid.Comm.sendto; simgrid.Host.route_to; simgrid.Actor.create; "
    "print(simgrid.simgrid_version)"
)
_PROBE_S = 20.0
_ASKED_S = 0.02

OnProgress = Callable[[float], None]


class Found(NamedTuple):
    """A Python that has SimGrid, and SimGrid's version."""

    python: str
    version: str


def find_simgrid(should_stop: ShouldStop | None = None) -> Found | None:
    """The first Python that has SimGrid: the one named by the environment, this one, the system's.

    Parameters
    ----------
    should_stop : callable, optional
        Asked every 20 ms; once stopped, there is none.

    Raises
    ------
    InputError
        None has it, with how to get it.
    """
    named = os.environ.get(VARIABLE)
    candidates = [named] if named else _usual()
    for python in candidates:
        version = _version(python, should_stop)
        if version:
            return Found(python, version)
        if should_stop is not None and should_stop():
            return None
    raise InputError(
        "no Python with SimGrid (module simgrid, 3.32 or later) is found",
        where=VARIABLE if named else "",
        value=named or ", ".join(candidates),
        remedy=HOW_TO_GET,
    )


def run_script(
    found: Found,
    text: str,
    on_progress: OnProgress | None = None,
    should_stop: ShouldStop | None = None,
) -> dict[str, Any] | None:
    """What a script writes; None if it was stopped.

    Parameters
    ----------
    found : Found
    text : str
        Of the script (`advisor.export.simgrid.script`).
    on_progress : callable, optional
        Called with the share of tasks that have ended.
    should_stop : callable, optional
        Asked every 20 ms.

    Raises
    ------
    PlacewiseError
        It failed; with what it said last.
    """
    with tempfile.TemporaryDirectory(prefix="placewise-simgrid-") as folder:
        script, result = Path(folder, "simulation.py"), Path(folder, "result.json")
        script.write_text(text, encoding="utf-8")
        command = [found.python, str(script), "--progress", "--output", str(result)]
        status, said = _run(command, folder, on_progress, should_stop)
        if status is None:
            return None
        if status != 0 or not result.is_file():
            raise PlacewiseError(
                "SimGrid could not simulate this plan",
                where=found.python,
                value=_reason(said),
                remedy="Export it (--to simgrid) and run the script to see more",
            )
        read: dict[str, Any] = json_text.parse(result.read_bytes(), result.name)  # type: ignore[assignment]
        return read


def _usual() -> list[str]:
    """Where SimGrid is looked for."""
    found = (sys.executable, shutil.which("python3"), "/usr/bin/python3")
    return list(dict.fromkeys(one for one in found if one))


def _version(python: str, should_stop: ShouldStop | None) -> str:
    """SimGrid's version in a Python; empty: it has none that would do, or it was stopped."""
    began = monotonic()
    try:
        with subprocess.Popen(
            [python, "-c", _PROBE], stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL, env=_environment(), text=True, encoding="utf-8",
            errors="replace",
        ) as asked:  # fmt: skip
            try:
                while True:
                    with suppress(subprocess.TimeoutExpired):
                        said, _ = asked.communicate(timeout=_ASKED_S)
                        break
                    late = monotonic() - began > _PROBE_S
                    if late or (should_stop is not None and should_stop()):
                        return ""
            finally:
                asked.kill()
    except (OSError, ValueError):
        return ""
    lines = said.split()
    return lines[-1] if asked.returncode == 0 and lines else ""


def _environment() -> dict[str, str]:
    """Without the settings of this Python, which are none for another one."""
    own = {"PYTHONHOME", "PYTHONPATH", "PYTHONSTARTUP"}
    return {name: value for name, value in os.environ.items() if name not in own}


def _run(
    command: Sequence[str],
    folder: str,
    on_progress: OnProgress | None,
    should_stop: ShouldStop | None,
) -> tuple[int | None, list[str]]:
    """(exit status, what it said); None: it was stopped."""
    said: list[str] = []
    with subprocess.Popen(
        command, stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE,
        cwd=folder, env=_environment(), text=True, encoding="utf-8", errors="replace",
    ) as process:  # fmt: skip
        assert process.stderr is not None
        shares: list[float] = []
        listener = threading.Thread(
            target=_listen, args=(process.stderr, shares, said), daemon=True, name="simgrid"
        )
        listener.start()
        try:
            while process.poll() is None:
                if should_stop is not None and should_stop():
                    return None, said
                if on_progress is not None and shares:
                    on_progress(shares[-1])
                listener.join(_ASKED_S)
        finally:
            if process.poll() is None:
                process.kill()
            listener.join()
        if should_stop is not None and should_stop():  # Ctrl-C reaches the other Python, too
            return None, said
        return process.returncode, said


def _listen(stream: IO[str], shares: list[float], said: list[str]) -> None:
    """Note progress, and what else is said."""
    for line in stream:
        words = line.split()
        if len(words) == 3 and words[0] == "progress":
            shares.append(int(words[1]) / int(words[2]))
        else:
            said.append(line)


def _reason(said: Sequence[str]) -> str:
    """The line of what a failed run said that tells most."""
    lines = [line.strip() for line in said if line.strip()]
    critical = [line for line in lines if "CRITICAL" in line or "Error" in line]
    return (critical or lines or ["nothing"])[-1].rpartition("] ")[2]

"""What a script for Dask does once it knows its tasks: carry them out, and write the record.

Scripts hold this text, after that of `shell` and `on_dask`; it imports distributed.
"""

from __future__ import annotations

import argparse
import csv
import os
import sys
import time
from pathlib import Path
from typing import Any, TextIO

from advisor.engines.on_dask import Lost, carried, connected, embedded, workers_of

_HEADER = (
    "run", "task", "machine", "ready_s", "fetch_start_s", "start_s", "end_s", "bytes_in", "status",
)  # fmt: skip


class Record:
    """The run record: a line for each task, written as it ends; seconds from the start."""

    def __init__(self, file: TextIO | None) -> None:
        self._file = file
        self._began = time.time()
        self.end_s: dict[str, float] = {}
        self.first_s = float("inf")
        self._write(_HEADER)

    def add(self, task: dict[str, Any], outcome: dict[str, Any]) -> None:
        """A task ended."""
        taken_s, end_s = outcome["taken"] - self._began, outcome["end"] - self._began
        ready_s = max((self.end_s[one] for one in task["after"]), default=0.0)
        fetch_s = outcome["fetch_s"]
        self.end_s[task["task"]] = end_s
        self.first_s = min(self.first_s, taken_s)
        self._write((
            "run 1", _safe(task["task"]), _safe(task["machine"]), ready_s,
            taken_s if fetch_s else None, taken_s + (fetch_s or 0.0), end_s, outcome["bytes"],
            "ok" if outcome["ok"] else "failed",
        ))  # fmt: skip

    def _write(self, row: tuple[object, ...]) -> None:
        if self._file is not None:
            csv.writer(self._file, lineterminator="\n").writerow(row)
            self._file.flush()


def main(
    tasks: list[dict[str, Any]],
    machines: dict[str, int],
    room: dict[str, dict[str, int]],
    commands: dict[str, Any],
    order: str,
    predicted_s: float,
) -> int:
    """Carry the tasks out as the arguments of this process say; the exit status."""
    asked = _arguments()
    lacking = [one["task"] for one in tasks if not commands.get(one["task"])]
    if lacking:
        print(f"Fill in COMMANDS: nothing to run for {', '.join(lacking)}", file=sys.stderr)
        return 2
    given = [
        one
        | {"work": commands[one["task"]], "folder": asked.folder}
        | {"environment": _environment(one, here=not asked.scheduler)}
        for one in tasks
    ]
    try:
        with connected(asked.scheduler) if asked.scheduler else embedded(machines) as client:
            addresses, there = workers_of(client, machines)
            missing = [name for name in machines if name not in addresses]
            if missing:
                names = ", ".join(one["name"] for one in there.values())
                print(f"No worker for {', '.join(missing)}; there are: {names}", file=sys.stderr)
                return 2
            events = carried(client, given, machines, room, addresses, order == "plan")
            with Path(asked.record or os.devnull).open("w", encoding="utf-8", newline="") as file:
                return _told(events, tasks, Record(file), predicted_s)
    except KeyboardInterrupt:
        return 130
    except (Lost, OSError) as error:
        print(f"The run can't continue: {error}", file=sys.stderr)
        return 1


def _told(events: Any, tasks: list[dict[str, Any]], record: Record, predicted_s: float) -> int:
    known = {one["task"]: one for one in tasks}
    status = 0
    for kind, name, value in events:
        if kind == "ended":
            task = known[name] | {"machine": value["machine"]}
            record.add(task, value)
            took = f"{value['end'] - value['taken']:.3f} s"
            print(f"{name!r} on {task['machine']!r}: {took}", flush=True)
            if not value["ok"]:
                status = 1
                print(f"{name!r} failed:\n{value['output']}", file=sys.stderr, flush=True)
        elif kind == "skipped":
            status = 1
            needs = ", ".join(map(repr, value))
            print(f"{name!r} did not run: it needs {needs}", file=sys.stderr, flush=True)
    if not status:
        makespan_s = max(record.end_s.values()) - record.first_s
        print(f"{len(tasks)} tasks ran in {makespan_s:.2f} s, predicted {predicted_s:.2f} s")
    return status


def _arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(allow_abbrev=False)
    parser.add_argument("--scheduler", help="of a running cluster; its workers' names count")
    parser.add_argument("--record", metavar="RUN.csv", help="write what happened here")
    parser.add_argument("--folder", default="", help="where commands run (default: here)")
    return parser.parse_args()


def _environment(task: dict[str, Any], *, here: bool) -> dict[str, str]:
    found = {
        "PLACEWISE_TASK": task["task"],
        "PLACEWISE_MACHINE": task["machine"],
        "PLACEWISE_CORES": str(task["cores"]),
    }
    if here:
        home = str(Path(sys.executable).parent)
        found["PATH"] = os.pathsep.join((home, os.environ.get("PATH", os.defpath)))
    return found


def _safe(name: str) -> str:
    """A cell that no spreadsheet takes for a formula."""
    return f"'{name}" if name.startswith(("=", "+", "-", "@", "\t", "\r")) else name

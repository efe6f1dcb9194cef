"""Chrome's trace events, which many runtimes and profilers write: a process a machine.

Complete events (`X`: `ts`, `dur`) and pairs of begin and end (`B`, `E`, nested by thread), all in
microseconds; `process_name` names the machines. Traces are written as things happen and may lack
their end: what is whole is read.
"""

from __future__ import annotations

import re
from collections import defaultdict
from pathlib import Path

from advisor.basics.content import read_content
from advisor.basics.quantities import count
from advisor.runs.logs.json_items import is_json_with, items
from advisor.runs.logs.log_lines import Gathering, real
from advisor.runs.logs.log_reader import LogReader
from advisor.runs.run_record import Run

_MARK = re.compile(rb'"ph"\s*:\s*"[A-Za-z(){}]"')
_MICRO = 1e-6
_OURS = "dedicated_s"  # what our own export writes of each task
PREDICTED = (
    "This trace holds times that Placewise predicted: an export of a plan, and nothing measured"
)

Event = dict[str, object]


def _holds(path: Path, head: bytes) -> bool:
    del path
    return is_json_with(head, _MARK)


def _read(path: Path) -> tuple[Run, ...]:
    content, _ = read_content(path)
    where = str(path)
    listed, cut = items(content, where, "traceEvents")
    events = [one for one in listed if isinstance(one, dict)]
    names = _processes(events)
    found = Gathering(where)
    stacks: dict[tuple[str, str], list[tuple[str, float]]] = defaultdict(list)
    unnamed: set[str] = set()
    for event in events:
        phase, name, at_s = event.get("ph"), event.get("name"), _seconds(event.get("ts"))
        process = str(event.get("pid", ""))
        thread = (process, str(event.get("tid", "")))
        machine = names.get(process, process)
        if phase not in ("X", "B", "E") or at_s is None:
            continue
        if process not in names:
            unnamed.add(process)
        if phase == "B":
            stacks[thread].append((str(name), at_s))
        elif phase == "E" and stacks[thread]:
            began, start_s = stacks[thread].pop()
            found.add(began, machine, start_s, at_s)
        elif phase == "X":
            lasted_s = _seconds(event.get("dur"))
            if lasted_s is None:
                found.add_open(str(name))
            else:
                found.add(str(name), machine, at_s, at_s + lasted_s)
    for left in stacks.values():
        for began, _ in left:
            found.add_open(began)
    return (found.run("", "", _notes(events, cut, len(unnamed))),)


def _notes(events: list[Event], cut: bool, unnamed: int) -> tuple[str, ...]:
    notes = ["The trace is cut: what follows its last whole event is lost"] if cut else []
    if any(isinstance(args := one.get("args"), dict) and _OURS in args for one in events):
        notes.append(PREDICTED)
    if unnamed:
        notes.append(f"{count(unnamed, 'process', 'processes')} without a name: a number instead")
    return tuple(notes)


def _processes(events: list[Event]) -> dict[str, str]:
    """Machines by process."""
    found: dict[str, str] = {}
    for event in events:
        args = event.get("args")
        if event.get("name") == "process_name" and isinstance(args, dict) and args.get("name"):
            found[str(event.get("pid", ""))] = str(args["name"])
    return found


def _seconds(value: object) -> float | None:
    """Of microseconds, a number; None: it is none."""
    micro = real(value)
    return None if micro is None else micro * _MICRO


READER = LogReader("Chrome trace", "", _holds, _read, (".json",))

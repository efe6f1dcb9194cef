"""Small problems whose tasks have commands, and what happens when they run."""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from pathlib import Path

import pytest

from advisor.allocation.plan import Plan
from advisor.allocation.problem import Problem
from advisor.allocation.workload import Flow, Task, Workload
from advisor.running import Ended, Event, Lost, Note, Replanned, RunSettings, Started, run_plan
from advisor.runs.run_record import Run
from machines import Machine, Platform

LONG = "sleep 60"


def problem_of(
    commands: dict[str, str],
    flows: Sequence[tuple[str, str]] = (),
    cores: tuple[int, int] = (1, 1),
    names: tuple[str, str] = ("M1", "M2"),
) -> Problem:
    """Tasks of one second each on two machines."""
    platform = Platform("two", tuple(map(Machine, names, cores)), ())
    tasks = tuple(Task(name, work=1.0, command=command) for name, command in commands.items())
    return Problem.of(platform, Workload("work", tasks, tuple(Flow(a, b) for a, b in flows)))


def heard(problem: Problem, plan: Plan, settings: RunSettings) -> tuple[Run, list[Event]]:
    """The run, and all that was told."""
    events: list[Event] = []
    return run_plan(problem, plan, settings, events.append), events


def told(events: list[Event]) -> list[str]:
    """Events as short texts: +a for a start, -a for an end, the text of a note."""
    shown = []
    for event in events:
        match event:
            case Started(task):
                shown.append(f"+{task}")
            case Ended(run):
                shown.append(f"-{run.task}")
            case Note(text) | Lost(text) | Replanned(text):
                shown.append(text)
    return shown


def living(group: int) -> list[str]:
    """The processes of a group that have not ended; those that nobody has reaped yet have."""
    if not Path("/proc/self/stat").exists():
        pytest.skip("this system does not show its processes as files")
    found = []
    for path in Path("/proc").glob("[0-9]*/stat"):
        try:
            name, _, rest = path.read_text().rpartition(")")
        except OSError:  # it has just ended
            continue
        state, _, its_group, *_ = rest.split()
        if int(its_group) == group and state not in "ZX":
            found.append(name)
    return found


def eventually(is_so: Callable[[], object]) -> None:
    """Wait for what another process does."""
    end = time.monotonic() + 30
    while not is_so():
        assert time.monotonic() < end, "it never came"
        time.sleep(0.01)


def written(path: Path) -> Callable[[], bool]:
    """Whether another process has written a line there by now."""
    return lambda: path.exists() and path.read_text(encoding="utf-8").endswith("\n")

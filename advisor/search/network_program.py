"""What transfers share, added to a constraint program of the contention-aware schedule.

Transfers that share a link or switch move at rates that change, so that they are no intervals; but
all bytes that cross a resource in some span of time fit into it. Three spans, each with the bytes
that the placement sends across, whatever it is: the whole schedule; from the first end of those
that a task reads from to its start; from a task's end to the last start of its readers.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from advisor.kernels.executed import Executed
from advisor.search.constraint_program import ScheduleProgram
from machines.arrays import Flags, Floats

_MOST_RESOURCES, _MOST_COPIES = 12, 6_000


class _Copy(NamedTuple):
    """An item that crosses a resource on its way to a machine, if `crosses`."""

    item: int
    machine: int
    readers: tuple[int, ...]
    crosses: Any
    ticks: int


def add_network(program: ScheduleProgram, executed: Executed) -> None:
    """Add the load of the resources over which most may move."""
    hosts = executed.startup_s.shape[1]
    moved = float(executed.size_bytes[np.isfinite(executed.size_bytes)].sum())
    routes = np.bincount(executed.passed, minlength=executed.capacity.size)
    weight = np.where(routes > 0, routes * moved / executed.capacity, 0.0)
    seconds, left = crossing_s(executed), _MOST_COPIES
    for resource in np.argsort(-weight, kind="stable")[:_MOST_RESOURCES].tolist():
        passes = np.zeros(hosts * hosts, dtype=np.bool_)
        passes[executed.pair[executed.passed == resource]] = True
        copies = _copies(program, executed, passes.reshape(hosts, hosts), seconds[resource])
        left -= len(copies)
        if left < 0:
            return
        _through(program, executed, copies)


def crossing_s(executed: Executed) -> Floats:
    """Seconds of every item alone on every resource, (resources, items)."""
    return np.asarray(executed.size_bytes / executed.capacity[:, None])


def _copies(
    program: ScheduleProgram, executed: Executed, passes: Flags, seconds: Floats
) -> list[_Copy]:
    """All that may cross the resource whose routes are `passes`, (hosts, hosts)."""
    found = []
    for item, lasts in enumerate(program.ticks(seconds).tolist()):
        writer, home = int(executed.writer[item]), int(executed.home[item])
        first, last = executed.first_slot[item : item + 2].tolist()
        if lasts <= 0 or executed.table[item] >= 0 or (writer < 0 and home < 0):
            continue
        every = tuple(executed.reader[first:last].tolist())
        for readers in [every] if executed.once else [(one,) for one in every]:
            for machine in sorted({on for one in readers for on in program.where(one)}):
                here = tuple(one for one in readers if (one, machine) in program.places)
                crosses = _crosses(program, writer, home, machine, here, passes[:, machine])
                if crosses is not None:
                    found.append(_Copy(item, machine, here, crosses, lasts))
    return found


def _crosses(
    program: ScheduleProgram,
    writer: int,
    home: int,
    machine: int,
    readers: tuple[int, ...],
    passes: Flags,
) -> Any:
    """Whether a copy to a machine crosses: a reader is there, and its source where it `passes`."""
    model = program.model
    there = [program.places[one, machine] for one in readers]
    if writer < 0:
        if not passes[home] or home == machine:
            return None
        source = 1
    else:
        away = [on for on in program.where(writer) if on != machine and passes[on]]
        if not away:
            return None
        source = sum(program.places[writer, on] for on in away)
    crosses = model.new_bool_var("")
    for one in there:
        model.add(crosses >= one + source - 1)
    return crosses


def _through(program: ScheduleProgram, executed: Executed, copies: list[_Copy]) -> None:
    """What crosses one resource fits into each span."""
    if not copies:
        return
    model = program.model
    begun, after = program.earliest_ends, program.least_rests
    writers = executed.writer
    release = min(begun[writers[one.item]] if writers[one.item] >= 0 else 0 for one in copies)
    rest = min(after[reader] for one in copies for reader in one.readers)
    every = sum(one.ticks * one.crosses for one in copies)
    anything = model.new_bool_var("")
    for one in copies:
        model.add_implication(one.crosses, anything)
    model.add(every + release + rest <= program.makespan).only_enforce_if(anything)
    read: dict[tuple[int, int], list[_Copy]] = {}
    made: dict[int, list[_Copy]] = {}
    for one in copies:
        for reader in one.readers:
            read.setdefault((reader, one.machine), []).append(one)
        if writers[one.item] >= 0:
            made.setdefault(int(writers[one.item]), []).append(one)
    for (reader, machine), into in read.items():
        _into(program, writers, reader, machine, into)
    for writer, out in made.items():
        _out_of(program, writer, out)


def _into(
    program: ScheduleProgram, writers: Any, reader: int, machine: int, copies: list[_Copy]
) -> None:
    """A task on a machine starts after all that it reads has come, from the first end on."""
    sources = sorted({int(writers[one.item]) for one in copies})
    if len(copies) < 2:
        return
    load = sum(one.ticks * one.crosses for one in copies)
    if sources[0] >= 0:
        load += program.first_end(sources)
    here = program.places[reader, machine]
    program.model.add(program.starts[reader] >= load).only_enforce_if(here)


def _out_of(program: ScheduleProgram, writer: int, copies: list[_Copy]) -> None:
    """All that a task makes has come when the last of its readers starts."""
    readers = sorted({reader for one in copies for reader in one.readers})
    if len(readers) < 2:
        return
    load = sum(one.ticks * one.crosses for one in copies)
    rest = min(program.least_rests[reader] for reader in readers)
    model = program.model
    model.add(program.ends[writer] + load + rest <= program.makespan)
    model.add(program.ends[writer] + load <= program.last_start(readers))

"""Execution time of a shared-memory application: counts of operations times what each one costs.

Parsons, Brorsson & Sevcik, IBM Systems Journal 36(4), 1997. A phase lasts as long as its slowest
processor. The distinct operations are found once, so that a what-if question costs one product of
matrices.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from advisor.models.dvsm_network import TODAY, Network, Technology
from advisor.models.dvsm_operations import (
    barrier_time,
    empty_miss_time,
    fault_time,
    lock_prefetch_time,
    lock_time,
    prefetch_time,
    service_time,
)
from machines.arrays import Floats
from machines.checks import LARGEST, number, whole
from machines.errors import InputError
from machines.formats.fields import Table, place, required, rows, table

# busy, what the processor does of overhead, and what it waits for the slowest
COMPONENTS = ("busy", "fault", "empty", "collection", "lock", "service", "barrier", "idle")

_FAULT = ("send_extra", "receive_extra", "fault_compute", "remote_compute", "remote_extra", "delay")
_BARRIER = ("send_extra", "receive_extra", "merge", "post")


@dataclass(frozen=True)
class Kind:
    """A kind of operation: its component of time, and the arguments it needs and may have."""

    component: str
    needed: tuple[str, ...]
    allowed: tuple[str, ...]

    @property
    def arguments(self) -> tuple[str, ...]:
        """All arguments, the needed ones first."""
        return self.needed + self.allowed


KINDS: Mapping[str, Kind] = {
    "fault": Kind("fault", ("parts", "request", "reply"), _FAULT),
    "collection": Kind("collection", ("parts", "request", "reply"), _FAULT),
    "empty_miss": Kind("empty", (), ("extra", "compute", "delay")),
    "lock": Kind("lock", ("parties",), ("extra", "compute", "remote_compute", "delay")),
    "release": Kind("lock", (), ("compute",)),
    "service": Kind("service", ("request", "reply"), ("remote_compute", "remote_extra")),
    "barrier": Kind("barrier", ("request", "release"), _BARRIER),
}

# the list of a processor's record that holds operations of a kind
LISTS: Mapping[str, str] = {
    "faults": "fault",
    "collections": "collection",
    "empty_misses": "empty_miss",
    "locks": "lock",
    "releases": "release",
    "services": "service",
    "barriers": "barrier",
}

_WHOLE = {"parts", "parties"}
_SIGNED = {"extra", "send_extra", "receive_extra", "remote_extra"}


@dataclass(frozen=True)
class Operation:
    """One kind of operation with its sizes and measured inputs.

    Attributes
    ----------
    kind : str
        One of `KINDS`.
    inputs : tuple of (name, value)
        Arguments of the kind's function, in its order; what is left out is 0.

    Raises
    ------
    InputError
        An unknown kind or argument, a missing one, or a value out of range.
    """

    kind: str
    inputs: tuple[tuple[str, float], ...] = ()

    def __post_init__(self) -> None:
        if self.kind not in KINDS:
            raise InputError(
                "unknown kind of operation", value=self.kind, remedy="Known: " + ", ".join(KINDS)
            )
        kind = KINDS[self.kind]
        given = table(dict(self.inputs), kind.arguments, self.kind)
        for name in kind.needed:
            required(given, name, self.kind)
        checked = ((name, _input(name, given[name])) for name in kind.arguments if name in given)
        object.__setattr__(self, "inputs", tuple(checked))

    @property
    def component(self) -> str:
        """The part of the execution time that it belongs to."""
        return KINDS[self.kind].component

    def time(self, net: Network, processors: int, technology: Technology = TODAY) -> float:
        """Mean time of one such operation, prefetched or not, µs.

        Faults: fault · fault_time + (1 − fault) · prefetch_time. Locks: lock · lock_time, or with
        `lock_mode` "prefetch" + (1 − lock) · lock_prefetch_time. Releases: compute. Collections
        and empty misses are never prefetched.
        """
        given: dict[str, Any] = dict(self.inputs)
        if self.kind == "fault":
            return _fault(net, given, technology)
        if self.kind == "lock":
            return _lock(net, given, technology)
        if self.kind == "release":
            return lock_time(net, 1, technology=technology, **given)
        if self.kind == "barrier":
            return barrier_time(net, processors, technology=technology, **given)
        return _PLAIN[self.kind](net, technology=technology, **given)


_PLAIN: Mapping[str, Callable[..., float]] = {
    "collection": fault_time,
    "empty_miss": empty_miss_time,
    "service": service_time,
}


@dataclass(frozen=True, eq=False)
class OperationCounts:
    """An application as numbers: how often each processor does what in each phase.

    Attributes
    ----------
    processors : int
        P.
    sequential_time : float
        Time of the sequential program on one of today's processors, µs.
    operations : tuple of Operation
        The K distinct operations.
    repeats : array (phases,)
        How often each phase runs.
    busy : array (phases, P)
        Time that a processor computes in one run of the phase, µs.
    counts : array (phases, P, K)
        Operations in one run of the phase; may be fractional.
    """

    processors: int
    sequential_time: float
    operations: tuple[Operation, ...]
    repeats: Floats
    busy: Floats
    counts: Floats

    def __post_init__(self) -> None:
        whole("processors", self.processors, low=1)
        number("sequential_time", self.sequential_time, above=True)
        shape = (len(self.repeats), self.processors)
        if not len(self.repeats):
            raise InputError("phases is empty", where="application", remedy="Give at least one")
        if self.busy.shape != shape or self.counts.shape != (*shape, len(self.operations)):
            raise InputError(
                "busy and counts need a row for each phase and a column for each processor",
                where="application",
                value=(self.busy.shape, self.counts.shape),
            )
        for name, low in (("repeats", 1.0), ("busy", 0.0), ("counts", 0.0)):
            values = np.ascontiguousarray(getattr(self, name), dtype=np.float64)
            if not (np.isfinite(values).all() and (values >= low).all()):
                worst = values[~((values >= low) & np.isfinite(values))].flat[0]
                raise InputError(
                    f"{name} is out of range", value=worst, remedy=f"Allowed: ≥ {low:g}"
                )
            values.setflags(write=False)
            object.__setattr__(self, name, values)


@dataclass(frozen=True, eq=False)
class ApplicationTime:
    """Execution time of an application and where it goes.

    Attributes
    ----------
    time : float
        Σ repeat · phase, µs.
    breakdown : mapping of str to float
        Means over the processors of each of `COMPONENTS`, µs; together they are `time`.
    speedup, efficiency : float
        Over the sequential program on one processor of the same technology; per processor.
    overhead : float
        time − sequential time/(x P), µs: what is not useful work evenly spread.
    parts : array (phases, P, 8)
        µs of each component for each processor in one run of the phase.
    repeats : array (phases,)
    operation_times : array (K,)
        µs of one operation of each kind.
    """

    time: float
    breakdown: Mapping[str, float]
    speedup: float
    efficiency: float
    overhead: float
    parts: Floats
    repeats: Floats
    operation_times: Floats


def application_time(
    net: Network,
    application: Mapping[str, object] | OperationCounts,
    technology: Technology = TODAY,
) -> ApplicationTime:
    """Execution time of an application: Σ repeat · max over processors of the sum of its parts.

    Parsons et al. 1997, section on application execution time. Averaging over the processors
    instead would be wrong.

    Parameters
    ----------
    net : Network
        What the measured inputs were measured on.
    application : mapping or OperationCounts
        ``{"processors": P, "sequential_time": µs, "phases": [{"repeat": n, "loads": [record of a
        processor]}]}``; a record holds "busy" and lists "faults", "collections", "empty_misses",
        "locks", "releases", "services", "barriers" of arguments with "count" (default 1).
    technology : Technology

    Raises
    ------
    InputError
        Unknown keys, values out of range, not one load for each processor.
    """
    given = application if isinstance(application, OperationCounts) else counted(application)
    P = given.processors
    each = np.array([operation.time(net, P, technology) for operation in given.operations])
    parts = np.zeros((*given.busy.shape, len(COMPONENTS)))
    parts[..., 0] = given.busy / technology.processor
    for k, operation in enumerate(given.operations):
        parts[..., COMPONENTS.index(operation.component)] += given.counts[..., k] * each[k]
    own = parts.sum(axis=2)
    lasts = own.max(axis=1)
    parts[..., -1] = lasts[:, None] - own
    parts.setflags(write=False)
    time = float(given.repeats @ lasts)
    if time <= 0.0:
        raise InputError("the application does nothing", where="application", value=time)
    alone = given.sequential_time / technology.processor
    means = given.repeats @ parts.mean(axis=1)
    return ApplicationTime(
        time=time,
        breakdown=dict(zip(COMPONENTS, map(float, means), strict=True)),
        speedup=alone / time,
        efficiency=alone / time / P,
        overhead=time - alone / P,
        parts=parts,
        repeats=given.repeats,
        operation_times=each,
    )


def counted(application: Mapping[str, object]) -> OperationCounts:
    """The counts that a plain mapping describes (see `application_time`).

    Raises
    ------
    InputError
        Naming phase, processor and key.
    """
    source = table(application, ("processors", "sequential_time", "phases"), "application")
    P = whole("processors", required(source, "processors", "application"), low=1)
    sequential = number(
        "sequential_time", required(source, "sequential_time", "application"), above=True
    )
    phases = [table(row, ("repeat", "loads"), f"phase {j}")
              for j, row in enumerate(rows(source, "phases"), 1)]  # fmt: skip
    known: dict[Operation, int] = {}
    busy = np.zeros((len(phases), P))
    entries: list[tuple[int, int, int, float]] = []
    for j, phase in enumerate(phases):
        for i, load in enumerate(_loads(phase, P, f"phase {j + 1}")):
            with place(f"phase {j + 1}, processor {i}"):
                busy[j, i] = number("busy", load.get("busy", 0.0))
                for operation, count in _operations(load):
                    entries.append((j, i, known.setdefault(operation, len(known)), count))
    counts = np.zeros((len(phases), P, len(known)))
    for j, i, k, count in entries:
        counts[j, i, k] += count
    repeats = [whole("repeat", phase.get("repeat", 1), low=1) for phase in phases]
    return OperationCounts(P, sequential, tuple(known), np.array(repeats, float), busy, counts)


def _loads(phase: Table, processors: int, where: str) -> list[Table]:
    loads = rows(phase, "loads")
    if len(loads) != processors:
        raise InputError(
            "each processor needs a load",
            where=where,
            value=len(loads),
            remedy=f"Expected: {processors}",
        )
    return [
        table(load, ("busy", *LISTS), f"{where}, processor {i}") for i, load in enumerate(loads)
    ]


def _operations(load: Table) -> Sequence[tuple[Operation, float]]:
    found = []
    for key, kind in LISTS.items():
        for position, row in enumerate(rows(load, key), 1):
            with place(f"{key} {position}"):
                entry = table(row, ("count", *KINDS[kind].arguments), "")
                inputs: dict[str, Any] = {key: entry[key] for key in entry if key != "count"}
                count = number("count", entry.get("count", 1.0))
                found.append((Operation(kind, tuple(inputs.items())), count))
    return found


def _input(name: str, value: object) -> float:
    if name in _WHOLE:
        return whole(name, value, low=1)
    return number(name, value, low=-LARGEST if name in _SIGNED else 0.0)


def _fault(net: Network, given: dict[str, Any], technology: Technology) -> float:
    share = technology.fault
    time = share * fault_time(net, technology=technology, **given) if share else 0.0
    if share == 1.0:
        return time
    here = {name: given[name] for name in _HERE if name in given}
    return time + (1.0 - share) * prefetch_time(net, technology=technology, **here)


_HERE = ("parts", "request", "reply", "send_extra", "receive_extra", "fault_compute")


def _lock(net: Network, given: dict[str, Any], technology: Technology) -> float:
    share = technology.lock
    time = share * lock_time(net, technology=technology, **given)
    if technology.lock_mode == "time" or share == 1.0:
        return time
    here = {name: given[name] for name in ("parties", "extra", "compute") if name in given}
    return time + (1.0 - share) * lock_prefetch_time(net, technology=technology, **here)

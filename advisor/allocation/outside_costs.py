"""Files from outside → arrays: when they can be on every machine, for every task that reads some.

Part of `advisor.allocation.costs`. Each reader fetches its own copy from the machine or store where
the file lies, all leaving at 0, each as if it had the network to itself.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from advisor.allocation.host_costs import BothHostCosts, HostCosts
from advisor.allocation.workload import Workload
from advisor.basics.quantities import count, number
from machines import InputError, Platform
from machines.arrays import Floats, Indices


@dataclass(frozen=True, eq=False)
class OutsideCosts:
    """Seconds by task and machine; 0 where a task reads nothing from outside, inf without route.

    Attributes
    ----------
    arrival_s, arrival_dedicated_s : array (tasks, machines)
        When the last of a task's files is there under contention, and what that file takes alone.
    total_s, total_dedicated_s : array (tasks, machines)
        The sums over its files.
    notes : tuple of str
        What is left out.
    """

    arrival_s: Floats
    arrival_dedicated_s: Floats
    total_s: Floats
    total_dedicated_s: Floats
    notes: tuple[str, ...] = ()

    def of(self, allocation: NDArray[np.integer]) -> OutsideCosts:
        """What every task takes where it is; arrays of shape (tasks,)."""
        each = np.arange(allocation.size)
        return OutsideCosts(
            self.arrival_s[each, allocation],
            self.arrival_dedicated_s[each, allocation],
            self.total_s[each, allocation],
            self.total_dedicated_s[each, allocation],
        )


@dataclass(frozen=True, eq=False)
class _Fetches:
    """One row for each file that a task reads from outside, by task."""

    reader: Indices
    file: Indices
    host: Indices
    size_bytes: Floats


def outside_costs(
    platform: Platform, workload: Workload, between: BothHostCosts
) -> OutsideCosts | None:
    """Arrays of all that tasks read from outside; ``None``: nothing.

    Raises
    ------
    InputError
        A file on an unknown machine or store, or numbers too large.
    """
    if not workload.outside:
        return None
    homes = file_homes(platform, workload)
    fetches = _fetches(workload, homes)
    shape = (len(workload.tasks), len(platform.machines))
    four = np.zeros((4, *shape))
    sums = OutsideCosts(four[0], four[1], four[2], four[3], left_out(platform, workload))
    if not fetches.reader.size:
        return sums
    seconds = _seconds(fetches, between.contended, between.thresholds, shape[1])
    alone = _seconds(fetches, between.dedicated, between.thresholds, shape[1])
    _check_sum(workload, fetches, seconds, between.contended)
    begin = np.flatnonzero(np.diff(fetches.reader, prepend=-1))
    rows = fetches.reader[begin]
    last = np.maximum.reduceat(seconds, begin)
    repeats = np.diff(begin, append=fetches.reader.size)
    # the time alone of the file that is the last; of several, of the one that takes most
    latest = np.where(seconds == np.repeat(last, repeats, axis=0), alone, 0.0)
    sums.arrival_s[rows] = last
    sums.arrival_dedicated_s[rows] = np.maximum.reduceat(latest, begin)
    sums.total_s[rows] = np.add.reduceat(seconds, begin)
    sums.total_dedicated_s[rows] = np.add.reduceat(alone, begin)
    return sums


def file_homes(platform: Platform, workload: Workload) -> Indices:
    """Host on which each file lies from the start, (files,); −1: a task makes it, or nowhere.

    Raises
    ------
    InputError
        `at` names neither a machine nor a store.
    """
    only = len(platform.machines) if len(platform.stores) == 1 else -1
    homes = np.full(len(workload.files), -1, np.int32)
    for position in workload.outside:
        file = workload.files[position]
        if file.at is not None and file.at not in platform.host_index:
            raise InputError(
                "this is neither a machine nor a store",
                where=f'file "{file.name}"',
                value=f"at = {file.at}",
                remedy="Machines and stores: " + ", ".join(platform.hosts[:20]),
            )
        homes[position] = only if file.at is None else platform.host_index[file.at]
    return homes


def left_out(platform: Platform, workload: Workload) -> tuple[str, ...]:
    """What is read from outside and lies nowhere, with its bytes: one sentence, or none."""
    if len(platform.stores) == 1:
        return ()
    files, readers = workload.files, workload.use.readers
    homeless = [at for at in workload.outside if files[at].at is None and readers[at]]
    total = sum(files[at].size_bytes for at in homeless)
    if total <= 0:
        return ()
    by_reader = sum(files[at].size_bytes * len(readers[at]) for at in homeless)
    more = f", {number(by_reader, 'B')} by all readers together" if by_reader > total else ""
    where = "state the store of these files"
    if not platform.stores:
        where = "give the platform a store, or state the machine of these files"
    return (
        f"Files that no task writes are left out: {count(len(homeless), 'file')} of "
        f"{number(total, 'B')}{more}; {where} (at)",
    )


def _fetches(workload: Workload, homes: Indices) -> _Fetches:
    """What tasks read from outside, by task; files without bytes or a home move nothing."""
    readers = workload.use.readers
    files = [
        file
        for file in workload.outside
        if homes[file] >= 0 and workload.files[file].size_bytes > 0.0
    ]
    lengths = [len(readers[file]) for file in files]
    reader = np.array([task for file in files for task in readers[file]], dtype=np.int32)
    file = np.repeat(np.array(files, dtype=np.int32), lengths)
    order = np.argsort(reader, kind="stable")
    sizes = np.array([file.size_bytes for file in workload.files])
    reader, file = reader[order], file[order]
    return _Fetches(reader, file, homes[file], sizes[file])


def _seconds(fetches: _Fetches, between: HostCosts, thresholds: Floats, machines: int) -> Floats:
    """Seconds of every fetch to every machine, shape (fetches, machines)."""
    size = np.searchsorted(thresholds, fetches.size_bytes)
    with np.errstate(over="ignore"):
        seconds: Floats = between.per_byte_s[size, fetches.host, :machines]
        seconds *= fetches.size_bytes[:, None]
        seconds += between.startup_s[size, fetches.host, :machines]
    seconds[fetches.host[:, None] == np.arange(machines)] = 0.0
    return seconds


def _check_sum(workload: Workload, fetches: _Fetches, seconds: Floats, between: HostCosts) -> None:
    """Refuse files whose seconds overflow, one by one or together."""
    routed = np.isfinite(between.startup_s[0, fetches.host, : seconds.shape[1]])
    longest = np.where(routed, seconds, 0.0).max(axis=1)
    with np.errstate(over="ignore"):
        together = longest.sum()
    if not np.isfinite(together):
        worst = workload.files[int(fetches.file[int(np.argmax(longest))])]
        raise InputError(
            "numbers too large: the transfer times overflow",
            where=f'file "{worst.name}"',
            value=worst.size_bytes,
            remedy="Give fewer bytes, a larger bandwidth or a smaller slowdown",
        )

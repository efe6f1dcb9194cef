"""The load of links, switches and stores that no plan avoids, as a bound on the makespan.

What lies on a store, or is made and read where tasks must be apart, crosses the same resources
wherever its readers are. Those bytes move one after the other through each: from the first that can
leave to the last, after which its reader must still run.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from advisor.allocation.alike import alike_rows
from advisor.allocation.bounds import Reach, squeezed
from advisor.allocation.execution import Executed
from machines.arrays import Flags, Floats, Indices, Ints

_EFFORT = 20_000_000  # entries of routes that may be visited


class _Crossing(NamedTuple):
    """Slots that must pass a resource; arrays of one length.

    When their bytes can begin to move at the earliest, and what must still follow their arrival.
    """

    resource: Indices
    item: Indices
    release_s: Floats
    rest_s: Floats


def network_bound(executed: Executed, reach: Reach, after_s: Floats) -> float:
    """Seconds that no plan undercuts, for the load of any one resource.

    makespan ≥ a + (bytes that can't move before a and leave b or more) / capacity + b. One copy of
    an item counts where a machine keeps it, one for each reader where each fetches its own.

    Parameters
    ----------
    executed : Executed
    reach : Reach
        Earliest ends and least rests; where tasks can be.
    after_s : array (tasks, machines)
        What a task takes from the arrival of its data to its end.
    """
    found = _crossings(executed, reach, after_s)
    if not found.resource.size:
        return 0.0
    order = np.lexsort((-found.rest_s, found.item, found.resource))
    resource, item = found.resource[order], found.item[order]
    release_s, rest_s = found.release_s[order], found.rest_s[order]
    kept = np.ones(resource.size, dtype=np.bool_)
    if executed.once:
        kept[1:] = (resource[1:] != resource[:-1]) | (item[1:] != item[:-1])
    share = executed.size_bytes[item] / executed.capacity[resource]
    return max(
        squeezed(release_s[rows], rest_s[rows], share[rows])
        for one in np.unique(resource)
        for rows in [np.flatnonzero((resource == one) & kept)]
    )


def _crossings(executed: Executed, reach: Reach, after_s: Floats) -> _Crossing:
    """All slots that must pass some resource wherever their tasks are."""
    usable = reach.usable
    ends = np.where(usable, reach.head, np.inf).min(axis=1)
    rests = np.where(usable, reach.tail + after_s, np.inf).min(axis=1)
    groups, group = alike_rows(usable)
    slots = np.flatnonzero(
        (executed.size_bytes[executed.item] > 0) & (executed.table[executed.item] < 0)
    )
    item = executed.item[slots]
    writer, reader = executed.writer[item], executed.reader[slots]
    slots = slots[(writer >= 0) | (executed.home[item] >= 0)]
    item, reader = executed.item[slots], executed.reader[slots]
    writer = executed.writer[item]
    source = np.where(writer >= 0, group[writer], len(groups) + executed.home[item])
    key = source.astype(np.int64) * len(groups) + group[reader]
    keys, which = np.unique(key, return_inverse=True)
    which = which.reshape(-1)
    weight = np.bincount(which, executed.size_bytes[item], minlength=keys.size)
    ranked = np.argsort(-weight, kind="stable")[: _EFFORT // (executed.passed.size + 1)]
    startup_s = executed.startup_s.min(axis=0)
    parts = []
    for one in ranked.tolist():
        origin, target = divmod(int(keys[one]), len(groups))
        passed, least_s = _unavoidable(executed, groups, origin, groups[target], startup_s)
        if not passed.size:
            continue
        rows = np.flatnonzero(which == one)
        made = writer[rows] >= 0
        release_s = np.where(made, ends[writer[rows]], 0.0)
        release_s += executed.messages[item[rows]].sum(axis=1) * least_s
        count = passed.size
        parts.append(
            _Crossing(
                np.tile(passed, rows.size).astype(np.int32),
                np.repeat(item[rows], count),
                np.repeat(release_s, count),
                np.repeat(rests[reader[rows]], count),
            )
        )
    if not parts:
        none = np.zeros(0)
        return _Crossing(none.astype(np.int32), none.astype(np.int32), none, none)
    return _Crossing(*(np.concatenate(columns) for columns in zip(*parts, strict=True)))


def _unavoidable(
    executed: Executed, groups: Flags, origin: int, targets: Flags, startup_s: Floats
) -> tuple[Ints, float]:
    """Resources on all routes from a group of machines, or a host, to `targets`; least startup.

    None where some may be on the same machine, or no route joins them.
    """
    hosts = startup_s.shape[0]
    from_host, to_host = np.zeros((2, hosts), dtype=np.bool_)
    if origin >= len(groups):
        from_host[origin - len(groups)] = True
    else:
        from_host[: targets.size] = groups[origin]
    to_host[: targets.size] = targets
    none = np.zeros(0, dtype=np.int64)
    if (from_host & to_host).any():
        return none, 0.0
    joined = np.isfinite(startup_s) & from_host[:, None] & to_host
    if not joined.any():
        return none, 0.0
    source, target = np.divmod(executed.pair, hosts)
    passes = from_host[source] & to_host[target]
    times = np.bincount(executed.passed[passes], minlength=executed.capacity.size)
    return np.flatnonzero(times == joined.sum()), float(startup_s[joined].min())

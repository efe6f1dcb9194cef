"""An execution on many machines of which a plan uses few: the arrays of those few alone.

The tables of an execution have an entry for every two hosts, and running it makes more of that
size. A machine without task or file changes nothing, so a plan of 60 tasks on 1,000 machines runs
in tables of 60.
"""

from __future__ import annotations

import numpy as np

from advisor.kernels.executed import Executed
from machines.arrays import Flags, Indices, Ints

_MANY = 64  # machines from which it pays
_FEW = 0.5  # share of the machines, at most


def of_used_machines(instance: Executed, allocation: Indices) -> tuple[Executed, Indices]:
    """The execution without machines that have neither task nor file, and the allocation there.

    Resources keep their numbers.
    """
    hosts = used_hosts(instance, allocation)
    if hosts is None:
        return instance, allocation
    total = instance.startup_s.shape[1]
    used = hosts[hosts < instance.machine_cores.size]
    place = np.full(total + 1, -1)  # the last: of an item that lies nowhere
    place[hosts] = np.arange(hosts.size)
    first_rate, rate = _gathered(instance.first_rate, used)
    first_group, group = _gathered(instance.first_group, used)
    routes = (hosts[:, None] * total + hosts).ravel()
    first_pass, passed = _gathered(instance.first_pass, routes)
    between = np.ix_(np.arange(instance.startup_s.shape[0]), hosts, hosts)
    stated = np.ix_(np.arange(instance.tables.shape[0]), hosts, hosts)
    fewer = instance._replace(
        work_s=np.ascontiguousarray(instance.work_s[:, used]),
        up_s=instance.up_s[used],
        machine_cores=instance.machine_cores[used],
        first_rate=first_rate.astype(instance.first_rate.dtype),
        rates=instance.rates[rate],
        draws=np.ascontiguousarray(
            instance.draws[:, used] if instance.draws.size else instance.draws
        ),
        memory_rate=instance.memory_rate[used],
        place=np.ascontiguousarray(instance.place[:, used]),
        kept=instance.kept._replace(keeps=_of(instance.kept.keeps, used)),
        first_group=first_group.astype(instance.first_group.dtype),
        group_cores=instance.group_cores[group],
        group_speed=instance.group_speed[group],
        home=place[instance.home].astype(instance.home.dtype),
        startup_s=instance.startup_s[between],
        per_byte_s=instance.per_byte_s[between],
        tables=instance.tables[stated],
        first_pass=first_pass.astype(instance.first_pass.dtype),
        passed=instance.passed[passed],
        pair=np.repeat(np.arange(routes.size), np.diff(first_pass)).astype(instance.pair.dtype),
        weight=instance.weight[routes],
    )
    return fewer, place[allocation].astype(allocation.dtype)


def used_hosts(instance: Executed, allocation: Indices) -> Ints | None:
    """The hosts that stay; ``None``: all, as it would not pay."""
    machines = instance.machine_cores.size
    if machines < _MANY or len(allocation) == 0:
        return None
    homes = instance.home[(instance.home >= 0) & (instance.home < machines)]
    used = np.unique(np.concatenate([allocation, homes]))
    if used.size > _FEW * machines:
        return None
    return np.concatenate([used, np.arange(machines, instance.startup_s.shape[1])]).astype(np.int64)


def _of(keeps: Flags, used: Ints) -> Flags:
    return keeps[used] if keeps.size else keeps


def _gathered(first: Indices | Ints, kept: Indices | Ints) -> tuple[Ints, Ints]:
    """(where those of each kept one begin, where they were) of runs that begin at `first`."""
    begin = first[kept].astype(np.int64)
    counts = first[kept + 1].astype(np.int64) - begin
    starts = np.concatenate([[0], np.cumsum(counts)])
    return starts, np.arange(starts[-1]) + np.repeat(begin - starts[:-1], counts)

"""Max–min fair rates of classes of transfers while these come and go.

Raise the rates of all transfers together, each in proportion to its weight; a resource that is
full freezes those that cross it; go on with the rest (Bertsekas & Gallager 1992, sec. 6.5). A
class's transfers have one rate, so that each has moved as far as any other since it joined: a
class keeps that *level*, and a heap of the levels at which its transfers end. Only the classes
that share resources with what changed, directly or through others, are solved anew.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from advisor.kernels import heaps
from advisor.kernels.executed import Executed, small
from advisor.kernels.heaps import Agenda
from machines.arrays import Floats

Array = Any

# entries of `count`
MARK, CLASSES, RESOURCES = 0, 1, 2

INLINED = (
    *("activate", "retire", "move", "join", "leave"),
    *("collect", "freeze", "lay_out", "fill", "first_end", "settle", "alone", "settle_class"),
)
BORROWING = (*INLINED, "cap_of", "narrowest")


class Flows(NamedTuple):
    """Where the classes stand; C classes, s slots, j resources.

    Attributes
    ----------
    members, root, due : int64 arrays (C,)
        Transfers under way, their heap in `key`, `left` and `right` (s,), and the first to end.
    level, rate, since : arrays (C,)
        Bytes that each has moved since the class was last empty, as of `since`; bytes/s.
    cap : array (C,)
        Bytes/s that one transfer can reach; negative: not yet known.
    seen, frozen : int64 arrays (C,)
        Marks of the present round.
    after, prior, head : int64 arrays (passes,), (passes,), (j,)
        Of every resource a list of the classes that cross it, by their place in `passed`.
    met : int64 array (j,)
        Mark of the present round.
    spare, pull, open : arrays (j,)
        Bytes/s left, weights of what is not frozen, and how many classes those are.
    classes, resources : int64 arrays
        The piece that is being solved.
    count : int64 array (3,)
        The present mark, and the size of the piece.
    """

    members: Array
    root: Array
    due: Array
    key: Array
    left: Array
    right: Array
    level: Array
    rate: Array
    since: Array
    cap: Array
    seen: Array
    frozen: Array
    after: Array
    prior: Array
    head: Array
    met: Array
    spare: Array
    pull: Array
    open: Array
    classes: Array
    resources: Array
    count: Array


def new_flows(executed: Executed) -> Flows:
    """No transfer is under way."""
    mixes = executed.shares.shape[0]
    routes = executed.weight.size
    classes, slots, resources = mixes * routes, executed.reader.size, executed.capacity.size
    passes = mixes * executed.passed.size
    return Flows(
        np.zeros(classes, np.int64),
        np.full(classes, -1),
        np.full(classes, -1),
        np.zeros(slots),
        np.full(slots, -1),
        np.full(slots, -1),
        np.zeros(classes),
        np.zeros(classes),
        np.zeros(classes),
        np.full(classes, -1.0),
        np.zeros(classes, np.int64),
        np.zeros(classes, np.int64),
        np.full(passes, -1),
        np.full(passes, -1),
        np.full(resources, -1),
        np.zeros(resources, np.int64),
        np.zeros(resources),
        np.zeros(resources),
        np.zeros(resources, np.int64),
        np.zeros(min(classes, slots), np.int64),
        np.zeros(resources, np.int64),
        np.zeros(3, np.int64),
    )


def cap_of(executed: Executed, one: int) -> float:
    """Bytes/s that a transfer of a class can reach alone; inf where its resources alone limit."""
    hosts = executed.startup_s.shape[1]
    mix, route = divmod(one, hosts * hosts)
    source, target = divmod(route, hosts)
    per_byte_s = 0.0
    for size in range(executed.shares.shape[1]):
        if executed.shares[mix, size] > 0.0:
            per_byte_s += executed.shares[mix, size] * executed.per_byte_s[size, source, target]
    least = np.inf
    for place in range(executed.first_pass[route], executed.first_pass[route + 1]):
        least = min(least, executed.capacity[executed.passed[place]])
    cap = 1.0 / per_byte_s if per_byte_s > 0.0 else np.inf
    return np.inf if cap >= least * (1.0 - 1e-12) else cap


def activate(executed: Executed, flows: Flows, one: int) -> None:
    """List a class, whose first transfer comes, with the resources that it crosses."""
    routes, size = executed.weight.size, executed.passed.size
    mix, route = one // routes, one % routes
    for place in range(executed.first_pass[route], executed.first_pass[route + 1]):
        node, head = mix * size + place, flows.head[executed.passed[place]]
        flows.after[node] = head
        flows.prior[node] = -1
        if head >= 0:
            flows.prior[head] = node
        flows.head[executed.passed[place]] = node


def retire(executed: Executed, flows: Flows, one: int) -> None:
    """Take a class, whose last transfer went, off the lists."""
    routes, size = executed.weight.size, executed.passed.size
    mix, route = one // routes, one % routes
    for place in range(executed.first_pass[route], executed.first_pass[route + 1]):
        node = mix * size + place
        after, prior = flows.after[node], flows.prior[node]
        if after >= 0:
            flows.prior[after] = prior
        if prior >= 0:
            flows.after[prior] = after
        else:
            flows.head[executed.passed[place]] = after


def move(flows: Flows, one: int, now: float) -> None:
    """How far the transfers of a class have come by now."""
    flows.level[one] += flows.rate[one] * (now - flows.since[one])
    flows.since[one] = now


def join(executed: Executed, flows: Flows, one: int, slot: int, now: float) -> None:
    """A transfer's bytes begin to move."""
    if flows.members[one] == 0:
        flows.level[one] = 0.0
        flows.rate[one] = 0.0
        flows.since[one] = now
        if flows.cap[one] < 0.0:
            flows.cap[one] = cap_of(executed, one)
        activate(executed, flows, one)
    move(flows, one, now)
    flows.members[one] += 1
    flows.key[slot] = flows.level[one] + executed.size_bytes[executed.item[slot]]
    flows.root[one] = heaps.melded(flows.key, flows.left, flows.right, flows.root[one], slot)


def leave(executed: Executed, flows: Flows, one: int) -> int:
    """The transfer of a class that ends first, taken out."""
    slot = flows.root[one]
    flows.root[one] = heaps.without_least(flows.key, flows.left, flows.right, slot)
    flows.members[one] -= 1
    if flows.members[one] == 0:
        retire(executed, flows, one)
    return int(slot)


def collect(executed: Executed, flows: Flows, resource: int) -> None:
    """The piece of a resource: the resources and classes joined with it; marks them."""
    routes, size = executed.weight.size, executed.passed.size
    mark = flows.count[MARK]
    flows.met[resource] = mark
    flows.resources[0] = resource
    found, classes, done = 1, 0, 0
    while done < found:
        node = flows.head[flows.resources[done]]
        done += 1
        while node >= 0:
            route = executed.pair[node % size]
            one = (node // size) * routes + route
            node = flows.after[node]
            if flows.seen[one] == mark:
                continue
            flows.seen[one] = mark
            flows.classes[classes] = one
            classes += 1
            for place in range(executed.first_pass[route], executed.first_pass[route + 1]):
                other = executed.passed[place]
                if flows.met[other] != mark:
                    flows.met[other] = mark
                    flows.resources[found] = other
                    found += 1
    flows.count[CLASSES] = classes
    flows.count[RESOURCES] = found


def freeze(executed: Executed, flows: Flows, one: int, ratio: float) -> None:
    """Fix a class's rate at `ratio` times its weight."""
    routes = executed.weight.size
    route = one % routes
    weight = executed.weight[route]
    flows.frozen[one] = flows.count[MARK]
    flows.rate[one] = ratio * weight
    pull = flows.members[one] * weight
    for place in range(executed.first_pass[route], executed.first_pass[route + 1]):
        resource = executed.passed[place]
        flows.spare[resource] = max(0.0, flows.spare[resource] - ratio * pull)
        flows.pull[resource] -= pull
        flows.open[resource] -= 1


def lay_out(executed: Executed, flows: Flows) -> int:
    """All of the piece's capacity is spare; returns how many classes have a cap of their own."""
    routes, capped = executed.weight.size, 0
    for index in range(flows.count[RESOURCES]):
        resource = flows.resources[index]
        flows.spare[resource] = executed.capacity[resource]
        flows.pull[resource] = 0.0
        flows.open[resource] = 0
    for index in range(flows.count[CLASSES]):
        one = flows.classes[index]
        route = one % routes
        pull = flows.members[one] * executed.weight[route]
        capped += flows.cap[one] < np.inf
        for place in range(executed.first_pass[route], executed.first_pass[route + 1]):
            flows.pull[executed.passed[place]] += pull
            flows.open[executed.passed[place]] += 1
    return capped


def narrowest(executed: Executed, flows: Flows, least: float) -> int:
    """The class whose own cap is reached first, at less than `least` of its weight; -1: none."""
    found = -1
    for index in range(flows.count[CLASSES]):
        one = flows.classes[index]
        if flows.frozen[one] != flows.count[MARK] and flows.cap[one] < np.inf:
            ratio = flows.cap[one] / executed.weight[one % executed.weight.size]
            if ratio < least:
                least, found = ratio, one
    return found


def fill(executed: Executed, flows: Flows) -> None:
    """Rates of the piece's classes: raise all, freeze those of a full resource, go on."""
    routes, size = executed.weight.size, executed.passed.size
    left, capped = flows.count[CLASSES], lay_out(executed, flows)
    while left > 0:
        least, full = np.inf, -1
        for index in range(flows.count[RESOURCES]):
            resource = flows.resources[index]
            if flows.open[resource] > 0:
                ratio = flows.spare[resource] / flows.pull[resource]
                if ratio < least:
                    least, full = ratio, resource
        narrow = narrowest(executed, flows, least) if capped > 0 else -1
        if narrow >= 0:
            freeze(executed, flows, narrow, flows.cap[narrow] / executed.weight[narrow % routes])
            left -= 1
            capped -= 1
            continue
        node = flows.head[full]
        while node >= 0:
            one = (node // size) * routes + executed.pair[node % size]
            node = flows.after[node]
            if flows.frozen[one] != flows.count[MARK]:
                freeze(executed, flows, one, least)
                left -= 1
                capped -= flows.cap[one] < np.inf


def first_end(flows: Flows) -> tuple[float, int]:
    """When the first transfer of the piece ends as things are, and its class."""
    first, ends = np.inf, -1
    for index in range(flows.count[CLASSES]):
        one = flows.classes[index]
        flows.due[one] = flows.root[one]
        distance = flows.key[flows.due[one]] - flows.level[one]
        end = flows.since[one] + max(0.0, distance) / flows.rate[one]
        if end < first:
            first, ends = end, one
    return first, ends


def settle(executed: Executed, flows: Flows, now: float) -> tuple[float, int]:
    """New rates of the piece from `now` on; when the first of its transfers ends, and its class.

    Returns
    -------
    time_s : float
        inf if the piece is empty.
    one : int
        Its class, or -1.
    """
    for index in range(flows.count[CLASSES]):
        move(flows, flows.classes[index], now)
    fill(executed, flows)
    return first_end(flows)


def alone(flows: Flows, one: int, now: float) -> tuple[float, int]:
    """As `settle`, of a class that shares nothing: each transfer has its cap."""
    flows.classes[0] = one
    flows.count[CLASSES] = 1 if flows.members[one] > 0 else 0
    flows.seen[one] = flows.count[MARK]
    move(flows, one, now)
    flows.rate[one] = flows.cap[one]
    return first_end(flows)


def settle_class(
    executed: Executed,
    flows: Flows,
    agenda: Agenda,
    one: int,
    now: float,
    trace: Floats,
    changes: int,
) -> int:
    """Rates of what shares resources with a class, piece by piece, and the next end of each.

    Notes the new loads in `trace` as far as there is room; returns how many there are by now.
    """
    route = one % executed.weight.size
    low, high = executed.first_pass[route], executed.first_pass[route + 1]
    classes = agenda.when.size - flows.members.size
    if low == high and flows.seen[one] != flows.count[MARK]:
        heaps.drop(agenda, classes + one)
        when, first = alone(flows, one, now)
        if first >= 0:
            heaps.put(agenda, classes + first, when)
    for place in range(low, high):
        resource = executed.passed[place]
        if flows.met[resource] == flows.count[MARK]:
            continue
        collect(executed, flows, resource)
        for index in range(flows.count[CLASSES]):
            heaps.drop(agenda, classes + flows.classes[index])
        when, first = settle(executed, flows, now)
        if first >= 0:
            heaps.put(agenda, classes + first, when)
        for index in range(flows.count[RESOURCES]):
            if changes < trace.shape[0]:
                other = flows.resources[index]
                trace[changes, 0] = now
                trace[changes, 1] = other
                trace[changes, 2] = executed.capacity[other] - flows.spare[other]
            changes += 1
    return changes


def warm_up() -> None:
    """Compile for the array types in use."""
    executed = small()
    flows = new_flows(executed)
    flows.count[MARK] = 1
    join(executed, flows, 1, 0, 0.0)
    collect(executed, flows, 0)
    settle(executed, flows, 0.0)
    agenda = heaps.new_agenda(flows.members.size)
    settle_class(executed, flows, agenda, 1, 0.0, np.empty((0, 3)), 0)
    alone(flows, leave(executed, flows, 1) + 1, 0.0)

"""Operations of a software shared memory: faults, cold pages, locks, barriers, serving others.

Parsons, Brorsson & Sevcik, IBM Systems Journal 36(4), 1997, Tables 3 to 6. Times in µs, sizes in
bytes. Extras, handlers, merge, post and delay are measurements of one application on one network.
"""

from __future__ import annotations

from advisor.models.dvsm_network import (
    TODAY,
    MessageCosts,
    Network,
    Technology,
    message_costs,
    software_time,
)
from machines.checks import LARGEST, number, whole
from machines.errors import InputError

# Table 3 and 6: bytes of a page, of the request for it or for a lock, and of a lock's grant
PAGE_REQUEST, PAGE = 12.0, 4096.0
LOCK_REQUEST, LOCK_GRANT = 24.0, 4.0


def fault_time(
    net: Network,
    parts: int,
    request: float,
    reply: float,
    send_extra: float = 0.0,
    receive_extra: float = 0.0,
    fault_compute: float = 0.0,
    remote_compute: float = 0.0,
    remote_extra: float = 0.0,
    delay: float = 0.0,
    technology: Technology = TODAY,
) -> float:
    """Time of a fault whose differences come from `parts` other processors.

    a + b + w + (parts − 1) max(a, b, w) + 2 LAT + fault_compute + signal + remote_compute
    + S(request) + S(reply) + remote_extra + delay, with a = S(request) + send_extra,
    b = S(reply) + receive_extra, w = W(request) + W(reply): requests, wire and replies are a
    pipeline of three stages. Parsons et al. 1997, Tables 4 and 5.

    Parameters
    ----------
    net : Network
    parts : int
        Processors that hold a part, ≥ 1.
    request, reply : float
        Sizes of the messages, ≥ 0.
    send_extra, receive_extra, remote_extra : float
        Measured system-call time above the network's, here and at the destination; may be
        negative.
    fault_compute, remote_compute : float
        Handler here and at the destination, ≥ 0.
    delay : float
        Wait at the destination's handler, ≥ 0.
    technology : Technology
    """
    costs = message_costs(net, technology)
    more = whole("parts", parts, low=1) - 1
    sending = costs.software(request, send_extra)
    receiving = costs.software(reply, receive_extra)
    wire = costs.wire(request) + costs.wire(reply)
    handlers = number("fault_compute", fault_compute) + number("remote_compute", remote_compute)
    return (
        sending
        + receiving
        + wire
        + more * max(sending, receiving, wire)
        + 2.0 * costs.latency
        + costs.handler_factor * handlers
        + costs.signal
        + _served(costs, request, reply, remote_extra)
        + costs.system_factor * number("delay", delay)
    )


def prefetch_time(
    net: Network,
    parts: int,
    request: float,
    reply: float,
    send_extra: float = 0.0,
    receive_extra: float = 0.0,
    fault_compute: float = 0.0,
    technology: Technology = TODAY,
) -> float:
    """What a fault costs the processor that fetched its parts in time.

    parts (S(request) + send_extra) + parts (S(reply) + receive_extra) + fault_compute: no waiting,
    wire, latency or destination. Parsons et al. 1997, section on prefetching.
    """
    costs = message_costs(net, technology)
    sides = costs.software(request, send_extra) + costs.software(reply, receive_extra)
    handler = costs.handler_factor * number("fault_compute", fault_compute)
    return whole("parts", parts, low=1) * sides + handler


def empty_miss_time(
    net: Network,
    extra: float = 0.0,
    compute: float = 0.0,
    delay: float = 0.0,
    technology: Technology = TODAY,
) -> float:
    """Time of the first touch of a page, which comes whole from one processor.

    2 S(12) + 2 S(4096) + extra + W(12) + W(4096) + 2 LAT + signal + compute + delay.
    Parsons et al. 1997, Table 3.

    Parameters
    ----------
    net : Network
    extra : float
        Measured system-call time of all four sides above the network's; may be negative.
    compute, delay : float
        Handlers, and wait at the destination's, ≥ 0.
    technology : Technology
    """
    costs = message_costs(net, technology)
    sides = software_pairs(net, PAGE_REQUEST, PAGE)
    return (
        costs.summed(sides, extra)
        + costs.wire(PAGE_REQUEST)
        + costs.wire(PAGE)
        + 2.0 * costs.latency
        + costs.signal
        + costs.handler_factor * number("compute", compute)
        + costs.system_factor * number("delay", delay)
    )


def lock_time(
    net: Network,
    parties: int,
    extra: float = 0.0,
    compute: float = 0.0,
    remote_compute: float = 0.0,
    delay: float = 0.0,
    technology: Technology = TODAY,
) -> float:
    """Time to acquire a free lock that `parties` processors take part in.

    With q = parties − 1: 2 q S(24) + 2 S(4) + extra + q W(24) + W(4) + parties LAT + q signal
    + compute + remote_compute + delay; a lock that is held here already: compute.
    Parsons et al. 1997, Table 6.

    Parameters
    ----------
    net : Network
    parties : int
        1 held here already; 2 the manager holds it or asks here; 3 manager and last holder.
    extra : float
        Measured system-call time of all sides above the network's; may be negative.
    compute, remote_compute, delay : float
        Handlers here and there, and waits at the handlers, ≥ 0.
    technology : Technology
    """
    costs = message_costs(net, technology)
    hops = _parties(parties)
    handlers = number("remote_compute", remote_compute) + number("compute", compute)
    waiting = costs.system_factor * number("delay", delay)
    if hops == 1:
        number("extra", extra, low=-LARGEST)
        return costs.handler_factor * compute
    asked = hops - 1
    sides = software_pairs(net, LOCK_REQUEST, LOCK_GRANT, asked)
    return (
        costs.summed(sides, extra)
        + costs.wire(LOCK_REQUEST, asked)
        + costs.wire(LOCK_GRANT)
        + hops * costs.latency
        + asked * costs.signal
        + costs.handler_factor * handlers
        + waiting
    )


def lock_prefetch_time(
    net: Network,
    parties: int,
    extra: float = 0.0,
    compute: float = 0.0,
    technology: Technology = TODAY,
) -> float:
    """What a lock costs that was asked for in time: S(24) + S(4) + extra/parties + compute.

    Its own request and grant only; a lock that is held here already: compute.
    """
    costs = message_costs(net, technology)
    hops = _parties(parties)
    handler = costs.handler_factor * number("compute", compute)
    if hops == 1:
        return handler
    sides = software_pairs(net, LOCK_REQUEST, LOCK_GRANT) / 2.0
    return costs.summed(sides, number("extra", extra, low=-LARGEST) / hops) + handler


def barrier_time(
    net: Network,
    processors: int,
    request: float,
    release: float,
    send_extra: float = 0.0,
    receive_extra: float = 0.0,
    merge: float = 0.0,
    post: float = 0.0,
    technology: Technology = TODAY,
) -> float:
    """Time of a barrier from the last arrival on, the master waiting for it (best case).

    The last arrival's S(request) + send_extra + W(request) + LAT + S(request) + receive_extra;
    merge; (P − 2) max(a, w) + a + w + LAT + b for the releases, with a = S(release) + send_extra,
    b = S(release) + receive_extra, w = W(release); post. P = 1: merge + post.
    Parsons et al. 1997, section on barriers.

    Parameters
    ----------
    net : Network
    processors : int
        P ≥ 1.
    request, release : float
        Sizes of the arrival's and the release's message, ≥ 0.
    send_extra, receive_extra : float
        Measured system-call time above the network's; may be negative.
    merge, post : float
        The master's work between arrivals and releases, and everyone's after it, ≥ 0.
    technology : Technology
    """
    costs = message_costs(net, technology)
    others = whole("processors", processors, low=1) - 1
    arrival = (
        costs.software(request, send_extra)
        + costs.wire(request)
        + costs.latency
        + costs.software(request, receive_extra)
    )
    sending, wire = costs.software(release, send_extra), costs.wire(release)
    released = sending + wire + costs.latency + costs.software(release, receive_extra)
    work = costs.handler_factor * (number("merge", merge) + number("post", post))
    if others == 0:
        return work
    return arrival + (others - 1) * max(sending, wire) + released + work


def service_time(
    net: Network,
    request: float,
    reply: float,
    remote_compute: float = 0.0,
    remote_extra: float = 0.0,
    technology: Technology = TODAY,
) -> float:
    """What serving one request takes from the processor that is asked.

    signal + S(request) + S(reply) + remote_extra + remote_compute. Waiting for the handler takes
    nothing from it. Parsons et al. 1997, section on request handling (sigio).
    """
    costs = message_costs(net, technology)
    handler = costs.handler_factor * number("remote_compute", remote_compute)
    return costs.signal + _served(costs, request, reply, remote_extra) + handler


def software_pairs(net: Network, request: float, reply: float, requests: float = 1.0) -> float:
    """Today's software of both sides of so many requests and one reply."""
    return 2.0 * (requests * software_time(net, request) + software_time(net, reply))


def _served(costs: MessageCosts, request: float, reply: float, extra: float) -> float:
    """Software at the destination: it receives the request and sends the reply."""
    return costs.summed(software_pairs(costs.net, request, reply) / 2.0, extra)


def _parties(parties: int) -> int:
    if whole("parties", parties, low=1) > 3:
        raise InputError("parties is out of range", value=parties, remedy="Allowed: 1, 2 or 3")
    return parties

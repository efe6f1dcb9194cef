"""LoGPC (Moritz & Frank, IEEE TPDS 12(4), 2001): what a message costs, alone and under load.

Pure functions of plain numbers; any one unit of time, sizes in bytes. Contention for channels
lives in `network_contention`, the wavefront in `diamond`; this module offers all of them.
"""

from __future__ import annotations

from advisor.models.diamond import (
    DiamondSteps,
    diamond_best_blocks,
    diamond_contention,
    diamond_makespan,
    diamond_optimum,
    diamond_steps,
)
from advisor.models.network_contention import (
    OCCUPANCIES,
    channel_occupancy,
    channel_utilisation,
    contention_closed,
    contention_open,
    inflation_bound,
    mean_distance,
    span_distance,
    switch_delay,
)
from machines.checks import number
from machines.errors import InputError
from machines.interconnect import LogGP

__all__ = [
    "OCCUPANCIES",
    "DiamondSteps",
    "asynchronous_cost",
    "channel_occupancy",
    "channel_utilisation",
    "contention_closed",
    "contention_open",
    "diamond_best_blocks",
    "diamond_contention",
    "diamond_makespan",
    "diamond_optimum",
    "diamond_steps",
    "em3d_messages",
    "inflation_bound",
    "long_message_time",
    "mean_distance",
    "pipeline_crossover",
    "pipelined_message_time",
    "short_message_time",
    "span_distance",
    "switch_delay",
    "synchronous_cost",
]


def short_message_time(p: LogGP, C_n: float = 0.0) -> float:
    """Time of one short message from sender to handler: o_s + L + C_n + o_r.

    Moritz & Frank 2001, Eq. (8), (9).

    Parameters
    ----------
    p : LogGP
        The parameters of short messages.
    C_n : float
        Network contention per message, ≥ 0.

    Raises
    ------
    InputError
        A negative or infinite C_n.
    """
    return p.o_s + p.L + number("C_n", C_n) + p.o_r


def long_message_time(p: LogGP, B: float, C_n: float = 0.0) -> float:
    """Time until the last byte of a long message arrived: o_s + L + (B − 1) G + C_n.

    Moritz & Frank 2001, Eq. (1), (10); o_s is o_sl, with the start of the DMA engine.

    Parameters
    ----------
    p : LogGP
        The parameters of long messages; G > 0.
    B : float
        Message size in bytes, ≥ 1.
    C_n : float
        Network contention per message, ≥ 0.
    """
    size, gap = number("B", B, low=1.0), number("G", p.G, above=True)
    return p.o_s + p.L + (size - 1.0) * gap + number("C_n", C_n)


def pipelined_message_time(p: LogGP, B: float) -> float:
    """Time until a long message is in the receiver's memory.

    o_s + L + max(o_r + a G + B G_m, (B − 1) G): the receiving DMA engine empties the input queue
    while bytes still arrive. Moritz & Frank 2001, Eq. (2).

    Parameters
    ----------
    p : LogGP
        The parameters of long messages; G > 0, G_m = 0 is an infinitely fast memory.
    B : float
        Message size in bytes, ≥ 1.
    """
    size, gap = number("B", B, low=1.0), number("G", p.G, above=True)
    return p.o_s + p.L + max(p.o_r + p.a * gap + size * p.G_m, (size - 1.0) * gap)


def pipeline_crossover(p: LogGP) -> float:
    """Size in bytes from which the network, not the memory, rules a pipelined message.

    (o_r + (a + 1) G)/(G − G_m), where both branches of Moritz & Frank 2001, Eq. (2) are equal.

    Raises
    ------
    InputError
        G_m ≥ G: the memory rules at any size.
    """
    if p.G_m >= p.G:
        raise InputError(
            "the memory must be faster than the network, or no size hides it",
            where="LogGP",
            value=p.G_m,
            remedy=f"Allowed: G_m < G = {p.G:g}",
        )
    return (p.o_r + (p.a + 1.0) * p.G) / (p.G - p.G_m)


def synchronous_cost(p: LogGP, C_n: float = 0.0, C_r: float | None = None) -> float:
    """Round trip of a request and its reply: 2 (o_s + L + C_n + o_r) + C_r.

    Moritz & Frank 2001, sec. 5.1.1.

    Parameters
    ----------
    p : LogGP
        The parameters of short messages.
    C_n : float
        Network contention per message, ≥ 0.
    C_r : float, optional
        Contention for the receiver's processor per round trip, ≥ 0; ``None``: o_s + o_r, one
        request of another node in the way.

    Raises
    ------
    InputError
        A negative or infinite C_n or C_r.
    """
    waiting = p.o_s + p.o_r if C_r is None else number("C_r", C_r)
    return 2.0 * short_message_time(p, C_n) + waiting


def asynchronous_cost(p: LogGP) -> float:
    """Processor time per message that each node sends and receives: o_s + o_r.

    Moritz & Frank 2001, sec. 5.1.2: nothing waits for the network, so its contention is hidden as
    long as it is short of the send operation's own queue.
    """
    return p.o_s + p.o_r


def em3d_messages(
    nodes: float, degree: float, nonlocal_share: float, P: int, values_per_message: float = 10
) -> float:
    """Messages per processor and iteration: nodes degree share/(P values_per_message).

    Each times `asynchronous_cost` is the communication of an iteration of EM3D.
    Moritz & Frank 2001, sec. 5.3.

    Parameters
    ----------
    nodes, degree : float
        Nodes of the graph, E and H together, and edges of each, ≥ 0.
    nonlocal_share : float
        Share of the edges that end on another processor, 0..1.
    P : int
        Processors, ≥ 1.
    values_per_message : float
        Values sent together, > 0.
    """
    edges = number("nodes", nodes) * number("degree", degree)
    crossing = edges * number("nonlocal_share", nonlocal_share, high=1.0)
    processors = number("P", P, low=1.0)
    return crossing / (processors * number("values_per_message", values_per_message, above=True))

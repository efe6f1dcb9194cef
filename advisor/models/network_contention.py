"""Contention in a loaded network (Moritz & Frank 2001, sec. 3): what a message waits for channels.

Agarwal's open model of k-ary n-cubes, closed by letting contention slow the senders down. Pure
functions of plain numbers; any one unit of time. `occ`, the time that a message occupies one
channel, is explicit, because the paper uses two readings of it: see `channel_occupancy`.
"""

from __future__ import annotations

import math

from machines.checks import number, whole
from machines.errors import InputError

OCCUPANCIES = ("bytes", "physical")


def channel_occupancy(B: float, G: float, occupancy: str = "physical") -> float:
    """How long a message of B bytes occupies one channel.

    "bytes": occ = B, as in Moritz & Frank 2001, sec. 3.4 and 5.1.3, right where a byte takes a
    unit of time; "physical": occ = B G, the only reading that fits their sec. 5.2.

    Parameters
    ----------
    B : float
        Message size in bytes, ≥ 1.
    G : float
        Gap per byte, > 0.
    occupancy : str
        "bytes" or "physical".

    Raises
    ------
    InputError
        A value out of range or an unknown occupancy.
    """
    size, gap = number("B", B, low=1.0), number("G", G, above=True)
    if occupancy not in OCCUPANCIES:
        raise InputError(
            "unknown occupancy", where="occupancy", value=occupancy, remedy="bytes or physical"
        )
    return size if occupancy == "bytes" else size * gap


def channel_utilisation(m: float, occ: float, k_d: float) -> float:
    """Share of time that a channel is busy: rho = m occ k_d/2.

    Moritz & Frank 2001, Eq. (4), with two channels a node and dimension. May exceed 1, which no
    network carries: `switch_delay` and `contention_open` refuse that.

    Parameters
    ----------
    m : float
        Messages of a node per unit of time, ≥ 0.
    occ : float
        Time that a message occupies a channel, > 0.
    k_d : float
        Mean hops per dimension, > 0.
    """
    rate, time = number("m", m), number("occ", occ, above=True)
    return rate * time * number("k_d", k_d, above=True) / 2.0


def switch_delay(m: float, occ: float, k_d: float, n: int) -> float:
    """Mean wait at one switch: w_b = rho occ/(1 − rho) · (k_d − 1)/k_d² · (1 + 1/n).

    Moritz & Frank 2001, Eq. (3) and (5), after Agarwal 1991.

    Parameters
    ----------
    m : float
        Messages of a node per unit of time, ≥ 0.
    occ : float
        Time that a message occupies a channel, > 0.
    k_d : float
        Mean hops per dimension, ≥ 1.
    n : int
        Dimensions of the network, ≥ 1.

    Raises
    ------
    InputError
        A value out of range, or channels that could not carry the messages (rho ≥ 1).
    """
    rate, time = number("m", m), number("occ", occ, above=True)
    hops, dimensions = _mean_hops(k_d), _dimensions(n)
    rho = channel_utilisation(rate, time, hops)
    if rho >= 1.0:
        raise InputError(
            "the network is saturated: its channels would be busy all the time",
            where="rho = m occ k_d/2",
            value=rho,
            remedy="Allowed: < 1; send less often, shorter messages or fewer hops",
        )
    return rho * time / (1.0 - rho) * (hops - 1.0) / hops**2 * (1.0 + 1.0 / dimensions)


def contention_open(m: float, occ: float, k_d: float, n: int) -> float:
    """Contention per message at a given rate: C_n = n k_d w_b.

    = (n + 1)(k_d − 1) occ² m/2 / (1 − m occ k_d/2). Moritz & Frank 2001, Eq. (6).

    Parameters
    ----------
    m, occ, k_d, n
        As `switch_delay`.

    Raises
    ------
    InputError
        As `switch_delay`.
    """
    delay = switch_delay(m, occ, k_d, n)
    return _dimensions(n) * _mean_hops(k_d) * delay


def contention_closed(T: float, occ: float, k_d: float, n: int, terms: float = 1.0) -> float:
    """Contention per message of senders that wait for it: C_n at m = 1/(T + terms C_n).

    With A = terms (n + 1)(k_d − 1) occ²/2 and D = occ k_d/2 the interval T_c = T + terms C_n
    solves (T_c − T)(T_c − D) = A; the physical root is the one ≥ max(T, D), so that rho < 1 at
    any T. Moritz & Frank 2001, Eq. (7).

    Parameters
    ----------
    T : float
        Time between messages of a node without contention, ≥ 0.
    occ : float
        Time that a message occupies a channel, > 0.
    k_d : float
        Mean hops per dimension, ≥ 1.
    n : int
        Dimensions of the network, ≥ 1.
    terms : float
        Messages' worth of contention per interval, > 0.
    """
    interval, time = number("T", T), number("occ", occ, above=True)
    hops, dimensions = _mean_hops(k_d), _dimensions(n)
    count = number("terms", terms, above=True)
    root_a = time * math.sqrt(count * (dimensions + 1) * (hops - 1.0) / 2.0)
    h = (interval - time * hops / 2.0) / 2.0
    r = math.hypot(h, root_a)
    # r − h, without the cancellation of two nearly equal numbers when messages are rare
    added = root_a / (h + r) * root_a if h > 0.0 else r - h
    return added / count


def inflation_bound(k_d: float, G: float, n: int, occupancy: str = "bytes") -> float:
    """How many times longer long messages get that follow each other: T_c/T at T = 2 G B.

    F/(2G), F = (2G + d + √((2G − d)² + 4a'))/2, d = q k_d/2, a' = (n + 1)(k_d − 1) q²/2, where
    q = occ/B: 1 ("bytes", the reading that gives the printed 2.22) or G ("physical").
    Moritz & Frank 2001, Eq. (13), (14).

    Parameters
    ----------
    k_d : float
        Mean hops per dimension, ≥ 1.
    G : float
        Gap per byte, > 0.
    n : int
        Dimensions of the network, ≥ 1.
    occupancy : str
        "bytes" or "physical": see `channel_occupancy`.

    Raises
    ------
    InputError
        A value out of range or an unknown occupancy.
    """
    q = channel_occupancy(1.0, G, occupancy)
    return 1.0 + contention_closed(2.0 * G, q, k_d, n) / (2.0 * G)


def mean_distance(k: int) -> float:
    """Mean of |i − j| over all pairs of 0 … k − 1, i = j included: (k² − 1)/(3k).

    Moritz & Frank 2001, Eq. (11), of one dimension of k nodes.

    Raises
    ------
    InputError
        k is not a whole number ≥ 1.
    """
    nodes = whole_number("k", k, low=1)
    return (nodes**2 - 1) / (3 * nodes)


def span_distance(k: int, l: int) -> float:  # noqa: E741
    """Mean hops in one dimension of k nodes to destinations within `l` hops, i = j included.

    The mean over the sources i of the mean of |i − j|, j in i − l … i + l, cut at the edges.
    Moritz & Frank 2001, sec. 3.3.

    Raises
    ------
    InputError
        k is not a whole number ≥ 1, or l not one ≥ 0.
    """
    nodes, span = whole_number("k", k, low=1), whole_number("l", l)
    if span >= nodes - 1:
        return mean_distance(nodes)
    total = 0.0
    for source in range(nodes):
        below, above = min(source, span), min(nodes - 1 - source, span)
        hops = (below * (below + 1) + above * (above + 1)) // 2
        total += hops / (below + above + 1)
    return total / nodes


def whole_number(name: str, value: float, *, low: int = 0) -> int:
    """A whole number ≥ low, also written 3.0; InputError otherwise."""
    count = int(value) if isinstance(value, float) and value.is_integer() else value
    return whole(name, count, low=low)


def _mean_hops(k_d: float) -> float:
    try:
        return number("k_d", k_d, low=1.0)
    except InputError as error:
        raise InputError(
            "k_d is out of range",
            value=k_d,
            remedy="Allowed: ≥ 1; below one hop per dimension the model does not apply",
        ) from error


def _dimensions(n: float) -> int:
    return whole_number("n", n, low=1)

"""Check by simulation: messages that hold their way through a network, one by one.

Wormhole switching at the level of messages: a header acquires the channels of its route and then
its receiver, first come, first served; a blocked header keeps what it holds; once it has arrived
the message takes `occ`, then frees its whole path. Headers take no time. Where rings need lanes
see `advisor.paths`: messages on two lanes of one channel go at half its rate.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike, NDArray
from scipy import stats

from advisor import kernels
from advisor.kernels import wormhole as kernel
from advisor.paths import Paths, checked_probabilities, paths_of
from machines.checks import number, whole
from machines.errors import InputError, PlacewiseError
from machines.network import Network
from machines.traffic import Routes, routes_of

CLOSED = "closed"
OPEN = "open"
FIXED = "fixed"
EXPONENTIAL = "exponential"
LEAD = 32

_BATCHES = 20
_WARM_UP = 0.2  # share of the messages that are not counted
_CONFIDENCE = 0.95
_PLAIN_SLICE, _COMPILED_SLICE = 64, 1024  # messages between two looks at `should_stop`

Floats = NDArray[np.float64]


@dataclass(frozen=True, eq=False)
class Simulated:
    """What a simulation measured; means over all messages after the warm-up.

    Attributes
    ----------
    T_c : float
        Time per message of a sending node: senders · time/messages. Not a number before two
        batches are complete, as all figures.
    half_width : float
        Of the 95 % confidence interval of `T_c`.
    C_n : float
        Contention per message: closed T_c − max(T, occ), open the wait for channels and receiver,
        without the queue at the source.
    C_n_half_width : float
    node_T_c : array, (P,)
        Time per message of each node; inf where none was sent.
    utilisation : array, (channels,)
        Share of time that each channel of the network carries a message.
    receivers : array, (P,)
        Share of time that each receiver takes a message in.
    messages : int
        Messages counted.
    fraction : float
        Share of the wanted messages simulated.
    complete : bool
        False when it was stopped before its end.
    """

    T_c: float
    half_width: float
    C_n: float
    C_n_half_width: float
    node_T_c: Floats
    utilisation: Floats
    receivers: Floats
    messages: int
    fraction: float
    complete: bool


def simulate(
    network: Network | Routes,
    probabilities: ArrayLike,
    T: float,
    occ: float,
    *,
    messages: int = 100_000,
    seed: int = 0,
    mode: str = CLOSED,
    variability: str | None = None,
    lead: int | None = LEAD,
    on_progress: Callable[[Simulated], None] | None = None,
    should_stop: Callable[[], bool] | None = None,
) -> Simulated:
    """Simulate messages on a network.

    Closed: a node pauses for T − occ when its message has ended, then sends the next, so that T
    is the interval without contention, as in Moritz & Frank 2001, sec. 3.3. Open: messages appear
    at every node with mean interval T, and wait at the source for those before them.

    Parameters
    ----------
    network : Network or Routes
        Of P nodes.
    probabilities : array_like, (P, P)
        Of the destination (column) of a message of each node (row); a row of zeros is silent.
    T, occ : float
        Mean interval, ≥ 0 (open: > 0), and time that a message occupies a channel, > 0.
    messages : int
        To simulate, a fifth of them to warm up; at least 100.
    seed : int
        The same seed gives the same result.
    mode : {"closed", "open"}
    variability : {"fixed", "exponential"}, optional
        Of the pauses or intervals; by default fixed for closed and exponential for open, which
        is what measurements of flit-level simulations were reproduced with.
    lead : int, optional
        Messages by which a node of the closed mode may be ahead of the slowest, ≥ 1: all nodes
        send equally many, as in a program that synchronises now and then. None: any number.
    on_progress : callable, optional
        Told of the result so far after every batch.
    should_stop : callable, optional
        Asked every few milliseconds.

    Raises
    ------
    InputError
        A value out of range, or probabilities of nobody who sends.
    PlacewiseError
        The messages block one another: the routes of the network admit a deadlock.
    """
    routes = network if isinstance(network, Routes) else routes_of(network)
    chances = checked_probabilities(probabilities, routes.network.size)
    paths = paths_of(routes, chances > 0.0)
    traffic = _traffic(paths, chances, T, occ, mode, lead)
    kind = variability or (EXPONENTIAL if mode == OPEN else FIXED)
    if kind not in (FIXED, EXPONENTIAL):
        raise InputError("unknown variability", value=kind, remedy=f"{FIXED} or {EXPONENTIAL}")
    run = _Run(paths, traffic, whole("messages", messages, low=100), float(T), kind, seed)
    stop = should_stop or (lambda: False)
    while not run.done and not stop():
        if run.slice() and on_progress is not None:
            on_progress(run.result())
    return run.result()


def _traffic(
    paths: Paths, chances: Floats, T: float, occ: float, mode: str, lead: int | None
) -> kernel.Traffic:
    duration = number("occ", occ, above=True)
    if mode not in (CLOSED, OPEN):
        raise InputError("unknown mode", value=mode, remedy=f"{CLOSED} or {OPEN}")
    is_open = mode == OPEN
    interval = number("T", T, above=is_open)
    ahead = 0 if lead is None or is_open else whole("lead", lead, low=1)
    cumulative = np.cumsum(chances, axis=1)
    last = cumulative[:, -1:]
    return kernel.Traffic(
        paths.offsets,
        paths.slots,
        paths.partner,
        np.divide(cumulative, last, out=np.zeros_like(cumulative), where=last > 0.0),
        duration,
        interval if is_open else max(interval - duration, 0.0),
        is_open,
        ahead,
    )


class _Run:
    """A simulation under way: slices of messages, and what was seen at the ends of batches."""

    def __init__(
        self, paths: Paths, traffic: kernel.Traffic, messages: int, T: float, kind: str, seed: int
    ) -> None:
        self.paths, self.traffic, self.wanted, self.kind = paths, traffic, messages, kind
        self.base = max(T, traffic.occ)
        self.rng = np.random.default_rng(whole("seed", seed))
        begins = self.rng.random(paths.routes.network.size) * self.base
        self.state = kernel.new_state(traffic, begins)
        self.started, self.batches = 0, 0
        warm = round(messages * _WARM_UP)
        self.ends = warm + np.arange(_BATCHES + 1) * (messages - warm) // _BATCHES
        self.ends[-1] = messages
        self.size = _COMPILED_SLICE if kernels.loaded() else _PLAIN_SLICE
        # time, messages, wait at the ends of warm-up and batches
        self.marks = np.zeros((_BATCHES + 1, 3))
        self.sent = self.state.sent.copy()
        self.carried = self.state.carried.copy()

    @property
    def done(self) -> bool:
        return self.started >= self.wanted

    def slice(self) -> bool:
        """Simulate some messages; whether they completed a batch that makes a result."""
        end = int(self.ends[self.batches])
        draws = self.rng.random((min(self.size, end - self.started), 2))
        lengths = -np.log1p(-draws[:, 1]) if self.kind == EXPONENTIAL else np.ones(len(draws))
        if not kernel.advance(self.traffic, self.state, draws[:, 0].copy(), lengths):
            raise PlacewiseError(
                "the messages block one another for ever",
                where=self.paths.routes.network.kind,
                remedy="Use routes that can't form a circle of channels",
            )
        self.started += len(draws)
        if self.started < end:
            return False
        count, clock = self.state.count, self.state.clock
        self.marks[self.batches] = clock[kernel.NOW], count[kernel.COMPLETED], clock[kernel.WAITED]
        if self.batches == 0:
            self.sent, self.carried = self.state.sent.copy(), self.state.carried.copy()
        self.batches += 1
        return self.batches > 2

    def result(self) -> Simulated:
        """The figures of the batches that are complete."""
        marks = self.marks[: self.batches]
        senders = int((self.traffic.cumulative[:, -1] > 0.0).sum())
        times, counts, waits = np.diff(marks, axis=0).T if len(marks) else np.zeros((3, 0))
        T_c, half_width = _mean(senders * times, counts)
        wait, wait_half_width = _mean(waits, counts)
        since = float(self.state.clock[kernel.NOW] - (marks[0, 0] if len(marks) else 0.0))
        busy = (self.state.carried - self.carried) * self.traffic.occ / max(since, 1e-300)
        with np.errstate(divide="ignore"):
            node_T_c = since / (self.state.sent - self.sent)
        is_open = self.traffic.open
        return Simulated(
            T_c=T_c,
            half_width=half_width,
            C_n=wait if is_open else T_c - self.base,
            C_n_half_width=wait_half_width if is_open else half_width,
            node_T_c=node_T_c,
            utilisation=self.paths.by_channel(busy),
            receivers=self.paths.by_receiver(busy),
            messages=int(counts.sum()),
            fraction=self.started / self.wanted,
            complete=self.done,
        )


def _mean(amounts: Floats, counts: Floats) -> tuple[float, float]:
    """Amount per count, and the half width of its confidence interval by batch means."""
    batches = len(counts)
    if batches < 2:
        return float("nan"), float("nan")
    means = amounts / counts
    t = float(stats.t.ppf(0.5 + _CONFIDENCE / 2.0, batches - 1))
    half_width = t * float(means.std(ddof=1)) / batches**0.5
    return float(amounts.sum() / counts.sum()), half_width

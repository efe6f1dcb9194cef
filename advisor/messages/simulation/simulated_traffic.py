"""Check by simulation: messages that hold their way through a network, one by one.

Wormhole switching at the level of messages: a header acquires the channels of its route and then
its receiver, first come, first served; a blocked header keeps what it holds; once it has arrived
the message takes `occ`, then frees its whole path. Headers take no time. Where rings need lanes
see `advisor.models.message_paths`: messages on two lanes of one channel go at half its rate.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike
from scipy import special

from advisor import kernels
from advisor.basics.stop_rule import ShouldStop
from advisor.kernels import wormhole_kernel as kernel
from advisor.models.message_paths import Paths, checked_probabilities, paths_of
from machines.arrays import Floats
from machines.checks import number, whole
from machines.errors import InputError, PlacewiseError
from machines.network import Network
from machines.traffic import Routes, routes_of

CLOSED = "closed"
OPEN = "open"
FIXED = "fixed"
EXPONENTIAL = "exponential"
LEAD = 16

_BATCHES = 20
_WARM_UP = 0.2  # share of the messages that are not counted
_CONFIDENCE = 0.95
_PLAIN_SLICE, _COMPILED_SLICE = 64, 1024  # messages between two looks at `should_stop`


@dataclass(frozen=True, eq=False)
class Simulated:
    """What a simulation measured; means over all messages after the warm-up.

    `T_c`: time per message of a sending node: senders · time/messages. Not a number, as C_n and the
        half widths, before two batches are complete.
    `C_n`: contention per message: closed T_c − max(T, occ), open the wait for channels and
        receiver, without the queue at the source.
    `utilisation`: shape (channels,); share of time that each channel of the network carries a
        message.
    """

    T_c: float
    half_width: float  # of the 95 % confidence interval of `T_c`
    C_n: float
    C_n_half_width: float
    node_T_c: Floats  # shape (P,); time per message of each node; inf where none was sent
    utilisation: Floats
    receivers: Floats  # shape (P,); share of time that each receiver takes a message in
    messages: int  # messages counted
    fraction: float  # share of the wanted messages simulated
    complete: bool  # False when it was stopped before its end


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
    should_stop: ShouldStop | None = None,
) -> Simulated:
    """Simulate messages on a network.

    Closed: a node pauses for T − occ when its message has ended, then sends the next, so that T
    is the interval without contention, as in Moritz & Frank 2001, sec. 3.3. Open: messages appear
    at every node with mean interval T, and wait at the source for those before them.

    `network`: of P nodes.
    `probabilities`: shape (P, P); of the destination (column) of a message of each node (row); a
        row of zeros is silent.
    `T`, `occ`: mean interval, ≥ 0 (open: > 0), and time that a message occupies a channel, > 0.
    `messages`: to simulate, a fifth of them to warm up; at least 100. Leads take some hundred a
        node to build up.
    `seed`: the same seed gives the same result.
    `mode`: {"closed", "open"}.
    `variability`: {"fixed", "exponential"}; of the pauses or intervals; by default fixed for closed
        and exponential for open, which is what measurements of flit-level simulations were
        reproduced with.
    `lead`: messages by which a node of the closed mode may be ahead of the slowest, ≥ 1: all nodes
        send equally many, as in a program that synchronises now and then. None: any number.
    `on_progress`: told of the result so far after every batch.
    `should_stop`: asked every few milliseconds.
    """
    routes = network if isinstance(network, Routes) else routes_of(network)
    chances = checked_probabilities(probabilities, routes.network.size)
    paths = paths_of(routes, chances > 0.0)
    traffic = _traffic(paths, chances, T, occ, mode, lead)
    kind = variability or (EXPONENTIAL if mode == OPEN else FIXED)
    if kind not in (FIXED, EXPONENTIAL):
        raise InputError("unknown variability", value=kind, remedy=f"{FIXED} or {EXPONENTIAL}")
    run = _TrafficUnderWay(
        paths, traffic, whole("messages", messages, low=100), float(T), kind, seed
    )
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


class _TrafficUnderWay:
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
        # at the ends of warm-up and batches: messages and last end by node, all waits
        self.sent = np.zeros((_BATCHES + 1, len(begins)))
        self.ended = np.zeros((_BATCHES + 1, len(begins)))
        self.waited = np.zeros(_BATCHES + 1)
        self.began, self.carried = 0.0, self.state.carried

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
                "the messages deadlock",
                where=self.paths.routes.network.kind,
                remedy="Use routes that can't form a circle of channels",
            )
        self.started += len(draws)
        if self.started < end:
            return False
        clock = self.state.clock
        self.sent[self.batches], self.ended[self.batches] = self.state.sent, self.state.ended
        self.waited[self.batches] = clock[kernel.WAITED]
        if self.batches == 0:
            self.began, self.carried = float(clock[kernel.NOW]), self.state.carried.copy()
        self.batches += 1
        return self.batches > 2

    def result(self) -> Simulated:
        """The figures of the batches that are complete."""
        seen = max(self.batches, 1)
        sent, ended = self.sent[:seen], self.ended[:seen]
        waits, counts = np.diff(self.waited[:seen]), np.diff(sent, axis=0)
        senders = int((self.traffic.cumulative[:, -1] > 0.0).sum())
        rates = _rates(counts, np.diff(ended, axis=0)).sum(axis=1)
        node_rates = _rates(sent[-1] - sent[0], ended[-1] - ended[0])
        with np.errstate(divide="ignore"):
            node_T_c = 1.0 / node_rates
        T_c = senders / float(node_rates.sum()) if seen > 2 else math.nan
        half_width = confidence(senders / rates) if rates.all() else math.nan
        total = counts.sum(axis=1)
        wait = float(waits.sum() / total.sum()) if seen > 2 else math.nan
        wait_half_width = confidence(waits / total) if total.all() else math.nan
        since = float(self.state.clock[kernel.NOW]) - self.began
        busy = (self.state.carried - self.carried) * self.traffic.occ / (since or math.inf)
        is_open = self.traffic.open
        return Simulated(
            T_c=T_c,
            half_width=half_width,
            C_n=wait if is_open else T_c - self.base,
            C_n_half_width=wait_half_width if is_open else half_width,
            node_T_c=node_T_c,
            utilisation=self.paths.by_channel(busy),
            receivers=self.paths.by_receiver(busy),
            messages=int(total.sum()),
            fraction=self.started / self.wanted,
            complete=self.done,
        )


def _rates(counts: Floats, times: Floats) -> Floats:
    """Messages per time; 0 where there was none."""
    return np.divide(counts, times, out=np.zeros_like(times), where=counts > 0)


def confidence(means: Floats) -> float:
    """Half width of the 95 % confidence interval of the mean of batches; nan for less than two."""
    batches = len(means)
    if batches < 2:
        return math.nan
    t = float(special.stdtrit(batches - 1, 0.5 + _CONFIDENCE / 2.0))  # Student's t
    return t * float(means.std(ddof=1)) / math.sqrt(batches)

"""The styles study checked by simulation: long messages of its case, one by one on the network.

At the chosen size, at some sizes along the curves and, of a hotspot, at some of its shares.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property, partial

import numpy as np

from advisor.basics.quantities import percent, size
from advisor.basics.stop_rule import ShouldStop
from advisor.messages.network_load import PUBLISHED, ROUTE_AWARE, NetworkLoad
from advisor.messages.patterns import PERMUTATION, SHIFT
from advisor.messages.simulation.simulated_traffic import simulate
from advisor.messages.styles import ASYNCHRONOUS, BLOCKING, NON_BLOCKING, Style, engine_time
from advisor.studies.network_source import network_of_settings
from advisor.studies.simulated import (
    NETWORK_MODELS,
    NOTHING,
    SOURCE,
    Job,
    Point,
    deviations,
    few_hops,
    settled,
    simulated,
    table,
)
from advisor.studies.study import Check, Note, OnCheckProgress, Series
from advisor.studies.styles.parameters import MOST_SHARE, StyleCase, StylesParameters
from advisor.studies.styles.run import line
from machines import PlacewiseError
from machines.arrays import Floats
from machines.stopping import stoppable, stopped

BLOCKED = Style(ASYNCHRONOUS, BLOCKING)
OVERLAPPED = Style(ASYNCHRONOUS, NON_BLOCKING)

_MOST_NODES = 1024
_MESSAGES, _MESSAGES_A_NODE = 150_000, 400
_SIZES, _SMALLEST = 6, 64
_SHARES = 6
_DIGITS = 9
_HEADER = 10.0  # cycles


def check(
    parameters: StylesParameters,
    on_progress: OnCheckProgress | None = None,
    should_stop: ShouldStop | None = None,
    messages: int | None = None,
    times: int = 1,
) -> Check:
    """Simulate the case and set the models beside it.

    Simulated is what the network does: a process (blocking) or its DMA engine (non-blocking)
    sends a message, waits until it has been taken in, pauses as long as the style says, sends the
    next. So all times are those of the network; the processor of a busy receiver is left out.

    `parameters`: whatever `contention` they choose, all models are compared.
    `messages`: of each simulated point, ≥ 100.
    `times`: so many independent simulations of each, which narrows the intervals by the root of it.
    """
    nodes = network_of_settings(parameters).net.network.size
    if nodes > _MOST_NODES:
        raise PlacewiseError(
            "the network is too large to simulate",
            where="check",
            value=nodes,
            remedy=f"Allowed: up to {_MOST_NODES} nodes",
        )
    count = max(_MESSAGES, _MESSAGES_A_NODE * nodes) if messages is None else messages
    with stoppable(should_stop):
        chosen = _Network.of(parameters, parameters.hotspot_share)
    jobs = list(_jobs(chosen, count, times))
    return simulated(jobs, partial(_check, chosen), on_progress, should_stop)


@dataclass(frozen=True, eq=False)
class _Network:
    """A network and its traffic, the models' loads in the order of `NETWORK_MODELS`."""

    asked: StylesParameters
    case: StyleCase
    chances: Floats
    loads: tuple[NetworkLoad | None, ...]
    known: dict[tuple[float, int], tuple[float, float]] = field(default_factory=dict)

    @classmethod
    def of(cls, asked: StylesParameters, share: float) -> _Network:
        aware = replace(
            asked, contention=ROUTE_AWARE, measured_contention=None, hotspot_share=share
        )
        case = StyleCase.of(aware)
        published: list[NetworkLoad | None] = [None, None]
        physical = replace(case.load, reading=PUBLISHED, waits=None, occupancy="physical")
        if physical.applies:
            # one byte is one cycle in the other reading: it says nothing of other units
            in_cycles = case.net.unit == "cycle"
            published = [physical, replace(physical, occupancy="bytes") if in_cycles else None]
        # as the simulation, without the processors of receivers
        network = replace(case.load, receiver=min(case.load.receiver, 1.0))
        return cls(asked, case, case.probabilities(), (network, *published))

    @cached_property
    def predicted_gain(self) -> float:
        """What the study says that overlapped messages save; 0 where it calls both alike."""
        study = self.case if self.case.asked == self.asked else StyleCase.of(self.asked)
        if study.alike(BLOCKED, OVERLAPPED, self.asked.message_bytes):
            return 0.0
        blocked, overlapped = (
            study.time(style, self.asked.message_bytes) for style in (BLOCKED, OVERLAPPED)
        )
        return blocked - overlapped

    def point(self, style: Style, message_bytes: int, messages: int, seed: int) -> Point | None:
        """Simulate messages of a style and size; None when stopped."""
        case = self.case
        costs = [
            None if load is None else case.cost(style, message_bytes, load) for load in self.loads
        ]
        own = costs[0]
        if own is None:
            return None
        # a DMA engine goes on by itself; the program waits for it or it for the program
        blocking = style == BLOCKED
        alone = own.interval if blocking else engine_time(case.net.long, message_bytes)
        least = 0.0 if blocking else own.computing + own.overhead
        found = self._interval(alone / own.occ, messages, seed)
        if found is None:
            return None
        time, half_width = (own.occ * value for value in found)
        if time < least:
            time, half_width = least, 0.0
        share = (case.asked.hotspot_share,) if case.sweeps_shares else ()
        estimates = tuple(None if cost is None else cost.time for cost in costs)
        return Point((style.name, message_bytes, *share), time, half_width, estimates)

    def _interval(self, T: float, messages: int, seed: int) -> tuple[float, float] | None:
        """(T_c, half width) in occupancies, which is all that a message's size changes."""
        T = round(T, _DIGITS)
        if (T, seed) not in self.known:
            found = simulate(
                self.case.routes,
                self.chances,
                T,
                1.0,
                messages=messages,
                seed=seed,
                should_stop=stopped,
            )
            if not found.complete:
                return None
            self.known[T, seed] = (found.T_c, settled(found.T_c, found.half_width))
        return self.known[T, seed]


def _jobs(chosen: _Network, messages: int, times: int) -> Iterator[Job]:
    """The chosen size first, then hotspot shares, then other sizes."""
    asked = chosen.case.asked
    here = asked.message_bytes
    sizes = np.geomspace(min(_SMALLEST, asked.largest_bytes), asked.largest_bytes, _SIZES)
    shares = np.linspace(0.0, max(MOST_SHARE, asked.hotspot_share), _SHARES).tolist()

    seeds = range(asked.seed, asked.seed + times)

    def at_size(message_bytes: int) -> Iterator[Job]:
        for style in (BLOCKED, OVERLAPPED):
            part = partial(chosen.point, style, message_bytes, messages)
            parts = tuple(partial(part, seed) for seed in seeds)
            yield Job(f"{size(message_bytes)}, {style.name}", parts, _pooled)

    yield from at_size(here)
    if chosen.case.sweeps_shares:
        for share in sorted(set(shares) - {asked.hotspot_share}):
            part = partial(_at_share, asked, share, messages)
            parts = tuple(partial(part, seed) for seed in seeds)
            yield Job(f"hotspot share {percent(share)}", parts, _pooled)
    for message_bytes in sorted({round(float(one)) for one in sizes} - {here}):
        yield from at_size(message_bytes)


def _at_share(asked: StylesParameters, share: float, messages: int, seed: int) -> Point | None:
    return _Network.of(asked, share).point(BLOCKED, asked.message_bytes, messages, seed)


def _pooled(points: Sequence[Point]) -> Point:
    """The mean of independent simulations of one case: its variance is theirs over their number."""
    time = sum(one.time for one in points) / len(points)
    half_width = math.hypot(*(one.half_width for one in points)) / len(points)
    return replace(points[0], time=time, half_width=half_width)


def _check(chosen: _Network, points: Sequence[Point], complete: bool) -> Check:
    case = chosen.case
    shares = (("hotspot share", ""),) if case.sweeps_shares else ()
    first = (("style", ""), ("size", "B"), *shares)
    return Check(
        sentence=_sentence(chosen, points) if points else NOTHING,
        series=tuple(_series(case, points)),
        table=table("Check by simulation", first, NETWORK_MODELS, points, case.clock),
        notes=tuple(_notes(chosen)),
        complete=complete,
    )


def _sentence(chosen: _Network, points: Sequence[Point]) -> str:
    """What was simulated, how far the study's model is off, and what that says of its advice."""
    first, asked = points[0], chosen.asked
    time = chosen.case.clock.measured(first.time, first.half_width)
    model = _reading(asked)
    told = replace(first, estimates=(first.estimates[model],))
    said = deviations((NETWORK_MODELS[model],), told)
    what = f"{BLOCKED.name} messages of {size(asked.message_bytes)}"
    return " ".join(
        (
            f"Simulated {time} for {what}{': ' if said else ''}{said}.",
            *(_against(chosen, first, other) for other in points[1:2]),
        )
    )


def _reading(asked: StylesParameters) -> int:
    """Which of `NETWORK_MODELS` a study's times are of; measured contention is of none."""
    if asked.contention == ROUTE_AWARE or asked.measured_contention is not None:
        return 0
    return 1 if asked.occupancy == "physical" else 2


def _against(chosen: _Network, blocked: Point, overlapped: Point) -> str:
    """By how much the other simulated style differs, and whether the study could know it."""
    gain = 1.0 - overlapped.time / blocked.time
    noise = (blocked.half_width + overlapped.half_width) / blocked.time
    if abs(gain) <= noise:
        return "Non-blocking ones tie within the noise of the simulation."
    predicted = chosen.predicted_gain
    stands = (
        "beyond what the model can tell" if predicted == 0.0
        else "as predicted" if predicted * gain > 0.0
        else "against the prediction"
    )  # fmt: skip
    return (
        f"Non-blocking ones take {percent(abs(gain))} {'less' if gain > 0.0 else 'more'}: {stands}."
    )


def _series(case: StyleCase, points: Sequence[Point]) -> Iterator[Series]:
    """Over the curves by size and by hotspot share."""
    here, share = case.asked.message_bytes, case.asked.hotspot_share
    for style in (BLOCKED, OVERLAPPED):
        along = [
            (float(one.of[1]), one)  # type: ignore[arg-type]
            for one in points
            if one.of[0] == style.name and one.of[2:] in ((), (share,))
        ]
        if along:
            yield _drawn(case, style, along, ("message size", "B"))
    if case.sweeps_shares:
        across = [
            (float(one.of[2]), one)  # type: ignore[arg-type]
            for one in points
            if one.of[:2] == (BLOCKED.name, here)
        ]
        if across:
            yield _drawn(case, BLOCKED, across, ("hotspot share", ""))


def _drawn(
    case: StyleCase, style: Style, points: list[tuple[float, Point]], by: tuple[str, str]
) -> Series:
    ordered = sorted(points, key=lambda one: one[0])
    half_width = tuple(case.clock.shown(point.half_width) for _, point in ordered)
    spots = [(x, point.time) for x, point in ordered]
    return replace(
        line(case, f"simulated, {style.name}", spots, by, "points"), half_width=half_width
    )


def _notes(chosen: _Network) -> Iterator[Note]:
    case = chosen.case
    yield Note(
        True,
        "Simulated are asynchronous long messages, with 95 % intervals. Left out: synchronous "
        "ones, which wait for replies, and short ones, whose headers count as well.",
        SOURCE,
    )
    kept = case.cost(BLOCKED, case.asked.message_bytes)
    network = case.cost(BLOCKED, case.asked.message_bytes, chosen.loads[0])
    if kept.time > network.time * (1.0 + 10.0**-_DIGITS):
        yield Note(
            False,
            f"The processor of the busiest receiver needs {case.clock.text(kept.time)} a message. "
            "The simulation and the times beside it are the network's alone: the points lie "
            "below the curves.",
        )
    if chosen.loads[1] is None:
        yield Note(False, few_hops(case.load.k_d))
    if case.asked.pattern in (SHIFT, PERMUTATION):
        yield Note(
            True,
            "Messages of a fixed pattern fall into step at regular intervals, for better or "
            "worse: estimates are of random ones.",
        )
    if case.net.unit == "cycle" and case.net.long.G * case.asked.message_bytes < _HEADER:
        yield Note(
            False, f"A message takes less than {_HEADER:g} cycles on a channel: headers count."
        )

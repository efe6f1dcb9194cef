"""The mapping study checked by simulation: its exchange message by message.

Under the default order, the user's own and the best one; every run draws anew in which order the
processes send.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import partial

import numpy as np

from advisor.basics.quantities import percent, size
from advisor.basics.stop_rule import ShouldStop
from advisor.messages.mapping.mapping_picture import MappedOrder, MappingPicture
from advisor.messages.networks import Clock
from advisor.messages.simulation.exchanges import (
    Exchange,
    ExchangeRun,
    exchange_estimate,
    simulate_exchange,
)
from advisor.messages.simulation.simulated_traffic import confidence
from advisor.studies.mapping.mapping_host_fields import problem_of
from advisor.studies.mapping.parameters import OWN, MappingParameters
from advisor.studies.mapping.run import run
from advisor.studies.network_source import network_of_settings
from advisor.studies.simulated import (
    NOTHING,
    SOURCE,
    Job,
    Part,
    Point,
    deviations,
    settled,
    simulated,
    table,
)
from advisor.studies.study import Check, CheckProgress, Note, OnCheckProgress, Series, StudyProgress
from machines import InputError, Interconnect
from machines.stopping import stopped

_MODELS = ("LoGPC", "route-aware")
_MESSAGES = 40_000  # of all runs of an order, about
_FEWEST, _MOST = 5, 20  # runs
_SEARCHED = 0.4  # share of the work


def check(
    parameters: MappingParameters,
    on_progress: OnCheckProgress | None = None,
    should_stop: ShouldStop | None = None,
    runs: int | None = None,
    times: int = 1,
) -> Check:
    """Simulate the exchange under the orders that matter.

    `runs`: of each order, ≥ 2. `times`: so many times as many as usual, which narrows the intervals
    by the root of it.
    """
    net = network_of_settings(parameters).net
    if max(parameters.places) > 1:
        raise InputError(
            "the simulation knows nodes of one core only",
            where="setting cores",
            value=parameters.cores,
            remedy="Check the mapping with cores=1",
        )
    exchange = Exchange.of(problem_of(parameters, net), net.long)
    tell = on_progress or (lambda _progress: None)

    def told(progress: StudyProgress) -> None:
        tell(CheckProgress(_SEARCHED * progress.fraction, progress.sentence))

    picture = run(parameters, told, should_stop).picture(MappingPicture)
    if picture is None:  # the study always draws one
        raise TypeError(picture)
    wanted = times * (runs or min(max(_MESSAGES // exchange.messages, _FEWEST), _MOST))
    bench = _Bench(net, exchange, picture, parameters.seed, wanted)
    chosen = [one for one in picture.orders if one.name == OWN or one in _ends(picture)]
    jobs = [Job(one.name, bench.parts(one), partial(bench.point, one)) for one in chosen]
    return simulated(jobs, bench.check, on_progress, should_stop, _SEARCHED)


def _ends(picture: MappingPicture) -> tuple[MappedOrder, MappedOrder]:
    return picture.orders[0], picture.chosen


@dataclass(frozen=True, eq=False)
class _Bench:
    """What is simulated, and how often."""

    net: Interconnect
    exchange: Exchange
    picture: MappingPicture
    seed: int
    runs: int

    def parts(self, order: MappedOrder) -> tuple[Part, ...]:
        """The runs of an order."""
        seeds = range(self.seed, self.seed + self.runs)
        return tuple(
            partial(simulate_exchange, self.exchange, order.mapping, seed, stopped)
            for seed in seeds
        )

    def point(self, order: MappedOrder, found: Sequence[ExchangeRun]) -> Point:
        """An order by all its runs."""
        times, waits = (
            np.array(each) for each in zip(*((o.time, o.wait) for o in found), strict=True)
        )
        time = float(times.mean())
        estimates = (order.measures.logpc_time, exchange_estimate(self.exchange, order.mapping))
        wait = Clock.of(self.net).shown(settled(time, float(waits.mean())))
        return Point((order.name,), time, settled(time, confidence(times)), estimates, (wait,))

    def check(self, points: Sequence[Point], complete: bool) -> Check:
        clock = Clock.of(self.net)
        return Check(
            sentence=self._sentence(points),
            series=self._series(points),
            table=table(
                "Check by simulation",
                (("order", ""),),
                _MODELS,
                points,
                clock,
                (("wait of a message", clock.unit),),
            ),
            notes=self._notes(),
            complete=complete,
        )

    def _sentence(self, points: Sequence[Point]) -> str:
        if not points:
            return NOTHING
        by_name = {one.of[0]: one for one in points}
        default, best = points[0], by_name.get(self.picture.chosen.name, points[0])
        time = Clock.of(self.net).measured(best.time, best.half_width)
        return (
            f"Simulated {time} for the exchange, {best.of[0]}{_gain(best, default)}: "
            f"{deviations(_MODELS, best)}."
        )

    def _series(self, points: Sequence[Point]) -> tuple[Series, ...]:
        if not points:
            return ()
        clock = Clock.of(self.net)
        return (
            Series(
                name="simulated",
                x=tuple(str(one.of[0]) for one in points),
                y=tuple(clock.shown(one.time) for one in points),
                x_label="order",
                x_unit="",
                y_label="LoGPC time",
                y_unit=clock.unit,
                kind="points",
                half_width=tuple(clock.shown(one.half_width) for one in points),
            ),
        )

    def _notes(self) -> tuple[Note, ...]:
        notes = [
            Note(
                True,
                f"Simulated is one exchange, {self.runs} times, with 95 % intervals: all begin "
                "together and send one message after the other in an order of their own, drawn "
                "for each run. LoGPC time leaves out what messages wait that hold a part of "
                "their way.",
                SOURCE,
            )
        ]
        if self.exchange.packets:
            notes.append(
                Note(
                    False,
                    "Messages differ in size: they were simulated in packets of "
                    f"{size(self.exchange.size_bytes)}, each of which takes its way by itself.",
                )
            )
        return tuple(notes)


def _gain(best: Point, default: Point) -> str:
    if best is default:
        return ""
    share = 1.0 - best.time / default.time
    if settled(1.0, abs(share)) == 0.0:
        return ", as long as row-major"
    return f", {percent(abs(share))} {'less' if share > 0.0 else 'more'} than row-major"

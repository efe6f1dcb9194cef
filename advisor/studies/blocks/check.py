"""The blocks study checked by simulation: the wavefront's own messages under its mapping.

At the chosen number of blocks and at some others along the curve; a random mapping also as the
mean of several.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from functools import partial
from typing import TypeAlias

import numpy as np

from advisor.basics.quantities import count, percent
from advisor.basics.stop_rule import ShouldStop
from advisor.messages.diamond_blocks import AS_PRINTED, NETWORKS_OWN, Diamond, least, stripes_load
from advisor.messages.network_load import PUBLISHED, ROUTE_AWARE, NetworkLoad
from advisor.messages.networks import RANDOM, placed
from advisor.messages.simulation.simulated_traffic import confidence
from advisor.messages.simulation.wavefronts import WavefrontRun, simulate_wavefront
from advisor.studies.blocks.parameters import BlocksCase, BlocksParameters
from advisor.studies.blocks.run import BLOCKS, CONTENTION
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
from machines.stopping import stoppable, stopped
from machines.traffic import Routes

_OTHERS = 5
_OTHER_MESSAGES = 20_000  # at most, of each other number of blocks
_DRAWN, _LEAST_DRAWN = 12, 5  # random mappings
_DRAWN_MESSAGES = 100_000  # of all of them, about
_BATCHES = 20
_SHORT = 1e-3  # from here on a sentence says that a reading is too short

OTHER_READING = {NETWORKS_OWN: "as printed (no o_r)", AS_PRINTED: "with o_r"}
"""What the reading of receiving that was not asked for is called beside the models."""

Loads: TypeAlias = tuple[NetworkLoad | None, ...]
"""In the order of `NETWORK_MODELS`; None where the model does not apply."""


def check(
    parameters: BlocksParameters,
    on_progress: OnCheckProgress | None = None,
    should_stop: ShouldStop | None = None,
    drawn: int | None = None,
    times: int = 1,
) -> Check:
    """Simulate the wavefront and set the models beside it.

    `parameters`: whatever `contention` they choose, all models are compared.
    `drawn`: random mappings to take the mean of, ≥ 2, if the mapping is random.
    `times`: so many times as many as usual, which narrows the intervals by the root of it.
    """
    with stoppable(should_stop):
        case = BlocksCase.of(parameters)
    b = case.chosen(least(case.makespan, case.most, should_stop)[0])
    fitting = _DRAWN_MESSAGES // ((case.diamond.P - 1) * b)
    bench = _Bench(case, b, times * (drawn or min(max(fitting, _LEAST_DRAWN), _DRAWN)))
    return simulated(list(bench.jobs()), bench.check, on_progress, should_stop)


@dataclass(frozen=True, eq=False)
class _Bench:
    """The case, the chosen number of blocks, how many random mappings to draw; known loads."""

    case: BlocksCase
    b: int
    drawn: int
    known: dict[int, Loads] = field(default_factory=dict)

    @property
    def _drawn_name(self) -> str:
        return f"mean of {self.drawn} random ones"

    def jobs(self) -> Iterator[Job]:
        """The chosen b first, then random mappings, then other b."""
        asked = self.case.asked
        name = f"random, seed {asked.seed}" if asked.mapping == RANDOM else asked.mapping
        own = range(asked.seed, asked.seed + 1)
        yield self._job(count(self.b, "block"), name, self.b, own)
        if asked.mapping == RANDOM:
            seeds = range(asked.seed, asked.seed + self.drawn)
            text = f"{count(self.b, 'block')}, {self.drawn} random mappings"
            yield self._job(text, self._drawn_name, self.b, seeds)
        most = min(self.case.most, max(_OTHER_MESSAGES // self.case.diamond.P, 1))
        others = {round(float(b)) for b in np.geomspace(1, most, _OTHERS)}
        for b in sorted(others - {self.b}):
            yield self._job(count(b, "block"), name, b, own)

    def _job(self, text: str, name: str, b: int, seeds: Sequence[int]) -> Job:
        """The mean over the mappings of all seeds."""
        diamond, routes = self.case.diamond, self.case.routes
        each = partial(_run, diamond, routes, self.case.asked.mapping, b)
        parts = tuple(partial(each, seed) for seed in seeds)
        return Job(text, parts, partial(self._point, name, b, seeds))

    def check(self, points: Sequence[Point], complete: bool) -> Check:
        """What is known after some points."""
        clock = self.case.clock
        models = (f"{CONTENTION}, {NETWORK_MODELS[place]}" for place in self._applying)
        return Check(
            sentence=self._sentence(points),
            series=tuple(self._series(points)),
            table=table(
                "Check by simulation",
                (("mapping", ""), (BLOCKS, "")),
                self._models,
                points,
                clock,
                tuple((name, clock.unit) for name in (CONTENTION, f"{CONTENTION}, ±", *models)),
            ),
            notes=self._notes(),
            complete=complete,
        )

    def _point(
        self, name: str, b: int, seeds: Sequence[int], runs: Sequence[WavefrontRun]
    ) -> Point:
        """The mean over the mappings of all seeds."""
        diamond, clock = self.case.diamond, self.case.clock
        makespans = np.array([run.makespan for run in runs])
        # parts of a single run, or several runs
        parts = [run.waits for run in runs]
        if len(parts) == 1:
            parts = np.array_split(parts[0], min(_BATCHES, len(parts[0])))
        waits = np.array([part.mean() for part in parts])
        time, loads = float(makespans.mean()), [self._loads(seed) for seed in seeds]
        models = _means(loads, partial(diamond.contention, b))
        contention = (
            settled(time, float(waits.mean())),
            settled(time, confidence(waits)),
            *(models[place] for place in self._applying),
        )
        return Point(
            of=(name, b),
            time=time,
            half_width=settled(time, confidence(makespans)),
            estimates=(*_means(loads, partial(diamond.makespan, b)), self._other(b, loads)),
            more=tuple(None if C_n is None else clock.shown(C_n) for C_n in contention),
        )

    @property
    def _models(self) -> tuple[str, ...]:
        """Of the points' estimates."""
        return (*NETWORK_MODELS, OTHER_READING[self.case.diamond.receiving])

    def _other(self, b: int, loads: Sequence[Loads]) -> float | None:
        """Makespan in the reading of receiving that was not asked for."""
        asked = self.case.diamond
        other = self.case.printed if asked.charges_receiver else self.case.charged
        if asked.net.long.o_r == 0.0:
            return None
        return _means(loads, partial(other.makespan, b))[0]

    @property
    def _applying(self) -> tuple[int, ...]:
        """The models that apply, by position in `NETWORK_MODELS`."""
        loads = self._loads(self.case.asked.seed)
        return tuple(place for place, load in enumerate(loads) if load is not None)

    def _loads(self, seed: int) -> Loads:
        """What the mapping of a seed puts on the network."""
        if seed not in self.known:
            asked, diamond = self.case.asked, self.case.diamond
            aware, physical = (
                stripes_load(diamond.net, self.case.routes, diamond.P, asked.mapping, seed, reading)
                for reading in (ROUTE_AWARE, PUBLISHED)
            )
            # one byte is one cycle in the other reading: it says nothing of other units
            in_cycles = diamond.net.unit == "cycle"
            as_bytes = replace(physical, occupancy="bytes") if in_cycles else None
            published = (physical, as_bytes) if physical.applies else (None, None)
            self.known[seed] = (aware, *published)
        return self.known[seed]

    def _sentence(self, points: Sequence[Point]) -> str:
        if not points:
            return NOTHING
        clock, point = self.case.clock, points[0]
        of = f"{count(self.b, 'block')}, mapping {point.of[0]}"
        said = f"Simulated {clock.text(point.time)} for {of}"
        if len(points) > 1 and points[1].of[0] == self._drawn_name:
            point = points[1]
            spread = clock.measured(point.time, point.half_width)
            said = f"{said}; {spread} in the {self._drawn_name}"
        return f"{said}: {deviations(self._models, point)}.{self._left_out(point)}"

    def _left_out(self, point: Point) -> str:
        """How much too short the reading is that leaves out the receiver's o_r."""
        asked = self.case.diamond
        off = point.deviations[0 if not asked.charges_receiver else len(NETWORK_MODELS)]
        if off is None or off > -_SHORT:
            return ""
        o_r = self.case.clock.text(asked.net.long.o_r)
        return f" As printed, without the receiver's o_r of {o_r}, it is {percent(-off)} too short."

    def _series(self, points: Sequence[Point]) -> Iterator[Series]:
        """Over the curves of the makespan."""
        names = dict.fromkeys(str(one.of[0]) for one in points)
        for name in names:
            found = {int(str(one.of[1])): one for one in points if one.of[0] == name}
            bs, drawn = sorted(found), name == self._drawn_name
            spreads = tuple(self.case.clock.shown(found[b].half_width) for b in bs)
            yield Series(
                name=f"simulated, {name}" if drawn else "simulated",
                x=tuple(float(b) for b in bs),
                y=tuple(self.case.clock.shown(found[b].time) for b in bs),
                x_label="blocks of a stripe b",
                x_unit="",
                y_label="makespan",
                y_unit=self.case.clock.unit,
                kind="points",
                half_width=spreads if drawn else (),
            )

    def _notes(self) -> tuple[Note, ...]:
        notes = [
            Note(
                True,
                "Simulated are the program's own messages, block by block: each leaves after its "
                "sender's o_s, waits for the channels of its way, and costs its receiver the "
                "network's o_r, for either variant. What a processor does not take yet stays in "
                "its network interface. "
                "The ± of contention C_n is over parts of the run, or over mappings.",
                SOURCE,
            )
        ]
        if len(self._applying) == 1:
            notes.append(Note(False, few_hops(self.case.load.k_d)))
        return tuple(notes)


def _run(diamond: Diamond, routes: Routes, mapping: str, b: int, seed: int) -> WavefrontRun | None:
    at = placed(diamond.net.network, mapping, diamond.P, seed)
    return simulate_wavefront(diamond, b, routes, at, stopped)


def _means(
    loads: Sequence[Loads], value: Callable[[NetworkLoad], float]
) -> tuple[float | None, ...]:
    """The mean of a model's values over mappings; None where it does not apply."""
    found: list[float | None] = []
    for model in zip(*loads, strict=True):
        known = [value(load) for load in model if load is not None]
        found.append(sum(known) / len(known) if known else None)
    return tuple(found)

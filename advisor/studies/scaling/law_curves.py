"""Every law of one machine repairman against P, as series to draw.

The chosen messaging comes first, then the other laws and the bounds as areas; the knee is a point,
its band a strip. `advisor.studies.scaling.queue` chooses and explains.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace

import numpy as np

from advisor.messages.styles import ASYNCHRONOUS, SYNCHRONOUS
from advisor.models.mrm import (
    amdahl,
    asymptotic_bounds,
    balanced_bounds,
    coherent_throughput,
    gustafson,
    harmonic,
)
from advisor.scaling.law import Scaling, speedups
from advisor.studies.scaling.parameters import Repairman, ScalingCase
from advisor.studies.scaling.processor_choice import ChosenProcessors
from advisor.studies.study import Series
from machines.arrays import Floats

_DRAWN = 160
PROCESSORS = "processors P"
BOUNDED = "speedup within bounds"
MVA = "exact MVA (asynchronous)"
BURST = "burst and barrier (synchronous)"
COHERENT = "exact with coherency (asynchronous)"
USL = "USL, c = {}"

Curve = tuple[str, Floats]  # name, S(1), S(2), …
Bounds = Sequence[tuple[float, float]]  # lower and upper, one pair a P


def chosen_curve(case: ScalingCase, machine: Repairman, up_to: int) -> Curve:
    """The speedup of a repairman with the messaging that was asked for.

    Asynchronous: exact MVA, with coherency c and one stage the birth-death chain whose service
    slows. Synchronous: P (D + Z)/(Z + D + (P − 1) D_max), with coherency the USL of
    sigma = D_max/(D + Z), kappa = c sigma.
    """
    c = case.coherent
    if c == 0.0:
        return (BURST if case.synchronous else MVA), machine.speedups(case.asked.style, up_to)
    if case.synchronous:
        law = Scaling(sigma=1.0 / machine.knee, kappa=c / machine.knee)
        return USL.format(f"{c:g}"), speedups(law, np.arange(1, up_to + 1))
    rates = [coherent_throughput(P, machine.total, machine.think, c) for P in range(1, up_to + 1)]
    return COHERENT, np.array(rates) / rates[0]


def sampled(up_to: int, always: Sequence[float] = ()) -> list[int]:
    """Numbers of processors to draw: all up to 80, then evenly and by a constant factor."""
    if up_to <= _DRAWN:
        return list(range(1, up_to + 1))
    half = _DRAWN // 2
    chosen = [*np.linspace(1, up_to, half), *np.geomspace(1, up_to, half), *always]
    return sorted({min(max(round(float(P)), 1), up_to) for P in chosen})


def speedup_series(
    case: ScalingCase,
    chosen: Curve,
    found: Sequence[ChosenProcessors],
    band: tuple[int | None, int | None],
) -> Iterator[Series]:
    """Speedup by every law with the knee and the numbers chosen; the chosen law in its bounds."""
    machine = case.machine
    at = sampled(case.up_to, [machine.knee, *(one.P for one in found)])
    for name, curve in _laws(case, chosen):
        yield _line(name, at, [float(curve[P - 1]) for P in at], "speedup")
    sigma = machine.sigma
    closed: list[tuple[str, Callable[[int], float]]] = [
        ("Amdahl S_A (synchronous)", lambda P: amdahl(P, sigma)),
        ("Gustafson S_G (scaled size)", lambda P: gustafson(P, sigma)),
        ("harmonic S_H", harmonic),
    ]
    for name, law in closed:
        yield _line(name, at, [law(P) for P in at], "speedup")
    knee = [(machine.knee, machine.knee)]
    yield _points("knee P_opt", knee, "speedup")
    for one in found:
        yield _points(one.purpose, [(float(one.P), one.speedup)], "speedup")
    yield _line(chosen[0], at, [float(chosen[1][P - 1]) for P in at], BOUNDED)
    alone = machine.total + machine.think
    for bounds in _bounds(machine, at):
        yield _band(*bounds, at, alone, BOUNDED)
    yield _points("knee P_opt", knee, BOUNDED)
    low, high = band[0], band[1] or case.up_to
    if low is not None and low < high:
        within = sorted({low, high, *(P for P in at if low < P < high)})
        yield _band("the knee's band", _asymptotic(machine, within), within, alone, BOUNDED)


def _laws(case: ScalingCase, chosen: Curve) -> Iterator[Curve]:
    """Those with a value for each P; the chosen one first, none twice."""
    yield chosen
    machine, up_to = case.machine, case.up_to
    if chosen[0] != MVA:
        yield MVA, machine.speedups(ASYNCHRONOUS, up_to)
    if machine.several:
        if chosen[0] != BURST:
            yield BURST, machine.speedups(SYNCHRONOUS, up_to)
        single = Repairman((machine.total,), machine.think)
        yield "Erlang S_E (asynchronous)", single.speedups(ASYNCHRONOUS, up_to)
    c = case.asked.coherency
    if c and not chosen[0].startswith("USL"):
        law = Scaling(sigma=1.0 / machine.knee, kappa=c / machine.knee)
        yield USL.format(f"{c:g}"), speedups(law, np.arange(1, up_to + 1))


def latency_series(case: ScalingCase, chosen: Curve) -> Iterator[Series]:
    """The hockey stick: R = P/X − Z of both ways of messaging, and its asymptotes."""
    machine, clock = case.machine, case.clock
    at = sampled(case.up_to, [machine.knee])
    other = ASYNCHRONOUS if case.synchronous else SYNCHRONOUS
    name = MVA if case.synchronous else BURST
    for title, curve in (chosen, (name, machine.speedups(other, case.up_to))):
        y = [clock.shown(latency(machine, P, float(curve[P - 1]))) for P in at]
        yield _line(title, at, y, "latency R", clock.unit)
    asymptotes = [max(machine.total, P * machine.largest - machine.think) for P in at]
    y = [clock.shown(time) for time in asymptotes]
    yield _line("asymptotes D and P D_max − Z", at, y, "latency R", clock.unit)
    knee = [(machine.knee, clock.shown(machine.total))]
    yield _points("knee P_opt", knee, "latency R", clock.unit)


def other_series(
    case: ScalingCase, chosen: Curve, found: Sequence[ChosenProcessors]
) -> Iterator[Series]:
    """Efficiency of both ways of messaging; throughput within its bounds."""
    machine, clock = case.machine, case.clock
    at = sampled(case.up_to, [machine.knee])
    other = ASYNCHRONOUS if case.synchronous else SYNCHRONOUS
    name = MVA if case.synchronous else BURST
    for title, curve in (chosen, (name, machine.speedups(other, case.up_to))):
        share = [100.0 * (float(curve[P - 1]) / P) for P in at]
        yield _line(title, at, share, "efficiency", "%")
    for one in found:
        at_P = [(float(one.P), 100.0 * one.efficiency)]
        yield _points(one.purpose, at_P, "efficiency", "%")
    alone = clock.shown(machine.total + machine.think)
    unit = f"1/{clock.unit}"
    rates = [float(chosen[1][P - 1]) / alone for P in at]
    yield _line(chosen[0], at, rates, "throughput", unit)
    for bounds in _bounds(machine, at):
        yield _band(*bounds, at, 1.0 / clock.factor, "throughput", unit)


def latency(machine: Repairman, P: int, speedup: float) -> float:
    """R = P/X − Z with X = S/(D + Z). Gunther 2005, Eq. (3)."""
    return max(machine.total, P * (machine.total + machine.think) / speedup - machine.think)


def _bounds(machine: Repairman, at: Sequence[int]) -> Iterator[tuple[str, Bounds]]:
    """Throughput: asymptotic bounds, and the balanced ones inside them."""
    yield "asymptotic bounds", _asymptotic(machine, at)
    yield "balanced bounds", [balanced_bounds(P, machine.demands, machine.think) for P in at]


def _asymptotic(machine: Repairman, at: Sequence[int]) -> Bounds:
    return [asymptotic_bounds(P, machine.demands, machine.think) for P in at]


_BESIDE = {
    "speedup": "what it brings",
    "latency R": "what it brings",
    "efficiency": "what it uses",
    "throughput": "what it uses",
}


def _line(name: str, at: Sequence[float], y: Sequence[float], label: str, unit: str = "") -> Series:
    x, beside = tuple(map(float, at)), _BESIDE.get(label, "")
    return Series(name, x, tuple(y), PROCESSORS, "", label, unit, beside=beside)


def _band(
    name: str, bounds: Bounds, at: Sequence[float], factor: float, label: str, unit: str = ""
) -> Series:
    """The area from lower to upper bounds, each times a factor."""
    lower, upper = ([factor * rate for rate in side] for side in zip(*bounds, strict=True))
    line = _line(name, at, upper, label, unit)
    return replace(line, kind="band", lower=tuple(lower))


def _points(name: str, points: Sequence[tuple[float, float]], label: str, unit: str = "") -> Series:
    x, y = (tuple(side) for side in zip(*points, strict=True))
    beside = _BESIDE.get(label, "")
    return Series(name, x, y, PROCESSORS, "", label, unit, kind="points", beside=beside)

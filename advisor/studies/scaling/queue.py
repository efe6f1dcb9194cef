"""The scaling study where the times are known: how many processors, and what the bottleneck costs.

Everything is computed from the machine repairman of the case; halving a stage solves the network
again. Curves are in `scaling_curves`, the criteria in `scaling_choice`.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass

from advisor.basics.quantities import count, number, percent
from advisor.basics.stop_rule import ShouldStop
from advisor.models.mrm import amdahl, harmonic, mva, usl_peak
from advisor.studies.facts import LESS, MORE, Fact
from advisor.studies.scaling.law_curves import (
    Curve,
    chosen_curve,
    latency,
    latency_series,
    other_series,
    speedup_series,
)
from advisor.studies.scaling.parameters import BOTH, OVERHEADS, Repairman, ScalingCase, span
from advisor.studies.scaling.processor_choice import (
    NEAR,
    POWER,
    TIME,
    ChosenProcessors,
    choices,
    knee_band,
)
from advisor.studies.study import (
    EQUATION,
    STATED,
    Note,
    OnProgress,
    Series,
    StudyProgress,
    StudyResult,
    Table,
)
from machines.arrays import Floats
from machines.errors import capital

SOURCE = "Gunther 2005"
_STAGES_SHOWN = 12
_NEAR = 0.95  # of the limit of the speedup


@dataclass(frozen=True)
class _Answer:
    """What was found: the curve of the chosen messaging, the choices and the band of the knee."""

    case: ScalingCase
    curve: Curve
    choices: tuple[ChosenProcessors, ...]
    band: tuple[int | None, int | None]

    @classmethod
    def of(cls, case: ScalingCase) -> _Answer:
        curve = chosen_curve(case, case.machine, case.up_to)
        band = (None, None) if case.coherent else knee_band(curve[1], case.machine.knee)
        return cls(case, curve, choices(curve[1], case.affordable), band)

    @property
    def main(self) -> ChosenProcessors:
        """The choice that the bottleneck is looked at with."""
        return self.choices[-1] if self.case.affordable is not None else self.choices[0]

    def relief(self, stage: int) -> tuple[Repairman, Floats]:
        """The network with one stage halved, and its throughput against that of one processor."""
        eased = self.case.machine.halved(stage)
        before, after = (one.total + one.think for one in (self.case.machine, eased))
        up_to = max(self.case.up_to, span(self.case.asked, eased))
        return eased, chosen_curve(self.case, eased, up_to)[1] * (before / after)

    @property
    def rising(self) -> bool:
        """Whether more processors than are drawn would still help."""
        far = self.choices[0].speedup < _NEAR * self.case.machine.knee
        return far and float(self.curve[1][-1]) >= float(self.curve[1].max())

    def text(self, time: float) -> str:
        return self.case.clock.text(time)


def queue_answer(
    case: ScalingCase, on_progress: OnProgress | None = None, should_stop: ShouldStop | None = None
) -> StudyResult:
    """Choose numbers of processors for a repairman, name its bottleneck and draw its laws."""
    found = _Answer.of(case)
    parts = {
        "Speedup": speedup_series(case, found.curve, found.choices, found.band),
        "Latency": latency_series(case, found.curve),
        "Efficiency and throughput": other_series(case, found.curve, found.choices),
    }
    stop = should_stop or (lambda: False)
    series: list[Series] = []
    complete = True
    for done, (title, part) in enumerate(parts.items()):
        if complete and on_progress is not None:
            on_progress(StudyProgress(done / len(parts), title))
        for one in part:
            complete = complete and not stop()
            if not complete:
                break
            series.append(one)
    tables = [_choice_table(found), _stage_table(found)]
    if case.readings:
        table = _reading_table(case, stop)
        complete = complete and len(table.rows) == len(case.readings)
        tables.append(table)
    facts = _facts(found)
    return StudyResult(
        headline=_headline(found, facts),
        alternative=_alternative(found),
        against="" if (other := _rival(found)) is None else f"P = {other.P:,}, {other.purpose}",
        facts=facts,
        reasons=tuple(_reasons(found, facts)),
        series=tuple(series),
        tables=tuple(tables),
        notes=tuple(_notes(found)),
        answer=found.main.P,
        complete=complete,
    )


def _headline(found: _Answer, facts: Sequence[Fact]) -> str:
    """How many processors to use, within the budget if there is one."""
    one = found.main
    best = one is found.choices[0]
    why = "" if best else " within the budget"
    among = f", the best time up to {found.case.up_to:,}" if found.rising and best else ""
    return f"Use {count(one.P, 'processor')}{why}: {facts[1].text} times as fast as one{among}."


def _alternative(found: _Answer) -> str:
    """The other criteria, and what half of the bottleneck would bring."""
    time, power = found.choices[:2]
    parts = [] if found.main is time else [f"{time.P:,} for the best time"]
    if power.P != found.main.P:
        parts.append(f"{power.P:,} for the best efficiency × speed")
    else:
        parts.append("the best efficiency × speed as well")
    stage = found.case.machine.bottleneck
    _, eased = found.relief(stage)
    P = found.main.P
    gain = float(eased[P - 1]) / found.main.speedup - 1.0
    brings = f"would make {P:,} of them {percent(gain)} faster" if gain > 5e-6 else "brings nothing"
    told = ", ".join(parts)
    return f"{capital(told)}; halving the bottleneck, stage {stage + 1}, {brings}."


def _rival(found: _Answer) -> ChosenProcessors | None:
    """Another number to compare with: of the best time, else of the best efficiency × speed."""
    return next((one for one in found.choices[:2] if one.P != found.main.P), None)


def _facts(found: _Answer) -> tuple[Fact, ...]:
    clock, other = found.case.clock, _rival(found)

    def latency_of(one: ChosenProcessors) -> float:
        return clock.shown(latency(found.case.machine, one.P, one.speedup))

    wanted: tuple[tuple[str, str, str, Callable[[ChosenProcessors], float]], ...] = (
        ("processors", "", LESS, lambda one: one.P),
        ("speedup", "", MORE, lambda one: one.speedup),
        ("efficiency", "%", MORE, lambda one: 100.0 * one.efficiency),
        ("latency of a message", clock.unit, LESS, latency_of),
    )
    return tuple(
        Fact(
            name, value(found.main), unit, None if other is None else value(other), better,
            beside=tuple(map(value, found.choices)),
        )
        for name, unit, better, value in wanted
    )  # fmt: skip


def _reasons(found: _Answer, facts: Sequence[Fact]) -> Iterator[str]:
    machine = found.case.machine
    yield (
        f"The knee P_opt = (D + Z)/D_max = ({number(machine.total)} + {number(machine.think)})/"
        f"{number(machine.largest)} = {number(machine.knee)}{_band(found)}; no number of "
        f"processors is more than {number(machine.knee)} times one."
    )
    for one in found.choices:
        yield _reason(found, one, facts)
    yield from _bottleneck(found, facts)
    if found.case.coherent:
        yield _retrograde(found)
    else:
        where = "Each" if found.case.synchronous else "Beyond the knee each"
        yield (
            f"{where} further processor adds D_max = {found.text(machine.largest)} to the latency, "
            f"which is {found.text(machine.total)} without waiting."
        )


def _retrograde(found: _Answer) -> str:
    """Where the speed is highest when messages slow each other."""
    machine, c = found.case.machine, found.case.coherent
    start = f"Messages slow each other by c = {number(c)}: "
    if found.case.synchronous:
        peak = usl_peak(1.0 / machine.knee, c / machine.knee) or 0.0
        if peak <= 1.0:
            return f"{start}the speed falls from the first processor on."
        root = "(D + Z − D_max)/(c D_max)" if machine.several else "Z/(c D)"
        return f"{start}the speed is highest at P = √({root}) = {number(peak)}."
    best = int(found.curve[1].argmax()) + 1
    if best == found.case.up_to:
        return f"{start}up to {best:,} processors the speed still grows."
    return f"{start}the speed is highest at P = {best:,} and falls beyond."


def _band(found: _Answer) -> str:
    """The ends of the knee's band with what happens there, whichever comes first."""
    low, high = found.band
    if low is None:
        return ""
    saturated = float(found.curve[1][low - 1]) >= NEAR * found.case.machine.knee
    if high is None:
        what = "90 % of its limit" if saturated else "an efficiency of 90 %"
        return f" (its band begins at {low:,}: {what})"
    ends = ["efficiency falls to 90 %", "speed reaches 90 % of its limit"]
    first, second = reversed(ends) if saturated else ends
    return f" (band {low:,} to {high:,}: {first}, {second})"


def _reason(found: _Answer, one: ChosenProcessors, facts: Sequence[Fact]) -> str:
    time = found.case.clock.shown(latency(found.case.machine, one.P, one.speedup))
    _, speedup, efficiency, takes = facts
    figures = (
        f"speedup {speedup.said(one.speedup)}, efficiency "
        f"{efficiency.said(100.0 * one.efficiency)}, a message takes {takes.said(time)}"
    )
    if one.purpose == TIME:
        why = f"the fewest within 1 % of the best up to {found.case.up_to:,}"
        more = "; more than these would still help" if found.rising else ""
        return f"Best time, P = {one.P:,}: {why}; {figures}{more}."
    if one.purpose == POWER:
        return f"Best efficiency × speed (largest S²/P), P = {one.P:,}: {figures}."
    bought, price = found.case.affordable, found.case.asked.price
    cost = f", cost {number(one.P * price)}" if price != 1.0 else ""
    less = "" if one.at_end else f" of the {bought} that it buys; more bring less than 1 %"
    return f"Within the budget, P = {one.P:,}{less}: {figures}{cost}."


def _bottleneck(found: _Answer, facts: Sequence[Fact]) -> Iterator[str]:
    machine, P = found.case.machine, found.main.P
    stage = machine.bottleneck
    busy = f", busy {percent(found.main.speedup / machine.knee)} of the time with {P:,}"
    alike = machine.demands.count(machine.largest)
    eased, speeds = found.relief(stage)
    best = choices(speeds)[0]
    whose = f"one of {alike} equally busy stages" if alike > 1 else "the bottleneck"
    yield (
        f"Stage {stage + 1} is {whose}: {found.text(machine.largest)} of "
        f"{found.text(machine.total)} a message{'' if found.case.coherent else busy}."
    )
    moved = f"the knee would move to {number(eased.knee)}"
    if not found.rising:
        moved += f", the best time to {best.P:,}"
    then = "it would stay the bottleneck"
    if eased.bottleneck != stage:
        then = f"stage {eased.bottleneck + 1} would rule"
    yield (
        f"With {found.text(machine.largest / 2.0)} there, {count(P, 'processor')} would be "
        f"{facts[1].said(float(speeds[P - 1]))} times as fast as one is now instead of "
        f"{facts[1].text}; {moved}, and {then}."
    )


def _choice_table(found: _Answer) -> Table:
    case, clock = found.case, found.case.clock
    alone = clock.shown(case.machine.total + case.machine.think)
    rows = tuple(
        (
            one.purpose, one.P, one.speedup, 100.0 * one.efficiency,
            clock.shown(latency(case.machine, one.P, one.speedup)), one.speedup / alone,
            None if case.coherent else 100.0 * one.speedup / case.machine.knee,
            one.P * case.asked.price,
        )
        for one in found.choices
    )  # fmt: skip
    columns = (
        ("purpose", ""), ("P", ""), ("speedup", ""), ("efficiency", "%"), ("latency R", clock.unit),
        ("throughput", f"1/{clock.unit}"), ("bottleneck busy", "%"), ("cost", ""),
    )  # fmt: skip
    return Table("Processors to use", columns, rows)


def _stage_table(found: _Answer) -> Table:
    """What each stage does, and what halving it alone would bring; equal stages in one row."""
    case, P = found.case, found.main.P
    machine = case.machine
    coherent = found.case.coherent > 0.0
    queues = mva(P, machine.demands, machine.think).queues
    busy = found.main.speedup / (machine.total + machine.think)
    rows = []
    different = sorted({demand for demand in machine.demands if demand}, reverse=True)
    for demand in different[:_STAGES_SHOWN]:
        stage = machine.demands.index(demand)
        alike = [k + 1 for k, one in enumerate(machine.demands) if one == demand]
        name = str(alike[0]) if len(alike) == 1 else f"{alike[0]} ({len(alike)} alike)"
        eased, speeds = found.relief(stage)
        rows.append(
            (
                name, case.clock.shown(demand), None if coherent else 100.0 * busy * demand,
                None if coherent else float(queues[stage]), float(speeds[P - 1]), eased.knee,
            )
        )  # fmt: skip
    columns = (
        ("stage", ""), ("D_k", case.clock.unit), (f"busy with {P:,}", "%"),
        ("queue, asynchronous", ""), (f"speed with {P:,} if halved", ""),
        ("knee if halved", ""),
    )  # fmt: skip
    return Table("Stages", columns, tuple(rows))


def _reading_table(case: ScalingCase, stop: ShouldStop) -> Table:
    """Every reading of LogP, the chosen one marked; those so far when stopped."""
    clock, chosen = case.clock, (case.asked.latency_reading, case.asked.time_reading)
    rows: list[tuple[object, ...]] = []
    for reading in case.readings:
        if stop():
            break
        one = reading.machine
        mark = "chosen" if (reading.latency, reading.time) == chosen else ""
        response = clock.shown(mva(case.up_to, one.demands, one.think).response)
        times = (clock.shown(one.total), clock.shown(one.think))
        rows.append((mark, reading.latency, reading.time, *times, one.sigma, one.knee, response))
    columns = (
        ("", ""), ("D is", ""), ("time between messages is", ""), ("D", clock.unit),
        ("Z", clock.unit), ("sigma", ""), ("P_opt", ""), (f"R({case.up_to})", clock.unit),
    )  # fmt: skip
    return Table("Variants of LogP", columns, tuple(rows))


def _notes(found: _Answer) -> Iterator[Note]:
    case, machine = found.case, found.case.machine
    text = "Machine repairman: speedup S(P) = X(P) (D + Z), latency R = P/X − Z, knee (D + Z)/D_max"
    yield Note(True, text, f"{SOURCE}, Eq. (3), (30)", EQUATION)
    if case.synchronous:
        yield Note(
            True,
            "Exact for equal computing times and a barrier; with random ones up to 31 % slower",
            f"{SOURCE}, Eq. (5)",
        )
    else:
        yield Note(
            True,
            "Exact for independent messages under processor sharing or exponential service; "
            "constant service in order of arrival is up to 5 % faster",
            f"{SOURCE}, sec. 2; Reiser & Lavenberg 1980",
        )
    if machine.several:
        text = "S_A and S_E take all stages as one: with several they are lower bounds"
        yield Note(False, text, f"{SOURCE}, Eq. (14), (25)")
    if case.asked.coherency and case.coherent == 0.0:
        text = "Coherency with several stages and independent messages is not solved: left out"
        yield Note(False, text, "arXiv:0808.1431")
    passed = _harmonic_passes(case.up_to, machine.sigma)
    if passed is not None:
        text = f"S_H is no lower bound: it passes S_A at P = {passed:,}"
        yield Note(False, text, f"{SOURCE}, sec. 4")
    if case.readings:
        yield Note(True, case.origin, f"{SOURCE}, Eq. (27)", STATED)
    yield from case.notes
    if case.readings and case.asked.time_reading in {OVERHEADS, BOTH}:
        text = (
            "The overhead o is read as Z_min/2 although g = 2 o is read as Z/P: both can't hold "
            "with P > 1"
        )
        yield Note(False, text, f"{SOURCE}, Eq. (27)")


def _harmonic_passes(up_to: int, sigma: float) -> int | None:
    """The first P ≥ 2 at which the harmonic bound is above Amdahl's law; it stays above."""
    if harmonic(up_to) <= amdahl(up_to, sigma):
        return None
    low, high = 1, up_to
    while high - low > 1:
        middle = (low + high) // 2
        if harmonic(middle) > amdahl(middle, sigma):
            high = middle
        else:
            low = middle
    return high

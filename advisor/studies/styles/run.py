"""Study: how to send, synchronously or asynchronously, in short messages or long ones.

Prices every style (`advisor.messages.styles`) for a traffic pattern on a network, shows what its
time goes to, and says which is best, by how much and how far that holds.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from contextlib import suppress
from dataclasses import replace

import numpy as np

from advisor.basics.quantities import count, number, percent, size
from advisor.basics.rounding import ALIKE
from advisor.basics.stop_rule import ShouldStop
from advisor.messages.crossings import Crossing, limit
from advisor.messages.network_load import SOURCE
from advisor.messages.networks import shape
from advisor.messages.styles import (
    PARTS,
    STYLES,
    SYNCHRONOUS,
    Style,
    StyleCost,
    advice,
    alike,
    differences,
    error_source,
)
from advisor.studies.facts import LESS, Fact
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
from advisor.studies.styles.parameters import StyleCase, StyleFindings, StylesParameters, search
from machines.errors import capital
from machines.stopping import Stopped, ask, stoppable


def run(
    parameters: StylesParameters,
    on_progress: OnProgress | None = None,
    should_stop: ShouldStop | None = None,
) -> StudyResult:
    """Price all styles and find where they cross.

    Returns: time per message by style and part, time against size with its crossovers and, of a
    hotspot, against its share; the best style and how far that holds. Incomplete when stopped.
    Raises `Stopped`: told to stop before the traffic on a large network was priced.
    """
    with stoppable(should_stop):
        case = StyleCase.of(parameters)
    found = StyleFindings({style: case.cost(style, parameters.message_bytes) for style in STYLES})
    with suppress(Stopped), stoppable(should_stop):
        for fraction, sentence in search(case, found):
            ask()
            if on_progress is not None:
                on_progress(StudyProgress(fraction, sentence))
        found.complete = True
    return _result(case, found)


def _result(case: StyleCase, found: StyleFindings) -> StudyResult:
    facts = _facts(case, found)
    return StudyResult(
        headline=_headline(case, found, facts[0]),
        alternative=_alternative(case, found, facts[0]),
        against=found.advised(case).against.name,
        facts=facts,
        reasons=tuple(_reasons(case, found, facts[0])),
        series=(*bars(case, found.costs), *curves(case, found), *share_curves(case, found)),
        tables=(style_table(case, found.costs), crossing_table(case, found.crossings)),
        notes=_notes(case, found),
        answer=found.advised(case).use,
        complete=found.complete,
    )


def _headline(case: StyleCase, found: StyleFindings, time: Fact) -> str:
    use = found.advised(case).use
    return f"Send {use.name} messages: {time.text} for {size(case.asked.message_bytes)}."


def _alternative(case: StyleCase, found: StyleFindings, time: Fact) -> str:
    """How much the style saves, or which others are as good; and where the model does not hold."""
    advised, costs = found.advised(case), found.costs
    doubt = _doubt(costs[advised.use].caveats(case.load, case.net.unit))
    error = percent(case.error)
    if advised.clear:
        ratio = costs[advised.against].time / costs[advised.use].time
        faster = _faster(ratio)
        known = f", and times with contention are known to {error}" if case.load.applies else ""
        return f"{capital(faster)} {advised.against.name}{known}.{doubt}"
    names = _listed([style.name for style in advised.alike]).capitalize()
    fewest = f"{advised.use.name} has the fewest messages under way.{doubt}"
    fastest, slowest = (costs[advised.alike[place]].time for place in (0, -1))
    if slowest - fastest <= ALIKE * slowest:
        return f"{names} take the same time; {fewest}"
    low, high = (time.said(case.clock.shown(one)) for one in (fastest, slowest))
    return f"{names} tie within the model's error of {error}: {low} to {high}; {fewest}"


def _facts(case: StyleCase, found: StyleFindings) -> tuple[Fact, ...]:
    """Of the advised style against the next: a message, what it waits in it, all messages."""
    advised, clock = found.advised(case), case.clock
    use, other = (found.costs[style] for style in (advised.use, advised.against))
    told = (*advised.alike, _needing(case, found))
    beside = tuple(clock.shown(found.costs[style].time) for style in told)

    def fact(name: str, unit: str, value: Callable[[StyleCost], float]) -> Fact:
        return Fact(name, value(use), unit, value(other), LESS)

    return (
        replace(
            fact("time per message", clock.unit, lambda one: clock.shown(one.time)), beside=beside
        ),
        fact("contention in it", clock.unit, lambda one: clock.shown(one.network + one.processor)),
        fact("all messages", "s", lambda one: case.messages * one.time * case.net.unit_s),
    )


def _doubt(outside: Sequence[str]) -> str:
    """That the model does not hold, where it does not."""
    if not outside:
        return ""
    more = f" ({count(len(outside) - 1, 'more reason')} in the notes)" if outside[1:] else ""
    first = outside[0].removesuffix(".")
    return f" The model does not hold here: {first[0].lower()}{first[1:]}{more}."


def _faster(ratio: float) -> str:
    if ratio < 1.1:
        return f"{percent(ratio - 1.0)} faster than"
    return f"{number(ratio, digits=2)} times faster than"


def _needing(case: StyleCase, found: StyleFindings) -> Style:
    """The style to use where the program awaits replies."""
    waiting = {one: cost for one, cost in found.costs.items() if one.completion == SYNCHRONOUS}
    return advice(waiting, case.error).use


def _reasons(case: StyleCase, found: StyleFindings, time: Fact) -> Iterator[str]:
    advised, costs = found.advised(case), found.costs
    yield from _compared(case, costs[advised.use], costs[advised.against], time)
    if not advised.clear and case.load.given is None:
        yield "The simulation may separate styles that tie in the model."
    needing = _needing(case, found)
    if needing != advised.use:
        takes = time.said(case.clock.shown(costs[needing].time))
        yield f"Where the program awaits replies, use {needing.name}: {takes}."
    if found.complete:
        yield _holds(case, advised.use)
    if found.complete and found.shares:
        yield holds_at_shares(case, found, advised.use)


def _compared(case: StyleCase, use: StyleCost, against: StyleCost, time: Fact) -> Iterator[str]:
    """The difference of two styles with all its parts, which sum to it."""
    parts = differences(use, against)
    if not parts:
        return
    gain = against.time - use.time

    def text(part: float) -> str:
        return time.said(case.clock.shown(part))

    told = [
        f"{text(abs(value))} of {TITLES[part]} {'saved' if value > 0 else 'added'}"
        for part, value in sorted(parts.items(), key=lambda one: -one[1] * gain)
    ]
    does = "saves" if gain > 0 else "costs"
    more = "" if gain > 0 else " more"
    if abs(gain) <= ALIKE * use.time:
        does, gain, more = "differs by", 0.0, ""
    yield (
        f"Against {against.style.name} it {does} {text(abs(gain))}{more} a message: "
        f"{_listed(told)}."
    )


def _holds(case: StyleCase, best: Style) -> str:
    """From which size to which one no other style is better by more than the model's error."""

    def leads(message_bytes: int) -> bool:
        costs = [case.cost(style, message_bytes) for style in STYLES]
        fastest = min(costs, key=lambda cost: cost.time)
        return alike(case.cost(best, message_bytes), fastest, case.error)

    here, largest = case.asked.message_bytes, case.asked.largest_bytes
    up = limit(leads, here, max(largest, here))
    down = limit(leads, here, 1)
    low = "from the smallest" if down is None else f"from {size(down)}"
    high = f"to the largest drawn, {size(max(largest, here))}" if up is None else f"to {size(up)}"
    return f"It stays best, or ties within that error, {low} {high}."


def _listed(names: Sequence[str]) -> str:
    """Names in a sentence: "a, b and c"."""
    return " and ".join([", ".join(names[:-1]), names[-1]] if len(names) > 1 else names)


def holds_at_shares(case: StyleCase, found: StyleFindings, best: Style) -> str:
    """Up to which share of the hotspot, between the shares tried by straight lines.

    Another style takes over where it is ahead by more than the model's error.
    """
    own = found.by_share[best]
    least = np.min([found.by_share[style] for style in STYLES], axis=0)
    start = found.shares.index(case.asked.hotspot_share)
    for place in range(start + 1, len(own)):
        behind = own[place] - least[place]
        if behind > case.error * own[place]:
            winner = next(s for s in STYLES if found.by_share[s][place] == least[place])
            ahead = max(0.0, found.by_share[winner][place - 1] - own[place - 1])
            low, high = found.shares[place - 1 : place + 1]
            share = low + (high - low) * ahead / (ahead + behind)
            return f"It stays best up to a hotspot share of {percent(share)}; then {winner.name}."
    return f"It stays best up to a hotspot share of {percent(found.shares[-1])} at least."


def _notes(case: StyleCase, found: StyleFindings) -> tuple[Note, ...]:
    best = found.advised(case).use
    texts = found.costs[best].caveats(case.load, case.net.unit)
    outside = [Note(False, f"{best.name}: {text}", SOURCE) for text in texts]
    where = f"{case.net.name}, {shape(case.net.network)}, "
    where += f"mean hops in a dimension k_d = {case.load.k_d:.4g}"
    error = (
        f"Times with contention are known to within {percent(case.error)}: styles that differ by "
        "less tie. Of these, the advice is the one with the fewest messages under "
        "way: synchronous before asynchronous, then short before blocking before non-blocking."
    )
    return (
        *outside,
        Note(True, error, error_source(case.load)),
        Note(True, where, case.net.source, STATED),
        *case.origin,
        Note(
            True,
            "Time per message = computation + overheads + latency + gap + contention in the "
            "network C_n and at the processor C_r",
            "Moritz & Frank 2001, Eq. (1), (2), (8), (9)",
            EQUATION,
        ),
    )


# Curves and tables of the styles study.

TOGETHER = "time per message"  # its parts beside its curve over size
SIZE = ("message size", "B")
TITLES = {
    "computing": "computation",
    "overhead": "overheads",
    "latency": "latency",
    "gap": "gap",
    "network": "network contention",
    "processor": "processor contention",
}


def bars(case: StyleCase, costs: dict[Style, StyleCost]) -> tuple[Series, ...]:
    """Time per message by style, a series a part; the recommended and the shortest are marked."""
    parts = [part for part in PARTS if any(getattr(cost, part) > 0 for cost in costs.values())]
    return tuple(
        Series(
            name=TITLES[part],
            x=tuple(style.name for style in STYLES),
            y=tuple(case.clock.shown(getattr(costs[style], part)) for style in STYLES),
            x_label="style",
            x_unit="",
            y_label="time per message",
            y_unit=case.clock.unit,
            kind="bars",
            beside=TOGETHER,
            labels=() if place else _marks(case, costs),
        )
        for place, part in enumerate(parts)
    )


def _marks(case: StyleCase, costs: dict[Style, StyleCost]) -> tuple[str, ...]:
    """Which style is recommended, why where another one is shorter, and which that is."""
    use = advice(costs, case.error).use
    shortest = min(costs.values(), key=lambda cost: cost.time).time
    marks = dict.fromkeys(STYLES, "")
    for style in STYLES:
        if costs[style].time <= shortest * (1.0 + ALIKE):
            marks[style] = "shortest"
    if marks[use]:
        marks[use] = "recommended"
    else:
        marks[use] = f"recommended: a tie within {percent(case.error)}, fewest under way"
    return tuple(marks.values())


def line(
    case: StyleCase,
    name: str,
    points: Sequence[tuple[float, float]],
    by: tuple[str, str],
    kind: str = "line",
) -> Series:
    """A curve of times against `by`, a name and its unit."""
    return Series(
        name=name,
        x=tuple(float(x) for x, _ in points),
        y=tuple(case.clock.shown(y) for _, y in points),
        x_label=by[0],
        x_unit=by[1],
        y_label="time per message",
        y_unit=case.clock.unit,
        kind=kind,
        beside=TOGETHER if by == SIZE else "",
    )


def curves(case: StyleCase, found: StyleFindings) -> tuple[Series, ...]:
    """Time per message against size by style, with the crossovers and the chosen size."""
    by = SIZE
    lines = [
        line(case, style.name, list(zip(found.sizes, found.curves[style], strict=True)), by)
        for style in STYLES
    ]
    ordered = sorted(found.crossings, key=lambda one: one.size)
    marks = [(float(one.size), one.time) for one in ordered]
    names = tuple(f"{one.before.name} → {one.after.name}{_alike(one)}" for one in ordered)
    here = (float(case.asked.message_bytes), found.costs[found.advised(case).use].time)
    return (
        *lines,
        replace(line(case, "crossovers", marks, by, "points"), labels=names),
        line(case, "chosen size", [here], by, "points"),
    )


def _alike(crossing: Crossing) -> str:
    """The sizes at which the model can't tell the two apart."""
    if crossing.alike is None:
        return ""
    low, high = map(size, crossing.alike)
    return f" (tie from {low} to {high})"


def share_curves(case: StyleCase, found: StyleFindings) -> tuple[Series, ...]:
    """Time per message against the hotspot's share by style; nothing without a hotspot."""
    if not found.shares:
        return ()
    return tuple(
        line(case, style.name, list(zip(found.shares, times, strict=True)), ("hotspot share", ""))
        for style, times in found.by_share.items()
    )


def style_table(case: StyleCase, costs: dict[Style, StyleCost]) -> Table:
    """Every style with its parts, contention, messages and total."""
    clock = case.clock
    rows = tuple(
        (
            style.name,
            clock.shown(cost.time),
            *(clock.shown(getattr(cost, part)) for part in PARTS),
            clock.shown(cost.contention),
            cost.messages,
            case.messages * cost.time * case.net.unit_s,
        )
        for style, cost in costs.items()
    )
    columns = (
        ("style", ""), ("time per message", clock.unit),
        *((TITLES[part], clock.unit) for part in PARTS), ("contention C_n", clock.unit),
        ("messages sent", ""), ("in total", "s"),
    )  # fmt: skip
    return Table("Styles", columns, rows)


def crossing_table(case: StyleCase, found: list[Crossing]) -> Table:
    """The sizes from which on another style is better, and where the model can't tell."""
    rows = tuple(
        (
            one.before.name,
            one.after.name,
            one.size,
            case.clock.shown(one.time),
            *(one.alike or (None, None)),
        )
        for one in found
    )
    columns = (
        ("up to here", ""), ("from here on", ""), ("size", "B"), ("time", case.clock.unit),
        ("tie from", "B"), ("tie to", "B"),
    )  # fmt: skip
    return Table("Crossovers", columns, rows)

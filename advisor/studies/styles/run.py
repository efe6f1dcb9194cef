"""Study: how to send, synchronously or asynchronously, in short messages or long ones.

Prices every style (`advisor.messages.styles`) for a traffic pattern on a network, shows what its
time goes to, and says which is best, by how much and how far that holds.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace

import numpy as np

from advisor.basics.quantities import number, percent, size
from advisor.basics.rounding import ALIKE
from advisor.basics.stopping import ShouldStop
from advisor.messages.crossings import Crossing, limit
from advisor.messages.network_load import SOURCE
from advisor.messages.networks import shape
from advisor.messages.styles import PARTS, STYLES, SYNCHRONOUS, Style, StyleCost
from advisor.studies.questions import QUESTIONS
from advisor.studies.study import (
    Check,
    Note,
    OnCheckProgress,
    OnProgress,
    Series,
    Study,
    StudyProgress,
    StudyResult,
    Table,
)
from advisor.studies.styles.parameters import StyleCase, StyleFindings, StylesParameters, search

__all__ = ["STUDY", "StylesParameters", "check", "run"]

TITLES = {
    "computing": "computation",
    "overhead": "overheads",
    "latency": "latency",
    "gap": "gap",
    "network": "network contention",
    "processor": "processor contention",
}


def run(
    parameters: StylesParameters,
    on_progress: OnProgress | None = None,
    should_stop: ShouldStop | None = None,
) -> StudyResult:
    """Price all styles and find where they cross.

    Returns
    -------
    StudyResult
        Time per message by style and part, time against size with its crossovers and, of a
        hotspot, against its share; the best style and how far that holds. Incomplete when
        stopped.

    Raises
    ------
    InputError
        A network, shape or mapping that does not exist, or more processors than nodes.
    """
    case = StyleCase.of(parameters)
    found = StyleFindings({style: case.cost(style, parameters.message_bytes) for style in STYLES})
    for fraction, sentence in search(case, found):
        if should_stop is not None and should_stop():
            return _result(case, found)
        if on_progress is not None:
            on_progress(StudyProgress(fraction, sentence))
    found.complete = True
    return _result(case, found)


def check(
    parameters: StylesParameters,
    on_progress: OnCheckProgress | None = None,
    should_stop: ShouldStop | None = None,
) -> Check:
    """Simulate the case: see `advisor.studies.styles.check`."""
    from advisor.studies.styles import check as styles_check  # noqa: PLC0415 - scipy is slow to import

    return styles_check.check(parameters, on_progress, should_stop)


def _result(case: StyleCase, found: StyleFindings) -> StudyResult:
    return StudyResult(
        sentence=_sentence(case, found),
        reasons=tuple(_reasons(case, found)),
        series=(*_bars(case, found.costs), *_curves(case, found), *_share_curves(case, found)),
        tables=(_style_table(case, found.costs), _crossing_table(case, found.crossings)),
        notes=_notes(case, found),
        complete=found.complete,
    )


def _sentence(case: StyleCase, found: StyleFindings) -> str:
    best, second = found.ranked[:2]
    time, bytes_ = case.clock.text(found.costs[best].time), size(case.asked.message_bytes)
    faster = _faster(found.costs[second].time / found.costs[best].time)
    return (
        f"{best.name.capitalize()} messages are best: {time} for {bytes_}, {faster} {second.name}."
    )


def _faster(ratio: float) -> str:
    if ratio < 1.0 + ALIKE:
        return "as fast as"
    if ratio < 1.1:
        return f"{percent(ratio - 1.0)} faster than"
    return f"{number(ratio, digits=2)} times faster than"


def _reasons(case: StyleCase, found: StyleFindings) -> Iterator[str]:
    costs, ranked = found.costs, found.ranked
    best, second = ranked[:2]
    saved = {part: getattr(costs[second], part) - getattr(costs[best], part) for part in PARTS}
    most = max(saved, key=lambda part: saved[part])
    if saved[most] > 0:
        yield (
            f"Against {second.name} it saves {case.clock.text(saved[most])} of "
            f"{TITLES[most]} a message."
        )
    needing = next(style for style in ranked if style.completion == SYNCHRONOUS)
    if needing != best:
        time = case.clock.text(costs[needing].time)
        yield f"Where the program awaits replies, {needing.name} is best: {time}."
    if found.complete:
        yield _holds(case, best)
    if found.complete and found.shares:
        yield holds_at_shares(case, found, best)


def _holds(case: StyleCase, best: Style) -> str:
    """From which size to which one the best style stays best."""

    def leads(message_bytes: int) -> bool:
        times = [case.time(style, message_bytes) for style in STYLES]
        return case.time(best, message_bytes) <= min(times) * (1.0 + ALIKE)

    here, largest = case.asked.message_bytes, case.asked.largest_bytes
    up = limit(leads, here, max(largest, here))
    down = limit(leads, here, 1)
    low = "from the smallest" if down is None else f"from {size(down)}"
    high = f"to the largest drawn, {size(max(largest, here))}" if up is None else f"to {size(up)}"
    return f"It stays best {low} {high}."


def holds_at_shares(case: StyleCase, found: StyleFindings, best: Style) -> str:
    """Up to which share of the hotspot, between the shares tried by straight lines."""
    own = found.by_share[best]
    least = np.min([found.by_share[style] for style in STYLES], axis=0)
    start = found.shares.index(case.asked.hotspot_share)
    for place in range(start + 1, len(own)):
        behind = own[place] - least[place]
        if behind > ALIKE * own[place]:
            winner = next(s for s in STYLES if found.by_share[s][place] == least[place])
            ahead = found.by_share[winner][place - 1] - own[place - 1]
            low, high = found.shares[place - 1 : place + 1]
            share = low + (high - low) * ahead / (ahead + behind)
            return f"It stays best up to a hotspot share of {percent(share)}; then {winner.name}."
    return f"It stays best up to a hotspot share of {percent(found.shares[-1])} at least."


def _bars(case: StyleCase, costs: dict[Style, StyleCost]) -> tuple[Series, ...]:
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
        )
        for part in PARTS
        if any(getattr(cost, part) > 0 for cost in costs.values())
    )


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
    )


def _curves(case: StyleCase, found: StyleFindings) -> tuple[Series, ...]:
    by = ("message size", "B")
    lines = [
        line(case, style.name, list(zip(found.sizes, found.curves[style], strict=True)), by)
        for style in STYLES
    ]
    ordered = sorted(found.crossings, key=lambda one: one.size)
    marks = [(float(one.size), one.time) for one in ordered]
    names = tuple(f"{one.before.name} → {one.after.name}" for one in ordered)
    here = (float(case.asked.message_bytes), found.costs[found.ranked[0]].time)
    return (
        *lines,
        replace(line(case, "crossovers", marks, by, "points"), labels=names),
        line(case, "chosen size", [here], by, "points"),
    )


def _share_curves(case: StyleCase, found: StyleFindings) -> tuple[Series, ...]:
    if not found.shares:
        return ()
    return tuple(
        line(case, style.name, list(zip(found.shares, times, strict=True)), ("hotspot share", ""))
        for style, times in found.by_share.items()
    )


def _style_table(case: StyleCase, costs: dict[Style, StyleCost]) -> Table:
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
        *((TITLES[part], clock.unit) for part in PARTS), ("C_n", clock.unit),
        ("messages sent", ""), ("in total", "s"),
    )  # fmt: skip
    return Table("Styles", columns, rows)


def _crossing_table(case: StyleCase, found: list[Crossing]) -> Table:
    rows = tuple(
        (one.before.name, one.after.name, one.size, case.clock.shown(one.time)) for one in found
    )
    columns = (("up to here", ""), ("from here on", ""), ("size", "B"), ("time", case.clock.unit))
    return Table("Crossovers", columns, rows)


def _notes(case: StyleCase, found: StyleFindings) -> tuple[Note, ...]:
    best = found.ranked[0]
    texts = found.costs[best].caveats(case.load, case.net.unit)
    outside = [Note(False, f"{best.name}: {text}", SOURCE) for text in texts]
    where = f"{case.net.name}, {shape(case.net.network)}, k_d = {case.load.k_d:.4g}"
    return (*outside, Note(True, where, case.net.source))


STUDY = Study(*QUESTIONS["styles"], record=StylesParameters, run=run, check=check)

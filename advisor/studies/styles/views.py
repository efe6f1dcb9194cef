"""Curves and tables of the styles study."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from advisor.basics.quantities import size
from advisor.messages.crossings import Crossing
from advisor.messages.styles import PARTS, STYLES, Style, StyleCost
from advisor.studies.study import Series, Table
from advisor.studies.styles.parameters import StyleCase, StyleFindings

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
    """Time per message by style, a series a part."""
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

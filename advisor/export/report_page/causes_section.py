"""Where the time goes: the critical path and all of it, by cause."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from advisor.basics.causes import CAUSES, COLOURS, IDLE
from advisor.basics.quantities import percent
from advisor.basics.units import Unit
from advisor.export.report_page.page_blocks import Block, Figure, Section, Table
from advisor.export.report_page.subject import Reported
from advisor.export.report_page.svg_drawing import (
    FILL,
    LINE,
    MUTED,
    NARROW_PX,
    TEXT_PX,
    Box,
    Drawing,
    Shape,
    Word,
    shortened,
    text_px,
)

ORDER = (*CAUSES, IDLE)
_SEEN, _CRUMB = 1e-3, 1e-6  # shares: of what can be seen, and of what is rounding


def stacked(
    label: str, spent: Mapping[str, float], unit: Unit, longest_s: float, value: str = ""
) -> Barred:
    """A bar of causes; the longest bar of a figure has the whole width."""
    parts = tuple(
        (spent[cause] / longest_s, COLOURS[cause], f"{label}: {cause} {unit.text(spent[cause])}")
        for cause in ORDER
        if spent.get(cause, 0.0) > 0.0 and longest_s > 0.0
    )
    return Barred(label, value or unit.text(sum(spent.values())), parts)


def legend(*breakdowns: Mapping[str, float]) -> tuple[tuple[str, str], ...]:
    """The causes that can be seen in such bars, with their colours."""
    return tuple(
        (cause, COLOURS[cause])
        for cause in ORDER
        if any(one.get(cause, 0.0) > _SEEN * sum(one.values()) for one in breakdowns)
    )


def _blocks(reported: Reported) -> tuple[Block, ...]:
    prediction = reported.prediction
    critical, total = prediction.critical_breakdown_s, prediction.breakdown_s
    wholes = (prediction.makespan_s, prediction.total_s)
    both = tuple(zip((critical, total), wholes, strict=True))
    shown = [
        cause
        for cause in ORDER
        if any(spent.get(cause, 0.0) > _CRUMB * whole_s for spent, whole_s in both)
    ]
    if not shown or wholes[0] <= 0.0:
        return ()
    says = ", ".join(f"{one} {percent(critical.get(one, 0.0) / wholes[0])}" for one in shown)
    units = [Unit.of_times(*(spent.get(one, 0.0) for one in shown)) for spent, _ in both]
    drawing = bars(
        [
            stacked("on the critical path", critical, units[0], wholes[0]),
            stacked("all tasks and transfers", total, units[1], wholes[1]),
        ]
    )
    figure = Figure(
        "Time by cause",
        drawing,
        "The critical path is the chain of tasks and transfers that ends at the makespan. Each bar "
        "has the whole width.",
        f"Shares of the critical path: {says}.",
        legend(critical, total),
    )
    columns = [
        [_cells(spent, unit, whole_s, cause) for cause in shown]
        for (spent, whole_s), unit in zip(both, units, strict=True)
    ]
    rows = tuple((cause, *one, *all_) for cause, one, all_ in zip(shown, *columns, strict=True))
    heads = ("cause", "critical path", "share", "all", "share")
    return figure, Table("The same in numbers", heads, rows, "lrrrr")


def _cells(spent: Mapping[str, float], unit: Unit, whole_s: float, cause: str) -> tuple[str, str]:
    seconds = spent.get(cause, 0.0)
    return unit.text(seconds), percent(seconds / whole_s if whole_s > 0.0 else 0.0)


SECTION = Section("causes", "Where the time goes", _blocks)


# Bars below each other, each under its own label: parts by cause, or a share of something.

_LABEL_PX, _BAR_PX, _GAP_PX = 17.0, 14.0, 9.0
MOST_BARS = 16  # of one figure: it is no higher than a sheet of paper


@dataclass(frozen=True)
class Barred:
    """One bar.

    Attributes
    ----------
    label, value : str
        Above it, at the left and at the right.
    parts : tuple of (length, fill, says)
        From the left; lengths are shares of the width.
    whole : bool
        Whether the rest up to the width is drawn, too: the bar is a share of it.
    """

    label: str
    value: str
    parts: tuple[tuple[float, str, str], ...]
    whole: bool = False


def bars(rows: Sequence[Barred]) -> Drawing:
    """The drawing of some bars."""
    shapes: list[Shape] = []
    y = 2.0
    for row in rows:
        room = NARROW_PX - text_px(row.value) - TEXT_PX
        shapes.append(Word(0.0, y + TEXT_PX, shortened(row.label, room)))
        shapes.append(Word(1.0, y + TEXT_PX, row.value, MUTED, end=True))
        y += _LABEL_PX
        if row.whole:
            shapes.append(Box(0.0, 1.0, y, _BAR_PX, LINE))
        at = 0.0
        for length, fill, says in row.parts:
            end = min(1.0, at + length)
            shapes.append(Box(at, end, y, _BAR_PX, fill, says))
            at = end
        y += _BAR_PX + _GAP_PX
    return Drawing(y, tuple(shapes))


def share(label: str, value: str, part: float, says: str) -> Barred:
    """A bar that is a share of a whole, 0 to 1."""
    return Barred(label, value, ((min(1.0, max(0.0, part)), FILL, says),), whole=True)

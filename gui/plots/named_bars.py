"""Series over names instead of numbers as horizontal bars, where long names can be read.

Bars of one name are stacked; points, such as what a simulation measured, are marks across them.
"""

from __future__ import annotations

from collections.abc import Sequence

from advisor.basics.units import Unit
from advisor.studies.study import Series
from gui.basics.theme import theme
from gui.plots.bar_chart import Bar, Group, Segment
from gui.plots.series_colours import cause_colour, series_colours

_AMOUNT = 0.6  # of the theme's ramp


def groups_of(series: Sequence[Series]) -> tuple[Group, ...]:
    """One group for each y axis, with a bar for each name."""
    axes = dict.fromkeys((one.y_label, one.y_unit) for one in series)
    return tuple(
        _group([one for one in series if (one.y_label, one.y_unit) == axis]) for axis in axes
    )


def _group(series: Sequence[Series]) -> Group:
    first = series[0]
    bars = [one for one in series if one.kind == "bars"]
    points = [one for one in series if one.kind != "bars"]
    colours = [colour.name() for colour in series_colours(bars)]
    titles = [one.name for one in bars]
    if len(bars) == 1 and cause_colour(bars[0].name) is None:
        # the axis has its name, and the colours of parts would say what is not meant
        titles, colours = [""], [theme().ramp(_AMOUNT).name()]
    names = dict.fromkeys(str(name) for one in series for name in one.x)
    totals = {
        name: sum(one.y[one.x.index(name)] for one in bars if name in one.x) for name in names
    }
    unit = Unit.of(first.y_unit, *totals.values(), *(y for one in points for y in one.y))
    rows: list[Bar] = []
    for name, total in totals.items():
        parts = tuple(
            Segment(title, one.y[one.x.index(name)], colour)
            for one, title, colour in zip(bars, titles, colours, strict=True)
            if name in one.x
        )
        marks = [(one, one.x.index(name)) for one in points if name in one.x]
        rows.extend(_rows(name, parts, unit.text(total) + _more(bars, name), marks, unit))
    return Group(first.y_label, first.y_unit, tuple(rows))


def _more(bars: Sequence[Series], name: str) -> str:
    """What else is said of a bar: " (−300 cycles)"."""
    said = [one.labels[one.x.index(name)] for one in bars if one.labels and name in one.x]
    return "".join(f" ({text})" for text in said if text)


def _rows(
    name: str,
    parts: tuple[Segment, ...],
    text: str,
    marks: Sequence[tuple[Series, int]],
    unit: Unit,
) -> list[Bar]:
    """The bar of a name with its first mark; further marks have rows of their own."""
    if not marks:
        return [Bar(name, parts, text)]
    rows = []
    for place, (one, at) in enumerate(marks):
        spread = one.half_width[at] if one.half_width else 0.0
        value = unit.text(one.y[at])
        own = place == 0 and bool(parts)
        label = name if place == 0 else f"{name}, {one.name}"
        shown = f"{text} ({one.name} {value})" if own else value
        rows.append(Bar(label, parts if own else (), shown, one.y[at], one.name, spread))
    return rows

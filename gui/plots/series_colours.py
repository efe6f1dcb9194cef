"""The colours of a study's series: parts of a time as their causes, curves from a readable row.

A part that a model names in its own words (a message's latency) has the colour of the cause that
it counts as in predictions. Points belong to the curve that their name contains, a band to the
one before it.
"""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtGui import QColor

from advisor.basics import causes, curve_colours
from advisor.studies.study import Series
from gui.basics.theme import CAUSE_COLOURS, theme

# as in advisor.programs.program; the gap is a transfer too, with a colour of its own beside it
_PARTS = {
    "computation": causes.COMPUTING,
    "overheads": causes.MESSAGE_OVERHEAD,
    "latency": causes.TRANSFERRING,
    "processor contention": causes.PROCESSOR_WAIT,
}
_GAP = "#DDCC77"  # Tol's sand
_FOLLOW = {"points", "band"}  # kinds that have the colour of a curve
_BAND = 0.25
# parts of the shared-memory overhead: its colour, darker by so much (0: paler); neighbours are
# apart, also where no garbage is collected
_SHARED = {
    "page faults": 100,
    "empty misses": 150,
    "garbage collection": 0,
    "locks": 230,
    "serving others": 125,
    "barriers": 190,
}


def cause_colour(name: str) -> QColor | None:
    """The fixed colour of a cause, or of the part of a message's time; ``None`` for others."""
    if name in _SHARED:
        overhead = QColor(CAUSE_COLOURS[causes.SHARED_MEMORY_OVERHEAD])
        return overhead.darker(_SHARED[name]) if _SHARED[name] else _paler(overhead)
    if name == "gap":
        return QColor(_GAP)
    cause = _PARTS.get(name, name)
    if cause not in CAUSE_COLOURS:
        return None
    return QColor(CAUSE_COLOURS[cause])


def drawn_again(series: Sequence[Series]) -> tuple[str, ...]:
    """The curves of an answer that several of its plots show, or points of the same name do."""
    plots: dict[str, set[tuple[str, str]]] = {}
    for one in series:
        plots.setdefault(one.name, set()).add((one.x_label, one.y_label))
    curves = dict.fromkeys(one.name for one in series if one.kind not in _FOLLOW)
    return tuple(name for name in curves if len(plots[name]) > 1)


def series_colours(series: Sequence[Series], first: Sequence[str] = ()) -> tuple[QColor, ...]:
    """A colour for each series, in their order; the names `first` have theirs in every plot."""
    row = curve_colours.DARK if theme().dark else curve_colours.LIGHT
    drawn = [one.name for one in series if one.kind not in _FOLLOW] or [one.name for one in series]
    given: dict[str, QColor] = {
        name: cause_colour(name) or QColor(row[place % len(row)])
        for place, name in enumerate(dict.fromkeys((*first, *drawn)))
    }

    def of_points(name: str) -> QColor:
        owners = [owner for owner in given if owner in name]
        return given[max(owners, key=len)] if owners else QColor(theme().colours.text)

    found: list[QColor] = []
    for one in series:
        if one.kind == "band":
            found.append(_faint(found[-1] if found else QColor(row[0])))
        else:
            found.append(of_points(one.name) if one.kind == "points" else given[one.name])
    return tuple(found)


def _faint(colour: QColor) -> QColor:
    """The colour of a band around a curve, or inside its band: others can be seen through it."""
    faint = QColor(colour)
    around = colour.alphaF() if colour.alphaF() < 1.0 else 0.0
    faint.setAlphaF(min(around + _BAND, 1.0))
    return faint


def _paler(colour: QColor) -> QColor:
    """Half of the colour, half white."""
    return QColor(*((channel + 255) // 2 for channel in colour.getRgb()[:3]))  # type: ignore[index]

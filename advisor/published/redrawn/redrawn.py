"""One figure of a paper as a value: the models' curves, and what the paper prints beside them."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace

import numpy as np

from advisor.published.figure import DEVIATES, NOT_REPRODUCIBLE, REPRODUCED, Figure
from advisor.studies.study import Series
from machines.arrays import Floats

Axes = tuple[str, str, str, str]  # label and unit along, label and unit across

# names of the printed points, by what `placewise validate` finds of their numbers
PRINTED = {
    REPRODUCED: "printed, reproduced",
    DEVIATES: "printed, deviates",
    NOT_REPRODUCIBLE: "printed, not reproducible",
}


@dataclass(frozen=True)
class Mark:
    """A printed number in its place among the curves.

    Attributes
    ----------
    number : Figure
        What the paper prints.
    at : float
        Where along the horizontal axis; with `along`, where across.
    curve : str
        The name of the curve that gives the model's value.
    scale, zero : float
        zero + scale · number is the value on the axis, e.g. a speedup over eight processors.
    along : bool
        The number is a place on the horizontal axis.
    """

    number: Figure
    at: float
    curve: str
    scale: float = 1.0
    zero: float = 0.0
    along: bool = False

    @property
    def place(self) -> tuple[float, float]:
        """Horizontal and vertical value of the printed number."""
        value = self.zero + self.scale * self.number.printed
        return (value, float(self.at)) if self.along else (float(self.at), value)


@dataclass(frozen=True)
class Redrawn:
    """A figure (or table) of a paper, redrawn.

    Attributes
    ----------
    name : str
        Of its files: lower-case letters, digits and hyphens.
    model : str
        The paper, as in `Figure.model`.
    where : str
        Which of its figures, tables or sections.
    title : str
        What it shows.
    equation : str
        What the curves are, with the paper's equation.
    curves : tuple of Series
        Lines of the models; all share the axes of the first.
    marks : tuple of Mark
        Printed numbers that have a place among the curves.
    others : tuple of Figure
        Printed numbers about the figure that have none: ratios, bounds, errors of measurement.
    logarithmic : tuple of bool
        Whether the horizontal and the vertical axis are.
    note : str
        What the paper withholds, and what is drawn in its place; empty: nothing.
    """

    name: str
    model: str
    where: str
    title: str
    equation: str
    curves: tuple[Series, ...]
    marks: tuple[Mark, ...] = ()
    others: tuple[Figure, ...] = ()
    logarithmic: tuple[bool, bool] = (False, False)
    note: str = ""

    @property
    def heading(self) -> str:
        """The figure's place in its paper, and its title."""
        return f"{self.where}: {self.title}"

    @property
    def series(self) -> tuple[Series, ...]:
        """The curves, then the printed points, one series for each status."""
        first = self.curves[0]
        axes = (first.x_label, first.x_unit, first.y_label, first.y_unit)
        points = []
        for status, name in PRINTED.items():
            marks = [mark for mark in self.marks if mark.number.status == status]
            if marks:
                x, y = zip(*(mark.place for mark in marks), strict=True)
                labels = tuple(mark.number.figure for mark in marks)
                points.append(Series(name, x, y, *axes, kind="points", labels=labels))
        return (*self.curves, *points)

    @property
    def numbers(self) -> tuple[Figure, ...]:
        """The printed numbers, those with a place beside what their curve gives there."""
        return (*(self._beside_curve(mark) for mark in self.marks), *self.others)

    def value_at(self, curve: str, x: float) -> float:
        """What a curve gives at `x`, between the two values beside it."""
        (one,) = (one for one in self.curves if one.name == curve)
        return float(np.interp(x, np.array(one.x, float), np.array(one.y, float)))

    def _beside_curve(self, mark: Mark) -> Figure:
        """The number with the value of its curve; the digits are those of `validate`."""
        number = mark.number
        if mark.along or number.obtained is not None:
            return number
        found = (self.value_at(mark.curve, mark.at) - mark.zero) / mark.scale
        return replace(number, obtained=found, deviation=found / number.printed - 1.0)


@dataclass(frozen=True)
class NotRedrawn:
    """A figure of a paper that the models can't draw, and why."""

    model: str
    where: str
    reason: str


class Numbers:
    """The published numbers of a paper, by name and place."""

    def __init__(self, figures: Iterable[Figure]) -> None:
        self._figures = tuple(figures)

    def one(self, name: str, where: str = "") -> Figure:
        """The only number whose name is or begins so, of a place that is or contains `where`."""
        begun = self.all(name, where)
        named = [one for one in begun if one.figure == name] or begun
        found = [one for one in named if one.where == where] or named
        if len(found) != 1:
            raise LookupError(f"{len(found)} published numbers “{name}” of “{where}”")
        return found[0]

    def all(self, name: str = "", where: str = "") -> tuple[Figure, ...]:
        """Every number whose name begins so, of a place that contains `where`."""
        return tuple(
            one for one in self._figures if one.figure.startswith(name) and where in one.where
        )


def lines(
    axes: Axes, x: Sequence[float] | Floats, curves: Mapping[str, Sequence[float] | Floats]
) -> tuple[Series, ...]:
    """Curves over the same places: name → values; places that are all `int` count things."""
    along, counts = tuple(map(float, x)), all(isinstance(one, int) for one in x)
    return tuple(
        Series(name, along, tuple(map(float, values)), *axes, counts=counts)
        for name, values in curves.items()
    )


def spread(low: float, high: float, *places: float, count: int = 121) -> list[float]:
    """Places in equal ratios from `low` to `high`, with those of printed numbers among them."""
    return sorted({*np.geomspace(low, high, count).tolist(), low, high, *map(float, places)})

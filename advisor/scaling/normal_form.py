"""The performance model normal form of a measured time: c0 + c1 · product of x^a · log2(x)^b.

Calotoiu, Hoefler, Poke, Wolf, SC13; several parameters as in Calotoiu et al., CLUSTER 2016: the
best terms of each, added or multiplied. Leave-one-out decides, by the relative error.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import product

import numpy as np

from advisor.basics.quantities import number
from machines.arrays import Floats

SOURCE = "Calotoiu, Hoefler, Poke & Wolf, SC13, Eq. (1)"
_POWERS = (-1.0, -0.5, 0.0, 1 / 4, 1 / 3, 1 / 2, 2 / 3, 3 / 4, 1.0, 5 / 4, 4 / 3, 3 / 2, 5 / 3,
           7 / 4, 2.0, 9 / 4, 5 / 2, 3.0)  # fmt: skip
_LOGARITHMS = (0, 1, 2)
_CLEARER = 0.5  # a form with a term must miss by less than this share of what the constant does
_SHAPES = [(a, b) for a, b in product(_POWERS, _LOGARITHMS) if (a, b) != (0.0, 0)]

Shape = tuple[float, int]  # a and b
Term = tuple[Shape, ...]  # of every parameter; (0, 0): it has no say


@dataclass(frozen=True, eq=False)
class NormalForm:
    """One form: constant, terms with their coefficients, and how far it misses what is left out."""

    names: tuple[str, ...]
    terms: tuple[Term, ...]
    coefficients: tuple[float, ...]  # the constant, then one a term
    missed: float  # root mean square of the relative error, each point left out in turn
    worst: float  # the largest of these

    def at(self, points: Floats) -> Floats:
        """Values at points, shape (points, parameters)."""
        columns = [np.ones(points.shape[0]), *(_column(term, points) for term in self.terms)]
        values: Floats = np.stack(columns, axis=1) @ np.array(self.coefficients)
        return values

    @property
    def constant(self) -> bool:
        """Whether the constant is more than rounding."""
        first, *rest = map(abs, self.coefficients)
        return first > 1e-9 * max(rest, default=0.0) and first > 0.0

    @property
    def text(self) -> str:
        """The form in words of mathematics: "0.21 + 3.4 · p^1.5 · log2(p)"."""
        parts = [number(self.coefficients[0])] if self.constant else []
        for term, c in zip(self.terms, self.coefficients[1:], strict=True):
            shapes = [_said(name, shape) for name, shape in zip(self.names, term, strict=True)]
            parts.append(" · ".join([number(c), *filter(None, shapes)]))
        return " + ".join(parts or ["0"]).replace("+ -", "− ").replace("+ −", "− ")


def normal_form(names: tuple[str, ...], points: Floats, values: Floats) -> NormalForm:
    """The form that misses least what is left out; a constant where none is clearly better.

    `points`: shape (points, parameters), ≥ 1. `values`: shape (points,), > 0; repetitions averaged.
    """
    constant = _fitted(names, (), points, values)
    if points.shape[0] < 4:
        return constant
    forms = [_fitted(names, terms, points, values) for terms in _rivals(names, points)]
    best = min(forms, key=lambda one: one.missed, default=constant)
    return best if best.missed < _CLEARER * constant.missed else constant


def _rivals(names: tuple[str, ...], points: Floats) -> Iterator[tuple[Term, ...]]:
    """Terms to try: of one parameter each; of several those added and multiplied."""
    nothing: Shape = (0.0, 0)
    alone = [
        [tuple(shape if k == place else nothing for k in range(len(names))) for shape in _SHAPES]
        for place in range(len(names))
        if np.unique(points[:, place]).size > 2
    ]
    for terms in alone:
        yield from ((term,) for term in terms)
    if len(alone) == 2:
        for one, other in product(*alone):
            both = tuple(b if a == nothing else a for a, b in zip(one, other, strict=True))
            yield (both,)
            yield (one, other)


def _fitted(
    names: tuple[str, ...], terms: tuple[Term, ...], points: Floats, values: Floats
) -> NormalForm:
    """Least squares of the relative error, with the error of every point left out."""
    columns = [np.ones(values.size), *(_column(term, points) for term in terms)]
    A = np.stack(columns, axis=1) / values[:, None]
    scale = np.abs(A).max(axis=0)
    inverse = np.linalg.pinv(A / scale)
    found = inverse @ np.ones(values.size)
    left = 1.0 - np.einsum("ij,ji->i", A / scale, inverse)
    away = np.abs(1.0 - (A / scale) @ found) / np.maximum(left, 1e-9)
    missed = float(np.sqrt((away**2).mean())) if values.size > len(columns) else np.inf
    return NormalForm(names, terms, tuple((found / scale).tolist()), missed, float(away.max()))


def _column(term: Term, points: Floats) -> Floats:
    column = np.ones(points.shape[0])
    for place, (a, b) in enumerate(term):
        column = column * points[:, place] ** a * np.log2(points[:, place]) ** b
    return column


def _said(name: str, shape: Shape) -> str:
    a, b = shape
    power = "" if a == 0.0 else name if a == 1.0 else f"{name}^{a:.3g}"
    log = "" if b == 0 else f"log2({name})" + (f"^{b}" if b > 1 else "")
    return " · ".join(filter(None, (power, log)))

"""What a tree takes, worked out process by process: the truth that the tests compare with."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cache
from typing import Any

from advisor.models.process_tree import Tree
from advisor.studies import parse_settings
from advisor.studies.study import Series, Table
from advisor.studies.trees.candidates import TreesCase
from advisor.studies.trees.parameters import TreesParameters

Shape = tuple["Shape", ...]
"""A process as the tuple of its children; a back-end is ()."""


def case_of(*settings: str) -> TreesCase:
    return TreesCase.of(parse_settings(TreesParameters, settings))


def column(table: Table, name: str) -> dict[str, Any]:
    """The first cell of each row → its cell in a column."""
    place = [title for title, _ in table.columns].index(name)
    return {str(row[0]): row[place] for row in table.rows}


def curve(series: Sequence[Series], name: str, y_label: str) -> dict[float, float]:
    (found,) = [one for one in series if (one.name, one.y_label) == (name, y_label)]
    return dict(zip(numbers(found), found.y, strict=True))


def numbers(series: Series) -> list[float]:
    """Where its points lie, of which none is a name."""
    return [x for x in series.x if isinstance(x, float)]


def named(table: Table) -> list[dict[str, Any]]:
    names = [name for name, _ in table.columns]
    return [dict(zip(names, row, strict=True)) for row in table.rows]


@dataclass(frozen=True)
class Cost:
    """µs of a message with overhead o and latency L; `c` is the filter's, `tail` that of bytes."""

    L: float = 6.0
    o: float = 2.0
    g: float = 4.0
    tail: float = 0.0
    c: float = 0.0
    each: bool = False

    @property
    def step(self) -> float:
        return max(self.o + self.c, self.g + self.tail)

    @property
    def delay(self) -> float:
        return 2 * self.o + self.L + self.tail + self.c + (self.step if self.each else 0.0)


def shape_of(tree: Tree, process: int = 0) -> Shape:
    first = 1 + int(sum(tree.fanouts[:process]))
    return tuple(shape_of(tree, first + at) for at in range(int(tree.fanouts[process])))


def latency(shape: Shape, step: float, delay: float) -> float:
    """Whoever has most below is served first."""
    below = sorted((latency(one, step, delay) for one in shape), reverse=True)
    return max((at * step + delay + rest for at, rest in enumerate(below)), default=0.0)


def time_of(tree: Tree, cost: Cost) -> float:
    return latency(shape_of(tree), cost.step, cost.delay)


def processes(shape: Shape) -> Iterator[Shape]:
    """All processes with children, the front-end first."""
    if shape:
        yield shape
    for one in shape:
        yield from processes(one)


def period(shape: Shape, cost: Cost) -> float:
    """The longest that any process is kept busy by one operation."""
    own, *inner = [len(one) for one in processes(shape)]
    more = max(0.0, 2 * cost.o + cost.c - cost.step)
    return max(own * cost.step, *(k * cost.step + more for k in inner), 0.0)


@cache
def shapes(N: int) -> tuple[Shape, ...]:
    """Every tree of N back-ends without processes of one child, order of children aside."""
    if N == 1:
        return ((),)
    return tuple(dict.fromkeys(_families(N, N - 1)))


@cache
def _families(N: int, largest: int) -> tuple[Shape, ...]:
    """Families of children with N back-ends together, none with more than `largest`."""
    if N == 0:
        return ((),)
    found = {
        tuple(sorted((child, *rest)))
        for first in range(1, min(N, largest) + 1)
        for child in shapes(first)
        for rest in _families(N - first, first)
    }
    return tuple(sorted(found))

"""Numbers with a spread that are neither a task's time, a machine's speed nor a link's cost.

Contenders, switches, runtime, networks inside machines, sizes of data, programs, overlays: what a
plan takes follows from such a number only when all is priced anew.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, fields, is_dataclass, replace
from typing import Any

import numpy as np

from advisor.allocation.task import Flow, Task, Variant
from advisor.allocation.workload import Workload
from machines import Platform
from machines.arrays import Floats
from machines.links import Direction, LinkPiece
from machines.platform import Contender, Machine
from machines.uncertain import Spread, Uncertain

_PRICED = {  # by `advisor.odds.spread_factors`
    Task: {"work", "seconds"},
    Variant: {"work", "seconds"},
    Machine: {"speed"},
    Direction: {"startup_s", "bandwidth"},
    LinkPiece: {"startup_s", "bandwidth"},
}
Step = str | int


@dataclass(frozen=True, slots=True)
class Place:
    """Where such a number is.

    Attributes
    ----------
    workload : bool
        In the workload, else in the platform.
    path : tuple of str or int
        Fields and positions from there.
    value : float
    spread : Spread
    title : str
        What it is, for people: "contender u of a: compute".
    """

    workload: bool
    path: tuple[Step, ...]
    value: float
    spread: Spread
    title: str


def uncertain_places(platform: Platform, workload: Workload) -> tuple[Place, ...]:
    """All such numbers."""
    return tuple(
        Place(one is workload, path, float(number), number.spread, title)
        for one in (platform, workload)
        for path, number, title in _found(one, (), "")
        if not number.spread.is_exact
    )


def with_drawn(
    platform: Platform, workload: Workload, places: Sequence[Place], normal: Floats
) -> tuple[Platform, Workload]:
    """Both, where these numbers are as one draw of standard normal variables says."""
    whole: list[Any] = [platform, workload]
    for place, one in zip(places, normal.tolist(), strict=True):
        value = float(place.spread.at(place.value, np.array([one]))[0])
        whole[place.workload] = _changed(whole[place.workload], place.path, value)
    return whole[0], whole[1]


def _found(
    value: object, path: tuple[Step, ...], title: str
) -> Iterator[tuple[tuple[Step, ...], Uncertain, str]]:
    if isinstance(value, Uncertain):
        yield path, value, title
    elif isinstance(value, tuple):
        for position, one in enumerate(value):
            yield from _found(one, (*path, position), title)
    elif is_dataclass(value):
        here = _titled(value, title)
        for field in fields(value):
            if field.name in _PRICED.get(type(value), ()):
                continue
            inner = getattr(value, field.name)
            if isinstance(inner, float | tuple) or is_dataclass(inner):
                said = f"{here}: {field.name}" if isinstance(inner, Uncertain) else here
                yield from _found(inner, (*path, field.name), said)


def _titled(value: object, title: str) -> str:
    """What a record is called: a flow by its ends, others by their kind and name."""
    name = getattr(value, "name", "")
    if isinstance(value, Platform | Workload) or not isinstance(name, str) or not name:
        return title
    own = f"{type(value).__name__.lower()} {name}"
    return f"{own} of {title.removeprefix('machine ')}" if title else own


def _changed(value: Any, path: tuple[Step, ...], number: float) -> Any:
    """A record with another number at the end of a path."""
    if not path:
        return number
    step, rest = path[0], path[1:]
    if isinstance(step, int):
        return (*value[:step], _changed(value[step], rest, number), *value[step + 1 :])
    inner = _changed(getattr(value, step), rest, number)
    if isinstance(value, Contender) and step in ("compute", "communicate"):
        other = value.communicate if step == "compute" else value.compute
        inner = min(inner, 1.0 - float(other))  # shares of one application's time
    if isinstance(value, Workload) and step == "flows":
        return _with_flows(value, inner)
    return replace(value, **{step: inner})


def _with_flows(workload: Workload, flows: tuple[Flow, ...]) -> Workload:
    return workload.repriced(workload.tasks, flows)

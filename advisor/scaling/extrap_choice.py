"""What is taken of an experiment with several regions, metrics and parameters.

The parameter that is named like processors is P; the others are held where they were asked for, or
at the only values beside which P was varied enough. Without such a name the numbers are those of
another parameter.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

from advisor.scaling.column_choice import ask
from advisor.scaling.column_titles import TIME, VALUE, noun_of, title_of
from advisor.scaling.measurement_table import (
    MOST_MEASURED_PROCESSORS,
    Part,
    Recorded,
    expect_unit,
)
from machines.checks import LARGEST
from machines.errors import InputError

_SIZES = {"n", "load"}  # in this format sizes of problems
_ENOUGH = 3  # different P that tell how it scales

Key = tuple[str, str]
Point = tuple[float, ...]


@dataclass
class Experiment:
    """What a file holds: its parameters, and (point, value) of every region and metric."""

    where: str
    parameters: list[str] = field(default_factory=list)
    values: dict[Key, list[tuple[Point, float]]] = field(default_factory=dict)

    @property
    def names(self) -> tuple[str, ...]:
        """Of the parameters, each once."""
        return tuple(dict.fromkeys(self.parameters))

    def add(
        self, key: Key, at: str, point: tuple[float | None, ...], amount: float | None, said: object
    ) -> None:
        """One measurement; `said` is its value as written."""
        if not self.parameters:
            raise InputError("no parameter was varied", where=at, remedy="Name it: PARAMETER p")
        if len(point) != len(self.names) or any(one is None for one in point):
            what = "a whole number" if len(self.names) == 1 == len(point) else "a number for each"
            raise InputError(
                f"the point must be {what}", where=at, value=point,
                remedy=f"Parameters: {', '.join(self.names)}",
            )  # fmt: skip
        if amount is None or not 1.0 / LARGEST <= amount <= LARGEST:
            raise InputError("the value must be a finite number > 0", where=at, value=said)
        known = tuple(one for one in point if one is not None)
        if len(known) == 1 and not (known[0].is_integer() and known[0] >= 1.0):
            raise InputError("the point must be a whole number", where=at, value=known[0],
                             remedy=f"Processors, 1 to {MOST_MEASURED_PROCESSORS:.0e}")  # fmt: skip
        self.values.setdefault(key, []).append((known, amount))

    @property
    def regions(self) -> tuple[str, ...]:
        """Call paths, in order."""
        return tuple(dict.fromkeys(key[0] for key in self.values))

    @property
    def measured(self) -> str:
        """The parameter that is P or, without one, the first."""
        named = [one for one in self.names if noun_of(one) and one.lower() not in _SIZES]
        return (named or list(self.names))[0]

    def held(self, key: Key, varied: str) -> tuple[str, ...]:
        """Values of the other parameters beside which `varied` has enough values."""
        at = self.names.index(varied)
        found: dict[Point, set[float]] = {}
        for point, _ in self.values[key]:
            found.setdefault(point[:at] + point[at + 1 :], set()).add(point[at])
        others = self.names[:at] + self.names[at + 1 :]
        return tuple(
            ",".join(f"{name}={value:g}" for name, value in zip(others, rest, strict=True))
            for rest, values in sorted(found.items())
            if len(values) >= _ENOUGH
        )


def recorded(found: Experiment, kind: str | None, part: Part) -> Recorded:
    """The measurements of one region and metric against one parameter."""
    where = found.where
    if part.columns:
        raise InputError(
            "a file of Extra-P has no columns", where=where, value=part.columns,
            remedy="Leave columns out; choose with region, metric and hold",
        )  # fmt: skip
    path, name = key_of(found, part.region, part.metric)
    title = title_of(name)
    counted = {"flops", "flop"} & set(title.words)  # counters, not rates
    told = title.role == VALUE and not counted
    said = (title.kind, title.unit) if told else (kind or "", "")
    said = said if said[0] or name else (TIME, "")
    if not said[0]:
        raise InputError(
            "this metric may be a time, a speedup or a throughput", where=where, value=name,
            remedy="Say which: quantity=time",
        )  # fmt: skip
    expect_unit(*said, where)
    varied, fixed, how = _against(found, (path, name), part.hold)
    place = found.names.index(varied)
    pairs = [
        (_whole(point[place], where), value)
        for point, value in found.values[path, name]
        if all(point[found.names.index(key)] == at for key, at in fixed.items())
    ]
    processors, values = zip(*pairs, strict=True)
    noun = "" if varied.lower() in _SIZES else noun_of(varied)
    return Recorded(*said, processors, values, (), noun, varied if not noun else "", how)


def key_of(found: Experiment, region: str, metric: str) -> Key:
    """The region and the metric that are asked for, or the only ones; of metrics else the time."""
    where = found.where
    if not found.names:
        raise InputError("no parameter was varied", where=where, remedy="Name it: PARAMETER p")
    if not found.regions:
        raise InputError("there are no measurements", where=where)
    path = _one_of("region", region, found.regions, where)
    metrics = [key[1] for key in found.values if key[0] == path]
    return path, _one_of("metric", metric, metrics, where)


def _against(
    found: Experiment, key: Key, hold: str
) -> tuple[str, dict[str, float], tuple[str, ...]]:
    """(the parameter that is looked at, the others' values, how that was read)."""
    if not hold:
        varied = found.measured
        if len(found.names) == 1:
            return varied, {}, ()
        known = found.held(key, varied)
        if len(known) != 1:
            every = [one for name in found.names for one in found.held(key, name)]
            raise ask(
                f"{len(found.names)} parameters were varied: {', '.join(found.names)}; hold all "
                "but one fixed, or none", "hold", every or ["none has enough values"], found.where,
            )  # fmt: skip
        said = f"Read: {varied} is varied, {known[0]} is held fixed, the only choice with "
        return varied, _fixed(found, key, known[0]), (f"{said}{_ENOUGH} or more values",)
    fixed = _fixed(found, key, hold)
    left = [name for name in found.names if name not in fixed]
    if len(left) != 1:
        raise ask("one parameter must be left to vary", "hold",
                  [one for name in found.names for one in found.held(key, name)],
                  found.where, hold)  # fmt: skip
    return left[0], fixed, (f"Read: {left[0]} is varied, {hold} is held fixed",)


def _fixed(found: Experiment, key: Key, hold: str) -> dict[str, float]:
    """Held parameters and their values."""
    fixed: dict[str, float] = {}
    for entry in hold.replace(";", ",").split(","):
        name, _, text = (part.strip() for part in entry.partition("="))
        known: list[float] = []
        if name in found.names:
            place = found.names.index(name)
            known = sorted({point[place] for point, _ in found.values[key]})
        chosen = [one for one in known if f"{one:g}" == text or repr(one) == text]
        if not chosen:
            every = [one for each in found.names for one in found.held(key, each)]
            raise ask("no such values were measured", "hold", every, found.where, entry.strip())
        fixed[name] = chosen[0]
    points = [point for point, _ in found.values[key]]
    places = {found.names.index(name): value for name, value in fixed.items()}
    if not any(all(point[i] == value for i, value in places.items()) for point in points):
        raise InputError("nothing was measured there", where=found.where, value=hold)
    return fixed


def _whole(P: float, where: str) -> int:
    if not P.is_integer() or not 1 <= P <= MOST_MEASURED_PROCESSORS:
        remedy = f"Processors, 1 to {MOST_MEASURED_PROCESSORS:.0e}"
        raise InputError("the point must be a whole number", where=where, value=P, remedy=remedy)
    return int(P)


def _one_of(what: str, asked: str, known: Sequence[str], where: str) -> str:
    """The one that is asked for, the only one, or the time."""
    if asked and asked in known:
        return asked
    if not asked and len(known) == 1:
        return known[0]
    times = [name for name in known if name.lower() == TIME]
    if not asked and what == "metric" and times:
        return times[0]
    problem = f"there is no such {what}" if asked else f"there are {len(known)} {what}s"
    raise ask(problem, what, known, where, asked)

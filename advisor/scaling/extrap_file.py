"""Measurements as Extra-P reads them: its text format, its JSON formats and JSON lines.

Calotoiu et al., SC13; the formats as documented with Extra-P 4. A file may hold several regions
(call paths) and metrics, of which one pair is taken; the one parameter is the number of processors.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, field

from advisor.basics.json_text import parse
from advisor.scaling.measurement_table import (
    MOST_MEASURED_PROCESSORS,
    TIME,
    Recorded,
    expect_unit,
    kind_and_unit,
)
from machines.checks import LARGEST
from machines.errors import InputError

_WORDS = ("PARAMETER", "POINTS", "METRIC", "REGION", "DATA")
_NUMBER = re.compile(r"[+-]?(?:[0-9]+(?:\.[0-9]*)?|\.[0-9]+)(?:[eE][+-]?[0-9]+)?")
_POINT = re.compile(r"\(\s*\(([^()]*)\)\s*\)|\(([^()]*)\)|([^()\s]+)")

Key = tuple[str, str]


@dataclass
class _Experiment:
    """What a file holds: its parameter's names, and (P, value) of every region and metric."""

    where: str
    parameters: list[str] = field(default_factory=list)
    values: dict[Key, list[tuple[int, float]]] = field(default_factory=dict)

    def expect_one_parameter(self) -> None:
        names = list(dict.fromkeys(self.parameters))
        if len(names) != 1:
            raise InputError(
                f"{len(names)} parameters were varied" if names else "no parameter was varied",
                where=self.where, value=", ".join(names) or None,
                remedy="Only one is used, the number of processors: keep the others fixed and "
                "leave them out",
            )  # fmt: skip

    def add(self, key: Key, at: str, point: object, value: object) -> None:
        P, amount = _number(point), _number(value)
        if P is None or not P.is_integer() or not 1 <= P <= MOST_MEASURED_PROCESSORS:
            remedy = f"Processors, 1 to {MOST_MEASURED_PROCESSORS:.0e}"
            raise InputError("the point must be a whole number", where=at, value=point,
                             remedy=remedy)  # fmt: skip
        if amount is None or not 1.0 / LARGEST <= amount <= LARGEST:
            raise InputError("the value must be a finite number > 0", where=at, value=value)
        self.values.setdefault(key, []).append((int(P), amount))


def is_extrap(text: str) -> bool:
    """Whether a text is one of Extra-P's formats."""
    for line in text.splitlines():
        content = line.strip().lstrip("\ufeff")
        if content and not content.startswith("#"):
            return content.startswith(("{", "[")) or content.split()[0] in _WORDS
    return False


def recorded_by_extrap(
    text: str, kind: str | None, where: str, region: str = "", metric: str = ""
) -> Recorded:
    """The measurements of one region and metric.

    `text`: in one of the formats. `kind`: what a metric measures whose name does not say. `where`:
    the place that messages name. `region`, `metric`: empty: the only one; of metrics else "time".
    """
    found = _Experiment(where)
    if text.lstrip("\ufeff \t\r\n")[:1] in {"{", "["}:
        _read_json(found, text)
    else:
        _read_text(found, text)
    regions = list(dict.fromkeys(key[0] for key in found.values))
    if not regions:
        raise InputError("there are no measurements", where=where)
    path = _chosen("region", region, regions, where)
    metrics = [key[1] for key in found.values if key[0] == path]
    name = _chosen("metric", metric, metrics, where)
    said = kind_and_unit(name)
    if said is None:
        said = (kind or (TIME if not name else ""), "")
    if not said[0]:
        raise InputError(
            "this metric may be a time, a speedup or a throughput", where=where, value=name,
            remedy="Say which: quantity=time",
        )  # fmt: skip
    expect_unit(*said, where)
    processors, values = zip(*found.values[path, name], strict=True)
    return Recorded(*said, processors, values)


def _chosen(what: str, asked: str, known: list[str], where: str) -> str:
    """The one that is asked for, the only one, or the time."""
    if asked and asked in known:
        return asked
    if not asked and len(known) == 1:
        return known[0]
    times = [name for name in known if name.lower() == TIME]
    if not asked and what == "metric" and times:
        return times[0]
    listed = ", ".join(name or "(without a name)" for name in known)
    problem = f"there is no such {what}" if asked else f"there are {len(known)} {what}s"
    raise InputError(
        problem, where=where, value=asked or None, remedy=f"Choose one with {what}=: {listed}"
    )


def _read_text(found: _Experiment, text: str) -> None:
    points: list[str] = []
    region, metric, used, last = "", "", 0, ""
    for number, line in enumerate(text.splitlines(), 1):
        word, _, rest = line.strip().lstrip("\ufeff").partition(" ")
        at, last = f"{found.where}: line {number}", f"{found.where}: line {number}"
        if not word or word.startswith("#"):
            continue
        if word == "PARAMETER":
            found.parameters += rest.split()
        elif word == "POINTS":
            found.expect_one_parameter()
            points += [next(filter(None, match.groups()), "") for match in _POINT.finditer(rest)]
        elif word in {"METRIC", "REGION"}:
            _expect_all(points, used, at)
            used = 0
            if word == "METRIC":
                metric = rest.strip()
            else:
                region = rest.strip()
        elif word == "DATA":
            if used >= len(points):
                raise InputError(f"more DATA lines than the {len(points)} POINTS", where=at)
            if not rest.split():
                raise InputError("there is no value", where=at)
            for value in rest.split():
                found.add((region, metric), at, points[used], value)
            used += 1
        else:
            raise InputError("unknown word", where=at, value=word,
                             remedy="Known: " + ", ".join(_WORDS))  # fmt: skip
    found.expect_one_parameter()
    _expect_all(points, used, last)


def _expect_all(points: list[str], used: int, at: str) -> None:
    """Either no DATA line or one for each point stands before."""
    if used not in {0, len(points)}:
        raise InputError(
            f"{used} DATA lines before here, not one for each of {len(points)} POINTS", where=at
        )


def _read_json(found: _Experiment, text: str) -> None:
    lines = [(number, line) for number, line in enumerate(text.splitlines(), 1) if line.strip()]
    if '"params"' in lines[0][1]:
        for number, line in lines:
            at = f"{found.where}: line {number}"
            _add_line(found, at, parse(line.encode(), at))
        found.expect_one_parameter()
        return
    document = parse(text.encode(), found.where)
    if not isinstance(document, dict) or not {"parameters", "measurements"} <= set(document):
        raise InputError(
            "this JSON holds no measurements", where=found.where,
            remedy='Expected: Extra-P\'s "parameters" and "measurements"',
        )  # fmt: skip
    named = document["parameters"]
    if isinstance(document["measurements"], list):
        _add_by_number(found, document)
    elif isinstance(named, list) and all(isinstance(name, str) for name in named):
        found.parameters += named
        found.expect_one_parameter()
        for region, metrics in _items(found.where, document["measurements"]):
            for metric, points in _items(f'{found.where}: "{region}"', metrics):
                _add_points(found, (region, metric), points)
    else:
        raise InputError("parameters must be names", where=found.where, value=named)


def _items(at: str, value: object) -> Iterator[tuple[str, object]]:
    if not isinstance(value, dict):
        raise InputError("expected a JSON object", where=at, value=value)
    yield from value.items()


def _add_points(found: _Experiment, key: Key, points: object) -> None:
    at = f'{found.where}: "{key[0]}", "{key[1]}"'
    for place, one in enumerate(points if isinstance(points, list) else [points]):
        here = f"{at}, point {place + 1}"
        point = one.get("point") if isinstance(one, dict) else None
        values = one.get("values") if isinstance(one, dict) else None
        if not isinstance(point, list) or len(point) != 1 or not isinstance(values, list):
            raise InputError(
                "expected one point and its values", where=here, value=one,
                remedy='For example {"point": [2], "values": [51.9, 52.3]}',
            )  # fmt: skip
        for value in values:
            found.add(key, here, point[0], value)


def _add_line(found: _Experiment, at: str, one: object) -> None:
    """One line of JSON lines."""
    params = one.get("params") if isinstance(one, dict) else None
    if not isinstance(one, dict) or not isinstance(params, dict) or "value" not in one:
        raise InputError(
            "expected params and a value", where=at, value=one,
            remedy='For example {"params": {"p": 2}, "metric": "time", "value": 51.9}',
        )  # fmt: skip
    found.parameters += params
    found.expect_one_parameter()
    key = (str(one.get("callpath", "")), str(one.get("metric", "")))
    values = one["value"]
    for value in values if isinstance(values, list) else [values]:
        found.add(key, at, next(iter(params.values())), value)


def _add_by_number(found: _Experiment, document: dict[str, object]) -> None:
    """The older JSON format, whose parts refer to each other by numbers."""
    where = found.where
    try:
        parts = {
            key: {one["id"]: one for one in document[key]}  # type: ignore[attr-defined]
            for key in ("parameters", "callpaths", "metrics", "coordinates")
        }
        found.parameters += [str(one["name"]) for one in parts["parameters"].values()]
        found.expect_one_parameter()
        points = {
            number: [pair["parameter_value"] for pair in one["parameter_value_pairs"]]
            for number, one in parts["coordinates"].items()
        }
        for one in document["measurements"]:  # type: ignore[attr-defined]
            region = str(parts["callpaths"][one["callpath_id"]]["name"])
            metric = str(parts["metrics"][one["metric_id"]]["name"])
            (point,) = points[one["coordinate_id"]]
            found.add((region, metric), f"{where}: measurement {one['id']}", point, one["value"])
    except (KeyError, TypeError, ValueError) as error:
        if isinstance(error, InputError):
            raise
        raise InputError(
            "a part is missing or refers to none", where=where, value=str(error),
            remedy="Write the newer format, with regions and metrics by name",
        ) from None  # fmt: skip


def _number(value: object) -> float | None:
    if isinstance(value, str):
        return float(value) if _NUMBER.fullmatch(value.strip()) else None
    if isinstance(value, bool) or not isinstance(value, int | float):
        return None
    return float(value) if abs(value) <= LARGEST else None

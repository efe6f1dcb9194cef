"""Measurements as Extra-P reads them: its text format, JSON formats, JSON lines and experiments.

Calotoiu et al., SC13; the formats as documented with Extra-P 4, TaLPas' lines among them. A file
may hold several regions (call paths) and metrics, of which one pair is taken, and several
parameters, of which all but one are held fixed (`advisor.scaling.extrap_choice`).
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from advisor.basics.json_text import parse
from advisor.scaling.extrap_choice import Experiment, recorded
from advisor.scaling.measurement_table import Part, Recorded
from machines.checks import LARGEST
from machines.errors import InputError

_WORDS = ("PARAMETER", "POINTS", "METRIC", "REGION", "DATA")
_NUMBER = re.compile(r"[+-]?(?:[0-9]+(?:\.[0-9]*)?|\.[0-9]+)(?:[eE][+-]?[0-9]+)?")
_POINT = re.compile(r"\(\s*\(([^()]*)\)\s*\)|\(([^()]*)\)|([^()\s]+)")


def is_extrap(text: str) -> bool:
    """Whether a text is one of Extra-P's formats."""
    for line in text.splitlines():
        content = line.strip().lstrip("\ufeff")
        if content and not content.startswith("#"):
            return content.startswith(("{", "[")) or content.split()[0] in _WORDS
    return False


def recorded_by_extrap(
    text: str, kind: str | None, where: str, part: Part | None = None
) -> Recorded:
    """The measurements of one region and metric against one parameter.

    `text`: in one of the formats. `kind`: what a metric measures whose name does not say. `where`:
    the place that messages name. `part`: region, metric and the parameters that are held fixed.
    """
    return recorded(experiment(text, where), kind, part or Part())


def experiment(text: str, where: str) -> Experiment:
    """All that a file of Extra-P holds."""
    found = Experiment(where)
    if text.lstrip("\ufeff \t\r\n")[:1] in {"{", "["}:
        _read_json(found, text)
    else:
        _read_text(found, text)
    return found


def _read_text(found: Experiment, text: str) -> None:
    points: list[tuple[str, ...]] = []
    region, metric, used, last = "", "", 0, ""
    for number, line in enumerate(text.splitlines(), 1):
        word, _, rest = line.strip().lstrip("\ufeff").partition(" ")
        at, last = f"{found.where}: line {number}", f"{found.where}: line {number}"
        if not word or word.startswith("#"):
            continue
        if word == "PARAMETER":
            found.parameters += rest.split()
        elif word == "POINTS":
            points += _points(rest, len(found.names), at)
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
                found.add((region, metric), at, _numbers(points[used]), _number(value), value)
            used += 1
        else:
            raise InputError("unknown word", where=at, value=word,
                             remedy="Known: " + ", ".join(_WORDS))  # fmt: skip
    _expect_all(points, used, last)


def _points(rest: str, parameters: int, at: str) -> Iterator[tuple[str, ...]]:
    """Points, each in brackets, or numbers in turn where there are none."""
    bare: list[str] = []
    for match in _POINT.finditer(rest):
        inner = match[1] if match[1] is not None else match[2]
        if inner is None:
            bare.append(match[3])
        else:
            yield tuple(inner.replace(",", " ").split())
    if bare and not parameters:
        raise InputError("no parameter was varied", where=at, remedy="Name it: PARAMETER p")
    if bare and len(bare) % parameters:
        raise InputError(
            f"{len(bare)} numbers for points of {parameters} parameters", where=at, value=rest[:40],
            remedy="Name every parameter before the points: PARAMETER p",
        )  # fmt: skip
    for first in range(0, len(bare), parameters or 1):
        yield tuple(bare[first : first + parameters])


def _expect_all(points: Sequence[object], used: int, at: str) -> None:
    """Either no DATA line or one for each point stands before."""
    if used not in {0, len(points)}:
        raise InputError(
            f"{used} DATA lines before here, not one for each of {len(points)} POINTS", where=at
        )


def _read_json(found: Experiment, text: str) -> None:
    lines = [(number, line) for number, line in enumerate(text.splitlines(), 1) if line.strip()]
    begun = lines[0][1].replace(" ", "")
    if begun.startswith(('{"params":', '{"parameters":{')) or '"params"' in lines[0][1]:
        for number, line in lines:
            at = f"{found.where}: line {number}"
            _add_line(found, at, parse(_with_commas(line).encode(), at))
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
        for region, metrics in _items(found.where, document["measurements"]):
            for metric, points in _items(f'{found.where}: "{region}"', metrics):
                _add_points(found, (region, metric), points)
    else:
        raise InputError("parameters must be names", where=found.where, value=named)


def _with_commas(line: str) -> str:
    """A line of TaLPas, which has semicolons between its keys, as JSON."""
    if ";" not in line:
        return line
    parts = line.split('"')  # every other part is in quotes; names with quotes are none of TaLPas
    return '"'.join(part if place % 2 else part.replace(";", ",")
                    for place, part in enumerate(parts))  # fmt: skip


def _items(at: str, value: object) -> Iterator[tuple[str, object]]:
    if not isinstance(value, dict):
        raise InputError("expected a JSON object", where=at, value=value)
    yield from value.items()


def _add_points(found: Experiment, key: tuple[str, str], points: object) -> None:
    at = f'{found.where}: "{key[0]}", "{key[1]}"'
    for place, one in enumerate(points if isinstance(points, list) else [points]):
        here = f"{at}, point {place + 1}"
        held = one if isinstance(one, dict) else {}
        point = held.get("point", held.get("coordinate"))
        values = held.get("values")
        if values is None and "mean" in held:  # an experiment keeps what its repetitions came to
            values = [held["mean"]]
        size = len(found.names)
        if not isinstance(point, list) or len(point) != size or not isinstance(values, list):
            raise InputError(
                f"expected {'one point' if size == 1 else f'a point of {size}'} and its values",
                where=here, value=one,
                remedy='For example {"point": [2], "values": [51.9, 52.3]}',
            )  # fmt: skip
        for value in values:
            found.add(key, here, _numbers(point), _number(value), value)


def _add_line(found: Experiment, at: str, one: object) -> None:
    """One line of JSON lines."""
    held = one if isinstance(one, dict) else {}
    params = held.get("params", held.get("parameters"))
    if not isinstance(params, dict) or not params or "value" not in held:
        raise InputError(
            "expected params and a value", where=at, value=one,
            remedy='For example {"params": {"p": 2}, "metric": "time", "value": 51.9}',
        )  # fmt: skip
    if found.parameters and set(params) != set(found.names):
        raise InputError(
            "lines have different parameters", where=at, value=", ".join(params),
            remedy=f"As before: {', '.join(found.names)}",
        )  # fmt: skip
    found.parameters += params
    key = (str(held.get("callpath", "")), str(held.get("metric", "")))
    values, point = held["value"], [params[name] for name in found.names]
    for value in values if isinstance(values, list) else [values]:
        found.add(key, at, _numbers(point), _number(value), value)


def _add_by_number(found: Experiment, document: dict[str, object]) -> None:
    """The older JSON format, whose parts refer to each other by numbers."""
    where = found.where
    try:
        parts = {
            key: {one["id"]: one for one in document[key]}  # type: ignore[attr-defined]
            for key in ("parameters", "callpaths", "metrics", "coordinates")
        }
        found.parameters += [str(one["name"]) for one in parts["parameters"].values()]
        names = {number: one["name"] for number, one in parts["parameters"].items()}
        points = {
            number: {
                names[pair["parameter_id"]]: pair["parameter_value"]
                for pair in one["parameter_value_pairs"]
            }
            for number, one in parts["coordinates"].items()
        }
        for one in document["measurements"]:  # type: ignore[attr-defined]
            region = str(parts["callpaths"][one["callpath_id"]]["name"])
            metric = str(parts["metrics"][one["metric_id"]]["name"])
            point = [points[one["coordinate_id"]][name] for name in found.names]
            at, value = f"{where}: measurement {one['id']}", one["value"]
            found.add((region, metric), at, _numbers(point), _number(value), value)
    except (KeyError, TypeError, ValueError) as error:
        if isinstance(error, InputError):
            raise
        raise InputError(
            "a part is missing or refers to none", where=where, value=str(error),
            remedy="Write the newer format, with regions and metrics by name",
        ) from None  # fmt: skip


def _numbers(point: Sequence[object]) -> tuple[float | None, ...]:
    return tuple(map(_number, point))


def _number(value: object) -> float | None:
    if isinstance(value, str):
        return float(value) if _NUMBER.fullmatch(value.strip()) else None
    if isinstance(value, bool) or not isinstance(value, int | float):
        return None
    return float(value) if abs(value) <= LARGEST else None

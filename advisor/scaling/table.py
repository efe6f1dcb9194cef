"""The table of how a task scales with its processors: ``[task.scaling]`` of a workload file.

`scaling_from` and `scaling_table` are exact inverses; what is at its default is left out.
"""

from __future__ import annotations

from dataclasses import fields

from advisor.scaling.law import Scaling
from machines import InputError
from machines.checks import number, text, whole
from machines.formats.fields import Table, numbers, place, table

_KEYS = tuple(field.name for field in fields(Scaling))


def scaling_from(row: object, where: str) -> Scaling:
    """The scaling that a table describes."""
    there = f"{where}, scaling"
    if not isinstance(row, dict):
        raise InputError("scaling must be a table of keys and values", where=there, value=row)
    source = table(row, _KEYS, there)

    def given(name: str) -> float | None:
        return number(name, source[name], where=there) if name in source else None

    most = source.get("most")
    with place(where):
        return Scaling(
            sigma=given("sigma"),
            kappa=given("kappa") or 0.0,
            think_time_s=given("think_time_s"),
            demands_s=numbers(source, "demands_s", there),
            completion=text("completion", source.get("completion", _default()), where=there),
            least=whole("least", source.get("least", 1), low=1, where=there),
            most=None if most is None else whole("most", most, low=1, where=there),
        )


def scaling_table(scaling: Scaling) -> Table:
    """The table of a scaling."""
    result: Table = {}
    for field in fields(scaling):
        value = getattr(scaling, field.name)
        if value != field.default:
            result[field.name] = list(value) if isinstance(value, tuple) else value
    return result


def _default() -> str:
    return Scaling(sigma=0.0).completion

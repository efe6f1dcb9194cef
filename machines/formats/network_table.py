"""The table of a network: in a platform file as ``[machine.network]``, or a preset of its own.

`interconnect_from` and `interconnect_table` translate between values and nested dicts, exact
inverses of each other; `read_interconnect` reads a preset.
"""

from __future__ import annotations

from dataclasses import fields
from pathlib import Path

from machines.checks import number
from machines.errors import InputError
from machines.files import MIB, decoded, read_bytes
from machines.formats import toml_text
from machines.formats.fields import Table, place, required, rows, table, whole_document
from machines.interconnect import Interconnect, LogGP, network_of

FORMAT = "placewise-network"
VERSION = 1

_NETWORK = ("name", "kind", "dims", "unit", "unit_s", "short", "long", "source", "assumed")
_LOGGP = tuple(parameter.name for parameter in fields(LogGP))
_NEEDED = ("L", "o_s", "o_r")


def read_interconnect(path: Path) -> Interconnect:
    """The interconnect in a file of its own; InputError names file, place and value."""
    where = str(path)
    with place(where):
        document = toml_text.parse(decoded(read_bytes(path, MIB), where), where)
        source = whole_document(document, ("format", "version", *_NETWORK), FORMAT, VERSION)
        return interconnect_from({key: source[key] for key in _NETWORK if key in source})


def interconnect_from(row: object, where: str = "network") -> Interconnect:
    """The interconnect that a table describes."""
    source = table(row, _NETWORK, where)
    kind, dims = _text(source, "kind", where), rows(source, "dims")
    with place(where):
        network = network_of(kind, dims)
    unit_s = number("unit_s", required(source, "unit_s", where), above=True, where=where)
    return Interconnect(
        name=_text(source, "name", where),
        network=network,
        short=_costs(source, "short", where),
        long=_costs(source, "long", where),
        unit=_text(source, "unit", where),
        unit_s=unit_s,
        source=_text(source, "source", where) if "source" in source else "",
        assumed=tuple(_sentence(value, where) for value in rows(source, "assumed")),
    )


def interconnect_table(interconnect: Interconnect) -> Table:
    """The table of an interconnect; what is at its default is left out."""
    result: Table = {
        "name": interconnect.name,
        "kind": interconnect.network.kind,
        "dims": list(interconnect.network.dims),
        "unit": interconnect.unit,
        "unit_s": float(interconnect.unit_s),
        "short": _costs_table(interconnect.short),
        "long": _costs_table(interconnect.long),
    }
    if interconnect.source:
        result["source"] = interconnect.source
    if interconnect.assumed:
        result["assumed"] = list(interconnect.assumed)
    return result


def _costs(source: Table, key: str, where: str) -> LogGP:
    inside = f"{where}: {key}"
    inner = table(required(source, key, where), _LOGGP, inside)
    for parameter in _NEEDED:
        required(inner, parameter, inside)
    with place(inside):
        return LogGP(**{name: number(name, value) for name, value in inner.items()})


def _costs_table(costs: LogGP) -> Table:
    return {name: value for name in _LOGGP if (value := getattr(costs, name)) or name in _NEEDED}


def _text(source: Table, key: str, where: str) -> str:
    return _sentence(required(source, key, where), where, key)


def _sentence(value: object, where: str, key: str = "assumed") -> str:
    if not isinstance(value, str):
        raise InputError(f"{key} must be a text", where=where, value=value)
    return value

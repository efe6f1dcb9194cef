"""The platform file: machines, what joins them, and their runtime in TOML (docs/files.md).

`parse_platform` and `dump_platform` are exact inverses. The same keys describe a platform inside
a project file, which is JSON: `platform_from` and `platform_table` translate between values and
nested dicts whatever the syntax.

The table ``[machine.shared_memory]`` of a platform file.

`shared_memory_from` and `shared_memory_table` translate between values and nested dicts, exact
inverses of each other. Types and ranges of single values are the record's business.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import MISSING, fields, replace
from pathlib import Path
from typing import Any, TypeVar

from machines.checks import number
from machines.default_spreads import Spreads
from machines.errors import InputError
from machines.files import MIB, decoded, read_bytes, write_text
from machines.formats import toml_text
from machines.formats.fields import (
    Table,
    entry,
    names,
    numbers,
    place,
    properties,
    properties_table,
    required,
    rows,
    table,
    text,
    whole_document,
)
from machines.formats.network_table import interconnect_from, interconnect_table
from machines.parameters import properties_of
from machines.platform import (
    DUPLEX,
    Contender,
    Direction,
    Link,
    LinkPiece,
    Machine,
    Platform,
    Store,
    Switch,
)
from machines.resources import CoreGroup, Resource
from machines.runtime import Runtime
from machines.shared_memory import SharedMemory
from machines.uncertain import Uncertain, plain

T = TypeVar("T")

FORMAT = "placewise-platform"
VERSION = 1
LIMIT_BYTES = 64 * MIB

_PARTS_OF_PLATFORM = ("machine", "switch", "store", "link", "runtime", "resource", "spread")
_PLATFORM = ("format", "version", "name", "reference_speed", *_PARTS_OF_PLATFORM)
# of a machine, beside its properties
_PARTS = ("contender", "resource", "core_group", "network", "shared_memory")
_DIRECTION = ("startup_s", "bandwidth", "above")
_PIECE = ("threshold_bytes", "startup_s", "bandwidth")
_LINK = (
    "between",
    *_DIRECTION,
    "to_second",
    "to_first",
    "slowdown",
    "delay_comp",
    "delay_comm",
    "sharing",
)


def read_platform(path: str | Path) -> Platform:
    """The platform in a file."""
    where = str(path)
    return parse_platform(decoded(read_bytes(path, LIMIT_BYTES), where), where)


def write_platform(platform: Platform, path: str | Path) -> None:
    """Write the platform to a file, atomically."""
    write_text(path, dump_platform(platform))


def parse_platform(text: str, where: str = "platform") -> Platform:
    """The platform in TOML text; `where` names the text in errors."""
    document = toml_text.parse(text, where)
    with place(where):
        return platform_from(document)


def dump_platform(platform: Platform) -> str:
    """TOML text that `parse_platform` reads back to an equal platform."""
    return toml_text.dump(platform_table(platform))


def platform_from(document: object) -> Platform:
    """The platform described by nested dicts with the file's keys."""
    source = whole_document(document, _PLATFORM, FORMAT, VERSION)
    reference = number("reference_speed", source.get("reference_speed", 1.0), above=True)
    machines = []
    for position, row in enumerate(rows(source, "machine")):
        with place(entry("machine", row, position)):
            machines.append(_machine(row, reference))
    links = []
    for position, row in enumerate(rows(source, "link")):
        links.append(_link(row, position))
    return Platform(
        name=text(source, "name", "platform"),
        machines=tuple(machines),
        links=tuple(links),
        switches=tuple(_named(source, "switch", Switch)),
        stores=tuple(_named(source, "store", Store)),
        resources=tuple(_named(source, "resource", Resource)),
        runtime=_runtime(source),
        spread=spread_from(source),
    )


def platform_table(platform: Platform) -> Table:
    """The platform as nested dicts with the file's keys; what is at its default is left out."""
    result: Table = {
        "format": FORMAT,
        "version": VERSION,
        "name": platform.name,
        "machine": [_machine_table(machine) for machine in platform.machines],
    }
    for key, parts in (("switch", platform.switches), ("store", platform.stores),
                       ("resource", platform.resources)):  # fmt: skip
        if parts:
            result[key] = [properties_table(part) for part in parts]
    result["link"] = [_link_table(link) for link in platform.links]
    default = Runtime()
    own = {
        key: value
        for key, value in properties_table(platform.runtime).items()
        if value != getattr(default, key)
    }
    return result | ({"runtime": own} if own else {}) | spread_table(platform.spread)


def spread_from(source: Table) -> Spreads:
    """The spreads of what states none of its own, of a platform or workload file."""
    given = table(source.get("spread", {}), _keys(Spreads), "spread")
    return Spreads(**properties(given, Spreads, "spread"))


def spread_table(spread: Spreads) -> Table:
    """The key of those that are stated."""
    own = properties_table(spread)
    return {"spread": own} if own else {}


def _named(source: Table, kind: str, record_type: type[T]) -> Iterator[T]:
    """The tables of one kind: switches, stores, contenders, resources, core groups."""
    for position, row in enumerate(rows(source, kind)):
        where = entry(kind, row, position)
        known = table(row, _keys(record_type), where)
        yield record_type(**properties(known, record_type, where))


def _runtime(source: Table) -> Runtime:
    where = "runtime"
    known = table(source.get("runtime", {}), _keys(Runtime), where)
    return Runtime(**properties(known, Runtime, where))


def _optional_slowdown(source: Table, where: str) -> float | None:
    if "slowdown" not in source:
        return None
    return number("slowdown", source["slowdown"], low=1.0, where=where)


def _machine(row: object, reference: float) -> Machine:
    """A machine; its stated speed in units of the reference."""
    source = table(row, (*_keys(Machine), *_PARTS), "")
    groups = tuple(_named(source, "core_group", CoreGroup))
    if groups and "cores" not in source:
        source = source | {"cores": sum(one.count for one in groups)}
    machine = Machine(
        **properties(source, Machine, ""),
        contenders=tuple(_named(source, "contender", Contender)),
        resources=tuple(_named(source, "resource", Resource)),
        core_groups=groups,
        network=interconnect_from(source["network"]) if "network" in source else None,
        shared_memory=(
            shared_memory_from(source["shared_memory"]) if "shared_memory" in source else None
        ),
    )
    if "speed" not in source or reference == 1.0:
        return machine
    speed = machine.speed
    scaled = speed.times(1.0 / reference) if isinstance(speed, Uncertain) else speed / reference
    return replace(machine, speed=scaled)


def _keys(record_type: type) -> tuple[str, ...]:
    return tuple(one.name for one in properties_of(record_type))


def _link(row: object, position: int) -> Link:
    where = _link_place(row, position)
    source = table(row, _LINK, where)
    ends = names(required(source, "between", where), "between", where)
    if len(ends) != 2:
        raise InputError(
            "a link is between two machines, stores or switches",
            where=where,
            value=list(ends),
            remedy='Write between = ["M1", "M2"]',
        )
    to_second, to_first = _directions(source, where)
    return Link(
        first=ends[0],
        second=ends[1],
        to_second=to_second,
        to_first=to_first,
        slowdown=_optional_slowdown(source, where),
        delay_comp=numbers(source, "delay_comp", where),
        delay_comm=numbers(source, "delay_comm", where),
        sharing=text(source, "sharing", where) if "sharing" in source else DUPLEX,
    )


def _link_place(row: object, position: int) -> str:
    ends = row.get("between") if isinstance(row, dict) else None
    if isinstance(ends, list) and ends and all(isinstance(end, str) for end in ends):
        return f"link {'–'.join(ends)}"
    return f"link {position + 1}"


def _directions(source: Table, where: str) -> tuple[Direction, Direction]:
    """Both directions: the link's own keys, or the table of one direction in their place."""
    shared = {key: source[key] for key in _DIRECTION if key in source}
    own = [key for key in ("to_second", "to_first") if key in source]
    if shared and len(own) == 2:
        raise InputError(
            "startup_s and bandwidth say the same as to_second and to_first",
            where=where,
            remedy="Give both directions at once, or a table for each",
        )
    both = _direction(shared, where) if len(own) < 2 else None
    read = [
        _direction(source[key], f"{where}: {key}") if key in source else both
        for key in ("to_second", "to_first")
    ]
    first, second = read
    assert first is not None and second is not None
    return first, second


def _direction(row: object, where: str) -> Direction:
    source = table(row, _DIRECTION, where)
    piece = None
    if "above" in source:
        inner = table(source["above"], _PIECE, f"{where}: above")
        with place(f"{where}: above"):
            piece = LinkPiece(**{key: _quantity(inner, key) for key in _PIECE})
    with place(where):
        return Direction(_quantity(source, "startup_s"), _quantity(source, "bandwidth"), piece)


def _quantity(source: Table, key: str) -> float:
    """A number ≥ 0 that must be there; the values check their own narrower ranges."""
    return number(key, required(source, key, ""))


def _direction_table(direction: Direction) -> Table:
    result: Table = {
        "startup_s": plain(direction.startup_s),
        "bandwidth": plain(direction.bandwidth),
    }
    if direction.above is not None:
        result["above"] = {key: plain(getattr(direction.above, key)) for key in _PIECE}
    return result


def _machine_table(machine: Machine) -> Table:
    result = properties_table(machine)
    if machine.network is not None:
        result["network"] = interconnect_table(machine.network)
    if machine.shared_memory is not None:
        result["shared_memory"] = shared_memory_table(machine.shared_memory)
    for key in ("contender", "resource", "core_group"):
        if parts := getattr(machine, f"{key}s"):
            result[key] = [properties_table(part) for part in parts]
    return result


def _link_table(link: Link) -> Table:
    result: Table = {"between": [link.first, link.second]}
    if link.to_second == link.to_first:
        result |= _direction_table(link.to_second)
    else:
        result["to_second"] = _direction_table(link.to_second)
        result["to_first"] = _direction_table(link.to_first)
    if link.slowdown is not None:
        result["slowdown"] = plain(link.slowdown)
    for key in ("delay_comp", "delay_comm"):
        if delays := getattr(link, key):
            result[key] = [float(delay) for delay in delays]
    if link.sharing != DUPLEX:
        result["sharing"] = link.sharing
    return result


_WHERE = "shared_memory"
_FIELDS = fields(SharedMemory)
_PAIRS = ("software_small", "software_large")


def shared_memory_from(row: object) -> SharedMemory:
    """The shared memory that a table describes."""
    source = table(row, [field.name for field in _FIELDS], _WHERE)
    given: dict[str, Any] = dict(source)
    for field in _FIELDS:
        if field.default is MISSING:
            required(source, field.name, _WHERE)
    with place(_WHERE):
        given |= {name: tuple(rows(source, name)) for name in _PAIRS}
    if "assumed" in source:
        given["assumed"] = names(source["assumed"], "assumed", _WHERE)
    return SharedMemory(**given)


def shared_memory_table(memory: SharedMemory) -> Table:
    """The table of a shared memory; what is at its default is left out."""
    return {
        field.name: list(value) if isinstance(value, tuple) else value
        for field in _FIELDS
        if (value := getattr(memory, field.name)) != field.default
    }

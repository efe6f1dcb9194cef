"""Resources, core groups and variants as a line of words, and back: "2 gpu, 1 licence".

What inspectors, tables and questions show of them, and take; what tasks hold as files have it.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace

from advisor.allocation.task import Held, Task, Variant
from advisor.basics import entries
from advisor.basics.quantities import size
from machines import CoreGroup, InputError, Resource
from machines.checks import repeated, whole
from machines.formats.fields import Table, table
from machines.resources import MOST_UNITS

_PART = re.compile(r"([0-9][0-9,_]*)\s*(?:×\s*|x\s+)?([^\W\d_].*)")
_SPEED = re.compile(r"(.+?)\s*[×x*]\s*([0-9.]+)")
_WORK = re.compile(r"(.+?)\s+work")
_ON = re.compile(r"(.+?)\s+on\s+(.+)")
_MISREAD = re.compile(r"^holds?\b|\b(?:one|two|three|four|[0-9]+)$", re.IGNORECASE)
_BYTES = re.compile(r"(-?[0-9.]+)\s*([kmgtp]?)(i?)b", re.IGNORECASE)
_RATE = re.compile(r"-?[0-9.]+(?:e[-+]?[0-9]+)?\s*[kmgtp]?i?b/s", re.IGNORECASE)
_EACH = re.compile(r"(.+?)\s+of\s+([0-9.]+\s*[kmgtp]?i?b)", re.IGNORECASE)
_HELD, _GROUPS = "2 gpu, 1 licence", "8 P, 8 E × 0.5"
_UNIT = ("count", "memory_bytes")
_UNITS = ((10**9, "G"), (10**6, "M"), (10**3, "k"), (1, ""))
_CORES = re.compile(r"([0-9]+)\s+cores?")


def held_shown(held: Held, memory: Held = ()) -> str:
    """What is held, with the memory of each unit: "2 gpu of 20 GB, 1 licence"."""
    each = {kind: f" of {_bytes(size_bytes)}" for kind, size_bytes in memory}
    return ", ".join(f"{count} {kind}{each.get(kind, '')}" for kind, count in held)


def held_read(text: str) -> tuple[Held, Held]:
    """`held_shown`, read: units, and memory of each by kind; a kind alone is one of it.

    Raises
    ------
    InputError
        A kind that begins as no word does, or reads like a count in words; memory or its bandwidth.
    """
    for part in map(str.strip, text.split(",")):
        for title, pattern in (("Memory bandwidth", _RATE), ("Memory", _BYTES)):
            if pattern.fullmatch(part):
                raise InputError(f"this is {title.lower()}, no resource", value=part,
                                 remedy=f"Write it under {title}")  # fmt: skip
    found, memory = [], []
    for count, named in _counted(text, "kind of resource", _HELD):
        match = _EACH.fullmatch(named)
        kind = named if match is None else match[1]
        if _MISREAD.search(kind):
            raise _misread(kind, "kind of resource", _HELD)
        found.append((kind, count))
        memory += [] if match is None else [(kind, entries.whole_bytes(match[2]))]
    return tuple(found), tuple(memory)


def _bytes(size_bytes: int) -> str:
    """To the byte, in the largest unit that divides it: "20 GB"."""
    unit, prefix = next(one for one in _UNITS if size_bytes % one[0] == 0)
    return f"{size_bytes // unit} {prefix}B"


def resources_shown(resources: Sequence[Resource]) -> str:
    """The resources of a machine or platform, as tasks hold them: "2 gpu of 40 GB"."""
    each = tuple((one.kind, one.memory_bytes) for one in resources if one.memory_bytes is not None)
    return held_shown(tuple((one.kind, one.count) for one in resources), each)


def resources_read(text: str, before: Sequence[Resource]) -> tuple[Resource, ...]:
    """`resources_shown`, read; kinds that were there keep their model and speed."""
    known = {one.kind: one for one in before}
    held, memory = held_read(text)
    return tuple(
        replace(known.get(kind, Resource(kind)), count=count, memory_bytes=dict(memory).get(kind))
        for kind, count in held
    )


def groups_shown(groups: Sequence[CoreGroup]) -> str:
    """Core groups: "8 P, 8 E × 0.5"."""
    return ", ".join(
        f"{one.count} {one.name}" + ("" if one.speed == 1.0 else f" × {entries.shown(one.speed)}")
        for one in groups
    )


def groups_read(text: str) -> tuple[CoreGroup, ...]:
    """`groups_shown`, read; nothing: the cores are alike."""
    found = []
    for count, named in _counted(text, "name of cores", _GROUPS):
        match = _SPEED.fullmatch(named)
        if match is None and "×" in named:
            raise InputError("the speed of these cores is no number", value=named,
                             remedy=f"Write {_GROUPS}")  # fmt: skip
        name, speed = (match[1], entries.real(match[2])) if match else (named, 1.0)
        found.append(CoreGroup(name, count, speed))
    return tuple(found)


def variants_shown(variants: Sequence[Variant]) -> str:
    """Variants, one a line: "gpu: 40 s on node, 1 core, 1 gpu, 12 GB"."""
    return "\n".join(f"{one.name}: {', '.join(_variant_parts(one))}" for one in variants)


def _variant_parts(one: Variant) -> list[str]:
    parts = [] if one.work is None else [f"{entries.shown(one.work)} s work"]
    parts += [f"{entries.shown(seconds)} s on {machine}" for machine, seconds in one.seconds]
    parts += [f"{one.cores} core" + ("" if one.cores == 1 else "s")]
    parts += [] if one.memory_bytes is None else [_bytes(one.memory_bytes)]
    moved = one.memory_bandwidth
    parts += [] if moved is None else [f"{entries.shown(moved)} B/s"]
    return parts + ([held_shown(*one.holds)] if one.resources else [])


def variants_read(text: str) -> tuple[Variant, ...]:
    """`variants_shown`, read.

    Raises
    ------
    InputError
        A line without a name, or a part that is neither a time, cores, memory, its bandwidth nor
        units.
    """
    return tuple(_variant(line) for line in text.splitlines() if line.strip())


def _variant(line: str) -> Variant:
    name, colon, rest = line.partition(":")
    if not colon or not name.strip():
        raise InputError("a variant has no name", value=line.strip(),
                         remedy="Write gpu: 40 s on node, 1 core, 1 gpu")  # fmt: skip
    work, cores, memory, moved = None, 1, None, None
    seconds: list[tuple[str, float]] = []
    held: list[str] = []
    for part in filter(None, map(str.strip, rest.split(","))):
        if match := _WORK.fullmatch(part):
            work = entries.real(match[1], "s")
        elif match := _ON.fullmatch(part):
            seconds.append((match[2], entries.real(match[1], "s")))
        elif _RATE.fullmatch(part):
            moved = entries.real(part, "B/s")
        elif match := _CORES.fullmatch(part):
            cores = entries.count(match[1])
        elif match := _BYTES.fullmatch(part):
            prefix = match[2].lower() if match[2] in "kK" and not match[3] else match[2].upper()
            memory = entries.whole_bytes(f"{match[1]} {prefix}{match[3]}B")
        else:
            held.append(part)
    if twice := repeated(machine for machine, _ in seconds):
        raise InputError("seconds on a machine are stated twice", where=f'variant "{name.strip()}"',
                         value=twice, remedy="Keep one of them")  # fmt: skip
    units, each = held_read(", ".join(held))
    return Variant(name.strip(), work, tuple(seconds), cores, memory, units, moved, each)


def _counted(text: str, what: str, example: str) -> list[tuple[int, str]]:
    """The parts of a list, each with its number; a word alone is one of it."""
    found = []
    for part in filter(None, map(str.strip, text.split(","))):
        match = _PART.fullmatch(part)
        if match is None and re.fullmatch(r"[0-9,_]+", part):
            raise InputError("units of what?", value=part, remedy=f"Write {example}")
        if match is None and not part[0].isalpha():
            raise _misread(part, what, example)
        found.append((entries.count(match[1]), match[2]) if match else (1, part))
    return found


def _misread(value: str, what: str, example: str) -> InputError:
    return InputError(f"this is no count and {what}", value=value, remedy=f"Write {example}")


def described(resource: Resource) -> str:
    """A resource in words: "2 gpu (A100, 40 GB each)"."""
    more = [resource.model] if resource.model else []
    if resource.memory_bytes is not None:
        more.append(f"{size(resource.memory_bytes)} each")
    if resource.speed != 1.0:
        more.append(f"× {resource.speed:g}")
    return f"{resource.count} {resource.kind}" + (f" ({', '.join(more)})" if more else "")


def held_from(source: Table, where: str) -> dict[str, Held]:
    """What a task or variant of a file holds: its fields `resources` and `unit_memory`."""
    given = source.get("resources", {})
    if not isinstance(given, dict):
        raise InputError("resources must be a table", where=where, value=given,
                         remedy="Write resources = { gpu = 1 }")  # fmt: skip
    units, memory = {}, {}
    for kind, value in given.items():
        of = f"{where}: resources: {kind}"
        stated = table(value, _UNIT, of) if isinstance(value, dict) else {"count": value}
        count = stated.get("count", 1)
        units[kind] = whole(f"resources: {kind}", count, low=1, high=MOST_UNITS, where=where)
        if "memory_bytes" in stated:
            memory[kind] = whole("memory_bytes", stated["memory_bytes"], low=1, where=of)
    return {"resources": tuple(units.items()), "unit_memory": tuple(memory.items())}


def held_table(one: Task | Variant) -> Table:
    """`held_from`, as a file has it: { gpu = { count = 1, memory_bytes = … }, licence = 1 }."""
    memory = dict(one.unit_memory)
    return {
        kind: {"count": count, "memory_bytes": memory[kind]} if kind in memory else count
        for kind, count in one.resources
    }

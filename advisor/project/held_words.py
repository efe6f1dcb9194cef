"""Resources, core groups and variants as a line of words, and back: "2 gpu, 1 licence".

What inspectors, tables and questions show of them, and take.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from advisor.allocation.task import Held, Variant
from advisor.basics import entries
from advisor.basics.quantities import size
from machines import CoreGroup, InputError, Resource
from machines.checks import repeated

_PART = re.compile(r"([0-9][0-9,_]*)\s*(?:×\s*|x\s+)?([^\W\d_].*)")
_SPEED = re.compile(r"(.+?)\s*[×x*]\s*([0-9.]+)")
_WORK = re.compile(r"(.+?)\s+work")
_ON = re.compile(r"(.+?)\s+on\s+(.+)")
_MISREAD = re.compile(r"^holds?\b|\b(?:one|two|three|four|[0-9]+)$", re.IGNORECASE)
_BYTES = re.compile(r"(-?[0-9.]+)\s*([kmgtp]?)(i?)b", re.IGNORECASE)
_RATE = re.compile(r"-?[0-9.]+(?:e[-+]?[0-9]+)?\s*[kmgtp]?i?b/s", re.IGNORECASE)
_HELD, _GROUPS = "2 gpu, 1 licence", "8 P, 8 E × 0.5"
_CORES = re.compile(r"([0-9]+)\s+cores?")


def held_shown(held: Sequence[tuple[str, int]]) -> str:
    """What is held: "2 gpu, 1 licence"."""
    return ", ".join(f"{count} {kind}" for kind, count in held)


def held_read(text: str) -> Held:
    """`held_shown`, read; a kind alone is one of it.

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
    found = tuple((kind, count) for count, kind in _counted(text, "kind of resource", _HELD))
    for kind, _ in found:
        if _MISREAD.search(kind):
            raise _misread(kind, "kind of resource", _HELD)
    return found


def resources_shown(resources: Sequence[Resource]) -> str:
    """The resources of a machine or platform by kind and count."""
    return held_shown([(one.kind, one.count) for one in resources])


def resources_read(text: str, before: Sequence[Resource]) -> tuple[Resource, ...]:
    """`resources_shown`, read; kinds that were there keep their model, memory and speed."""
    known = {one.kind: one for one in before}
    found = []
    for kind, count in held_read(text):
        was = known.get(kind, Resource(kind))
        found.append(Resource(kind, count, was.model, was.memory_bytes, was.speed))
    return tuple(found)


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
    parts += [] if one.memory_bytes is None else [f"{one.memory_bytes} B"]
    moved = one.memory_bandwidth
    parts += [] if moved is None else [f"{entries.shown(moved)} B/s"]
    return parts + ([held_shown(one.resources)] if one.resources else [])


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
    held_too = held_read(", ".join(held))
    return Variant(name.strip(), work, tuple(seconds), cores, memory, held_too, moved)


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

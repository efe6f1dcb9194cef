"""The machines of a WfFormat file as a platform without links.

Recorded clock rates are those of one moment, and processors that rest clock down: machines of equal
processor, cores and memory have one speed, by the highest rate that any of them showed, relative
to the slowest kind's. The format knows no network, so that machines can't exchange data until
links are added.
"""

from __future__ import annotations

from dataclasses import replace

from advisor.basics.quantities import count, size
from advisor.project.wfformat.workflow_record import Json, as_number, as_object, as_text
from machines import InputError, Machine, Platform

NO_NETWORK = "but no network"
_KILOBYTE = 1000
_LITTLE = 100_000_000  # bytes a core: less was read in another unit

Kind = tuple[str | float | None, ...]


def platform_from(entries: list[Json], warnings: list[str]) -> Platform | None:
    """The platform that a file's machines make.

    Parameters
    ----------
    entries : list of dict
        The `machines` of any schema version.
    warnings : list of str
        What is assumed is appended.

    Returns
    -------
    Platform or None
        None without machines.
    """
    if not entries:
        return None
    cpus = [as_object(entry.get("cpu") or {}, "a machine's cpu") for entry in entries]
    momentary = [_positive(cpu, "speedInMHz", "speed") for cpu in cpus]
    kinds = [_kind(entry, cpu) for entry, cpu in zip(entries, cpus, strict=True)]
    highest: dict[Kind, float] = {}
    for kind, rate in zip(kinds, momentary, strict=True):
        if rate:
            highest[kind] = max(rate, highest.get(kind, 0.0))
    clocks = [highest.get(kind) for kind in kinds]
    slowest = min(highest.values(), default=1.0)
    machines: dict[str, Machine] = {}
    for entry, cpu, clock in zip(entries, cpus, clocks, strict=True):
        name = as_text(entry.get("nodeName"), "a machine's nodeName")
        cores = _positive(cpu, "coreCount", "count")
        machine = Machine(
            name,
            cores=int(cores or 1),
            speed=clock / slowest if clock else 1.0,
            memory_bytes=_memory(entry),
        )
        if machines.setdefault(name, machine) != machine:
            raise InputError("a machine is described twice, differently", value=name)
    _warn(machines, clocks, momentary, warnings)
    believed = (replace(one, memory_bytes=None) if _little(one) else one
                for one in machines.values())  # fmt: skip
    return Platform("machines of the workflow", tuple(believed))


def _little(machine: Machine) -> bool:
    """Whether it has less memory than machines of so many cores have."""
    held = machine.memory_bytes
    return held is not None and machine.cores > 1 and held < _LITTLE * machine.cores


def _also(others: int) -> str:
    return f", as that of {count(others, 'other machine')}" if others else ""


def _kind(entry: Json, cpu: Json) -> Kind:
    """What equal machines have in common."""
    names = tuple(str(cpu.get(key) or "") for key in ("vendor", "model", "name"))
    return (*names, _positive(cpu, "coreCount", "count"), _memory(entry))


def _warn(
    machines: dict[str, Machine],
    clocks: list[float | None],
    momentary: list[float | None],
    warnings: list[str],
) -> None:
    known = [rate for rate in momentary if rate]
    if known and momentary != clocks:
        warnings.append(
            f"Clock rates in the file are those of one moment ({min(known):g} to {max(known):g} "
            "MHz): machines of equal processor, cores and memory are taken as equally fast"
        )
    without = sum(clock is None for clock in clocks)
    if 0 < without < len(clocks):
        warnings.append(f"{without} machines have no clock rate; taken as fast as the slowest")
    small = [(one, one.memory_bytes or 0) for one in machines.values() if _little(one)]
    if small:
        least, held = min(small, key=lambda one: one[1])
        warnings.append(
            f"{least.name} has {least.cores} cores and {size(held)} of memory in the file: "
            f"probably KiB written as bytes, so left out{_also(len(small) - 1)}"
        )
    if len(machines) > 1:
        warnings.append(
            f"The file lists {len(machines)} machines {NO_NETWORK}: they can't exchange data "
            "until links are added"
        )


def _positive(source: Json, key: str, old_key: str) -> float | None:
    value = as_number(source.get(key, source.get(old_key)), key)
    if value is not None and value < 0:
        raise InputError(f"{key} of a machine must not be negative", value=value)
    return value or None


def _memory(entry: Json) -> int | None:
    """Bytes; the old key counts kilobytes."""
    size = as_number(entry.get("memoryInBytes"), "memoryInBytes")
    if size is None and entry.get("memory") is not None:
        size = (as_number(entry["memory"], "memory") or 0.0) * _KILOBYTE
    return int(size) if size and size >= 1 else None

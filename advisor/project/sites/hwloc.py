"""One host as hwloc describes it (lstopo --of xml, 1 to 3); without a name that of its file.

Cores count where this process may use one of their threads; cores are no threads. Memory is the
sum over NUMA nodes, of which those that no core stands beside (CXL, HBM) count, too.
"""

from __future__ import annotations

from pathlib import Path
from xml.etree.ElementTree import Element

from advisor.basics.quantities import count
from advisor.project.sources.dax import root_of
from advisor.project.sources.site import Node, Site
from advisor.project.sources.source import plain
from machines import InputError

_PLACEHOLDER = 1 << 30  # bytes of a synthetic NUMA node of which nothing was said


def read(text: str, where: str) -> Site:
    """The host of an XML file of hwloc."""
    root = root_of(text, where)
    objects = list(root.iter("object"))
    machine = next((one for one in objects if one.get("type") == "Machine"), None)
    if machine is None:
        raise InputError("the topology has no machine", where=where)
    allowed = _bits(machine.get("allowed_cpuset") or machine.get("cpuset"), where)
    cores = [one for one in objects if one.get("type") == "Core"]
    cores = cores or [one for one in objects if one.get("type") == "PU"]
    usable = [one for one in cores if _bits(one.get("cpuset"), where) & allowed]
    if not usable:
        raise InputError("the topology has no core that may be used", where=where)
    infos = {one.get("name"): one.get("value") or "" for one in root.iter("info")}
    notes = []
    if len(usable) < len(cores):
        notes.append(f"Of {count(len(cores), 'core')}, {len(usable)} may be used")
    notes += _kinds(root, usable, where)
    gpus = sum(one.get("osdev_type") in {"1", "5"} for one in objects)
    memory = _memory(objects, infos.get("Backend") == "Synthetic", notes, where)
    name = plain(infos.get("HostName") or Path(where).name.partition(".")[0]) or "host"
    node = Node(name, len(usable), memory, plain(infos.get("CPUModel") or ""), gpus or None)
    return Site(name, (node,), notes=tuple(notes), now=True)


def _memory(objects: list[Element], made: bool, notes: list[str], where: str) -> int | None:
    nodes = [one for one in objects if one.get("type") == "NUMANode"]
    sizes = [_size(one, where) for one in nodes]
    kinds = {one.get("subtype") or "" for one in nodes}
    if made and all(one == _PLACEHOLDER for one in sizes):
        notes.append("Memory is not told: 1 GiB stands for it in a synthetic topology")
        return None
    if len(kinds) > 1:
        named = ", ".join(sorted(kind or "other" for kind in kinds))
        notes.append(f"Memory of several kinds counts together: {named}")
    return sum(sizes) or None


def _kinds(root: Element, cores: list[Element], where: str) -> list[str]:
    """A sentence where cores are of several kinds."""
    sets = [_bits(one.get("cpuset"), where) for one in root.iter("cpukind")]
    many = [sum(bool(_bits(core.get("cpuset"), where) & one) for core in cores) for one in sets]
    many = [one for one in many if one]
    if len(many) < 2:
        return []
    told = " and ".join(map(str, many))
    return [f"Assumed: all cores are equally fast, though {told} of them are of different kinds"]


def _size(node: Element, where: str) -> int:
    value = node.get("local_memory") or "0"
    if not value.isdigit() or len(value) > 18:
        raise InputError("local_memory is no whole number", where=where, value=value)
    return int(value)


def _bits(text: str | None, where: str) -> int:
    """A set of processors as hwloc writes it: words of 32 bits, the highest first."""
    try:
        words = [int(word or "0", 16) for word in (text or "0x0").replace("0xf...f", "").split(",")]
    except ValueError:
        raise InputError("not a set of processors", where=where, value=text) from None
    bits = 0
    for word in words:
        bits = bits << 32 | word
    return bits

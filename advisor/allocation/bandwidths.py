"""The bandwidth of a link, switch or memory, read off a platform and set on it."""

from __future__ import annotations

from dataclasses import replace

from machines import Direction, InputError, Link, Machine, Platform, Switch
from machines.checks import number
from machines.sharing import Resource


def bandwidth(platform: Platform, name: str) -> float:
    """Bytes/s of a link to its second end (of small messages), or of a switch or memory."""
    found = bandwidths(platform).get(name)
    if found is not None:
        return found
    raise InputError(
        "no link of that name, nor a switch with a bandwidth",
        where="bandwidth",
        value=name,
        remedy="Links: " + ", ".join(link.name for link in platform.links[:20]),
    )


def bandwidths(platform: Platform) -> dict[str, float]:
    """Bytes/s by name: links to their second ends, then what switches and memories state."""
    links = {link.name: link.to_second.bandwidth for link in platform.links}
    others = {one.name: one.bandwidth for one in platform.switches}
    others |= {_memory(one): one.memory_bandwidth for one in platform.machines}
    return links | {
        name: value for name, value in others.items() if value is not None and name not in links
    }


def _memory(machine: Machine) -> str:
    return f"memory of {machine.name}"


def with_bandwidth(platform: Platform, name: str, value: float) -> Platform:
    """The platform with that bandwidth (bytes/s); a link's other ones change in proportion."""
    number("bandwidth", value, above=True, where=f"bandwidth of {name}")
    factor = value / bandwidth(platform, name)
    links = tuple(
        widened_link(link, factor) if link.name == name else link for link in platform.links
    )
    switches = tuple(
        widened_switch(switch, factor) if switch.name == name else switch
        for switch in platform.switches
    )
    machines = tuple(
        replace(one, memory_bandwidth=value) if _memory(one) == name else one
        for one in platform.machines
    )
    return replace(platform, machines=machines, links=links, switches=switches)


def widened(platform: Platform, resource: Resource, factor: float) -> Platform:
    """The platform with a multiple of one resource's bandwidth; of inner networks as it is."""
    if resource.switch is not None:
        switches = list(platform.switches)
        switches[resource.switch] = widened_switch(switches[resource.switch], factor)
        return replace(platform, switches=tuple(switches))
    if resource.link is None:
        return platform
    links = list(platform.links)
    links[resource.link] = widened_link(links[resource.link], factor, resource.forward)
    return replace(platform, links=tuple(links))


def widened_switch(switch: Switch, factor: float) -> Switch:
    """A switch with a multiple of its bandwidth, if it has one."""
    if switch.bandwidth is None:
        return switch
    return replace(switch, bandwidth=switch.bandwidth * factor)


def widened_link(link: Link, factor: float, forward: bool | None = None) -> Link:
    """A link with a multiple of its bandwidth: to its second end, back, or both."""
    there = link.to_second if forward is False else _direction(link.to_second, factor)
    back = link.to_first if forward is True else _direction(link.to_first, factor)
    return replace(link, to_second=there, to_first=back)


def _direction(way: Direction, factor: float) -> Direction:
    above = way.above
    if above is not None:
        above = replace(above, bandwidth=above.bandwidth * factor)
    return replace(way, bandwidth=way.bandwidth * factor, above=above)

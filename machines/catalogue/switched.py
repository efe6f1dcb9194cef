"""The platforms of the catalogue whose machines share a network, made from what they are.

``python -m machines.catalogue.switched`` writes their files; `catalogue.toml` beside these says
where the figures come from and which are assumed.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from itertools import combinations

import resources
from machines.files import write_text
from machines.formats.platform_toml import dump_platform
from machines.platform import (
    DUPLEX,
    FREE,
    Contender,
    Direction,
    Link,
    Machine,
    Platform,
    Store,
    Switch,
)
from machines.runtime import SLOT, Runtime

_GIGABIT = 125e6  # bytes/s


def star() -> Platform:
    """Eight computers on one switch."""
    nodes = _names("n", 8)
    return Platform(
        "star on Gigabit Ethernet",
        tuple(Machine(name, cores=4) for name in nodes),
        _links(nodes, "switch", 5e-5, _GIGABIT),
        switches=(Switch("switch"),),
    )


def bus() -> Platform:
    """Eight computers on a hub, which passes on one frame at a time."""
    nodes = _names("n", 8)
    return Platform(
        "bus of 100 Mb/s",
        tuple(Machine(name) for name in nodes),
        _links(nodes, "hub", 5e-5, 12.5e6, FREE),
        switches=(Switch("hub", 12.5e6),),
    )


def two_level_tree() -> Platform:
    """Four racks of eight nodes; a rack's way up carries half of what its nodes can send."""
    racks = _names("rack", 4)
    nodes = {rack: [f"{rack}-n{each}" for each in range(1, 9)] for rack in racks}
    links = [link for rack in racks for link in _links(nodes[rack], rack, 5e-6, 1.25e9)]
    return Platform(
        "two-level tree, 4 racks of 8",
        tuple(Machine(name, cores=16) for rack in racks for name in nodes[rack]),
        (*links, *_links(racks, "core", 5e-6, 5e9)),
        switches=tuple(Switch(name) for name in (*racks, "core")),
    )


def fat_tree() -> Platform:
    """The fat tree of k = 4: pods of two edge and two aggregation switches, four core switches."""
    pods, pair = range(1, 5), (1, 2)
    hosts: list[str] = []
    links: list[Link] = []
    for pod in pods:
        for edge in pair:
            below = [f"h{pod}-{edge}-{each}" for each in pair]
            above = [f"agg{pod}-{each}" for each in pair]
            hosts += below
            links += _links(below, f"edge{pod}-{edge}", 5e-5, _GIGABIT)
            links += _links(above, f"edge{pod}-{edge}", 5e-6, _GIGABIT)
    for pod in pods:
        for agg in pair:
            cores = [f"core{agg}-{each}" for each in pair]
            links += _links(cores, f"agg{pod}-{agg}", 5e-6, _GIGABIT)
    switches = [f"{kind}{pod}-{each}" for kind in ("edge", "agg") for pod in pods for each in pair]
    switches += [f"core{agg}-{each}" for agg in pair for each in pair]
    return Platform(
        "fat tree of 16 hosts",
        tuple(Machine(name, cores=4) for name in hosts),
        tuple(links),
        switches=tuple(Switch(name) for name in switches),
    )


def dragonfly_group() -> Platform:
    """Eight switches, each linked with each, and four nodes on every one of them."""
    switches = _names("s", 8)
    nodes = {switch: [f"{switch}-n{each}" for each in range(1, 5)] for switch in switches}
    links = [link for switch in switches for link in _links(nodes[switch], switch, 1e-6, 25e9)]
    way = Direction(3.5e-7, 25e9)
    between = (Link(first, second, way, way) for first, second in combinations(switches, 2))
    return Platform(
        "dragonfly group of 32 nodes",
        tuple(Machine(name, cores=128) for switch in switches for name in nodes[switch]),
        (*links, *between),
        switches=tuple(Switch(name) for name in switches),
    )


def lab_file_server() -> Platform:
    """Four machines of a laboratory whose files lie on a server; tasks read when they begin."""
    busy = Contender("colleague's job", 0.8, 0.1, 1000)
    machines = (
        Machine("server", cores=4, speed=1.2),
        Machine("desk-1", cores=4),
        Machine("desk-2", cores=4, contenders=(busy,)),
        Machine("old", cores=2, speed=0.5),
    )
    ends = [*(machine.name for machine in machines), "files"]
    return Platform(
        "laboratory with a file server",
        machines,
        _links(ends, "switch", 5e-5, _GIGABIT),
        switches=(Switch("switch"),),
        stores=(Store("files"),),
        runtime=Runtime(fetch=SLOT),
    )


# name in the catalogue → platform
MADE: dict[str, Callable[[], Platform]] = {
    "star": star,
    "bus": bus,
    "two-level-tree": two_level_tree,
    "fat-tree": fat_tree,
    "dragonfly-group": dragonfly_group,
    "lab-file-server": lab_file_server,
}


def text_of(name: str) -> str:
    """The file of a platform that is made here."""
    make = MADE[name]
    return f"# {make.__doc__}\n# Made by machines/catalogue/switched.py.\n{dump_platform(make())}"


def _names(stem: str, count: int) -> list[str]:
    return [f"{stem}{number}" for number in range(1, count + 1)]


def _links(
    ends: Iterable[str], switch: str, startup_s: float, bandwidth: float, sharing: str = DUPLEX
) -> tuple[Link, ...]:
    """A link from each end to the switch."""
    way = Direction(startup_s, bandwidth)
    return tuple(Link(end, switch, way, way, sharing=sharing) for end in ends)


if __name__ == "__main__":
    for _name in MADE:
        write_text(resources.folder("platforms") / f"{_name}.toml", text_of(_name))

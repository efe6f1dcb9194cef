"""The subcommand `catalogue`: what ships, with its sources. A new one is a line in `CATALOGUES`."""

from __future__ import annotations

from argparse import Namespace
from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, Generic, TypeVar

from advisor.basics.quantities import count
from advisor.commands.text import columns, say
from advisor.messages.networks import shape
from advisor.shared_memory.application_file import APPLICATIONS, dump_application
from advisor.shared_memory.network_file import DVSM_NETWORKS, NetworkPreset
from advisor.shared_memory.phases import Application
from advisor.shared_memory.shared_memory_costs import shared_memory_of
from machines import InputError, Interconnect, Machine, Platform, Runtime
from machines.catalogue import NETWORKS, PLATFORMS, entry
from machines.catalogue.runtimes import RUNTIMES, Preset
from machines.catalogue.shelf import Catalogue
from machines.formats import toml_text
from machines.formats.fields import properties_table
from machines.formats.platform_toml import dump_platform
from machines.parameters import properties_of

T = TypeVar("T")

_WORKSTATIONS = 8  # as many as the paper's


@dataclass(frozen=True)
class Listing(Generic[T]):
    """How a shelf is printed.

    `text`: (name, value) → the text that prints one, with its source and what is assumed.
    """

    shelf: Catalogue[T]
    heads: tuple[str, ...]  # of the columns, the first of names
    row: Callable[[str, T], tuple[str, ...]]  # (name, value) → the other cells
    text: Callable[[str, T], str]

    def rows(self) -> list[tuple[str, ...]]:
        """A line for each name."""
        shelf = self.shelf
        return [(name, *self.row(name, shelf.load(name))) for name in shelf.names()]


def run_catalogue(arguments: Namespace) -> int:
    """List the machines, networks and applications that ship, or print one with its source."""
    name = arguments.name
    if name is None:
        for listing in CATALOGUES:
            say(columns(listing.heads, listing.rows()), "")
        say("placewise catalogue NAME prints one with its source and what is assumed.")
        return 0
    for listing in CATALOGUES:
        if name in listing.shelf.names():
            say(listing.text(name, listing.shelf.load(name)).rstrip("\n"))
            return 0
    names = ", ".join(name for listing in CATALOGUES for name in listing.shelf.names())
    raise InputError("not in the catalogue", value=name, remedy=f"Names: {names}")


def _platform_text(name: str, platform: Platform) -> str:
    """The file, with title, parts, source and assumptions as comments."""
    preset = entry(name)
    shared = f"# {_parts(platform)}; {_sharing(platform)}\n# Runtime: {_runtime(platform)}\n"
    assumed = "".join(f"# Assumed: {one}\n" for one in preset.assumed)
    head = f"# {preset.title}\n{shared}# Source: {preset.source}\n{assumed}"
    return f"{head}{dump_platform(platform)}"


def _parts(platform: Platform) -> str:
    """How many machines, switches and stores it has."""
    counts = [count(len(platform.machines), "machine")]
    if platform.switches:
        counts.append(count(len(platform.switches), "switch", "switches"))
    if platform.stores:
        counts.append(count(len(platform.stores), "store"))
    return ", ".join(counts)


def _sharing(platform: Platform) -> str:
    """How its links are shared: "16 links, duplex"."""
    kinds = Counter(link.sharing for link in platform.links)
    return ", ".join(f"{count(number, 'link')} {kind}" for kind, number in kinds.items())


def _runtime(platform: Platform) -> str:
    """What brings data and tasks to the machines, in the words of the file."""
    return ", ".join(
        f"{one.name} {getattr(platform.runtime, one.name)}" for one in properties_of(Runtime)
    )


def _network_text(name: str, net: Interconnect) -> str:
    """A platform of one machine with that network inside, which carries source and assumptions."""
    platform = Platform(name, (Machine(name, network=net),))
    head = f"# {net.name}: {shape(net.network)}; its table goes into any [[machine]]"
    return f"{head}\n{dump_platform(platform)}"


def _workstations_text(name: str, preset: NetworkPreset) -> str:
    """A platform of one machine: workstations that share memory over that network."""
    memory = shared_memory_of(preset, _WORKSTATIONS)
    platform = Platform(name, (Machine(name, shared_memory=memory),))
    head = f"# {preset.network.name}: {_WORKSTATIONS} workstations that share memory; times in µs"
    return f"{head}\n{dump_platform(platform)}"


def _application_text(_name: str, application: Application) -> str:
    return dump_application(application)


def _runtime_text(_name: str, preset: Preset) -> str:
    """The table as it goes into a platform file, with its source."""
    head = f"# {preset.title}\n# Source: {preset.source}\n"
    return f"{head}[runtime]\n{toml_text.dump(properties_table(preset.runtime))}"


CATALOGUES: tuple[Listing[Any], ...] = (
    Listing(
        PLATFORMS,
        ("platform", "title", "parts"),
        lambda name, platform: (entry(name).title, _parts(platform)),
        _platform_text,
    ),
    Listing(
        NETWORKS,
        ("network inside a machine", "shape", "title"),
        lambda _, net: (shape(net.network), net.name),
        _network_text,
    ),
    Listing(
        DVSM_NETWORKS,
        ("network of workstations that share memory", "title"),
        lambda _, preset: (preset.network.name,),
        _workstations_text,
    ),
    Listing(
        APPLICATIONS,
        ("shared-memory application", "title"),
        lambda _, application: (application.name,),
        _application_text,
    ),
    Listing(
        RUNTIMES,
        ("runtime", "title"),
        lambda _, preset: (preset.title,),
        _runtime_text,
    ),
)

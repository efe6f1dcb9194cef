"""The subcommand `catalogue`: what ships, with its sources."""

from __future__ import annotations

from argparse import Namespace

from advisor.commands.text import columns, say
from advisor.messages.networks import shape
from advisor.shared_memory.application_file import (
    application_names,
    dump_application,
    shipped_application,
)
from advisor.shared_memory.costs import shared_memory_of
from advisor.shared_memory.network_file import NetworkPreset, dvsm_network, dvsm_network_names
from machines import InputError, Interconnect, Machine, Platform
from machines.catalogue import Entry, entries, entry, interconnect, interconnect_names, load
from machines.formats.platform_toml import dump_platform

_WORKSTATIONS = 8  # as many as the paper's


def run_catalogue(arguments: Namespace) -> int:
    """List the machines, networks and applications that ship, or print one with its source."""
    shipped = {entry.name: entry.title for entry in entries()}
    networks = {name: interconnect(name) for name in interconnect_names()}
    workstations = {name: dvsm_network(name) for name in dvsm_network_names()}
    programs = {name: shipped_application(name) for name in application_names()}
    name = arguments.name
    if name is None:
        say(columns(("platform", "title"), list(shipped.items())), "")
        rows = [(key, shape(one.network), one.name) for key, one in networks.items()]
        say(columns(("network inside a machine", "shape", "title"), rows), "")
        titles = [(key, one.network.name) for key, one in workstations.items()]
        say(columns(("network of workstations that share memory", "title"), titles), "")
        titles = [(key, one.name) for key, one in programs.items()]
        say(columns(("shared-memory application", "title"), titles), "")
        say("placewise catalogue NAME prints one with its source and what is assumed.")
        return 0
    if name in shipped:
        say(*_described(entry(name)), dump_platform(load(name)).rstrip("\n"))
    elif name in networks:
        say(*_network_file(name, networks[name]))
    elif name in workstations:
        say(*_workstations_file(workstations[name]))
    elif name in programs:
        say(dump_application(programs[name]).rstrip("\n"))
    else:
        names = ", ".join((*shipped, *networks, *workstations, *programs))
        raise InputError("not in the catalogue", value=name, remedy=f"Names: {names}")
    return 0


def _described(preset: Entry) -> list[str]:
    """Title, source and assumptions as comments."""
    assumed = [f"# Assumed: {one}" for one in preset.assumed]
    return [f"# {preset.title}", f"# Source: {preset.source}", *assumed]


def _network_file(name: str, net: Interconnect) -> list[str]:
    """A platform of one machine with that network inside, which carries source and assumptions."""
    platform = Platform(name, (Machine(name, network=net),))
    head = f"# {net.name}: {shape(net.network)}; its table goes into any [[machine]]"
    return [head, dump_platform(platform).rstrip("\n")]


def _workstations_file(preset: NetworkPreset) -> list[str]:
    """A platform of one machine: workstations that share memory over that network."""
    memory = shared_memory_of(preset, _WORKSTATIONS)
    platform = Platform(preset.key, (Machine(preset.key, shared_memory=memory),))
    head = f"# {preset.network.name}: {_WORKSTATIONS} workstations that share memory; times in µs"
    return [head, dump_platform(platform).rstrip("\n")]

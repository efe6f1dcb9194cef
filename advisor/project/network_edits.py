"""Edits of what joins the machines: switches, stores, and what runs the tasks."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from advisor.allocation.workload import replaced_at
from advisor.project.graph_edits import free_name
from advisor.project.project import Project
from advisor.project.project_edits import add_link, hub, relinked
from machines import Direction, Link, Platform, Store, Switch
from machines.catalogue.runtimes import RUNTIMES
from machines.errors import InputError

NEW_WAY = Direction(startup_s=50e-6, bandwidth=125e6)
"""A port of a new switch or store: Gigabit Ethernet."""
NEW_LINK = Direction(startup_s=1e-3, bandwidth=125e6)
"""A new link of two machines, in each direction, until somebody says what it is."""


def with_switch(project: Project, position: int, name: str, value: object) -> Project:
    """The switch at `position` with another value of a property; a new name goes into links."""
    platform, changed = project.platform, {name: value}
    old = platform.switches[position]
    new = replace(old, **_any(changed))
    switches = replaced_at(platform.switches, position, new)
    links = _relinked(platform, old.name, new.name)
    return replace(project, platform=replace(platform, switches=switches, links=links))


def with_store(project: Project, position: int, name: str, value: object) -> Project:
    """The store at `position` with another property; a new name goes into links and files."""
    platform, workload, changed = project.platform, project.workload, {name: value}
    old = platform.stores[position]
    new = replace(old, **_any(changed))
    stores = replaced_at(platform.stores, position, new)
    links = _relinked(platform, old.name, new.name)
    if old.name != new.name and any(file.at == old.name for file in workload.files):
        files = tuple(
            replace(file, at=new.name) if file.at == old.name else file for file in workload.files
        )
        workload = replace(workload, files=files)
    changed_platform = replace(platform, stores=stores, links=links)
    return replace(project, platform=changed_platform, workload=workload)


def with_runtime(project: Project, name: str, value: object) -> Project:
    """The platform with another value of a property of its runtime."""
    changed = replace(project.platform.runtime, **_any({name: value}))
    return replace(project, platform=replace(project.platform, runtime=changed))


def with_spread(project: Project, name: str, value: object) -> Project:
    """Another default of how far numbers are from known exactly, the platform's and no other's."""
    platform, workload = project.platform, project.workload
    stated = replace(platform.spread, **_any({name: value}))
    if getattr(workload.spread, name) is not None:
        own = replace(workload.spread, **_any({name: None}))
        workload = workload.with_spread(own)
    return replace(project, platform=replace(platform, spread=stated), workload=workload)


def with_preset(project: Project, name: str) -> Project:
    """The platform with a runtime that ships (`machines.catalogue.runtimes`)."""
    runtime = RUNTIMES.load(name).runtime
    return replace(project, platform=replace(project.platform, runtime=runtime))


def add_switch(project: Project) -> Project:
    """One more switch, joined to every machine by a link like Gigabit Ethernet.

    Raises
    ------
    InputError
        There is one machine only, so that there is nothing to join.
    """
    platform = project.platform
    if len(platform.machines) < 2:
        raise InputError(
            "a switch joins at least two machines",
            where=f'platform "{platform.name}"',
            remedy="Add a machine first",
        )
    name = free_name("switch 1", platform.degree)
    links = tuple(Link(one.name, name, NEW_WAY, NEW_WAY) for one in platform.machines)
    changed = replace(
        platform, switches=(*platform.switches, Switch(name)), links=(*platform.links, *links)
    )
    return replace(project, platform=changed)


def link_machines(project: Project, first: str, second: str) -> Project:
    """A link between two places that none joins, with 1 ms startup and 125 MB/s."""
    return add_link(project, Link(first, second, NEW_LINK, NEW_LINK))


def unlinked(platform: Platform, machine: str) -> tuple[str, ...]:
    """The other machines to which a machine has no link of its own."""
    others = (other.name for other in platform.machines if other.name != machine)
    return tuple(other for other in others if platform.link(machine, other) is None)


def add_store(project: Project) -> Project:
    """One more store, linked to the switch that joins most, else to the first machine."""
    platform = project.platform
    name = free_name("store 1", platform.degree)
    port = hub(platform) or platform.machines[0].name
    changed = replace(
        platform,
        stores=(*platform.stores, Store(name)),
        links=(*platform.links, Link(name, port, NEW_WAY, NEW_WAY)),
    )
    return replace(project, platform=changed)


def remove_switch(project: Project, position: int) -> Project:
    """Without that switch and its links; the platform refuses if a machine is then cut off."""
    platform = project.platform
    gone = platform.switches[position].name
    switches = platform.switches[:position] + platform.switches[position + 1 :]
    links = tuple(link for link in platform.links if gone not in link.ends)
    return replace(project, platform=replace(platform, switches=switches, links=links))


def remove_store(project: Project, position: int) -> Project:
    """Without that store and its links; files that lie there are on the only other one, or out."""
    platform, workload = project.platform, project.workload
    gone = platform.stores[position].name
    stores = platform.stores[:position] + platform.stores[position + 1 :]
    links = tuple(link for link in platform.links if gone not in link.ends)
    if any(file.at == gone for file in workload.files):
        files = tuple(
            replace(file, at=None) if file.at == gone else file for file in workload.files
        )
        workload = replace(workload, files=files)
    changed = replace(platform, stores=stores, links=links)
    return replace(project, platform=changed, workload=workload)


def _relinked(platform: Platform, old: str, new: str) -> tuple[Link, ...]:
    if old == new:
        return platform.links
    return tuple(relinked(link, {old: new}) for link in platform.links)


def _any(changed: dict[str, object]) -> Any:
    """Values of fields by name, which `replace` checks when it makes the record."""
    return changed

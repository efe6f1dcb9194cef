"""The inspector's sheets of what joins machines: a switch, and a store."""

from __future__ import annotations

from collections.abc import Callable

from advisor.basics.quantities import count, size
from advisor.project import network_edits
from advisor.project import project_edits as edits
from advisor.project.project import Project
from gui.document.document import Selection
from gui.inspector.sheet import Action, Field, Sheet
from machines import Link, Platform, Store, Switch
from machines.parameters import properties_of

_MOST_LINK_BUTTONS = 8
_Write = Callable[[Project, int, str, object], Project]


def switch_sheet(project: Project, position: int) -> Sheet:
    """The sheet of the switch at `position`."""
    switch = project.platform.switches[position]
    return Sheet(
        identity=("switch", position),
        title=switch.name,
        subtitle=f"Switch, {count(project.platform.degree[switch.name], 'link')}",
        fields=_fields(switch, position, network_edits.with_switch),
        notes=(
            "All transfers through it share its bandwidth"
            if switch.bandwidth is not None
            else "It forwards as quickly as its links: nothing is shared in it",
        ),
        actions=(
            *_link_actions(project.platform, switch.name),
            Action(
                "remove_switch",
                "Remove switch",
                "Its links go with it",
                lambda before: network_edits.remove_switch(before, position),
                lambda _after: Selection(),
            ),
        ),
        links=links_at(project.platform, switch.name),
    )


def store_sheet(project: Project, position: int) -> Sheet:
    """The sheet of the store at `position`."""
    platform, workload = project.platform, project.workload
    store = platform.stores[position]
    only = len(platform.stores) == 1
    here = [
        workload.files[place]
        for place in workload.outside
        if workload.files[place].at == store.name or (only and workload.files[place].at is None)
    ]
    held = f"Holds {count(len(here), 'file')} of {size(sum(file.size_bytes for file in here))}"
    return Sheet(
        identity=("store", position),
        title=store.name,
        subtitle=f"Store, {count(platform.degree[store.name], 'link')}",
        fields=_fields(store, position, network_edits.with_store),
        notes=(f"{held} that no task makes",),
        actions=(
            *_link_actions(platform, store.name),
            Action(
                "remove_store",
                "Remove store",
                "Its links go with it; its files are then on the only other store, or left out",
                lambda before: network_edits.remove_store(before, position),
                lambda _after: Selection(),
            ),
        ),
        links=links_at(platform, store.name),
    )


def part_of(platform: Platform, name: str) -> tuple[str, Selection]:
    """What a link's end is, in words, and its selection."""
    if name in platform.index:
        return f"Machine {name}", Selection(machine=platform.index[name])
    for place, store in enumerate(platform.stores):
        if store.name == name:
            return f"Store {name}", Selection(store=place)
    place = next(k for k, switch in enumerate(platform.switches) if switch.name == name)
    return f"Switch {name}", Selection(switch=place)


def links_at(platform: Platform, name: str) -> tuple[tuple[str, Selection], ...]:
    """The links that end at a machine, switch or store."""
    return tuple(
        (f"Link {link.name}", Selection(link=place))
        for place, link in enumerate(platform.links)
        if name in link.ends
    )


def _fields(record: Switch | Store, position: int, write: _Write) -> tuple[Field, ...]:
    def writer(name: str) -> Callable[[Project, object], Project]:
        return lambda before, value: write(before, position, name, value)

    return tuple(
        Field(one, getattr(record, one.name), writer(one.name))
        for one in properties_of(type(record))
    )


def _link_actions(platform: Platform, name: str) -> tuple[Action, ...]:
    """One button for each machine and switch that it could be linked to."""
    others = [*platform.index, *(one.name for one in platform.switches)]
    lonely = [one for one in others if one != name and platform.link(name, one) is None]
    way = network_edits.NEW_WAY
    return tuple(
        Action(
            f"link_to_{other}",
            f"Link to {other}",
            "Adds a link with 50 µs startup and 125 MB/s; change it in its own sheet",
            lambda before, other=other: edits.add_link(before, Link(name, other, way, way)),  # type: ignore[misc]
            lambda after: Selection(link=len(after.platform.links) - 1),
        )
        for other in lonely[:_MOST_LINK_BUTTONS]
    )

"""The inspector's sheet of a machine and of the contenders on it."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import replace
from typing import cast

from advisor.allocation.loads import (
    CONTENDERS,
    MACHINE_SLOWDOWN,
    LoadParameter,
    find_parameter,
    parameters_of,
)
from advisor.basics.quantities import slowdown
from advisor.models.contention import machine_slowdown
from advisor.project import project_edits as edits
from advisor.project.held_words import (
    described,
    groups_read,
    groups_shown,
    resources_read,
    resources_shown,
)
from advisor.project.network_edits import link_machines, unlinked
from advisor.project.project import Project
from gui.document.document import Selection
from gui.inspector import values
from gui.inspector.network_sheet import network_fields, network_notes
from gui.inspector.shared_memory_sheet import shared_memory_fields, shared_memory_notes
from gui.inspector.sheet import Action, Field, Sheet, Slider, editable, slider_of, with_field
from machines import Contender, CoreGroup, Machine, Resource
from machines.parameters import Parameter, properties_of

_MOST_LINK_BUTTONS = 8
_CONTENDER_WORDS = {  # title and unit below the heading of a contender
    "compute": ("computing, share of its time", ""),
    "communicate": ("communicating, share of its time", ""),
    "message_words": ("largest message", "words"),
}


def machine_sheet(project: Project, position: int) -> Sheet:
    """The sheet of the machine at `position`."""
    machine = project.platform.machines[position]
    return Sheet(
        identity=("machine", position),
        title=machine.name,
        subtitle="Machine",
        fields=(
            *_own_fields(project, position),
            *_resource_fields(machine, position),
            *_contender_fields(machine, position),
            *network_fields(machine, position),
            *shared_memory_fields(machine, position),
        ),
        notes=(
            _slowdown_note(project, machine),
            *_resource_notes(machine),
            *network_notes(machine),
            *shared_memory_notes(machine),
        ),
        actions=_actions(project, position),
        links=tuple(
            (f"Link {link.name}", Selection(link=number))
            for number, link in enumerate(project.platform.links)
            if machine.name in link.ends
        ),
    )


def _own_fields(project: Project, position: int) -> tuple[Field, ...]:
    """All that a machine declares; the load stands before what takes its place."""
    machine = project.platform.machines[position]
    fields = [_property_field(machine, position, one) for one in properties_of(type(machine))]
    stated = next(place for place, one in enumerate(fields) if one.key == "slowdown")
    fields[stated:stated] = _load_fields(project, machine)
    return tuple(fields)


def _property_field(machine: Machine, position: int, one: Parameter) -> Field:
    def write(project: Project, value: object) -> Project:
        if one.name == "slowdown" and value is not None:
            stated = find_parameter(project.platform, f"{MACHINE_SLOWDOWN}:{machine.name}")
            return _under(project, stated, value)
        return edits.with_property(project, position, one.name, value)

    return Field(one, getattr(machine, one.name), write)


def _load_fields(project: Project, machine: Machine) -> list[Field]:
    """The number of contenders; none where the machine can have none."""
    key = f"{CONTENDERS}:{machine.name}"
    return [_load_field(project, one) for one in parameters_of(project.platform) if one.key == key]


def _load_field(project: Project, load: LoadParameter) -> Field:
    return editable(
        "load",
        "CPU-bound contenders",
        "Number p of other applications that compute all the time; a fraction computes that "
        "share of its time. Replaces the contenders below. Slowdown p + 1 on one "
        "core (Figueira & Berman 1996, sec. 3.1)",
        load.value(project.platform, project.reading),
        lambda before, value: _under(before, load, value),
        values.real,
        slider=Slider(0.0, 8.0),
    )


def _under(project: Project, load: LoadParameter, value: object) -> Project:
    """The project under a load, which takes the place of what else is said of it."""
    changed = load.applied(project.platform, cast("float", value), project.reading)
    return replace(project, platform=changed)


def resources_field(
    label: str, what: str, held: tuple[Resource, ...], write: Callable[[Project, object], Project]
) -> Field:
    """The counted resources of a machine, or of all together, in words."""
    return editable(
        "resources", label, f"{what}. Tasks name what they hold", held, write,
        lambda text: resources_read(text, held),
        show=lambda value: resources_shown(cast("tuple[Resource, ...]", value)),
        placeholder="none",
    )  # fmt: skip


def _resource_fields(machine: Machine, position: int) -> tuple[Field, Field]:
    """What it has beside cores and memory, and its cores by speed, in words."""

    def with_resources(project: Project, value: object) -> Project:
        found = replace(machine, resources=cast("tuple[Resource, ...]", value))
        return edits.with_machine(project, position, found)

    def with_groups(project: Project, value: object) -> Project:
        groups = cast("tuple[CoreGroup, ...]", value)
        cores = sum(one.count for one in groups) if groups else machine.cores
        found = replace(machine, core_groups=groups, cores=cores)
        return edits.with_machine(project, position, found)

    return (
        resources_field(
            "Resources",
            "What it has beside cores and memory, counted, with the memory of each: 2 gpu, "
            "2 gpu of 40 GB",
            machine.resources,
            with_resources,
        ),
        editable(
            "core_groups", "Core groups",
            "Cores of unequal speed, relative to the machine's: 8 P, 8 E × 0.5. A task takes the "
            "fastest that are free. Empty: all alike",
            machine.core_groups, with_groups, groups_read,
            show=lambda value: groups_shown(cast("tuple[CoreGroup, ...]", value)),
            placeholder="all alike",
        ),
    )  # fmt: skip


def _resource_notes(machine: Machine) -> tuple[str, ...]:
    found = [described(one) for one in machine.resources if one.model or one.memory_bytes]
    return (f"It has {', '.join(found)}.",) if found else ()


def _contender_fields(machine: Machine, position: int) -> tuple[Field, ...]:
    return tuple(
        field
        for number, contender in enumerate(machine.contenders)
        for field in _fields_of(contender, position, number)
    )


def _fields_of(contender: Contender, position: int, number: int) -> Iterator[Field]:
    def write(name: str) -> Callable[[Project, object], Project]:
        def change(project: Project, value: object) -> Project:
            machine = project.platform.machines[position]
            changed = with_field(machine.contenders[number], name, value)
            return _with_contenders(project, position, number, (changed,))

        return change

    for one in properties_of(Contender):
        title, unit = _CONTENDER_WORDS.get(one.name, (one.title, one.unit))
        named = replace(
            one,
            name=f"contender{number}.{one.name}",
            title=title,
            unit=unit,
            heading=f"Contender {number + 1}" if one.name == "name" else "",
        )
        yield Field(named, getattr(contender, one.name), write(one.name), slider_of(one))


def _with_contenders(
    project: Project, position: int, number: int, put: tuple[Contender, ...]
) -> Project:
    machine = project.platform.machines[position]
    contenders = machine.contenders[:number] + put + machine.contenders[number + 1 :]
    stated = None if contenders else machine.slowdown  # which they take the place of
    changed = replace(machine, contenders=contenders, slowdown=stated)
    return edits.with_machine(project, position, changed)


def _slowdown_note(project: Project, machine: Machine) -> str:
    found = machine_slowdown(machine, 1, project.reading)
    return f"Slowdown s = {slowdown(found.value)}: {found.origin}"


def _actions(project: Project, position: int) -> tuple[Action, ...]:
    machine = project.platform.machines[position]
    count = len(machine.contenders)

    def add(before: Project) -> Project:
        taken = {contender.name for contender in machine.contenders}
        name = next(n for n in (f"contender {k}" for k in range(1, count + 2)) if n not in taken)
        return _with_contenders(before, position, count, (Contender(name, compute=0.5),))

    removals = tuple(
        Action(
            f"remove_contender{number}",
            f"Remove {contender.name}",
            "Remove this application from the machine",
            lambda before, number=number: _with_contenders(before, position, number, ()),  # type: ignore[misc]
        )
        for number, contender in enumerate(machine.contenders)
    )
    return (
        Action("add_contender", "Add contender", "An application that computes half its time", add),
        Action(
            "remove_machine",
            "Remove machine",
            "Its tasks move to the machine that runs them fastest",
            lambda before: edits.remove_machine(before, position),
            lambda _after: Selection(),
        ),
        *removals,
        *_link_actions(project, machine),
    )


def _link_actions(project: Project, machine: Machine) -> tuple[Action, ...]:
    return tuple(
        Action(
            f"link_to_{other}",
            f"Link to {other}",
            "Adds a link with 1 ms startup and 125 MB/s; change it in its own sheet",
            lambda before, other=other: link_machines(  # type: ignore[misc]
                before, machine.name, other
            ),
            lambda after: Selection(link=len(after.platform.links) - 1),
        )
        for other in unlinked(project.platform, machine.name)[:_MOST_LINK_BUTTONS]
    )

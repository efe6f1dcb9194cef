"""The inspector's sheet of a machine and of the contenders on it."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import cast

from advisor.allocation.loads import CONTENDERS, find_parameter
from advisor.basics.quantities import slowdown
from advisor.models.contention import machine_slowdown
from advisor.project import edits
from advisor.project.project import Project
from gui.document.document import Selection
from gui.inspector import values
from gui.inspector.network_sheet import network_fields, network_notes
from gui.inspector.shared_memory_sheet import shared_memory_fields, shared_memory_notes
from gui.inspector.sheet import Action, Field, Sheet, Slider, with_field
from machines import Contender, Direction, Link, Machine

_MOST_LINK_BUTTONS = 8


def machine_sheet(project: Project, position: int) -> Sheet:
    """The sheet of the machine at `position`."""
    machine = project.platform.machines[position]
    return Sheet(
        identity=("machine", position),
        title=machine.name,
        subtitle="Machine",
        fields=(
            *_own_fields(project, position),
            *_contender_fields(machine, position),
            *network_fields(machine, position),
            *shared_memory_fields(machine, position),
        ),
        notes=(
            _slowdown_note(project, machine),
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
    machine = project.platform.machines[position]
    load = find_parameter(project.platform, f"{CONTENDERS}:{machine.name}")

    def field(name: str, label: str, unit: str, text: str, parse: Callable[[str], object]) -> Field:
        return Field(
            name, label, text, getattr(machine, name), _writer(position, name), parse, unit
        )

    return (
        field("name", "Name", "", "Unique among the machines", values.name),
        field("cores", "Cores", "", "Cores c: how many one-core tasks run at a time", values.count),
        field(
            "speed",
            "Speed",
            "× reference",
            "Relative to the reference machine: a task's work is divided by it; > 0",
            values.real,
        ),
        replace(
            field(
                "memory_bytes",
                "Memory",
                "B",
                "The working sets of the tasks placed here may not exceed it. Empty: no limit",
                values.optional(values.whole_bytes),
            ),
            placeholder="no limit",
        ),
        Field(
            "load",
            "CPU-bound contenders",
            "Number p of other applications that compute all the time; a fraction is one that "
            "computes that share of its time. Replaces the contenders below. Slowdown p + 1 on one "
            "core (Figueira & Berman 1996, sec. 3.1)",
            load.value(project.platform, project.reading),
            lambda before, value: replace(
                before,
                platform=load.applied(before.platform, cast("float", value), before.reading),
            ),
            values.real,
            slider=Slider(0.0, 8.0),
        ),
        replace(
            field(
                "slowdown",
                "Stated slowdown",
                "×",
                "Slowdown s ≥ 1 that you know or measured; takes the place of the contenders. "
                "Empty: computed from them",
                values.optional(values.real),
            ),
            placeholder="from contenders",
        ),
    )


def _writer(position: int, name: str) -> Callable[[Project, object], Project]:
    def write(project: Project, value: object) -> Project:
        machine = project.platform.machines[position]
        return edits.with_machine(project, position, with_field(machine, name, value))

    return write


def _contender_fields(machine: Machine, position: int) -> tuple[Field, ...]:
    return tuple(
        field
        for number, contender in enumerate(machine.contenders)
        for field in _fields_of(contender, position, number)
    )


def _fields_of(contender: Contender, position: int, number: int) -> tuple[Field, ...]:
    def write(name: str) -> Callable[[Project, object], Project]:
        def change(project: Project, value: object) -> Project:
            machine = project.platform.machines[position]
            changed = with_field(machine.contenders[number], name, value)
            return _with_contenders(project, position, number, (changed,))

        return change

    def field(name: str, label: str, help_text: str, parse: Callable[[str], object]) -> Field:
        text = f"{contender.name}: {label}"
        key = f"contender{number}.{name}"
        return Field(key, text, help_text, getattr(contender, name), write(name), parse)

    share = "Share of its dedicated time, 0 to 1; compute + communicate ≤ 1 (the rest: idle, I/O)"
    sliding = Slider(0.0, 1.0)
    return (
        field("name", "name", "Any label", values.name),
        replace(field("compute", "compute", share, values.real), slider=sliding),
        replace(field("communicate", "communicate", share, values.real), slider=sliding),
        field(
            "message_words",
            "message",
            "Largest message that it sends, in words; chooses the delay column j of the "
            "published formula (sec. 3.2.2). 0: does not matter",
            values.real,
        ),
    )


def _with_contenders(
    project: Project, position: int, number: int, put: tuple[Contender, ...]
) -> Project:
    machine = project.platform.machines[position]
    contenders = machine.contenders[:number] + put + machine.contenders[number + 1 :]
    return edits.with_machine(project, position, replace(machine, contenders=contenders))


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
            "This application leaves the machine",
            lambda before, number=number: _with_contenders(before, position, number, ()),  # type: ignore[misc]
        )
        for number, contender in enumerate(machine.contenders)
    )
    return (
        Action("add_contender", "Add contender", "An application that computes half its time", add),
        *removals,
        *_link_actions(project, machine),
        Action(
            "remove_machine",
            "Remove machine",
            "Its tasks move to the machine that runs them fastest",
            lambda before: edits.remove_machine(before, position),
            lambda _after: Selection(),
        ),
    )


def _link_actions(project: Project, machine: Machine) -> tuple[Action, ...]:
    platform = project.platform
    lonely = [
        other.name
        for other in platform.machines
        if other is not machine and platform.link(machine.name, other.name) is None
    ]
    direction = Direction(startup_s=1e-3, bandwidth=125e6)
    return tuple(
        Action(
            f"link_to_{other}",
            f"Link to {other}",
            "Adds a link with 1 ms startup and 125 MB/s; change it in its own sheet",
            lambda before, other=other: edits.add_link(  # type: ignore[misc]
                before, Link(machine.name, other, direction, direction)
            ),
            lambda after: Selection(link=len(after.platform.links) - 1),
        )
        for other in lonely[:_MOST_LINK_BUTTONS]
    )

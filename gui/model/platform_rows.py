"""Machines and links as rows of the model's tables."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from operator import attrgetter
from typing import Any, cast

from advisor.allocation.loads import equivalent_contenders, load_figure
from advisor.project import project_edits as edits
from advisor.project.network_edits import link_machines
from advisor.project.project import Project
from gui.document.document import Selection
from gui.inspector import values
from gui.inspector.link_sheet import link_sheet
from gui.inspector.machine_sheet import machine_sheet
from gui.inspector.sheet import VARIOUS, Field, editable, with_field
from gui.model.row_kind import (
    CellColumn,
    RowKind,
    amount,
    by_action,
    first_of,
    of_sheet,
    one_by_one,
    only,
    read_only,
    shown_bytes,
    swapped,
)
from machines import InputError, Link

# machines


def _machine_column(key: str, title: str, hint: str, **more: Any) -> CellColumn:
    of = attrgetter(key)
    return CellColumn(
        title,
        hint,
        lambda project, at: of(project.platform.machines[at]),
        of_sheet(machine_sheet, key),
        **more,
    )


MACHINES = RowKind(
    "machine",
    "Machines",
    (
        _machine_column(
            "name",
            "Name",
            "Unique among machines, stores and switches",
            also=("machine", "host", "hostname", "node", "server"),
        ),
        _machine_column(
            "cores",
            "Cores",
            "Processor cores",
            numeric=True,
            also=("core", "cpu", "cpus", "processors"),
        ),
        _machine_column(
            "speed", "Speed", "Speed; a task takes its work divided by it", numeric=True
        ),
        _machine_column(
            "memory_bytes",
            "Memory",
            "Main; empty: unlimited",
            show=shown_bytes,
            numeric=True,
            also=("mem", "ram"),
        ),
        CellColumn(
            "Contenders",
            "Load by other applications, in contenders that compute all the time, as on the board; "
            "edit them in the inspector",
            lambda project, at: equivalent_contenders(
                project.platform.machines[at], project.reading
            ),
            read_only,
            lambda load: load_figure(cast("float", load)),
            numeric=True,
        ),
    ),
    lambda project: len(project.platform.machines),
    lambda project, at: project.platform.machines[at].name,
    by_action("add_machine"),
    one_by_one(edits.remove_machine),
    lambda selection: only(selection.machine),
    lambda rows: Selection(machine=first_of(rows)),
)


# links


def _link(project: Project, at: int) -> Link:
    return project.platform.links[at]


def _link_end(end: str, title: str, *also: str) -> CellColumn:
    def field(project: Project, at: int) -> Field:
        def write(before: Project, value: object) -> Project:
            old = _link(before, at)
            ends = swapped((old.first, old.second), ("first", "second").index(end), value)
            return edits.with_link(before, at, replace(old, first=ends[0], second=ends[1]))

        hint = "Machine, switch or store"
        return editable(end, title, hint, getattr(_link(project, at), end), write, values.name)

    return CellColumn(
        title,
        "Machine, switch or store at this end",
        lambda project, at: getattr(_link(project, at), end),
        field,
        also=also,
    )


def _both_ways(name: str, title: str, unit: str, hint: str, *also: str) -> CellColumn:
    """A value of both directions alike; several values are shown as such, and become one."""

    def value(project: Project, at: int) -> object:
        link = _link(project, at)
        there, back = getattr(link.to_second, name), getattr(link.to_first, name)
        return there if there == back else VARIOUS

    def field(project: Project, at: int) -> Field | None:
        def write(before: Project, value: object) -> Project:
            link = _link(before, at)
            changed = replace(
                link,
                to_second=with_field(link.to_second, name, value),
                to_first=with_field(link.to_first, name, value),
            )
            return edits.with_link(before, at, changed)

        one = of_sheet(link_sheet, f"to_second.{name}")(project, at)
        if one is None:
            return None
        parameter = replace(one.parameter, name=name, title=title)
        return replace(one, parameter=parameter, value=value(project, at), write=write)

    return CellColumn(
        title,
        f"{hint}; both directions become the same",
        value,
        field,
        lambda found: "various" if found is VARIOUS else amount(found, unit),
        numeric=True,
        also=also,
    )


def _add_link(project: Project) -> Project:
    """A link between the first two machines that none joins."""
    platform = project.platform
    joined = {link.ends for link in platform.links}
    names = [machine.name for machine in platform.machines]
    for at, first in enumerate(names):
        for second in names[at + 1 :]:
            if frozenset((first, second)) not in joined:
                return link_machines(project, first, second)
    raise InputError("no two machines are without a link", remedy="Add a machine first")


def _link_of(project: Project, texts: Mapping[int, str]) -> Project:
    """A link between the two ends that the texts name."""
    if not (0 in texts and 1 in texts):
        raise InputError("a link needs both ends", remedy="Give the columns First and Second")
    return link_machines(project, texts[0], texts[1])


LINKS = RowKind(
    "link",
    "Links",
    (
        _link_end("first", "First", "from", "source"),
        _link_end("second", "Second", "to", "target"),
        _both_ways("startup_s", "Startup", "s", "Startup α: time of an empty message", "latency"),
        _both_ways("bandwidth", "Bandwidth", "B/s", "Bandwidth β of a dedicated link", "rate"),
    ),
    lambda project: len(project.platform.links),
    lambda project, at: _link(project, at).name,
    _add_link,
    one_by_one(edits.remove_link),
    lambda selection: only(selection.link),
    lambda rows: Selection(link=first_of(rows)),
    _link_of,
)

"""The inspector's sheet of the project: shown when nothing is selected."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import cast

from advisor.allocation.workload import Workload
from advisor.basics.quantities import count
from advisor.project import graph_edits, network_edits
from advisor.project import project_edits as edits
from advisor.project.project import Project
from gui.document.document import Selection
from gui.inspector import values
from gui.inspector.machine_sheet import resources_field
from gui.inspector.overlay_sheet import ADD as ADD_OVERLAY
from gui.inspector.overlay_sheet import overlay_links
from gui.inspector.sheet import Action, Field, Sheet, editable
from gui.inspector.switch_sheet import part_of
from machines import Platform, Resource
from machines.catalogue.runtimes import RUNTIMES, preset_of
from machines.parameters import properties_of

_MOST_PARTS = 24
_OWN = "own"  # a runtime that is no preset


def project_sheet(project: Project) -> Sheet:
    """The sheet of the project as a whole."""
    platform, workload = project.platform, project.workload
    return Sheet(
        identity=("project",),
        title=project.name,
        subtitle=f"{count(len(workload.tasks), 'task')}, {_between(workload)} on "
        f"{count(len(platform.machines), 'machine')}, {count(len(platform.links), 'link')}",
        fields=(
            editable(
                "name",
                "Workload",
                "Name of the workload and the project",
                workload.name,
                lambda before, value: edits.renamed(before, cast("str", value)),
                values.name,
            ),
            editable(
                "platform",
                "Platform",
                "Name of the platform",
                platform.name,
                lambda before, value: replace(
                    before, platform=replace(before.platform, name=cast("str", value))
                ),
                values.name,
            ),
            resources_field(
                "Licences",
                "What all machines share, counted, such as connections of a database: 3 licence",
                platform.resources,
                _with_resources,
            ),
            _preset_field(project),
            *_runtime_fields(project),
            *_spread_fields(project),
        ),
        links=(*overlay_links(project), *_parts(platform)),
        actions=(
            Action(
                "add_machine",
                "Add machine",
                "One core at reference speed; link it from its own sheet",
                graph_edits.add_new_machine,
                lambda after: Selection(machine=len(after.platform.machines) - 1),
            ),
            Action(
                "add_switch",
                "Add switch",
                "Joined to every machine, 50 µs and 125 MB/s a link; direct links stay",
                network_edits.add_switch,
                lambda after: Selection(switch=len(after.platform.switches) - 1),
            ),
            Action(
                "add_store",
                "Add store",
                "A file server, linked to the switch that joins most, else to the first machine",
                network_edits.add_store,
                lambda after: Selection(store=len(after.platform.stores) - 1),
            ),
            Action(
                "add_task",
                "Add task",
                "One second of work, on the machine that runs it fastest",
                graph_edits.add_new_task,
                lambda after: Selection(tasks=frozenset({len(after.workload.tasks) - 1})),
            ),
            ADD_OVERLAY,
        ),
    )


def _with_resources(before: Project, value: object) -> Project:
    found = cast("tuple[Resource, ...]", value)
    return replace(before, platform=replace(before.platform, resources=found))


def _preset_field(project: Project) -> Field:
    """The runtime as one of those that ship; another one is a runtime of its own."""
    present = preset_of(project.platform.runtime)

    def write(before: Project, value: object) -> Project:
        return before if value == _OWN else network_edits.with_preset(before, cast("str", value))

    return editable(
        "runtime_preset",
        "Runtime",
        _preset_help(present),
        present or _OWN,
        write,
        str,
        choices=(*RUNTIMES.names(), *(() if present else (_OWN,))),
        titled=_preset_title,
    )


def _preset_title(name: str) -> str:
    """What it is called: its title without what follows the name."""
    return "Its own" if name == _OWN else RUNTIMES.title(name).partition(":")[0]


def _preset_help(present: str) -> str:
    """Where the present one is known from."""
    text = "The engine that starts tasks and fetches data: sets all values below"
    return f"{text}. {RUNTIMES.load(present).source}" if present else text


def _runtime_fields(project: Project) -> tuple[Field, ...]:
    """What runs the tasks: fetching, copies, overhead, order, fairness."""

    def writer(name: str) -> Callable[[Project, object], Project]:
        return lambda before, value: network_edits.with_runtime(before, name, value)

    runtime = project.platform.runtime
    return tuple(
        Field(one, getattr(runtime, one.name), writer(one.name))
        for one in properties_of(type(runtime))
    )


def _spread_fields(project: Project) -> tuple[Field, ...]:
    """How far times, speeds and bandwidths that state no range are from known exactly."""

    def writer(name: str) -> Callable[[Project, object], Project]:
        return lambda before, value: network_edits.with_spread(before, name, value)

    shown = project.workload.spread.over(project.platform.spread)
    return tuple(
        Field(one, getattr(shown, one.name), writer(one.name)) for one in properties_of(type(shown))
    )


def _parts(platform: Platform) -> tuple[tuple[str, Selection], ...]:
    """Switches and stores, to go to."""
    names = [one.name for one in platform.switches] + [one.name for one in platform.stores]
    return tuple(part_of(platform, name) for name in names[:_MOST_PARTS])


def _between(workload: Workload) -> str:
    """Flows and files in words; flows alone where there are no files."""
    flows, files = count(len(workload.flows), "flow"), count(len(workload.files), "file")
    if not workload.files:
        return flows
    return f"{flows}, {files}" if workload.flows else files

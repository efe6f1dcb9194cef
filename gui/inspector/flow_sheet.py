"""The inspector's sheet of a flow, and of what files carry from task to task."""

from __future__ import annotations

from dataclasses import replace
from itertools import permutations
from typing import cast

from advisor.allocation.workload import Flow
from advisor.basics.quantities import count, size
from advisor.project import project_edits as edits
from advisor.project.project import Project
from gui.document.document import Selection
from gui.inspector import values
from gui.inspector.sheet import Action, Field, Sheet, editable

_FEW_MACHINES = 4
_MOST_FILES = 12


def flow_sheet(project: Project, position: int) -> Sheet:
    """The sheet of the edge at `position`: a stated flow to edit, or the files it carries."""
    if position >= len(project.workload.flows):
        return _carried_sheet(project, position)
    flow = project.workload.flows[position]

    def write(before: Project, value: object) -> Project:
        old = before.workload.flows[position]
        sets = cast("tuple[tuple[int, float], ...]", value)
        return edits.with_flow(before, position, replace(old, data_sets=sets))

    data = editable(
        "data_sets",
        "Data sets",
        "A size or count × bytes, separated by semicolons: 2 GB; 100 × 2048. Transfer time: "
        "Σ N (α + size/β) (Figueira & Berman 1996, sec. 3.1.1). Empty: precedence alone",
        flow.data_sets,
        write,
        values.data_sets,
        "B",
        values.shown_data_sets,
        "precedence alone",
    )
    return Sheet(
        identity=("flow", position),
        title=flow.name,
        subtitle="Flow",
        fields=(data, *_seconds_fields(project, flow, position)),
        actions=(
            Action(
                "remove_flow",
                "Remove flow",
                "Remove the flow; the target no longer waits for the source",
                lambda before: edits.remove_flow(before, position),
                lambda _after: Selection(),
            ),
        ),
        links=_ends(project, flow),
    )


def _carried_sheet(project: Project, position: int) -> Sheet:
    """What files carry between two tasks; it follows from what these read and write."""
    workload = project.workload
    flow = workload.edges[position]
    files = [workload.files[file] for file in workload.carried(position)]
    shown = [f"{file.name}: {size(file.size_bytes)}" for file in files[:_MOST_FILES]]
    if len(files) > len(shown):
        shown.append(f"… and {len(files) - len(shown)} more")
    return Sheet(
        identity=("flow", position),
        title=flow.name,
        subtitle=f"{count(len(files), 'file')}, {size(flow.size_bytes)}",
        fields=(),
        notes=(*shown, f"{flow.source} writes what {flow.target} reads."),
        links=_ends(project, flow),
    )


def _ends(project: Project, flow: Flow) -> tuple[tuple[str, Selection], ...]:
    index = project.workload.index
    return tuple(
        (f"Task {name}", Selection(tasks=frozenset({index[name]})))
        for name in (flow.source, flow.target)
    )


def _seconds_fields(project: Project, flow: Flow, position: int) -> tuple[Field, ...]:
    stated = [pair for pair, _ in flow.seconds]
    names = [machine.name for machine in project.platform.machines]
    pairs = list(permutations(names, 2)) if len(names) <= _FEW_MACHINES else stated
    return tuple(_seconds_field(flow, position, pair) for pair in pairs)


def _seconds_field(flow: Flow, position: int, pair: tuple[str, str]) -> Field:
    def write(project: Project, value: object) -> Project:
        old = project.workload.flows[position]
        table = dict(old.seconds)
        if value is None:
            table.pop(pair, None)
        else:
            table[pair] = cast("float", value)
        return edits.with_flow(project, position, replace(old, seconds=tuple(table.items())))

    return editable(
        f"seconds.{pair[0]}>{pair[1]}",
        f"Time {pair[0]} → {pair[1]}",
        "Dedicated seconds of the transfer in this direction, instead of data sets; ≥ 0",
        dict(flow.seconds).get(pair),
        write,
        values.optional(values.in_unit("s")),
        "s",
        placeholder="from data sets",
    )

"""The inspector's sheet of an overlay: what it is, its tree in the plan, and what it costs."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import cast

from advisor.basics.quantities import duration, number, percent
from advisor.overlays.overlay import Overlay
from advisor.overlays.overlay_measures import OverlayMeasures
from advisor.overlays.overlay_plan import OverlayPlan
from advisor.overlays.overlay_words import most_rate_hz, overlay_words, placement_words, shape_words
from advisor.project import overlay_edits
from advisor.project.project import Project
from gui.document.document import Selection
from gui.inspector import values
from gui.inspector.sheet import Action, Field, Sheet, editable, with_field
from machines.parameters import properties_of

Known = tuple[OverlayPlan, OverlayMeasures]

ADD = Action(
    "add_overlay",
    "Add overlay",
    "A tree of processes beside the application, as of a monitoring tool: a back-end on "
    "every machine but the first, one reduction a second",
    lambda before: overlay_edits.add_overlay(before, overlay_edits.first_overlay(before)),
    lambda after: Selection(overlay=len(after.workload.overlays) - 1),
)
_PLACED = "Number of internal processes by machine, filled breadth first: “svc × 8; login × 1”"
_SHAPE = (
    "Fan-outs by level: 8x8, or 64 for a flat tree. The list of the plan's choices marks the best "
    "one here (Roth, Arnold & Miller 2003)"
)


def overlay_sheet(project: Project, position: int, known: Known | None = None) -> Sheet:
    """The sheet of the overlay at `position`.

    `known`: its tree where the plan has none of its own, and what it costs; once it is predicted.
    """
    overlay = project.workload.overlays[position]
    trees = project.plan.overlays
    tree = trees[position] if trees else None
    measures = None
    if known is not None:
        measures = known[1] if tree is None or tree == known[0] else None
        tree = tree or known[0]
    return Sheet(
        identity=("overlay", position),
        title=overlay.name,
        subtitle=f"Overlay: {overlay_words(overlay)}",
        fields=(*_declared(project, position), *_tree_fields(position, tree)),
        notes=() if measures is None else _notes(measures),
        actions=(
            Action(
                "remove_overlay",
                "Remove overlay",
                "Remove the overlay and its load",
                lambda before: overlay_edits.remove_overlay(before, position),
                lambda _after: Selection(),
            ),
        ),
        links=_machines(project, overlay),
    )


def _declared(project: Project, position: int) -> tuple[Field, ...]:
    """What the overlay's record declares; its front-end is chosen among the machines."""
    overlay = project.workload.overlays[position]
    machines = tuple(project.platform.index)
    return tuple(
        Field(
            replace(one, choices=machines) if one.offered else one,
            getattr(overlay, one.name),
            _writer(position, one.name),
        )
        for one in properties_of(Overlay)
    )


def _writer(position: int, name: str) -> Callable[[Project, object], Project]:
    def write(project: Project, value: object) -> Project:
        changed = with_field(project.workload.overlays[position], name, value)
        return overlay_edits.with_overlay(project, position, changed)

    return write


def _tree_fields(position: int, tree: OverlayPlan | None) -> tuple[Field, ...]:
    """The plan's tree: its shape, and where its internal processes run."""
    said = ""
    if tree is not None:
        said = "" if tree.shape is None else tree.shape
    shape = editable(
        "tree",
        "Tree",
        _SHAPE,
        said,
        lambda project, value: overlay_edits.with_shape(project, position, cast("str", value)),
        str,
        placeholder="own tree" if tree is not None else "",
        heading="Tree in the plan",
        step=lambda after: _step(after, position),
    )
    if tree is None or not tree.internal:
        return (shape,)

    def place(project: Project, value: object) -> Project:
        chosen = cast("tuple[tuple[str, int], ...]", value)
        return overlay_edits.with_placement(project, position, tree, chosen)

    placed = editable(
        "placement",
        "Internal processes",
        _PLACED,
        tuple(tree.machines.items()),
        place,
        values.counts,
        show=values.shown_counts,
        step=lambda after: _step(after, position),
    )
    return shape, placed


def _step(after: Project, position: int) -> str:
    """An undo step: "Tree of monitor: 8×8 tree, internal processes on svc"."""
    overlay = after.workload.overlays[position]
    tree = after.plan.overlays[position] if after.plan.overlays else None
    if tree is None:
        return f"Tree of {overlay.name}"
    said = ", ".join(filter(None, (shape_words(tree), placement_words(overlay, tree))))
    return f"Tree of {overlay.name}: {said}"


def _notes(measures: OverlayMeasures) -> tuple[str, ...]:
    """What it costs, and what was assumed."""
    shares = "; ".join(f"{machine} {percent(share)}" for machine, share in measures.shares[:8])
    more = len(measures.shares) - 8
    return (
        f"Latency {duration(measures.latency_s)} an operation, period at least "
        f"{duration(measures.period_s)}: at most {number(most_rate_hz(measures))} a second.",
        f"Takes {number(measures.processors)} processors, its busiest process "
        f"{percent(measures.busiest)} of one.",
        f"Share of a processor by machine: {shares}"
        + (f"; {more} more machines." if more > 0 else "."),
        *measures.notes,
    )


def _machines(project: Project, overlay: Overlay) -> tuple[tuple[str, Selection], ...]:
    """The machine of the front-end, to go to."""
    place = project.platform.index.get(overlay.front_end)
    if place is None:
        return ()
    return ((f"Machine {overlay.front_end}", Selection(machine=place)),)


def overlay_links(project: Project) -> tuple[tuple[str, Selection], ...]:
    """All overlays, to go to."""
    return tuple(
        (f"Overlay {one.name}", Selection(overlay=place))
        for place, one in enumerate(project.workload.overlays)
    )

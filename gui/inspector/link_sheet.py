"""The inspector's sheet of a link."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

from advisor.basics.quantities import slowdown
from advisor.models.contention import link_slowdown
from advisor.project import project_edits as edits
from advisor.project.project import Project
from gui.document.document import Selection
from gui.inspector import values
from gui.inspector.sheet import Action, Field, Sheet, Slider, editable, with_field
from gui.inspector.switch_sheet import part_of
from machines import Direction, Link, LinkPiece
from machines.parameters import properties_of

_DELAYS = (
    "Relative delays of a transfer, measured with 1, 2, … simultaneous {} contenders; "
    "separated by semicolons. Empty: not measured (Figueira & Berman 1996, sec. 3.2.1)"
)


def link_sheet(project: Project, position: int) -> Sheet:
    """The sheet of the link at `position`."""
    link = project.platform.links[position]
    found = link_slowdown(project.platform, link, project.reading)
    return Sheet(
        identity=("link", position),
        title=link.name,
        subtitle="Link",
        fields=(
            *_direction_fields(link, position, "to_second"),
            *_direction_fields(link, position, "to_first"),
            _sharing_field(link, position),
            *_load_fields(link, position, found.value),
        ),
        notes=(f"Slowdown s = {slowdown(found.value)}: {found.origin}", *found.notes),
        actions=_actions(link, position),
        links=tuple(part_of(project.platform, end) for end in (link.first, link.second)),
    )


def _write(position: int, change: Callable[[Link, object], Link]) -> Callable[..., Project]:
    def write(project: Project, value: object) -> Project:
        changed = change(project.platform.links[position], value)
        return edits.with_link(project, position, changed)

    return write


def _direction_fields(link: Link, position: int, side: str) -> tuple[Field, ...]:
    first, second = (link.first, link.second) if side == "to_second" else (link.second, link.first)
    way = f"{first} → {second}"
    direction: Direction = getattr(link, side)

    def of_direction(name: str) -> Callable[..., Project]:
        def change(before: Link, value: object) -> Link:
            return with_field(before, side, with_field(getattr(before, side), name, value))

        return _write(position, change)

    def of_piece(name: str) -> Callable[..., Project]:
        def change(before: Link, value: object) -> Link:
            old = getattr(before, side)
            return with_field(before, side, replace(old, above=with_field(old.above, name, value)))

        return _write(position, change)

    def pair(piece: Direction | LinkPiece, key: str, when: str) -> tuple[Field, Field]:
        writer = of_piece if key else of_direction
        return (
            editable(
                f"{side}.{key}startup_s",
                f"Startup{when}, {way}",
                "Startup α: time of an empty message; ≥ 0 (Figueira & Berman 1996, sec. 3.1.1)",
                piece.startup_s,
                writer("startup_s"),
                values.in_unit("s"),
                "s",
            ),
            editable(
                f"{side}.{key}bandwidth",
                f"Bandwidth{when}, {way}",
                "Bandwidth β of a dedicated link; > 0. A message takes α + size/β",
                piece.bandwidth,
                writer("bandwidth"),
                values.in_unit("B/s"),
                "B/s",
            ),
        )

    fields = pair(direction, "", "")
    if direction.above is None:
        return fields
    threshold = editable(
        f"{side}.threshold_bytes",
        f"Threshold, {way}",
        "Larger messages use the second pair of values (sec. 3.2.1)",
        direction.above.threshold_bytes,
        of_piece("threshold_bytes"),
        values.in_unit("B"),
        "B",
    )
    return (*fields, threshold, *pair(direction.above, "above.", " above"))


def _sharing_field(link: Link, position: int) -> Field:
    (one,) = (each for each in properties_of(Link) if each.name == "sharing")
    write = _write(position, lambda before, value: with_field(before, "sharing", value))
    return Field(one, link.sharing, write)


def _load_fields(link: Link, position: int, slowdown_now: float) -> tuple[Field, ...]:
    def table(name: str, label: str, kind: str) -> Field:
        return editable(
            name,
            label,
            _DELAYS.format(kind),
            getattr(link, name),
            _write(position, lambda before, value: with_field(before, name, value)),
            values.numbers,
            show=values.shown_numbers,
            placeholder="not measured",
        )

    return (
        editable(
            "load",
            "Slowdown",
            "Slowdown s ≥ 1 of every transfer over this link, as stated; takes the place of what "
            "the contenders of both ends would give",
            link.slowdown,
            _write(position, lambda before, value: with_field(before, "slowdown", value)),
            values.optional(values.real),
            "×",
            placeholder="from contenders",
            slider=Slider(1.0, 20.0, log=True, at=slowdown_now),
        ),
        table("delay_comp", "Delays, computing", "computing"),
        table("delay_comm", "Delays, communicating", "communicating"),
    )


def _actions(link: Link, position: int) -> tuple[Action, ...]:
    def change(alter: Callable[[Link], Link]) -> Callable[[Project], Project]:
        return lambda before: edits.with_link(
            before, position, alter(before.platform.links[position])
        )

    def with_piece(before: Link) -> Link:
        def pieced(direction: Direction) -> Direction:
            piece = LinkPiece(4096.0, direction.startup_s, direction.bandwidth)
            return replace(direction, above=piece)

        return replace(before, to_second=pieced(before.to_second), to_first=pieced(before.to_first))

    def without_piece(before: Link) -> Link:
        return replace(
            before,
            to_second=replace(before.to_second, above=None),
            to_first=replace(before.to_first, above=None),
        )

    pieced = link.to_second.above is not None or link.to_first.above is not None
    pieces = (
        Action(
            "one_piece", "One line for all sizes", "Forget the second piece", change(without_piece)
        )
        if pieced
        else Action(
            "two_pieces", "Split by message size", "Add a second pair α, β", change(with_piece)
        )
    )
    return (
        pieces,
        Action(
            "no_stated_slowdown",
            "Slowdown from contenders",
            "Forget the stated slowdown",
            change(lambda before: replace(before, slowdown=None)),
        ),
        Action(
            "remove_link",
            "Remove link",
            "Data then take another route, if one exists",
            lambda before: edits.remove_link(before, position),
            lambda _after: Selection(),
        ),
    )

"""Curves and tables of the mapping study."""

from __future__ import annotations

from advisor.messages.mapping.picture import MappingPicture
from advisor.messages.networks import Clock
from advisor.studies.study import Series, Table


def order_table(
    picture: MappingPicture, clock: Clock, limit: float, waiting: list[float | None]
) -> Table:
    """Every order with its measures, its gap to the bound and its route-aware time if known."""
    known = any(time is not None for time in waiting)
    columns = (
        ("order", ""),
        ("hop-bytes", "B"),
        ("mean hops", ""),
        ("busiest channel", "B"),
        ("shared channels", ""),
        ("LoGPC time", clock.unit),
        ("gap", "%"),
        *((("route-aware time", clock.unit),) if known else ()),
        *((("between nodes", "B"),) if picture.problem.cores > 1 else ()),
    )
    rows = tuple(
        (
            one.name,
            one.measures.hop_bytes,
            one.measures.mean_hops,
            one.measures.busiest_bytes,
            one.measures.shared_channels,
            clock.shown(one.measures.logpc_time),
            _gap(one.measures.value(picture.objective), limit),
            *((None if time is None else clock.shown(time),) if known else ()),
            *((picture.problem.between_nodes(one.mapping),) if picture.problem.cores > 1 else ()),
        )
        for one, time in zip(picture.orders, waiting, strict=True)
    )
    return Table("Orders", columns, rows)


def _gap(value: float, limit: float) -> float | None:
    """Percent above the bound; None: a bound of nothing says nothing."""
    if limit > 0.0:
        return 100.0 * (value / limit - 1.0)
    return None if value > 0.0 else 0.0


def bars(picture: MappingPicture, clock: Clock) -> tuple[Series, ...]:
    """The three measures by order."""
    names = tuple(one.name for one in picture.orders)
    wanted = (
        ("hop-bytes", "B", [one.measures.hop_bytes for one in picture.orders]),
        ("busiest channel", "B", [one.measures.busiest_bytes for one in picture.orders]),
        ("LoGPC time", clock.unit,
         [clock.shown(one.measures.logpc_time) for one in picture.orders]),
    )  # fmt: skip
    return tuple(
        Series(name, names, tuple(values), "order", "", name, unit, "bars")
        for name, unit, values in wanted
    )

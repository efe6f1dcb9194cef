"""What a mapping costs, against the default order: the strip above the picture and the offers.

Less is better for every measure: ▼ and green; more is ▲ and vermilion.
"""

from __future__ import annotations

import html
from collections.abc import Callable
from dataclasses import dataclass

from advisor.basics.quantities import exact, number, signed_duration, size
from advisor.messages.mapping.measures import BUSIEST, HOP_BYTES, LOGPC, Measures
from advisor.messages.networks import Clock
from gui.studies.picture.hand import SAME, Offer
from gui.studies.picture.measure_strip import Cell, MeasureStrip, signed

# in a narrow window the last ones go; hops follow from hop-bytes
_IMPORTANCE = (HOP_BYTES, BUSIEST, LOGPC, "shared", "mean-hops")


@dataclass(frozen=True)
class Measure:
    """One measure: how it is called, read, written and explained."""

    name: str
    title: str
    value: Callable[[Measures], float]
    text: Callable[[float, Clock], str]
    full: Callable[[float, Clock], str]
    hint: str


def _bytes(value: float, _clock: Clock) -> str:
    return size(value)


def _exact_bytes(value: float, _clock: Clock) -> str:
    return exact(value, "B")


MEASURES = (
    Measure(
        HOP_BYTES, "hop-bytes", lambda m: m.hop_bytes, _bytes, _exact_bytes,
        "Σ bytes · hops over all flows",
    ),
    Measure(
        "mean-hops", "mean hops", lambda m: m.mean_hops,
        lambda value, _clock: number(value), lambda value, _clock: exact(value),
        "Hops that a byte travels: hop-bytes / bytes",
    ),
    Measure(
        BUSIEST, "busiest channel", lambda m: m.busiest_bytes, _bytes, _exact_bytes,
        "The most bytes over one directed channel, on dimension-order routes",
    ),
    Measure(
        "shared", "shared channels", lambda m: m.shared_channels,
        lambda value, _clock: f"{value:,.0f}", lambda value, _clock: f"{value:.0f}",
        "Channels on the routes of two flows or more",
    ),
    Measure(
        LOGPC, "LoGPC time", lambda m: m.logpc_time,
        lambda value, clock: clock.text(value), lambda value, clock: exact(clock.shown(value),
                                                                            clock.unit),
        "L + max(Σ of the busiest process's messages, G · bytes of the busiest channel), all "
        "processes sending at once (Moritz & Frank 2001, Eq. (1) and sec. 3)",
    ),
)  # fmt: skip


def mapping_strip() -> MeasureStrip:
    """The row of all measures of a mapping."""
    titles = {each.name: each.title for each in MEASURES}
    return MeasureStrip("mapping", "What the mapping costs", titles, _IMPORTANCE)


def cells_of(now: Measures, default: Measures, name: str, clock: Clock) -> dict[str, Cell]:
    """The measures `now`, signed against `default`, those of the order of that name."""
    cells = {}
    for each in MEASURES:
        value, before = each.value(now), each.value(default)
        tip = (
            f"{each.hint}<br>{each.full(value, clock)}; {html.escape(name)}: "
            f"{each.full(before, clock)}"
        )
        cells[each.name] = Cell(each.text(value, clock), *signed(value, before), tip)
    return cells


def offer_of(
    process: int, node: int, before: Measures, after: Measures, objective: str, clock: Clock
) -> Offer:
    """What putting a process on a node would change: the objective, then the other measures."""
    wanted = next(each for each in MEASURES if each.name == objective)
    value, old = wanted.value(after), wanted.value(before)
    sign, verdict = signed(value, old)
    if verdict == SAME:
        first = f"= {wanted.title} unchanged"
    else:
        arrow, _, share = sign.partition(" ")
        change = _difference(wanted, value - old, clock)
        first = f"{arrow} {wanted.title} {change} ({share})"
    others = [
        f"{each.title} {each.text(each.value(before), clock)} → "
        f"{each.text(each.value(after), clock)}"
        for each in MEASURES
        if each.name in (HOP_BYTES, BUSIEST, "shared")
        and each is not wanted
        and signed(each.value(after), each.value(before))[1] != SAME
    ]
    return Offer(process, node, verdict, (first, *others))


def _difference(measure: Measure, change: float, clock: Clock) -> str:
    """A signed amount."""
    if measure.name == LOGPC and clock.unit == "s":
        return signed_duration(clock.shown(change))
    text = measure.text(abs(change), clock)
    return f"+{text}" if change > 0 else f"\u2212{text}"

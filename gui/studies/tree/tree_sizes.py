"""What a tree costs, against the recommended one: the strip above the picture and the offers."""

from __future__ import annotations

from advisor.basics.quantities import UNKNOWN, exact, percent, signed_duration
from advisor.basics.units import durations
from advisor.trees.tree_costs import US, TreeMeasures
from gui.studies.picture.hand import SAME, Offer
from gui.studies.picture.measure_strip import Measure, signed
from gui.studies.tree.tree_words import time_text

# in a narrow window the last ones go; the round trip is a sum
IMPORTANCE = ("broadcast", "reduction", "period", "internal", "start-up", "share", "round-trip")


def _us(value: float) -> str:
    return exact(value, "µs")


MEASURES: tuple[Measure[TreeMeasures], ...] = (
    Measure(
        "broadcast", "broadcast", lambda m: m.broadcast, time_text, _us,
        "From the front-end's first send until the last back-end has the message (Roth, Arnold & "
        "Miller 2003, sec. 2.6)",
    ),
    Measure(
        "reduction", "reduction", lambda m: m.reduction, time_text, _us,
        "From the start of all back-ends until the front-end has the result",
    ),
    Measure(
        "round-trip", "round trip", lambda m: m.round_trip, time_text, _us,
        "Broadcast, then reduction, which starts when the broadcast has ended everywhere",
    ),
    Measure(
        "period", "period", lambda m: m.period, time_text, _us,
        "Least time between two operations of a stream: 1/throughput",
    ),
    Measure(
        "start-up", "start-up", lambda m: m.start_up, time_text, _us,
        "Until all processes run; children are created one after the other (sec. 2.5)",
    ),
    Measure(
        "internal", "internal processes", lambda m: m.internal,
        lambda value: f"{value:,.0f}", lambda value: f"{value:.0f}",
        "Processes between the front-end and the back-ends",
    ),
    Measure(
        "share", "largest processor share", lambda m: max(m.front_end_share, m.inner_share),
        lambda value: percent(value) if value else UNKNOWN, exact,
        "Processor share of the busiest process at the wanted rate; above 100 % it can't "
        "keep up. – where no rate is wanted",
    ),
)  # fmt: skip


def offer_of(
    process: int, parent: int, before: TreeMeasures, after: TreeMeasures, asked: str, note: str
) -> Offer:
    """What hanging a process on a parent would change: the latency that is asked for, the rest."""
    value, old = after.latency(asked), before.latency(asked)
    sign, verdict = signed(value, old)
    arrow, _, share = sign.partition(" ")
    first = f"= {asked} stays {time_text(old)}"
    if verdict != SAME:
        change = signed_duration((value - old) * US)
        now, then = durations(old * US, value * US)
        first = f"{arrow} {asked} {now} → {then}, {change} ({share})"
    lines = [first]
    for each in MEASURES[3:6]:
        sign, other = signed(each.value(after), each.value(before))
        if other != SAME:
            texts = (each.text(each.value(measures)) for measures in (before, after))
            lines.append(f"{sign.partition(' ')[0]} {each.title} {' → '.join(texts)}")
    if note:
        lines.append(note)
    return Offer(process, parent, verdict, tuple(lines))

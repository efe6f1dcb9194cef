"""What a mapping costs, against another one: the strip above the picture and the offers.

Less is better for every measure: ▼ and green; more is ▲ and vermilion.
"""

from __future__ import annotations

from advisor.basics.quantities import exact, number, signed_duration, size
from advisor.messages.mapping.mapping_measures import BUSIEST, HOP_BYTES, LOGPC, Measures
from advisor.messages.networks import Clock
from gui.studies.picture.hand import SAME, Offer
from gui.studies.picture.measure_strip import Measure, signed

# in a narrow window the last ones go; hops follow from hop-bytes
IMPORTANCE = (HOP_BYTES, BUSIEST, LOGPC, "shared", "mean-hops")
_SECONDS = Clock("s", 1.0)


def _exact_bytes(value: float) -> str:
    return exact(value, "B")


def measures_in(clock: Clock = _SECONDS) -> tuple[Measure[Measures], ...]:
    """All measures, in the order of the strip; times as `clock` shows them."""
    return (
        Measure(
            HOP_BYTES, "hop-bytes", lambda m: m.hop_bytes, size, _exact_bytes,
            "Σ bytes · hops over all flows",
        ),
        Measure(
            "mean-hops", "mean hops", lambda m: m.mean_hops, number, exact,
            "Hops that a byte travels: hop-bytes / bytes",
        ),
        Measure(
            BUSIEST, "busiest channel", lambda m: m.busiest_bytes, size, _exact_bytes,
            "The most bytes over one directed channel, on dimension-order routes",
        ),
        Measure(
            "shared", "shared channels", lambda m: m.shared_channels,
            lambda value: f"{value:,.0f}", lambda value: f"{value:.0f}",
            "Channels on the routes of two flows or more",
        ),
        Measure(
            LOGPC, "time", lambda m: m.time, clock.text,
            lambda value: exact(clock.shown(value), clock.unit),
            "The longest computing of a core, if processes have work, and LoGPC's time of the "
            "exchange: L + max(Σ of the busiest process's messages, G · bytes of the busiest "
            "channel), all processes sending at once (Moritz & Frank 2001, Eq. (1) and sec. 3)",
        ),
    )  # fmt: skip


def offer_of(
    process: int, node: int, before: Measures, after: Measures, objective: str, clock: Clock
) -> Offer:
    """What putting a process on a node would change: the objective, then the other measures."""
    measures = measures_in(clock)
    wanted = next(each for each in measures if each.name == objective)
    value, old = wanted.value(after), wanted.value(before)
    sign, verdict = signed(value, old)
    if verdict == SAME:
        first = f"= {wanted.title} unchanged"
    else:
        arrow, _, share = sign.partition(" ")
        change = _difference(wanted, value - old, clock)
        first = f"{arrow} {wanted.title} {change} ({share})"
    others = [
        f"{each.title} {each.text(each.value(before))} → {each.text(each.value(after))}"
        for each in measures
        if each.name in (HOP_BYTES, BUSIEST, "shared")
        and each is not wanted
        and signed(each.value(after), each.value(before))[1] != SAME
    ]
    return Offer(process, node, verdict, (first, *others))


def _difference(measure: Measure[Measures], change: float, clock: Clock) -> str:
    """A signed amount."""
    if measure.name == LOGPC and clock.unit == "s":
        return signed_duration(clock.shown(change))
    text = measure.text(abs(change))
    return f"+{text}" if change > 0 else f"\u2212{text}"

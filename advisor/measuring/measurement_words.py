"""A measurement in lines for people: figures with 90 % ranges, refusals with their reason."""

from __future__ import annotations

from advisor.basics.quantities import count, percent
from advisor.measuring.measure import Measurement, Network
from advisor.measuring.memory_and_disk import Memory
from advisor.measuring.processors import SHARE, Contention
from advisor.measuring.samples import Estimate
from advisor.models.contention import EXACT, PUBLISHED

TITLES = {EXACT: "processor sharing", PUBLISHED: "published formula"}
_EVEN = 0.01  # of mean error: below, two models are equally near


def lines(found: Measurement) -> list[str]:
    """What was measured, part by part."""
    host = found.host
    return [
        f"{host.name}: {count(host.cores, 'core')}",
        f"before          {percent(found.state.busy)} busy, "
        f"{percent(found.state.steal)} taken by the host",
        *_speeds(found.speeds),
        *contention_lines(found.contention),
        f"memory          {_rate(found.memory.bandwidth)} copied by one stream",
        *_streams(found.memory),
        *_network(found.network),
        f"disk            {_rate(found.disk)} written and synced",
    ]


def contention_lines(curve: Contention) -> list[str]:
    """The curve beside both models, and which is nearer; or why there is none."""
    if curve.refused:
        return [f"contention      refused: {curve.refused}"]
    head = f"contention      slowdown beside contenders that compute {percent(SHARE)} of their time"
    rows = [
        f"  {one.contenders:>3} {'contender ' if one.contenders == 1 else 'contenders'}"
        f"  ×{one.slowdown.value:.2f} ({one.slowdown.low:.2f} to {one.slowdown.high:.2f})"
        + "".join(f", {title} ×{one.predicted[model]:.2f}" for model, title in TITLES.items())
        for one in curve.points
    ]
    return [head, *rows, f"  {_nearer(curve)}"]


def _nearer(curve: Contention) -> str:
    misses = curve.misses()
    exact, published = misses[EXACT], misses[PUBLISHED]
    errors = f"mean errors: {percent(exact)} and {percent(published)}"
    if abs(exact - published) < curve.blur:
        return f"No verdict: the ranges are wider than the models differ; {errors}"
    if abs(exact - published) < _EVEN:
        return f"Both models are equally near; {errors}"
    nearer = EXACT if exact < published else PUBLISHED
    return f"Nearer: {TITLES[nearer]}; {errors}"


def _speeds(speeds: dict[int, Estimate]) -> list[str]:
    values = [one.value for one in speeds.values()]
    spread = max(values) / min(values) - 1.0
    return [
        f"speed of a core {max(values):.4g} MB/s of SHA-256 in processor time; "
        f"slowest core {percent(spread)} below the fastest"
        if len(values) > 1
        else f"speed of a core {values[0]:.4g} MB/s of SHA-256 in processor time"
    ]


def _streams(memory: Memory) -> list[str]:
    second, together = memory.second, memory.together
    if second is None or together is None:
        return []
    said = "less than all alone" if memory.limit else "as many as each alone, within the ranges"
    return [f"second stream   the first then takes ×{second.value:.2f} ({second.low:.2f} to "
            f"{second.high:.2f})",
            f"all streams     {_rate(together)} by {memory.streams}: {said}"]  # fmt: skip


def _network(found: Network) -> list[str]:
    where = "loopback, no network" if found.loopback else f"to {found.peer.name}"
    if found.way is None:
        return [f"network         refused ({where}): {found.refused}"]
    fastest = found.way.bandwidth if found.way.above is None else found.way.above.bandwidth
    return [f"network         startup {found.way.startup_s * 1e6:.3g} µs, bandwidth of large "
            f"messages {fastest / 1e6:.4g} MB/s ({where})"]  # fmt: skip


def _rate(rate: Estimate) -> str:
    return f"{rate.value / 1e6:.4g} MB/s ({rate.low / 1e6:.4g} to {rate.high / 1e6:.4g})"

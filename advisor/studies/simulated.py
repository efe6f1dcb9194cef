"""What the checks by simulation share: estimates beside simulated values, step by step.

A point is one simulated case with its interval of confidence and what each model says of it.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from contextlib import suppress
from dataclasses import dataclass
from functools import partial
from typing import Any

from advisor.basics.quantities import percent
from advisor.basics.shards import each
from advisor.basics.stop_rule import ShouldStop
from advisor.messages.networks import Clock
from advisor.studies.study import Check, CheckProgress, OnCheckProgress, Table
from machines.stopping import Stopped, stoppable, stopped

NETWORK_MODELS = ("route-aware", "published (physical)", "published (bytes)")
NOTHING = "Stopped before anything was simulated."
SOURCE = (
    "Placewise's own simulation: wormhole switching, first come first served, "
    "dimension-order routes"
)

_NO_DEVIATION, _SETTLED = 1e-4, 1e-9


@dataclass(frozen=True, eq=False)
class Point:
    """A simulated case.

    `time`, `half_width`: simulated, with the half width of its 95 % interval of confidence; 0: it
        can't differ.
    """

    of: tuple[object, ...]  # what was simulated: the first cells of its row
    time: float
    half_width: float
    estimates: tuple[float | None, ...]  # what each model says; None: it does not apply
    more: tuple[object, ...] = ()  # further cells of its row

    @property
    def deviations(self) -> tuple[float | None, ...]:
        """Of the estimates from what was simulated, as shares of that."""
        return tuple(None if value is None else value / self.time - 1.0 for value in self.estimates)


Part = Callable[[], Any]
"""An independent part of a simulation, which pickles; it gives None when it is `stopped`."""


def _only(found: Sequence[Any]) -> Point:
    point: Point = found[0]
    return point


@dataclass(frozen=True, eq=False)
class Job:
    """One simulated case.

    `parts`: what may be simulated at the same time, e.g. runs with draws of their own. `joined`:
    what they found, in their order → the point; by default that of the only part.
    """

    text: str  # what is simulated, in words
    parts: tuple[Part, ...]
    joined: Callable[[Sequence[Any]], Point] = _only


def simulated(
    jobs: Sequence[Job],
    made: Callable[[Sequence[Point], bool], Check],
    on_progress: OnCheckProgress | None,
    should_stop: ShouldStop | None,
    begun: float = 0.0,
) -> Check:
    """Do all jobs and tell of each; what there is when stopped, up to the first that is missing.

    `made`: (points so far, complete) → check. `begun`: share of the work done before.
    """
    points: list[Point] = []
    known: dict[int, Any] = {}
    parts = [part for job in jobs for part in job.parts]
    tell = on_progress or (lambda _progress: None)

    def tell_next(so_far: Check | None) -> None:
        if len(points) < len(jobs) and not stopped():
            share = begun + (1.0 - begun) * len(known) / len(parts)
            tell(CheckProgress(share, f"Simulating {jobs[len(points)].text}", so_far))

    with stoppable(should_stop), suppress(Stopped):
        tell_next(None)
        for place, found in each(partial(_part, tuple(parts)), range(len(parts))):
            if found is None:
                break
            known[place] = found
            more = _joined(jobs, known, len(points))
            points += more
            tell_next(made(points, False) if more else None)
    return made(points, len(points) == len(jobs))


def _part(parts: tuple[Part, ...], place: int) -> Any:
    return parts[place]()


def _joined(jobs: Sequence[Job], known: dict[int, Any], first: int) -> list[Point]:
    """The points of the jobs from the first on that are complete, up to one that is not."""
    place = sum(len(job.parts) for job in jobs[:first])
    found = []
    for job in jobs[first:]:
        places = range(place, place + len(job.parts))
        if any(one not in known for one in places):
            break
        found.append(job.joined([known[one] for one in places]))
        place = places.stop
    return found


def few_hops(k_d: float) -> str:
    """Why the published model says nothing of a network."""
    return (
        f"Messages go k_d = {k_d:.3g} hops in a dimension on average, fewer than 1: the published "
        "model does not apply"
    )


def settled(time: float, half_width: float) -> float:
    """The half width, 0 where only rounding is left of it or nothing can be said."""
    return half_width if half_width > _SETTLED * time else 0.0


def deviations(models: Sequence[str], point: Point) -> str:
    """How far the models are off: "route-aware predicts 2.0 % less, published 19 % more"."""
    told = [
        (model, _apart(share))
        for model, share in zip(models, point.deviations, strict=True)
        if share is not None
    ]
    verbs = (" predicts", *[""] * len(told))
    return ", ".join(f"{model}{verb} {by}" for (model, by), verb in zip(told, verbs, strict=False))


def table(
    title: str,
    first: Sequence[tuple[str, str]],
    models: Sequence[str],
    points: Sequence[Point],
    clock: Clock,
    more: Sequence[tuple[str, str]] = (),
) -> Table:
    """Simulated times beside those of the models that say something of any point.

    `first`, `more`: columns before and after.
    """
    shown = [
        place for place in range(len(models)) if any(p.estimates[place] is not None for p in points)
    ]
    columns = [*first, ("simulated", clock.unit), ("±", clock.unit)]
    for place in shown:
        columns += [(models[place], clock.unit), (f"{models[place]} is off", "%")]
    rows = []
    for point in points:
        cells = [*point.of, clock.shown(point.time), clock.shown(point.half_width)]
        for place in shown:
            value, share = point.estimates[place], point.deviations[place]
            cells += [None if value is None else clock.shown(value)]
            cells += [None if share is None else 100.0 * _rounded(share)]
        rows.append((*cells, *point.more))
    return Table(title, (*columns, *more), tuple(rows))


def _apart(share: float) -> str:
    share = _rounded(share)
    if share == 0.0:
        return "the same"
    return f"{percent(abs(share))} {'more' if share > 0.0 else 'less'}"


def _rounded(share: float) -> float:
    return 0.0 if abs(share) < _NO_DEVIATION else share

"""What several starts of the search say of how far it can be trusted: how far apart they end."""

from __future__ import annotations

import numpy as np

from advisor.basics.quantities import count, percent, size
from advisor.basics.rounding import ALIKE
from advisor.messages.mapping.mapping_measures import LOGPC
from advisor.messages.mapping.mapping_picture import MappingPicture
from advisor.messages.mapping.restarts import Restarted
from advisor.messages.networks import Clock
from advisor.studies.facts import LESS, Fact
from advisor.studies.study import Table


def spread_fact(picture: MappingPicture, found: Restarted) -> Fact:
    """From the best to the worst that a start reached."""
    values = _shown(picture, found)
    unit = Clock.of(picture.net).unit if picture.objective == LOGPC else "B"
    return Fact(f"{len(values)} starts", min(values), unit, None, LESS, max(values))


def spread_sentence(picture: MappingPicture, found: Restarted) -> str:
    """How many starts reached the best, and how far the others are off."""
    values = np.array([one.found.measures.value(picture.objective) for one in found.starts])
    least, most = float(values.min()), float(values.max())
    as_good = int(np.sum(values <= least * (1.0 + ALIKE)))
    starts = count(len(values), "start")
    if not any(one.found.rounds for one in found.starts):
        return f"{starts} are one and the same: {_why_same(picture, found)}."
    if as_good == len(values):
        return f"All {starts} end at {_words(picture, least)} of {picture.objective}."
    others = (
        f"the worst at {_words(picture, most)}, {percent(most / least - 1.0)} above"
        if least > 0.0
        else f"the worst at {_words(picture, most)}"
    )
    said = f"{as_good} of {starts} {'ends' if as_good == 1 else 'end'} at the least, {others}"
    return f"{said}: more starts may find less." if as_good == 1 else f"{said}."


def _why_same(picture: MappingPicture, found: Restarted) -> str:
    """Why no seed made a difference."""
    best = found.best
    reached = best.measures.value(picture.objective) <= best.bound * (1.0 + ALIKE)
    if reached:
        return "the bound is reached without random moves"
    return "the budget of each ends before its first random moves, so give more seconds"


def starts_table(picture: MappingPicture, found: Restarted) -> Table:
    """Every start with what it reached."""
    clock = Clock.of(picture.net)
    rows = tuple(
        (
            str(one.seed),
            one.found.measures.hop_bytes,
            one.found.measures.busiest_bytes,
            clock.shown(one.found.measures.time),
            one.found.start,
        )
        for one in found.starts
    )
    columns = (
        ("seed", ""),
        ("hop-bytes", "B"),
        ("busiest channel", "B"),
        ("LoGPC time", clock.unit),
        ("found from", ""),
    )
    return Table("Starts", columns, rows)


def _shown(picture: MappingPicture, found: Restarted) -> list[float]:
    values = [one.found.measures.value(picture.objective) for one in found.starts]
    if picture.objective != LOGPC:
        return values
    return [Clock.of(picture.net).shown(one) for one in values]


def _words(picture: MappingPicture, value: float) -> str:
    return Clock.of(picture.net).text(value) if picture.objective == LOGPC else size(value)

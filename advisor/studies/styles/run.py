"""Study: how to send, synchronously or asynchronously, in short messages or long ones.

Prices every style (`advisor.messages.styles`) for a traffic pattern on a network, shows what its
time goes to, and says which is best, by how much and how far that holds.
"""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from advisor.basics.quantities import number, percent, size
from advisor.basics.rounding import ALIKE
from advisor.basics.stopping import ShouldStop
from advisor.messages.crossings import limit
from advisor.messages.network_load import SOURCE
from advisor.messages.networks import shape
from advisor.messages.styles import PARTS, STYLES, SYNCHRONOUS, Style
from advisor.studies.study import Note, OnProgress, StudyProgress, StudyResult
from advisor.studies.styles.parameters import StyleCase, StyleFindings, StylesParameters, search
from advisor.studies.styles.views import (
    TITLES,
    bars,
    crossing_table,
    curves,
    share_curves,
    style_table,
)


def run(
    parameters: StylesParameters,
    on_progress: OnProgress | None = None,
    should_stop: ShouldStop | None = None,
) -> StudyResult:
    """Price all styles and find where they cross.

    Returns
    -------
    StudyResult
        Time per message by style and part, time against size with its crossovers and, of a
        hotspot, against its share; the best style and how far that holds. Incomplete when
        stopped.

    Raises
    ------
    InputError
        A network, shape or mapping that does not exist, or more processors than nodes.
    """
    case = StyleCase.of(parameters)
    found = StyleFindings({style: case.cost(style, parameters.message_bytes) for style in STYLES})
    for fraction, sentence in search(case, found):
        if should_stop is not None and should_stop():
            return _result(case, found)
        if on_progress is not None:
            on_progress(StudyProgress(fraction, sentence))
    found.complete = True
    return _result(case, found)


def _result(case: StyleCase, found: StyleFindings) -> StudyResult:
    return StudyResult(
        sentence=_sentence(case, found),
        reasons=tuple(_reasons(case, found)),
        series=(*bars(case, found.costs), *curves(case, found), *share_curves(case, found)),
        tables=(style_table(case, found.costs), crossing_table(case, found.crossings)),
        notes=_notes(case, found),
        complete=found.complete,
    )


def _sentence(case: StyleCase, found: StyleFindings) -> str:
    best, second = found.ranked[:2]
    time, bytes_ = case.clock.text(found.costs[best].time), size(case.asked.message_bytes)
    faster = _faster(found.costs[second].time / found.costs[best].time)
    return (
        f"{best.name.capitalize()} messages are best: {time} for {bytes_}, {faster} {second.name}."
    )


def _faster(ratio: float) -> str:
    if ratio < 1.0 + ALIKE:
        return "as fast as"
    if ratio < 1.1:
        return f"{percent(ratio - 1.0)} faster than"
    return f"{number(ratio, digits=2)} times faster than"


def _reasons(case: StyleCase, found: StyleFindings) -> Iterator[str]:
    costs, ranked = found.costs, found.ranked
    best, second = ranked[:2]
    saved = {part: getattr(costs[second], part) - getattr(costs[best], part) for part in PARTS}
    most = max(saved, key=lambda part: saved[part])
    if saved[most] > 0:
        yield (
            f"Against {second.name} it saves {case.clock.text(saved[most])} of "
            f"{TITLES[most]} a message."
        )
    needing = next(style for style in ranked if style.completion == SYNCHRONOUS)
    if needing != best:
        time = case.clock.text(costs[needing].time)
        yield f"Where the program awaits replies, {needing.name} is best: {time}."
    if found.complete:
        yield _holds(case, best)
    if found.complete and found.shares:
        yield holds_at_shares(case, found, best)


def _holds(case: StyleCase, best: Style) -> str:
    """From which size to which one the best style stays best."""

    def leads(message_bytes: int) -> bool:
        times = [case.time(style, message_bytes) for style in STYLES]
        return case.time(best, message_bytes) <= min(times) * (1.0 + ALIKE)

    here, largest = case.asked.message_bytes, case.asked.largest_bytes
    up = limit(leads, here, max(largest, here))
    down = limit(leads, here, 1)
    low = "from the smallest" if down is None else f"from {size(down)}"
    high = f"to the largest drawn, {size(max(largest, here))}" if up is None else f"to {size(up)}"
    return f"It stays best {low} {high}."


def holds_at_shares(case: StyleCase, found: StyleFindings, best: Style) -> str:
    """Up to which share of the hotspot, between the shares tried by straight lines."""
    own = found.by_share[best]
    least = np.min([found.by_share[style] for style in STYLES], axis=0)
    start = found.shares.index(case.asked.hotspot_share)
    for place in range(start + 1, len(own)):
        behind = own[place] - least[place]
        if behind > ALIKE * own[place]:
            winner = next(s for s in STYLES if found.by_share[s][place] == least[place])
            ahead = found.by_share[winner][place - 1] - own[place - 1]
            low, high = found.shares[place - 1 : place + 1]
            share = low + (high - low) * ahead / (ahead + behind)
            return f"It stays best up to a hotspot share of {percent(share)}; then {winner.name}."
    return f"It stays best up to a hotspot share of {percent(found.shares[-1])} at least."


def _notes(case: StyleCase, found: StyleFindings) -> tuple[Note, ...]:
    best = found.ranked[0]
    texts = found.costs[best].caveats(case.load, case.net.unit)
    outside = [Note(False, f"{best.name}: {text}", SOURCE) for text in texts]
    where = f"{case.net.name}, {shape(case.net.network)}, k_d = {case.load.k_d:.4g}"
    return (*outside, Note(True, where, case.net.source), *case.origin)

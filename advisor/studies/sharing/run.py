"""Study: why the two readings of contention differ, for one case shown both ways.

The published formula counts contenders at random instants, independent of each other (the
Poisson-binomial distribution); the other reading is 1 + the mean queue that a newcomer meets, the
same queue as the machine repairman's. Both are drawn against p and against the share of time.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np

from advisor.basics.quantities import count, number, percent
from advisor.basics.rounding import ALIKE
from advisor.basics.stop_rule import ShouldStop
from advisor.models.processor_sharing import CPU, LINK, PRIVATE
from advisor.models.slowdown import resource_slowdown
from advisor.studies.facts import Fact
from advisor.studies.sharing.parameters import SharingCase, SharingParameters
from advisor.studies.study import (
    EQUATION,
    Note,
    OnProgress,
    Series,
    StudyProgress,
    StudyResult,
    Table,
)

_STEPS = 50


def run(
    parameters: SharingParameters,
    on_progress: OnProgress | None = None,
    should_stop: ShouldStop | None = None,
) -> StudyResult:
    """Slow a newcomer down both ways and say where the difference comes from.

    Returns: slowdown against p and against the share, how many contenders are there at once by
    either way, and the difference in sentences.
    """
    case = SharingCase.of(parameters)
    found = _search(case, on_progress, should_stop)
    facts = _facts(case)
    return StudyResult(
        headline=_headline(case, facts[0]),
        alternative=_alternative(case, facts[0]),
        against="published formula",
        facts=facts,
        reasons=tuple(_reasons(case, found, facts[2])),
        series=tuple(series(case, found)),
        tables=(by_contenders(case, found), numbers_present(case)),
        notes=_notes(case),
        complete=found.complete,
    )


def _search(
    case: SharingCase, on_progress: OnProgress | None, should_stop: ShouldStop | None
) -> Slowdowns:
    groups = [case.group(p) for p in range(1, case.most + 1)]
    shares = [(step + 1) / _STEPS for step in range(_STEPS)]
    asked = groups + [case.at_share(share) for share in shares]
    both: list[tuple[float, float]] = []
    for done, group in enumerate(asked):
        if should_stop is not None and should_stop():
            break
        if on_progress is not None and done % 10 == 0:
            on_progress(StudyProgress(done / len(asked), "Both slowdowns"))
        both.append((case.formula(group), case.queue(group)))
    by_share = tuple(both[len(groups) :])
    complete = len(both) == len(asked)
    return Slowdowns(tuple(both[: len(groups)]), tuple(shares[: len(by_share)]), by_share, complete)


def _headline(case: SharingCase, slow: Fact) -> str:
    who = count(len(case.shares), "contender")
    return f"Expect a slowdown of ×{slow.text} beside {who}."


def _alternative(case: SharingCase, slow: Fact) -> str:
    formula, queue = case.formula(case.shares), case.queue(case.shares)
    if _same(formula, queue):
        return "The published formula and 1 + the mean queue agree."
    more = "more" if queue > formula else "less"
    change = f"{percent(abs(queue / formula - 1.0))} {more}"
    return f"As 1 + the mean queue, {change} than by the published formula, ×{slow.said(formula)}."


def _facts(case: SharingCase) -> tuple[Fact, ...]:
    """The queue's figures against the formula's; they are readings, so that neither is better."""
    present = case.present(case.shares)
    formula, queue = (float(np.arange(one.size) @ one) for one in present)
    everybody = [100.0 * float(one[-1]) for one in present]
    nobody = tuple(100.0 * float(one[0]) for one in present)
    return (
        Fact("slowdown", case.queue(case.shares), "", case.formula(case.shares)),
        Fact(f"contenders {case.place}, mean", queue, "", formula),
        Fact("all of them at once", everybody[1], "%", everybody[0], beside=nobody),
    )


def _same(formula: float, queue: float) -> bool:
    return abs(queue - formula) <= ALIKE * queue


def _reasons(case: SharingCase, found: Slowdowns, at_once: Fact) -> Iterator[str]:
    """Why they differ; each number is recomputed for this case."""
    own = [case.own(pair) for pair in case.shares]
    alone, counted = sum(own), len(own)
    formula, queue = case.present(case.shares)
    mean = float(np.arange(counted + 1) @ queue)
    yield (
        f"The formula samples random instants and treats the contenders as independent: each "
        f"is {case.place} as often as when it runs alone, together {number(alone)} on average."
    )
    if case.resource == LINK and case.link == PRIVATE:
        yield "Each has its own link: there is no waiting, and the slowdown is 1."
        return
    if abs(mean - alone) <= ALIKE:
        yield f"The queue has the same mean, {number(mean)}: {_why_same(case)}."
    else:
        yield _why(case, alone, mean)
        nobody, everybody = (
            [at_once.said(100.0 * float(chances[n])) for chances in (queue, formula)]
            for n in (0, -1)
        )
        yield (
            f"All are present {everybody[0]} of the time in the queue and {everybody[1]} by the "
            f"formula; none is present {nobody[0]} and {nobody[1]} of it."
        )
    yield (
        "The newcomer slows the contenders as well; the mean queue without it says all (arrival "
        "theorem), so nothing is added for that."
    )
    if case.resource == CPU and case.delays:
        transfers = resource_slowdown([([pair[1] for pair in case.shares], case.delays)]) - 1.0
        yield f"The formula adds {number(transfers)} for transfers by the delays; the queue none."
    if found.by_share and found.complete:
        yield _where_most(case, found)


def _why(case: SharingCase, alone: float, mean: float) -> str:
    counted = len(case.shares)
    if mean > alone:
        return (
            f"In the queue the contenders slow each other: a phase {case.place} lasts longer in "
            f"company, so that each is present {percent(mean / counted)} of its time instead of "
            f"{percent(alone / counted)}: {number(mean)} on average. They pile up."
        )
    other = "link" if case.resource == CPU else "processor"
    return (
        f"In the queue the contenders also wait for each other at the {other}, so that each comes "
        f"back later and is {case.place} {percent(mean / counted)} of its time instead of "
        f"{percent(alone / counted)}: {number(mean)} on average."
    )


def _why_same(case: SharingCase) -> str:
    if len(case.shares) == 1:
        return "a single contender waits only for the newcomer"
    if all(case.own(pair) in {0.0, 1.0} for pair in case.shares):
        return "a contender that is always present can't be present more often"
    return "waiting here and waiting elsewhere balance"


def _where_most(case: SharingCase, found: Slowdowns) -> str:
    apart = [queue / formula - 1.0 for formula, queue in found.by_share]
    place = int(np.argmax(np.abs(apart)))
    if abs(apart[place]) <= ALIKE:
        return "They agree at every share of time."
    sign = "more" if apart[place] > 0 else "less"
    return (
        f"With {count(len(case.shares), 'such contender')} they differ most at a share of "
        f"{percent(found.at[place])}: the queue gives {percent(abs(apart[place]))} {sign}."
    )


def _notes(case: SharingCase) -> tuple[Note, ...]:
    notes = [
        Note(
            True,
            "Slowdown by the published formula = 1 + Σ i · P(i contenders are present); the other "
            "model = 1 + the mean queue that a newcomer meets",
            "Figueira & Berman 1996, Eq. (1); Reiser & Lavenberg 1980",
            EQUATION,
        ),
        Note(
            True,
            "1 + mean queue: processor sharing with quanta far shorter than the phases, equal "
            "priorities, long runs",
            "Reiser & Lavenberg 1980; Gunther 2005, Fig. 2",
        ),
    ]
    if len(case.shares) > 1 and any(0.0 < case.own(pair) < 1.0 for pair in case.shares):
        text = (
            "Published formula: with two or more part-time contenders that sleep it is 5–19 % "
            "below slowdowns measured on one core of a Linux machine, the queue within 3 %"
        )
        notes.append(Note(False, text, "Figueira & Berman 1996, sec. 3.2"))
    if case.resource == LINK and any(pair[0] > 0 for pair in case.shares):
        text = "Computing contenders are taken not to delay a transfer"
        notes.append(Note(False, text, "Figueira & Berman 1996, sec. 3.2.1"))
    return tuple(notes)


# Curves and tables of the sharing study.

_FORMULA, _QUEUE = "published formula", "1 + mean queue"


@dataclass(frozen=True)
class Slowdowns:
    """Both slowdowns against p and against the share."""

    by_p: tuple[tuple[float, float], ...]
    at: tuple[float, ...]
    by_share: tuple[tuple[float, float], ...]
    complete: bool


def series(case: SharingCase, found: Slowdowns) -> Iterator[Series]:
    """Both slowdowns against p and against the share; how many contenders are there at once."""
    by_p = [float(p) for p in range(1, len(found.by_p) + 1)]
    x_share = "share computing" if case.resource == CPU else "share transferring"
    for way, name in enumerate((_FORMULA, _QUEUE)):
        y = tuple(both[way] for both in found.by_p)
        yield Series(
            name, tuple(by_p), y, "contenders p", "", "slowdown", "",
            beside="slowdown", counts=True,
        )  # fmt: skip
    for way, name in enumerate((_FORMULA, _QUEUE)):
        y = tuple(both[way] for both in found.by_share)
        yield Series(name, found.at, y, x_share, "", "slowdown", "", beside="slowdown")
    present = tuple(float(n) for n in range(len(case.shares) + 1))
    for name, chances in zip((_FORMULA, "queue"), case.present(case.shares), strict=True):
        y = tuple((100.0 * chances).tolist())
        label = f"contenders {case.place}"
        yield Series(name, present, y, label, "", "probability", "%", kind="points", counts=True)


def by_contenders(case: SharingCase, found: Slowdowns) -> Table:
    """Both slowdowns for 1, 2, … contenders, and how often each of these is there."""
    rows = []
    for p, (formula, queue) in enumerate(found.by_p, 1):
        group = case.group(p)
        alone = sum(case.own(pair) for pair in group) / p
        together = float(np.arange(p + 1) @ case.present(group)[1]) / p
        rows.append((p, formula, queue, queue / formula, 100.0 * alone, 100.0 * together))
    columns = (
        ("contenders p", ""), (_FORMULA, ""), (_QUEUE, ""), ("queue/formula", ""),
        ("share of time present, alone", "%"), ("share of time present, in company", "%"),
    )  # fmt: skip
    return Table("Slowdown by contenders", columns, tuple(rows))


def numbers_present(case: SharingCase) -> Table:
    """P(n contenders there) by either way."""
    formula, queue = case.present(case.shares)
    rows = tuple(enumerate(zip(*((100.0 * one).tolist() for one in (formula, queue)), strict=True)))
    columns = ((f"contenders {case.place}", ""), (_FORMULA, "%"), ("queue", "%"))
    return Table("How many are present", columns, tuple((n, *both) for n, both in rows))

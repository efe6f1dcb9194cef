"""Study: why the two readings of contention differ, for one case shown both ways.

The published formula counts contenders at random instants, independent of each other (the
Poisson-binomial distribution); the other reading is 1 + the mean queue that a newcomer meets, the
same queue as the machine repairman's. Both are drawn against p and against the share of time.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np

from advisor.basics.quantities import count, number, percent, slowdown
from advisor.basics.rounding import ALIKE
from advisor.basics.stopping import ShouldStop
from advisor.models.sharing import (
    CPU,
    LINK,
    PRIVATE,
    SHARED,
    link_sharing_slowdown,
    resident_slowdown,
)
from advisor.models.simultaneous import simultaneous
from advisor.models.slowdown import resource_slowdown
from advisor.studies.parameters import parameter
from advisor.studies.questions import QUESTIONS
from advisor.studies.settings_lists import number_list, pairs
from advisor.studies.study import Note, OnProgress, Series, Study, StudyProgress, StudyResult, Table
from machines import InputError
from machines.arrays import Floats

_STEPS = 50
_MOST = 30
_FORMULA, _QUEUE = "published formula", "1 + mean queue"

Shares = tuple[tuple[float, float], ...]


@dataclass(frozen=True)
class SharingParameters:
    """What the study asks for; shares are those of each contender's time when it runs alone."""

    contenders: str = parameter(
        "0.5, 0.5",
        help='One entry a contender: its share computing, or "computing/transferring"; the rest '
        "it sleeps.",
    )
    resource: str = parameter(
        CPU, choices=(CPU, LINK), help="Where the newcomer works: at the processor or on the link."
    )
    link: str = parameter(
        SHARED, choices=(SHARED, PRIVATE), help="Whether the contenders' transfers share one link."
    )
    delays: str = parameter(
        "",
        help="Relative delays by 1, 2, … transferring contenders, for the formula; empty: none at "
        "the processor, i on the link.",
    )
    most: int = parameter(
        8, title="contenders up to", low=1, high=_MOST, help="Right end of the curve against p."
    )


@dataclass(frozen=True)
class SharingCase:
    """The contenders, where the newcomer works and the delays that the formula takes."""

    shares: Shares
    resource: str
    link: str
    delays: tuple[float, ...]
    most: int

    @classmethod
    def of(cls, asked: SharingParameters) -> SharingCase:
        """Resolve the parameters; InputError where they describe no contenders."""
        where = "setting contenders"
        shares = pairs(asked.contenders, where, most=_MOST)
        for pair in shares:
            if sum(pair) > 1.0 + 1e-12:
                raise InputError(
                    "computing and transferring take more than all of a contender's time",
                    where=where,
                    value=pair,
                    remedy="Together at most 1",
                )
        delays = number_list(asked.delays, "setting delays") if asked.delays.strip() else ()
        if 0 < len(delays) < len(shares):
            raise InputError(
                "there are fewer delays than contenders",
                where="setting delays",
                value=asked.delays,
                remedy=f"Give {len(shares)} of them; they are not extrapolated",
            )
        most = max(asked.most, len(shares))
        return cls(shares, asked.resource, asked.link, delays, min(most, len(delays) or most))

    @property
    def place(self) -> str:
        """Where the newcomer works, in words."""
        return "at the processor" if self.resource == CPU else "on the link"

    def own(self, pair: tuple[float, float]) -> float:
        """The share of its time that a contender is where the newcomer works."""
        return pair[0] if self.resource == CPU else pair[1]

    def group(self, p: int) -> Shares:
        """The first p contenders, the list repeated where it is too short."""
        return tuple(self.shares[k % len(self.shares)] for k in range(p))

    def at_share(self, share: float) -> Shares:
        """All contenders with another share here; of the rest each keeps its kinds of phases."""
        changed = []
        for pair in self.shares:
            own, other = self.own(pair), sum(pair) - self.own(pair)
            elsewhere = (1.0 - share) * (other / (1.0 - own) if own < 1.0 else 0.0)
            changed.append((share, elsewhere) if self.resource == CPU else (elsewhere, share))
        return tuple(changed)

    def formula(self, shares: Shares) -> float:
        """Figueira & Berman 1996, sec. 3.2.1 (link) and 3.2.2 (processor)."""
        transferring = [pair[1] for pair in shares]
        delays = self.delays[: len(shares)]
        if self.resource == CPU:
            computing = [pair[0] for pair in shares]
            return resource_slowdown(
                [(computing, None), *([(transferring, delays)] if delays else [])]
            )
        if self.link == PRIVATE:
            return 1.0
        return resource_slowdown([(transferring, delays or None)])

    def queue(self, shares: Shares) -> float:
        """1 + the mean number of contenders that a newcomer meets (arrival theorem)."""
        if self.resource == CPU:
            return resident_slowdown(shares, link=self.link)
        return 1.0 if self.link == PRIVATE else link_sharing_slowdown([(shares, 1)])

    def present(self, shares: Shares) -> tuple[Floats, Floats]:
        """P(n contenders here), n = 0 … p, by the formula and in the queue without the newcomer.

        The formula's is Poisson-binomial; in the queue a state of n here and m there weighs n!
        and, on a shared link, m! times as much (product form), since phases wait for each other.
        """
        own = simultaneous([self.own(pair) for pair in shares])
        here = np.array([self.own(pair) for pair in shares])
        there = np.array([sum(pair) for pair in shares]) - here
        waits = self.link == SHARED or self.resource == LINK
        weights = np.ones((1, 1))
        for n, (at, beside) in enumerate(zip(here, there, strict=True), 1):
            grown = np.zeros((n + 1, n + 1))
            grown[:n, :n] = max(0.0, 1.0 - at - beside) * weights
            grown[1:, :n] += at * np.arange(1.0, n + 1.0)[:, None] * weights
            grown[:n, 1:] += beside * (np.arange(1.0, n + 1.0) if waits else 1.0) * weights
            weights = grown / grown.max()
        marginal = weights.sum(axis=1)
        return own, marginal / marginal.sum()


@dataclass(frozen=True)
class _Found:
    """Both slowdowns against p and against the share."""

    by_p: tuple[tuple[float, float], ...]
    at: tuple[float, ...]
    by_share: tuple[tuple[float, float], ...]
    complete: bool


def run(
    parameters: SharingParameters,
    on_progress: OnProgress | None = None,
    should_stop: ShouldStop | None = None,
) -> StudyResult:
    """Slow a newcomer down both ways and say where the difference comes from.

    Returns
    -------
    StudyResult
        Slowdown against p and against the share, how many contenders are there at once by either
        way, and the difference in sentences.

    Raises
    ------
    InputError
        Shares outside 0..1 or together above 1, no contender, or fewer delays than contenders.
    """
    case = SharingCase.of(parameters)
    found = _search(case, on_progress, should_stop)
    return StudyResult(
        sentence=_sentence(case),
        reasons=tuple(_reasons(case, found)),
        series=tuple(_series(case, found)),
        tables=(_by_contenders(case, found), _numbers_present(case)),
        notes=_notes(case),
        complete=found.complete,
    )


def _search(
    case: SharingCase, on_progress: OnProgress | None, should_stop: ShouldStop | None
) -> _Found:
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
    return _Found(tuple(both[: len(groups)]), tuple(shares[: len(by_share)]), by_share, complete)


def _sentence(case: SharingCase) -> str:
    formula, queue = case.formula(case.shares), case.queue(case.shares)
    who = count(len(case.shares), "contender")
    if abs(queue - formula) <= ALIKE * queue:
        return f"{who}: slowdown {slowdown(formula)}, whichever way it is counted."
    more = "more" if queue > formula else "less"
    return (
        f"{who}: slowdown {slowdown(formula)} by the published formula, {slowdown(queue)} as "
        f"1 + the mean queue, {percent(abs(queue / formula - 1.0))} {more}."
    )


def _reasons(case: SharingCase, found: _Found) -> Iterator[str]:
    """Why they differ; each number is recomputed for this case."""
    own = [case.own(pair) for pair in case.shares]
    alone, counted = sum(own), len(own)
    formula, queue = case.present(case.shares)
    mean = float(np.arange(counted + 1) @ queue)
    yield (
        f"The formula looks in at random instants and takes the contenders as independent: each "
        f"is {case.place} as often as when it runs alone, together {number(alone)} on average."
    )
    if case.resource == LINK and case.link == PRIVATE:
        yield "Each has a link of its own: nobody waits, and the slowdown is 1."
        return
    if abs(mean - alone) <= ALIKE:
        yield f"The queue has the same mean, {number(mean)}: {_why_same(case)}."
    else:
        yield _why(case, alone, mean)
        nobody, everybody = (
            [percent(float(chances[n])) for chances in (queue, formula)] for n in (0, -1)
        )
        yield (
            f"All at once are there {everybody[0]} of the time in the queue and {everybody[1]} by "
            f"the formula; nobody is {nobody[0]} and {nobody[1]}."
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
            f"company, so that each is there {percent(mean / counted)} of its time instead of "
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
        return "a single contender has nobody to wait for but the newcomer"
    if all(case.own(pair) in {0.0, 1.0} for pair in case.shares):
        return "whoever is always there can't be there more often"
    return "waiting here and waiting elsewhere balance"


def _where_most(case: SharingCase, found: _Found) -> str:
    apart = [queue / formula - 1.0 for formula, queue in found.by_share]
    place = int(np.argmax(np.abs(apart)))
    if abs(apart[place]) <= ALIKE:
        return "They agree at every share of time."
    sign = "more" if apart[place] > 0 else "less"
    return (
        f"With {count(len(case.shares), 'such contender')} they differ most at a share of "
        f"{percent(found.at[place])}: the queue gives {percent(abs(apart[place]))} {sign}."
    )


def _series(case: SharingCase, found: _Found) -> Iterator[Series]:
    by_p = [float(p) for p in range(1, len(found.by_p) + 1)]
    x_share = "share computing" if case.resource == CPU else "share transferring"
    for way, name in enumerate((_FORMULA, _QUEUE)):
        y = tuple(both[way] for both in found.by_p)
        yield Series(name, tuple(by_p), y, "contenders p", "", "slowdown", "")
    for way, name in enumerate((_FORMULA, _QUEUE)):
        y = tuple(both[way] for both in found.by_share)
        yield Series(name, found.at, y, x_share, "", "slowdown", "")
    present = tuple(float(n) for n in range(len(case.shares) + 1))
    for name, chances in zip((_FORMULA, "queue"), case.present(case.shares), strict=True):
        y = tuple(chances.tolist())
        label = f"contenders {case.place}"
        yield Series(name, present, y, label, "", "probability", "", kind="points")


def _by_contenders(case: SharingCase, found: _Found) -> Table:
    rows = []
    for p, (formula, queue) in enumerate(found.by_p, 1):
        group = case.group(p)
        alone = sum(case.own(pair) for pair in group) / p
        together = float(np.arange(p + 1) @ case.present(group)[1]) / p
        rows.append((p, formula, queue, queue / formula, alone, together))
    columns = (
        ("p", ""), (_FORMULA, ""), (_QUEUE, ""), ("queue/formula", ""), ("there alone", ""),
        ("there in company", ""),
    )  # fmt: skip
    return Table("Slowdown by contenders", columns, tuple(rows))


def _numbers_present(case: SharingCase) -> Table:
    formula, queue = case.present(case.shares)
    rows = tuple(enumerate(zip(formula.tolist(), queue.tolist(), strict=True)))
    columns = ((f"n {case.place}", ""), (_FORMULA, ""), ("queue", ""))
    return Table("How many are there", columns, tuple((n, *both) for n, both in rows))


def _notes(case: SharingCase) -> tuple[Note, ...]:
    notes = [
        Note(
            True,
            "1 + mean queue: processor sharing with quanta far shorter than the phases, equal "
            "priorities, long runs",
            "Reiser & Lavenberg 1980; Gunther 2005, Fig. 2",
        )
    ]
    if len(case.shares) > 1 and any(0.0 < case.own(pair) < 1.0 for pair in case.shares):
        text = (
            "published formula: with two or more part-time contenders that sleep it is 5–19 % "
            "below measured slowdowns, the queue within 3 %"
        )
        source = "Figueira & Berman 1996, sec. 3.2; one core of a Linux machine"
        notes.append(Note(False, text, source))
    if case.resource == LINK and any(pair[0] > 0 for pair in case.shares):
        text = "computing contenders are taken not to delay a transfer (delay_comp = 0)"
        notes.append(Note(False, text, "Figueira & Berman 1996, sec. 3.2.1"))
    return tuple(notes)


STUDY = Study(*QUESTIONS["sharing"], record=SharingParameters, run=run)

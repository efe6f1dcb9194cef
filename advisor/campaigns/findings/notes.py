"""What the findings of a campaign rest on."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from advisor.basics.quantities import count, few, number, percent
from advisor.basics.rounding import ALIKE
from advisor.campaigns.findings.compared import WORST
from advisor.campaigns.findings.shown import Shown
from advisor.studies.study import ASSUMED, MEASURED, Note

_NAMED = 4


def notes(shown: Shown) -> Iterator[Note]:
    """First what limits the answer."""
    yield from _instances(shown)
    yield from _bounds(shown)
    if shown.makers:
        yield Note(True, f"{shown.leader} searches on from the plans that others make, so that it "
                   "can hardly be above them; what it gains costs time. Conditions are those of "
                   "the others.")  # fmt: skip
    if shown.against:
        yield _tests(shown)
        yield Note(True, "A performance profile is the share of instances on which a strategy is "
                   "within a ratio of the best of all that ran. Without "
                   "the best the others may change places; pairs do not.",
                   "Dolan & Moré 2002; Gould & Scott 2016")  # fmt: skip
    yield from _rows(shown)
    efforts = shown.results.numbers("seconds")
    most = number(float(efforts.max()), "s")
    yield Note(True, f"Searches end by their budget of steps (that of {most}), never by a clock: "
               "values are the same on every machine. What improves plans may gain by more steps; "
               "what makes one plan can't.", kind=ASSUMED)  # fmt: skip
    if np.isfinite(shown.results.took_s).any():
        yield Note(True, "Seconds were measured while other cases ran: they compare strategies, "
                   "not machines.", kind=MEASURED)  # fmt: skip


def so_far(many: int, planned: int) -> Note:
    """Of a campaign that still runs."""
    return Note(False, f"{many:,} of {planned:,} cases are answered so far; the rest may change "
                "all of this, as cases come in their order.")  # fmt: skip


def _instances(shown: Shown) -> Iterator[Note]:
    """Which instances are compared, and which are not."""
    common, every = shown.common, shown.every
    asked = int((every.of_strategies([every.strategies.index(one) for one in common.strategies])
                 .asked).sum())  # fmt: skip
    if shown.left_out:
        yield Note(False, f"{few(shown.left_out, _NAMED)} left out of profiles and conditions: "
                   "they ran on less than half of the instances that the others share. Pairs are "
                   "compared on their common instances.")  # fmt: skip
    if asked < len(every.rows):
        many = f"{asked:,} of {count(len(every.rows), 'instance')}"
        yield Note(False, f"Strategies ran on different instances: {many} are common to "
                   "all and compared; pairs are compared on their common instances.")  # fmt: skip
    if len(common.rows) < asked:
        lost = count(asked - len(common.rows), "instance")
        yield Note(False, f"{lost} that no strategy answered say nothing about strategies and are "
                   "left out.")  # fmt: skip
    if common.failed.any():
        yield Note(True, "A failure is an infinite ratio in profiles; in means and tests it counts "
                   f"as the largest ratio that was seen, at least {WORST:g}. Gaps and "
                   "seconds are of what was answered.")  # fmt: skip


def _bounds(shown: Shown) -> Iterator[Note]:
    bounded, common = shown.bounded, shown.common
    if not len(bounded.rows):
        yield Note(False, "No instance has a bound: the distance of the best plan found from the "
                   "optimum is unknown.")  # fmt: skip
        return
    missing = len(common.rows) - len(bounded.rows)
    without = f" {count(missing, 'instance')} without a bound left out." if missing else ""
    proved = int(common.proved.sum())
    best = f"of {proved:,} of {len(common.rows):,}" if proved else "of none"
    yield Note(True, "A gap is the distance to a bound on all plans, the best that any row of the "
               "instance has; the distance to the best plan may be less. The best plans of all "
               f"strategies are {percent(shown.best_gap)} above in the median; "
               f"{best} it is proved that no plan is better.{without}")  # fmt: skip
    below = int((bounded.values < bounded.bound[:, None] * (1.0 - ALIKE)).sum())
    if below:
        yield Note(False, f"{count(below, 'value')} below the bound of the instance: one of both "
                   "is wrong, and so are these gaps.")  # fmt: skip


def _tests(shown: Shown) -> Note:
    """How differences were tested, or why not."""
    many, instances = shown.workloads, len(shown.common.rows)
    alike = (
        f"The {count(instances, 'instance')} are of {count(many, 'workload')}: those of one file "
        "are one, and those of one generator and seed, which share their random draws, for any "
        "size, CCR, platform, load and timeline. Each counts once, by its geometric mean ratio"
        if many < instances
        else "Every instance is a workload of its own"
    )
    if many < shown.needed:
        return Note(False, f"{alike}. That can't show a difference beyond chance: signed rank "
                    f"tests of {count(len(shown.pairs), 'pair')} need {shown.needed}: more seeds, "
                    "or other files.")  # fmt: skip
    return Note(True, f"{alike}. Differences are tested by logarithms of ratios, so that an hour "
                "and a millisecond weigh the same. At most 5 % of campaigns report a difference "
                "of a pair by chance, and 5 % one of a condition. This holds for workloads like "
                "these.",
                "Wilcoxon 1945; Holm 1979")  # fmt: skip


def _rows(shown: Shown) -> Iterator[Note]:
    """Rows with warnings, and questions that were asked twice."""
    if shown.warnings:
        many = sum(one.many for one in shown.warnings)
        most = shown.warnings[0]
        yield Note(False, f"{count(many, 'answer')} with warnings, most often ({most.many:,}): "
                   f"{most.message}")  # fmt: skip
    told = int(sum(bool(one) for one in shown.results.texts("strategy")))
    twice = told - int((~np.isnan(shown.every.values)).sum())
    if twice:
        yield Note(True, f"{count(twice, 'row')} that repeat another are counted once.")

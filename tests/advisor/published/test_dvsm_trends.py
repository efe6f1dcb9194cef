"""What Parsons, Brorsson & Sevcik say of applications and of the future: computed again by hand."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import replace
from functools import cache

import numpy as np
import pytest

from advisor.models.dvsm import FUTURE, TODAY, Operation, OperationCounts, Technology
from advisor.published.dvsm_trends import (
    figures,
    published_operations,
    relative_cost,
    saving,
)
from advisor.published.figure import NOT_REPRODUCIBLE, REPRODUCED, Figure
from advisor.shared_memory.application_file import application_names, shipped_application
from tests.advisor.published.dvsm_by_hand import (
    ATM,
    ETHERNET,
    PLAIN,
    Era,
    barrier,
    empty,
    faster,
    fault,
    future,
    lock,
    prefetched,
    today,
)

FIGURES = figures()
LOCKING = ("is", "sphere", "water", "raytrace")


def found(words: str, where: str) -> Figure:
    (figure,) = [one for one in FIGURES if words in one.figure and one.where == where]
    return figure


def beside(figure: Figure) -> dict[str, float]:
    """The numbers that stand beside a withheld one, by application."""
    return {name: float(value) for name, value in re.findall(r"([a-z-]+) (-?\d+\.\d)", figure.note)}


@cache
def counts(application: str) -> OperationCounts:
    return shipped_application(application).counted("fast-ethernet")


def cost(era: Era, one: Operation, faults: float, locks: float) -> float:
    """One operation; of faults and locks so much is not hidden."""
    of = dict(one.inputs)
    if one.kind == "fault":
        here = {name: value for name, value in of.items() if "remote" not in name}
        return faults * fault(era, **of) + (1 - faults) * prefetched(era, **here)
    if one.kind == "lock":
        return locks * lock(era, **of)
    if one.kind == "barrier":
        return barrier(era, 8, **of)
    return PLAIN[one.kind](era, **of)


@cache
def elapsed(application: str, era: Era, faults: float = 1.0, locks: float = 1.0) -> float:
    """Σ phases · the slowest processor's sum of its parts."""
    given = counts(application)
    each = [cost(era, one, faults, locks) for one in given.operations]
    total = 0.0
    for repeat, busy, done in zip(given.repeats, given.busy, given.counts, strict=True):
        total += repeat * max(
            era.computing * own + sum(n * time for n, time in zip(row, each, strict=True))
            for own, row in zip(busy, done, strict=True)
        )
    return total


def saved(
    application: str, era: Era, better: Era, faults: float = 1.0, locks: float = 1.0
) -> float:
    """Percent of what is not an eighth of the sequential time."""
    useful = era.computing * counts(application).sequential_time / 8
    before, after = (elapsed(application, era), elapsed(application, better, faults, locks))
    return 100 * (1 - (after - useful) / (before - useful))


NOW = today(ETHERNET)


@pytest.mark.parametrize(
    ("words", "where", "printed", "by_hand"),
    [
        ("half the faults, SOR", "Fig. 5", 13,
         lambda: {"sor": saved("sor", NOW, NOW, faults=0.5)}),
        ("half the lock time, least", "Fig. 5", 8,
         lambda: {key: saved(key, NOW, NOW, locks=0.5) for key in LOCKING}),
        ("half the lock time, most", "Fig. 5", 20,
         lambda: {key: saved(key, NOW, NOW, locks=0.5) for key in LOCKING}),
        ("half the protocol's time", "section on protocols", 15,
         lambda: {key: saved(key, NOW, replace(NOW, software=0.5)) for key in ("barnes", "water")}),
        ("8 times the speed, least", "Fig. 7", 15,
         lambda: {key: saved(key, faster(ETHERNET), faster(ETHERNET), faults=0.5)
                  for key in ("sor", "is", "barnes", "water")}),
        ("8 times the speed, most", "Fig. 7", 56,
         lambda: {key: saved(key, faster(ETHERNET), faster(ETHERNET), faults=0.5)
                  for key in ("sor", "is", "barnes", "water")}),
    ],
)  # fmt: skip
def test_what_stands_beside_a_curve_is_what_the_reconstruction_gives(
    words: str, where: str, printed: float, by_hand: Callable[[], dict[str, float]]
) -> None:
    figure = found(words, where)
    assert (figure.printed, figure.obtained, figure.status) == (printed, None, NOT_REPRODUCIBLE)
    assert "the paper prints no counts; the reconstructions give" in figure.note
    expected = by_hand()
    assert beside(figure) == pytest.approx(expected, abs=0.051)


def test_the_efficiencies_with_half_the_benefit_are_those_of_the_reconstructions() -> None:
    figure = found("keep today's efficiency", "Fig. 8B")
    gained = {}
    for name in application_names():
        after = elapsed(name, future(ETHERNET, 0.5), FUTURE.fault, FUTURE.lock)
        gained[name] = 100 * (elapsed(name, NOW) / 8 / after - 1)
    assert beside(figure) == pytest.approx(gained, abs=0.051)
    assert (figure.printed, len(gained)) == (4, 8)


def test_no_saving_is_more_than_what_is_halved() -> None:
    """The limit that a note names: half of all faults is half of a time of faults alone."""
    assert "does nothing else would be 50" in found("8 times the speed, most", "Fig. 7").note
    assert "50" not in found("8 times the speed, least", "Fig. 7").note
    for name in application_names():
        assert 0.0 <= saving(name, TODAY, Technology(fault=0.5)) < 50.0
        assert 0.0 <= saving(name, TODAY, Technology(lock=0.5)) < 50.0
        assert saving(name, TODAY, TODAY) == 0.0


def test_an_application_without_an_operation_saves_nothing_by_halving_it() -> None:
    kinds = {name: {one.kind for one in counts(name).operations} for name in application_names()}
    without = [name for name, own in kinds.items() if "lock" not in own]
    assert without == ["barnes", "barnes-large", "sor"]
    for name in without:
        assert saving(name, TODAY, Technology(lock=0.5)) == pytest.approx(0.0, abs=1e-9)
    assert found("half the lock time, least", "Fig. 5").note.count("sor") == 0


def test_the_operations_are_those_of_the_tables_once_each() -> None:
    kinds = [(one.kind, net.name) for net, one in published_operations()]
    for net in (ETHERNET, ATM):
        assert kinds.count(("empty_miss", net)) == 1
        assert kinds.count(("lock", net)) == 2
        assert kinds.count(("collection", net)) == 6
    assert len(set(published_operations())) == len(kinds) == 18


def by_hand(net: str, one: Operation, era: Era) -> float:
    doing = {"collection": fault, "empty_miss": empty, "lock": lock}[one.kind]
    return doing(era, **dict(one.inputs))


def test_the_dearest_operation_of_the_future_system_is_found_by_hand_too() -> None:
    figure = found("dearest operation", "Fig. 8A")
    ratios = {
        (net.name, one): by_hand(net.name, one, future(net.name))
        / by_hand(net.name, one, today(net.name))
        for net, one in published_operations()
    }
    assert figure.obtained == pytest.approx(max(ratios.values()), rel=1e-12)
    assert (figure.printed, figure.status) == (0.125, REPRODUCED)
    for net, one in published_operations():
        assert relative_cost((net, one), FUTURE) == pytest.approx(ratios[net.name, one], rel=1e-12)


def test_a_cost_over_today_s_leaves_prefetching_out() -> None:
    """Shares of hidden faults and locks are of an application, not of one operation."""
    hidden = replace(FUTURE, fault=0.0, lock=0.0)
    for operation in published_operations():
        assert relative_cost(operation, hidden) == relative_cost(operation, FUTURE)
        assert relative_cost(operation, Technology(fault=0.1, lock=0.1)) == 1.0


def test_if_no_operation_gains_less_than_the_processor_every_application_improves() -> None:
    """The conclusion that the note draws, on counts drawn at random."""
    rng = np.random.default_rng(8)
    for net in (ETHERNET, ATM):
        for _ in range(20):
            busy = rng.uniform(0.0, 1e6)
            times = [(rng.integers(0, 50), one) for own, one in published_operations()
                     if own.name == net]  # fmt: skip
            before = busy + sum(n * by_hand(net, one, today(net)) for n, one in times)
            after = busy / 8 + sum(n * by_hand(net, one, future(net)) for n, one in times)
            assert after <= before / 8


def test_water_loses_what_table_1_leaves_of_its_time() -> None:
    figure = found("overhead of Water", "section on execution time overhead")
    assert figure.obtained == pytest.approx(100 * (38.7 - 119.0 / 8) / 38.7)
    assert figure.inputs == "1 − 119/(8 · 38.7), Table 1"
    assert "up to 60" in figure.note

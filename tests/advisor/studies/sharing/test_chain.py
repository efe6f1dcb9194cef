"""The mean queue and the numbers present against the Markov chain of all contenders.

A contender computes, transfers and sleeps in turn, each for an exponential time; whoever is at the
processor, or on a shared link, gets an equal share of it.
"""

from __future__ import annotations

import itertools

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from advisor.studies.sharing.parameters import SharingCase, SharingParameters
from machines.arrays import Floats

CPU, LINK, ASLEEP = range(3)
Shares = list[tuple[float, float]]
SHARES = st.lists(st.tuples(st.floats(0.05, 0.5), st.floats(0.05, 0.45)), min_size=1, max_size=3)
EITHER = st.sampled_from(["shared", "private"])


def case_of(shares: Shares, resource: str, link: str) -> SharingCase:
    text = ", ".join(f"{one!r}/{other!r}" for one, other in shares)
    return SharingCase.of(SharingParameters(text, resource, link))


def chain(
    shares: Shares, link: str, newcomer: int | None = None
) -> tuple[list[tuple[int, ...]], Floats]:
    """The states (what each contender does) and how likely each is in the long run."""
    means = [(one, other, 1.0 - one - other) for one, other in shares]
    phases = [[k for k in range(3) if mean[k] > 1e-12] for mean in means]
    states = [*itertools.product(*phases)]
    place = {state: k for k, state in enumerate(states)}
    flow = np.zeros((len(states), len(states)))
    for state in states:
        for who, what in enumerate(state):
            turns = phases[who]
            if len(turns) == 1:
                continue
            there = state.count(what) + (newcomer == what)
            alone = what == ASLEEP or (what == LINK and link == "private")
            rate = 1.0 / means[who][what] / (1 if alone else there)
            after = turns[(turns.index(what) + 1) % len(turns)]
            to = place[(*state[:who], after, *state[who + 1 :])]
            flow[place[state], to] += rate
    balance = flow.T - np.diag(flow.sum(axis=1))
    balance[0] = 1.0  # one equation says nothing new: the sum is 1 instead
    return states, np.linalg.solve(balance, np.eye(len(states))[0])


def slowdown(shares: Shares, resource: str, link: str) -> float:
    """Of a newcomer that is always there: one over the mean share that it gets."""
    at = CPU if resource == "cpu" else LINK
    states, likely = chain(shares, link, newcomer=at)
    share = sum(p / (1 + state.count(at)) for state, p in zip(states, likely, strict=True))
    return 1.0 / float(share)


@given(SHARES, EITHER)
def test_the_slowdown_at_the_processor_is_that_of_the_chain(shares: Shares, link: str) -> None:
    case = case_of(shares, "cpu", link)
    assert case.queue(case.shares) == pytest.approx(slowdown(shares, "cpu", link), rel=1e-6)


@given(SHARES)
def test_the_slowdown_on_a_shared_link_is_that_of_the_chain(shares: Shares) -> None:
    case = case_of(shares, "link", "shared")
    assert case.queue(case.shares) == pytest.approx(slowdown(shares, "link", "shared"), rel=1e-6)


@given(SHARES, st.sampled_from(["cpu", "link"]), EITHER)
def test_the_numbers_present_are_those_of_the_chain_without_the_newcomer(
    shares: Shares, resource: str, link: str
) -> None:
    at = CPU if resource == "cpu" else LINK
    if resource == "link" and link == "private":
        return  # nobody shares it
    states, likely = chain(shares, link)
    expected = [0.0] * (len(shares) + 1)
    for state, p in zip(states, likely, strict=True):
        expected[state.count(at)] += float(p)
    case = case_of(shares, resource, link)
    assert case.present(case.shares)[1] == pytest.approx(expected, abs=1e-8)


@pytest.mark.parametrize(
    "shares",
    [
        [(1.0, 0.0), (0.5, 0.25)],
        [(0.4, 0.6), (0.7, 0.3)],  # nobody sleeps
        [(0.0, 0.5), (0.5, 0.0)],
        [(0.0, 1.0), (0.3, 0.3), (0.2, 0.0)],
    ],
)
def test_phases_that_are_left_out_change_nothing_of_that(shares: Shares) -> None:
    for resource, link in (("cpu", "shared"), ("cpu", "private"), ("link", "shared")):
        case = case_of(shares, resource, link)
        assert case.queue(case.shares) == pytest.approx(slowdown(shares, resource, link))


def test_the_formula_is_the_chain_where_contenders_do_not_wait_for_each_other() -> None:
    # a single contender meets nobody but the newcomer
    for share in (0.1, 0.5, 0.9):
        case = case_of([(share, 0.0)], "cpu", "shared")
        assert case.formula(case.shares) == pytest.approx(slowdown([(share, 0.0)], "cpu", "shared"))
    # with two it is below: they pile up
    two = [(0.5, 0.0)] * 2
    case = case_of(two, "cpu", "shared")
    assert case.formula(case.shares) < 0.95 * slowdown(two, "cpu", "shared")

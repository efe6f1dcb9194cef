"""Curves, tables and words of the sharing study say one thing, and the same whoever comes first."""

from __future__ import annotations

import itertools
import math
import re

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from advisor.studies.sharing.parameters import SharingCase, SharingParameters
from advisor.studies.sharing.run import run
from advisor.studies.study import Series, StudyResult, Table

ASKED = [
    SharingParameters("0.5, 0.25"),
    SharingParameters("2x0.25/0.75, 0.1/0.2", most=6),
    SharingParameters("0.3/0.4, 0.2/0.7", resource="link"),
    SharingParameters("0.3/0.4, 0.2/0.7", link="private"),
    SharingParameters("0.3/0.4, 0.2/0.7", delays="0.8, 1.3, 1.9"),
    SharingParameters("0, 0.5"),
    SharingParameters("3x1"),
]
IDS = [f"{one.contenders} {one.resource} {one.link}{one.delays}" for one in ASKED]
SHARES = st.lists(st.tuples(st.floats(0.0, 0.5), st.floats(0.0, 0.5)), min_size=1, max_size=5)


def written(shares: list[tuple[float, float]]) -> str:
    return ", ".join(f"{one!r}/{other!r}" for one, other in shares)


def table(result: StudyResult, title: str) -> Table:
    return next(one for one in result.tables if one.title == title)


def curves(result: StudyResult, x_label: str) -> list[Series]:
    return [one for one in result.series if one.x_label == x_label]


def by_enumeration(case: SharingCase) -> list[float]:
    """P(n are here) of independent contenders: every combination of who is here."""
    chances = [0.0] * (len(case.shares) + 1)
    for here in itertools.product((0, 1), repeat=len(case.shares)):
        own = [case.own(pair) for pair in case.shares]
        chances[sum(here)] += math.prod(
            share if is_here else 1.0 - share for share, is_here in zip(own, here, strict=True)
        )
    return chances


@pytest.mark.parametrize("asked", ASKED, ids=IDS)
def test_the_curves_are_the_columns_of_the_tables(asked: SharingParameters) -> None:
    result = run(asked)
    rows = table(result, "Slowdown by contenders").rows
    formula, queue = curves(result, "contenders p")
    assert formula.x == queue.x == tuple(float(row[0]) for row in rows)
    assert [*zip(formula.y, queue.y, strict=True)] == [row[1:3] for row in rows]
    place = "at the processor" if asked.resource == "cpu" else "on the link"
    present = curves(result, f"contenders {place}")
    rows = table(result, "How many are present").rows
    assert [*zip(*(one.y for one in present), strict=True)] == [row[1:] for row in rows]
    assert [row[0] for row in rows] == [*range(len(rows))]


@pytest.mark.parametrize("asked", ASKED, ids=IDS)
def test_the_rows_of_a_table_agree_with_each_other(asked: SharingParameters) -> None:
    result = run(asked)
    case = SharingCase.of(asked)
    for p, formula, queue, ratio, alone, together in table(result, "Slowdown by contenders").rows:
        assert ratio == pytest.approx(queue / formula)
        assert alone == pytest.approx(100.0 * np.mean([case.own(pair) for pair in case.group(p)]))
        assert 0.0 <= together <= 100.0 + 1e-9
        if not case.delays and (case.resource, case.link) != ("link", "private"):
            assert formula == pytest.approx(1.0 + p * alone / 100.0)
            assert queue == pytest.approx(1.0 + p * together / 100.0)
    for _, *chances in table(result, "How many are present").rows:
        assert all(0.0 <= chance <= 100.0 + 1e-9 for chance in chances)


@pytest.mark.parametrize("counted", ["contenders p", "contenders at the processor"])
def test_what_is_drawn_over_contenders_counts_and_over_shares_does_not(counted: str) -> None:
    drawn = run(SharingParameters()).series
    assert {one.counts for one in drawn if one.x_label == counted} == {True}
    assert {one.counts for one in drawn if one.x_label == "share computing"} == {False}


@pytest.mark.parametrize("asked", ASKED, ids=IDS)
def test_probabilities_are_per_cent_in_plot_and_table(asked: SharingParameters) -> None:
    result = run(asked)
    plots = [one for one in result.series if one.y_label == "probability"]
    rows = table(result, "How many are present").rows
    assert [one.y_unit for one in plots] == ["%", "%"]
    for way, one in enumerate(plots, 1):
        assert sum(one.y) == pytest.approx(100.0)
        assert one.y == tuple(row[way] for row in rows)


@pytest.mark.parametrize("asked", ASKED, ids=IDS)
def test_the_sentence_says_the_numbers_of_the_last_row_of_its_contenders(
    asked: SharingParameters,
) -> None:
    result, case = run(asked), SharingCase.of(asked)
    row = table(result, "Slowdown by contenders").rows[len(case.shares) - 1]
    said = [float(text) for text in re.findall(r"×(\d+\.\d+)", result.sentence)]
    expected = (row[2], row[1])[: len(said)]
    assert said == pytest.approx(expected, rel=5e-3)
    if len(said) == 2:
        ((amount, sign),) = re.findall(r"([\d.]+) % (more|less) than", result.sentence)
        change = float(amount) / 100.0 * (1 if sign == "more" else -1)
        assert 1.0 + change == pytest.approx(row[3], abs=6e-3)


@pytest.mark.parametrize("asked", ASKED, ids=IDS)
def test_the_share_at_which_they_differ_most_is_that_of_the_curves(
    asked: SharingParameters,
) -> None:
    result = run(asked)
    x_label = "share computing" if asked.resource == "cpu" else "share transferring"
    formula, queue = curves(result, x_label)
    apart = {
        share: abs(other / one - 1.0)
        for share, one, other in zip(formula.x, formula.y, queue.y, strict=True)
    }
    said = [re.search(r"at a share of ([\d.]+) %", text) for text in result.reasons]
    for found in filter(None, said):
        assert apart[round(float(found[1]) / 100.0, 2)] == max(apart.values())
    if not any(said):
        agree = any("every share" in text or "of its own" in text for text in result.reasons)
        assert agree == (max(apart.values()) < 1e-6)


@given(SHARES, st.randoms(use_true_random=False), st.sampled_from(["cpu", "link"]))
def test_the_order_of_the_contenders_changes_nothing(
    shares: list[tuple[float, float]], random: object, resource: str
) -> None:
    other = [*shares]
    random.shuffle(other)  # type: ignore[attr-defined]
    one, two = (
        SharingCase.of(SharingParameters(written(group), resource)) for group in (shares, other)
    )
    assert one.formula(one.shares) == pytest.approx(two.formula(two.shares))
    assert one.queue(one.shares) == pytest.approx(two.queue(two.shares))
    for a, b in zip(one.present(one.shares), two.present(two.shares), strict=True):
        assert a == pytest.approx(b)


@given(SHARES)
def test_the_formula_counts_every_combination_of_who_is_there(
    shares: list[tuple[float, float]],
) -> None:
    case = SharingCase.of(SharingParameters(written(shares)))
    assert case.present(case.shares)[0] == pytest.approx(by_enumeration(case), abs=1e-12)


@given(SHARES, st.sampled_from(["shared", "private"]))
def test_one_more_contender_never_speeds_the_newcomer_up(
    shares: list[tuple[float, float]], link: str
) -> None:
    case = SharingCase.of(SharingParameters(written(shares), link=link))
    fewer = case.shares[:-1]
    assert case.formula(case.shares) >= case.formula(fewer) - 1e-12
    if link == "private":  # on a shared link the newcomer's rivals may keep each other away
        assert case.queue(case.shares) >= case.queue(fewer) - 1e-9


def test_a_contender_that_always_sleeps_is_as_if_it_were_not_there() -> None:
    with_it, without = (SharingCase.of(SharingParameters(text)) for text in ("0.5, 0", "0.5"))
    assert with_it.formula(with_it.shares) == without.formula(without.shares)
    assert with_it.queue(with_it.shares) == pytest.approx(without.queue(without.shares))
    assert with_it.present(with_it.shares)[1] == pytest.approx(
        [*without.present(without.shares)[1], 0.0]
    )


def test_contenders_that_are_always_there_share_the_processor_equally() -> None:
    for p in range(1, 6):
        case = SharingCase.of(SharingParameters(f"{p}x1"))
        assert case.formula(case.shares) == pytest.approx(p + 1)
        assert case.queue(case.shares) == pytest.approx(p + 1)


def test_the_curve_never_ends_before_the_contenders_do() -> None:
    result = run(SharingParameters("5x0.2", most=2))
    assert [row[0] for row in table(result, "Slowdown by contenders").rows] == [1, 2, 3, 4, 5]


def test_beyond_the_list_the_contenders_begin_again() -> None:
    case = SharingCase.of(SharingParameters("0.1, 0.2, 0.3"))
    assert [pair[0] for pair in case.group(7)] == [0.1, 0.2, 0.3, 0.1, 0.2, 0.3, 0.1]


def test_delays_count_only_for_the_formula() -> None:
    plain, delayed = (
        SharingCase.of(SharingParameters("0.3/0.4, 0.2/0.7", delays=delays))
        for delays in ("", "0.8, 1.3")
    )
    assert delayed.queue(delayed.shares) == plain.queue(plain.shares)
    # P(one transfers) = 0.4 · 0.3 + 0.6 · 0.7, P(both) = 0.28
    added = 0.8 * (0.4 * 0.3 + 0.6 * 0.7) + 1.3 * 0.28
    assert delayed.formula(delayed.shares) == pytest.approx(plain.formula(plain.shares) + added)
    reasons = run(SharingParameters("0.3/0.4, 0.2/0.7", delays="0.8, 1.3")).reasons
    assert any(f"adds {added:.3g} for transfers" in text for text in reasons)


@pytest.mark.parametrize("asked_before", range(0, 60, 7))
def test_stopped_anywhere_it_gives_the_first_of_what_it_would_have_given(asked_before: int) -> None:
    asked = SharingParameters("0.5, 0.25/0.25")
    whole, calls = run(asked), iter([False] * asked_before)
    part = run(asked, should_stop=lambda: next(calls, True))
    assert part.complete == (asked_before >= 58)
    assert part.sentence == whole.sentence
    for short, long in zip(part.series, whole.series, strict=True):
        assert short.y == long.y[: len(short.y)]
        assert short.x == long.x[: len(short.x)]
    rows = [one.rows for one in (part.tables[0], whole.tables[0])]
    assert rows[0] == rows[1][: len(rows[0])]


def test_computing_contenders_do_not_delay_a_transfer_and_the_note_says_so() -> None:
    idle, busy = (run(SharingParameters(text, resource="link")) for text in ("0/0.4", "0.6/0.4"))
    assert not any("not to delay a transfer" in note.text for note in idle.notes)
    assert any("not to delay a transfer" in note.text for note in busy.notes)
    formula = [curves(one, "contenders p")[0].y[0] for one in (idle, busy)]
    assert formula[0] == formula[1] == pytest.approx(1.4)

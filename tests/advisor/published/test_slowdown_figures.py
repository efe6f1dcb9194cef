"""The figures of Figueira & Berman: tables added up, contenders enumerated, notes proved."""

from __future__ import annotations

import itertools
import math
import re
from collections import Counter

import numpy as np
import pytest

from advisor.models.slowdown import backend_time, delay_column
from advisor.published.figure import NOT_REPRODUCIBLE, REPRODUCED, Figure
from advisor.published.slowdown_figures import allocation_times, figures
from machines.fitting import fit_piecewise

FIGURES = figures()
SECONDS = {"A": {"M1": 12.0, "M2": 18.0}, "B": {"M1": 4.0, "M2": 30.0}}  # Table 1
TRANSFER = {("M1", "M2"): 7.0, ("M2", "M1"): 8.0}  # Table 2


def found(words: str, where: str | None = None) -> Figure:
    (figure,) = [one for one in FIGURES if words in one.figure and where in {None, one.where}]
    return figure


def added(machine: float, link: float) -> dict[str, float]:
    """A, the transfer if there is one, then B; M1 and the link so many times slower."""
    times = {}
    for a, b in itertools.product(("M1", "M2"), repeat=2):
        slow = [machine if one == "M1" else 1.0 for one in (a, b)]
        moved = link * TRANSFER[a, b] if a != b else 0.0
        times[f"{a}, {b}"] = SECONDS["A"][a] * slow[0] + moved + SECONDS["B"][b] * slow[1]
    return times


def together(shares: tuple[float, ...]) -> list[float]:
    """P(so many are doing it at once): every combination of contenders, each doing it or not."""
    law = [0.0] * (len(shares) + 1)
    for doing in itertools.product((True, False), repeat=len(shares)):
        chance = math.prod(
            one if does else 1 - one for one, does in zip(shares, doing, strict=True)
        )
        law[sum(doing)] += chance
    return law


@pytest.mark.parametrize("contenders", [0, 1, 2, 3])
@pytest.mark.parametrize("link", [1.0, 3.0, 10.0])
def test_allocations_take_what_their_rows_add_up_to(contenders: int, link: float) -> None:
    assert allocation_times(contenders, link) == pytest.approx(added(contenders + 1, link))


@pytest.mark.parametrize(
    ("words", "machine", "link", "printed"),
    [
        ("least time, dedicated", 1, 1, 16),
        ("least time, M1 slowed 3×", 3, 1, 38),
        ("least time, M1 and link 3×", 3, 3, 48),
    ],
)
def test_the_least_time_names_its_allocation_and_the_times_of_all_others(
    words: str, machine: float, link: float, printed: float
) -> None:
    figure, times = found(words), added(machine, link)
    assert figure.obtained == figure.printed == printed == min(times.values())
    head, _, others = figure.note.partition("; others: ")
    best = {name for name, time in times.items() if time == printed}
    assert set(re.findall(r"\((M\d, M\d)\)", head)) == best
    told = {name: float(time) for name, time in re.findall(r"\((M\d, M\d)\) ([\d.]+)", others)}
    assert told == {name: time for name, time in times.items() if name not in best}
    assert ("of which the paper names one" in head) == (len(best) > 1)


def test_the_gain_is_against_both_tasks_on_the_slowed_machine() -> None:
    times = added(3, 1)
    figure = found("gain over both on M1")
    assert figure.obtained == figure.printed == times["M1, M1"] - times["M2, M1"] == 10
    assert figure.note == f"{times['M1, M1']:g} − {times['M2, M1']:g}"


def test_slowed_rows_are_three_times_the_dedicated_ones() -> None:
    for task, where, dedicated in (
        ("A on M1", "Table 3", SECONDS["A"]["M1"]),
        ("B on M1", "Table 3", SECONDS["B"]["M1"]),
        ("transfer M1→M2", "Table 4", TRANSFER["M1", "M2"]),
        ("transfer M2→M1", "Table 4", TRANSFER["M2", "M1"]),
    ):
        figure = found(f"{task}, slowed 3×", where)
        assert figure.obtained == figure.printed == 3 * dedicated
        assert figure.inputs.startswith(f"{dedicated:g} s")


def test_probabilities_are_those_of_every_combination_of_contenders() -> None:
    """0.2 · 0.7 + 0.3 · 0.8 and the like, as printed, and not the other way round."""
    for name, shares in (("pcomm", (0.2, 0.3)), ("pcomp", (0.8, 0.7))):
        for count in (1, 2):
            figure = found(f"{name}_{count}, ", "sec. 3.2.1")
            assert figure.obtained == pytest.approx(together(shares)[count], rel=1e-12)
            assert figure.printed == pytest.approx(together(shares)[count], rel=1e-12)
    assert found("pcomm_2, ").printed == pytest.approx(0.2 * 0.3)
    assert found("pcomp_2, ").printed == pytest.approx(0.7 * 0.8)


@pytest.mark.parametrize(
    ("where", "shares"),
    [("Fig. 5", (0.25, 0.76)), ("Fig. 6", (0.25, 0.76)), ("Fig. 7", (0.66, 0.33)),
     ("Fig. 8", (0.4, 0.76))],
)  # fmt: skip
def test_errors_of_curves_are_withheld_beside_what_their_shares_alone_give(
    where: str, shares: tuple[float, ...]
) -> None:
    law = ", ".join(f"{value:.4g}" for value in together(shares))
    mean = sum(i * chance for i, chance in enumerate(together(tuple(1 - one for one in shares))))
    of_curve = [one for one in FIGURES if one.where == where and one.obtained is None]
    assert of_curve
    for figure in of_curve:
        assert "alpha, beta and the delay tables are not printed" in figure.note
        assert f"pcomm_0…2 = {law} and Σ i pcomp_i = {mean:.4g}" in figure.note
        assert (figure.status, figure.inputs) == (NOT_REPRODUCIBLE, "not printed")


def test_the_delay_column_is_the_nearest_of_the_three_and_one_below_95_words() -> None:
    """Footnote 2 and the text: 1, 500 or 1000, whichever is closest, 1 only for < 95 words."""
    for words, where, largest in (
        ("800 and 1200", "Fig. 7", 1200),
        ("500 and 200", "Fig. 8", 500),
    ):
        figure = found(words, where)
        assert figure.printed == figure.obtained == min((500, 1000), key=lambda j: abs(j - largest))
        assert (figure.inputs, figure.note) == (f"{largest} words", "largest message")
    small = found("j below 95 words", "footnote 2")
    assert (small.obtained, small.inputs, small.note) == (1, "94 words", "95 words: 500")
    assert (delay_column(94), delay_column(95)) == (1, 500)
    assert Counter(delay_column(j) for j in (100, 200, 400, 600)) == {500: 4}


def test_the_threshold_that_no_measurement_shows_is_found_in_data_that_have_it() -> None:
    """What the note of the 1024 words claims of the search."""
    figure = found("message threshold", "sec. 3.2.1")
    assert "on synthetic data with a jump there the search finds it" in figure.note
    sizes = np.array([16.0, 64, 128, 256, 512, 768, 1024, 1280, 1536, 2048, 4096])
    below = sizes <= 1024
    seconds = np.where(below, 1e-3 + sizes / 1e6, 4e-3 + sizes / 2e6)
    threshold, *_ = fit_piecewise(sizes, seconds)
    assert threshold == figure.printed


def test_a_back_end_is_slowed_where_four_times_its_serial_part_is_more() -> None:
    """The note of Fig. 3: p = 3 slows the CM2 while 4·dserial > dcomp + didle."""
    assert "4·dserial > dcomp + didle" in found("matrix size", "Fig. 3").note
    for dcomp, didle, dserial in ((8.0, 1.0, 2.0), (8.0, 1.0, 2.25), (8.0, 1.0, 2.5), (1.0, 1, 1)):
        alone = backend_time(dcomp, didle, dserial, 0)
        slowed = backend_time(dcomp, didle, dserial, 3)
        assert (slowed > alone) == (4 * dserial > dcomp + didle)


def test_the_paper_s_own_errors_are_withheld_with_their_percents() -> None:
    errors = [one for one in FIGURES if "error" in one.figure]
    assert Counter(one.printed for one in errors) == Counter(
        [11, 15, 12, 14, 15, 30, 75, 4, 16, 32, 5, 25, 33, 15]
    )
    assert {one.status for one in errors} == {NOT_REPRODUCIBLE}
    assert all(one.figure.endswith("%") for one in errors)
    assert {one.status for one in FIGURES if one.obtained is not None} == {REPRODUCED}


def test_times_have_their_unit_in_their_name_as_other_papers_numbers_have() -> None:
    seconds = [one for one in FIGURES if one.where.startswith("Table") or one.where == "sec. 1"]
    assert len(seconds) == 8
    assert all(one.figure.endswith(", s") for one in seconds)

"""One redrawn figure: places of its printed numbers, and what its curves give there."""

from __future__ import annotations

import pytest

from advisor.published.figure import DEVIATES, NOT_REPRODUCIBLE, Figure, compared, withheld
from advisor.published.redrawn.redrawn import PRINTED, Mark, Numbers, Redrawn, lines, spread

AXES = ("processors", "", "time", "s")


def number(printed: float = 5.0, obtained: float = 4.0, name: str = "time of 2") -> Figure:
    return compared("paper", name, "Fig. 1", "inputs", printed, obtained, note="why")


def redrawn(*marks: Mark, others: tuple[Figure, ...] = ()) -> Redrawn:
    curves = lines(AXES, (1, 3), {"law": (6.0, 2.0)})
    return Redrawn("fig-1", "paper", "Fig. 1", "times", "Eq. (1)", curves, marks, others)


def test_a_number_stands_at_its_value_or_along_the_axis() -> None:
    assert Mark(number(), 2.0, "law").place == (2.0, 5.0)
    assert Mark(number(), 2.0, "law", scale=0.5, zero=1.0).place == (2.0, 3.5)
    assert Mark(number(), 2.0, "law", along=True).place == (5.0, 2.0)


def test_points_are_sorted_by_what_validate_finds() -> None:
    measured = withheld("paper", "measured", "Fig. 1", 7.0, "a measurement")
    figure = redrawn(Mark(measured, 1.0, "law"), Mark(number(), 2.0, "law"))
    curve, deviating, withdrawn = figure.series
    assert curve.kind == "line"
    assert (deviating.name, deviating.x, deviating.y) == (PRINTED[DEVIATES], (2.0,), (5.0,))
    assert (withdrawn.name, withdrawn.labels) == (PRINTED[NOT_REPRODUCIBLE], ("measured",))


def test_a_number_without_a_value_gets_that_of_its_curve() -> None:
    measured = withheld("paper", "measured", "Fig. 1", 8.0, "a measurement")
    figure = redrawn(Mark(measured, 2.0, "law", scale=0.5), others=(measured,))
    placed, other = figure.numbers
    assert (placed.obtained, placed.deviation) == (8.0, 0.0)
    assert placed.status == NOT_REPRODUCIBLE
    assert other.obtained is None


def test_a_number_is_found_by_its_name_or_the_begin_of_it() -> None:
    numbers = Numbers((number(name="time of 1"), number(name="time of 18")))
    assert numbers.one("time of 1").figure == "time of 1"
    assert numbers.one("time of 18", "Fig. 1").figure == "time of 18"
    assert len(numbers.all("time", "Fig.")) == 2
    for name, where in (("time", ""), ("time of 1", "Table"), ("speed", "")):
        with pytest.raises(LookupError, match=name):
            numbers.one(name, where)


def test_places_of_printed_numbers_are_among_the_others() -> None:
    places = spread(1.0, 1000.0, 94, count=4)
    assert places == pytest.approx([1.0, 10.0, 94.0, 100.0, 1000.0])
    assert 94.0 in places


def test_places_that_count_are_whole() -> None:
    (whole,) = lines(AXES, range(3), {"law": (1, 2, 3)})
    (real,) = lines(AXES, (0.0, 0.5), {"law": (1, 2)})
    assert (whole.counts, real.counts) == (True, False)

"""Two sets side by side: rows that follow from one another, the same whichever comes first."""

from __future__ import annotations

import re
from functools import cache
from typing import Any

import numpy as np
import pytest

from advisor.basics.quantities import percent
from advisor.studies import StudyResult
from advisor.studies.scaling.parameters import ScalingParameters
from advisor.studies.scaling.run import run
from tests.advisor.studies.scaling.networks import series, table, units

AT = (1, 8, 64, 256, 1024)  # beyond the chain of the slowest law, which is then left out
FIRST, SECOND = "the first set", "the second set"


@cache
def text(sigma: float, one: float, seed: int, kind: str = "time (s)", noise: float = 0.01) -> str:
    """Two runs at each P by Amdahl's law, with relative noise."""
    rng = np.random.default_rng(seed)
    rows = []
    for P in AT:
        for _ in range(2):
            time = one * (1.0 + sigma * (P - 1)) / P * (1.0 + noise * rng.standard_normal())
            rows.append(f"{P},{time if kind.startswith('time') else 1.0 / time:.9g}")
    return "\n".join((f"P,{kind}", *rows))


@cache
def asked(data: str, against: str, replicates: int = 20) -> StudyResult:
    return run(ScalingParameters(source="data", data=data, against=against, replicates=replicates))


def crossing(kind: str = "time (s)") -> StudyResult:
    """The second is faster on few processors, the first on many."""
    return asked(text(0.001, 100.0, 1, kind), text(0.008, 80.0, 2, kind))


def side(result: StudyResult) -> list[dict[str, Any]]:
    return table(result, "Side by side")


@pytest.mark.parametrize("kind", ["time (s)", "throughput (1/s)"])
def test_a_row_claims_what_its_intervals_show(kind: str) -> None:
    for row in side(crossing(kind)):
        first, second = row[FIRST], row[SECOND]
        for name in (FIRST, SECOND):
            assert row[f"{name} 95 % from"] <= row[name] <= row[f"{name} 95 % to"]
        apart = [
            row[f"{one} 95 % to"] < row[f"{other} 95 % from"]
            for one, other in ((FIRST, SECOND), (SECOND, FIRST))
        ]
        least = kind.startswith("time")
        expected = "no difference"
        if apart[0]:
            expected = FIRST if least else SECOND
        elif apart[1]:
            expected = SECOND if least else FIRST
        assert row["faster"] == expected
        share = 100.0 * (max(first, second) / min(first, second) - 1.0)
        assert row["by"] == (pytest.approx(share) if any(apart) else None)


def test_what_was_measured_twice_stands_with_its_mean_rate() -> None:
    result = crossing()
    rates: dict[int, list[float]] = {}
    for line in text(0.001, 100.0, 1).splitlines()[1:]:
        P, time = line.split(",")
        rates.setdefault(int(P), []).append(1.0 / float(time))
    for row in side(result):
        assert row[FIRST] == pytest.approx(1.0 / np.mean(rates[row["P"]]))
    assert units(result, "Side by side")[FIRST] == "s"


def test_whichever_comes_first_the_same_is_said_of_both() -> None:
    one = crossing()
    other = asked(text(0.008, 80.0, 2), text(0.001, 100.0, 1))
    swapped = {FIRST: SECOND, SECOND: FIRST, "no difference": "no difference"}
    for mine, theirs in zip(side(one), side(other), strict=True):
        assert theirs["faster"] == swapped[mine["faster"]]
        assert theirs[FIRST] == pytest.approx(mine[SECOND])
        assert theirs["by"] == (None if mine["by"] is None else pytest.approx(mine["by"]))


def test_the_headline_is_the_table_in_words() -> None:
    result = crossing()
    rows = {row["P"]: row for row in side(result)}
    said = re.findall(
        r"([Tt]he (?:first|second) set) is faster at P = "
        r"([\d,]*\d)(?: to ([\d,]*\d)| and ([\d,]*\d))?, by "
        r"(?:([\d.]+) % to )?([\d ]+|[\d.]+) %",
        result.sentence,
    )
    assert said
    claimed: dict[int, str] = {}
    for name, low, to, also, _, most in said:
        first, last = (int(one.replace(",", "")) for one in (low, to or also or low))
        span = [P for P in AT if first <= P <= last]
        claimed |= dict.fromkeys(span, name.lower())
        assert percent(max(rows[P]["by"] for P in span) / 100.0) == f"{most} %"
    assert claimed == {P: row["faster"] for P, row in rows.items() if row["by"] is not None}


def test_a_faster_program_is_faster_everywhere_and_by_as_much_as_it_is() -> None:
    half = asked(text(0.002, 100.0, 1, noise=0.001), text(0.002, 50.0, 2, noise=0.001))
    assert {row["faster"] for row in side(half)} == {SECOND}
    assert [row["by"] for row in side(half)] == pytest.approx([100.0] * len(AT), rel=0.02)
    assert half.sentence.startswith("The second set is faster at P = 1 to 1,024, by ")
    assert "; no difference" not in half.sentence


def test_one_set_laid_over_itself_shows_no_difference() -> None:
    same = asked(text(0.002, 100.0, 1), text(0.002, 100.0, 1))
    assert {row["faster"] for row in side(same)} == {"no difference"}
    assert same.sentence.startswith(
        f"No difference beyond noise between {FIRST} and {SECOND} at P = 1 to 1,024."
    )


def test_the_second_set_is_drawn_where_the_first_one_is() -> None:
    result = crossing()
    for label in ("throughput", "time"):
        points = series(result, f"measured, {SECOND}", label)
        mean = series(result, f"mean of the laws, {SECOND}", label)
        mine = series(result, "measured", label)
        assert (points.x, points.y_unit, points.kind) == (mine.x, mine.y_unit, "points")
        assert (mean.kind, max(map(float, mean.x))) == ("line", 1024.0)
    rate, time = (series(result, f"measured, {SECOND}", label) for label in ("throughput", "time"))
    assert [1.0 / y for y in time.y] == pytest.approx(rate.y)


def test_without_draws_an_interval_is_students_of_the_repetitions() -> None:
    data = text(0.001, 100.0, 1, "throughput (1/s)", noise=0.02)
    runs: dict[int, list[float]] = {}
    for line in data.splitlines()[1:]:
        P, _, X = line.partition(",")
        runs.setdefault(int(P), []).append(float(X))
    mean = {at: sum(both) / 2 for at, both in runs.items()}
    away = [(one / mean[at] - 1.0) ** 2 for at, both in runs.items() for one in both]
    share = (sum(away) / len(runs)) ** 0.5  # a share of the value, of as many degrees as pairs
    half = 2.570582 * share / 2**0.5  # Student's 95 % of 5 degrees
    for row in side(asked(data, text(0.008, 80.0, 2, "throughput (1/s)"), 0)):
        rate = mean[row["P"]]
        assert row[FIRST] == pytest.approx(rate)
        assert row[f"{FIRST} 95 % from"] == pytest.approx(rate * (1.0 - half))
        assert row[f"{FIRST} 95 % to"] == pytest.approx(rate * (1.0 + half))


def test_without_draws_runs_of_one_program_do_not_differ() -> None:
    result = asked(text(0.002, 100.0, 5), text(0.002, 100.0, 6), 0)
    assert {row["faster"] for row in side(result)} == {"no difference"}


@pytest.mark.parametrize(
    ("sigma", "kind", "expected"),
    [
        (0.002, "time (s)",
         f"No difference beyond noise between {FIRST} and {SECOND} at P = 1, 1,024; which of them "
         "is faster is not known at P = 8 to 300. "),
        (0.5, "time (s)",
         "The first set is faster at P = 1,024, by .*; no difference beyond noise at P = 1; which "
         "of them is faster is not known at P = 8 to 300. "),
    ],
)  # fmt: skip
def test_where_nothing_is_known_no_difference_is_not_claimed(
    sigma: float, kind: str, expected: str
) -> None:
    data, other = text(0.002, 100.0, 5), text(sigma, 100.0, 6)
    moved = other.replace("\n8,", "\n10,").replace("\n64,", "\n90,").replace("\n256,", "\n300,")
    result = asked(data, moved, 0)
    known = {row["P"]: row["faster"] for row in side(result)}
    assert {P for P, said in known.items() if said == "not known"} == {8, 10, 64, 90, 256, 300}
    assert re.match(expected, result.sentence)


def test_sets_that_are_known_nowhere_together_are_said_to_be() -> None:
    data = text(0.002, 100.0, 5)
    moved = data.replace("\n1,", "\n2,").replace("\n8,", "\n10,").replace("\n64,", "\n90,")
    moved = moved.replace("\n256,", "\n300,").replace("\n1024,", "\n1100,")
    said = asked(data, moved, 0).sentence
    assert said.startswith(
        f"Which of {FIRST} and {SECOND} is faster is not known at P = 2 to 1,024."
    )

"""What several starts say: how many reached the least, how far the others are off."""

from __future__ import annotations

from dataclasses import replace

import pytest

from advisor.messages.mapping.mapping_picture import MappingPicture
from advisor.messages.mapping.optimise import Optimised
from advisor.messages.mapping.restarts import Restarted, Start
from advisor.studies.facts import MOST_FACTS
from advisor.studies.mapping.parameters import MappingParameters
from advisor.studies.mapping.run import run
from advisor.studies.mapping.starts import spread_fact, spread_sentence

pytestmark = pytest.mark.usefixtures("compiled")
ASKED = MappingParameters(
    dims="4x4", pattern="random", messages=60, objective="hop-bytes", seconds=0.001
)


def case(*hop_bytes: float, rounds: int = 3) -> tuple[MappingPicture, Restarted]:
    """A picture, and starts that reached these."""
    picture = run(ASKED).picture(MappingPicture)
    assert picture is not None
    order = picture.orders[-1]
    found = [
        Optimised(order.mapping, replace(order.measures, hop_bytes=one), "snake", 1.0, True, rounds)
        for one in hop_bytes
    ]
    return picture, Restarted(found[0], tuple(Start(seed, one) for seed, one in enumerate(found)))


@pytest.mark.parametrize(
    ("reached", "said"),
    [
        ((4e3, 4e3, 4e3), "All 3 starts end at 4.00 kB of hop-bytes."),
        (
            (4e3, 5e3, 4.4e3),
            "1 of 3 starts ends at the least, the worst at 5.00 kB, 25 % above: more starts may "
            "find less.",
        ),
        ((5e3, 4e3, 4e3), "2 of 3 starts end at the least, the worst at 5.00 kB, 25 % above."),
        (
            (0.0, 2e3),
            "1 of 2 starts ends at the least, the worst at 2.00 kB: more starts may find less.",
        ),
    ],
)
def test_the_sentence_counts_those_that_reached_the_least(
    reached: tuple[float, ...], said: str
) -> None:
    assert spread_sentence(*case(*reached)) == said


def test_starts_without_random_moves_are_said_to_be_one() -> None:
    short = "3 starts are one and the same: the budget of each ends before its first random moves"
    assert spread_sentence(*case(4e3, 4e3, 4e3, rounds=0)).startswith(short)
    proved = "2 starts are one and the same: the bound is reached without random moves."
    assert spread_sentence(*case(1.0, 1.0, rounds=0)) == proved


def test_the_fact_is_the_range_of_what_the_starts_reached() -> None:
    fact = spread_fact(*case(4e3, 5e3, 4.4e3))
    assert (fact.name, fact.value, fact.most, fact.unit) == ("3 starts", 4e3, 5e3, "B")
    assert fact.text == "4.00 kB to 5.00 kB"


@pytest.mark.parametrize("objective", ["hop-bytes", "busiest", "logpc"])
def test_several_starts_are_listed_and_summed_up(objective: str) -> None:
    result = run(replace(ASKED, restarts=4, objective=objective, seed=7))
    orders, starts = result.tables
    assert orders.title == "Orders"
    assert [row[0] for row in starts.rows] == ["7", "8", "9", "10"]
    assert len(result.facts) == MOST_FACTS
    assert result.facts[-1].name == "4 starts"
    assert "4 starts" in result.reasons[-1]


def test_a_single_start_says_nothing_of_a_spread() -> None:
    result = run(ASKED)
    assert [table.title for table in result.tables] == ["Orders"]
    assert not any("start" in reason for reason in result.reasons)

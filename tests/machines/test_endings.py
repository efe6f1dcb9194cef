"""A name never says another format than what is in the file."""

from __future__ import annotations

from pathlib import Path

import pytest

from machines.errors import InputError
from machines.folders import ended, refuse_other_ending

OFFERED = (".json", ".csv", ".csv", ".dot")


@pytest.mark.parametrize(
    ("typed", "chosen", "file", "format_"),
    [
        ("plan", 0, "plan.json", 0),
        ("plan.json", 0, "plan.json", 0),
        ("plan.csv", 0, "plan.csv", 1),  # what is typed decides
        ("plan.CSV", 0, "plan.CSV", 1),
        ("plan.csv", 2, "plan.csv", 2),  # of two formats that share it, the chosen one
        ("plan.v1.2", 3, "plan.v1.2.dot", 3),
        ("plan.svg", 1, "plan.svg.csv", 1),  # not on offer
        ("plan.", 1, "plan..csv", 1),
        ("json", 1, "json.csv", 1),
    ],
)
def test_the_ending_typed_decides_where_it_is_offered_else_the_right_one_is_appended(
    typed: str, chosen: int, file: str, format_: int
) -> None:
    assert ended(Path("folder", typed), OFFERED, chosen) == (Path("folder", file), format_)


@pytest.mark.parametrize("name", ["a.csv", "a", "a.txt", "/dev/stdout", "a.json.csv"])
def test_a_name_that_says_no_other_format_may_be_used(name: str) -> None:
    refuse_other_ending(name, ".csv", OFFERED)


def test_a_name_that_says_another_format_is_refused_with_both_endings() -> None:
    with pytest.raises(InputError, match=r"a\.json") as caught:
        refuse_other_ending("a.json", ".csv", OFFERED)
    assert ".csv" in str(caught.value)
    assert ".json" in str(caught.value)

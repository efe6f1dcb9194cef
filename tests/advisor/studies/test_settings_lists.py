"""Lists of numbers in one setting."""

from __future__ import annotations

import pytest

from advisor.studies.settings_lists import number_list, pairs
from machines import InputError


@pytest.mark.parametrize(
    "text",
    ["40,40,160", "40 40 160", "2x40, 160", "2 × 40; 160", "2*40 1.6e2", " 40 ,\t40 ,160, "],
)
def test_a_list_is_written_as_people_write_it(text: str) -> None:
    assert number_list(text, "here") == (40.0, 40.0, 160.0)


def test_a_pair_may_lack_its_second_number() -> None:
    assert pairs("0.5/0.25, 2x.3, 1 / 0", "here") == (
        (0.5, 0.25),
        (0.3, 0.0),
        (0.3, 0.0),
        (1.0, 0.0),
    )


@pytest.mark.parametrize(
    ("text", "word"),
    [
        ("", "empty"), (",;", "empty"), ("40, fast", "'fast'"), ("40 cycles", "'cycles'"),
        ("-1", "≥ 0"), ("nan", "≥ 0"), ("inf", "≥ 0"), ("0x40", "0 times"),
        ("999999x1", "1 to 10000"), ("3x", "no number"),
    ],
)  # fmt: skip
def test_what_is_no_list_is_refused_with_its_entry(text: str, word: str) -> None:
    with pytest.raises(InputError, match=word) as raised:
        number_list(text, "setting demands")
    assert raised.value.where == "setting demands"


def test_a_pair_of_other_signs_is_refused() -> None:
    with pytest.raises(InputError, match=r"0\.5/-1"):
        pairs("0.5/-1", "here")

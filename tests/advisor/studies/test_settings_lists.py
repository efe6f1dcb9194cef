"""Lists of numbers in one setting."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

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
    with pytest.raises(InputError, match=r"0\.5/-1.*e\.g\. 0\.5, 0\.5/0\.3"):
        pairs("0.5/-1", "here")


NUMBERS = st.floats(0.0, 1e12)


@given(
    st.lists(NUMBERS, min_size=1, max_size=8), st.sampled_from([",", ";", " ", "\t", " , ", "; "])
)
def test_numbers_are_read_in_order_to_the_last_digit(values: list[float], apart: str) -> None:
    assert number_list(apart.join(map(repr, values)), "here") == tuple(values)


@given(st.lists(st.tuples(st.integers(1, 20), NUMBERS), min_size=1, max_size=5),
       st.sampled_from(["x", "×", "*", " x ", " × "]))  # fmt: skip
def test_an_entry_that_is_repeated_is_as_if_it_were_written_so_often(
    entries: list[tuple[int, float]], sign: str
) -> None:
    short = ", ".join(f"{times}{sign}{value!r}" for times, value in entries)
    long = ", ".join(repr(value) for times, value in entries for _ in range(times))
    assert number_list(short, "here") == number_list(long, "here")


@given(st.lists(st.tuples(NUMBERS, NUMBERS), min_size=1, max_size=6))
def test_pairs_are_read_as_they_are_written(values: list[tuple[float, float]]) -> None:
    for slash in ("/", " / "):
        assert pairs(", ".join(f"{a!r}{slash}{b!r}" for a, b in values), "here") == tuple(values)


@pytest.mark.parametrize("text", ["3x1", "1, 1, 1", "2x1, 1"])
def test_as_many_as_are_allowed_are_read_and_one_more_is_not(text: str) -> None:
    assert number_list(text, "here", most=3) == (1.0, 1.0, 1.0)
    assert pairs(text, "here", most=3) == ((1.0, 0.0),) * 3
    for read in (number_list, pairs):
        with pytest.raises(InputError) as refused:
            read(f"{text}, 7", "setting delays", most=3)
        error = refused.value
        assert (error.where, error.value) == ("setting delays", 4)
        assert error.remedy == "Allowed: 1 to 3"


@pytest.mark.parametrize(
    "entry",
    [
        "2x3x4",
        "1.5x3",
        "x3",
        "3x",
        "1234567x1",
        "0.5/",
        "1/2",
        "+-1",
        "1e999",
        "1,5x",
        "٣",
        "1_0",
        "٣x1",
    ],
)
def test_an_entry_that_is_no_number_is_refused_as_it_was_written(entry: str) -> None:
    with pytest.raises(InputError) as refused:
        number_list(f"40, {entry}", "setting demands")
    error = refused.value
    assert error.value in {entry, entry.rpartition(",")[2]}
    assert error.what == "an entry of the list is no number ≥ 0"
    assert "5x40" in error.remedy


@pytest.mark.parametrize("entry", ["1/2/3", "/1", "1/", "0.5/x", "1/nan", "2x1/-1"])
def test_an_entry_that_is_no_pair_is_refused_whole(entry: str) -> None:
    with pytest.raises(InputError) as refused:
        pairs(f"0.5/0.5, {entry}", "setting contenders")
    assert refused.value.value == entry


def test_a_list_of_nothing_says_what_to_write() -> None:
    for read, example in ((number_list, "40, 40"), (pairs, "0.5, 0.5/0.3")):
        with pytest.raises(
            InputError, match=rf"here: the list is empty\. Write numbers, e\.g\. {example}"
        ):
            read(" ; , ", "here")

"""Which key opens which page."""

from __future__ import annotations

from string import ascii_uppercase

from gui.shell.page_keys import page_keys

NINE = ["Allocation", "Styles", "Mapping", "Blocks", "Trees", "Scaling", "Sharing", "Memory", "Own"]


def keys(*later: str, taken: tuple[str, ...] = ()) -> list[tuple[str, ...]]:
    """Those of the pages beyond nine."""
    return list(page_keys([*NINE, *later], taken))[9:]


def test_nine_pages_have_numbers() -> None:
    assert list(page_keys(NINE, ())) == [(str(number),) for number in range(1, 10)]


def test_a_later_page_has_the_first_letter_of_its_title_that_is_free() -> None:
    assert keys("Compare", "Evidence", "Energy", "Cost") == [("C",), ("E",), ("N",), ("O",)]


def test_a_key_of_another_action_is_left_to_it() -> None:
    assert keys("Flows", taken=("F", "Ctrl+L")) == [("L",)]


def test_only_letters_of_the_alphabet_are_keys() -> None:
    assert keys("± ß 3 x") == [("S",)]
    assert keys("量") == [("A",)]


def test_pages_beyond_the_alphabet_have_no_key_and_no_key_is_given_twice() -> None:
    found = keys(*(["Evidence"] * 30))
    letters = [key for one in found for key in one]
    assert sorted(letters) == list(ascii_uppercase)
    assert found[26:] == [()] * 4

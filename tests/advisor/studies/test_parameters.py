"""Settings read from texts and written back: kinds, units, former names, and what is refused."""

from __future__ import annotations

import math
from dataclasses import dataclass

import pytest
from hypothesis import given
from hypothesis import strategies as st

from advisor.studies import STUDIES, parse_settings
from advisor.studies.parameters import parameter, parameters_of, parsed, written
from machines import InputError


@dataclass(frozen=True)
class Record:
    size: int = parameter(4, unit="B", low=1, high=2**40, help="How big.")
    rate: float = parameter(1.5, unit="s", low=0.0, high=1e6, above=True, help="How fast.")
    share: float = parameter(0.5, low=0.0, high=1.0, help="How much.")
    steps: int = parameter(3, low=0, help="How many.")
    limit: float | None = parameter(None, low=0.0, empty="the longest", help="Up to where.")
    kind: str = parameter("plain", choices=("plain", "fancy"), synonyms={"posh": "fancy"}, help="-")
    tone: str | None = parameter(None, choices=("low", "high"), help="Which.")
    name: str = parameter("", formerly=("label", "caption"), help="What to call it.")
    loud: bool = parameter(False, help="Whether.")


FIELDS = {one.name: one for one in parameters_of(Record)}


def refused(name: str, text: str) -> InputError:
    with pytest.raises(InputError) as found:
        parsed(FIELDS[name], text)
    return found.value


@given(st.floats(min_value=0.0, max_value=1.0))
def test_a_number_that_was_written_is_read_to_its_last_digit(value: float) -> None:
    assert parsed(FIELDS["share"], written(value)) == value


@given(st.integers(1, 2**40))
def test_a_whole_number_that_was_written_is_read_back(value: int) -> None:
    found = parsed(FIELDS["size"], written(value))
    assert found == value
    assert isinstance(found, int)


@pytest.mark.parametrize(
    ("name", "value"),
    [("loud", True), ("loud", False), ("limit", None), ("limit", 0.0), ("limit", 1e15),
     ("tone", None), ("tone", "high"), ("kind", "fancy"), ("name", "a = b, c")],
)  # fmt: skip
def test_what_was_written_is_read_as_what_it_was(name: str, value: object) -> None:
    found = parsed(FIELDS[name], written(value))
    assert found == value
    assert type(found) is type(value)


@pytest.mark.parametrize(
    ("name", "text", "value"),
    [
        ("size", "64 KiB", 65_536),
        ("size", "2k", 2000),
        ("size", "1.5 kB", 1500),
        ("size", "1 MB", 10**6),
        ("rate", "12 ms", 0.012),
        ("rate", "12 m", 0.012),
        ("rate", "3 µs", 3e-6),
        ("rate", "3us", 3e-6),
        ("rate", "1e-3 s", 1e-3),
        ("rate", "2 ks", 2000.0),
        ("steps", "2.5k", 2500),
        ("share", "500m", 0.5),
    ],
)
def test_a_number_is_read_in_the_unit_of_its_field(name: str, text: str, value: float) -> None:
    assert parsed(FIELDS[name], text) == pytest.approx(value)


@pytest.mark.parametrize(
    ("name", "text", "words"),
    [
        ("size", "64 KiS", "whole number"),
        ("size", "", "whole number"),
        ("size", "2.0", "whole number"),
        ("steps", "0.5k2", "whole number"),
        ("steps", "2.0001 k", "whole number"),
        ("rate", "12 kg", "number"),
        ("rate", "1 2", "number"),
        ("rate", "s", "number"),
        ("share", "half", "number"),
        ("share", "1e", "number"),
    ],
)
def test_a_text_that_is_no_number_is_named_with_its_field(name: str, text: str, words: str) -> None:
    error = refused(name, text)
    assert str(error).startswith(f"setting {name}: this is no {words}")
    assert (error.where, error.value) == (f"setting {name}", text)


@pytest.mark.parametrize(
    ("name", "text", "allowed"),
    [
        ("size", "0", "1 to 1,099,511,627,776 B"),
        ("size", "2 TiB", "1 to 1,099,511,627,776 B"),
        ("rate", "0", "more than 0 to 1,000,000 s"),
        ("rate", "-1 ms", "more than 0 to 1,000,000 s"),
        ("share", "1.0000001", "0 to 1"),
        ("share", "nan", "0 to 1"),
        ("steps", "-1", "0 to inf"),
        ("limit", "inf", "0 to inf"),
        ("limit", "1e400", "0 to inf"),
    ],
)
def test_a_number_out_of_range_is_refused_with_the_range_and_the_unit(
    name: str, text: str, allowed: str
) -> None:
    error = refused(name, text)
    assert error.remedy == f"Allowed: {allowed}"
    assert error.value == text


@pytest.mark.parametrize("name", ["size", "rate", "share"])
def test_the_ends_of_a_range_belong_to_it(name: str) -> None:
    one = FIELDS[name]
    for end in (one.low, one.high):
        text = written(one.kind(end))
        if one.above and end == one.low:
            refused(name, text)
        else:
            assert parsed(one, text) == end


@pytest.mark.parametrize("text", ["", "auto", "AUTO", "the longest", "The Longest"])
def test_nothing_and_its_words_leave_it_open(text: str) -> None:
    assert parsed(FIELDS["limit"], text) is None


@pytest.mark.parametrize("text", ["", "auto", "the longest"])
def test_what_must_be_given_is_not_left_open(text: str) -> None:
    refused("share", text)
    refused("loud", text)
    refused("kind", text)


def test_a_choice_goes_by_its_other_names_too() -> None:
    assert parsed(FIELDS["kind"], "posh") == "fancy"
    error = refused("kind", "Posh")
    assert (error.where, error.value) == ("setting kind", "Posh")
    assert error.remedy == "Allowed: plain, fancy"


@pytest.mark.parametrize(
    ("text", "value"),
    [("yes", True), ("TRUE", True), ("1", True), ("no", False), ("False", False), ("0", False)],
)
def test_yes_and_no_are_written_as_people_do(text: str, value: bool) -> None:
    assert parsed(FIELDS["loud"], text) is value
    assert refused("loud", f"{text}!").where == "setting loud"


def test_a_former_name_still_sets_it_and_counts_as_it() -> None:
    for name in ("name", "label", "caption"):
        assert parse_settings(Record, [f"{name}=x"]).name == "x"
    with pytest.raises(InputError, match="setting name: this setting is given twice"):
        parse_settings(Record, ["caption=x", "label=y"])


@pytest.mark.parametrize(
    ("settings", "words"),
    [
        (["size"], r"a setting is key=value \(got 'size'\)\. Settings: size, rate, share"),
        (["=3"], r"unknown setting \(got ''\)"),
        (["labl=x"], "Did you mean label"),
        (["Size=3"], "Did you mean size"),
        (["zzz=red"], r"unknown setting \(got 'zzz'\)\. Settings: size"),
        (["size=1", " size =2"], "setting size: this setting is given twice"),
    ],
)
def test_a_setting_of_no_field_is_refused_with_those_there_are(
    settings: list[str], words: str
) -> None:
    with pytest.raises(InputError, match=words):
        parse_settings(Record, settings)


def test_the_order_of_settings_is_free() -> None:
    texts = ["size=8", "kind=posh", "loud=yes", "limit=3"]
    assert parse_settings(Record, texts) == parse_settings(Record, reversed(texts))
    assert parse_settings(Record, []) == Record()


def test_a_number_that_may_be_left_open_is_never_taken_for_open() -> None:
    every = [one for study in STUDIES.values() for one in parameters_of(study.record)]
    numbers = [one for one in every if one.kind in {int, float} and one.optional]
    assert numbers
    for one in numbers:
        least = math.ceil(one.low) if math.isfinite(one.low) else 0
        for value in filter(one.high.__ge__, range(least, least + 4)):
            assert parsed(one, str(value)) == value, one.name

"""Settings read from texts and written back: kinds, units, former names, and what is refused."""

from __future__ import annotations

import math
from dataclasses import dataclass

import pytest
from hypothesis import given
from hypothesis import strategies as st

from advisor.studies import STUDIES, parse_settings
from advisor.studies.parameters import number_list, pairs, parameter, parameters_of, parsed, written
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

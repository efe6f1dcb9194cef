"""Hosts as users and batch systems write them: names, cores, ranges, and what is refused."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from advisor.basics.host_list import parse_capacities
from machines import InputError


def names(text: str) -> list[str]:
    return [host for host, _ in parse_capacities(text)]


def numbered(stem: str, first: int, last: int, digits: int = 1) -> list[str]:
    return [f"{stem}{number:0{digits}d}" for number in range(first, last + 1)]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("node[01-08]", numbered("node", 1, 8, 2)),
        ("node[8-11]", numbered("node", 8, 11)),
        ("node[098-101]", ["node098", "node099", "node100", "node101"]),
        ("node[1-3,7],login1", [*numbered("node", 1, 3), "node7", "login1"]),
        ("cn[001-004,101-102]", [*numbered("cn", 1, 4, 3), "cn101", "cn102"]),
        ("n[5]", ["n5"]),
        ("r[1-2]n[01-02]", ["r1n01", "r1n02", "r2n01", "r2n02"]),
        ("n[1-2].site.org", ["n1.site.org", "n2.site.org"]),
        ("n[1, 3], m", ["n1", "n3", "m"]),
        ("a,b\nc", ["a", "b", "c"]),
    ],
)
def test_ranges_are_written_out_in_their_order(text: str, expected: list[str]) -> None:
    assert names(text) == expected


@pytest.mark.parametrize(
    "suffix",
    [
        ":8",
        " : 8",
        " 8",
        " slots=8",
        " slots = 8",
        "\t8  # cores",
        " slots=8 max_slots=9",
        " slots=8 max-slots = 9",
    ],
)
def test_every_host_of_a_range_has_the_cores_of_its_line(suffix: str) -> None:
    assert parse_capacities(f"n[1-2]{suffix}", cores=3) == (("n1", 8), ("n2", 8))


def test_entries_of_a_list_may_have_cores_of_their_own() -> None:
    assert parse_capacities("n[1-2]:8,login:2,x slots=4") == (
        ("n1", 8), ("n2", 8), ("login", 2), ("x", 4)
    )  # fmt: skip


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("a\nn[01-]", r"line 2: this is no host \(got 'n\[01-\]'\)"),
        ("n[-3]", "this is no host"),
        ("n[1-3", "this is no host"),
        ("n1-3]", "this is no host"),
        ("n[]", "this is no host"),
        ("n[[1-2]]", "this is no host"),
        ("n[1-2-3]", "this is no host"),
        ("n[a-c]", "this is no host"),
        ("n[1-2]-", "this is no host"),
        ("-n[1-2]", "this is no host"),
        ("n[1,]", "this is no host"),
        ("a,", "this is no host"),
        ("a,,b", "this is no host"),
        ("user@n[1-2]", "this is no host"),
        ("n[٠-٣]", "this is no host"),
        ("n[1-2]:٨", "this is no host"),
        ("n[1-2]:", "this is no host"),
        ("n[1-1234567890]", "this is no host"),
        ("n[5-3]", "the range 5-3 falls"),
        ("n[1-2]:0", "the cores are out of range"),
        ("n[1-100001]", r"line 1: too many hosts .*Allowed: 100,000 in all"),
        ("r[1-1000]n[1-1000]", "too many hosts"),
        ("n[1-60000]\nm[1-60000]", "line 2: too many hosts"),
        ("[" * 1000, "this is no host"),
    ],
)
def test_what_is_cut_falls_or_grows_too_large_is_refused(text: str, message: str) -> None:
    with pytest.raises(InputError, match=message):
        parse_capacities(text)


def test_as_many_hosts_as_are_allowed_are_read() -> None:
    assert len(parse_capacities("n[1-100000]")) == 100_000


@given(
    st.lists(
        st.tuples(st.integers(0, 900), st.integers(0, 30), st.integers(1, 4)),
        min_size=1, max_size=4,
    )
)  # fmt: skip
def test_written_ranges_give_their_numbers_back(spans: list[tuple[int, int, int]]) -> None:
    written = ",".join(f"{a:0{digits}d}-{a + more:0{digits}d}" for a, more, digits in spans)
    expected = [f"n{i:0{max(digits, len(str(a)))}d}" for a, more, digits in spans
                for i in range(a, a + more + 1)]  # fmt: skip
    assert names(f"n[{written}]") == expected


@pytest.mark.parametrize("digits", ["9999999999", "1000000000000016", "0", "00", "4097"])
def test_a_number_of_cores_is_never_cut(digits: str) -> None:
    with pytest.raises(
        InputError, match=rf"cores are out of range \(got '?{int(digits)}'?\).*1 to 4096"
    ):
        parse_capacities(f"n1:{digits}")


def test_zeros_before_a_number_of_cores_mean_nothing() -> None:
    assert parse_capacities("n1:000000000016\nn2 slots=0000004096") == (("n1", 16), ("n2", 4096))


@pytest.mark.parametrize("text", ["n٣", "n1:٣", "n[١-٣]", "n1 slots=٣", "n1 ３", "n[1-３]"])
def test_digits_of_other_scripts_are_no_numbers(text: str) -> None:
    with pytest.raises(InputError, match="this is no host"):
        parse_capacities(text)

"""Slugs: narrow names, different ones for different names."""

from __future__ import annotations

import re

from hypothesis import given
from hypothesis import strategies as st

from advisor.basics.slugs import slug, unique_slugs


@given(st.lists(st.text(max_size=80), max_size=8))
def test_slugs_are_narrow_and_differ_even_without_case(names: list[str]) -> None:
    found = unique_slugs(names)
    assert len({one.lower() for one in found}) == len(names)
    for one in found:
        assert re.fullmatch(r"[^\W\d_][A-Za-z0-9_]*", one)


def test_a_slug_says_as_much_of_the_name_as_it_can() -> None:
    assert slug("a b/c.d") == "a_b_c_d"
    assert slug("1st") == "t_1st"
    assert unique_slugs(["a b", "A-B", "$()"]) == ["a_b", "A_B_2", "task"]

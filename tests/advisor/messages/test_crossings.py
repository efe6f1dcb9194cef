"""Crossovers: found where the styles' own times change order, to the byte."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from advisor.messages.crossings import compared, crossings, limit
from advisor.messages.styles import ASYNCHRONOUS, BLOCKING, SHORT, STYLES, Style

LINE = {style: (1000.0 * place, 10.0 - place) for place, style in enumerate(STYLES)}


def line(style: Style, size: int) -> float:
    start, slope = LINE[style]
    return start + slope * size


def test_styles_that_differ_in_one_respect_are_compared() -> None:
    assert len(compared()) == 9
    for one, other in compared():
        assert (one.completion == other.completion) != (one.transport == other.transport)


def test_each_crossing_is_the_first_size_of_the_new_order() -> None:
    sizes = [1, 10, 100, 5000, 100_000]
    found = list(crossings(sizes, {s: [line(s, x) for x in sizes] for s in STYLES}, line))
    assert len(found) == 9
    for one in found:
        assert line(one.after, one.size) < line(one.before, one.size)
        assert line(one.after, one.size - 1) >= line(one.before, one.size - 1)
        assert one.time == line(one.after, one.size)


def test_ties_and_parallel_lines_cross_nowhere() -> None:
    sizes = [1, 10, 100]
    for rounding in (0.0, 1e-13):
        flat = {style: [5.0 + rounding * place] * 3 for place, style in enumerate(STYLES)}
        assert not list(crossings(sizes, flat, line))


def test_a_pair_may_cross_twice() -> None:
    short, long = Style(ASYNCHRONOUS, SHORT), Style(ASYNCHRONOUS, BLOCKING)

    def time(style: Style, size: int) -> float:
        return 1.0 if style != long else 0.5 if 20 <= size < 60 else 2.0

    sizes = list(range(1, 100, 7))
    found = [
        (one.after, one.size)
        for one in crossings(sizes, {s: [time(s, x) for x in sizes] for s in STYLES}, time)
        if {one.before, one.after} == {short, long}
    ]
    assert found == [(long, 20), (short, 60)]


@given(st.integers(1, 1000), st.integers(1, 1000), st.integers(1, 1000))
def test_a_limit_is_the_last_number_that_holds(here: int, end: int, edge: int) -> None:
    def leads(number: int) -> bool:
        return number <= edge if end > here else number >= edge

    if not leads(here):
        return
    found = limit(leads, here, end)
    if leads(end):
        assert found is None
    else:
        assert found == edge


def test_a_crossing_has_the_sizes_at_which_nobody_knows() -> None:
    sizes = list(range(1, 2000, 50))

    def alike(one: Style, other: Style, size: int) -> bool:
        return abs(line(one, size) - line(other, size)) <= 100.0

    for one in crossings(sizes, {s: [line(s, x) for x in sizes] for s in STYLES}, line, alike):
        assert one.alike is not None
        low, high = one.alike
        assert low < one.size <= high
        assert alike(one.before, one.after, low) and not alike(one.before, one.after, low - 1)
        assert high == sizes[-1] or not alike(one.before, one.after, high + 1)
    jump = list(
        crossings(sizes, {s: [line(s, x) for x in sizes] for s in STYLES}, line, lambda *_: False)
    )
    assert jump and all(one.alike is None for one in jump)

"""Drawings become SVG that says the same at any width; texts are cut where they must be."""

from __future__ import annotations

from itertools import pairwise

import pytest
from defusedxml.ElementTree import fromstring

from advisor.basics.causes import COLOURS
from advisor.export.report_page.gantt_figure import ticks, with_axis
from advisor.export.report_page.svg_drawing import (
    Box,
    Drawing,
    Profile,
    Word,
    readable_on,
    shortened,
    svg,
    text_px,
)
from tests.advisor.export.report_page.asked import SVG

PROFILE = Profile(0.0, 1.0, 0.0, 10.0, (("#000000", (50, 50, 0)), ("#FFFFFF", (0, 50, 100))))


def test_columns_of_a_profile_stand_on_each_other() -> None:
    root = fromstring(svg(Drawing(10.0, (PROFILE,)), "x"))
    below, above = (one.get("d") for one in root.iter(f"{SVG}path"))
    assert below == "M0 50H2V100H3V100H0Z"  # down from the top: half, half, nothing
    assert above == "M0 50H1V0H3V100H2V50H0Z"
    inner = root.find(f"{SVG}svg")
    assert inner is not None
    assert inner.get("viewBox") == "0 0 3 100"


def test_a_profile_of_fixed_width_is_stretched_by_a_transform() -> None:
    root = fromstring(svg(Drawing(10.0, (PROFILE,)), "x", 300.0))
    group = root.find(f"{SVG}g")
    assert group is not None
    assert group.get("transform") == "translate(0 0) scale(100 0.1)"


def test_texts_of_a_drawing_are_escaped() -> None:
    drawing = Drawing(9.0, (Word(0.0, 9.0, "<b>&"), Box(0.0, 1.0, 0.0, 9.0, "fill", says='"<')))
    root = fromstring(svg(drawing, '"><x'))
    assert root.get("aria-label") == '"><x'
    assert [one.text for one in root.iter(f"{SVG}text")] == ["<b>&"]
    assert [one.text for one in root.iter(f"{SVG}title")] == ['"<']


def test_a_text_that_is_too_long_ends_in_an_ellipsis() -> None:
    assert shortened("short", 200.0) == "short"
    cut = shortened("a very long name of a machine", 60.0)
    assert cut.endswith("…")
    assert text_px(cut) <= 60.0
    assert text_px("机器") > text_px("ab")


def test_writing_on_every_cause_can_be_read() -> None:
    assert readable_on("#0072B2") == "#FFFFFF"
    for colour in COLOURS.values():
        ground, ink = (_luminance(one) for one in (colour, readable_on(colour)))
        high, low = max(ground, ink), min(ground, ink)
        assert (high + 0.05) / (low + 0.05) >= 4.5


def _luminance(colour: str) -> float:
    parts = [int(colour[place : place + 2], 16) / 255 for place in (1, 3, 5)]
    red, green, blue = (p / 12.92 if p <= 0.03928 else ((p + 0.055) / 1.055) ** 2.4 for p in parts)
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue


@pytest.mark.parametrize("end_s", [1e-9, 0.5, 3.0, 48.0, 119.0, 121.0, 5000.0, 1e5, 1e7, 1e10])
def test_an_axis_has_few_round_times_up_to_its_end(end_s: float) -> None:
    found = ticks(end_s)
    assert 2 <= len(found) <= 6
    assert found[0] == 0.0
    assert found[-1] <= end_s * (1.0 + 1e-9)


def test_nothing_that_takes_time_has_one_tick() -> None:
    assert ticks(0.0) == (0.0,)


@pytest.mark.parametrize("end_s", [48.0, 5629.86, 1e5, 1e7])
def test_labels_of_an_axis_have_room_on_a_phone(end_s: float) -> None:
    drawing = with_axis([], 0.0, 10.0, end_s)
    labels = [one for one in drawing.shapes if isinstance(one, Word)]
    spans = []
    for label in labels:
        begin = 300.0 * label.x - (text_px(label.text) if label.end else 0.0)
        spans.append((begin, begin + text_px(label.text)))
    assert spans[0][0] >= 0.0
    assert spans[-1][1] <= 300.0 + 1e-9
    assert all(a[1] <= b[0] for a, b in pairwise(spans))
    assert labels[0].text == "0"

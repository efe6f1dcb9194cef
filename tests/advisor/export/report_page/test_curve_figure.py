"""Curves and points as a drawing: where values lie, round ticks, and the same at any width."""

from __future__ import annotations

import re

import numpy as np
import pytest
from defusedxml.ElementTree import fromstring

import resources
from advisor.basics import curve_colours
from advisor.export.report_page.curve_figure import curve_drawing
from advisor.export.report_page.svg_drawing import CURVES, Curve, Sign, Word, svg, text_px
from advisor.studies.study import Series
from tests.advisor.export.report_page.asked import SVG

AXES = ("load", "", "time", "s")
LINEAR, LOGARITHMIC = (False, False), (True, True)


def series(counts: bool = False) -> tuple[Series, ...]:
    x, y = (1.0, 10.0, 100.0), (2.0, 20.0, 200.0)
    return (
        Series("law", x, y, *AXES, counts=counts),
        Series("printed", (10.0,), (20.0,), *AXES, kind="points", labels=("time of <10>",)),
    )


def parts(drawing: object) -> tuple[list[Curve], list[Sign], list[Word]]:
    shapes = drawing.shapes  # type: ignore[attr-defined]
    signs = [one for one in shapes if isinstance(one, Sign) and one.says]
    return ([one for one in shapes if isinstance(one, Curve)], signs,
            [one for one in shapes if isinstance(one, Word)])  # fmt: skip


@pytest.mark.parametrize("logarithmic", [LINEAR, LOGARITHMIC])
def test_a_point_on_a_curve_is_drawn_on_it(logarithmic: tuple[bool, bool]) -> None:
    (curve,), (point,), _ = parts(curve_drawing(series(), logarithmic))
    assert point.x == pytest.approx(curve.x[1])
    assert point.y == pytest.approx(curve.y[1])
    along, down = np.diff(curve.x), np.diff(curve.y)
    assert (along > 0).all()
    assert (down < 0).all()
    steps_are_equal = bool(np.isclose(along[0], along[1])) and bool(np.isclose(down[0], down[1]))
    assert steps_are_equal == logarithmic[0]  # a power law is straight on logarithmic axes alone


def test_ticks_are_round_and_few_and_stand_where_their_values_are() -> None:
    (curve,), _, words = parts(curve_drawing(series(), LOGARITHMIC))
    below = {one.text: one.x for one in words if one.text in {"1", "10", "100"} and not one.end}
    assert [below[text] for text in ("1", "10", "100")] == pytest.approx(curve.x)
    linear = [one.text for one in parts(curve_drawing(series(), LINEAR))[2] if one.end]
    assert linear[:-1] == ["0", "50", "100", "150", "200"]


def test_things_that_count_have_whole_ticks() -> None:
    three = Series("law", (1.0, 2.0, 3.0), (1.0, 2.0, 3.0), *AXES, counts=True)
    words = parts(curve_drawing((three,), LINEAR))[2]
    assert [one.text for one in words if one.dx and not one.end] == ["law", "1", "2", "3"]
    real = Series("law", three.x, three.y, *AXES)
    assert "1.5" in [one.text for one in parts(curve_drawing((real,), LINEAR))[2]]


def test_axes_and_curves_are_named_and_a_title_is_on_top() -> None:
    drawing = curve_drawing(series(), LINEAR, "Fig. 1")
    words = parts(drawing)[2]
    assert {"law", "printed", "load", "time (s)", "Fig. 1"} <= {one.text for one in words}
    assert min(words, key=lambda one: one.y).text == "Fig. 1"
    assert all(0.0 < one.y <= drawing.height for one in words)


def test_names_beside_each_other_have_room_on_a_phone() -> None:
    long = Series("a law with a name that is long", (1.0, 2.0), (1.0, 2.0), *AXES)
    for first, columns in ((series()[0], 2), (long, 1)):
        words = parts(curve_drawing((first, series()[1]), LINEAR))[2]
        names = [one for one in words if one.text in {first.name, "printed"}]
        assert len({one.x for one in names}) == columns
        if columns == 2:
            assert 30.0 + text_px(first.name) <= 0.5 * 343.0


def test_the_drawing_is_the_same_at_any_width() -> None:
    drawing = curve_drawing(series(), LINEAR)
    fixed, free = (fromstring(svg(drawing, "x", width)) for width in (1000.0, None))
    curves = [
        next(one.get("d") for one in root.iter(f"{SVG}path") if one.get("vector-effect"))
        for root in (fixed, free)
    ]
    assert curves[0] == curves[1]  # stretched from 1000 units
    assert [one.text for one in free.iter(f"{SVG}title")] == ["time of <10>"]
    (point,) = (one for one in fixed.iter(f"{SVG}path") if one.find(f"{SVG}title") is not None)
    sign = parts(drawing)[1][0]
    moved = re.fullmatch(r"translate\((\S+) (\S+)\)", point.get("transform", ""))
    assert moved is not None
    assert [float(one) for one in moved.groups()] == pytest.approx(
        [1000 * sign.x, sign.y], abs=1e-3
    )


def test_the_style_sheet_has_the_colours_of_both_themes() -> None:
    text = (resources.folder("report") / "report.css").read_text(encoding="utf-8")
    for place, role in enumerate(CURVES):
        assert re.findall(rf"--{role}: (#\w+);", text) == [
            row[place].lower() for row in (curve_colours.LIGHT, curve_colours.DARK)
        ]
        assert f".s-{role} {{ stroke: var(--{role}); }}" in text

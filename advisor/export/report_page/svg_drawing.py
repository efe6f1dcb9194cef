"""Drawings as values: boxes, words, lines, profiles, curves and signs; `svg` of them at any width.

Across, positions are shares of the width, down they are pixels: text keeps its size whether a
drawing is shown on a phone or printed. Without a width the SVG is laid out by its reader.
"""

from __future__ import annotations

import math
import unicodedata
from collections.abc import Sequence
from dataclasses import dataclass
from html import escape

from advisor.basics import curve_colours

TEXT_PX = 12.0  # size of all words
NARROW_PX, WIDE_PX = 300.0, 620.0  # widths at which a word fits always, and on wide pages alone
_LETTER = 0.56  # mean width of a letter, in sizes of the text
# what a role looks like on paper and where no style sheet says otherwise
INK, MUTED, LINE, FILL, GROUND = "ink", "muted", "line", "fill", "page"
_PAPER = {
    INK: "#1B1D21",
    MUTED: "#5A6069",
    LINE: "#D5D8DE",
    FILL: "#7D93BA",
    GROUND: "#FFFFFF",
}
CURVES = tuple(f"curve-{place}" for place in range(len(curve_colours.LIGHT)))  # roles, too
_PAPER |= dict(zip(CURVES, curve_colours.LIGHT, strict=True))
_STRETCHED = 1000.0  # units across a curve without a width
_EDGE_PX = {INK: 1.5, GROUND: 1.0}


@dataclass(frozen=True)
class Box:
    """A rectangle.

    Attributes
    ----------
    x0, x1 : float
        Shares of the width.
    y, height : float
        Pixels.
    fill : str
        A colour, a role, or "none".
    says : str
        What a pointer over it is told.
    edge : str
        The role of its edge; empty: none.
    """

    x0: float
    x1: float
    y: float
    height: float
    fill: str
    says: str = ""
    edge: str = ""


@dataclass(frozen=True)
class Word:
    """A line of text, begun (or with `end` ended) at x and shifted by `dx` pixels.

    Attributes
    ----------
    y : float
        Of its base line, pixels.
    colour : str
        A colour or a role.
    roomy : bool
        Shown on wide pages alone: elsewhere it does not fit.
    """

    x: float
    y: float
    text: str
    colour: str = INK
    end: bool = False
    bold: bool = False
    dx: float = 0.0
    roomy: bool = False


@dataclass(frozen=True)
class Rule:
    """A vertical line at x; `strong` in ink, else quiet."""

    x: float
    y0: float
    y1: float
    strong: bool = False


@dataclass(frozen=True)
class Profile:
    """Columns of equal width from x0 to x1, in layers one above the other.

    Attributes
    ----------
    layers : tuple of (fill, heights)
        Heights of every column in hundredths of `height`, whole numbers; of all layers together
        at most 100.
    """

    x0: float
    x1: float
    y: float
    height: float
    layers: tuple[tuple[str, tuple[int, ...]], ...]


@dataclass(frozen=True)
class Curve:
    """A line through points, from the left to the right.

    Attributes
    ----------
    x : tuple of float
        Shares of the width.
    y : tuple of float
        Pixels.
    colour : str
        A colour or a role.
    dash : str
        Lengths of dashes and gaps in pixels; empty: a full line.
    """

    x: tuple[float, ...]
    y: tuple[float, ...]
    colour: str
    dash: str = ""


CIRCLE, SQUARE, TRIANGLE, LINE_SIGN = "circle", "square", "triangle", "line"
_SIGNS = {  # around their middle, but a line, which begins there
    CIRCLE: "M-4.5 0a4.5 4.5 0 1 0 9 0a4.5 4.5 0 1 0 -9 0z",
    SQUARE: "M-4 -4h8v8h-8z",
    TRIANGLE: "M0 -5.5L5.5 4.5H-5.5z",
    LINE_SIGN: "M0 0h24",
}


@dataclass(frozen=True)
class Sign:
    """A small sign at x, shifted by `dx` pixels: a point of a plot, or a line of its legend.

    Attributes
    ----------
    shape : str
        "circle", "square", "triangle" or "line".
    says : str
        What a pointer over it shows.
    """

    x: float
    y: float
    shape: str
    colour: str = INK
    dash: str = ""
    dx: float = 0.0
    says: str = ""


Shape = Box | Word | Rule | Profile | Curve | Sign


@dataclass(frozen=True)
class Drawing:
    """Shapes, from the back to the front, and how high all of it is in pixels."""

    height: float
    shapes: tuple[Shape, ...]


def text_px(text: str) -> float:
    """About how wide a text is: letters of the East are twice as wide."""
    wide = sum(unicodedata.east_asian_width(sign) in {"W", "F"} for sign in text)
    return TEXT_PX * _LETTER * (len(text) + 0.8 * wide)


def shortened(text: str, room_px: float) -> str:
    """The beginning of a text that fits, with an ellipsis where something is left out."""
    if text_px(text) <= room_px:
        return text
    kept = text
    while kept and text_px(f"{kept}…") > room_px:
        kept = kept[:-1]
    return f"{kept}…"


def readable_on(colour: str) -> str:
    """Black or white, whichever is easier to read on a colour (WCAG 2 relative luminance)."""
    linear = [int(colour[place : place + 2], 16) / 255.0 for place in (1, 3, 5)]
    parts = [one / 12.92 if one <= 0.03928 else ((one + 0.055) / 1.055) ** 2.4 for one in linear]
    luminance = 0.2126 * parts[0] + 0.7152 * parts[1] + 0.0722 * parts[2]
    return "#FFFFFF" if luminance < 0.179 else "#101214"


def svg(drawing: Drawing, says: str, width: float | None = None) -> str:
    """The drawing as SVG.

    Parameters
    ----------
    says : str
        What it shows, for those who can't see it.
    width : float, optional
        Pixels; left out, all that there is, and shares are written in per cent.
    """
    across = "100%" if width is None else _pixels(width)
    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" role="img" aria-label="{escape(says)}" '
        f'width="{across}" height="{_pixels(drawing.height)}" font-family="sans-serif" '
        f'font-size="{_pixels(TEXT_PX)}" overflow="visible">'
    ]
    parts += [_written(shape, width) for shape in drawing.shapes]
    return "".join([*parts, "</svg>"])


def _written(shape: Shape, width: float | None) -> str:
    if isinstance(shape, Box):
        return _box(shape, width)
    if isinstance(shape, Word):
        return _word(shape, width)
    if isinstance(shape, Rule):
        look = INK if shape.strong else LINE
        x = _at(shape.x, width)
        return (
            f'<line x1="{x}" x2="{x}" y1="{_pixels(shape.y0)}" y2="{_pixels(shape.y1)}" '
            f'class="s-{look}" stroke="{_PAPER[look]}"/>'
        )
    if isinstance(shape, Curve):
        return _curve(shape, width)
    return _sign(shape, width) if isinstance(shape, Sign) else _profile(shape, width)


def _box(box: Box, width: float | None) -> str:
    edge = ""
    if box.edge:
        thick = _pixels(_EDGE_PX[box.edge])
        edge = f' class="s-{box.edge}" stroke="{_PAPER[box.edge]}" stroke-width="{thick}"'
    where = (
        f'x="{_at(box.x0, width)}" y="{_pixels(box.y)}" width="{_at(box.x1 - box.x0, width)}" '
        f'height="{_pixels(box.height)}"'
    )
    start = f"<rect {where} {_filled(box.fill)}{edge}"
    return f"{start}><title>{escape(box.says)}</title></rect>" if box.says else f"{start}/>"


def _word(word: Word, width: float | None) -> str:
    more = ' text-anchor="end"' if word.end else ""
    more += ' font-weight="bold"' if word.bold else ""
    more += f' dx="{_pixels(word.dx)}"' if word.dx else ""
    look = _filled(word.colour, "roomy" if word.roomy else "")
    where = f'x="{_at(word.x, width)}" y="{_pixels(word.y)}"'
    return f"<text {where} {look}{more}>{escape(word.text)}</text>"


def _curve(curve: Curve, width: float | None) -> str:
    """Stretched to the width; the line keeps its own."""
    across = _STRETCHED if width is None else width
    points = [f"{_pixels(x * across)} {_pixels(y)}"
              for x, y in zip(curve.x, curve.y, strict=True)]  # fmt: skip
    look = _stroked(curve.colour, curve.dash)
    path = f'<path d="M{"L".join(points)}" {look} vector-effect="non-scaling-stroke"/>'
    if width is not None:
        return path
    height = math.ceil(max(curve.y)) + 1
    return (
        f'<svg width="100%" height="{height}" viewBox="0 0 {_STRETCHED:g} {height}" '
        f'preserveAspectRatio="none" overflow="visible">{path}</svg>'
    )


def _sign(sign: Sign, width: float | None) -> str:
    look = (
        _stroked(sign.colour, sign.dash) if sign.shape == LINE_SIGN
        else f'{_filled(sign.colour, f"s-{GROUND}")} stroke="{_PAPER[GROUND]}"'
    )  # fmt: skip
    title = f"<title>{escape(sign.says)}</title>" if sign.says else ""
    x, y = (sign.dx, 0.0) if width is None else (sign.x * width + sign.dx, sign.y)
    moved = f"translate({_pixels(x)} {_pixels(y)})"
    path = f'<path transform="{moved}" d="{_SIGNS[sign.shape]}" {look}>{title}</path>'
    if width is not None:
        return path
    return f'<svg x="{_at(sign.x, None)}" y="{_pixels(sign.y)}" overflow="visible">{path}</svg>'


def _stroked(colour: str, dash: str) -> str:
    """The attributes of a line without a fill."""
    kind = f'class="s-{colour}" ' if colour in _PAPER else ""
    dashes = f' stroke-dasharray="{dash}"' if dash else ""
    return f'{kind}fill="none" stroke="{_PAPER.get(colour, colour)}" stroke-width="2"{dashes}'


def _profile(profile: Profile, width: float | None) -> str:
    """Stretched to its place, whatever the width."""
    columns = len(profile.layers[0][1])
    paths = []
    below = [0] * columns
    for fill, heights in profile.layers:
        above = [low + high for low, high in zip(below, heights, strict=True)]
        paths.append(f'<path {_filled(fill)} d="{_band(below, above)}"/>')
        below = above
    inside = "".join(paths)
    if width is None:
        return (
            f'<svg x="{_at(profile.x0, None)}" y="{_pixels(profile.y)}" '
            f'width="{_at(profile.x1 - profile.x0, None)}" height="{_pixels(profile.height)}" '
            f'viewBox="0 0 {columns} 100" preserveAspectRatio="none">{inside}</svg>'
        )
    x, across = profile.x0 * width, (profile.x1 - profile.x0) * width / columns
    scale = f"scale({across:.5g} {profile.height / 100.0:.5g})"
    return f'<g transform="translate({x:.5g} {profile.y:.5g}) {scale}">{inside}</g>'


def _band(below: Sequence[int], above: Sequence[int]) -> str:
    """The outline of columns from one height to the other, 100 at the top."""
    columns = len(above)
    out = [f"M0 {100 - above[0]}"]
    out += [
        f"H{place}V{100 - above[place]}"
        for place in range(1, columns)
        if above[place] != above[place - 1]
    ]
    out.append(f"H{columns}V{100 - below[-1]}")
    out += [
        f"H{place}V{100 - below[place - 1]}"
        for place in range(columns - 1, 0, -1)
        if below[place] != below[place - 1]
    ]
    return "".join([*out, "H0Z"])


def _filled(fill: str, more: str = "") -> str:
    """The attributes of a fill: roles are classes, too, for style sheets."""
    names = " ".join(filter(None, (f"f-{fill}" if fill in _PAPER else "", more)))
    kind = f'class="{names}" ' if names else ""
    return f'{kind}fill="{_PAPER.get(fill, fill)}"'


def _at(share: float, width: float | None) -> str:
    """A share of the width, in per cent or in pixels."""
    return f"{_pixels(100.0 * share)}%" if width is None else _pixels(share * width)


def _pixels(value: float) -> str:
    return f"{value:.3f}".rstrip("0").rstrip(".")

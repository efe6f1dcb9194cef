"""The papers' figures, redrawn by the models, as SVG files and as one page with their numbers."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from advisor.basics.quantities import count
from advisor.export.report_page.curve_figure import curve_drawing
from advisor.export.report_page.html import html
from advisor.export.report_page.page_blocks import (
    MUTED,
    Block,
    Chapter,
    Figure,
    Listing,
    Page,
    Table,
    Text,
)
from advisor.export.report_page.svg_drawing import svg
from advisor.published.figure import Figure as Number
from advisor.published.redrawn.redrawn import NotRedrawn, Redrawn

PAGE = "figures.html"
_WIDTH_PX = 760.0  # of a file
_COLUMNS = ("number", "where", "printed", "model", "difference", "status")


def published_files(
    figures: Sequence[Redrawn], left_out: Sequence[NotRedrawn]
) -> Iterator[tuple[str, str]]:
    """(name, text) of every file: a picture each, and the page that shows all of them.

    Parameters
    ----------
    figures : sequence of Redrawn
    left_out : sequence of NotRedrawn
        What the page says of the other figures.
    """
    for figure in figures:
        drawing = curve_drawing(figure.series, figure.logarithmic, figure.heading)
        yield f"{figure.name}.svg", svg(drawing, _says(figure), _WIDTH_PX)
    yield PAGE, html(published_page(figures, left_out))


def published_page(figures: Sequence[Redrawn], left_out: Sequence[NotRedrawn]) -> Page:
    """One chapter a paper, each figure with its numbers, then what is not redrawn."""
    papers = dict.fromkeys(figure.model for figure in figures)
    chapters = [
        Chapter(
            f"paper-{place}",
            paper,
            tuple(block for one in figures if one.model == paper for block in _blocks(one)),
        )
        for place, paper in enumerate(papers, 1)
    ]
    table = Table(
        "Figures without a drawing",
        ("figure", "paper", "reason"),
        tuple((one.where, one.model, one.reason) for one in left_out),
    )
    chapters.append(Chapter("not-redrawn", "Not redrawn", (table,)))
    numbers = {number for figure in figures for number in figure.numbers}
    counted = f"{count(len(figures), 'figure')} with {count(len(numbers), 'printed number')}"
    return Page(
        "Published figures, redrawn by the models",
        f"{counted}: lines are the models' values, points what the papers print.",
        tuple(chapters),
    )


def _blocks(figure: Redrawn) -> Iterator[Block]:
    drawing = curve_drawing(figure.series, figure.logarithmic)
    yield Figure(figure.heading, drawing, figure.equation, _says(figure))
    if figure.note:
        yield Text(figure.note, MUTED)
    rows = tuple(
        (
            one.figure,
            one.where,
            one.printed_text,
            one.obtained_text or "–",
            one.difference_text or "–",
            one.status,
        )
        for one in figure.numbers
    )
    yield Table(f"Numbers of {figure.where}", _COLUMNS, rows, "llrrrl")
    alike: dict[str, list[Number]] = {}
    for one in figure.numbers:
        alike.setdefault(one.note, []).append(one)
    yield Listing(tuple(
        (f"{'; '.join(one.figure for one in numbers)}: {note}",
         ", ".join(dict.fromkeys(one.where for one in numbers)))
        for note, numbers in alike.items() if note
    ))  # fmt: skip


def _says(figure: Redrawn) -> str:
    """The figure in a sentence."""
    first, curves = figure.curves[0], "; ".join(one.name for one in figure.curves)
    return (
        f"{figure.heading}. {first.y_label} against {first.x_label}, curves: {curves}; "
        f"{count(len(figure.marks), 'printed point')}."
    )

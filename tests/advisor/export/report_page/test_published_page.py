"""The page of the papers' figures: every printed number, what the model gives, and the notes."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest
from defusedxml.ElementTree import fromstring

from advisor.export.report_page.html import html
from advisor.export.report_page.published_page import (
    PAGE,
    published_files,
    published_page,
)
from advisor.published.figure import REPRODUCED
from advisor.published.redrawn.figures import not_redrawn, redrawn_figures

FIGURES, LEFT_OUT = redrawn_figures(), not_redrawn()
XHTML = "{http://www.w3.org/1999/xhtml}"


@pytest.fixture(scope="module")
def root() -> Any:
    return fromstring(html(published_page(FIGURES, LEFT_OUT)))


def test_each_figure_has_a_picture_and_a_table_of_its_numbers(root: Any) -> None:
    captions = [one.text for one in root.iter(f"{XHTML}figcaption")]
    assert captions == [figure.equation for figure in FIGURES]
    tables = list(root.iter(f"{XHTML}table"))
    assert len(tables) == len(FIGURES) + 1
    for figure, table in zip(FIGURES, tables, strict=False):
        rows = [["".join(cell.itertext()) for cell in row]
                for row in table.find(f"{XHTML}tbody")]  # fmt: skip
        assert [row[:3] for row in rows] == [
            [one.figure, one.where, one.printed_text] for one in figure.numbers
        ]
        for row, number in zip(rows, figure.numbers, strict=True):
            assert row[3] == (number.obtained_text or "–")
            assert row[4:] == [number.difference_text or "–", number.status]


def test_a_disagreement_is_said_beside_the_figure(root: Any) -> None:
    said = [(one.text or "").strip() for one in root.iter(f"{XHTML}li")]
    for figure in FIGURES:
        for number in figure.numbers:
            if number.status != REPRODUCED:
                assert [text for text in said
                        if number.figure in text and text.endswith(f": {number.note}")]  # fmt: skip


def test_what_is_not_redrawn_has_its_reason(root: Any) -> None:
    text = "\n".join(root.itertext())
    assert all(one.reason in text for one in LEFT_OUT)


def test_a_file_a_figure_and_the_page() -> None:
    files = dict(published_files(FIGURES, LEFT_OUT))
    assert list(files) == [*(f"{one.name}.svg" for one in FIGURES), PAGE]
    for figure in FIGURES:
        picture = fromstring(files[f"{figure.name}.svg"])
        texts = [one.text for one in picture.iter("{http://www.w3.org/2000/svg}text")]
        assert figure.heading in texts
        assert {one.name for one in figure.series} <= set(texts)
        assert len(list(titles(picture))) == sum(
            len(one.y) for one in figure.series if one.kind == "points"
        )


def titles(picture: Any) -> Iterator[str]:
    """What its points say."""
    yield from (one.text for one in picture.iter("{http://www.w3.org/2000/svg}title"))

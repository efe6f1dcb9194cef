"""The figures of Gunther 2005 and of the R package usl: all listed, each judged."""

from collections import Counter
from pathlib import Path

from advisor.published.figure import DEVIATES, NOT_REPRODUCIBLE, REPRODUCED
from advisor.published.mrm_figures import figures

FIGURES = figures()
PAGE = Path(__file__).parents[3] / "docs" / "mrm.md"


def found(words, where=None):
    (figure,) = [one for one in FIGURES if words in one.figure and where in {None, one.where}]
    return figure


def test_what_deviates_or_is_withheld_says_why():
    for figure in FIGURES:
        if figure.status != REPRODUCED:
            assert figure.note
    assert "from P = 599 by Eq. (15), 528 by (17)" in found("worst case").note
    assert "60928" in found("the text's Z").note
    assert "29.902" in found("on the nCUBE2", "Fig. 6").note


def test_the_page_counts_them_right():
    counted = Counter(figure.status for figure in FIGURES)
    assert counted[REPRODUCED] > 30
    text = PAGE.read_text(encoding="utf-8")
    assert f"{len(FIGURES)} published numbers" in text
    for status in (REPRODUCED, DEVIATES, NOT_REPRODUCIBLE):
        assert f"{counted[status]} {status}" in text

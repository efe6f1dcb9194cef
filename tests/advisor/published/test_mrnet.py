"""The figures of the MRNet paper: all listed, each judged."""

import pytest

from advisor.published.figure import DEVIATES, NOT_REPRODUCIBLE, REPRODUCED
from advisor.published.mrnet import figures

FIGURES = figures()


@pytest.mark.parametrize(
    ("words", "printed", "obtained", "status"),
    [
        ("8g + 4o + 2L", 52, 52, REPRODUCED),
        ("each 4g", 16, 16, REPRODUCED),
        ("each 6g", 24, 24, REPRODUCED),
        ("may complete before", 52, 54, DEVIATES),
        ("times faster", 3.4, 3.4, REPRODUCED),
        ("64 daemons, flat", 60, 60, REPRODUCED),
        ("256 daemons, flat", 5, 3.75, REPRODUCED),
        ("16-way", 100, 100, REPRODUCED),
        ("skews over MRNet", 10.5, None, NOT_REPRODUCIBLE),
    ],
)
def test_what_the_paper_prints_stands_beside_what_the_model_gives(
    words, printed, obtained, status
) -> None:
    (figure,) = [one for one in FIGURES if words in one.figure]
    assert figure.printed == printed
    assert figure.obtained == (None if obtained is None else pytest.approx(obtained))
    assert figure.status == status


def test_what_deviates_says_why() -> None:
    for figure in FIGURES:
        assert figure.note or figure.status == REPRODUCED

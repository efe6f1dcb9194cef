"""The figures of Gunther 2005 and of the R package usl: all listed, each judged."""

from collections import Counter
from pathlib import Path

import pytest

from advisor.published.figure import DEVIATES, NOT_REPRODUCIBLE, REPRODUCED
from advisor.published.mrm import figures

FIGURES = figures()
PAGE = Path(__file__).parents[3] / "docs" / "mrm.md"


def found(words, where=None):
    (figure,) = [one for one in FIGURES if words in one.figure and where in {None, one.where}]
    return figure


@pytest.mark.parametrize(
    ("words", "where", "printed", "obtained", "status"),
    [
        ("S_A(4)", None, 2.8, 2.8, REPRODUCED),
        ("limit of S_A", None, 10, 10, REPRODUCED),
        ("cost function", "Table 2", 1 / 103, 0.00961538, DEVIATES),
        ("error of Eq. (20)", None, 1, 0.990099, REPRODUCED),
        ("P/ln P", None, 21.7147, 19.2775636, DEVIATES),
        ("worse than worst case", "Fig. 4", 1, 1.495504, DEVIATES),
        ("asymptote reached", None, 100, 99.9274, REPRODUCED),
        ("near-linear", None, 64, 63.0274, REPRODUCED),
        ("asynchronous messages are better", "sec. 8", 100, 114, DEVIATES),
        ("RTT_min", "sec. 7", 6700, 6760, DEVIATES),
        ("sigma of the nCUBE2", "sec. 7", 0.0274, 0.0273556, REPRODUCED),
        ("P_opt of Z = 12800,", None, 81, 81, REPRODUCED),
        ("P_opt of Z = 64000,", None, 401, 401, REPRODUCED),
        ("P_opt of Z = 128000,", None, 801, 801, REPRODUCED),
        ("P_opt by LogP", "Eq. (31)", 42.25, 42.25, REPRODUCED),
        ("latency at P = 1,", "Fig. 5", 360, 360, REPRODUCED),
        ("latency at P = 1024, cycles", "Fig. 5", 36_000, 35_840, REPRODUCED),
        ("with the text's Z", "Fig. 5", 36_000, 151_040, NOT_REPRODUCIBLE),
        ("load of the peak", "specsdm91", 96.51956, 96.5195610, REPRODUCED),
        ("throughput of the peak", "specsdm91", 1884, 1883.899, REPRODUCED),
        ("residual standard error", "specsdm91", 82.85, 82.8458200, REPRODUCED),
        ("limit without kappa", "specsdm91", 3245.589, 3245.588915, REPRODUCED),
        ("load of the peak", "raytracer", 450, 449.188, REPRODUCED),
        ("load of the peak", "tests", 316.0696, 316.069613, REPRODUCED),
    ],
)
def test_a_printed_result_is_set_beside_the_models(words, where, printed, obtained, status):
    figure = found(words, where)
    assert figure.printed == pytest.approx(printed, rel=1e-5)
    assert figure.obtained == pytest.approx(obtained, rel=1e-5)
    assert figure.status == status


def test_every_fitted_value_of_specsdm91_rounds_to_the_printed_one():
    fitted = [one for one in FIGURES if one.figure.startswith("fitted throughput")]
    assert [round(one.obtained) for one in fitted] == [90, 1078, 1541, 1850, 1879, 1822, 1646]


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
    assert f"{len(FIGURES)} published figures" in text
    for status in (REPRODUCED, DEVIATES, NOT_REPRODUCIBLE):
        assert f"{counted[status]} {status}" in text

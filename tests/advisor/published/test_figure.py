"""One published figure: its status follows from its values, and its record says all there is."""

from __future__ import annotations

import ast
import json
import re
from collections import Counter
from dataclasses import asdict
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from advisor.commands.cli import main
from advisor.published.figure import (
    DEVIATES,
    NOT_REPRODUCIBLE,
    REPRODUCED,
    Figure,
    at_most,
    compared,
    measured,
    unexplained,
    withheld,
)
from advisor.published.validate import published_figures

ROOT = Path(__file__).parents[3]
FIGURES = published_figures()
PAGES = {
    "Figueira & Berman 1996": "slowdown.md",
    "Moritz & Frank 2001": "logpc.md",
    "Gunther 2005": "mrm.md",
    "R package usl": "mrm.md",
    "Roth, Arnold & Miller 2003": "mrnet.md",
    "Parsons, Brorsson & Sevcik 1997": "dvsm.md",
}
WHERE = re.compile(
    r"(Tables? \d|Eq\. \(\d|Fig\. \d|sec\. \d|section on |abstract$|footnote \d|"
    r"specsdm91$|raytracer$|tests$)"
)
SOURCES = [  # all but where statuses are given and where they are named
    path
    for path in sorted((ROOT / "advisor" / "published").glob("*.py"))
    if path.name not in {"figure.py", "validate.py", "__init__.py"}
]
values = st.floats(1e-6, 1e9) | st.floats(-1e9, -1e-6)


@given(printed=values, share=st.floats(0.0, 2.0), within=st.floats(0.0, 1e3))
def test_a_value_reproduces_the_print_as_far_as_its_last_digit(
    printed: float, share: float, within: float
) -> None:
    obtained = printed + (share - 1.0) * within
    figure = compared("m", "f", "w", "i", printed, obtained, within=within)
    near = abs(obtained - printed) <= max(within, 1e-9 * max(abs(obtained), abs(printed)))
    assert figure.status == (REPRODUCED if near else DEVIATES)
    assert figure.deviation == pytest.approx(obtained / printed - 1.0)


@given(printed=st.floats(1e-6, 1e9), share=st.floats(0.1, 2.0))
def test_a_bound_is_reproduced_from_below_only(printed: float, share: float) -> None:
    figure = at_most("m", "f", "w", "i", printed, share * printed, "why")
    assert figure.status == (REPRODUCED if share * printed <= printed else DEVIATES)
    assert figure.deviation == share * printed / printed - 1.0


def test_what_no_model_can_give_is_never_reproduced_even_where_values_agree() -> None:
    for figure in (
        withheld("m", "f", "w", 3, "curves only"),
        measured("m", "f", "w", 3, "an input"),
        unexplained("m", "f", "w", "i", 3, 3.0, "by another reading"),
    ):
        assert figure.status == NOT_REPRODUCIBLE
        assert (figure.printed, bool(figure.note)) == (3.0, True)
        assert (figure.obtained is None) == (figure.deviation is None)


@pytest.mark.parametrize("path", SOURCES, ids=lambda path: path.name)
def test_no_source_of_figures_writes_a_status_by_hand(path: Path) -> None:
    statuses = {"REPRODUCED", "DEVIATES", "NOT_REPRODUCIBLE"}
    tree = ast.parse(path.read_text(encoding="utf-8"))
    called = {one.func.id for one in ast.walk(tree)
              if isinstance(one, ast.Call) and isinstance(one.func, ast.Name)}  # fmt: skip
    named = {one.id for one in ast.walk(tree) if isinstance(one, ast.Name)}
    written = {one.value for one in ast.walk(tree) if isinstance(one, ast.Constant)}
    assert "Figure" not in called
    assert not statuses & named
    assert not {REPRODUCED, DEVIATES, NOT_REPRODUCIBLE} & written


def test_every_record_is_complete() -> None:
    for figure in FIGURES:
        assert figure.model in PAGES
        assert WHERE.match(figure.where), figure
        assert figure.inputs, figure
        assert figure.printed != 0.0, figure
        for text in (figure.figure, figure.where, figure.inputs, figure.note):
            assert text == text.strip(), figure
        assert figure.note or figure.status == REPRODUCED, figure
        assert figure.obtained is not None or figure.status == NOT_REPRODUCIBLE, figure
        if figure.obtained is None:
            assert figure.inputs in {"not printed", "measured"}, figure
        else:
            assert figure.deviation == pytest.approx(figure.obtained / figure.printed - 1.0)


def test_times_and_shares_name_their_unit() -> None:
    for figure in FIGURES:
        title, unit = figure.figure, figure.figure.rpartition(", ")[2]
        if re.search(
            r"(^(wire|software|hardware|lock|fault|empty)|o_[sr]l?|latency L|C_[nr])\b", title
        ):
            assert unit in {"µs", "cycles", "%"}, figure
        if re.search(r"(average|largest|typical) .*error|overhead(?!.* o_)|improvement", title):
            assert "%" in unit, figure


def test_no_name_begins_with_a_bare_symbol() -> None:
    bare = [one.figure for one in FIGURES if re.match(r"[A-Za-z]+_[A-Za-z0-9]+", one.figure)]
    assert not bare


def test_the_readme_s_promise_holds_for_every_paper() -> None:
    assert {figure.model for figure in FIGURES} == set(PAGES)
    for model, name in PAGES.items():
        page = (ROOT / "docs" / name).read_text(encoding="utf-8")
        author = (
            "usl" if model == "R package usl" else model.split(",")[0].split(" & ")[0].split()[0]
        )
        assert author in page
        assert "`placewise validate`" in page


def test_pages_count_the_figures_of_their_papers() -> None:
    for name in dict.fromkeys(PAGES.values()):
        of_page = [one for one in FIGURES if PAGES[one.model] == name]
        text = " ".join((ROOT / "docs" / name).read_text(encoding="utf-8").split())
        counts = Counter(one.status for one in of_page)
        assert re.search(rf"\b{len(of_page)} (published )?numbers", text), name
        deviating = counts[DEVIATES] or "none"
        assert re.search(rf"\b{counts[REPRODUCED]} (are )?reproduced", text), name
        assert re.search(rf"\b{deviating} deviates?\b", text), name
        left = counts[NOT_REPRODUCIBLE]
        assert re.search(rf"\bfor {left} the paper|\b{left} not reproducible", text), name


def test_validate_writes_all_of_every_figure(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["validate", "--json"]) == 0
    told = json.loads(capsys.readouterr().out)["figures"]
    assert [Figure(**one) for one in told] == list(FIGURES)
    left_out = {"within"}  # of the reader's digits, not of the result
    assert told == [
        {key: value for key, value in asdict(one).items() if key not in left_out} for one in FIGURES
    ]


@pytest.mark.parametrize(
    ("printed", "obtained", "within", "texts"),
    [
        (3, 2.675, 0.5, ("3", "3")),
        (1000, 970.9, 50, ("1000", "1000")),
        (256, 266.0, 0.0, ("256", "266")),
        (4.0, 4.03, 0.05, ("4.0", "4.0")),
        (2.0, 2.2247, 0.0, ("2", "2.22")),
        (3612, 3610.75, 3.05, ("3612", "3611")),
        (1 / 103, 1 / 104, 0.0, ("0.00971", "0.00962")),
        (-0.5, -0.52, 0.05, ("−0.5", "−0.5")),
    ],
)
def test_a_figure_is_told_with_the_digits_of_its_paper(
    printed: float, obtained: float, within: float, texts: tuple[str, str]
) -> None:
    figure = compared("m", "f", "w", "i", printed, obtained, within=within)
    assert (figure.printed_text, figure.obtained_text) == texts
    assert figure.as_printed == (texts[0] == texts[1])


@pytest.mark.parametrize(
    ("printed", "obtained", "within", "text"),
    [(3, 2.9, 0.5, "as printed"), (100, 110, 0.0, "+10 %"), (100, 90, 0.0, "−10 %")],
)
def test_a_difference_is_a_share_of_the_print(
    printed: float, obtained: float, within: float, text: str
) -> None:
    figure = compared("m", "f", "w", "i", printed, obtained, within=within)
    assert figure.difference_text == text
    assert not measured("m", "f", "w", 3, "why").difference_text


def test_a_bound_that_is_kept_is_not_told_as_the_bound() -> None:
    figure = at_most("m", "f", "w", "i", 1.0, 0.99, "why")
    assert (figure.obtained_text, figure.as_printed) == ("0.990", False)


def test_validate_counts_by_status_and_shows_every_figure(
    capsys: pytest.CaptureFixture[str],
) -> None:
    assert main(["validate"]) == 0
    first, _, *rows = capsys.readouterr().out.splitlines()
    counts = Counter(one.status for one in FIGURES)
    assert first.startswith(f"{len(FIGURES)} published numbers: ")
    for status, count in counts.items():
        assert f"{count} {status}" in first
    assert len([row for row in rows if row.strip()]) == len(FIGURES) + 1

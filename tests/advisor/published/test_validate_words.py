"""`placewise validate`, as text and as JSON: of every figure what it is, and to which digit."""

from __future__ import annotations

import json
import math
import re
from collections import Counter
from decimal import Decimal
from pathlib import Path

import pytest

from advisor.commands.cli import main
from advisor.published.figure import DEVIATES, NOT_REPRODUCIBLE, REPRODUCED, Figure
from advisor.published.validate import published_figures

FIGURES = published_figures()
ROWS = ("model", "figure", "where", "printed", "obtained", "status")
DOCS = Path(__file__).parents[3] / "docs"

# further away than half a unit of the last printed digit, because
ROUGH = re.compile(
    r"“about”|“approximately|“almost”|“just below”|“up to|round number|no number is printed"
)
SUMS = re.compile(r"^(software at the (source|destination)|(fault|empty miss|lock)\b)")
BOUNDS = re.compile(r"at most|less than|largest|“worse than|may complete before")


def half_a_unit(printed: float) -> float:
    """Of the last digit that is not a zero behind the point."""
    exponent = Decimal(repr(printed)).normalize().as_tuple().exponent
    assert isinstance(exponent, int)
    return 0.5 * 10.0 ** min(exponent, 0)


@pytest.fixture
def text(capsys: pytest.CaptureFixture[str]) -> list[str]:
    assert main(["validate"]) == 0
    return capsys.readouterr().out.splitlines()


@pytest.fixture
def table(text: list[str]) -> list[dict[str, str]]:
    """The rows, cut where the header's columns begin."""
    header, *rows = text[2:]
    begins = [header.index(name) for name in ROWS]
    ends = [*begins[1:], None]
    return [
        {name: row[begin:end].strip() for name, begin, end in zip(ROWS, begins, ends, strict=True)}
        for row in rows
    ]


@pytest.fixture
def told(capsys: pytest.CaptureFixture[str]) -> list[dict[str, object]]:
    assert main(["validate", "--json"]) == 0

    def refused(word: str) -> None:
        raise AssertionError(f"{word} is no JSON")

    answer = json.loads(capsys.readouterr().out, parse_constant=refused)
    figures: list[dict[str, object]] = answer["figures"]
    return figures


def test_each_row_of_the_text_says_what_its_figure_is(table: list[dict[str, str]]) -> None:
    for row, figure in zip(table, FIGURES, strict=True):
        assert (row["model"], row["status"]) == (figure.model, figure.status)
        shown = row["figure"]
        assert figure.figure == shown or figure.figure.startswith(shown.removesuffix("…"))
        assert figure.where == row["where"]
        assert row["printed"] == figure.printed_text
        if figure.obtained is None:
            assert not row["obtained"]
        elif figure.as_printed:
            assert row["obtained"] == row["printed"]
        else:
            assert float(row["obtained"]) == pytest.approx(figure.obtained, rel=5e-3)
            assert row["obtained"] != row["printed"]


def test_rows_that_are_cut_can_still_be_told_apart(table: list[dict[str, str]]) -> None:
    keys = Counter((row["model"], row["figure"], row["where"]) for row in table)
    assert set(keys.values()) == {1}


def test_the_first_line_counts_what_stands_below_it(
    text: list[str], table: list[dict[str, str]]
) -> None:
    counts = {status: int(count) for count, status in re.findall(r"(\d+) ([a-z ]+?)[,.]", text[0])}
    assert counts == Counter(row["status"] for row in table)
    assert sum(counts.values()) == int(text[0].split()[0]) == len(table)


def test_papers_come_one_after_the_other(table: list[dict[str, str]]) -> None:
    order = [row["model"] for row in table]
    runs = [model for place, model in enumerate(order) if order[:place][-1:] != [model]]
    assert len(runs) == len(set(runs)) == 6


def test_a_number_reads_as_the_paper_prints_it_without_prefix(table: list[dict[str, str]]) -> None:
    for row in table:
        assert re.fullmatch(r"-?[\d.]+(e[+-]\d+)?", row["printed"]), row
        assert re.fullmatch(r"(-?[\d.]+(e[+-]\d+)?)?", row["obtained"]), row


def test_json_has_the_inputs_and_reasons_that_the_text_has_no_room_for(
    told: list[dict[str, object]], text: list[str]
) -> None:
    assert all(set(one) == {*ROWS, "inputs", "deviation", "note"} for one in told)
    for one, figure in zip(told, FIGURES, strict=True):
        assert (one["inputs"], one["note"]) == (figure.inputs, figure.note)
        if one["status"] != REPRODUCED:
            assert one["note"], one
    assert "misread 77" not in "\n".join(text)


def test_json_deviations_are_signed_shares_of_what_is_printed(
    told: list[dict[str, object]],
) -> None:
    for one in told:
        printed, obtained, deviation = (one[key] for key in ("printed", "obtained", "deviation"))
        assert isinstance(printed, float)
        if obtained is None:
            assert deviation is None
            continue
        assert isinstance(obtained, float)
        assert isinstance(deviation, float)
        assert math.isclose(printed * (1 + deviation), obtained, rel_tol=1e-12)
        assert (deviation > 0) == (obtained > printed)


def away(figure: Figure) -> float:
    """How far the model is from the print, in half units of the print's last digit."""
    assert figure.obtained is not None
    return abs(figure.obtained - figure.printed) / half_a_unit(figure.printed)


def test_what_is_reproduced_rounds_to_the_printed_digits_or_is_said_to_be_rough() -> None:
    for figure in FIGURES:
        if figure.status != REPRODUCED or away(figure) <= 1 + 1e-9 or BOUNDS.search(figure.figure):
            continue
        assert figure.obtained is not None
        if math.isclose(figure.obtained, figure.printed, rel_tol=1e-12):
            continue  # a formula, computed at full length
        if SUMS.search(figure.figure):  # each of at most nine cells may be half a unit off
            assert away(figure) <= 9, figure
        else:
            assert ROUGH.search(figure.note), figure
            assert abs(figure.obtained / figure.printed - 1) < 0.05, figure


def test_what_deviates_would_not_round_to_the_printed_digits() -> None:
    """Nothing is called wrong that is within the print's own precision."""
    for figure in FIGURES:
        if figure.status != DEVIATES or BOUNDS.search(figure.figure):
            continue
        if own := re.search(r"within ([\d.]+) %", figure.note):  # the print's own error
            assert 100 * abs(figure.deviation or 0.0) > float(own[1])
        else:
            assert away(figure) > 1, figure


def test_bounds_are_kept_from_their_own_side() -> None:
    bounds = [one for one in FIGURES if BOUNDS.search(one.figure) and one.obtained is not None]
    assert len(bounds) == 7
    for one in bounds:
        assert one.obtained is not None
        assert (one.status == REPRODUCED) == (one.obtained <= one.printed), one


def test_inputs_of_what_is_computed_are_numbers_words_or_the_paper_s_formula() -> None:
    for figure in FIGURES:
        if figure.obtained is not None:
            assert figure.inputs not in {"not printed", "measured"}, figure
        elif figure.inputs == "measured":
            assert figure.status == NOT_REPRODUCIBLE


def test_the_page_of_logpc_tells_what_deviates_in_the_numbers_that_come_out() -> None:
    page = " ".join((DOCS / "logpc.md").read_text(encoding="utf-8").split())
    values = {(one.figure, one.where): one.obtained or 0.0 for one in FIGURES}
    begins = values["size at which contention begins, bytes", "sec. 5.2.2"]
    slower = values["slowdown of the random mapping at 320 000 bytes, %", "sec. 1"]
    bound = values["impact of locality, at most", "abstract"]
    assert f"is below the model's own {bound:.2f}" in page
    assert f"begins at {begins / 1000:.0f} 000 bytes in the model" in page
    assert f"{slower:.0f} % slower in the model" in page

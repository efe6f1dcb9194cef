"""CSV that comes back as it was, whatever is in the names."""

from __future__ import annotations

import csv
import io

import pytest
from hypothesis import given
from hypothesis import strategies as st

from advisor.basics import csv_text
from machines import InputError

_cells = st.text(st.characters(exclude_categories=["Cs"], exclude_characters="'"), max_size=8)


@given(st.lists(st.tuples(_cells, st.floats(allow_nan=False, allow_infinity=False)), max_size=4))
def test_any_text_and_number_is_read_back(rows: list[tuple[str, float]]) -> None:
    text = csv_text.render(("name", "value"), rows)
    header, *found = csv.reader(io.StringIO(text, newline=""))
    assert header == ["name", "value"]
    plain = [(name, csv_text.plain_float(value)) for name, value in rows]
    assert [(_bare(name), float(value)) for name, value in found] == plain
    assert [value for _, value in plain] == pytest.approx([value for _, value in rows], rel=1e-14)


def test_numbers_have_no_digits_of_rounding() -> None:
    assert csv_text.render(("s",), [(3453.0020000000004,)]).splitlines()[1] == "3453.002"


def _bare(cell: str) -> str:
    """Without the apostrophe that keeps a spreadsheet from computing the cell."""
    return cell[1:] if cell.startswith("'") else cell


def test_formulas_are_disarmed_and_numbers_are_not() -> None:
    text = csv_text.render(("a", "b"), [("=HYPERLINK(1)", -1.5), ("-x", 2)])
    assert text.splitlines()[1:] == ['"\'=HYPERLINK(1)",-1.5', '"\'-x",2']


@pytest.mark.parametrize("content", ["x" * 200_000, '"open'])
def test_what_no_csv_can_be_is_told_with_its_line(content: str) -> None:
    with pytest.raises(InputError, match=r"^c\.csv: line 2: not valid CSV"):
        list(csv_text.cells(f"a\n{content}", "c.csv"))

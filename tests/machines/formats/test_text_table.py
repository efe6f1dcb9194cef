"""One reader of tables: every dialect gives the same numbers, and what is ambiguous is refused."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from machines import InputError
from machines.formats.text_table import text_table

numbers = st.one_of(
    st.integers(0, 10**6).map(float),
    st.floats(0.0, 1e12, allow_nan=False),
    st.floats(0.0, 1.0, allow_nan=False),
)
tables = st.integers(1, 5).flatmap(
    lambda columns: st.lists(
        st.lists(numbers, min_size=columns, max_size=columns), min_size=1, max_size=6
    )
)


@st.composite
def written(draw: st.DrawFn) -> tuple[str, list[list[float]]]:
    """A table in a random dialect, and its numbers."""
    rows = draw(tables)
    separator = draw(st.sampled_from([",", ";", "\t", " ", ", ", " ; ", "   "]))
    comma = separator.strip(" ") in {";", "\t"} and draw(st.booleans())
    quotes = draw(st.booleans())
    lines = ["; ".join(["x"] * len(rows[0]))] if separator == " ; " else []
    for row in rows:
        cells = [repr(value).replace(".", ",") if comma else repr(value) for value in row]
        if comma:  # 0,125 says that commas are decimal
            cells.append("0,5")
        elif len(row) == 1:  # a line without a separator has none
            cells.append("0.5")
        line = separator.join(f'"{cell}"' if quotes else cell for cell in cells)
        lines.append(line + draw(st.sampled_from(["", "  ", "  # note; 1,5", "\n", "\n# x\n"])))
    return draw(st.sampled_from(["\n", "\r\n"])).join(lines), rows


@given(written())
def test_what_is_written_in_any_dialect_is_read_back(case: tuple[str, list[list[float]]]) -> None:
    text, rows = case
    table = text_table(text, "t")
    body = table.rows[len(table.rows) - len(rows):]  # fmt: skip
    assert [[table.number(cell) for cell in row.cells[: len(rows[0])]] for row in body] == rows


def test_lines_keep_their_numbers_and_comments_end_outside_of_quotes() -> None:
    table = text_table('# first\n\n"a # b",1 # note\n;\n', "t")
    assert [(row.line, row.cells) for row in table.rows] == [(3, ('"a # b",1',))]
    table = text_table('# first\n\n"a # b",1 # note\n', "t")
    assert [(row.line, row.cells) for row in table.rows] == [(3, ("a # b", "1"))]


@pytest.mark.parametrize(("text", "decimal"), [
    ("1,5;2", True), ("1.5;2", False), ("1;2", False), ("1,234;2", True), ("0,125\t2", True),
    ("1,2345\t2", True), ("1,234e-3\t5", True), ('"1,5","2"', True), ("1,5", False),
])  # fmt: skip
def test_a_comma_is_decimal_where_it_can_be_nothing_else(text: str, decimal: bool) -> None:
    assert text_table(text, "t").decimal_comma is decimal


@pytest.mark.parametrize(("text", "message"), [
    ("1,5 2,5", r"t: line 1: blanks and commas both stand between digits \(got '5 2'\)"),
    ("1,5\t2\n1,5 2\t1.5", "line 2"),
    ("1,5;2.5", "line 1: decimal points and commas are mixed"),
    ("x;y\n1,5;2\n3;2.5", "line 3: decimal points and commas are mixed"),
    ("1,234\t5", "line 1: this may be 1.234 or 1234"),
    ('"1,234","5"', "line 1: this may be 1.234 or 1234"),
    ("1,234,567;5", "line 1: this number has several commas"),
    ("1.234,5;5", "line 1: this number has a sign for thousands"),
    ("1,234.5\t5", "line 1: this number has a sign for thousands"),
    ('a\n"1;2', "line 2: a quote is not closed"),
])  # fmt: skip
def test_what_may_be_read_two_ways_is_refused_with_its_line(text: str, message: str) -> None:
    with pytest.raises(InputError, match=message):
        text_table(text, "t")


@pytest.mark.parametrize("cell", ["", "x", "1_000", "٣", "0x10", "1 s", "1,5", "--1"])
def test_what_is_no_number_is_none(cell: str) -> None:
    assert text_table("1", "t").number(cell) is None

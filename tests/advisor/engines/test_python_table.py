"""Tables in scripts come back, line by line or as somebody has laid them out anew."""

from __future__ import annotations

import pytest

from advisor.engines import python_table
from machines import InputError

ROWS = [{"name": "a\n]\n", "command": ""}, {"name": "b", "command": "echo # {"}]


def test_rows_come_back_whatever_names_and_commands_hold() -> None:
    text = "x = 1\n" + python_table.render("JOBS", ROWS) + "y = 2\n"
    assert python_table.read(text, "JOBS") == ROWS


def test_entries_over_several_lines_are_read_too() -> None:
    assert python_table.read('JOBS = [\n    {"name":\n     "a"},\n]\n', "JOBS") == [{"name": "a"}]
    text = 'COMMANDS = {\n    "a":\n        "true",  # quick\n    "b": None,\n}\n'
    assert python_table.read_mapping(text, "COMMANDS") == {"a": "true", "b": None}


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ("JOBS = []\n", "is missing"),
        ("JOBS = [\n    {},\n", "is missing"),
        ("JOBS = [\n    print(1),\n]\n", "more than literals"),
        ("JOBS = [\n    {\n]\n", "more than literals"),
    ],
)
def test_what_is_no_table_of_literals_is_refused(text: str, says: str) -> None:
    with pytest.raises(InputError, match=says):
        python_table.read(text, "JOBS")

"""Tables as they are copied: Markdown, with prose around them, several in one file."""

from __future__ import annotations

import pytest

from advisor.scaling.data import Part, parse_measurements
from machines import InputError

TWO = """# Strong scaling
nodes,time (s)
1,100
2,60

Weak scaling
nodes,time (s)
1,100
2,104
"""


def test_markdown_is_read() -> None:
    text = "| Cores | Time (mins) |\n|:-----:|:----|\n|   4   |  **30** |\n| 8 | 24 |\n"
    data = parse_measurements(text)
    assert (data.processors, data.values, data.noun) == ((4, 8), (1800.0, 1440.0), "cores")


def test_a_grid_of_bars_is_read() -> None:
    text = "+---+------+\n| P | time |\n+---+------+\n| 1 | 9 |\n| 2 | 5 |\n+---+------+\n"
    assert parse_measurements(text).values == (9.0, 5.0)


def test_prose_before_a_table_is_passed_over() -> None:
    text = "We ran it on our cluster, thrice.\n\nP,time\n1,9\n2,5\n"
    assert parse_measurements(text).values == (9.0, 5.0)


def test_of_several_tables_one_is_chosen_and_its_title_says_the_scaling() -> None:
    weak = parse_measurements(TWO, part=Part(region="Weak scaling"))
    assert (weak.values, weak.scaling) == ((100.0, 104.0), "weak")
    strong = parse_measurements(TWO, part=Part(region="Strong scaling"))
    assert (strong.values, strong.scaling) == ((100.0, 60.0), "strong")
    with pytest.raises(InputError, match=r"2 tables.*as region: Strong scaling, Weak scaling"):
        parse_measurements(TWO)
    with pytest.raises(InputError, match="no such table"):
        parse_measurements(TWO, part=Part(region="Both"))


def test_the_only_table_that_can_be_read_is_taken() -> None:
    text = "host,colour\n1,red\n2,blue\n\nP,time\n1,9\n2,5\n"
    assert parse_measurements(text).values == (9.0, 5.0)

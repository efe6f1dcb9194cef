"""Text of the inspector's fields is read as a person means it, and written back exactly."""

from __future__ import annotations

import pytest

from gui.inspector import values
from machines import InputError


def test_data_sets_read_as_they_are_shown() -> None:
    sets = ((100, 2048.0), (1, 65536.0))
    assert values.data_sets(values.shown_data_sets(sets)) == sets
    assert values.data_sets("1 x 64 KiB") == ((1, 65536.0),)
    assert values.data_sets("") == ()
    with pytest.raises(InputError, match="count × bytes"):
        values.data_sets("100")


def test_lists_read_as_they_are_shown() -> None:
    assert values.numbers(values.shown_numbers((0.6, 1.1))) == (0.6, 1.1)
    assert values.names(values.shown_names(("M1", "M2"))) == ("M1", "M2")
    assert values.names(" ") is None


def test_nothing_written_can_mean_none() -> None:
    assert values.optional(values.count)("  ") is None
    assert values.optional(values.count)("4") == 4

"""Who is asked of a cluster's workers: those like this Placewise, as long as there are some."""

from __future__ import annotations

import pytest

from advisor.computing.session import CompatibleWorkers, Lost

OLD = ("numba 0.1 instead of 0.2",)


def crew() -> tuple[CompatibleWorkers, list[str]]:
    notes: list[str] = []
    return CompatibleWorkers(notes.append, 60.0), notes


def test_everybody_is_asked_also_who_comes_later_while_all_are_alike() -> None:
    found, notes = crew()
    assert found.look({"tcp://a": 1, "tcp://b": 2}) == 3
    assert found.chosen is None
    assert notes == []


def test_who_is_unlike_is_told_once_and_asked_no_more() -> None:
    found, notes = crew()
    found.look({"tcp://a": 1, "tcp://b": 2})
    assert found.leave_out({"tcp://b": OLD})
    assert not found.leave_out({"tcp://b": OLD})
    assert found.chosen == ("tcp://a",)
    assert found.look({"tcp://a": 1, "tcp://b": 2, "tcp://c": 4}) == 5
    assert found.chosen == ("tcp://a", "tcp://c")
    (note,) = notes
    assert note.startswith(
        "1 worker left out, with another version of Placewise or its packages: "
        "tcp://b (numba 0.1 instead of 0.2). Where they run: pip install placewise=="
    )


def test_who_was_started_again_is_asked_again() -> None:
    found, _ = crew()
    found.look({"tcp://a": 1, "tcp://b": 1})
    found.leave_out({"tcp://b": OLD})
    found.look({"tcp://a": 1})
    assert found.look({"tcp://a": 1, "tcp://b": 1}) == 2
    assert found.chosen is None


def test_who_was_away_for_a_while_is_told_again_only_of_something_else() -> None:
    found, notes = crew()
    for what in (OLD, OLD, ("numba 0.3 instead of 0.2",)):
        found.look({"tcp://a": 1, "tcp://b": 1})
        assert found.leave_out({"tcp://b": what})
        found.look({"tcp://a": 1})
    assert ["numba 0.1" in note for note in notes] == [True, False]


def test_where_nobody_is_left_the_cluster_is_lost_and_all_are_named() -> None:
    found, _ = crew()
    found.look({"tcp://a": 1, "tcp://b": 1})
    found.leave_out({"tcp://b": OLD})
    found.leave_out({"tcp://a": OLD})
    assert found.chosen == ()
    with pytest.raises(Lost) as at:
        found.look({"tcp://a": 1, "tcp://b": 1})
    assert str(at.value) == "no worker runs this version of Placewise"
    assert "2 workers have another version of Placewise" in str(at.value.refusal)

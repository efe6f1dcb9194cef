"""Hosts of the trees study: what they allow, who runs where, what each carries, and the tools."""

from __future__ import annotations

from collections import Counter
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from advisor.basics.quantities import duration
from advisor.models.mrnet import balanced
from advisor.studies.study import Table
from advisor.studies.trees import tree_host_fields as module
from advisor.studies.trees.candidates import TreesCase
from advisor.studies.trees.tree_host_fields import (
    attached_table,
    cores_text,
    host_notes,
    host_table,
    statements_text,
    tools_text,
)
from advisor.trees.mrnet_trees import smallest_fanout
from advisor.trees.topgen_spec import parse_spec, same_shape
from machines import InputError
from tests.advisor.studies.trees.by_hand import case_of, named, processes, shape_of

SHARE = "of a processor"
COSTS = case_of("back_ends=4").costs


def hosts(*capacities: tuple[str, int]) -> str:
    return "hosts=" + "\n".join(f"{name}:{many}" for name, many in capacities)


def listed(case: TreesCase) -> Table:
    assert case.hosts is not None
    return host_table(case.chosen, case.costs, case.hosts)


def totals(table: Table) -> tuple[int, int, list[str], float]:
    """Back-ends, internal processes, the front-end's hosts, and per cent in all."""
    rows = named(table)
    return (
        sum(row["back-ends"] for row in rows),
        sum(row["internal"] for row in rows),
        [row["host"] for row in rows if row["front-end"] == "yes"],
        sum(row[SHARE] for row in rows),
    )


# Who runs where ---------------------------------------------------------------------------


@given(
    st.integers(2, 30),
    st.integers(2, 9),
    st.sampled_from(["broadcast", "reduction", "round trip"]),
)
def test_hosts_carry_every_process_once_and_the_work_of_every_message(
    N: int, each: int, operation: str
) -> None:
    many = tuple((f"n{at}", each) for at in range(2 * N // each + 2))
    stated = (f"back_ends={N}", hosts(*many), f"operation={operation}", "rate=700")
    case = case_of(*stated, "filter_cost=3")
    measures = case.chosen.measures
    back_ends, internal, front_end, percents = totals(listed(case))
    assert (back_ends, internal, front_end) == (N, measures.internal, ["n0"])
    # each message is sent or taken in above, with its filter; internal ones do so once more below
    messages = N + measures.internal
    down = 2.0 * messages + 2.0 * measures.internal
    up = (2.0 + 3.0) * messages + 2.0 * measures.internal
    work = {"broadcast": down, "reduction": up, "round trip": down + up}[operation]
    assert percents == pytest.approx(100.0 * 700e-6 * work)


def test_hosts_are_filled_one_after_another_from_the_front_end_down() -> None:
    case = case_of("back_ends=6", "own=g:2:3,3", "shape=own", hosts(("a", 4), ("b", 9)), "rate=1e4")
    # a: the front-end, both internal processes and one place more; 20 ms of each second a message
    assert listed(case).rows == (
        ("a", 1, 2, "yes", pytest.approx(100.0 * 0.02 * (2 + 2 * (3 + 1)))),
        ("b", 5, 0, "", 0.0),
    )


def test_the_front_end_may_stand_anywhere_and_internal_processes_apart() -> None:
    stated = ("back_ends=6", "own=g:2:3,3", "shape=own", hosts(("a", 3), ("b", 3)), "rate=1e4")
    case = case_of(*stated, "internal_hosts=c:1\nd:1", "front_end=login")
    rows = {row["host"]: row for row in named(listed(case))}
    assert [row["front-end"] for row in rows.values()].count("yes") == 1
    assert rows["login"]["front-end"] == "yes"
    assert [rows[name]["back-ends"] for name in "abcd"] == [3, 3, 0, 0]
    assert [rows[name]["internal"] for name in "abcd"] == [0, 0, 1, 1]
    assert [rows[name][SHARE] for name in ("login", *"abcd")] == pytest.approx([4, 0, 0, 8, 8])


def test_of_a_flat_tree_the_front_end_alone_is_busy() -> None:
    case = case_of("back_ends=6", "shape=flat", hosts(("a", 4), ("b", 3)), "rate=1000")
    assert [row[SHARE] for row in named(listed(case))] == pytest.approx([100.0 * 6 * 2e-3, 0.0])


def test_without_a_rate_nobody_is_busy_and_of_many_hosts_the_first_are_shown(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    case = case_of("back_ends=6", hosts(*((f"n{at}", 2) for at in range(5))))
    table = listed(case)
    assert {row[SHARE] for row in named(table)} == {0.0}
    assert (table.title, len(table.rows)) == ("Hosts", 5)
    monkeypatch.setattr(module, "_MOST_ROWS", 3)
    fewer = listed(case)
    assert fewer.title == "Hosts, the first 3 of 5"
    assert fewer.rows == table.rows[:3]


# What hosts allow -------------------------------------------------------------------------


@given(st.integers(1, 20), st.lists(st.integers(1, 9), min_size=1, max_size=4))
def test_hosts_that_take_too_few_are_refused_and_others_leave_their_room_to_the_tree(
    N: int, sizes: list[int]
) -> None:
    room = sum(sizes)
    stated = (f"back_ends={N}", hosts(*((f"n{at}", many) for at, many in enumerate(sizes))))
    if room < N + 1:
        missing = "" if room < N else " and the front-end"
        with pytest.raises(InputError, match="too few for") as refused:
            case_of(*stated)
        assert f"{N} back-ends{missing}" in str(refused.value)
        assert "setting hosts" in str(refused.value)
        assert f"got {room}" in str(refused.value)
        return
    case = case_of(*stated, "tolerance=0")
    assert case.limits.max_internal == room - N - 1
    assert case.chosen.measures.internal <= room - N - 1


def test_the_smaller_of_ones_own_limit_and_the_hosts_room_counts() -> None:
    many = hosts(("a", 20))
    assert case_of("back_ends=12", many, "max_internal=5").limits.max_internal == 5
    assert case_of("back_ends=12", many, "max_internal=9").limits.max_internal == 7
    apart = ("internal_hosts=c:2\nd:1",)
    dedicated = case_of("back_ends=12", many, *apart)
    assert dedicated.limits.max_internal == 3
    # which then is on the first of these
    assert dedicated.hosts is not None
    assert dedicated.hosts.front_end == "c"
    # on hosts of its own, or none of these, the front-end takes no place
    assert case_of("back_ends=12", many, "front_end=login").limits.max_internal == 8
    assert case_of("back_ends=12").limits.max_internal is None


def test_hosts_may_be_written_in_a_file(tmp_path: Path) -> None:
    path = tmp_path / "nodes.txt"
    path.write_text("# two nodes\nn[1-2]:10\n", encoding="utf-8")
    case = case_of("back_ends=12", f"hosts={path}")
    assert case.hosts is not None
    assert case.hosts.back_ends == (("n1", 10), ("n2", 10))
    assert case.hosts.front_end == "n1"
    with pytest.raises(InputError, match="no-such-file"):
        case_of("back_ends=12", f"hosts={tmp_path / 'no-such-file.txt'}")


def test_a_line_that_is_no_host_is_refused_by_setting_and_line() -> None:
    for name in ("hosts", "internal_hosts"):
        stated = {"hosts": "hosts=a:9", name: f"{name}=a:9\nb:many"}
        with pytest.raises(InputError) as refused:
            case_of("back_ends=4", *stated.values())
        assert f"setting {name}" in str(refused.value)
        assert "line 2" in str(refused.value)


# Cores ------------------------------------------------------------------------------------


def test_the_text_of_cores_gives_the_work_of_the_fullest_host_and_the_time_without_sharing() -> (
    None
):
    case = case_of("back_ends=9", "shape=flat", hosts(("a", 4), ("b", 6)), "host_cores=2")
    # a runs the front-end, which sends 9 messages, and three back-ends; b runs six
    fullest = max(9 * 2.0 + 3 * 2.0, 6 * 2.0) / 2
    alone = 8 * 4.0 + 10.0
    assert cores_text(case.chosen, case.costs) == (
        f"Cores: up to 6 processes share 2 cores of a host, whose work alone takes "
        f"{duration(fullest * 1e-6)}; with a processor each the broadcast would take "
        f"{duration(alone * 1e-6)}."
    )
    assert case.chosen.measures.broadcast >= fullest
    assert cores_text(case.chosen, case_of("back_ends=9").costs) == ""


def test_of_a_round_trip_both_ways_are_the_work_of_a_host() -> None:
    stated = ("back_ends=9", "shape=flat", hosts(("a", 20)), "host_cores=1", "filter_cost=3")
    case = case_of(*stated, "operation=round trip")
    down, up = 9 * (2.0 + 2.0), 9 * (2.0 + 3.0 + 2.0)
    said = cores_text(case.chosen, case.costs)
    assert f"share 1 core of a host, whose work alone takes {duration((down + up) * 1e-6)};" in said
    assert case.chosen.measures.round_trip >= down + up


def test_what_is_taken_for_granted_of_cores_is_a_note_and_a_warning_where_it_is_a_guess() -> None:
    stated = ("back_ends=9", hosts(("a", 20)))
    free = case_of(*stated)
    (guess,) = host_notes(free.hosts, None, free.chosen)
    assert not guess.inside_domain
    assert "host_cores=" in guess.text
    shared = case_of(*stated, "host_cores=2")
    (note,) = host_notes(shared.hosts, 2, shared.chosen)
    assert note.inside_domain
    assert note.source
    assert not list(host_notes(None, 2, shared.chosen))


def test_of_too_many_processes_only_the_bound_is_known(monkeypatch: pytest.MonkeyPatch) -> None:
    case = case_of("back_ends=9", hosts(("a", 20)), "host_cores=2")
    monkeypatch.setattr(module, "MOST_SCHEDULED", 5)
    (note,) = host_notes(case.hosts, 2, case.chosen)
    assert not note.inside_domain
    assert note.text.startswith("Of more than 5 processes that share cores only the bound is known")


# Attach mode and tools --------------------------------------------------------------------


@settings(max_examples=20)
@given(st.integers(2, 40))
def test_leaves_of_the_file_take_all_back_ends_in_their_order(N: int) -> None:
    case = case_of(f"back_ends={N}", "attach=true")
    rows = named(attached_table(case.chosen.tree, None))
    spans = [[int(part) for part in row["numbers"].split(" to ")] for row in rows]
    numbers = [number for span in spans for number in range(span[0], span[-1] + 1)]
    assert sorted(numbers) == list(range(N))
    assert [row["back-ends"] for row in rows] == [span[-1] - span[0] + 1 for span in spans]
    assert {row["on"] for row in rows} == {""}
    many = Counter(len(one) for one in processes(shape_of(case.chosen.tree)) if not any(one))
    assert Counter(row["back-ends"] for row in rows) == many


def test_leaves_on_hosts_are_named_with_the_hosts_of_their_back_ends(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    tree = parse_spec("g:2:3,3")
    case = case_of("back_ends=6", hosts(("a", 4), ("b", 9)))
    table = attached_table(tree, case.hosts)
    assert table.rows == (("a:1", 3, "0 to 2", "a b"), ("a:2", 3, "3 to 5", "b"))
    monkeypatch.setattr(module, "_MOST_ROWS", 1)
    fewer = attached_table(tree, case.hosts)
    assert fewer.title == "Back-ends by leaf, the first 1 of 2"
    assert fewer.rows == table.rows[:1]


@pytest.mark.parametrize("spec", ["b:4^2", "b:2x8", "g:2:8,4"])
def test_the_specification_that_is_told_makes_the_same_tree(spec: str) -> None:
    tree = parse_spec(spec)
    said = tools_text(tree, COSTS)
    told = said.split("-t ")[1].split(";")[0]
    assert same_shape(parse_spec(told), tree)
    # STAT deals evenly: 8 and 4 below two processes it can not
    assert ("at the nearest" in said) == (spec == "g:2:8,4")


def test_the_tree_that_stat_makes_instead_is_told_with_its_time() -> None:
    said = tools_text(parse_spec("g:3:3,3,0:0,2"), COSTS)
    nearest = case_of("back_ends=8", "own=g:3:3,3,2", "shape=own")
    mine = case_of("back_ends=8", "own=g:3:3,3,0:0,2", "shape=own")
    times = [duration(case.chosen.measures.broadcast * 1e-6) for case in (nearest, mine)]
    assert said.endswith(
        f"STAT, which deals layers evenly, makes 3 at the nearest: its broadcast takes {times[0]} "
        f"instead of {times[1]}."
    )


def test_long_specifications_are_not_told(monkeypatch: pytest.MonkeyPatch) -> None:
    tree = parse_spec("b:4^2")
    assert "mrnet_topgen" in tools_text(tree, COSTS)
    monkeypatch.setattr(module, "_MOST_LETTERS", 3)
    assert "mrnet_topgen" not in tools_text(tree, COSTS)
    monkeypatch.undo()
    monkeypatch.setattr(module, "_MOST_SPECIFIED", 5)
    assert tools_text(tree, COSTS) == ""


def test_full_hosts_are_blamed_for_the_processes_that_are_missing() -> None:
    full = ("back_ends=8", hosts(("a", 4), ("b", 4)), "front_end=x", "max_fanout=3")
    with pytest.raises(InputError, match=r"hosts are full with the back-ends.*Allow 3 internal"):
        case_of(*full)
    with pytest.raises(InputError, match=r"optimal_tree: too few internal"):
        case_of("back_ends=8", "max_fanout=3", "max_internal=0")


def test_a_file_that_is_too_long_is_told_with_a_fan_out_that_fits(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(module, "MOST_STATEMENTS", 20)
    assert statements_text(balanced(64, 4)) == (
        "A topology file of MRNet holds 20 parents, this tree has 21: a balanced one fits from "
        f"fan-out {smallest_fanout(64)}"
    )
    assert statements_text(balanced(64, 5)) == ""

"""Whether internal processes share the application's hosts: prices, words and curves by hand."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from advisor.basics.quantities import percent
from advisor.studies.trees.colocation import (
    colocation_of,
    colocation_series,
    colocation_table,
    colocation_text,
)
from advisor.trees.colocation import Colocation
from tests.advisor.studies.trees.by_hand import case_of, curve, named, numbers

LOSS = "loss of pace"
APART, FIXED, CONTENDER = (
    "hosts of their own", "shared, at a fixed rate", "shared, as a contender",
)  # fmt: skip
EIGHT_WAY = ("back_ends=512", "max_fanout=8", "max_internal=72")


def found(*settings: str) -> Colocation:
    one = colocation_of(case_of(*settings))
    assert one is not None
    return one


def losses(one: Colocation) -> dict[str, float]:
    return {row["internal processes"]: row[LOSS] for row in named(colocation_table(one))}


def text_of(*settings: str) -> str:
    return colocation_text(found(*settings))


def test_both_ways_are_priced_by_what_an_internal_process_does_at_the_rate() -> None:
    # each of 72 takes 9 overheads of 2 µs, 5,000 times a second
    one = found(*EIGHT_WAY, "rate=5000")
    share = 5000 * 9 * 2e-6
    priced = losses(one)
    assert priced[APART] == pytest.approx(100.0 * 72 / 584)
    assert priced[FIXED] == pytest.approx(100.0 * share)
    # beside one contender that is busy for U the application runs at 1/(1 + U)
    assert priced[CONTENDER] == pytest.approx(100.0 * (1.0 - 1.0 / (1.0 + share)))


def test_two_internal_processes_a_host_are_the_queue_that_an_application_meets() -> None:
    # 16 internal processes on 8 hosts: mean value analysis of two with the share U gives
    # a queue of 2 U (1 + U)/(1 + U²) in front of the application
    hosts = "hosts=" + "\n".join(f"n{at}:11" for at in range(8))
    one = found("back_ends=64", hosts, "rate=2000", "max_internal=16", "tolerance=0")
    assert (one.hosts, one.per_host) == (8, 2)
    U = one.share
    queue = 2.0 * U * (1.0 + U) / (1.0 + U * U)
    assert losses(one)[CONTENDER] == pytest.approx(100.0 * (1.0 - 1.0 / (1.0 + queue)))
    assert losses(one)[FIXED] == pytest.approx(100.0 * 2.0 * U)


def test_the_share_is_that_of_the_busiest_internal_process_and_of_the_operation() -> None:
    for operation, each in (("broadcast", 9 * 2.0), ("reduction", 8 * 5.0 + 2.0)):
        one = found(*EIGHT_WAY, "rate=500", f"operation={operation}", "filter_cost=3")
        assert one.share == pytest.approx(500e-6 * each)
    both = found(*EIGHT_WAY, "rate=500", "operation=round trip", "filter_cost=3")
    assert both.share == pytest.approx(500e-6 * (18.0 + 42.0))
    # two children of the front-end, three and five of them
    uneven = found("back_ends=8", "own=g:2:3,5", "shape=own", "rate=500")
    assert uneven.share == pytest.approx(500e-6 * (5 + 1) * 2.0)


@given(st.sampled_from([0, 100, 2000, 6000, 6900, 7500, 8500, 20_000]), st.integers(1, 4))
def test_the_advice_follows_from_the_numbers_of_its_own_table(rate: int, cores: int) -> None:
    one = found(*EIGHT_WAY, f"rate={rate}", f"host_cores={cores}")
    priced, said = losses(one), colocation_text(one)
    shared = max(priced[FIXED], priced[CONTENDER]) <= priced[APART]
    apart = min(priced[FIXED], priced[CONTENDER]) >= priced[APART]
    assert said.startswith("Let internal processes share") == (shared and rate > 0)
    assert said.startswith("Keep internal processes off") == (apart and not shared)
    assert ("is open" in said) == (not shared and not apart)
    assert percent(priced[APART] / 100.0) in said
    if rate:
        sharing = f"sharing costs {percent(priced[FIXED] / 100.0)} "
        assert f"{sharing}({percent(priced[CONTENDER] / 100.0)} as a contender)" in said


def test_a_share_between_the_two_break_evens_leaves_it_open() -> None:
    # hosts of their own cost 12.3 %: a share of 13 % loses 13 %, as a contender 11.5 %
    said = text_of(*EIGHT_WAY, f"rate={0.13 / 18e-6}")
    assert said == (
        "Whether internal processes should share the application's hosts is open: sharing costs "
        "13 % (12 % as a contender) of its pace, 72 hosts of their own are 12 % of all; sharing "
        "pays as long as each takes less than 12 % of a processor."
    )
    assert text_of(*EIGHT_WAY, f"rate={0.12 / 18e-6}").startswith("Let")
    assert text_of(*EIGHT_WAY, f"rate={0.15 / 18e-6}").startswith("Keep")


def test_without_a_rate_it_says_up_to_which_share_sharing_pays() -> None:
    assert text_of(*EIGHT_WAY) == (
        "Hosts: internal processes on 72 hosts of their own take 12 % of all; sharing pays as "
        "long as each takes less than 12 % of a processor (14 % as a contender)."
    )
    assert "at the wanted rate" not in [one.name for one in colocation_series(found(*EIGHT_WAY))]


@given(st.integers(5, 60), st.integers(1, 3))
def test_at_the_share_that_is_named_both_ways_cost_the_same(N: int, cores: int) -> None:
    one = found(f"back_ends={N}", f"host_cores={cores}", "tolerance=0")
    series = colocation_series(one)
    apart = curve(series, APART, LOSS)
    for row in named(colocation_table(one))[1:]:
        points = curve(series, row["internal processes"], LOSS)
        even = row["worth it up to a share of"]
        if even is None:
            assert all(points[x] <= apart[x] + 1e-9 for x in points)
            continue
        below = [x for x in points if x <= even]
        assert all(points[x] <= apart[x] + 1e-9 for x in below)
        assert all(points[x] >= apart[x] - 1e-9 for x in points if x > even)


def test_more_cores_always_make_sharing_cheaper_and_may_make_it_free_of_doubt() -> None:
    tables = [
        named(colocation_table(found(*EIGHT_WAY, "rate=20000", f"host_cores={cores}")))
        for cores in (1, 2, 4, 8, 16)
    ]
    for row in (1, 2):
        lost = [table[row][LOSS] for table in tables]
        assert lost == sorted(lost, reverse=True)
        assert lost[0] > lost[-1]
    assert tables[0][1]["worth it up to a share of"] == pytest.approx(100.0 * 72 / 584)
    assert tables[-1][1]["worth it up to a share of"] is None
    said = text_of(*EIGHT_WAY, "rate=20000", "host_cores=16")
    assert said.endswith("sharing pays as long as each takes less than 100 % of a processor.")


def test_curves_run_from_nothing_to_a_whole_processor_and_mark_the_wanted_rate() -> None:
    one = found(*EIGHT_WAY, "rate=5000")
    series = colocation_series(one)
    assert [each.name for each in series] == [APART, FIXED, CONTENDER, "at the wanted rate"]
    for each in series:
        assert (each.x_label, each.x_unit) == ("share of an internal process", "%")
        assert (each.y_label, each.y_unit) == (LOSS, "%")
    for each in series[:3]:
        assert (numbers(each)[0], numbers(each)[-1]) == (0.0, 100.0)
    for name, last in ((FIXED, 100.0), (CONTENDER, 50.0)):
        lost = curve(series, name, LOSS)
        assert [lost[0.0], lost[100.0]] == pytest.approx([0.0, last])
    assert series[0].y == pytest.approx([100.0 * 72 / 584] * len(series[0].x))
    here, priced = series[-1], losses(one)
    assert here.kind == "points"
    assert numbers(here) == pytest.approx([9.0, 9.0])
    assert here.y == pytest.approx((priced[FIXED], priced[CONTENDER]))


def test_hosts_that_are_named_count_once_and_internal_ones_are_those_to_give_up() -> None:
    few = ("back_ends=16", "hosts=a:8\nb:4\na:4", "internal_hosts=c:2\nd:2", "rate=3000")
    one = found(*few)
    assert (one.hosts, one.dedicated) == (2, 2)
    assert losses(one)[APART] == pytest.approx(50.0)
    assert "2 hosts of their own are 50 % of all" in text_of(*few)


@pytest.mark.parametrize(
    "settings",
    [
        ("back_ends=64", "shape=flat"),  # nothing to share
        ("back_ends=64", "shape=levels", "rate=120000"),  # more than a processor
        ("back_ends=900", "hosts=a:2000", "max_fanout=2"),  # hundreds on one host
    ],
)
def test_where_there_is_nothing_to_weigh_nothing_is_said(settings: tuple[str, ...]) -> None:
    assert colocation_of(case_of(*settings)) is None

"""What messages, filters and processes cost by the settings, in µs, and what is said of it."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from advisor.basics.quantities import duration, number
from advisor.basics.units import durations
from advisor.studies import parse_settings
from advisor.studies.study import Note
from advisor.studies.trees.candidates import TreesCase
from advisor.studies.trees.message_costs import Unknown, costs_of
from advisor.studies.trees.parameters import TreesParameters
from advisor.studies.trees.tree_answer_words import alternative, headline, rules
from advisor.trees.tree_costs import TreeCosts
from machines import InputError
from machines.catalogue import interconnect, interconnect_names
from tests.advisor.studies.trees.by_hand import Cost, case_of, named, time_of


def costs(*settings: str) -> TreeCosts:
    return costs_of(parse_settings(TreesParameters, settings))[0]


def notes(*settings: str) -> tuple[Note, ...]:
    return costs_of(parse_settings(TreesParameters, settings))[1]


def test_the_textbook_is_the_example_of_the_logp_paper() -> None:
    p = costs().p
    assert (p.L, p.o_s, p.o_r, p.g, p.G) == (6.0, 2.0, 2.0, 4.0, 0.0)
    (note,) = notes()
    assert (note.inside_domain, note.source) == (True, "Culler 1993")


@pytest.mark.parametrize("name", interconnect_names())
def test_a_network_that_ships_is_taken_in_microseconds_with_the_mean_overhead(name: str) -> None:
    net, found = interconnect(name), costs(f"costs={name}").p
    us = net.unit_s * 1e6
    assert found.o_s == found.o_r == pytest.approx((net.long.o_s + net.long.o_r) / 2.0 * us)
    for ours, theirs in ((found.L, net.long.L), (found.g, net.long.g), (found.G, net.long.G)):
        assert ours == pytest.approx(theirs * us)
    said = notes(f"costs={name}")
    assert net.name in said[0].text
    # that the model has one overhead is told where the network has two
    assert any("mean of" in one.text for one in said) == (net.long.o_s != net.long.o_r)
    assert all(not one.inside_domain for one in said if "mean of" in one.text)


def test_ones_own_numbers_are_in_microseconds_and_the_gap_per_byte_in_nanoseconds() -> None:
    own = ("costs=own", "latency=7", "overhead=1.5", "gap=3", "gap_per_byte=20", "size_bytes=101")
    found = costs(*own)
    p = found.p
    assert (p.L, p.o_s, p.o_r, p.g) == (7.0, 1.5, 1.5, 3.0)
    assert pytest.approx(0.02) == p.G
    assert found.size == 101.0
    # 100 further bytes of 20 ns: a step of 5 µs
    assert found.message("broadcast").step == pytest.approx(5.0)
    both = costs(*own, "overhead_receive=2.5").p
    assert both.o_s == both.o_r == 2.0


@pytest.mark.parametrize(
    ("stated", "missing"),
    [
        ((), "overhead o 2.00 µs and gap g 4.00 µs"),
        (("overhead=1",), "gap g 4.00 µs"),
        (("gap=1",), "overhead o 2.00 µs"),
        (("overhead=1", "gap=1"), None),
    ],
)
def test_what_the_textbook_stands_in_for_is_warned_of(
    stated: tuple[str, ...], missing: str | None
) -> None:
    warned = [one.text for one in notes("costs=own", *stated) if not one.inside_domain]
    text = f"Not given; from the LogP paper's example: {missing}"
    assert warned == ([] if missing is None else [text])


def test_starting_is_given_in_milliseconds_and_a_filter_works_on_the_way_up_alone() -> None:
    found = costs("create=1.5", "connect=2", "report=0.25", "filter_cost=3")
    assert (found.create, found.connect, found.report) == (1500.0, 2000.0, 250.0)
    assert found.filter_cost == 0.0  # of a broadcast
    assert costs("operation=reduction", "filter_cost=3").filter_cost == 3.0
    assert costs("operation=round trip", "filter_cost=3").filter_cost == 3.0


def test_both_sides_of_a_protocol_switch_have_their_own_line(tmp_path: Path) -> None:
    path = tmp_path / "switch.csv"
    starts = {2**power: 1e-5 if power <= 12 else 5e-5 for power in range(17)}
    rows = (f"{size},{start + size * 1e-9}" for size, start in starts.items())
    path.write_text("\n".join(["size_bytes,seconds_one_way", *rows]), encoding="utf-8")
    stated = ("costs=ping-pong", f"pingpong={path}", "overhead=1", "gap=1")
    short, long = costs(*stated, "size_bytes=64"), costs(*stated, "size_bytes=60000")
    # 2o + L is 10 µs up to 4 kB and 50 µs beyond it
    assert [one.p.L for one in (short, long)] == pytest.approx([8.0, 48.0], rel=1e-3)
    for size in ("64", "60000"):
        told = notes(*stated, f"size_bytes={size}")[0].text
        assert ("below the protocol switch" in told) == (size == "64")
        assert ("above the protocol switch" in told) == (size == "60000")


@pytest.mark.parametrize("text", ["", "   "])
def test_a_ping_pong_without_a_file_is_refused_with_what_to_give(text: str) -> None:
    with pytest.raises(InputError) as refused:
        costs_of(TreesParameters(network="ping-pong", pingpong=text))
    assert "setting pingpong" in str(refused.value)
    assert "Give pingpong=" in str(refused.value)


@settings(max_examples=20)
@given(
    st.sampled_from([0.001, 0.25, 1000.0]),
    st.integers(2, 40),
    st.sampled_from(["broadcast", "reduction", "round trip"]),
)
def test_times_in_another_unit_change_nothing_but_the_unit(
    times: float, N: int, operation: str
) -> None:
    def stated(factor: float) -> tuple[str, ...]:
        numbers = {"latency": 6.0, "overhead": 2.5, "gap": 4.0, "filter_cost": 3.0,
                   "create": 100.0}  # fmt: skip
        return (
            f"back_ends={N}", f"operation={operation}", "costs=own",
            *(f"{name}={value * factor!r}" for name, value in numbers.items()),
        )  # fmt: skip

    plain, scaled = case_of(*stated(1.0)), case_of(*stated(times))
    assert [one.name for one in plain.trees] == [one.name for one in scaled.trees]
    assert plain.best == scaled.best
    for ours, theirs in zip(plain.trees, scaled.trees, strict=True):
        assert ours.tree.is_like(theirs.tree)
        for name in ("broadcast", "reduction", "round_trip", "period", "start_up"):
            value = getattr(ours.measures, name)
            assert getattr(theirs.measures, name) == pytest.approx(times * value)


ALPHAS = st.floats(0.5, 1000.0)


def sentence(case: TreesCase) -> str:
    return f"{headline(case)} {alternative(case)}".rstrip()


@pytest.fixture(scope="module")
def pingpong(tmp_path_factory: pytest.TempPathFactory) -> str:
    """2o + L = 10 µs, and 1 ns for each further byte."""
    path: Path = tmp_path_factory.mktemp("pingpong") / "measured.csv"
    rows = [f"{size},{1e-5 + size * 1e-9}" for size in (1, 64, 4096, 65536)]
    path.write_text("\n".join(["size_bytes,seconds_one_way", *rows]), encoding="utf-8")
    return f"pingpong={path}"


def fitted(pingpong: str, *settings: str) -> TreesCase:
    return case_of("costs=ping-pong", pingpong, *settings)


def sampled(case: TreesCase) -> list[Cost]:
    """The costs along the interval."""
    assert case.spread is not None
    return [
        Cost(one.p.L, one.p.o_s, one.p.g, tail=(one.size - 1.0) * one.p.G)
        for one in case.spread.costs
    ]


# The interval -----------------------------------------------------------------------------


@given(ALPHAS, st.floats(0.0, 1.0))
def test_every_sample_takes_as_long_one_way_as_was_measured(alpha: float, per_byte: float) -> None:
    samples = Unknown.of(alpha, per_byte, None, None).samples()
    for one in samples:
        assert 2.0 * one.o_s + one.L == pytest.approx(alpha)
        assert one.o_r == one.o_s
        assert per_byte == one.G
        assert 0.0 <= one.o_s <= one.g <= 2.0 * alpha
        assert one.L >= 0.0
    assert (samples[0].o_s, samples[0].g) == (0.0, 0.0)
    # of the dearest all is overhead, and a round trip passes between two messages
    assert samples[-1].o_s == pytest.approx(alpha / 2.0)
    assert samples[-1].g == 2.0 * alpha
    assert pytest.approx(0.0, abs=1e-9) == samples[-1].L
    gaps = [one.g for one in samples]
    assert gaps == sorted(gaps)


@given(ALPHAS, st.floats(0.0, 0.5), st.floats(0.0, 3.0))
def test_what_is_stated_is_the_same_in_every_sample(
    alpha: float, share: float, times: float
) -> None:
    o, g = share * alpha, times * alpha
    assert {one.o_s for one in Unknown.of(alpha, 0.0, o, None).samples()} == {o}
    assert {one.g for one in Unknown.of(alpha, 0.0, None, g).samples()} == {g}
    both = Unknown.of(alpha, 0.0, o, g).samples()
    assert {(one.o_s, one.g) for one in both} == {(o, g)}
    # a gap below a stated overhead would be no gap
    assert min(one.g for one in Unknown.of(alpha, 0.0, o, None).samples()) >= o


@pytest.mark.parametrize(
    ("o", "g", "words"),
    [
        (None, None, "overhead o (0 to 5.00 µs) and gap g (0 to 20.0 µs) are unknown"),
        (2.0, None, "gap g (2.00 to 20.0 µs) is unknown"),
        (None, 3.0, "overhead o (0 to 5.00 µs) is unknown"),
    ],
)
def test_what_is_not_known_is_named_with_its_ends(
    o: float | None, g: float | None, words: str
) -> None:
    assert Unknown.of(10.0, 0.0, o, g).text == words


# Which tree loses least -------------------------------------------------------------------


@pytest.mark.parametrize(
    "limits", [(), ("max_fanout=4",), ("max_internal=6",), ("overhead=1",), ("gap=12",)]
)
def test_the_recommended_tree_is_the_minimax_of_all_allowed_ones(
    pingpong: str, limits: tuple[str, ...]
) -> None:
    case = fitted(pingpong, "back_ends=24", *limits)
    times = [[time_of(one.tree, cost) for cost in sampled(case)] for one in case.trees]
    allowed = [times[at] for at in case.allowed]
    best = [min(column) for column in zip(*allowed, strict=True)]
    worst = [max(mine / least for mine, least in zip(row, best, strict=True)) for row in allowed]
    mine = worst[case.allowed.index(case.best)]
    assert mine == pytest.approx(min(worst))
    assert case.spread is not None
    assert case.spread.loss(case.best, case.allowed) == pytest.approx(mine)
    # where the gap alone is stated, the overhead matters to none
    worse = f"at worst {number(mine)} times the best"
    told = "the best for any of them" if limits == ("gap=12",) else worse
    assert sentence(case).endswith(f"unknown, and this is {told}.")


@settings(max_examples=5)
@given(st.integers(2, 40), st.sampled_from(["best", "flat", "balanced", "optimal", "k-nomial"]))
def test_every_row_names_the_best_tree_there_and_both_times(
    pingpong: str, N: int, shape: str
) -> None:
    case = fitted(pingpong, f"back_ends={N}", f"shape={shape}")
    assert case.spread is not None
    rows = named(case.spread.table(case.best, case.allowed, case.trees))
    for row, cost in zip(rows, sampled(case), strict=True):
        assert (row["overhead o"], row["gap g"]) == pytest.approx((cost.o * 1e-6, cost.g * 1e-6))
        best = min(time_of(case.trees[at].tree, cost) for at in case.allowed)
        assert row["takes"] == pytest.approx(best * 1e-6)
        named_best = case.named(row["best tree"])
        assert named_best is not None
        assert time_of(named_best.tree, cost) == pytest.approx(best)
        mine = time_of(case.chosen.tree, cost)
        assert row["the recommended one"] == pytest.approx(mine * 1e-6)
        assert row["times"] == pytest.approx(mine / best)
        assert row["times"] >= 1.0 - 1e-9
    least, most = (
        min(row["the recommended one"] for row in rows),
        max(row["the recommended one"] for row in rows),
    )
    low, high = durations(least, most)
    assert f"takes {low if low == high else f'{low} to {high}'} " in sentence(case)


def test_a_search_for_each_sample_brings_the_best_tree_of_each(pingpong: str) -> None:
    case = fitted(pingpong, "back_ends=24")
    names = [one.name for one in case.trees if " for g " in one.name]
    # for nothing at all any tree is free: five samples of six are searched
    assert len(names) == 5
    assert len(set(names)) == 5


# Words ------------------------------------------------------------------------------------


def test_where_the_best_tree_hangs_on_the_costs_both_ends_are_named(pingpong: str) -> None:
    case = fitted(pingpong, "back_ends=24")
    first, second = list(rules(case))[:2]
    assert first == "Rule: the tree that at worst, over all o and g that are possible, loses least."
    high = sampled(case)[-1]
    # without overhead and gap all messages of the flat tree take 10 µs at once
    assert second.startswith(
        "The best tree depends on o and g: for the smallest flat is best, 10.0 µs; for the largest "
    )
    best = min(time_of(case.trees[at].tree, high) for at in case.allowed)
    assert f"is best, {duration(best * 1e-6)}. Measure them to choose." in second


def test_a_tree_that_is_best_at_both_ends_needs_no_measurement(pingpong: str) -> None:
    case = fitted(pingpong, "back_ends=1")
    assert list(rules(case))[1] == "The tree is the same over the whole interval."


def test_with_both_numbers_there_is_no_interval(pingpong: str) -> None:
    case = fitted(pingpong, "back_ends=24", "overhead=2", "gap=4")
    assert case.spread is None
    # 10 µs one way: L is what two overheads leave
    assert (case.costs.p.L, case.costs.p.o_s, case.costs.p.g) == pytest.approx((6.0, 2.0, 4.0))
    assert pytest.approx(1e-3) == case.costs.p.G
    assert "unknown" not in sentence(case)


@pytest.mark.parametrize(("overhead", "allowed"), [(5.1, "up to 5.00 µs"), (50.0, "up to 5.00")])
def test_more_overhead_than_a_message_takes_is_refused_with_the_most_there_can_be(
    pingpong: str, overhead: float, allowed: str
) -> None:
    with pytest.raises(InputError) as refused:
        fitted(pingpong, f"overhead={overhead}")
    assert "setting overhead" in str(refused.value)
    assert f"got {overhead}" in str(refused.value)
    assert allowed in str(refused.value)
    most = fitted(pingpong, "back_ends=4", "overhead=5").costs.p
    assert pytest.approx(0.0, abs=1e-6) == most.L

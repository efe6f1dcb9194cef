"""The trees study: what it recommends, draws and says, with good and with bad input."""

from __future__ import annotations

from functools import partial

import pytest
from hypothesis import given
from hypothesis import strategies as st

from advisor.basics.quantities import percent
from advisor.models.mrnet import balanced, broadcast_latency
from advisor.studies import STUDIES, parameters_of, parse_settings
from advisor.studies.trees import run as trees
from advisor.studies.trees.candidates import TreesCase
from advisor.studies.trees.parameters import TreesParameters
from advisor.studies.trees.run import (
    colocation_of,
    colocation_series,
    colocation_table,
    colocation_text,
    run,
)
from advisor.studies.trees.tree_host_fields import statements_text
from advisor.trees.attachable import is_attachable
from advisor.trees.colocation import Colocation
from advisor.trees.fanout_map import fanout_map
from advisor.trees.topgen_spec import parse_spec
from advisor.trees.tree_costs import US
from advisor.trees.tree_picture import TreePicture
from machines import InputError, LogGP
from tests.advisor.studies.trees.by_hand import case_of, curve, named, numbers

P = LogGP(L=6.0, o_s=2.0, o_r=2.0, g=4.0)


@pytest.fixture(autouse=True, scope="module")
def coarse_map():
    """A map of three columns: the whole one is tested by itself."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(trees, "fanout_map", partial(fanout_map, ratios=3))
        yield


def asked(*settings: str) -> TreesParameters:
    return parse_settings(TreesParameters, settings)


def answer(*settings: str):
    """As far as it is known once the trees are measured."""
    return run(asked(*settings), None, lambda: True)


def table(result, title):
    return next(one for one in result.tables if one.title.startswith(title))


def cells(result, title, column):
    found = table(result, title)
    place = [name for name, _ in found.columns].index(column)
    return {row[0]: row[place] for row in found.rows}


@pytest.fixture(scope="module")
def sixteen(coarse_map):
    return run(asked("back_ends=16"))


def test_the_exact_optimum_is_recommended_with_reasons(sixteen) -> None:
    assert "36.0 µs through 3 internal processes" in sixteen.sentence
    assert "times faster than flat" in sixteen.sentence
    text = " ".join(sixteen.reasons)
    for words in ("LogP's textbooks", "the MRNet paper", "Start-up", "Front-end load", "depth 2"):
        assert words in text
    assert sixteen.complete


def test_all_shapes_stand_side_by_side(sixteen) -> None:
    times = cells(sixteen, "Trees", "broadcast")
    assert times["optimal"] == pytest.approx(36 * US)
    assert times["flat"] == pytest.approx(70 * US)
    assert times["levels 4²"] == pytest.approx(44 * US)
    picture = sixteen.picture(TreePicture)
    assert [one.name for one in picture.trees] == list(times)
    assert picture.chosen.name == "optimal"
    for one in picture.trees:
        assert broadcast_latency(one.tree, P) * US == pytest.approx(times[one.name])


def test_both_conventions_are_told_and_a_change_of_places_is_named() -> None:
    result = answer("back_ends=16", "fanout=4", "shape=levels")
    conventions = table(result, "Conventions")
    rows = {row[0]: row[1:] for row in conventions.rows}
    assert rows["levels 4²"] == (pytest.approx(44 * US), pytest.approx(52 * US))
    assert rows["binomial, 4 processes"] == (pytest.approx(42 * US), pytest.approx(54 * US))
    assert "whether it or binomial, 4 processes is faster depends" in " ".join(result.reasons)


def test_curves_span_the_fan_outs_of_every_shape(sixteen) -> None:
    names = {one.name for one in sixteen.series if one.y_label == "latency of a broadcast"}
    assert {"optimal", "balanced", "k-nomial", "flat", "full k-ary"} <= names
    for label in ("period", "start-up latency", "internal processes"):
        assert any(one.y_label == label and one.x_label == "fan-out k" for one in sixteen.series)
    full = next(one for one in sixteen.series if one.name == "full k-ary")
    assert full.x == (2.0, 4.0, 16.0)


def test_each_row_of_the_pareto_front_can_be_adopted(sixteen) -> None:
    front = table(sixteen, "Pareto front")
    assert len(front.rows) == len(front.settings) > 5
    for row, settings in zip(front.rows[::4], front.settings[::4], strict=True):
        again = answer("back_ends=16", *(f"{key}={value!r}" for key, value in settings.items()))
        chosen = again.picture(TreePicture).chosen.measures
        assert chosen.broadcast * US == pytest.approx(row[0])
        assert chosen.period * US <= row[1] * (1 + 1e-9)
        assert chosen.internal <= row[2]


def test_limits_rates_and_weights_choose_another_tree() -> None:
    few = answer("back_ends=512", "max_internal=8")
    assert "256.0 µs through 8 internal" in few.sentence
    narrow = answer("back_ends=512", "max_fanout=8").picture(TreePicture).chosen
    assert narrow.tree.max_fanout == 8
    busy = answer("back_ends=64", "rate=50000", "max_share=40").picture(TreePicture).chosen
    assert busy.measures.inner_share <= 0.4
    assert busy.measures.period <= 20
    weighted = answer("back_ends=512", "period_weight=1").picture(TreePicture).chosen.measures
    assert (weighted.broadcast, weighted.period, weighted.internal) == (76, 16, 226)
    cheap = answer("back_ends=512", "internal_weight=1").picture(TreePicture).chosen.measures
    assert (cheap.broadcast, cheap.internal) == (90, 43)


def test_a_wanted_shape_is_recommended_even_beyond_the_limits() -> None:
    result = answer("back_ends=64", "shape=flat", "max_fanout=8")
    assert result.headline.startswith("Build the flat tree: ")
    assert any("does not keep the limits" in note.text for note in result.notes)


def test_round_trips_say_that_their_tree_is_found_by_a_heuristic() -> None:
    result = answer("back_ends=64", "operation=round trip", "filter_cost=3")
    assert "round trip with 64 back-ends" in result.sentence
    assert any("11.7 %" in note.text for note in result.notes if not note.inside_domain)
    assert cells(result, "Trees", "round trip")


def test_the_own_tree_is_compared_and_one_for_another_n_is_left_out() -> None:
    result = answer("back_ends=16", "own=b:4^2", "shape=own")
    assert result.picture(TreePicture).own.tree.is_like(parse_spec("b:4^2"))
    assert result.headline.startswith("Build your own tree: a broadcast to 16 back-ends takes 44.0")
    other = answer("back_ends=20", "own=b:4^2", "shape=own")
    assert other.picture(TreePicture).own is None
    assert any("left out" in note.text for note in other.notes)


def test_message_costs_come_from_presets_numbers_or_a_ping_pong(tmp_path) -> None:
    preset = answer("back_ends=16", "costs=alewife")
    assert any("mean of" in note.text for note in preset.notes)
    own = answer("back_ends=16", "costs=own", "latency=6", "overhead=2", "gap=4", "size_bytes=1001",
                 "gap_per_byte=10")  # fmt: skip
    assert cells(own, "Trees", "broadcast")["levels 4²"] > 44 * US
    path = tmp_path / "measured.csv"
    rows = [f"{size},{1e-5 + size * 1e-9}" for size in (1, 64, 4096, 65536)]
    path.write_text("\n".join(["size_bytes,seconds_one_way", *rows]), encoding="utf-8")
    said = ("costs=ping-pong", f"pingpong={path}", "overhead=2", "gap=4")
    fitted = answer("back_ends=16", *said)
    assert pytest.approx(6.0) == fitted.picture(TreePicture).costs.p.L
    assert any("does not show overhead o and gap g" in note.text for note in fitted.notes)
    assert "unknown" not in fitted.sentence
    given = answer("back_ends=16", "costs=own")
    assert any("overhead o 2.00 µs and gap g 4.00 µs" in note.text for note in given.notes)
    with pytest.raises(InputError, match="two overheads"):
        answer("costs=ping-pong", f"pingpong={path}", "overhead=6")
    with pytest.raises(InputError, match="need a file"):
        answer("costs=ping-pong")


def test_hosts_limit_the_tree_and_list_who_runs_where() -> None:
    result = answer("back_ends=16", "hosts=a:8\nb:9", "rate=1000")
    assert result.picture(TreePicture).chosen.measures.internal == 0
    rows = table(result, "Hosts").rows
    assert sum(row[1] for row in rows) == 16
    apart = answer("back_ends=16", "hosts=a:8\nb:8", "internal_hosts=c:1\nd:1")
    assert apart.picture(TreePicture).chosen.measures.internal == 2
    named = {row[0]: row for row in table(apart, "Hosts").rows}
    assert named["c"][1:4] == (0, 0, "yes") or named["c"][2] >= 1
    with pytest.raises(InputError, match="and the front-end"):
        answer("back_ends=16", "hosts=a:8\nb:8")
    with pytest.raises(InputError, match="need those of the back-ends"):
        answer("back_ends=16", "internal_hosts=a:8")
    with pytest.raises(InputError, match="IPv6"):
        answer("back_ends=16", "hosts=me@a:8")


@pytest.mark.parametrize(
    ("settings", "words"),
    [
        (["back_ends=0"], "Allowed: 1 to"),
        (["max_fanout=4", "max_internal=2"], "Allow 170 internal"),
        (["max_fanout=1"], "a process may have 1 children"),
        (["rate=1e6"], "rate up to 125000"),
        (["costs=own", "overhead=0", "gap=0"], "any tree is free"),
        (["own=g:2:1,1,1"], "own"),
        (["own=nowhere.top"], "nowhere.top"),
    ],
)
def test_bad_input_is_refused_with_what_would_be_feasible(settings, words) -> None:
    with pytest.raises(InputError, match=words):
        answer(*settings)


def test_a_stopped_study_keeps_its_trees() -> None:
    result = run(asked("back_ends=512"), None, lambda: True)
    assert not result.complete
    assert table(result, "Trees").rows
    told = []
    run(asked("back_ends=32"), told.append)
    assert [one.fraction for one in told] == sorted(one.fraction for one in told)
    assert any(one.partial is not None for one in told)


def test_one_and_two_back_ends_have_trees() -> None:
    assert "10.0 µs straight from the front-end" in answer("back_ends=1").sentence
    assert run(asked("back_ends=2")).complete


def test_every_field_says_what_it_is_and_most_stand_under_a_heading() -> None:
    fields = parameters_of(TreesParameters)
    assert all(one.help for one in fields)
    assert [one.heading for one in fields if one.heading][:3] == ["Tree", "Message costs", "Limits"]
    assert STUDIES["trees"].record is TreesParameters


def test_sharing_hosts_has_two_prices_and_a_break_even() -> None:
    full = ("back_ends=512", "max_fanout=8", "max_internal=72")
    rare, often, never = (answer(*full, f"rate={rate}") for rate in (1000, 10_000, 0))
    assert "Let internal processes share" in " ".join(rare.reasons)
    assert "Keep internal processes off" in " ".join(often.reasons)
    assert "each takes less than 12 %" in " ".join(never.reasons)
    rows = {row[0]: row[1:] for row in table(often, "Co-location").rows}
    assert rows["hosts of their own"] == (pytest.approx(100 * 72 / 584), None)
    assert rows["shared, at a fixed rate"] == (
        pytest.approx(18.0), pytest.approx(100 * 72 / 584)
    )  # fmt: skip
    assert rows["shared, as a contender"] == (
        pytest.approx(100 * (1 - 1 / 1.18)), pytest.approx(100 * 72 / 512)
    )  # fmt: skip
    assert any(one.name == "at the wanted rate" for one in often.series)
    assert not any(one.title == "Co-location" for one in answer("shape=flat").tables)
    assert not any(
        one.title == "Co-location" for one in answer("rate=1.2e5", "shape=levels").tables
    )


def test_named_hosts_are_what_is_shared() -> None:
    result = answer("back_ends=16", "hosts=a:9\nb:9\nc:9", "rate=5000", "host_cores=4")
    found = table(result, "Co-location").rows
    inner = result.picture(TreePicture).chosen.measures
    assert found[1][1] == pytest.approx(100 * inner.inner_share * -(-inner.internal // 3) / 4)


def test_tools_that_make_the_tree_are_named_and_a_file_too_long_is_told_before() -> None:
    text = " ".join(answer("back_ends=512", "shape=levels").reasons)
    assert "-t b:2x4x4x4x4; STAT makes it with --usertopology 2-8-32-128." in text
    assert "mrnet_topgen" not in " ".join(answer("back_ends=512").reasons)
    assert statements_text(balanced(1000, 4)) == ""
    told = statements_text(balanced(100_000, 4))
    assert "this tree has 36,843: a balanced one fits from fan-out 12" in told
    assert balanced(100_000, 12).internal < 9_993 <= balanced(100_000, 11).internal


def test_the_front_end_falls_behind_as_in_figure_9(sixteen) -> None:
    served = {one.name: dict(zip(one.x, one.y, strict=True)) for one in sixteen.series
              if one.y_label == "samples serviced"}  # fmt: skip
    assert served["flat"][64.0] == pytest.approx(60, rel=1e-6)
    assert served["flat"][256.0] < 5
    assert {served[name][256.0] for name in ("4-way", "8-way", "16-way")} == {100.0}


# The knee ---------------------------------------------------------------------------------


def test_the_knee_of_512_back_ends_is_recommended_beside_the_least_latency() -> None:
    result = answer("back_ends=512")
    assert result.sentence.startswith(
        "Build the knee tree: a broadcast to 512 back-ends takes 72.0 µs through 94"
    )
    assert "fewest processes within 8 % of the least, 68.0 µs with 163" in result.sentence
    assert "saves 69 of 163 processes" in result.reasons[0]
    assert cells(result, "Trees", "internal")["optimal"] == 163
    assert "68.0 µs through 163" in answer("back_ends=512", "tolerance=0").sentence
    assert "68.0 µs through 163" in answer("back_ends=512", "shape=optimal").sentence
    assert "74.0 µs through 82" in answer("back_ends=512", "tolerance=10").sentence


def test_who_limits_or_weighs_processes_has_chosen_and_no_latency_is_given_up() -> None:
    assert "68.0 µs through 163" in answer("back_ends=512", "max_internal=163").sentence
    assert "Rule" not in answer("back_ends=512", "max_internal=20").reasons[0]
    asked_knee = answer("back_ends=512", "shape=knee", "max_internal=20")
    assert asked_knee.picture(TreePicture).chosen.measures.internal == 20


# Unknown o and g --------------------------------------------------------------------------


@pytest.fixture
def pingpong(tmp_path) -> str:
    """2o + L = 10 µs exactly."""
    path = tmp_path / "measured.csv"
    rows = [f"{size},{1e-5 + size * 1e-9}" for size in (1, 64, 4096, 65536)]
    path.write_text("\n".join(["size_bytes,seconds_one_way", *rows]), encoding="utf-8")
    return f"pingpong={path}"


def test_unknown_overhead_and_gap_are_an_interval_in_headline_and_tables(pingpong) -> None:
    result = answer("back_ends=64", "costs=ping-pong", pingpong)
    assert "Overhead o (0 to 5.00 µs) and gap g (0 to 20.0 µs) are unknown" in result.sentence
    assert "20.0 µs to 300.0 µs" in result.sentence
    assert "best tree depends on o and g: for the smallest flat is best" in result.reasons[1]
    rows = table(result, "Unknown o and g").rows
    assert rows[0][2] == "flat"
    assert rows[-1][1] == pytest.approx(20e-6)
    least, most = (cells(result, "Trees", name) for name in ("least", "most"))
    assert (least["flat"], most["flat"]) == (pytest.approx(10e-6), pytest.approx(1270e-6))
    for row in rows:  # nowhere worse than the headline's factor
        assert row[5] == pytest.approx(row[4] / row[3])
        assert row[5] <= 2.74
    assert "at worst 2.73 times the best" in result.sentence


@pytest.mark.parametrize("o", [0.0, 1.0, 4.9])
@pytest.mark.parametrize("g", [5.0, 12.0, 20.0])
def test_the_interval_holds_whatever_the_true_o_and_g_are(pingpong, o: float, g: float) -> None:
    case = TreesCase.of(asked("back_ends=64", "costs=ping-pong", pingpong, "shape=balanced"))
    assert case.spread is not None
    low, high = case.spread.ends(case.best)
    true = broadcast_latency(balanced(64, 8), LogGP(10 - 2 * o, o, o, g))
    assert low <= true * (1 + 1e-9)
    assert true <= high * (1 + 1e-9)
    said = (f"overhead={o}", f"gap={g}", "shape=balanced")
    given = TreesCase.of(asked("back_ends=64", "costs=ping-pong", pingpong, *said))
    assert given.spread is None
    assert given.chosen.measures.broadcast == pytest.approx(true)


def test_what_the_user_says_is_no_interval(pingpong) -> None:
    half = answer("back_ends=64", "costs=ping-pong", pingpong, "overhead=2")
    assert "Gap g (2.00 to 20.0 µs) is unknown" in half.sentence
    alone = answer("back_ends=1", "costs=ping-pong", pingpong)
    assert "takes 10.0 µs straight" in alone.sentence
    assert "this is the best for any of them" in alone.sentence


# Cores ------------------------------------------------------------------------------------


def test_on_two_cores_flat_wins_and_stated_cores_enter_every_time() -> None:
    crowded = answer("back_ends=48", "hosts=node:200", "host_cores=2")
    assert crowded.headline.startswith(
        "Build the flat tree: a broadcast to 48 back-ends takes 104 µs"
    )
    assert any("share 2 cores of a host" in one for one in crowded.reasons)
    free = answer("back_ends=48", "hosts=node:200")
    assert any("cores of the hosts are not given" in note.text for note in free.notes)
    assert not free.headline.startswith("Build the flat")
    for column in ("broadcast", "reduction"):
        assert cells(crowded, "Trees", column)["balanced 8-way"] >= (48 + 6) * 4 / 2 * US
    start = cells(crowded, "Trees", "start-up")["balanced 8-way"]
    assert start > cells(free, "Trees", "start-up")["balanced 8-way"]
    assert cells(crowded, "Trees", "period")["balanced 8-way"] >= 108 * US


def test_hosts_of_many_cores_still_want_a_tree() -> None:
    hosts = "hosts=" + "\n".join(f"n{at}:10" for at in range(9))
    result = answer("back_ends=64", hosts, "host_cores=16")
    assert result.picture(TreePicture).chosen.measures.internal > 0


def test_the_rate_that_two_cores_sustain_is_a_limit() -> None:
    with pytest.raises(InputError, match="keep"):
        answer("back_ends=48", "hosts=node:200", "host_cores=2", "rate=11000")
    assert answer("back_ends=48", "hosts=node:200", "host_cores=2", "rate=5000").tables


# Attach mode ------------------------------------------------------------------------------


def test_attach_mode_recommends_trees_whose_leaves_take_all_back_ends() -> None:
    result = answer(
        "back_ends=64", "attach=true", "hosts=" + "\n".join(f"n{a}:8" for a in range(12))
    )
    chosen = result.picture(TreePicture).chosen
    assert is_attachable(chosen.tree)
    assert not is_attachable(answer("back_ends=64").picture(TreePicture).chosen.tree)
    leaves = table(result, "Back-ends by leaf").rows
    assert sum(row[1] for row in leaves) == 64
    assert all(":" in row[0] and row[3].startswith("n") for row in leaves)
    assert any("can't take all back-ends" in one for one in result.reasons)


def test_files_of_attach_mode_are_read_also_of_the_front_end_alone(tmp_path) -> None:
    alone = tmp_path / "alone.top"
    alone.write_text("n00:0 ;\n", encoding="utf-8")
    result = answer("back_ends=9", f"own={alone}", "shape=own", "attach=true")
    assert result.picture(TreePicture).own.tree.fanouts[0] == 9
    assert not any("never returns" in note.text for note in result.notes)
    assert answer("back_ends=9", f"own={alone}").picture(TreePicture).own is not None
    path = tmp_path / "two.top"
    path.write_text("a:0 => b:0 c:0 ;\n", encoding="utf-8")
    result = answer("back_ends=9", f"own={path}", "shape=own", "attach=true")
    assert result.picture(TreePicture).own.tree.fanouts[:3].tolist() == [2, 5, 4]


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

"""The studies checked by simulation: what is drawn, compared, left out, refused and stopped."""

from __future__ import annotations

import itertools
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest

from advisor import kernels
from advisor.studies import STUDIES, Check, CheckProgress, Series, parse_settings
from advisor.studies.blocks.check import check as check_blocks
from advisor.studies.blocks.parameters import BlocksParameters
from advisor.studies.blocks.run import run as run_blocks
from advisor.studies.mapping.check import check as check_mapping
from advisor.studies.mapping.parameters import MappingParameters
from advisor.studies.mapping.run import run as run_mapping
from advisor.studies.study import StudyResult
from advisor.studies.styles.check import check as check_styles
from advisor.studies.styles.parameters import StylesParameters
from advisor.studies.styles.run import run as run_styles
from machines import InputError, PlacewiseError
from machines.catalogue import interconnect_names

STYLES = StylesParameters(message_bytes=1000)
SMALL = StylesParameters(dims="4x2", message_bytes=1000, largest_bytes=4000)
BLOCKED, OVERLAPPED = "asynchronous long blocking", "asynchronous long non-blocking"
PAPER = BlocksParameters(bytes_per_value=20_000.0, blocks=64)
MAPPED = MappingParameters(pattern="all-to-all", seconds=0.05)


@pytest.fixture(scope="module", autouse=True)
def compiled() -> Iterator[None]:
    """Compiled kernels here, and afterwards as before."""
    before = kernels.loaded()
    kernels.load()
    yield
    if not before:
        kernels.unload()


def rows(check: Check) -> list[dict[str, object]]:
    names = [name for name, _ in check.table.columns]
    return [dict(zip(names, cells, strict=True)) for cells in check.table.rows]


def axes(series: Series) -> tuple[str, ...]:
    return series.x_label, series.x_unit, series.y_label, series.y_unit


def drawn_over(check: Check, result: StudyResult) -> None:
    """Every series of a check lies on the axes of one of the study's."""
    known = {axes(one) for one in result.series}
    for one in check.series:
        assert one.kind == "points"
        assert axes(one) in known


def test_styles_are_simulated_at_the_chosen_size_and_along_the_curves() -> None:
    found = check_styles(STYLES, messages=30_000)
    assert found.complete
    drawn_over(found, run_styles(replace(STYLES, largest_bytes=1000)))
    first = rows(found)[0]
    assert (first["style"], first["size"]) == (BLOCKED, 1000)
    # T is two occupancies here: −19 % on a flit-level simulation
    assert first["published (physical) is off"] == pytest.approx(-20, abs=4)
    assert first["route-aware is off"] == pytest.approx(0, abs=6)
    assert 10 < first["published (bytes) is off"] < 30  # type: ignore[operator]
    assert found.sentence.startswith("Simulated 1")
    assert "published (physical) −" in found.sentence
    blocked, overlapped = found.series
    assert blocked.name == f"simulated, {BLOCKED}"
    assert list(blocked.x) == sorted(blocked.x)
    assert 1000.0 in blocked.x and 100_000.0 in blocked.x
    assert len(blocked.half_width) == len(blocked.y)
    assert 0 < max(blocked.half_width[-3:]) < 0.05 * blocked.y[-1]
    # the engine of the other style rests less between messages
    assert all(low <= high for low, high in zip(overlapped.y, blocked.y, strict=True))


def test_the_models_of_a_check_are_those_of_the_study() -> None:
    found = rows(check_styles(SMALL, messages=2000))[0]
    for column, contention, occupancy in (
        ("route-aware", "route-aware", "physical"),
        ("published (physical)", "published", "physical"),
        ("published (bytes)", "published", "bytes"),
    ):
        asked = replace(SMALL, contention=contention, occupancy=occupancy)
        (row,) = [cells for cells in run_styles(asked).tables[0].rows if cells[0] == BLOCKED]
        assert found[column] == pytest.approx(row[1])


def test_a_program_that_its_network_keeps_waiting_for_nothing_takes_its_own_time() -> None:
    asked = replace(SMALL, message_bytes=64, largest_bytes=64)
    (row,) = [one for one in rows(check_styles(asked, messages=500)) if one["style"] == OVERLAPPED]
    assert (row["simulated"], row["±"], row["route-aware is off"]) == (154.0, 0.0, 0.0)


def test_shares_of_a_hotspot_are_simulated_over_their_curve() -> None:
    asked = replace(SMALL, pattern="hotspot", hotspot_share=0.1)
    found = check_styles(asked, messages=4000)
    drawn_over(found, run_styles(asked))
    (across,) = [one for one in found.series if one.x_label == "hotspot share"]
    assert across.x == pytest.approx((0.0, 0.1, 0.2, 0.3, 0.4, 0.5))
    assert list(across.y) == sorted(across.y)
    hottest = next(one for one in rows(found) if one["hotspot share"] == 0.5)
    # the busiest receiver takes 1 + 6 · 0.5 messages of 500 cycles
    assert hottest["simulated"] == pytest.approx(2000, rel=0.05)
    assert hottest["route-aware is off"] == pytest.approx(0, abs=7)
    assert hottest["published (physical) is off"] < -30  # type: ignore[operator]
    assert any("busiest receiver" in note.text for note in found.notes)


def test_what_does_not_apply_is_left_out_with_a_note() -> None:
    found = check_styles(replace(SMALL, pattern="shift"), messages=500)
    assert not any("published" in name for name, _ in found.table.columns)
    texts = [note.text for note in found.notes]
    assert any("published model does not apply" in text for text in texts)
    assert any("fall into step" in text for text in texts)
    assert any("synchronous" in text for text in texts)
    seconds = check_styles(replace(SMALL, network="slingshot", dims=""), messages=500)
    assert not any("bytes" in name for name, _ in seconds.table.columns)
    assert seconds.series[0].y_unit == "s"


@pytest.mark.parametrize("name", interconnect_names())
def test_every_preset_is_checked(name: str) -> None:
    styles = StylesParameters(network=name, processors=4, message_bytes=500, largest_bytes=1000)
    assert check_styles(styles, messages=200).complete
    assert check_mapping(MappingParameters(name, processes=4, seconds=0.01), runs=2).complete
    assert check_blocks(BlocksParameters(name, n=64, processors=4), drawn=2).complete


def test_a_network_too_large_is_refused() -> None:
    with pytest.raises(PlacewiseError, match="up to 1024 nodes"):
        check_styles(replace(STYLES, dims="33x32", pattern="shift"))


def test_mappings_are_simulated_under_the_orders_that_matter() -> None:
    own = ",".join(map(str, reversed(range(32))))
    asked = replace(MAPPED, pattern="diamond", own=own, size_bytes=10_000.0)
    found = check_mapping(asked, runs=3)
    result = run_mapping(asked)
    drawn_over(found, result)
    table = {str(one["order"]): one for one in rows(found)}
    assert {"row-major", "own"} <= set(table) <= {str(cells[0]) for cells in result.tables[0].rows}
    for one in table.values():  # no channel is shared
        assert one["simulated"] == pytest.approx(one["LoGPC"])
        assert one["wait of a message"] == 0.0
    (series,) = found.series
    assert series.x == tuple(table)
    assert "as long as row-major: LoGPC 0 %" in found.sentence


def test_an_exchange_takes_longer_than_its_bound_and_as_the_route_aware_model_says() -> None:
    found = check_mapping(MAPPED, runs=6)
    (row,) = [one for one in rows(found) if one["order"] == "row-major"]
    assert row["LoGPC is off"] == pytest.approx(-44, abs=4)
    assert row["route-aware is off"] == pytest.approx(-11, abs=5)
    assert found.series[0].half_width[0] > 0
    study = {cells[0]: cells for cells in run_mapping(MAPPED).tables[0].rows}
    assert study["row-major"][-1] == pytest.approx(row["route-aware"])
    assert check_mapping(MAPPED, runs=6).table == found.table


def test_a_search_that_pays_in_the_model_pays_in_the_simulation() -> None:
    asked = replace(MAPPED, pattern="transpose", dims="4x4", seconds=0.2)
    sentence = check_mapping(asked, runs=3).sentence
    assert "optimised" in sentence and "less than row-major" in sentence


def test_messages_of_different_sizes_are_noted(tmp_path: Path) -> None:
    file = tmp_path / "bytes.csv"
    file.write_text("0,500,100\n200,0,300\n100,200,0\n", encoding="utf-8")
    asked = replace(MAPPED, pattern="file", file=str(file), dims="4x2")
    noted = [note.text for note in check_mapping(asked, runs=2).notes if not note.inside_domain]
    assert ["in packets of 25 B" in text for text in noted] == [True]
    even = replace(MAPPED, pattern="random", dims="4x2", messages=60)
    assert all(note.inside_domain for note in check_mapping(even, runs=2).notes)


def test_the_wavefront_is_simulated_under_its_mapping() -> None:
    found = check_blocks(PAPER, drawn=8)
    drawn_over(found, run_blocks(PAPER))
    own, mean, *others = rows(found)
    assert (own["mapping"], own["b"], own["±"]) == ("random, seed 0", 64, 0.0)
    assert mean["mapping"] == "mean of 8 random ones"
    # the published model describes the mean of random mappings; the other is an upper bound
    assert mean["published (physical) is off"] == pytest.approx(0, abs=8)
    assert mean["route-aware is off"] > 10  # type: ignore[operator]
    assert 0 < own["C_n"] < own["C_n, route-aware"]  # type: ignore[operator]
    assert own["C_n ±"] > 0  # type: ignore[operator]
    assert len(others) == 5
    single, several = found.series
    assert len(single.x) == 6 and single.half_width == ()
    assert several.x == (64.0,) and several.half_width[0] > 0


def test_without_shared_channels_simulation_and_closed_form_agree() -> None:
    asked = replace(PAPER, mapping="snake")
    found = check_blocks(asked)
    for one in rows(found):
        assert one["route-aware is off"] == 0.0
        assert one["C_n"] == 0.0
    assert any("does not apply" in note.text for note in found.notes)


def test_too_many_blocks_are_refused() -> None:
    with pytest.raises(PlacewiseError, match="choose fewer blocks"):
        check_blocks(replace(PAPER, n=100_000, blocks=10_000))
    with pytest.raises(InputError, match="Allowed: 1 to"):
        check_blocks(replace(PAPER, blocks=5000))


@pytest.mark.parametrize("name", ["styles", "mapping", "blocks"])
def test_progress_rises_and_shows_what_there_is(name: str) -> None:
    study = STUDIES[name]
    assert study.check is not None
    settings = {
        "styles": ["dims=2x2", "largest_bytes=500"],
        "mapping": ["pattern=all-to-all", "dims=2x2", "seconds=0.01"],
        "blocks": ["n=64", "processors=3", "mapping=snake"],
    }[name]
    parameters = parse_settings(study.record, settings)
    seen: list[CheckProgress] = []
    found = study.check(parameters, seen.append)
    shares = [one.fraction for one in seen]
    assert shares == sorted(shares)
    assert min(shares) >= 0.0
    assert max(shares) < 1.0
    assert all(one.sentence for one in seen)
    partial = [one.partial for one in seen if one.partial is not None]
    if name != "mapping":  # of a single order there is nothing between
        assert [len(one.table.rows) for one in partial] == list(range(1, len(found.table.rows)))
    assert not any(one.complete for one in partial)
    assert found.complete


@pytest.mark.parametrize("name", ["styles", "mapping", "blocks"])
def test_stopped_at_once_nothing_is_invented(name: str) -> None:
    study = STUDIES[name]
    assert study.check is not None
    found = study.check(study.record(), None, lambda: True)
    assert not found.complete
    assert found.sentence == "Stopped before anything was simulated."
    assert (found.series, found.table.rows) == ((), ())


def test_stopped_on_the_way_it_keeps_what_is_known() -> None:
    asked = itertools.count()
    found = check_styles(SMALL, None, lambda: next(asked) > 30, messages=1500)
    assert not found.complete
    assert 1 <= len(found.table.rows) < 14
    assert found.sentence.startswith("Simulated ")


def test_studies_of_allocation_have_nothing_to_simulate() -> None:
    assert {name for name, study in STUDIES.items() if study.check is not None} == {
        "styles",
        "mapping",
        "blocks",
        "trees",
    }

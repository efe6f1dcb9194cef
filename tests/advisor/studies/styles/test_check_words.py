"""What the check of styles says and draws: its table in words, its cases once each."""

from __future__ import annotations

import re
from dataclasses import replace
from typing import Any

import pytest

from advisor.messages.simulation.simulated_traffic import simulate
from advisor.studies import CheckProgress
from advisor.studies.simulated import Point
from advisor.studies.styles.check import BLOCKED, OVERLAPPED, _Network, _sentence, check
from advisor.studies.styles.parameters import StyleCase, StylesParameters
from tests.advisor.studies.checking import axes, rows

pytestmark = pytest.mark.usefixtures("compiled")

SMALL = StylesParameters(dims="2x2", message_bytes=500, largest_bytes=800)


def at(found: list[dict[str, Any]], style: str, B: int) -> dict[str, Any]:
    (row,) = [one for one in found if (one["style"], one["size"]) == (style, B)]
    return row


@pytest.mark.parametrize("B", [64, 200, 500, 800])
@pytest.mark.parametrize("pattern", ["all-to-all", "shift"])
def test_the_other_style_is_compared_as_the_table_has_it(pattern: str, B: int) -> None:
    found = check(replace(SMALL, pattern=pattern, message_bytes=B), messages=1500)
    first, second = (at(rows(found), style.name, B) for style in (BLOCKED, OVERLAPPED))
    share = second["simulated"] / first["simulated"] - 1.0
    if abs(share) <= (first["±"] + second["±"]) / first["simulated"]:
        assert "tie within the noise of the simulation." in found.sentence
        return
    said = re.search(r"Non-blocking ones take ([\d.]+) % (less|more): [a-z ]+\.$", found.sentence)
    assert said is not None
    assert float(said[1]) == pytest.approx(100.0 * abs(share), rel=0.06)
    assert said[2] == ("less" if share < 0.0 else "more")


@pytest.mark.parametrize(
    ("saves", "stands"),
    [
        (-100.0, "take 10 % less: against the prediction."),
        (0.0, "take 10 % less: beyond what the model can tell."),
        (100.0, "take 10 % less: as predicted."),
    ],
)
def test_the_check_says_how_it_stands_to_the_advice(
    monkeypatch: pytest.MonkeyPatch, saves: float, stands: str
) -> None:
    blocked, overlapped = (Point(("", 500), time, 1.0, (None,) * 3) for time in (1000.0, 900.0))
    chosen = _Network.of(SMALL, 0.0)
    chosen.__dict__["predicted_gain"] = saves
    assert _sentence(chosen, (blocked, overlapped)).endswith(f"Non-blocking ones {stands}")
    near = replace(overlapped, time=999.0)
    assert _sentence(chosen, (blocked, near)).endswith("tie within the noise of the simulation.")


def test_styles_that_the_study_calls_alike_save_nothing_by_its_prediction() -> None:
    gains = {}
    for B in (500, 1000):
        case = StyleCase.of(replace(SMALL, dims="8x4", message_bytes=B))
        gains[B] = _Network.of(case.asked, 0.0).predicted_gain
        times = [case.time(style, B) for style in (BLOCKED, OVERLAPPED)]
        told_apart = not case.alike(BLOCKED, OVERLAPPED, B)
        assert gains[B] == (times[0] - times[1] if told_apart else 0.0)
    assert 0.0 in gains.values() and any(gains.values())


@pytest.mark.parametrize(
    ("changes", "model"),
    [
        ({}, "route-aware"),
        ({"contention": "published"}, "published (physical)"),
        ({"contention": "published", "occupancy": "bytes"}, "published (bytes)"),
    ],
)
def test_the_sentence_says_how_far_the_study_s_model_is_off(
    changes: dict[str, Any], model: str
) -> None:
    found = check(replace(SMALL, dims="4x4", **changes), messages=1500)
    said = re.search(rf"{re.escape(model)} predicts ([\d.]+) % (less|more)\.", found.sentence)
    assert said is not None
    sign = -1.0 if said[2] == "less" else 1.0
    assert sign * float(said[1]) == pytest.approx(rows(found)[0][f"{model} is off"], rel=0.06)


def test_a_deviation_is_of_the_simulated_value() -> None:
    for row in rows(check(replace(SMALL, dims="4x4"), messages=1500)):
        for model in ("route-aware", "published (physical)", "published (bytes)"):
            share = 100.0 * (row[model] / row["simulated"] - 1.0)  # type: ignore[operator]
            assert row[f"{model} is off"] == pytest.approx(share, abs=0.0101)


def test_the_chosen_size_comes_first_and_every_case_once() -> None:
    found = rows(check(SMALL, messages=300))
    assert [(row["style"], row["size"]) for row in found[:2]] == [
        (BLOCKED.name, 500), (OVERLAPPED.name, 500),
    ]  # fmt: skip
    cases = [(row["style"], row["size"]) for row in found]
    assert len(set(cases)) == len(cases)
    others = [row["size"] for row in found[2::2]]
    assert others == sorted(others)  # type: ignore[type-var]
    assert (others[0], others[-1]) == (64, 800)


def test_points_drawn_are_the_rows_of_the_table() -> None:
    found = check(SMALL, messages=300)
    for style, series in zip((BLOCKED, OVERLAPPED), found.series, strict=True):
        assert series.name == f"simulated, {style.name}"
        assert axes(series) == ("message size", "B", "time per message", "cycle")
        for x, y, half in zip(series.x, series.y, series.half_width, strict=True):
            row = at(rows(found), style.name, round(float(str(x))))
            assert (y, half) == (row["simulated"], row["±"])
        assert len(series.x) == sum(row["style"] == style.name for row in rows(found))


def test_what_differs_in_nothing_but_its_scale_is_simulated_once(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    asked_for: list[float] = []

    def counted(routes: Any, chances: Any, T: float, occ: float, **more: Any) -> Any:
        asked_for.append(T)
        assert occ == 1.0
        return simulate(routes, chances, T, occ, **more)

    monkeypatch.setattr("advisor.studies.styles.check.simulate", counted)
    check(SMALL, messages=300)
    assert len(set(asked_for)) == len(asked_for)
    # engines of long messages follow one another at one occupancy, whatever their size
    assert 1.0 in asked_for
    assert len(asked_for) < len(rows(check(SMALL, messages=300)))


def test_a_program_that_computes_long_waits_for_nothing() -> None:
    lazy = replace(SMALL, computation=1e6)
    for row in rows(check(lazy, messages=300)):
        alone = 1e6 + 154.0  # and its overheads, o_s + o_r
        if row["style"] == OVERLAPPED.name:
            assert (row["simulated"], row["±"]) == (alone, 0.0)
        else:
            assert alone <= row["simulated"] < 1.01 * alone  # type: ignore[operator]


@pytest.mark.parametrize(("B", "headers"), [(10, True), (19, True), (20, False), (500, False)])
def test_headers_are_doubted_where_they_count(B: int, headers: bool) -> None:
    found = check(replace(SMALL, message_bytes=B), messages=200, should_stop=lambda: True)
    # half a cycle a byte: 20 bytes take ten cycles
    assert any("less than 10 cycles" in note.text for note in found.notes) == headers


def test_headers_are_not_doubted_where_there_are_no_cycles() -> None:
    asked = replace(SMALL, network="infiniband", dims="", processors=4, message_bytes=10)
    found = check(asked, messages=200, should_stop=lambda: True)
    assert not any("headers count." in note.text for note in found.notes)


def test_progress_names_what_is_simulated() -> None:
    told: list[CheckProgress] = []
    asked = replace(SMALL, pattern="hotspot", hotspot_share=0.2)
    found = check(asked, told.append, messages=200)
    names = [one.sentence for one in told]
    assert names[0] == "Simulating 500 B, asynchronous long blocking"
    assert "Simulating hotspot share 30 %" in names
    assert "Simulating hotspot share 20 %" not in names  # the chosen one is there already
    assert len(names) == len(found.table.rows)


def test_random_numbers_are_those_of_the_seed() -> None:
    one, same, other = (check(replace(SMALL, seed=seed), messages=400) for seed in (1, 1, 2))
    assert one.table == same.table
    assert one.table != other.table

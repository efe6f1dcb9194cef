"""Mappings checked by simulation: which orders, against which models."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from advisor.studies.mapping.check import check as check_mapping
from advisor.studies.mapping.parameters import MappingParameters
from advisor.studies.mapping.run import run as run_mapping
from tests.advisor.studies.checking import drawn_over, rows

pytestmark = pytest.mark.usefixtures("compiled")

MAPPED = MappingParameters(pattern="all-to-all", seconds=0.05)


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
    assert "as long as row-major: LoGPC predicts the same" in found.sentence


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

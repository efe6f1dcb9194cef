"""The catalogue lists platforms and networks; cells of tables; `validate --figures`."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from advisor.commands.study import _aligned, _cell
from advisor.published.redrawn.figures import not_redrawn, redrawn_figures
from advisor.studies import Table
from machines import catalogue
from machines.formats.platform_toml import parse_platform
from tests.advisor.commands.asking import Capture, answer, answer_json


def test_the_catalogue_lists_platforms_and_networks(capsys: Capture) -> None:
    status, out, _ = answer(capsys, "catalogue")
    assert status == 0
    lines = out.splitlines()
    for preset in catalogue.entries():
        assert any(line.startswith(f"{preset.name} ") and preset.title in line for line in lines)
    for name in catalogue.interconnect_names():
        title = catalogue.interconnect(name).name
        assert any(line.startswith(f"{name} ") and title in line for line in lines)
    assert any("8 × 4 mesh" in line for line in lines)


@pytest.mark.parametrize("name", catalogue.interconnect_names())
def test_a_network_is_printed_as_a_platform_with_its_source(name: str, capsys: Capture) -> None:
    status, out, _ = answer(capsys, "catalogue", name)
    assert status == 0
    preset = catalogue.interconnect(name)
    (machine,) = parse_platform(out).machines
    assert machine.network == preset
    assert "  [machine.network]" in out.splitlines()
    assert 'source = "' in out
    assert all(sentence.split(":")[0] in out for sentence in preset.assumed)


def test_no_name_stands_for_two_things() -> None:
    platforms = {preset.name for preset in catalogue.entries()}
    assert not platforms & set(catalogue.interconnect_names())


def test_an_unknown_name_lists_the_known_ones(capsys: Capture) -> None:
    status, _, err = answer(capsys, "catalogue", "alewive")
    assert status != 0
    assert "lab" in err
    assert "alewife" in err


@pytest.mark.parametrize(
    ("value", "unit", "text"),
    [
        (0.731, "cycle", "0.731 cycles"),
        (28600.0, "cycle", "28,600 cycles"),
        (0.0124, "s", "12.4 ms"),
        (1.5e6, "B", "1.50 MB"),
        (42.0, "", "42.0"),
        (7, "cycle", "7"),
        (None, "s", ""),
    ],
)
def test_a_word_takes_no_prefix(value: object, unit: str, text: str) -> None:
    assert _cell(value, unit) == text


def test_a_column_has_one_unit_and_digits_that_tell_its_numbers_apart() -> None:
    columns = (("b", ""), ("makespan", "cycle"), ("busy", "%"), ("time", "s"))
    rows = ((1, 3535292.0, 100.0, 72e-6), (2, 3535271.0, 99.9, 2.05e-3), (3, None, None, None))
    header, *lines = _aligned(Table("T", columns, rows)).splitlines()
    assert header.split() == ["b", "makespan", "busy", "time"]
    assert [line.split() for line in lines] == [
        ["1", "3,535,292", "cycles", "100.00", "%", "0.0720", "ms"],
        ["2", "3,535,271", "cycles", "99.90", "%", "2.0500", "ms"],
        ["3"],
    ]


def test_the_catalogue_counts_the_parts_of_platforms(capsys: Capture) -> None:
    _, out, _ = answer(capsys, "catalogue")
    (line,) = (line for line in out.splitlines() if line.startswith("lab-file-server "))
    assert line.endswith("  4 machines, 1 switch, 1 store")


def test_a_platform_is_printed_with_what_is_shared_and_its_runtime(capsys: Capture) -> None:
    _, out, _ = answer(capsys, "catalogue", "bus")
    assert "# 8 machines, 1 switch; 8 links free\n" in out
    assert "# Runtime: fetch ahead, copies once, task_overhead_s 0.0, order plan" in out
    assert parse_platform(out) == catalogue.load("bus")


def test_figures_are_listed_with_what_is_not_redrawn(capsys: Capture) -> None:
    status, out, _ = answer(capsys, "validate", "--figures")
    assert status == 0
    figures, left_out = redrawn_figures(), not_redrawn()
    assert out.startswith(f"{len(figures)} figures redrawn, with ")
    for figure in figures:
        assert any(line.startswith(f"{figure.name} ") for line in out.splitlines())
    for one in left_out:
        assert f"{one.model}, {one.where}: {one.reason}" in out.splitlines()


def test_figures_are_written_into_a_new_folder(tmp_path: Path, capsys: Capture) -> None:
    folder = tmp_path / "deep" / "figures"
    status, out, err = answer(capsys, "validate", "--figures", str(folder))
    assert (status, err) == (0, "")
    assert out.splitlines()[-1].endswith(f"are in {folder}.")
    names = {f"{figure.name}.svg" for figure in redrawn_figures()}
    assert {path.name for path in folder.iterdir()} == {*names, "figures.html"}
    again, out, err = answer(capsys, "validate", "--figures", str(folder))
    assert (again, out) == (2, "")
    assert f"{folder}: this folder is not empty" in err


def test_a_folder_that_can_not_be_made_is_refused_before_anything_is_drawn(
    tmp_path: Path, capsys: Capture, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("advisor.commands.reference.redrawn_figures", None)
    (tmp_path / "file").write_text("mine", encoding="utf-8")
    for place in (tmp_path / "file", tmp_path / "file" / "figures"):
        status, out, err = answer(capsys, "validate", "--figures", str(place))
        assert (status, out) == (2, "")
        assert str(place) in err
    assert (tmp_path / "file").read_text(encoding="utf-8") == "mine"


def test_figures_as_json_have_curves_points_and_numbers(tmp_path: Path, capsys: Capture) -> None:
    found: Any = answer_json(capsys, "validate", "--figures", str(tmp_path / "new"))
    assert len(found["files"]) == len(found["figures"]) + 1
    assert found["not_redrawn"][0].keys() == {"model", "where", "reason"}
    by_name = {one["name"]: one for one in found["figures"]}
    for figure in redrawn_figures():
        told = by_name[figure.name]
        assert [one["name"] for one in told["curves"]] == [one.name for one in figure.curves]
        assert [(one["x"], one["y"]) for one in told["points"]] == [
            mark.place for mark in figure.marks
        ]
        assert [one["obtained"] for one in told["numbers"]] == [
            one.obtained for one in figure.numbers
        ]

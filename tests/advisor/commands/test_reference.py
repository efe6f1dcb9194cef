"""The catalogue lists platforms and networks, and prints files that read back; cells of tables."""

from __future__ import annotations

import pytest

from advisor.commands.study import _aligned, _cell
from advisor.studies import Table
from machines import catalogue
from machines.formats.platform_toml import parse_platform
from tests.advisor.commands.asking import Capture, answer


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

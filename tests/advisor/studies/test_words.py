"""The sentence of a study says what its own tables and curves say."""

from __future__ import annotations

import re

import pytest

from advisor.basics.quantities import duration, percent, slowdown
from advisor.studies import STUDIES, StudyResult, Table, parse_settings
from tests.advisor.studies.small_cases import parameters_of_case


def answered(name: str, *settings: str) -> StudyResult:
    study = STUDIES[name]
    return study.run(parse_settings(study.record, settings))


def rows(table: Table) -> list[dict[str, float]]:
    names = [name for name, _ in table.columns]
    return [dict(zip(names, row, strict=True)) for row in table.rows]  # type: ignore[arg-type]


@pytest.mark.parametrize("pattern", ["permutation", "hotspot", "shift"])
@pytest.mark.parametrize("message_bytes", [8, 200, 5000])
def test_the_style_that_is_named_has_the_shortest_time(pattern: str, message_bytes: int) -> None:
    settings = (f"pattern={pattern}", f"message_bytes={message_bytes}", "processors=16")
    result = answered("styles", *settings)
    found = sorted(rows(result.tables[0]), key=lambda row: row["time per message"])
    told = result.sentence.lower()
    assert str(found[0]["style"]) in told
    if " tie within " not in told:
        assert result.headline.startswith(f"Send {found[0]['style']} messages: ")
    assert str(found[1]["style"]) in told
    stacked = {
        name: sum(one.y[place] for one in result.series if one.kind == "bars")
        for place, name in enumerate(result.series[0].x)
    }
    for row in found:
        assert stacked[row["style"]] == pytest.approx(row["time per message"])  # type: ignore[index]


@pytest.mark.parametrize("n", [16, 64, 1000])
@pytest.mark.parametrize("contention", ["published", "route-aware"])
def test_the_blocks_that_are_named_have_the_least_makespan(n: int, contention: str) -> None:
    result = answered("blocks", f"n={n}", "processors=4", f"contention={contention}")
    found = rows(result.tables[0])
    best = min(found, key=lambda row: row["makespan"])
    named = re.search(r"into ([\d,]+) block", result.sentence)
    assert named is not None
    assert int(named[1]) == best["blocks b"]
    assert best["times the best"] == 1.0
    (point,) = [one for one in result.series if one.name == "best"]
    assert point.x == (float(best["blocks b"]),)
    assert point.y == (pytest.approx(best["makespan"]),)
    assert min(min(one.y) for one in result.series if one.name == "equal blocks") >= point.y[0]


@pytest.mark.parametrize("pattern", ["ring", "transpose", "random", "all-to-all"])
def test_the_saving_that_is_named_is_that_of_the_table(pattern: str) -> None:
    settings = (f"pattern={pattern}", "dims=4x4", "seconds=0.05", "messages=100")
    result = answered("mapping", *settings)
    found = {str(row["order"]): row["hop-bytes"] for row in rows(result.tables[0])}
    saved = 1.0 - min(found.values()) / found["row-major"]
    if saved > 1e-9:
        assert f"{percent(saved)} fewer hop-bytes than row-major" in result.sentence
    else:
        assert "row-major" in result.sentence
        assert "fewer" not in result.sentence
    gaps = [row["gap"] for row in rows(result.tables[0])]
    assert min(gaps) >= -1e-9


@pytest.mark.parametrize("operation", ["broadcast", "reduction"])
@pytest.mark.parametrize("back_ends", [4, 16])
def test_the_tree_that_is_named_is_the_fastest_within_the_limits(
    operation: str, back_ends: int
) -> None:
    settings = (f"back_ends={back_ends}", f"operation={operation}", "latency=0")
    result = answered("trees", *settings)
    found = rows(result.tables[0])
    allowed = [row[operation] for row in found if str(row["within the limits"]) == "yes"]
    assert f"takes {duration(min(allowed))}" in result.sentence
    assert f"{back_ends} back-ends" in result.sentence


def test_the_shares_of_a_decision_map_are_all_of_it_and_the_present_best_is_named() -> None:
    result = STUDIES["decision-map"].run(parameters_of_case("decision map"))
    found = rows(result.tables[0])
    assert sum(row["share"] for row in found) == pytest.approx(100.0)
    assert result.sentence.startswith(str(found[0]["allocation"]))
    assert f"{len(found) - 1} other allocation" in result.sentence
    *of_rows, timeline = result.reasons
    assert timeline == "Timeline: contention-aware schedule."
    for row, reason in zip(found, of_rows, strict=True):
        assert row["from"] <= row["to"]
        assert reason.endswith(f"{duration(row['from'])} to {duration(row['to'])}.")


@pytest.mark.parametrize("contenders", ["0.5", "0.2, 0.7", "4x0.9", "0.3/0.3, 0.6/0.2"])
def test_both_slowdowns_that_are_named_are_those_of_the_row(contenders: str) -> None:
    result = answered("sharing", f"contenders={contenders}", "most=8")
    present = max(result.series[-1].x)
    row = rows(result.tables[0])[int(present) - 1]
    assert slowdown(row["published formula"]) in result.sentence
    if abs(row["queue/formula"] - 1.0) > 1e-9:
        assert slowdown(row["1 + mean queue"]) in result.sentence
        assert percent(abs(row["queue/formula"] - 1.0)) in result.sentence
    for name in ("published formula", "1 + mean queue"):
        curve = next(one for one in result.series if one.name == name)
        assert [each[name] for each in rows(result.tables[0])] == list(curve.y)


@pytest.mark.parametrize("budget", ["auto", "5", "40"])
def test_the_processors_that_are_named_are_on_the_curve(budget: str) -> None:
    result = answered("scaling", "demands=5x40, 160", "think_time=12800", f"budget={budget}")
    named = re.match(r"Use (\d+) processors?", result.headline)
    assert named is not None
    curve = result.series[0]
    assert min(curve.x) <= float(named[1]) <= max(curve.x)
    if budget != "auto":
        assert f"{budget}" in " ".join((result.sentence, *result.reasons))

"""What the check of mappings says of its table, and which exchanges it refuses."""

from __future__ import annotations

import re
from dataclasses import replace
from typing import Any

import pytest

from advisor.studies import CheckProgress, StudyResult
from advisor.studies.mapping.check import check
from advisor.studies.mapping.parameters import MappingParameters
from advisor.studies.mapping.run import run
from machines import PlacewiseError
from tests.advisor.studies.checking import rows

pytestmark = pytest.mark.usefixtures("compiled")

SMALL = MappingParameters(dims="3x3", pattern="random", messages=40, seconds=0.01)


def by_order(asked: MappingParameters, runs: int = 3) -> dict[str, dict[str, Any]]:
    return {str(row["order"]): row for row in rows(check(asked, runs=runs))}


@pytest.mark.parametrize("pattern", ["random", "transpose", "all-to-all", "stencil-2d"])
def test_the_gain_that_is_named_is_that_of_the_table(pattern: str) -> None:
    asked = replace(SMALL, pattern=pattern, size_bytes=20_000.0)
    found = {str(row["order"]): row for row in rows(check(asked, runs=3))}
    sentence = check(asked, runs=3).sentence
    name = re.findall(r"for the exchange, ([a-z-]+)", sentence)[0]
    before, after = (float(found[one]["simulated"]) for one in ("row-major", name))  # type: ignore[arg-type]
    share = 1.0 - after / before
    said = re.search(r", ([\d.]+) % (less|more) than row-major", sentence)
    if name == "row-major":
        assert said is None and "as long" not in sentence
    elif abs(share) < 1e-9:
        assert f", {name}, as long as row-major: " in sentence
    else:
        assert said is not None
        assert float(said[1]) == pytest.approx(100.0 * abs(share), rel=0.06)
        assert said[2] == ("less" if share > 0.0 else "more")


def test_no_exchange_ends_before_its_bound() -> None:
    for row in by_order(SMALL).values():
        assert row["simulated"] >= row["LoGPC"] * (1 - 1e-9)
        assert row["LoGPC is off"] <= 0.0
        assert row["wait of a message"] >= 0.0


def named(result: StudyResult) -> str:
    """The order of the headline: "Use the snake order: …"."""
    return result.headline.partition(":")[0].split()[-2]


def test_the_orders_are_the_default_the_best_and_ones_own() -> None:
    result = run(SMALL)
    best = named(result)
    assert list(by_order(SMALL)) == ["row-major", best]
    own = replace(SMALL, own=",".join(map(str, reversed(range(9)))))
    assert list(by_order(own)) == ["row-major", "own", best]
    kept = replace(SMALL, pattern="stencil-2d", grid="3x3")
    assert list(by_order(kept)) == ["row-major"]


def test_estimates_are_those_of_the_study() -> None:
    asked = replace(SMALL, pattern="all-to-all")
    (table,) = run(asked).tables
    names = [name for name, _ in table.columns]
    study = {str(cells[0]): dict(zip(names, cells, strict=True)) for cells in table.rows}
    for name, row in by_order(asked).items():
        assert row["LoGPC"] == pytest.approx(study[name]["LoGPC time"])
        assert row["route-aware"] == pytest.approx(study[name]["route-aware time"])


def test_an_exchange_without_shared_channels_has_no_interval() -> None:
    (row,) = by_order(replace(SMALL, pattern="diamond", dims="3x1")).values()
    assert (row["±"], row["wait of a message"], row["LoGPC is off"]) == (0.0, 0.0, 0.0)


@pytest.mark.parametrize(("messages", "runs"), [(10, 20), (3000, 13), (20_000, 5)])
def test_small_exchanges_are_simulated_more_often(messages: int, runs: int) -> None:
    asked = replace(SMALL, messages=messages)
    found = check(asked, should_stop=lambda: True)
    assert not found.complete
    assert any(f"one exchange, {runs} times, with" in note.text for note in found.notes)


def test_another_seed_draws_another_order_of_sending() -> None:
    asked = replace(SMALL, pattern="all-to-all")
    one, same = (check(asked, runs=2) for _ in range(2))
    other = check(replace(asked, seed=5), runs=2)
    assert one.table == same.table
    first = [rows(found)[0]["simulated"] for found in (one, other)]
    assert first[0] != first[1]


def test_progress_goes_on_after_the_search() -> None:
    told: list[CheckProgress] = []
    check(SMALL, told.append, runs=2)
    simulated = [one for one in told if one.sentence.startswith("Simulating ")]
    assert simulated[0].sentence == "Simulating row-major"
    assert [one.fraction for one in simulated] == pytest.approx([0.4, 0.55, 0.7, 0.85])
    assert all(one.fraction <= 0.4 for one in told[: -len(simulated)])


@pytest.mark.parametrize(
    ("changes", "words"),
    [
        ({"messages": 400_000}, r"too many messages to simulate.*Allowed: up to 300000"),
        ({"cores": 2}, r"setting cores: the simulation knows nodes of one core only.*cores=1"),
        (
            {"network": "own numbers", "latency": 1.0, "overhead": 1.0, "gap_per_byte": 0.0},
            r"messages take no time on the channels \(G = 0\)",
        ),
    ],
)
def test_what_can_not_be_simulated_is_refused(changes: dict[str, Any], words: str) -> None:
    with pytest.raises(PlacewiseError, match=words):
        check(replace(SMALL, **changes))

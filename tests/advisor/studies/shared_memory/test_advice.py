"""What to do about a target that technology does not reach: other ways, with their figures."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from advisor.basics.quantities import duration
from advisor.models.dvsm import application_time
from advisor.shared_memory.application_file import shipped_application, write_application
from advisor.shared_memory.network_file import dvsm_network
from advisor.shared_memory.phases import Application, Load, OperationKind, Phase
from advisor.studies import StudyResult, Table
from advisor.studies.shared_memory.findings import Findings
from advisor.studies.shared_memory.other_ways import (
    FEWER,
    MESSAGES,
    MODEL_ERROR,
    NETWORK,
    Way,
    best_way,
    fetched,
    ways,
)
from advisor.studies.shared_memory.parameters import SharedMemoryCase, SharedMemoryParameters
from advisor.studies.shared_memory.run import run

ALONE = "No single plausible change of technology reaches efficiency"


def other(result: StudyResult) -> Table | None:
    return next((one for one in result.tables if one.title == "Alternatives"), None)


def tried(asked: SharedMemoryParameters) -> tuple[SharedMemoryCase, Findings, tuple[Way, ...]]:
    case = SharedMemoryCase.of(asked)
    found = Findings.of(case)
    return case, found, ways(case, found.times["base"])


def own(path: Path, *loads: Load, repeat: int = 1, sequential: float = 2e6) -> str:
    kinds = (
        OperationKind("fault", "fault", (("parts", 1), ("request", 12.0), ("reply", 4096.0))),
        OperationKind("serve", "service", (("request", 12.0), ("reply", 4096.0))),
    )
    write_application(Application("mine", sequential, kinds, (Phase("a", repeat, loads),)), path)
    return str(path)


@pytest.mark.parametrize("name", ["water", "barnes"])
def test_a_target_beyond_technology_is_reached_otherwise_with_figures(name: str) -> None:
    result = run(SharedMemoryParameters(application=name))
    assert result.headline.startswith("Use messages over InfiniBand EDR")
    assert result.alternative.startswith(f"{ALONE} 70 %, but this does.")
    listed = other(result)
    assert listed is not None
    (row,) = [cells for cells in listed.rows if f"Use {cells[0]}," in result.headline]
    assert row[-1] == "yes"
    assert duration(float(row[2])) in result.sentence  # type: ignore[arg-type]
    assert not re.search(r"9\d % better", result.sentence)
    assert any("best known is 0.200, Table 7" in text for text in result.reasons)


def test_a_target_that_is_reached_or_a_plausible_change_away_needs_no_other_way() -> None:
    sor = run(SharedMemoryParameters(application="sor"))
    assert other(sor) is None and ALONE not in sor.sentence
    single = run(SharedMemoryParameters(application="is"))
    assert other(single) is None
    assert single.headline == (
        "For efficiency 70 % take 8.1 % better protocol software, from 1.00 to 0.919: the least "
        "relative change of one parameter."
    )


def test_what_nothing_helps_is_said_to_be_so(tmp_path: Path) -> None:
    # one processor does it all: the truth is 50 %, whatever the network
    file = own(tmp_path / "a.toml", Load(2e6), Load(0.0))
    result = run(SharedMemoryParameters(file=file))
    assert result.headline == "Keep Fast Ethernet: nothing plausible reaches efficiency 70 %."
    assert f"{ALONE} 70 %, and no other network, messages or fewer " in result.sentence
    assert "The sequential program on one processor is no slower: 2.00 s." in result.alternative


def test_what_is_advised_has_a_bar_beside_the_scenarios_of_its_longer_time() -> None:
    for name, asked in (("water", 0.7), ("is", 0.7), ("water", 0.8)):
        result = run(SharedMemoryParameters(application=name, target=asked))
        (advised,) = [one for one in result.series if one.x == ("advised",)]
        scenarios = next(one for one in result.series if one.x == ("base", "what-if"))
        assert (advised.x_label, advised.y_label) == (scenarios.x_label, scenarios.y_label)
        time = result.facts[0]
        assert time.name == "advised time"
        assert advised.y == (time.value if time.most is None else time.most,)
        (said,) = advised.labels
        assert said.startswith("recommended")
        least = "" if time.most is None else f"{time.said(time.value)} at least"
        assert least in said
        what_if = sum(
            one.y[1] for one in result.series if one.x == scenarios.x and one.kind == "bars"
        )
        assert ("what-if is shorter" in said) == (what_if < time.value)
    kept = run(SharedMemoryParameters(application="sor"))
    assert ("advised",) not in [one.x for one in kept.series]


def test_both_ends_of_a_way_are_told_in_one_unit() -> None:
    result = run(SharedMemoryParameters(application="water"))
    assert any("4 processors, 50.2 s to 1 min 11 s" in text for text in result.reasons)
    ways_table = other(result)
    assert ways_table is not None
    names = [name for name, _ in ways_table.columns]
    # columns that are named alike up to a comma are written in one unit
    assert names[1:5] == ["time, from", "time, to", "efficiency, from", "efficiency, to"]


def test_another_network_is_what_it_is_if_it_is_asked_for() -> None:
    _, _, found = tried(SharedMemoryParameters(application="water"))
    edr = dvsm_network("infiniband-edr").network
    (way,) = [one for one in found if one.name == edr.name]
    truth = application_time(edr, shipped_application("water").counted("infiniband-edr"))
    assert way.kind == NETWORK
    assert way.times == (truth.time, truth.time)
    asked = run(SharedMemoryParameters(application="water", network="infiniband-edr"))
    assert duration(1e-6 * truth.time) in asked.sentence


def test_a_program_that_waits_for_its_network_gets_a_faster_one(tmp_path: Path) -> None:
    load = Load(5e4, (("fault", 400.0), ("serve", 400.0)))
    file = own(tmp_path / "a.toml", *[load] * 8, repeat=10, sequential=4e6)
    result = run(SharedMemoryParameters(file=file))
    assert result.headline == "Use InfiniBand EDR (DEEP-EST), 0.531 s, efficiency 94.22 %."
    assert ", but this does." in result.alternative
    assert "The sequential program on one processor is no slower" in result.sentence


def test_fewer_processors_lie_between_the_sequential_program_and_all() -> None:
    case, findings, found = tried(SharedMemoryParameters(application="water"))
    base = findings.times["base"]
    fewer = {one.name: one for one in found if one.kind == FEWER}
    assert set(fewer) == {"4 processors", "2 processors"}
    for one in fewer.values():
        assert base.time < one.times[0] < one.times[1] < case.application.sequential_time
        assert base.efficiency < one.efficiencies[0] < one.efficiencies[1] < 1.0


def test_fewer_processors_are_as_computed_by_hand_where_all_is_read_by_each(
    tmp_path: Path,
) -> None:
    # 1 s of computing and 0.5 s of waiting on each of 4: on 2 r = (1/2)/(3/4) of that remains
    asked = SharedMemoryParameters(file=own(tmp_path / "a.toml", *[Load(1e6)] * 4, sequential=4e6))
    case = SharedMemoryCase.of(asked)
    found = Findings.of(case).times["base"]
    stretched = type(found)(**{**found.__dict__, "time": 1.5e6})
    (way,) = [one for one in ways(case, stretched) if one.kind == FEWER]
    assert way.times == pytest.approx((2e6 + 1e6 / 3, 2e6 + 2e6 / 3))
    assert way.efficiencies == pytest.approx((4 / 2 / (8 / 3), 4 / 2 / (7 / 3)))


def test_messages_are_those_that_are_fetched_or_those_that_are_asked_for() -> None:
    case, _, found = tried(SharedMemoryParameters(application="water"))
    derived = fetched(case.base.counts)
    assert derived is not None
    # 20 phases of 178 faults of one part, 3.1 pages, 36 + 165 locks and a barrier
    assert derived.count == pytest.approx(20 * (178 + 3.1 + 36 + 165 + 2), rel=1e-3)
    asked = SharedMemoryParameters(application="water", messages=20)
    few = {one.name: one for one in tried(asked)[2] if one.kind == MESSAGES}
    many = {one.name: one for one in found if one.kind == MESSAGES}
    assert few.keys() == many.keys()
    assert all(few[name].times[1] < many[name].times[0] for name in few)
    told = [note.text for note in run(asked).notes if "Messages instead" in note.text]
    assert "20 messages" in told[0] and "as asked" in told[0]


def test_a_program_that_fetches_nothing_sends_nothing(tmp_path: Path) -> None:
    asked = SharedMemoryParameters(file=own(tmp_path / "a.toml", Load(1e6), Load(1e6)))
    assert fetched(SharedMemoryCase.of(asked).base.counts) is None


def test_the_first_way_that_reaches_is_advised_and_savings_below_the_error_are_none() -> None:
    _, findings, _ = tried(SharedMemoryParameters(application="water"))
    base = findings.times["base"]
    slower = Way(FEWER, "few", (2 * base.time,) * 2, (0.8, 0.9))
    faster = Way(NETWORK, "net", (0.5 * base.time,) * 2, (0.6, 0.6))
    unsure = Way(MESSAGES, "send", (0.4 * base.time, 0.7 * base.time), (0.5, 0.8))
    assert best_way((faster, unsure, slower), base, 0.7) is slower
    assert best_way((faster, unsure), base, 0.7) is unsure
    assert best_way((faster,), base, 0.7) is faster
    little = Way(NETWORK, "net", ((1 - 0.9 * MODEL_ERROR) * base.time,) * 2, (0.4, 0.4))
    assert best_way((little,), base, 0.7) is None


def test_the_headline_says_how_far_the_best_comes_where_nothing_reaches() -> None:
    result = run(SharedMemoryParameters(application="water", target=0.99))
    assert "nor do the alternatives; this helps most." in result.alternative
    assert result.headline.startswith("Use messages over")
    listed = other(result)
    assert listed is not None
    assert {row[-1] for row in listed.rows} == {"no"}
    assert "efficiency 86.0 %" in result.sentence

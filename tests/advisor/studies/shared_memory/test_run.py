"""The shared-memory study: breakdowns that add up, the paper's figures, advice and warnings."""

from __future__ import annotations

from collections import defaultdict
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from advisor.basics.causes import COMPUTING, IDLE
from advisor.models.dvsm import FUTURE, TODAY, application_time
from advisor.shared_memory.application_file import (
    application_names,
    shipped_application,
    write_application,
)
from advisor.shared_memory.network_file import dump_dvsm_network, dvsm_network, dvsm_network_names
from advisor.shared_memory.phases import Application, Load, OperationKind, Phase
from advisor.studies import STUDIES, StudyProgress, StudyResult, Table, parse_settings
from advisor.studies.shared_memory.parameters import OWN, SharedMemoryCase, SharedMemoryParameters
from advisor.studies.shared_memory.run import run
from machines import InputError

SOR = SharedMemoryParameters(application="sor")


def table(result: StudyResult, title: str) -> Table:
    return next(one for one in result.tables if one.title.startswith(title))


def stacks(result: StudyResult, x_label: str) -> dict[tuple[str, str], float]:
    """(y label, bar) → its length, of the stacked bars over a label."""
    found: dict[tuple[str, str], float] = defaultdict(float)
    for one in result.series:
        if one.x_label == x_label:
            for name, value in zip(one.x, one.y, strict=True):
                found[one.y_label, str(name)] += value
    return found


def warned(result: StudyResult) -> str:
    return " ".join(note.text for note in result.notes if not note.inside_domain)


def written(path: Path, phases: tuple[Phase, ...], parts: int = 1, reply: float = 20.0) -> str:
    kinds = (
        OperationKind("fault", "fault", (("parts", parts), ("request", 12.0), ("reply", reply))),
        OperationKind("serve", "service", (("request", 12.0), ("reply", reply))),
    )
    write_application(Application("mine", 4e6, kinds, phases), path)
    return str(path)


def even(processors: int = 2, served: float = 10.0, parts: int = 1) -> tuple[Phase, ...]:
    load = Load(1e6, (("fault", 10.0), ("serve", parts * served)))
    return (Phase("step", 2, (load,) * processors),)


def test_the_sentence_gives_both_times_of_table_1_and_table_7() -> None:
    result = run(SOR)
    base = application_time(
        dvsm_network("fast-ethernet").network, shipped_application("sor").counted("fast-ethernet")
    )
    assert base.speedup == pytest.approx(6.9, abs=0.05)
    assert result.headline == "Keep Fast Ethernet: efficiency 85.8 % reaches 70 %."
    assert result.alternative.startswith(
        "SOR (reconstruction) takes 1.50 s on 8 processors with Fast Ethernet, efficiency 85.8 %; "
        "the what-if 175 ms, 8.56 times as fast, efficiency 91.8 %."
    )


@pytest.mark.parametrize("name", application_names())
def test_every_bar_adds_up_to_the_execution_time(name: str) -> None:
    result = run(SharedMemoryParameters(application=name))
    assert result.complete
    case = SharedMemoryCase.of(SharedMemoryParameters(application=name))
    wholes = {one.name: 1e-6 * one.timed(one.technology).time for one in case.scenarios}
    assert wholes["base"] > wholes["what-if"]
    for scenario, whole in wholes.items():
        means = stacks(result, "scenario")
        assert means["mean time of a processor", scenario] == pytest.approx(whole)
        lasts = [time for (_, bar), time in stacks(result, "processor").items() if scenario in bar]
        assert lasts == pytest.approx([whole] * 8)
    parts = {one.name for one in result.series if one.x_label == "scenario"}
    assert {COMPUTING, IDLE, "page faults", "serving others", "barriers"} <= parts


def test_phases_have_axes_of_their_own_that_add_up() -> None:
    result = run(SharedMemoryParameters(application="barnes"))
    bars = stacks(result, "phase")
    axes = sorted({axis for axis, _ in bars})
    assert axes == [
        "time in phase 1 (processor 0 reads, 8 times)",
        "time in phase 2 (the others read, 8 times)",
    ]
    whole = stacks(result, "scenario")["mean time of a processor", "base"]
    assert sum(bars[axis, "processor 3, base"] for axis in axes) == pytest.approx(whole)
    assert stacks(run(SOR), "phase") == {}


def test_the_curves_are_figure_6() -> None:
    result = run(SharedMemoryParameters(application="water"))
    curves = {one.name: one for one in result.series if one.y_label == "efficiency"}
    full, part = (
        dict(zip(curves[f"base, system software's benefit {benefit} %"].x,
                 curves[f"base, system software's benefit {benefit} %"].y, strict=True))
        for benefit in (100, 50)
    )  # fmt: skip
    # model page, sec. 8: today → 8 times → benefit of a half
    assert full[1.0] == part[1.0] == pytest.approx(38.4, abs=0.05)
    assert full[8.0] == pytest.approx(29.7, abs=0.05)
    assert part[8.0] == pytest.approx(19.3, abs=0.05)
    assert (min(full), max(full)) == (0.25, 16.0)
    speedup = {one.name: one for one in result.series if one.y_label == "speedup"}
    assert set(speedup) == set(curves)
    assert speedup["base as asked"].y == pytest.approx((0.08 * curves["base as asked"].y[0],))
    assert {one.y_unit for one in curves.values()} == {"%"}
    assert curves["what-if as asked"].x == (8.0,)


def test_the_tornado_is_sorted_and_starts_where_it_says() -> None:
    result = run(SharedMemoryParameters(application="water"))
    groups = [one for one in result.series if one.x_label == "parameter"]
    assert [one.y_label.removeprefix("share of overhead saved, ") for one in groups] == [
        "base", "base, processors 8 times as fast", "what-if",
    ]  # fmt: skip
    for one in groups:
        assert list(one.y) == sorted(one.y, reverse=True)
    assert groups[0].y[groups[0].x.index("locks")] == pytest.approx(17.4, abs=0.05)  # type: ignore[arg-type]
    assert {one.y_unit for one in groups} == {"%"}
    saved = {row[:4]: row[4] for row in table(result, "Savings").rows}
    assert saved["base", "locks", "1.00", "0.500"] == pytest.approx(17.4, abs=0.05)
    assert saved["what-if", "signal", "625 ns", "312 ns"] == pytest.approx(0.40, abs=0.005)


def test_the_reduction_of_the_tornado_can_be_asked_for() -> None:
    result = run(SharedMemoryParameters(application="sor", reduction=1.0))
    saved = {row[1]: row[4] for row in table(result, "Savings").rows if row[0] == "base"}
    # model page, sec. 8: no interface latency at all
    assert saved["interface latency"] == pytest.approx(2.8, abs=0.05)


def test_what_limits_is_what_would_save_most_time() -> None:
    result = run(SharedMemoryParameters(application="water"))
    rows = {row[0]: row for row in table(result, "Where the time goes").rows}
    least = min(float(row[3]) for row in rows.values() if row[3] is not None)  # type: ignore[arg-type]
    assert rows["locks"][3] == least
    assert result.reasons[0].endswith(
        "Limited by locks: without that, it would take 30.4 s, 21 % less."
    )
    assert "waiting for the slowest" in run(SOR).reasons[1]


def test_the_target_is_reached_by_one_change_by_two_or_by_all() -> None:
    single = run(SharedMemoryParameters(application="is"))
    assert any(
        "Base: efficiency 70 % takes 8.1 % better protocol software, from 1.00 to 0.919" in reason
        for reason in single.reasons
    )
    assert any("What-if: efficiency 70 % is reached" in reason for reason in single.reasons)
    (row,) = table(single, "To efficiency 70 %").rows
    assert row[:4] == ("base", "protocol software", "1.00", "0.919")
    assert row[4:] == pytest.approx((8.1, 70.0), abs=0.05)


def test_where_no_single_change_reaches_two_or_all_may() -> None:
    two = run(SharedMemoryParameters(application="raytrace", target=0.77))
    assert any("takes two, each" in reason for reason in two.reasons)
    every = run(SharedMemoryParameters(application="water", target=0.57))
    assert any("takes all of them, each" in reason for reason in every.reasons)
    never = run(SharedMemoryParameters(application="water", target=0.99))
    assert any("out of reach" in reason and "74 %" in reason for reason in never.reasons)
    assert not table(never, "To efficiency 99 %").rows


def test_numbers_of_the_what_if_take_precedence_over_its_preset() -> None:
    asked = SharedMemoryParameters(
        technology="today", processor=2.0, protocol=0.5, wire_per_byte=0.008, base="Table 7 future",
        base_fault=1.0, handlers="processor",
    )  # fmt: skip
    case = SharedMemoryCase.of(asked)
    assert case.what_if.technology == replace(
        TODAY, processor=2.0, protocol=0.5, wire_per_byte=0.008, handlers="processor"
    )
    assert case.base.technology == replace(FUTURE, fault=1.0, handlers="processor")


def test_networks_that_were_measured_are_told_by_their_names() -> None:
    told = [note.text for note in run(SharedMemoryParameters(application="water")).notes]
    (where,) = [text for text in told if "Other networks" in text]
    assert where.endswith("measured on Fast Ethernet and OC-3 ATM.")


@pytest.mark.parametrize("name", dvsm_network_names())
def test_every_network_answers_as_base_and_as_what_if(name: str) -> None:
    result = run(replace(SOR, network=name, other_network="oc3-atm", technology="today"))
    assert result.complete
    assert dvsm_network(name).network.name in result.sentence
    measured = name in {"fast-ethernet", "oc3-atm"}
    assert measured != ("were measured on" in warned(result))


def test_a_network_of_the_what_if_that_table_7_replaces_is_told() -> None:
    assert "states latencies, wire and signal itself" in warned(
        run(replace(SOR, other_network="oc3-atm"))
    )


def test_own_numbers_make_a_network_and_a_file_does_too(tmp_path: Path) -> None:
    fast = dvsm_network("fast-ethernet")
    path = tmp_path / "fast-ethernet.toml"
    path.write_text(dump_dvsm_network(fast), encoding="utf-8")
    read = run(replace(SOR, network=OWN, own_file=str(path)))
    assert read.sentence == run(SOR).sentence
    assert "measured" not in warned(read)
    own = run(replace(SOR, network=OWN))
    assert "own numbers" in own.sentence
    assert "not on own numbers" in warned(own)


def test_messages_instead_are_compared_where_counts_are_given() -> None:
    assert len(run(SOR).tables) == 4
    result = run(SharedMemoryParameters(application="water", messages=2000))
    rows = {row[0]: row[1:] for row in table(result, "Messages instead").rows}
    assert rows["shared memory"] == pytest.approx((38.7, 3.136), rel=1e-3)
    assert 17.3 < rows["asynchronous short"][0] < rows["synchronous short"][0]  # type: ignore[operator]
    assert result.reasons[-1].startswith("With 2,000 messages of 1.00 kB from each processor")
    assert "times as fast" in result.reasons[-1]


def test_messages_may_go_over_a_multicomputer_s_network_or_be_the_slower_way() -> None:
    other = run(replace(SOR, messages=2000, message_network="myrinet-now"))
    assert len(table(other, "Messages instead").rows) == 7
    slow = run(SharedMemoryParameters(application="is", messages=10**6))
    assert "times as slow as" in slow.reasons[-1]


def test_what_can_not_send_messages_is_a_note(tmp_path: Path) -> None:
    file = written(tmp_path / "one.toml", even(1, served=0.0))
    result = run(SharedMemoryParameters(file=file, messages=10))
    assert "No comparison with messages" in warned(result)
    assert result.complete
    many = written(tmp_path / "many.toml", even(40))
    result = run(SharedMemoryParameters(file=many, messages=10, message_network="myrinet-now"))
    assert "No comparison with messages" in warned(result)
    assert "Bars show the 16 busiest of 40 processors." in {note.text for note in result.notes}
    assert len(stacks(result, "processor")) == 2 * 16


def test_a_file_takes_the_place_of_the_application_that_ships(tmp_path: Path) -> None:
    result = run(SharedMemoryParameters(file=written(tmp_path / "a.toml", even())))
    assert result.alternative.startswith("mine takes ")
    assert "upper bound" in warned(result)  # Table 7 prefetches
    assert "served" not in warned(result)


def test_counts_that_break_conservation_are_warned_of_with_the_amounts(tmp_path: Path) -> None:
    file = written(tmp_path / "a.toml", even(served=7.0))
    text = warned(run(SharedMemoryParameters(file=file)))
    assert "processors ask 20.0 times but serve 14.0 requests, 6.00 too few" in text


@pytest.mark.parametrize(
    ("phases", "parts", "reply", "word"),
    [
        (even(), 1, 9000.0, "larger than any"),
        (even(), 1, 1000.0, "at the knee"),
        (even(9), 1, 20.0, "9 processors"),
        (even(parts=7), 7, 20.0, "7 parts"),
    ],
)
def test_what_lies_outside_the_model_is_warned_of(
    phases: tuple[Phase, ...], parts: int, reply: float, word: str, tmp_path: Path
) -> None:
    file = written(tmp_path / "a.toml", phases, parts, reply)
    assert word in warned(run(SharedMemoryParameters(file=file)))


def test_a_speed_far_from_today_s_is_warned_of_for_that_scenario() -> None:
    assert "What-if: A processor 100 times" in warned(run(replace(SOR, processor=100.0)))


def test_prefetching_that_costs_more_than_it_hides_is_told(tmp_path: Path) -> None:
    phases = (Phase("step", 2, (Load(1e6, (("fault", 50.0),)), Load(1e6, (("serve", 10.0),)))),)
    result = run(SharedMemoryParameters(file=written(tmp_path / "a.toml", phases, parts=20)))
    assert any("costs more than it hides" in note.text for note in result.notes)
    assert all(min(one.y) >= 0.0 for one in result.series)


def test_a_program_without_overhead_has_no_tornado(tmp_path: Path) -> None:
    phases = (Phase("step", 2, (Load(1e6), Load(1e6))),)
    result = run(SharedMemoryParameters(file=written(tmp_path / "a.toml", phases)))
    assert not [one for one in result.series if one.x_label == "parameter"]
    assert "there is no overhead" in result.reasons[0]


def test_only_the_longest_phases_are_drawn(tmp_path: Path) -> None:
    phases = tuple(Phase(f"p{n}", 1, (Load(1000.0 * n),) * 2) for n in range(1, 11))
    result = run(SharedMemoryParameters(file=written(tmp_path / "a.toml", phases)))
    axes = {axis for axis, _ in stacks(result, "phase")}
    assert axes == {f"time in phase {n} (p{n})" for n in range(5, 11)}
    assert any("6 longest of 10 phases" in note.text for note in result.notes)


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"application": "watr"}, 'Did you mean "water"'),
        ({"file": "none.toml"}, "none.toml"),
        ({"network": "ethernet"}, "unknown network"),
        ({"technology": "tomorrow"}, "unknown technology.*Table 7"),
        ({"protocol": 1.5}, "protocol is out of range"),
        ({"fault": -0.1}, "fault is out of range"),
        ({"processor": 0.0}, "processor is out of range"),
        ({"base_lock": float("nan")}, "lock is out of range"),
        ({"system_benefit": 0.0}, "system_benefit is out of range"),
        ({"signal": float("inf")}, "signal is out of range"),
        ({"target": 0.0}, "setting target: target is out of range"),
        ({"handlers": "magic"}, "unknown handlers"),
        ({"network": OWN, "own_wire_per_byte": -1.0}, "wire_per_byte is out of range"),
        ({"messages": 0}, "messages must be a whole number"),
    ],
)
def test_bad_input_is_refused_with_its_place(change: dict[str, Any], message: str) -> None:
    with pytest.raises(InputError, match=message):
        result = run(replace(SOR, **change))
        pytest.fail(warned(result))


def test_processors_that_differ_between_phases_are_refused(tmp_path: Path) -> None:
    file = Path(written(tmp_path / "a.toml", (*even(2), *even(3))[:1]))
    text = file.read_text(encoding="utf-8")
    file.write_text(text + '\n[[phase]]\nname = "b"\nload = [{ processors = [0] }]\n', "utf-8")
    with pytest.raises(InputError, match='phase "b": the number of processors differs'):
        run(SharedMemoryParameters(file=str(file)))


def test_a_stopped_study_keeps_what_it_has() -> None:
    asked = 0

    def stop() -> bool:
        nonlocal asked
        asked += 1
        return asked > 60

    result = run(SOR, None, stop)
    assert not result.complete
    assert result.sentence == run(SOR).sentence
    lines = [one for one in result.series if one.y_label == "efficiency" and one.kind == "line"]
    assert 0 < len(lines) < 4


def test_progress_never_falls_and_says_what_comes() -> None:
    told: list[StudyProgress] = []
    run(replace(SOR, messages=10), told.append)
    fractions = [one.fraction for one in told]
    assert fractions == sorted(fractions)
    assert fractions[0] == 0.0
    assert fractions[-1] < 1.0
    assert all(one.sentence for one in told)


def test_settings_are_read_and_the_study_is_listed() -> None:
    study = STUDIES["shared_memory"]
    assert study.run is run
    assert not study.needs_problem
    settings = ["application=is", "technology=Table 7 future", "protocol=0.3", "lock=auto"]
    found = parse_settings(SharedMemoryParameters, settings)
    assert found == SharedMemoryParameters(application="is", protocol=0.3)

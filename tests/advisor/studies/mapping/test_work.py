"""Work, speeds and shared cores in the mapping study: what is asked, said and refused."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from advisor.messages.mapping.mapping_file import mapping_of, mapping_report
from advisor.messages.mapping.mapping_picture import MappingPicture
from advisor.studies.mapping.parameters import MappingParameters
from advisor.studies.mapping.run import run
from machines import InputError
from machines.parameters import parameters_of, spoken
from tests.advisor.studies.mapping.test_cores import rows

ASKED = MappingParameters(
    network="own numbers", unit="µs", latency=5.0, overhead=1.0, gap=2.0, gap_per_byte=0.01,
    dims="2 crossbar", cores=2, pattern="ring", processes=4, size_bytes=1000.0,
    memory="0.5, 0.25, 1", seconds=0.002,
)  # fmt: skip


def test_heavy_processes_go_to_the_fast_node() -> None:
    result = run(replace(ASKED, work="300, 100, 300, 100", speeds="1, 0.5"))
    answer = rows(result)
    assert answer["row-major"]["computing"] == pytest.approx(600e-6)  # 300 µs at half speed
    assert answer["optimised"]["computing"] == pytest.approx(300e-6)
    best = answer["optimised"]
    assert best["computing + LoGPC"] == pytest.approx(best["computing"] + best["LoGPC time"])
    assert result.headline.startswith("Use the optimised mapping: computing and exchange take 32")
    slowest = "The slowest core computes 300 µs instead of 600 µs in row-major order, the least"
    assert any(reason.startswith(slowest) for reason in result.reasons)
    assert any("Σ work / speed" in note.text for note in result.notes)
    assert {result.answer.index(place) for place in (0, 1)} == {0, 2}  # type: ignore[union-attr]


def test_efficient_cores_get_the_light_processes() -> None:
    result = run(replace(ASKED, work="400, 100, 100, 400", core_speeds="1, 0.25"))
    best = rows(result)["optimised"]
    assert best["computing"] == pytest.approx(400e-6)
    assert isinstance(result.answer, tuple)
    assert {place % 2 for place in (result.answer[0], result.answer[3])} == {0}
    # which core it is goes into the file, and comes back
    picture = result.picture(MappingPicture)
    assert picture is not None
    again = mapping_of(mapping_report(picture))
    assert again.mapping == result.answer


def test_cores_that_are_shared_or_free_are_named() -> None:
    result = run(replace(ASKED, processes=7, per_core=2, own="0,0,0,0,1,1,1"))
    assert any(
        text.startswith("3 cores are shared by 2 processes each: ") for text in result.reasons
    )
    table = result.tables[-1]
    assert table.title == "Free and shared cores"
    assert sum(row[1] for row in table.rows) == 7  # type: ignore[misc]
    picture = result.picture(MappingPicture)
    assert picture is not None
    again = mapping_of(mapping_report(picture))
    assert (again.mapping, again.per_core) == (result.answer, 2)
    free = run(replace(ASKED, processes=3, per_core=2, dims="3 crossbar"))
    assert any(" cores stay free: " in text for text in free.reasons)


def test_nine_processes_on_four_cores_need_to_share_them() -> None:
    with pytest.raises(InputError, match="per_core="):
        run(replace(ASKED, processes=9))
    assert len(run(replace(ASKED, processes=9, per_core=3)).answer) == 9  # type: ignore[arg-type]
    with pytest.raises(InputError, match="this node takes 4 processes, 2 a core"):
        run(replace(ASKED, processes=5, per_core=2, own="0,0,0,0,0"))


def test_work_and_speeds_may_be_files(tmp_path: Path) -> None:
    work, speeds = tmp_path / "work.txt", tmp_path / "speeds.txt"
    work.write_text("300  # the master\n100\n300\n100\n", encoding="utf-8")
    speeds.write_text("1\n0.5\n", encoding="utf-8")
    from_files = run(replace(ASKED, work=str(work), speeds=str(speeds)))
    assert (
        from_files.headline == run(replace(ASKED, work="300,100,300,100", speeds="1 0.5")).headline
    )


@pytest.mark.parametrize(
    ("work", "micros"),
    [
        ("1 ms", "1000"),
        (0.5, "0.5"),
        ([300, 100, 300, 100], "300, 100, 300, 100"),
        ("2x1.5ms, 2×400 us", "2x1500, 2x400"),
        ("1 s 200 ms", "1200000"),
        ("1e-3 s; 2 ms; 3 ms; 4 µs", "1000; 2000; 3000; 4"),
    ],
)
def test_work_takes_times_with_their_unit(work: Any, micros: str, tmp_path: Path) -> None:
    wanted = run(replace(ASKED, work=micros))
    assert run(replace(ASKED, work=work)).tables == wanted.tables
    listed = tmp_path / "work.txt"
    listed.write_text(str(work).strip("[]") + "  # of each\n", encoding="utf-8")
    assert run(replace(ASKED, work=str(listed))).tables == wanted.tables


def test_what_is_no_work_is_told_at_its_field() -> None:
    with pytest.raises(InputError) as caught:
        run(replace(ASKED, work="a while"))
    said = spoken(caught.value, parameters_of(MappingParameters))
    assert said.field == "work"
    assert said.text == (
        "This is no list of times, and no file has this name. Write µs or times with a unit, "
        "e.g. 400, 1 ms or 8x400, 8x200, or the name of a file of them."
    )


def test_threads_have_the_mean_speed_of_their_cores() -> None:
    asked = replace(ASKED, cores=4, threads=2, processes=2, work="100", core_speeds="1,0.5,0.5,0.5")
    found = rows(run(replace(asked, own="0, 0")))["own"]
    assert found["computing"] == pytest.approx(200e-6)  # of the two slow cores
    assert rows(run(replace(asked, own="0, 1")))["own"]["computing"] == pytest.approx(100e-6 / 0.75)


@pytest.mark.parametrize(
    ("changed", "message"),
    [
        ({"work": "1, 2, 3"}, "setting work: 3 numbers for 4 processes.*Give one for all, or 4"),
        ({"work": "1", "speeds": "1, 2, 3"}, "setting speeds: 3 numbers for 2 nodes"),
        ({"work": "1", "speeds": "1, 0"}, "setting speeds: a speed must be above 0"),
        ({"work": "1", "core_speeds": "1, 2, 3"}, "3 numbers for 2 cores of a node"),
        ({"speeds": "1, 2"}, "setting speeds: speeds matter to what.*Give work="),
        ({"work": "no such file"}, "setting work: this is no list of times, and no file.*Write µs"),
        ({"speeds": "2 GHz", "work": "1"}, "setting speeds: this is no list of speeds.*Write numb"),
        ({"work": "1 m"}, "setting work: this is no list of times"),
        ({"work": "1 ms, 2x400"}, "setting work: some times have a unit.*'400'"),
        ({"work": "/"}, "setting work: .*can't be read"),
        ({"work": "-1"}, "no number ≥ 0"),
    ],
)
def test_work_and_speeds_that_do_not_fit_are_refused(changed: dict[str, Any], message: str) -> None:
    with pytest.raises(InputError, match=message):
        run(replace(ASKED, **changed))


def test_messages_that_memory_makes_shorter_are_not_as_long_under_any_mapping() -> None:
    told = "under any mapping; waits"
    # all neighbours leave the node of a process, or one of two stays there
    result = run(replace(ASKED, own="0,1,0,1"))
    times = {name: row["LoGPC time"] for name, row in rows(result).items()}
    assert min(times.values()) < times["own"]
    assert not any(told in reason for reason in result.reasons)
    alone = run(replace(ASKED, cores=1, dims="4 crossbar"))
    assert any(told in reason for reason in alone.reasons)

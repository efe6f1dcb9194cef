"""Results on disk: whole rows after any end, gone on with, and nothing else overwritten."""

from __future__ import annotations

import csv
import json
import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from advisor.campaigns import campaign_record as records
from advisor.campaigns.answer_case import Answer
from advisor.campaigns.campaign_cases import Cases
from advisor.campaigns.lines import CSV, JSONL, KINDS, line, parsed
from advisor.campaigns.open_campaign import read_folder
from advisor.campaigns.row_columns import COLUMNS
from advisor.campaigns.run_campaign import run_campaign
from advisor.campaigns.writing import rows_in, writing
from machines.errors import InputError
from tests.advisor.campaigns.made_rows import row
from tests.advisor.campaigns.small import FILES, LAYERED, Known, Plain, campaign, rows, two_machines


@pytest.fixture(scope="module")
def known() -> Known:
    """The answers of all 20 cases."""
    return Known(campaign())


@pytest.fixture(scope="module")
def whole(known: Known, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The results of all 20 cases."""
    out = tmp_path_factory.mktemp("whole")
    run_campaign(campaign(), out, known)
    return out


def copied(whole: Path, out: Path) -> Path:
    shutil.copytree(whole, out)
    return out


def part(whole: Path, out: Path, kept: dict[str, int]) -> Path:
    """The results, of each file so many bytes."""
    copied(whole, out)
    for name, size in kept.items():
        os.truncate(out / name, size)
    return out


def refused(out: Path, message: str, cases: Cases | None = None) -> None:
    """Neither looked at nor written, and left as it was."""
    before = {path.name: path.read_bytes() for path in out.iterdir()}
    for attempt in (rows_in, lambda out, cases: run_campaign(cases, out, Plain())):
        with pytest.raises(InputError, match=message):
            attempt(out, cases or campaign())
    assert {path.name: path.read_bytes() for path in out.iterdir()} == before


def test_both_files_hold_the_same_rows_for_csv_and_json(whole: Path) -> None:
    with (whole / "results.csv").open(newline="", encoding="utf-8") as file:
        table = list(csv.DictReader(file))
    told = [json.loads(one) for one in (whole / "results.jsonl").read_text().splitlines()]
    assert [int(one["case"]) for one in table] == [one["case"] for one in told] == list(range(20))
    assert tuple(table[0]) == tuple(told[0]) == COLUMNS
    for texts, values in zip(table, told, strict=True):
        assert texts["workload"] == values["workload"]
        assert float(texts["value"]) == values["value"]  # every digit
        assert texts["proved"] == str(values["proved"])
    assert (whole / "timings.csv").read_text().startswith("case,seconds\n0,")


def test_what_a_cell_can_not_hold_is_written_so_that_a_row_stays_a_line() -> None:
    odd = row(
        None,
        workload='a\nb, "c".json',
        platform="=1+1",
        error="x\r\ny,",
        warnings=("one | two", "three"),
    )
    text = line(CSV, Answer(odd, 0.5), with_plan=False)
    assert text.count(b"\n") == 1
    (cells,) = csv.reader([text.decode()])
    told = dict(zip(COLUMNS, cells, strict=True))
    assert told["workload"] == 'a\\u000ab, "c".json'
    assert told["platform"] == "'=1+1"
    assert (told["value"], told["error"]) == ("", "x\\u000d\\u000ay,")
    assert parsed(line(JSONL, Answer(odd, 0.5), with_plan=False), "") == odd


def test_campaign_json_tells_what_when_and_with_which_versions(whole: Path) -> None:
    told = json.loads((whole / "campaign.json").read_text())
    assert (told["format"], told["version"]) == ("placewise-campaign-results", 1)
    assert (told["name"], told["cases"], told["complete"]) == ("small", 20, True)
    assert told["product"] == "10 of layered × 2 strategies"
    (with_,) = told["computed_with"]
    assert set(with_) == {"from_case", "Placewise", "Python", "numpy", "numba"}
    assert told["begun"] <= told["gone_on"]


@pytest.mark.parametrize("cut", range(60))
def test_wherever_it_was_killed_the_same_rows_come_of_going_on(
    cut: int, whole: Path, known: Known, tmp_path: Path
) -> None:
    """Blocks are written one file after the other: an earlier file may be ahead of a later one."""
    sizes = {kind.name: (whole / kind.name).stat().st_size for kind in KINDS}
    ends = {
        kind.name: [
            place + 1 for place, one in enumerate((whole / kind.name).read_bytes()) if one == 10
        ]
        for kind in KINDS
    }
    ahead, file = cut // 3 % 20, cut % 3
    kept = {}
    for place, kind in enumerate(KINDS):
        lines = ahead + bool(kind.header)
        at = ends[kind.name][lines - 1] if lines else 0
        if place < file:
            at = ends[kind.name][min(lines + cut % 4, len(ends[kind.name]) - 1)]
        elif place == file:
            at += (cut * 37) % 60
        kept[kind.name] = min(at, sizes[kind.name])
    out = part(whole, tmp_path / "out", kept)
    lines = [(out / kind.name).read_bytes().count(b"\n") - bool(kind.header) for kind in KINDS]
    known.asked.clear()
    outcome = run_campaign(campaign(), out, known)
    assert outcome.complete
    assert outcome.began_with == min(lines)
    assert known.asked == list(range(min(lines), 20))
    assert rows(out) == rows(whole)
    timed = (out / "timings.csv").read_text().splitlines()[1:]
    assert [int(one.split(",")[0]) for one in timed] == list(range(20))


@pytest.mark.parametrize("bytes_", [0, 1, 40])
def test_a_header_that_was_cut_is_written_again(
    bytes_: int, whole: Path, known: Known, tmp_path: Path
) -> None:
    kept = {"results.jsonl": 0, "results.csv": bytes_, "timings.csv": 0}
    out = part(whole, tmp_path / "out", kept)
    run_campaign(campaign(), out, known)
    assert rows(out) == rows(whole)


def test_what_is_complete_is_not_computed_again(whole: Path, tmp_path: Path) -> None:
    out = copied(whole, tmp_path / "out")
    before = {name: (out / name).read_bytes() for name in FILES[1:]}
    assert rows_in(out, campaign()) == 20
    outcome = run_campaign(campaign(), out, None)
    assert (outcome.done, outcome.began_with, outcome.complete) == (20, 20, True)
    assert {name: (out / name).read_bytes() for name in FILES[1:]} == before


@pytest.mark.parametrize(
    ("lines", "message"),
    [
        (LAYERED.replace("0.1", "0.2"), 'another campaign, "small": other workloads'),
        (LAYERED.replace("seeds = 5", "seeds = 6"), "other workloads, 20 cases instead of 24"),
        (LAYERED.replace('"min-min"', '"peft"'), "other strategies"),
        (LAYERED + "seconds = 3\n", "other seconds.*Name another folder"),
        (LAYERED + "plans = true\n", "other plans"),
    ],
)
def test_results_of_another_campaign_are_left_alone_and_what_differs_is_told(
    lines: str, message: str, whole: Path, tmp_path: Path
) -> None:
    refused(copied(whole, tmp_path / "out"), message, campaign(lines))


def test_a_comment_in_the_file_makes_no_other_campaign(whole: Path, tmp_path: Path) -> None:
    out = copied(whole, tmp_path / "out")
    assert run_campaign(campaign("# why\n" + LAYERED), out, Plain(), text="").began_with == 20


def test_inputs_that_changed_are_told(tmp_path: Path) -> None:
    lines = 'workloads = ["w*.toml"]\nplatforms = ["p.toml"]\nstrategies = ["heft"]\n'
    folder, out = two_machines(tmp_path / "in"), tmp_path / "out"
    run_campaign(campaign(lines, folder), out, Plain())
    workload, platform = (folder / name for name in ("w.toml", "p.toml"))
    kept = workload.read_text(), platform.read_text()
    workload.write_text(kept[0] + "# more\n")
    refused(out, r"w.toml has another content", campaign(lines, folder))
    workload.write_text(kept[0])
    platform.write_text("# the same machines\n" + kept[1])
    assert rows_in(out, campaign(lines, folder)) == 1
    platform.write_text(kept[1].replace("1e6", "2e6"))
    refused(out, "platform p.toml has another content", campaign(lines, folder))
    platform.write_text(kept[1])
    (folder / "w2.toml").write_text(kept[0])
    refused(out, "w2.toml is new, 1 case instead of 2", campaign(lines, folder))
    workload.rename(folder / "w2.toml")
    refused(out, "w.toml is gone, w2.toml is new", campaign(lines, folder))


def test_a_folder_of_other_files_is_left_alone(known: Known, tmp_path: Path) -> None:
    (tmp_path / "results.csv").write_text("a,b\n1,2\n")
    refused(tmp_path, "results.csv exists without campaign.json")
    (tmp_path / "results.csv").unlink()
    (tmp_path / "notes.txt").write_text("mine")
    assert run_campaign(campaign(), tmp_path, known).complete
    assert (tmp_path / "notes.txt").read_text() == "mine"


@pytest.mark.parametrize(
    ("name", "content", "message"),
    [
        ("campaign.json", b"{}", "campaign.json: format is missing"),
        ("campaign.json", b"nonsense", "campaign.json: "),
        ("results.csv", b"case,study\n0,allocation\n", "results.csv: line 1: .*changed"),
        ("results.jsonl", b'{"case": 1, "study"}\n', "results.jsonl: line 1: .*changed"),
        ("results.jsonl", b"", "results.jsonl is missing"),
        ("timings.csv", b"case,seconds\n0,1\n2,1\n", "timings.csv: line 3: .*changed"),
    ],
)
def test_files_that_something_else_changed_are_told_and_kept(
    name: str, content: bytes, message: str, whole: Path, tmp_path: Path
) -> None:
    out = copied(whole, tmp_path / "out")
    (out / name).write_bytes(content)
    before = (out / name).read_bytes()
    with pytest.raises(InputError, match=message):
        run_campaign(campaign(), out, Plain())
    assert (out / name).read_bytes() == before


@pytest.mark.skipif(os.geteuid() == 0, reason="root may write anywhere")
def test_a_folder_that_can_not_be_written_is_told_before_anything_is_computed(
    tmp_path: Path,
) -> None:
    tmp_path.chmod(0o500)
    with pytest.raises(InputError, match="can't be written"):
        rows_in(tmp_path / "out", campaign())


def test_a_path_through_a_file_is_no_folder(tmp_path: Path) -> None:
    (tmp_path / "file").touch()
    for out in (tmp_path / "file", tmp_path / "file" / "out"):
        with pytest.raises(InputError, match=r"file.*can't be written"):
            run_campaign(campaign(), out, Plain())


def test_two_can_not_write_one_folder(tmp_path: Path) -> None:
    with writing(tmp_path, campaign()):
        program = (
            "import sys; from pathlib import Path\n"
            "from advisor.campaigns.writing import writing\n"
            "from machines.errors import InputError\n"
            "from tests.advisor.campaigns.small import campaign\n"
            "try:\n"
            "    with writing(Path(sys.argv[1]), campaign()): print('both')\n"
            "except InputError as error:\n"
            "    print(error)\n"
        )
        said = subprocess.run(
            [sys.executable, "-c", program, str(tmp_path)],
            capture_output=True, text=True, check=True,
        )  # fmt: skip
    assert "another campaign writes it. Wait for it" in said.stdout


@pytest.mark.parametrize("limit", [1500, 3300])
def test_a_disk_that_is_full_ends_it_with_whole_rows_and_it_goes_on_later(
    limit: int, whole: Path, known: Known, tmp_path: Path
) -> None:
    program = (
        "import resource, sys\n"
        "from advisor.campaigns.run_campaign import run_campaign\n"
        "from machines.errors import InputError\n"
        "from tests.advisor.campaigns.small import Plain, campaign\n"
        "cases = campaign()\n"
        f"resource.setrlimit(resource.RLIMIT_FSIZE, ({limit}, {limit}))\n"
        "try:\n"
        f"    run_campaign(cases, {str(tmp_path)!r}, Plain())\n"
        "except InputError as error:\n"
        "    print(error)\n"
    )
    said = subprocess.run(
        [sys.executable, "-c", program], capture_output=True, text=True, check=True
    ).stdout
    assert re.search(
        r"results.jsonl: can't be written any more .*of 20 cases are kept; the same", said
    )
    found = read_folder(tmp_path)
    assert 0 < len(found.results) < 20
    assert {(tmp_path / kind.name).read_bytes()[-1:] for kind in KINDS} == {b"\n"}
    assert rows_in(tmp_path, campaign()) == len(found.results)
    run_campaign(campaign(), tmp_path, known)
    assert rows(tmp_path) == rows(whole)


def test_a_device_in_the_place_of_a_file_is_not_read(tmp_path: Path) -> None:
    (tmp_path / "results.csv").symlink_to("/dev/null")
    with pytest.raises(InputError, match=r"results.csv: this is no file"):
        run_campaign(campaign(), tmp_path, Plain())


def test_rows_of_other_versions_are_told(
    whole: Path, known: Known, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    first_rows = sum(map(len, (whole / "results.csv").read_bytes().splitlines(True)[:8]))
    out = part(whole, tmp_path / "out", {"results.csv": first_rows})
    newer = (*records.versions()[:2], ("numpy", "99.0"), records.versions()[3])
    monkeypatch.setattr(records, "versions", lambda: newer)
    told = ("From case 7 on rows were computed with numpy 99.0",)
    assert run_campaign(campaign(), out, known).notes == told
    assert read_folder(out).notes == told


def test_rows_are_with_the_system_when_they_are_appended(known: Known, tmp_path: Path) -> None:
    with writing(tmp_path, campaign()) as results:
        for first, last in ((0, 2), (2, 3)):
            results.append(known.answers[first:last])
            found = [(tmp_path / kind.name).read_bytes().count(b"\n") for kind in KINDS]
            assert found == [last + bool(kind.header) for kind in KINDS]
    assert rows_in(tmp_path, campaign()) == 3

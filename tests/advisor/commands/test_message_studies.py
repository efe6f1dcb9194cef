"""`placewise study styles` and `blocks`: the same answers on the command line."""

from __future__ import annotations

import pytest

from advisor.studies.blocks.parameters import BlocksParameters
from advisor.studies.blocks.run import run as run_blocks
from advisor.studies.styles import check as styles_check
from advisor.studies.styles.parameters import StylesParameters
from advisor.studies.styles.run import run as run_styles
from tests.advisor.commands.asking import Capture, answer, answer_json


def test_styles_are_compared_in_text(capsys: Capture) -> None:
    status, out, err = answer(
        capsys, "study", "styles", "--set", "message_bytes=16", "--set", "contention=published",
        "--set", "measured_contention=23",
    )  # fmt: skip
    assert (status, err) == (0, "")
    assert out.startswith("Send asynchronous short messages: 137 cycles for 16 B.")
    assert "499 cycles" in out
    assert "Crossovers" in out


def test_styles_are_reported_in_json(capsys: Capture) -> None:
    settings = ("--set", "pattern=hotspot", "--set", "dims=4x2", "--set", "largest_bytes=100")
    found = answer_json(capsys, "study", "styles", *settings)
    result = run_styles(StylesParameters(pattern="hotspot", dims="4x2", largest_bytes=100))
    assert found["sentence"] == result.sentence
    assert found["reasons"] == list(result.reasons)
    series = found["series"]
    assert isinstance(series, list)
    assert [one["name"] for one in series] == [one.name for one in result.series]
    assert [one["y"] for one in series] == [list(one.y) for one in result.series]


def test_blocks_are_searched_in_text_and_json(capsys: Capture) -> None:
    settings = ("--set", "task_time=1", "--set", "mapping=snake")
    status, out, err = answer(capsys, "study", "blocks", *settings)
    assert status == 0
    assert out.startswith(
        "Cut each stripe into 87 blocks: 71,047 cycles. 1.7 times faster than 16 blocks.\n"
    )
    assert "makespan 71,047 cycles (−47,292 cycles); " in out
    assert " Differences against 16 blocks.\n" in out
    assert "do not divide" in err
    found = answer_json(capsys, "study", "blocks", *settings)
    result = run_blocks(BlocksParameters(task_time=1.0, mapping="snake"))
    tables = found["tables"]
    assert isinstance(tables, list)
    assert tables[0]["rows"] == [list(row) for row in result.tables[0].rows]
    _, out, err = answer(capsys, "study", "blocks", *settings, "--set", "receiving=printed")
    best = "Cut each stripe into 238 blocks (receiving overhead O_r as printed): 50,700 cycles."
    assert out.startswith(f"{best} 2.2 times faster")
    assert "costs 20 % more than 87" in err


@pytest.mark.parametrize(
    ("arguments", "word"),
    [
        (("styles", "--set", "dims=8by4"), "8x4"),
        (("styles", "--set", "pattern=gossip"), "all-to-all"),
        (("blocks", "--set", "blocks=5000"), "1 to 910"),
        (("blocks", "--set", "procesors=4"), "processors"),
        (("blocks", "--set", "receiving=own"), "network, printed"),
    ],
)
def test_what_can_not_be_is_one_message(
    arguments: tuple[str, ...], word: str, capsys: Capture
) -> None:
    status, out, err = answer(capsys, "study", *arguments)
    assert (status, out) == (2, "")
    assert word in err
    assert err.count("\n") == 1


CHECKED = (
    "study", "styles", "--set", "dims=2x2", "--set", "largest_bytes=1000", "--set",
    "pattern=hotspot",
)  # fmt: skip


@pytest.fixture
def few(monkeypatch: pytest.MonkeyPatch) -> None:
    """Few messages."""
    monkeypatch.setattr(styles_check, "_MESSAGES", 500)
    monkeypatch.setattr(styles_check, "_MESSAGES_A_NODE", 10)


@pytest.mark.usefixtures("few")
def test_a_check_is_printed_below_the_answer(capsys: Capture) -> None:
    status, out, err = answer(capsys, *CHECKED, "--check")
    assert status == 0
    answered, _, checked = out.partition("\nSimulated ")
    assert answered.startswith("Send asynchronous ")
    assert "route-aware" in checked.splitlines()[0]
    assert "hotspot share" in checked.splitlines()[1]
    assert "note: Simulated are asynchronous long messages" in err
    assert answer(capsys, *CHECKED)[1] == answered


@pytest.mark.usefixtures("few")
def test_a_check_is_part_of_the_report(capsys: Capture) -> None:
    found = answer_json(capsys, *CHECKED, "--check")
    assert "check" not in answer_json(capsys, *CHECKED)
    check = found["check"]
    assert isinstance(check, dict)
    assert check["complete"] is True
    assert check["sentence"].startswith("Simulated ")
    assert {one["x_label"] for one in check["series"]} == {"message size", "hotspot share"}
    for one in check["series"]:
        assert len(one["half_width"]) == len(one["y"])
    assert len(check["table"]["rows"][0]) == len(check["table"]["columns"])
    assert check["notes"][0]["source"].startswith("Placewise's own simulation:")


@pytest.mark.usefixtures("few")
def test_what_is_too_much_to_simulate_is_one_message(capsys: Capture) -> None:
    settings = ("--set", "n=100000", "--set", "blocks=80000", "--set", "mapping=snake")
    status, out, err = answer(capsys, "study", "blocks", *settings, "--check")
    assert (status, out) == (2, "")
    assert "choose fewer blocks" in err


@pytest.mark.usefixtures("folder")
def test_a_study_of_tasks_has_nothing_to_simulate(capsys: Capture) -> None:
    files = ("--set", "workload=w.toml", "--set", "platform=p.toml")
    status, out, err = answer(capsys, "study", "allocation", *files, "--check")
    assert (status, out) == (2, "")
    assert "styles, mapping, blocks" in err


def test_a_check_of_ten_times_as_much_has_narrower_intervals(capsys: Capture) -> None:
    asked = ("study", "mapping", "--set", "dims=3x3", "--set", "pattern=random", "--set",
             "messages=60", "--set", "seconds=0.01", "--check")  # fmt: skip
    status, _, err = answer(capsys, *asked, "4")
    assert status == 0
    assert "Simulated is one exchange, 80 times" in err
    for wrong in ("0", "many"):
        assert answer(capsys, *asked, wrong)[0] == 2


def test_a_simulation_without_intervals_is_not_done_several_times(capsys: Capture) -> None:
    asked = ("study", "trees", "--set", "back_ends=16", "--check")
    status, out, err = answer(capsys, *asked, "3")
    assert (status, out) == (2, "")
    assert "Give --check alone" in err

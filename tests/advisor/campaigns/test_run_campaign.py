"""A campaign carried out: the same rows whoever computes, told as it goes, ended at any time."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import Any

import pytest

from advisor.campaigns import run_campaign as carrying
from advisor.campaigns.answer_case import LOST
from advisor.campaigns.open_campaign import read_folder
from advisor.campaigns.row_columns import Row
from advisor.campaigns.run_campaign import Progress, run_campaign
from advisor.computing.window import PiecesLost
from machines.errors import InputError, PlacewiseError
from tests.advisor.campaigns.small import LAYERED, Known, Plain, Shuffled, campaign, rows


@pytest.fixture(scope="module")
def known() -> Known:
    """The answers of all 20 cases."""
    return Known(campaign())


@pytest.fixture(scope="module")
def whole(known: Known, tmp_path_factory: pytest.TempPathFactory) -> dict[str, bytes]:
    """The rows of all 20 cases."""
    out = tmp_path_factory.mktemp("whole")
    run_campaign(campaign(), out, known)
    return rows(out)


class Losing(Plain):
    """`Shards` whose pieces 3 and 4 end every worker, the first time."""

    def __init__(self) -> None:
        self.calls = 0

    def each(
        self, function: Callable[[Any], Any], items: Sequence[Any]
    ) -> Iterator[tuple[int, Any]]:
        self.calls += 1
        if self.calls > 1:
            yield from super().each(function, items)
            return
        for place in (0, 1, 2, 6, 5):
            yield place, function(items[place])
        error = PiecesLost("2 pieces ended every worker")
        error.places = (3, 4)
        raise error


class Gone(Plain):
    """`Shards` that are lost after some answers."""

    def each(
        self, function: Callable[[Any], Any], items: Sequence[Any]
    ) -> Iterator[tuple[int, Any]]:
        for place, found in super().each(function, items):
            if place == 7:
                raise PlacewiseError("the scheduler was gone", remedy="Start it again")
            yield place, found


@pytest.mark.parametrize("seed", range(3))
def test_rows_are_the_same_in_the_same_order_in_whatever_order_answers_come(
    seed: int, whole: dict[str, bytes], tmp_path: Path
) -> None:
    assert run_campaign(campaign(), tmp_path, Shuffled(seed)).complete
    assert rows(tmp_path) == whole


def test_answers_that_wait_for_an_earlier_one_are_limited(
    whole: dict[str, bytes], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(carrying, "_AHEAD", 5)
    shards = Shuffled()
    run_campaign(campaign(), tmp_path, shards)
    assert shards.furthest == 5
    assert rows(tmp_path) == whole


def test_a_case_that_ends_its_workers_is_a_row_and_the_others_are_computed(
    whole: dict[str, bytes], tmp_path: Path
) -> None:
    outcome = run_campaign(campaign(), tmp_path, Losing())
    assert (outcome.complete, outcome.failed) == (True, 2)
    lines = {name: content.splitlines(True) for name, content in rows(tmp_path).items()}
    expected = {name: content.splitlines(True) for name, content in whole.items()}
    for name, found in lines.items():
        apart = [place for place, one in enumerate(found) if one != expected[name][place]]
        header = name.endswith(".csv")
        assert apart == [3 + header, 4 + header]
        assert all(LOST.encode() in found[place] for place in apart)


def test_what_is_computed_when_the_cluster_is_lost_stays(
    whole: dict[str, bytes], known: Known, tmp_path: Path
) -> None:
    with pytest.raises(PlacewiseError, match="scheduler was gone"):
        run_campaign(campaign(), tmp_path, Gone())
    assert len(read_folder(tmp_path).results) == 7
    known.asked.clear()
    assert run_campaign(campaign(), tmp_path, known).began_with == 7
    assert known.asked == list(range(7, 20))
    assert rows(tmp_path) == whole


def test_a_campaign_that_is_stopped_keeps_its_rows_and_goes_on(
    whole: dict[str, bytes], known: Known, tmp_path: Path
) -> None:
    asked = iter([False] * 6 + [True] * 100)
    outcome = run_campaign(campaign(), tmp_path, known, should_stop=lambda: next(asked))
    assert (outcome.done, outcome.complete) == (6, False)
    found = read_folder(tmp_path)
    assert (len(found.results), found.total, found.complete) == (6, 20, False)
    assert run_campaign(campaign(), tmp_path, known).complete
    assert rows(tmp_path) == whole


def test_progress_tells_every_row_once_and_how_far_it_is(
    known: Known, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    clock = iter(range(1000))
    monkeypatch.setattr(carrying, "monotonic", lambda: 0.04 * next(clock))
    asked = iter([False] * 8 + [True])
    run_campaign(campaign(), tmp_path, known, should_stop=lambda: next(asked))
    told: list[Progress] = []
    run_campaign(campaign(), tmp_path, known, told.append)
    assert (told[0].done, told[0].total, told[0].began_with) == (8, 20, 8)
    assert (told[0].rate_hz, told[0].left_s) == (0.0, None)
    assert (told[-1].done, told[-1].left_s) == (20, 0.0)
    heard: list[Row] = [row for one in told for row in one.rows]
    assert [row.case for row in heard] == list(range(8, 20))
    assert sum(len(one.took_s) for one in told) == 12
    assert len(told) < 8  # not with every row
    middle = told[2]
    assert middle.rate_hz > 0.0
    assert middle.left_s == pytest.approx((20 - middle.done) / middle.rate_hz)


def test_cases_that_fail_are_counted_also_those_that_were_there(tmp_path: Path) -> None:
    (tmp_path / "a.json").write_text("{}", encoding="utf-8")
    lines = 'workloads = ["a.json", { generate = "layered", tasks = 4, machines = 2 }]\n'
    cases = campaign(lines + 'strategies = ["heft"]', tmp_path)
    out = tmp_path / "out"
    asked = iter([False, False, False, True, True])
    first = run_campaign(cases, out, Plain(), should_stop=lambda: next(asked))
    told: list[Progress] = []
    outcome = run_campaign(cases, out, Plain(), told.append)
    assert (first.failed, told[0].failed, outcome.failed, outcome.complete) == (1, 1, 1, True)


def test_plans_are_kept_beside_the_rows(tmp_path: Path) -> None:
    cases = campaign(LAYERED + "plans = true\n")
    run_campaign(cases, tmp_path, Shuffled())
    found = read_folder(tmp_path)
    assert found.campaign.plans
    assert len(found.results) == 20
    assert b'"plan": {"allocation": {' in (tmp_path / "results.jsonl").read_bytes()


def test_a_folder_is_read_with_what_was_asked_and_the_time_of_each_row(
    known: Known, tmp_path: Path
) -> None:
    cases = campaign()
    run_campaign(cases, tmp_path, known)
    found = read_folder(tmp_path)
    assert (found.campaign, found.folder) == (cases.campaign, Path().resolve())
    assert list(found.results.rows) == [one.row for one in known.answers]
    assert found.results.took_s == pytest.approx([one.took_s for one in known.answers], abs=1e-6)
    assert (found.complete, found.notes) == (True, ())


def test_a_folder_is_read_while_its_last_lines_are_being_written(
    known: Known, tmp_path: Path
) -> None:
    run_campaign(campaign(), tmp_path, known)
    for name, cut in (("results.jsonl", 30), ("timings.csv", 12)):
        content = (tmp_path / name).read_bytes()
        (tmp_path / name).write_bytes(content[:-cut])
    found = read_folder(tmp_path)
    assert len(found.results) == 19
    assert not found.complete


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ('"tasks": 4', '"tasks": "four"'),
        ('"seed": 0', '"seed": 1e400'),
        ('"load": ""', '"load": []'),
        ('"load": ""', '"load": 3'),
        ('"proved": false', '"proved": 2'),
        ('"ccr": ', '"ccr": 1e308, "was": '),
        ('"warnings": []', '"warnings": 3'),
        ('"warnings": []', '"warnings": ["old", 1]'),
        ('"error": ""', '"mistake": ""'),
        ('{"case": 3', '{"case"'),
    ],
)
def test_rows_that_something_else_changed_are_told(
    old: str, new: str, known: Known, tmp_path: Path
) -> None:
    run_campaign(campaign(), tmp_path, known)
    path = tmp_path / "results.jsonl"
    path.write_text(path.read_text().replace(old, new))
    with pytest.raises(InputError, match=r"results.jsonl: line.*changed the file"):
        read_folder(tmp_path)

"""Small campaigns for the window's tests, and results that nobody computed."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

from advisor.campaigns.answer_case import Answer
from advisor.campaigns.campaign_cases import Cases
from advisor.campaigns.open_campaign import open_campaign
from advisor.campaigns.row_columns import Row
from advisor.campaigns.writing import writing

TINY = """format = "placewise-campaign"
version = 1
name = "tiny"
workloads = [{ generate = "layered", tasks = 8, ccr = [0.1, 10], seeds = 2 }, "bad/*.json"]
platforms = ["lab"]
strategies = ["heft", "one-machine"]
seconds = 0.01
studies = [{ name = "mapping", set = { pattern = "random", dims = "2x2 mesh" } }]
"""
CASES = 11  # 4 workloads and one that can't be read, by two strategies, and a study
FAILED = 2


def campaign_file(folder: Path, text: str = TINY) -> Path:
    """A campaign's file with what it names."""
    (folder / "bad").mkdir(exist_ok=True)
    (folder / "bad" / "broken.json").write_text("{")
    path = folder / "tiny.toml"
    path.write_text(text)
    return path


def write_rows(file: Path, rows: int | None = None) -> list[Row]:
    """Results of the first cases of a campaign's file, made up, as they would lie in its folder."""
    opened = open_campaign(file)
    assert opened.cases is not None
    made = [made_row(opened.cases[number]) for number in range(rows or opened.total)]
    written(opened.cases, opened.out, opened.text, made)
    return made


def written(cases: Cases, out: Path, text: str, rows: Sequence[Row]) -> None:
    """Put rows into a folder of results, each a quarter of a second."""
    with writing(out, cases, text) as there:
        there.append([Answer(row, 0.25) for row in rows])
        if len(rows) == len(cases):
            there.end()


def made_row(case: object) -> Row:
    """A row that answers a case with a second, or fails where its file is bad."""
    source, strategy = case.source, case.strategy  # type: ignore[attr-defined]
    failed = source.file.startswith("bad")
    number = case.number  # type: ignore[attr-defined]
    row = Row(
        number, source.study, source.label, source.generator, 8, 9, 4, 1.0, 0.3, source.seed,
        case.platform, "", case.sharing, strategy, "makespan", 0.01,  # type: ignore[attr-defined]
        1.0 + number, "s", 1.0, float(number), number == 0, 10,
    )  # fmt: skip
    return replace(row, value=None, bound=None, gap=None, error="no JSON") if failed else row


def headings(columns: Sequence[object]) -> list[str]:
    """Of a table."""
    return [one.heading for one in columns]  # type: ignore[attr-defined]

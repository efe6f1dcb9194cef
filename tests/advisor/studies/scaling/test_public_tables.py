"""The tables of docs/scaling.md are answered as that page says."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from advisor.studies.scaling.parameters import ScalingParameters
from advisor.studies.scaling.run import run

PAGE = Path(__file__).parents[4] / "docs" / "scaling.md"
ROW = re.compile(r"^\| (.+) \| (`.+) \| (.+) \|$", re.MULTILINE)
TABLES = ROW.findall(PAGE.read_text(encoding="utf-8").partition("Three public tables")[2])


@pytest.mark.parametrize(("title", "figures", "answer"), TABLES, ids=[one[0] for one in TABLES])
def test_a_public_table_is_answered_as_the_page_says(title: str, figures: str, answer: str) -> None:
    *header, rows = figures.split("`")[1:]
    text = "\n".join([*filter(str.strip, header), *rows.split()])
    result = run(ScalingParameters(source="data", data=text, replicates=20))
    assert result.sentence.startswith(answer), title

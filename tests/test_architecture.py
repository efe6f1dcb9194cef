"""The pages for contributors say what is: their map is that of the house, their files exist."""

from __future__ import annotations

import re
from itertools import pairwise
from pathlib import Path

import pytest

from tests.test_house import FLOORS

ROOT = Path(__file__).resolve().parent.parent
PAGE = (ROOT / "docs" / "architecture.md").read_text(encoding="utf-8")
MAP = [re.findall(r"`([a-z_/]+)`", line.split("|")[1])
       for line in PAGE.partition("## The packages")[2].splitlines()
       if line.startswith("| `")]  # fmt: skip


def test_every_room_has_its_line_on_the_map() -> None:
    rooms = {room.replace(".", "/") for floor in FLOORS for room in floor} - {"gui"}
    assert {room for line in MAP for room in line} == {room for room in rooms if "*" not in room}


def test_the_map_shows_the_floors_in_their_order() -> None:
    heights = {room.replace(".", "/"): h for h, floor in enumerate(FLOORS) for room in floor}
    lines = [[heights[room] for room in line] for line in MAP]
    for above, below in pairwise(lines):
        assert max(above) <= min(below)


@pytest.mark.parametrize("name", ["CONTRIBUTING.md", "docs/architecture.md"])
def test_every_file_that_a_page_names_is_there(name: str) -> None:
    text = (ROOT / name).read_text(encoding="utf-8")
    named = re.findall(r"`([\w/]+/[\w/]*\w(?:\.\w+)?)/?`", text)
    linked = [link for link in re.findall(r"\]\(([^)#]+)[^)]*\)", text) if "://" not in link]
    assert len(named) > 20
    for path in named:
        assert any((base / path).exists() for base in (ROOT, ROOT / "tests")), path
    for link in linked:
        assert (ROOT / name).parent.joinpath(link).exists(), link

"""Titles are cut so that one is told from the others."""

from __future__ import annotations

import pytest

from advisor.studies import STUDIES
from gui.form.shortened import shortened
from machines.parameters import properties_of

ALEWIFE = [f"MIT Alewife, messages {what}" for what in
           ("of one argument", "of two arguments", "without arguments")]  # fmt: skip


def cut(title: str, letters: int, others: list[str]) -> str:
    return shortened(title, [one for one in others if one != title], lambda s: len(s) <= letters)


@pytest.mark.parametrize(
    ("letters", "text"),
    [
        (38, "MIT Alewife, messages of two arguments"),
        (37, "MIT Alewife, messages of two …"),
        (28, "MIT Alewife, … two arguments"),
        (26, "MIT … of two arguments"),
        (15, "… two arguments"),
        (3, "MI…"),
        (1, "…"),
    ],
)
def test_what_tells_a_title_apart_stays(letters: int, text: str) -> None:
    assert cut(ALEWIFE[1], letters, [*ALEWIFE, "Intel Paragon"]) == text


def test_a_title_whose_words_another_has_as_well_is_cut_at_its_end() -> None:
    assert cut("Fat tree of Clos", 13, ["Fat tree of Clos and others"]) == "Fat tree of …"


@pytest.mark.parametrize("name", ["styles", "mapping", "blocks", "trees", "scaling"])
def test_the_networks_of_a_study_are_told_apart_in_two_thirds_of_their_room(name: str) -> None:
    network = next(one for one in properties_of(STUDIES[name].record) if one.name == "network")
    titles = [network.title_of(choice) for choice in network.choices]
    letters = 2 * max(map(len, titles)) // 3
    assert len({cut(title, letters, titles) for title in titles}) == len(titles)

"""Programs in words: who sends what to whom, how, and where the processes are."""

from __future__ import annotations

from dataclasses import replace

import pytest

from advisor.messages.patterns import KINDS
from advisor.programs.records import DiamondDag, Em3d, Remap
from advisor.programs.words import in_words

REMAP = Remap(1000, 1024.0, completion="synchronous", transport="long blocking")


def test_a_remap_says_everything_that_changes_its_time() -> None:
    text = in_words(replace(REMAP, computation_s=5e-5, processes=16, mapping="snake"))
    for words in ("1,000 messages of 1.02 kB", "to all others", "50.0 µs", "synchronous long"):
        assert words in text
    assert text.endswith("16 processes in snake order.")


@pytest.mark.parametrize("pattern", KINDS)
def test_every_pattern_has_words_of_its_own(pattern: str) -> None:
    texts = {in_words(replace(REMAP, pattern=kind, share=0.25, reach=2)) for kind in KINDS}
    assert len(texts) == len(KINDS)
    assert in_words(replace(REMAP, pattern=pattern, share=0.25, reach=2)) in texts


def test_blocks_and_graphs_are_counted() -> None:
    assert "16,384 × 16,384" in in_words(DiamondDag(16_384, 1e-6))
    assert "the best number of blocks" in in_words(DiamondDag(1024, 1e-6))
    assert "64 blocks" in in_words(DiamondDag(1024, 1e-6, blocks=64))
    text = in_words(Em3d(3200, 32, nonlocal_share=0.5, iterations=10))
    assert "3,200 nodes with 32 edges each, 50 % of them between processes, 10 iterations" in text

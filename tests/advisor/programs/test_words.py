"""Programs in words: who sends what to whom, how, and where the processes are."""

from __future__ import annotations

from dataclasses import replace

import pytest

from advisor.messages.patterns import KINDS
from advisor.programs.diamond_program import DiamondDag
from advisor.programs.em3d import Em3d
from advisor.programs.remap import Remap

REMAP = Remap(1000, 1024.0, completion="synchronous", transport="long blocking")


def test_a_remap_says_everything_that_changes_its_time() -> None:
    text = replace(REMAP, computation_s=5e-5, processes=16, mapping="snake").words()
    for words in ("1,000 messages of 1.02 kB", "to all others", "50.0 µs", "synchronous long"):
        assert words in text
    assert text.endswith("16 processes in snake order.")


@pytest.mark.parametrize("pattern", KINDS)
def test_every_pattern_has_words_of_its_own(pattern: str) -> None:
    texts = {replace(REMAP, pattern=kind, share=0.25, reach=2).words() for kind in KINDS}
    assert len(texts) == len(KINDS)
    assert replace(REMAP, pattern=pattern, share=0.25, reach=2).words() in texts


def test_blocks_and_graphs_are_counted() -> None:
    assert "16,384 × 16,384" in DiamondDag(16_384, 1e-6).words()
    assert "the best number of blocks" in DiamondDag(1024, 1e-6).words()
    assert "64 blocks" in DiamondDag(1024, 1e-6, blocks=64).words()
    text = Em3d(3200, 32, nonlocal_share=0.5, iterations=10).words()
    assert "3,200 nodes with 32 edges each, 50 % of them between processes, 10 iterations" in text

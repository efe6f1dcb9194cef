"""A calibration: what runs show of one thing, in words, rows, platform and workload."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from advisor.allocation.workload import Workload
from advisor.basics.quantities import count
from machines import Platform

_SAID = 4  # of many things alike, in a sentence


@dataclass(frozen=True, eq=False)
class Calibration:
    """One thing that was learnt from runs.

    `header`, `rows`: the figures behind it, written as people read them.
    `platform`, `workload`: what they are after this calibration alone.
    `learnt`: whether platform or workload are other than before; False: the sentence says why not.
    """

    name: str  # "times", "speeds", "links", "runtime", "contenders", "memory", "spread", "workers"
    title: str  # what a button says
    sentence: str  # what was learnt, from how much, and what contradicts it
    header: tuple[str, ...]
    rows: tuple[tuple[str, ...], ...]
    platform: Platform
    workload: Workload
    notes: tuple[str, ...] = ()  # what was left out, assumed or noticed, in sentences
    learnt: bool = True
    doubtful: bool = False  # implausible: applied by itself alone, never with all


def some_of(said: Sequence[str], what: str) -> str:
    """The first of many sentences as one, and how many more there are."""
    more = len(said) - _SAID
    return "; ".join(said[:_SAID]) + (f"; {count(more, f'more {what}')}" if more > 0 else "")

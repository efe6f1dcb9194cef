"""One thing that a plan may choose about a program: its style, mapping, blocks or technology.

A choice is one file of this folder. A kind of programs lists those that its programs leave to a
plan (`advisor.programs.program.ProgramKind.choices`). A program leaves open what its fields call
`CHOOSE`, or have no value for; a plan may overrule what they state.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable
from dataclasses import dataclass
from typing import Any

from machines import Machine

CHOOSE = "choose"


@dataclass(frozen=True)
class ProgramChoice:
    """What may be chosen, and how it is put into a program, said and stored.

    Programs are the frozen records of kinds that list the choice; values are hashable.

    `name`, `title`, `help`: key in files, label, and one sentence.
    `present`: what the program does there; ``None`` where it has no say.
    `options`: what an advisor tries on a machine where the program can run: the closed answer where
        there is one.
    `neighbours`: small changes of a value, for a search by moves.
    `read`, `write`: value of a file → value, raising `InputError`, and back.
    """

    name: str
    title: str
    help: str
    is_open: Callable[[Any], bool]  # whether the program leaves it to the plan
    applied: Callable[[Any, Any], Any]  # with that value; raises `InputError` if it can't be one
    present: Callable[[Any, Machine], Hashable]
    options: Callable[[Any, Machine], tuple[Hashable, ...]]
    neighbours: Callable[[Any, Machine, Any], tuple[Hashable, ...]]
    read: Callable[[object], Hashable]
    write: Callable[[Any], object]
    words: Callable[[Any], str]  # a few words for a cell or a tooltip

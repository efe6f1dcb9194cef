"""What a plan says of an overlay: its tree, and the machine of every internal process."""

from __future__ import annotations

import math
import re
from collections import Counter
from dataclasses import dataclass
from functools import cached_property
from itertools import pairwise

import numpy as np

from advisor.models.process_tree import Tree, levelled
from machines.errors import InputError

_SHAPE = re.compile(r"[1-9][0-9]{0,8}(x[1-9][0-9]{0,8})*")
_MOST_LEVELS = 64


@dataclass(frozen=True)
class OverlayPlan:
    """A tree and where its internal processes run.

    Back-ends fill their machines in the order of `Overlay.back_ends`, the front-end has its own.

    `fanouts`: length processes; children of every process, breadth first; 0 of back-ends.
    """

    fanouts: tuple[int, ...]
    internal: tuple[str, ...] = ()  # length internal processes; the machine of each, breadth first

    def __post_init__(self) -> None:
        assert self.tree.size == len(self.fanouts)

    @classmethod
    def of(cls, tree: Tree, internal: tuple[str, ...] = ()) -> OverlayPlan:
        """The plan of a tree."""
        return cls(tuple(tree.fanouts.tolist()), internal)

    @cached_property
    def tree(self) -> Tree:
        """The tree of the fan-outs."""
        return Tree(np.array(self.fanouts, dtype=np.int64))

    @cached_property
    def shape(self) -> str | None:
        """The fan-outs by level, "8x8" or "64", where they say the whole tree."""
        tree = self.tree
        most = level_fanouts(tree)
        if len(most) > _MOST_LEVELS or not tree.is_like(_levelled(tree.back_ends, most)):
            return None
        return "x".join(str(fanout) for fanout in most)

    @property
    def machines(self) -> dict[str, int]:
        """Internal processes by machine, in the order in which they come."""
        return dict(Counter(self.internal))

    def __getstate__(self) -> dict[str, object]:
        """What travels to other processes: the two fields alone."""
        return {"fanouts": self.fanouts, "internal": self.internal}


def level_fanouts(tree: Tree) -> tuple[int, ...]:
    """The most children that a process of each level has."""
    levels = tree.levels.tolist()
    return tuple(int(tree.fanouts[first:end].max()) for first, end in pairwise(levels[:-1]))


def tree_of_shape(text: str, back_ends: int) -> Tree:
    """The tree that a shape says: "8x8", or "64" for a flat one.

    The back-ends are divided as evenly as can be (`advisor.models.process_tree.levelled`).
    """
    word = text.strip().replace("×", "x")
    if _SHAPE.fullmatch(word) is None:
        raise InputError(
            "this is no shape of a tree", where="tree", value=text,
            remedy='Write the fan-outs of its levels, such as "8x8", or "64" for a flat tree',
        )  # fmt: skip
    asked = tuple(int(part) for part in word.split("x"))
    if len(asked) > _MOST_LEVELS:
        raise InputError("too many levels", where="tree", value=len(asked))
    tree = _levelled(back_ends, asked)
    found = level_fanouts(tree)
    if found != asked:
        raise InputError(
            f"{back_ends} back-ends do not need this tree", where="tree", value=text,
            remedy=f'Write "{"x".join(map(str, found))}"',
        )  # fmt: skip
    return tree


def _levelled(back_ends: int, fanouts: tuple[int, ...]) -> Tree:
    if math.prod(fanouts) < back_ends:
        raise InputError(
            f"this tree holds fewer than {back_ends} back-ends", where="tree",
            value="x".join(map(str, fanouts)),
            remedy=f'The product of the fan-outs must be at least {back_ends}, as in "{back_ends}"',
        )  # fmt: skip
    try:
        return levelled(back_ends, fanouts)
    except InputError as error:
        raise error.at("tree") from None
